//! The rules of a version of Python about names: its builtins (`grammars/python-builtins.txt`), when its annotations
//! are evaluated, and what its comprehensions may unpack.

use std::sync::Arc;

use fim_lexer::{Lexer, TerminalId};

use super::name_set::Name;
use super::{SymbolKind, SymbolKinds};
use crate::masks::NonNameWords;

/// The rules of a version of Python about names.
#[derive(Debug)]
pub(in crate::python_names) struct NameRules {
    pub(in crate::python_names) kinds: SymbolKinds,
    pub(in crate::python_names) non_names: NonNameWords,
    pub(in crate::python_names) builtins: Arc<[Name]>,
    pub(in crate::python_names) annotations: Annotations,
    pub(in crate::python_names) turns: Turns,
    /// The terminal that may bind a name which is not visible: `:=`.
    pub(in crate::python_names) walrus: Option<TerminalId>,
    pub(in crate::python_names) assign: Option<TerminalId>,
    pub(in crate::python_names) name: Option<TerminalId>,
}

impl NameRules {
    /// The rules of a version of Python; None for other languages.
    pub(in crate::python_names) fn new(
        name: &str,
        version: Option<&str>,
        lexer: &Lexer,
    ) -> Option<Self> {
        let version = version.filter(|_| name == "python")?;
        let terminal = |name| lexer.description.terminal(name);
        let kinds = SymbolKinds::new(lexer);
        Some(Self {
            non_names: NonNameWords::of(lexer, |terminal| kinds.of(terminal) == SymbolKind::Name),
            kinds,
            builtins: builtins(version),
            annotations: match is_at_least(version, "3.14") {
                true => Annotations::Late,
                false => Annotations::AtOnce,
            },
            turns: match is_at_least(version, "3.15") {
                true => Turns::Unpacked,
                false => Turns::Elements,
            },
            walrus: terminal(":="),
            assign: terminal("="),
            name: terminal("NAME"),
        })
    }
}

/// The time at which annotations are evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::python_names) enum Annotations {
    AtOnce,
    /// When a program asks for them.
    Late,
    /// Never: they are kept as texts, which Python does not compile.
    AsTexts,
}

impl Annotations {
    /// Whether names that annotations use may be bound further down.
    pub(in crate::python_names) fn are_late(self) -> bool {
        self != Self::AtOnce
    }
}

/// The element of a comprehension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::python_names) enum Turns {
    /// One value for each turn.
    Elements,
    /// One value, or, behind a star, all values in it (PEP 798).
    Unpacked,
}

const TABLE: &str = include_str!("../../../grammars/python-builtins.txt");

/// The names that only the body of a class finds, and those that only its methods do.
pub(in crate::python_names) const IN_CLASS: [&[u8]; 5] = [
    b"__firstlineno__",
    b"__module__",
    b"__qualname__",
    b"__static_attributes__",
    b"__type_params__",
];
pub(in crate::python_names) const IN_METHOD: [&[u8]; 1] = [b"__class__"];

/// The builtins of a version, sorted.
fn builtins(version: &str) -> Arc<[Name]> {
    let mut found: Vec<Name> = Vec::new();
    let mut is_known = false;
    for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
        match line.strip_prefix("since ") {
            Some(since) => is_known = is_at_least(version, since),
            None if is_known => {
                found.extend(line.split(' ').filter(|name| !name.is_empty()).map(name))
            }
            None => {}
        }
    }
    found.sort_unstable();
    found.into()
}

/// Whether a version is `least` or a later one.
fn is_at_least(version: &str, least: &str) -> bool {
    numbers(version) >= numbers(least)
}

fn name(text: &str) -> Name {
    text.as_bytes().into()
}

fn numbers(version: &str) -> Vec<u32> {
    version.split('.').map_while(|part| part.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_bring_names() {
        let has =
            |version, name: &str| builtins(version).iter().any(|known| **known == *name.as_bytes());
        assert!(has("3.8", "print") && has("3.14", "print"));
        assert!(!has("3.9", "aiter") && has("3.10", "aiter"));
        assert!(has("3.8", "WindowsError"), "whatever the platform");
    }
}
