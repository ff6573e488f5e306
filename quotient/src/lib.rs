//! The exact language of texts that fit a hole: Earley from both sides.
//!
//! Reading order:
//! 1. [`description`], `body`, `rule_compiler`, [`rules`], `nonterminal_set`, `room`: a compiled grammar, as small automata over symbols;
//! 2. [`left`]: forward charts, equal ones kept once;
//! 3. [`right`]: backward charts, with the columns that suites may stand at;
//! 4. `suffix_charts`, `depth`, `lattice`: a right context read line by line from its end, and in f-strings in all ways at once;
//! 5. `right_side`: how a right context can be entered, and what is open in front of it;
//! 6. `hole`, `place`: the product of both sides, which answers for a text in between;
//! 7. `plan`, `quoting`, `writer`, `white_space`, `witness`: a shortest text that fits;
//! 8. [`recognizer`], [`document`], [`encoding`]: what users hold, and what bytes they may give;
//! 9. [`vocabulary`], `byte_set`, `token_events`, `token_tree`, `mask_tables`, `table_bytes`: what tokens mean to the lexer;
//! 10. `liveness`, [`mask`], `known_masks`, `tokens`: which tokens may come next;
//! 11. `names`, `named`, `named_witness`: which names exist, beyond what the grammar says.
//!
//! The crate does no IO, holds no clock, and knows neither Python objects, LSP nor models.

mod body;
mod byte_set;
mod costs;
mod depth;
pub mod description;
pub mod document;
pub mod encoding;
pub mod engine;
mod explain;
mod explicit;
mod fingerprint;
mod history;
mod hole;
mod known_masks;
pub mod language;
mod lattice;
pub mod left;
mod liveness;
pub mod mask;
mod mask_tables;
mod named;
mod named_witness;
mod names;
mod nesting;
mod nonterminal_set;
pub mod offsets;
mod place;
mod plan;
mod prediction;
mod quoting;
pub mod recognizer;
mod remainders;
pub mod right;
mod right_side;
mod room;
mod rule_compiler;
pub mod rules;
mod shorter;
mod spelling;
mod suffix_charts;
mod table_bytes;
mod token_events;
mod token_tree;
mod tokens;
pub mod vocabulary;
mod white_space;
mod witness;
mod writer;

pub use description::{GrammarDescription, GrammarError};
pub use document::Document;
pub use engine::Engine;
pub use fingerprint::Fingerprint;
pub use language::Language;
pub use named::Refusal;
pub use names::Reason;
pub use nesting::Nesting;
pub use recognizer::{Explanation, NoCompletion, Recognizer, Side};
pub use vocabulary::{Token, TokenId, Vocabulary};
