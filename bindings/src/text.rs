//! Texts from Python: `str` or `bytes`, always as bytes.

use fim_quotient::TokenId;
use fim_quotient::offsets::character;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// A text argument, and whether its offsets count characters.
pub(crate) struct Text {
    pub(crate) bytes: Vec<u8>,
    pub(crate) is_str: bool,
}

impl<'py> FromPyObject<'_, 'py> for Text {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(text) = object.cast::<PyString>() {
            return Ok(Self { bytes: encoded_text(&text)?, is_str: true });
        }
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Self { bytes: bytes.as_bytes().to_vec(), is_str: false });
        }
        let name = object.get_type().name()?;
        Err(PyTypeError::new_err(format!("expected str or bytes, not {name}")))
    }
}

/// An offset in characters. One that no machine can count is out of range like any other.
#[derive(Clone, Copy)]
pub(crate) struct Offset(pub(crate) isize);

impl<'py> FromPyObject<'_, 'py> for Offset {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match object.extract::<isize>() {
            Err(error) if error.is_instance_of::<PyOverflowError>(object.py()) => {
                Ok(Self(if object.lt(0)? { isize::MIN } else { isize::MAX }))
            }
            offset => offset.map(Self),
        }
    }
}

/// The id of a token. One that no vocabulary can have is the id of no token.
#[derive(Clone, Copy)]
pub(crate) struct Id(pub(crate) TokenId);

impl<'py> FromPyObject<'_, 'py> for Id {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let Offset(id) = object.extract()?;
        Ok(Self(TokenId(u32::try_from(id).unwrap_or(u32::MAX))))
    }
}

impl Text {
    /// An offset in the caller's units.
    pub(crate) fn offset(&self, byte: usize) -> usize {
        if self.is_str { character(&self.bytes, byte) } else { byte }
    }
}

/// The UTF-8 of a string. A lone surrogate becomes bytes that no language accepts.
pub(crate) fn encoded_text(text: &Bound<'_, PyString>) -> PyResult<Vec<u8>> {
    if let Ok(text) = text.to_str() {
        return Ok(text.as_bytes().to_vec());
    }
    let bytes = text.call_method1("encode", ("utf-8", "surrogatepass"))?;
    Ok(bytes.cast::<PyBytes>()?.as_bytes().to_vec())
}

/// The string of some bytes; bytes that are no characters become surrogates by the given rule.
pub(crate) fn decoded_text<'py>(
    py: Python<'py>,
    bytes: &[u8],
    errors: &str,
) -> PyResult<Bound<'py, PyString>> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Ok(PyString::new(py, text));
    }
    let text = PyBytes::new(py, bytes).call_method1("decode", ("utf-8", errors))?;
    Ok(text.cast_into::<PyString>()?)
}
