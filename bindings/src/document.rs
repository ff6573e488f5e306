//! `_native.Document`: a text under edit, by offsets in characters.

use fim_quotient::Side;
use fim_quotient::offsets::{CharacterOffsets, character};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::errors::no_completion;
use crate::recognizer::Recognizer;
use crate::text::{Offset, decoded, encoded};

#[pyclass(module = "fim_lsp._native")]
pub(crate) struct Document {
    inner: fim_quotient::Document,
    offsets: CharacterOffsets,
}

impl Document {
    pub(crate) fn new(inner: fim_quotient::Document) -> Self {
        let offsets = CharacterOffsets::new(inner.text());
        Self { inner, offsets }
    }

    /// The byte offsets of a range of characters.
    fn range(&self, start: Offset, stop: Offset) -> PyResult<(usize, usize)> {
        let (Offset(start), Offset(stop)) = (start, stop);
        let byte = |offset: isize| {
            let offset = usize::try_from(offset).ok()?;
            self.offsets.byte(self.inner.text(), offset)
        };
        match (byte(start), byte(stop)) {
            (Some(start), Some(stop)) if start <= stop => Ok((start, stop)),
            _ => Err(PyValueError::new_err(format!(
                "no range of a text of {} characters: {start} to {stop}",
                self.offsets.n_characters()
            ))),
        }
    }
}

#[pymethods]
impl Document {
    #[getter]
    fn text<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        decoded(py, self.inner.text(), "surrogatepass")
    }

    fn __len__(&self) -> usize {
        self.offsets.n_characters()
    }

    fn edit(
        &mut self,
        py: Python<'_>,
        start: Offset,
        stop: Offset,
        new: &Bound<'_, PyString>,
    ) -> PyResult<()> {
        let (start, stop) = self.range(start, stop)?;
        let new = encoded(new)?;
        py.detach(|| {
            self.inner.edit(start, stop, &new);
            self.offsets.recount(self.inner.text(), start);
        });
        Ok(())
    }

    #[pyo3(signature = (start, stop=None))]
    fn recognizer(
        &mut self,
        py: Python<'_>,
        start: Offset,
        stop: Option<Offset>,
    ) -> PyResult<Recognizer> {
        let (start, stop) = self.range(start, stop.unwrap_or(start))?;
        let made = py.detach(|| self.inner.recognizer(start, stop));
        made.map(Recognizer::from).map_err(|error| {
            let text = self.inner.text();
            let context = if error.side == Side::Right { &text[stop..] } else { &text[..start] };
            no_completion(py, error.side, character(context, error.offset))
        })
    }

    /// Bytes held by the charts, roughly.
    #[getter]
    fn memory(&self) -> usize {
        self.inner.memory()
    }
}
