//! `_native.Recognizer`: the texts that fit a hole, recognized as they are written.

use fim_quotient::TokenId;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::text::{Text, decoded};
use crate::vocabulary::{Vocabulary, array, bytes};

#[pyclass(module = "fim_lsp._native")]
pub(crate) struct Recognizer {
    pub(crate) inner: fim_quotient::Recognizer,
}

impl From<fim_quotient::Recognizer> for Recognizer {
    fn from(inner: fim_quotient::Recognizer) -> Self {
        Self { inner }
    }
}

/// What has advanced can be completed, so this is a fault of ours.
fn no_witness() -> PyErr {
    PyRuntimeError::new_err("no completion was found although there is one; please report the text")
}

#[pymethods]
impl Recognizer {
    fn advance(&mut self, py: Python<'_>, text: Text) -> bool {
        py.detach(|| self.inner.advance(&text.bytes))
    }

    fn is_member(&self, py: Python<'_>) -> bool {
        py.detach(|| self.inner.is_member())
    }

    fn witness<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        let text = py.detach(|| self.inner.witness()).ok_or_else(no_witness)?;
        decoded(py, &text, "surrogateescape")
    }

    fn witness_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let text = py.detach(|| self.inner.witness()).ok_or_else(no_witness)?;
        Ok(PyBytes::new(py, &text))
    }

    #[pyo3(signature = (vocabulary, out=None))]
    fn mask<'py>(
        &self,
        py: Python<'py>,
        vocabulary: &Vocabulary,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let vocabulary = &vocabulary.inner;
        let found = py.detach(|| {
            let mut mask = vec![0; vocabulary.n_words()];
            self.inner.mask(vocabulary, &mut mask);
            bytes(&mask)
        });
        array(py, &found, &[vocabulary.n_words()], out)
    }

    fn first_allowed(&self, py: Python<'_>, vocabulary: &Vocabulary, ids: Vec<u32>) -> Option<u32> {
        let ids: Vec<TokenId> = ids.into_iter().map(TokenId).collect();
        py.detach(|| self.inner.first_allowed(&vocabulary.inner, &ids)).map(|id| id.0)
    }

    fn advance_token(&mut self, py: Python<'_>, vocabulary: &Vocabulary, id: u32) -> bool {
        py.detach(|| self.inner.advance_token(&vocabulary.inner, TokenId(id)))
    }

    fn forced<'py>(
        &self,
        py: Python<'py>,
        vocabulary: &Vocabulary,
    ) -> PyResult<Bound<'py, PyString>> {
        let text = py.detach(|| self.inner.forced(&vocabulary.inner));
        decoded(py, &text, "surrogateescape")
    }

    #[pyo3(signature = (n=1))]
    fn rollback(&mut self, n: usize) -> PyResult<()> {
        if self.inner.rollback(n) {
            return Ok(());
        }
        Err(PyValueError::new_err(format!("fewer than {n} texts have been read")))
    }

    fn fork(&self) -> Self {
        Self { inner: self.inner.clone() }
    }

    fn nesting(&self) -> (usize, Vec<u32>, Option<u32>) {
        let nesting = self.inner.nesting();
        (nesting.n_brackets, nesting.columns, nesting.indentation)
    }

    fn grammar(&self, py: Python<'_>) -> String {
        py.detach(|| self.inner.grammar())
    }

    fn explain(&self, py: Python<'_>) -> String {
        py.detach(|| self.inner.explanation().words(self.inner.engine().language()))
    }
}
