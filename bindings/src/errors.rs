//! The Python exceptions, one for each kind of failure.

use fim_quotient::Side;
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;

create_exception!(
    quotient,
    NoCompletion,
    PyException,
    "No text fits between the left and the right context.\n\n\
     `side` is \"left\", \"right\" or \"both\"; `offset` is the place of the first error in that\n\
     context, where the left one is read from its beginning and the right one from its end (for\n\
     both: the length of the left one)."
);
create_exception!(
    quotient,
    TooCostly,
    PyException,
    "What follows the hole can be read in so many ways that the engine does not look at all of them.\n\n\
     Whether any text fits is not known: this is no `NoCompletion`."
);
create_exception!(
    quotient,
    EncodingError,
    PyValueError,
    "Contexts given as bytes are no UTF-8, or declare that they are not."
);
create_exception!(quotient, GrammarError, PyValueError, "A grammar cannot be used.");

/// The exception for a hole that no text fits, with its offset in the caller's units, or that was not looked at.
pub(crate) fn no_completion(py: Python<'_>, side: Side, offset: usize) -> PyErr {
    let (name, message) = match side {
        Side::Left => ("left", format!("the text before the hole has an error at offset {offset}")),
        Side::Right => {
            ("right", format!("the text after the hole has an error at offset {offset}"))
        }
        Side::Unread => {
            return TooCostly::new_err(
                "the text after the hole can be read in too many ways, and not all were looked at",
            );
        }
        Side::Both => {
            ("both", "no text connects what stands before the hole and what stands after it".into())
        }
    };
    let error = NoCompletion::new_err(message);
    let value = error.value(py);
    let set = value.setattr("side", name).and_then(|()| value.setattr("offset", offset));
    set.err().unwrap_or(error)
}
