//! The differences between versions of Python in reading characters, apart from patterns and rules.
//!
//! Patterns belong to the grammar file, and f-strings, too. Joined lines, which no pattern describes, and the names
//! of characters are here. Of each version the newest release counts: most of these differences were faults that some
//! release mended.

use crate::python::names::UnicodeVersion;

/// The effect of a backslash in the leading white space of a line on the line's column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JoinedIndentation {
    /// The line begins there, even if nothing but a line break follows (3.8).
    BeginsLine,
    /// The line stands where the one before it does: it neither begins nor ends suites (3.9).
    KeepsSuites,
    /// The first backslash's column counts, unless that is 0 (3.10 and later).
    FixesColumn,
}

/// The way in which one version of Python reads characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dialect {
    /// The meaning of a backslash that joins lines in front of a line's first symbol.
    pub joined_indentation: JoinedIndentation,
    /// Whether a text in CR LF may end with a line that a backslash joins to nothing (up to 3.11).
    pub may_end_joined: bool,
    /// The characters that have names.
    pub unicode: UnicodeVersion,
}

impl Dialect {
    /// The dialect of the newest version; languages other than Python do not use it.
    pub const NEWEST: Self = Self {
        joined_indentation: JoinedIndentation::FixesColumn,
        may_end_joined: false,
        unicode: UnicodeVersion::V17,
    };

    /// The dialect of a version such as `3.11`.
    pub fn of_version(version: &str) -> Self {
        let parts: Option<Vec<u32>> = version.split('.').map(|part| part.parse().ok()).collect();
        let is_before = |minor| parts.as_ref().is_some_and(|parts| *parts < vec![3, minor]);
        Self {
            joined_indentation: match () {
                () if is_before(9) => JoinedIndentation::BeginsLine,
                () if is_before(10) => JoinedIndentation::KeepsSuites,
                () => JoinedIndentation::FixesColumn,
            },
            may_end_joined: is_before(12),
            unicode: match () {
                () if is_before(9) => UnicodeVersion::V12,
                () if is_before(11) => UnicodeVersion::V13,
                () if is_before(12) => UnicodeVersion::V14,
                () if is_before(13) => UnicodeVersion::V15,
                () if is_before(14) => UnicodeVersion::V15_1,
                () if is_before(15) => UnicodeVersion::V16,
                () => UnicodeVersion::V17,
            },
        }
    }
}

impl Default for Dialect {
    fn default() -> Self {
        Self::NEWEST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert!(Dialect::of_version("3.8").may_end_joined);
        assert_eq!(Dialect::of_version("3.11").unicode, UnicodeVersion::V14);
        assert!(!Dialect::of_version("3.12").may_end_joined);
        assert_eq!(Dialect::of_version("3.14").unicode, UnicodeVersion::V16);
        assert_eq!(Dialect::of_version("3.15"), Dialect::NEWEST);
    }
}
