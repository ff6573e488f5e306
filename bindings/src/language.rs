//! `_native.PyLanguage`: a compiled grammar.

use fim_quotient::{Engine, GrammarDescription, Side, encoding};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::document::PyDocument;
use crate::errors::{EncodingError, GrammarError, no_completion};
use crate::recognizer::PyRecognizer;
use crate::text::{Text, encoded_text};

#[pyclass(name = "Language", module = "quotient._native", frozen)]
pub(crate) struct PyLanguage {
    pub(crate) engine: Engine,
}

/// Names in the form that the engine takes.
pub(crate) fn known_names(names: Vec<String>) -> Vec<Vec<u8>> {
    names.into_iter().map(String::into_bytes).collect()
}

#[pymethods]
impl PyLanguage {
    #[new]
    fn new(py: Python<'_>, description: &str) -> PyResult<Self> {
        let compiled = py.detach(|| {
            GrammarDescription::from_json(description).and_then(fim_quotient::Language::new)
        });
        let language = compiled.map_err(|error| GrammarError::new_err(error.to_string()))?;
        Ok(Self { engine: Engine::new(language) })
    }

    #[getter]
    fn name(&self) -> &str {
        &self.engine.language().name
    }

    #[getter]
    fn version(&self) -> Option<&str> {
        self.engine.language().version.as_deref()
    }

    /// A fingerprint that tells lexers apart, by which mask tables are kept.
    #[getter]
    fn fingerprint(&self) -> String {
        self.engine.language().fingerprint().to_string()
    }

    /// The names of the terminals in rules.
    #[getter]
    fn terminals(&self) -> Vec<String> {
        let description = &self.engine.language().lexer.description;
        description.names().map(str::to_owned).collect()
    }

    /// The names that a text binds for others; None if that cannot be told.
    fn bound_names(&self, py: Python<'_>, text: Text) -> Option<Vec<String>> {
        let found = py.detach(|| self.engine.bound_names(&text.bytes))?;
        Some(found.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect())
    }

    #[pyo3(signature = (left, right, names=None))]
    fn recognizer(
        &self,
        py: Python<'_>,
        left: Text,
        right: Text,
        names: Option<Vec<String>>,
    ) -> PyResult<PyRecognizer> {
        let known = names.map(known_names);
        if !(left.is_str && right.is_str) {
            let is_python = self.engine.language().name == "python";
            encoding::check(&left.bytes, &right.bytes, is_python)
                .map_err(|error| EncodingError::new_err(error.to_string()))?;
        }
        let made = py.detach(|| {
            let mark = if left.is_str { 0 } else { encoding::mark_length(&left.bytes) };
            let left_bytes = &left.bytes[mark..];
            let made = self.engine.recognizer(left_bytes, &right.bytes);
            let made = made.map(|recognizer| match &known {
                Some(known) => recognizer.held_to_law(left_bytes, &right.bytes, known),
                None => recognizer,
            });
            made.map_err(|error| {
                let offset = match error.side {
                    Side::Right => right.offset(error.offset),
                    Side::Unread => 0,
                    Side::Left | Side::Both => left.offset(error.offset + mark),
                };
                (error.side, offset)
            })
        });
        made.map(PyRecognizer::from).map_err(|(side, offset)| no_completion(py, side, offset))
    }

    fn document(&self, py: Python<'_>, text: &Bound<'_, PyString>) -> PyResult<PyDocument> {
        let text = encoded_text(text)?;
        Ok(py.detach(|| PyDocument::new(self.engine.document(text))))
    }
}
