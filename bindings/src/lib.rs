//! The extension module `quotient._native`: Python faces of the engine's types.
//!
//! It has two more things that Python cannot do: matching patterns of files at a cost that the patterns do not
//! choose, and confining this very process before it runs foreign code.
//!
//! Each method converts its arguments, releases the GIL, calls the engine and maps the error;
//! there is no logic here. Text is bytes inside and characters outside.

#[cfg(target_os = "linux")]
mod confinement;
mod document;
mod errors;
mod ignoring;
mod language;
#[cfg(unix)]
mod proof;
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
    module.add("TooCostly", module.py().get_type::<errors::TooCostly>())?;
    module.add("EncodingError", module.py().get_type::<errors::EncodingError>())?;
    module.add("GrammarError", module.py().get_type::<errors::GrammarError>())?;
    module.add_class::<language::PyLanguage>()?;
    module.add_class::<recognizer::PyRecognizer>()?;
    module.add_class::<recognizer::PyNesting>()?;
    module.add_class::<document::PyDocument>()?;
    module.add_class::<vocabulary::PyVocabulary>()?;
    module.add_class::<ignoring::IgnorePatterns>()?;
    #[cfg(target_os = "linux")]
    module.add_function(wrap_pyfunction!(confinement::confine, module)?)?;
    #[cfg(unix)]
    module.add_function(wrap_pyfunction!(proof::run_to_the_end, module)?)?;
    module.add_function(wrap_pyfunction!(vocabulary::masks, module)?)
}
