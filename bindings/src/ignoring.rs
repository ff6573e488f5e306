//! Lists of patterns that name files, as in `.gitignore`.
//!
//! The matcher is ripgrep's: its patterns become automata, so that the cost of a match grows with the path's length
//! alone, whatever pattern a stranger wrote.

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The patterns of one file.
#[pyclass(frozen, module = "quotient._native")]
pub(crate) struct IgnorePatterns {
    inner: Gitignore,
    /// The number of lines that are no patterns. They name nothing, as in git.
    #[pyo3(get)]
    n_unreadable: usize,
}

#[pymethods]
impl IgnorePatterns {
    #[new]
    #[pyo3(signature = (text, ignores_case=false))]
    fn new(py: Python<'_>, text: &str, ignores_case: bool) -> PyResult<Self> {
        py.detach(|| {
            let mut builder = GitignoreBuilder::new("");
            builder.case_insensitive(ignores_case)?;
            let n_unreadable =
                text.lines().filter(|line| builder.add_line(None, line).is_err()).count();
            Ok(Self { inner: builder.build()?, n_unreadable })
        })
        .map_err(|error: ignore::Error| PyValueError::new_err(error.to_string()))
    }

    /// True if a pattern names the path, False if one with `!` takes it out again, None if no pattern matches.
    fn verdict(&self, py: Python<'_>, path: &str, is_folder: bool) -> Option<bool> {
        py.detach(|| match self.inner.matched(path, is_folder) {
            Match::Ignore(_) => Some(true),
            Match::Whitelist(_) => Some(false),
            Match::None => None,
        })
    }
}
