//! The exact language of texts that fit a hole: Earley from both sides.
//!
//! Reading order, which is also the order in which the parts may use each other, from the first to the last:
//! 1. `caches`: what caches are made of;
//! 2. [`texts`]: the bytes that users may give;
//! 3. [`grammar`]: a compiled grammar, as small automata over symbols, and what symbols and rules cost to write;
//! 4. [`charts`]: forward and backward charts, equal ones kept once, with marks: columns of suites, names said again;
//! 5. `right_context`: a right context read line by line from its end, and in f-strings in all ways at once;
//! 6. `right_side`: how a right context can be entered, and what is open in front of it;
//! 7. `hole`: the product of both sides, which answers for a text in between;
//! 8. `witness`: a shortest text that fits;
//! 9. `words`: what people are told;
//! 10. `masks`: what tokens mean to the lexer, and which of them may come next;
//! 11. `laws`: the interface of laws, which hold beside a grammar, without any language's own rules;
//! 12. `python_names`: which names exist in Python;
//! 13. `unique_keys`: keys that are defined once, in TOML and JSON;
//! 14. `regular_expressions`: what is wrong with JavaScript's;
//! 15. `javascript_early`: JavaScript's early errors that need no types;
//! 16. `recognizer`: what users hold: engines, recognizers, documents.
//!
//! Words that many files use (ARCHITECTURE.md has those of the whole, the lexer's crate its own):
//!
//! | Word | What it means | Where |
//! |---|---|---|
//! | body state | a state of the automaton of a rule's body | `grammar/states.rs` |
//! | item | a body state, and the chart in which its rule began | `charts/left.rs` |
//! | kernel | the items of a chart that something was read for; they tell it from others | `charts/left.rs` |
//! | spine | a chart, those that its items began in, and so on to the first | `charts/left.rs` |
//! | mark | a value that an open rule carries to its end: the column of its suite, or a repeated name | `charts/marks.rs` |
//! | cost | the least to write: `BYTE` for a byte, and one for a symbol | `grammar/costs.rs` |
//! | suite | the lines that are indented behind a header | `charts/right/line_breaks.rs` |
//! | family | the copies of a rule that a template makes; read backward as one rule | `grammar/families.rs` |
//! | entrance | how a right context is taken up: in a line, at a line's start, or within a symbol | `right_side/entrances.rs` |
//! | frontier | the backward items at a root | `right_side/frontiers.rs` |
//! | exit | a body state from which a rule crosses into the right context | `right_side.rs` |
//! | place | where a recognizer stands: the lexer's state, and the chart behind the last whole symbol | `hole/place.rs` |
//! | late | alive or not: it takes a chart to know | `hole/liveness/late.rs` |
//!
//! The crate does no IO, holds no clock, and knows neither Python objects, LSP nor models.

mod caches;
pub mod charts;
pub mod grammar;
mod hole;
mod javascript_early;
mod laws;
mod masks;
mod python_names;
mod recognizer;
mod regular_expressions;
mod right_context;
mod right_side;
pub mod texts;
mod unique_keys;
mod witness;
mod words;

pub use caches::Fingerprint;
pub use grammar::{GrammarDescription, GrammarError, Language};
pub use laws::Reason;
pub use masks::{Token, TokenId, Vocabulary};
pub use recognizer::{Document, Engine, Nesting, NoCompletion, Recognizer, Refusal, Side, masks};
pub use texts::{encoding, offsets};
pub use words::Explanation;

// What others use is tested from outside, in `tests/`. Those tests are part of the crate's own all the same: as
// programs beside them they would make cargo compile the whole engine twice.
#[cfg(test)]
extern crate self as fim_quotient;
#[cfg(test)]
#[path = "../tests/mod.rs"]
mod outside;
