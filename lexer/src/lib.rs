//! A lexer for holes: text cut anywhere, also in the middle of a symbol.
//!
//! Reading order:
//! 1. [`description`]: what a grammar file says about its terminals;
//! 2. [`dialect`]: in what the versions of Python differ beyond that;
//! 3. [`automaton`]: one minimal byte automaton for all terminals of a mode;
//! 4. [`fstring`]: which modes Python's f-strings need, and which frames they push;
//! 5. [`scanner`]: the modes joined into one table of raw states;
//! 6. [`mod@column`] and [`layout`]: Python's indentation rule;
//! 7. [`lexer`]: the forward lexer, a value that is fed byte by byte;
//! 8. [`names`]: the names of characters, which Python checks as it parses;
//! 9. [`suffix`]: the same text read as a right context, where what stands in front is unknown;
//! 10. [`reach`], [`mod@shortest`]: what a symbol in progress can still become, and by which text.
//!
//! The crate does no IO, holds no clock, and knows neither Python objects nor parsing.

pub mod automaton;
pub mod column;
pub mod description;
pub mod dialect;
pub mod fstring;
pub mod layout;
pub mod lexer;
pub mod names;
pub mod reach;
pub mod scanner;
pub mod shortest;
pub mod suffix;

pub use column::{Column, Columns, LineColumn};
pub use description::{Layout, LexicalDescription, LexiconError, TerminalDescription, TerminalId};
pub use dialect::{Dialect, JoinedIndentation};
pub use lexer::{LexState, Lexer, Symbol};
pub use scanner::{RawState, Scanner};
