//! The extension module `fim_lsp._native`: Python faces of the engine's types.
//!
//! Each method converts its arguments, releases the GIL, calls the engine and maps the error;
//! there is no logic here. Text is bytes inside and characters outside.

mod document;
mod errors;
mod language;
mod recognizer;
mod shared;
mod text;
mod vocabulary;

use pyo3::prelude::*;

/// The compiled half of `lexer` and `quotient`.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("NoCompletion", module.py().get_type::<errors::NoCompletion>())?;
    module.add("GrammarError", module.py().get_type::<errors::GrammarError>())?;
    module.add_class::<language::Language>()?;
    module.add_class::<recognizer::Recognizer>()?;
    module.add_class::<document::Document>()?;
    module.add_class::<vocabulary::Vocabulary>()?;
    module.add_function(wrap_pyfunction!(vocabulary::masks, module)?)
}
