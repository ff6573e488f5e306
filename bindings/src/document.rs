//! `_native.PyDocument`: a text under edit, by offsets in characters.

use fim_quotient::Side;
use fim_quotient::offsets::{CharacterOffsets, character};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::errors::no_completion;
use crate::language::known_names;
use crate::recognizer::PyRecognizer;
use crate::shared::LockedValue;
use crate::text::{Offset, Text, decoded_text, encoded_text};

#[pyclass(name = "Document", module = "quotient._native", frozen)]
pub(crate) struct PyDocument {
    inner: LockedValue<Counted>,
}

/// A document together with its offsets in characters.
struct Counted {
    document: fim_quotient::Document,
    offsets: CharacterOffsets,
}

/// The error of two offsets that are no range of a text.
struct NoRange {
    start: Offset,
    stop: Offset,
    n_characters: usize,
}

impl From<NoRange> for PyErr {
    fn from(NoRange { start, stop, n_characters }: NoRange) -> Self {
        let (Offset(start), Offset(stop)) = (start, stop);
        PyValueError::new_err(format!(
            "no range of a text of {n_characters} characters: {start} to {stop}"
        ))
    }
}

impl Counted {
    /// The byte offsets of a range of characters.
    fn range(&self, start: Offset, stop: Offset) -> Result<(usize, usize), NoRange> {
        let byte = |Offset(offset): Offset| {
            self.offsets.byte(self.document.text(), usize::try_from(offset).ok()?)
        };
        match (byte(start), byte(stop)) {
            (Some(first), Some(last)) if first <= last => Ok((first, last)),
            _ => Err(NoRange { start, stop, n_characters: self.offsets.n_characters() }),
        }
    }
}

impl PyDocument {
    pub(crate) fn new(document: fim_quotient::Document) -> Self {
        let offsets = CharacterOffsets::new(document.text());
        Self { inner: LockedValue::new(Counted { document, offsets }) }
    }
}

#[pymethods]
impl PyDocument {
    #[getter]
    fn text<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        let text = self.inner.with(py, |inner| inner.document.text().to_vec());
        decoded_text(py, &text, "surrogatepass")
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.inner.with(py, |inner| inner.offsets.n_characters())
    }

    fn edit(
        &self,
        py: Python<'_>,
        start: Offset,
        stop: Offset,
        new: &Bound<'_, PyString>,
    ) -> PyResult<()> {
        let new = encoded_text(new)?;
        let done = self.inner.with(py, |inner| {
            let (start, stop) = inner.range(start, stop)?;
            inner.document.edit(start, stop, &new);
            inner.offsets.recount(inner.document.text(), start);
            Ok::<(), NoRange>(())
        });
        Ok(done?)
    }

    #[pyo3(signature = (start, stop=None, names=None, *, comment_end=None))]
    fn recognizer(
        &self,
        py: Python<'_>,
        start: Offset,
        stop: Option<Offset>,
        names: Option<Vec<String>>,
        comment_end: Option<&str>,
    ) -> PyResult<PyRecognizer> {
        let names = names.map(known_names);
        let made = self.inner.with(py, |inner| {
            let (start, stop) = inner.range(start, stop.unwrap_or(start))?;
            let made = match comment_end {
                Some(end) => inner.document.recognizer_in_code(start, stop, end.as_bytes()),
                None => inner.document.recognizer(start, stop),
            };
            let made = made.map(|made| match &names {
                Some(known) => inner.document.held_to_law(made, start, stop, b"", known),
                None => made,
            });
            let made = made.map_err(|error| {
                let text = inner.document.text();
                let is_right = error.side == Side::Right;
                let context = if is_right { &text[stop..] } else { &text[..start] };
                (error.side, character(context, error.offset))
            });
            Ok::<_, NoRange>(made)
        });
        made?.map(PyRecognizer::from).map_err(|(side, offset)| no_completion(py, side, offset))
    }

    #[pyo3(signature = (recognizer, start, stop, begun, known=Vec::new()))]
    fn with_names(
        &self,
        py: Python<'_>,
        recognizer: &PyRecognizer,
        start: Offset,
        stop: Offset,
        begun: Text,
        known: Vec<String>,
    ) -> PyResult<PyRecognizer> {
        let known = self::known_names(known);
        let grammatical = recognizer.inner.with(py, |inner| inner.clone());
        let made = self.inner.with(py, |inner| {
            let (start, stop) = inner.range(start, stop)?;
            let document = &mut inner.document;
            Ok::<_, NoRange>(document.held_to_law(grammatical, start, stop, &begun.bytes, &known))
        });
        Ok(PyRecognizer::from(made?))
    }

    /// Bytes held by the charts, roughly.
    #[getter]
    fn memory(&self, py: Python<'_>) -> usize {
        self.inner.with(py, |inner| inner.document.memory())
    }
}
