//! A lexer for holes: text cut anywhere, also in the middle of a symbol.
//!
//! Reading order, which is also the order in which the parts may use each other, from the first to the last:
//! 1. [`frames`]: strings with fields in them, as a grammar declares them: the brackets and strings around a place;
//! 2. `python`: Python's own: columns ([`mod@column`], [`layout`]), the names of characters ([`names`]), and how its
//!    versions differ beyond patterns and rules;
//! 3. `description`: a grammar file's description of its terminals;
//! 4. [`scanner`]: one minimal byte automaton for all terminals of a mode, the modes joined into one table of raw
//!    states, and the symbols that one in progress can still become ([`reach`]);
//! 5. [`lexer`]: the forward lexer, a value that is fed byte by byte;
//! 6. [`suffix`]: the reading of a right context, where the text in front is unknown.
//!
//! Words that many files use:
//!
//! | Word | What it means | Where |
//! |---|---|---|
//! | terminal | a kind of symbol, as a grammar names it, with its pattern | `description.rs` |
//! | symbol | a piece of text that is a terminal's | `lexer.rs` |
//! | raw state | a state of the one byte automaton: a symbol in progress, or between two | `scanner.rs` |
//! | emission | the parser's view of a whole symbol: no terminal, one, or two (`1if`) | `scanner/emission.rs` |
//! | frame | an open bracket, or an open part of a string with fields | `frames/stack.rs` |
//! | clean | begun between two symbols, not within one | `suffix.rs` |
//! | straddle | to begin in front of the cut and to end behind it, as a symbol does that is cut in half | `suffix.rs` |
//!
//! The crate does no IO, holds no clock, and knows neither Python objects nor parsing.

mod description;
pub mod frames;
pub mod lexer;
mod python;
pub mod scanner;
pub mod suffix;

pub use description::{
    Branching, Insertion, InsertionPlace, Layout, LexicalDescription, LexiconError, PatternKind,
    TerminalDescription, TerminalId,
};
pub use lexer::{LexState, Lexer, Symbol};
pub use python::column::{Column, Columns, LineColumn};
pub use python::dialect::{Dialect, JoinedIndentation};
pub use python::{column, layout, names, white_space};
pub use scanner::{RawState, Scanner, reach};

// Tested from outside, as part of the crate's own tests: see fim-quotient.
#[cfg(test)]
extern crate self as fim_lexer;
#[cfg(test)]
#[path = "../tests/mod.rs"]
mod outside;
