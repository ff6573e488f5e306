//! `_native.Language`: a compiled grammar.

use fim_quotient::{Engine, GrammarDescription};
use pyo3::prelude::*;

use crate::document::Document;
use crate::errors::{GrammarError, no_completion};
use crate::recognizer::Recognizer;
use crate::text::{Text, encoded, without_mark};

#[pyclass(module = "fim_lsp._native", frozen)]
pub(crate) struct Language {
    pub(crate) engine: Engine,
}

#[pymethods]
impl Language {
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

    /// Tells lexers apart; what tokens mean is kept by it.
    #[getter]
    fn fingerprint(&self) -> String {
        self.engine.language().fingerprint().to_string()
    }

    /// The names of the terminals that rules are made of.
    #[getter]
    fn terminals(&self) -> Vec<String> {
        let description = &self.engine.language().lexer.description;
        description.names().map(str::to_owned).collect()
    }

    #[pyo3(signature = (left, right))]
    fn recognizer(&self, py: Python<'_>, left: Text, right: Text) -> PyResult<Recognizer> {
        let (left_bytes, mark) = without_mark(&left.bytes, left.is_str);
        let made = py.detach(|| self.engine.recognizer(&left_bytes, &right.bytes));
        made.map(Recognizer::from).map_err(|error| {
            let offset = match error.side {
                fim_quotient::Side::Right => right.offset(error.offset),
                _ => left.offset(error.offset + mark),
            };
            no_completion(py, error.side, offset)
        })
    }

    fn document(&self, text: &Bound<'_, pyo3::types::PyString>) -> PyResult<Document> {
        Ok(Document::new(self.engine.document(encoded(text)?)))
    }
}
