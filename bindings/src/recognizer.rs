//! `_native.PyRecognizer`: the texts that fit a hole, recognized as they are written.

use fim_quotient::{Nesting, TokenId};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::shared::LockedValue;
use crate::text::{Id, Offset, Text, decoded_text};
use crate::vocabulary::{PyVocabulary, array, bytes};

#[pyclass(name = "Recognizer", module = "quotient._native", frozen)]
pub(crate) struct PyRecognizer {
    pub(crate) inner: LockedValue<fim_quotient::Recognizer>,
}

impl From<fim_quotient::Recognizer> for PyRecognizer {
    fn from(inner: fim_quotient::Recognizer) -> Self {
        Self { inner: LockedValue::new(inner) }
    }
}

#[pyclass(name = "Nesting", module = "quotient._native", frozen, get_all)]
pub(crate) struct PyNesting {
    n_brackets: usize,
    columns: Vec<u32>,
    indentation: Option<u32>,
}

/// The error of a missing witness: a text that was read can be completed, so this is a fault of the engine.
fn no_witness() -> PyErr {
    PyRuntimeError::new_err("no completion was found although there is one; please report the text")
}

#[pymethods]
impl PyRecognizer {
    fn advance(&self, py: Python<'_>, text: Text) -> bool {
        self.inner.with(py, |inner| inner.advance(&text.bytes))
    }

    fn is_member(&self, py: Python<'_>) -> bool {
        self.inner.with(py, |inner| inner.is_member())
    }

    fn witness<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        let text = self.inner.with(py, |inner| inner.witness()).ok_or_else(no_witness)?;
        decoded_text(py, &text, "surrogateescape")
    }

    fn witness_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let text = self.inner.with(py, |inner| inner.witness()).ok_or_else(no_witness)?;
        Ok(PyBytes::new(py, &text))
    }

    #[pyo3(signature = (vocabulary, out=None))]
    fn mask<'py>(
        &self,
        py: Python<'py>,
        vocabulary: &PyVocabulary,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let vocabulary = &vocabulary.inner;
        let found = self.inner.with(py, |inner| {
            let mut mask = vec![0; vocabulary.n_words()];
            inner.mask(vocabulary, &mut mask);
            bytes(&mask)
        });
        array(py, &found, &[vocabulary.n_words()], out)
    }

    fn first_allowed(
        &self,
        py: Python<'_>,
        vocabulary: &PyVocabulary,
        ids: Vec<Id>,
    ) -> Option<u32> {
        let ids: Vec<TokenId> = ids.into_iter().map(|Id(id)| id).collect();
        self.inner.with(py, |inner| inner.first_allowed(&vocabulary.inner, &ids)).map(|id| id.0)
    }

    fn advance_token(&self, py: Python<'_>, vocabulary: &PyVocabulary, id: Id) -> bool {
        self.inner.with(py, |inner| inner.advance_token(&vocabulary.inner, id.0))
    }

    fn forced_text<'py>(
        &self,
        py: Python<'py>,
        vocabulary: &PyVocabulary,
    ) -> PyResult<Bound<'py, PyString>> {
        let text = self.inner.with(py, |inner| inner.forced_text(&vocabulary.inner));
        decoded_text(py, &text, "surrogateescape")
    }

    #[pyo3(signature = (n=Offset(1)), text_signature = "($self, n=1)")]
    fn rollback(&self, py: Python<'_>, n: Offset) -> PyResult<()> {
        let Offset(n) = n;
        let n_steps = usize::try_from(n)
            .map_err(|_| PyValueError::new_err(format!("no number of texts: {n}")))?;
        if self.inner.with(py, |inner| inner.rollback(n_steps)) {
            return Ok(());
        }
        Err(PyValueError::new_err(format!("fewer than {n} texts have been read")))
    }

    /// The refusal of a text that parses: the name or keyword, the number of bytes in front of the text where it
    /// begins, and the reason in words.
    fn refusal(&self, py: Python<'_>, text: Text) -> Option<(String, usize, String)> {
        let found = self.inner.with(py, |inner| inner.refusal(&text.bytes))?;
        let name = String::from_utf8_lossy(&found.name).into_owned();
        let words = found.reason.words(&name);
        Some((name, found.n_bytes, words))
    }

    /// The names that the lines behind the hole use, and that nothing binds if its text ends here.
    fn wanted_names(&self, py: Python<'_>) -> Vec<String> {
        let found = self.inner.with(py, |inner| inner.wanted_names());
        found.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect()
    }

    /// Whether lines that do not see the names bound here use such names, too.
    fn is_wanted_elsewhere(&self, py: Python<'_>) -> bool {
        self.inner.with(py, |inner| inner.is_wanted_elsewhere())
    }

    fn without_names(&self, py: Python<'_>) -> Self {
        Self::from(self.inner.with(py, |inner| inner.without_law()))
    }

    #[getter]
    fn has_law(&self, py: Python<'_>) -> bool {
        self.inner.with(py, |inner| inner.has_law())
    }

    fn fork(&self, py: Python<'_>) -> Self {
        Self::from(self.inner.with(py, |inner| inner.clone()))
    }

    fn nesting(&self, py: Python<'_>) -> PyNesting {
        let Nesting { n_brackets, columns, indentation } =
            self.inner.with(py, |inner| inner.nesting());
        PyNesting { n_brackets, columns, indentation }
    }

    fn grammar(&self, py: Python<'_>) -> String {
        self.inner.with(py, |inner| inner.grammar())
    }

    fn explain(&self, py: Python<'_>) -> String {
        self.inner.with(py, |inner| inner.explanation().words(inner.engine().language()))
    }
}
