//! A grammar's description of its terminals, as data.
//!
//! The Lark front end compiles a grammar file into this form; nothing here knows Lark's syntax.

use std::fmt;

use serde::Deserialize;

mod branching;

pub(crate) use self::branching::END;
pub use self::branching::{Branching, Insertion, InsertionPlace};

use crate::frames::Frames;
use crate::python::dialect::Dialect;

/// The index of a terminal: patterns first, in the order of the description, then declared ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TerminalId(pub u16);

impl TerminalId {
    /// The index as a number into tables.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The rules for white space and line breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Layout {
    /// No rule of its own: text between symbols is skipped where the grammar ignores it.
    None,
    /// Python's: indentation, brackets, comments, line joining.
    Python,
}

/// Whether a terminal is written out or described by a regular expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PatternKind {
    /// The pattern is the text itself.
    Literal,
    /// The pattern is a regular expression in the syntax of the `regex` crate.
    Regex,
}

/// One terminal with a pattern.
#[derive(Clone, Debug, Deserialize)]
pub struct TerminalDescription {
    /// The terminal's name in the rules.
    pub name: String,
    /// The kind of `pattern`.
    pub kind: PatternKind,
    /// The terminal's text or regular expression.
    pub pattern: String,
    /// Among matches of one length, the higher priority wins (after literals).
    #[serde(default)]
    pub priority: i32,
    /// Regular expression flags, as in `(?flags:...)`.
    #[serde(default)]
    pub flags: Option<String>,
    /// The symbols that this terminal stands for, if it does not stand for itself.
    #[serde(default)]
    pub emits: Option<Vec<String>>,
}

/// The lexical half of a compiled grammar.
#[derive(Clone, Debug, Deserialize)]
pub struct LexicalDescription {
    /// The layout rule.
    pub layout: Layout,
    /// Terminals with patterns.
    pub terminals: Vec<TerminalDescription>,
    /// Names of the terminals that are skipped between symbols.
    #[serde(default)]
    pub ignore: Vec<String>,
    /// Names of the terminals that the layout makes, and of those of strings with fields.
    #[serde(default)]
    pub declared: Vec<String>,
    /// The rules for strings with fields in them, if there are any.
    #[serde(default)]
    pub frames: Option<Frames>,
    /// The part that the parser takes in reading texts, if it takes one.
    #[serde(default)]
    pub branching: Option<Branching>,
    /// The differences of a version of Python that the patterns do not say.
    #[serde(skip)]
    pub dialect: Dialect,
}

impl LexicalDescription {
    /// The number of terminals, declared ones included.
    pub fn n_terminals(&self) -> usize {
        self.terminals.len() + self.declared.len()
    }

    /// Gives each way to quote strings with fields terminals of its own. Names that have them stay as they are.
    pub fn tell_quotes_apart(&mut self) {
        let Some(frames) = &self.frames else { return };
        self.declared = self.declared.iter().flat_map(|name| frames.names(name)).collect();
    }

    /// The declared name that a terminal's name was made out of.
    pub fn declared_name<'a>(&'a self, name: &'a str) -> &'a str {
        self.frames.as_ref().map_or(name, |frames| frames.declared_name(name))
    }

    /// The terminal of this name.
    pub fn terminal(&self, name: &str) -> Option<TerminalId> {
        self.names().position(|candidate| candidate == name).map(|index| {
            TerminalId(u16::try_from(index).expect("Lexer::new refuses more than 65,000 terminals"))
        })
    }

    /// All names, in the order of their ids.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.terminals
            .iter()
            .map(|terminal| terminal.name.as_str())
            .chain(self.declared.iter().map(String::as_str))
    }
}

/// The reason why a description cannot be made into a lexer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LexiconError(pub(crate) String);

impl LexiconError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for LexiconError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for LexiconError {}
