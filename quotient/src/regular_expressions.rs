//! Regular expressions of JavaScript: the faults of a literal, as the specification says them, with its annex B.
//!
//! ECMAScript 2025: groups may have one name in different alternatives, and flags within a pattern (`(?i:a)`). V8 is what
//! it is compared with (`python -m tests.laws.patterns`). Crates that were looked at: `regress` answers otherwise in 4,084 of
//! 60,000 made patterns, `oxc_regular_expression` brings a hundred others.
//!
//! Reading order: `flags`, `names`, `reader`, `escapes`, `classes`, `patterns`, `held`.

mod classes;
mod escapes;
mod flags;
mod held;
mod names;
mod patterns;
mod reader;

pub(crate) use self::held::law;
pub(crate) use self::names::{Alphabet, is_name_part};
use self::reader::PatternReader;

/// How a pattern is read: without `u` and `v`, with `u`, with `v`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PatternMode {
    Old,
    Unicode,
    Sets,
}

/// The mark of a pattern that is too deep to be read; nothing is wrong with it.
const NOT_READ: &str = "";

/// Why there is no literal with this pattern and these flags.
pub(crate) fn fault(pattern: &[u8], flags: &[u8]) -> Option<&'static str> {
    if flags::are_wrong(flags) {
        return Some("no regular expression has the flags `{}`");
    }
    let mode = match flags {
        _ if flags.contains(&b'v') => PatternMode::Sets,
        _ if flags.contains(&b'u') => PatternMode::Unicode,
        _ => PatternMode::Old,
    };
    let pattern = std::str::from_utf8(pattern).ok()?;
    PatternReader::new(pattern, mode).pattern().err().filter(|&wrong| wrong != NOT_READ)
}
