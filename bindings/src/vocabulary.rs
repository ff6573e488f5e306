//! `_native.PyVocabulary`: the tokens of a model, and masks over them.

use fim_quotient::TokenId;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView, PySlice};

use crate::language::PyLanguage;
use crate::recognizer::PyRecognizer;
use crate::text::Id;

#[pyclass(name = "Vocabulary", module = "quotient._native", subclass, frozen)]
pub(crate) struct PyVocabulary {
    pub(crate) inner: fim_quotient::Vocabulary,
}

#[pymethods]
impl PyVocabulary {
    #[new]
    #[pyo3(signature = (tokens, eos=Vec::new(), special=Vec::new()))]
    fn new(
        py: Python<'_>,
        tokens: Vec<Vec<u8>>,
        eos: Vec<u32>,
        special: Vec<u32>,
    ) -> PyResult<Self> {
        let n_tokens = tokens.len();
        if let Some(id) = eos.iter().chain(&special).find(|&&id| id as usize >= n_tokens) {
            return Err(PyValueError::new_err(format!("no token {id} among {n_tokens}")));
        }
        let ids = |ids: Vec<u32>| ids.into_iter().map(TokenId).collect::<Vec<_>>();
        let (eos, special) = (ids(eos), ids(special));
        let inner = py.detach(|| fim_quotient::Vocabulary::new(&tokens, &eos, &special));
        Ok(Self { inner })
    }

    fn __len__(&self) -> usize {
        self.inner.n_tokens()
    }

    /// The bytes of a token; None for a special one.
    fn token<'py>(&self, py: Python<'py>, id: Id) -> PyResult<Bound<'py, PyBytes>> {
        match self.inner.token(id.0) {
            Some(fim_quotient::Token::Text(text)) => Ok(PyBytes::new(py, text)),
            Some(_) => Ok(PyBytes::new(py, b"")),
            None => {
                let n_tokens = self.inner.n_tokens();
                Err(PyValueError::new_err(format!("not one of {n_tokens} tokens")))
            }
        }
    }

    #[getter]
    fn eos(&self) -> Vec<u32> {
        self.inner.ends().iter().map(|id| id.0).collect()
    }

    #[getter]
    fn n_words(&self) -> usize {
        self.inner.n_words()
    }

    #[getter]
    fn fingerprint(&self) -> String {
        self.inner.fingerprint().to_string()
    }

    fn prepare_tables(&self, py: Python<'_>, language: &PyLanguage) {
        py.detach(|| self.inner.prepare(language.engine.language()));
    }

    fn tables<'py>(&self, py: Python<'py>, language: &PyLanguage) -> Bound<'py, PyBytes> {
        let bytes = py.detach(|| self.inner.prepared_tables(language.engine.language()));
        PyBytes::new(py, &bytes)
    }

    fn add_tables(&self, py: Python<'_>, language: &PyLanguage, tables: &[u8]) -> bool {
        py.detach(|| self.inner.add_prepared(language.engine.language(), tables))
    }

    /// Bytes held, roughly.
    #[getter]
    fn memory(&self) -> usize {
        self.inner.memory()
    }
}

/// Copies masks into a caller's array, or into a new one where there is none.
pub(crate) fn array<'py>(
    py: Python<'py>,
    bytes: &[u8],
    shape: &[usize],
    out: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let Some(out) = out else {
        let array = PyByteArray::new(py, bytes);
        let array = py.import("numpy")?.call_method1("frombuffer", (array, "uint32"))?;
        return if shape.len() == 1 { Ok(array) } else { array.call_method1("reshape", (shape,)) };
    };
    let view = PyMemoryView::from(&out)?;
    let format: String = view.getattr("format")?.extract()?;
    let is_word = view.getattr("itemsize")?.extract::<usize>()? == 4
        && ["I", "i", "L", "l"].contains(&format.trim_start_matches(['@', '=', '<']));
    if !is_word {
        return Err(PyTypeError::new_err(format!("masks are uint32 or int32, not {format:?}")));
    }
    let found: Vec<usize> = view.getattr("shape")?.extract()?;
    if found != shape {
        return Err(PyValueError::new_err(format!("masks of shape {shape:?} into {found:?}")));
    }
    let view = view.call_method1("cast", ("B",))?;
    view.set_item(PySlice::full(py), PyBytes::new(py, bytes))?;
    Ok(out)
}

/// The bytes of a mask in the machine's order.
pub(crate) fn bytes(words: &[u32]) -> Vec<u8> {
    let mut bytes = vec![0; words.len() * 4];
    for (four, word) in bytes.chunks_exact_mut(4).zip(words) {
        four.copy_from_slice(&word.to_ne_bytes());
    }
    bytes
}

/// The masks of many recognizers, worked out in threads.
#[pyfunction]
#[pyo3(signature = (recognizers, vocabulary, out=None, n_threads=None))]
pub(crate) fn masks<'py>(
    py: Python<'py>,
    recognizers: Vec<Py<PyRecognizer>>,
    vocabulary: PyRef<'py, PyVocabulary>,
    out: Option<Bound<'py, PyAny>>,
    n_threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let vocabulary = &vocabulary.inner;
    let found = py.detach(|| {
        let recognizers = recognizers.iter().map(Py::get);
        let copies: Vec<_> = recognizers
            .map(|recognizer| recognizer.inner.with_detached(|inner| inner.clone()))
            .collect();
        bytes(&fim_quotient::masks(&copies, vocabulary, n_threads))
    });
    array(py, &found, &[recognizers.len(), vocabulary.n_words()], out)
}
