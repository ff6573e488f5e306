//! A lexer for holes: text cut anywhere, also in the middle of a symbol.
//!
//! Reading order:
//! 1. [`description`]: what a grammar file says about its terminals;
//! 2. [`automaton`]: one minimal byte automaton for all terminals of a mode;
//! 3. [`fstring`]: which modes Python's f-strings need, and which frames they push;
//! 4. [`scanner`]: the modes joined into one table of raw states;
//! 5. [`mod@column`] and [`layout`]: Python's indentation rule;
//! 6. [`lexer`]: the forward lexer, a value that is fed byte by byte;
//! 7. [`names`]: the names of characters, which Python checks as it parses;
//! 8. [`suffix`]: the same text read as a right context, where what stands in front is unknown;
//! 9. [`reach`], [`mod@shortest`]: what a symbol in progress can still become, and by which text.
//!
//! The crate does no IO, holds no clock, and knows neither Python objects nor parsing.

pub mod automaton;
pub mod column;
pub mod description;
pub mod fstring;
pub mod layout;
pub mod lexer;
pub mod names;
pub mod reach;
pub mod scanner;
pub mod shortest;
pub mod suffix;

pub use column::{Column, Columns};
pub use description::{Layout, LexicalDescription, LexiconError, TerminalDescription, TerminalId};
pub use lexer::{LexState, Lexer, Symbol};
pub use scanner::{RawState, Scanner};
