//! Masks: which tokens of a vocabulary may come next, all of them at once.
//!
//! Reading order: `byte_set`, `vocabulary`, `staying`, `token_events`, `token_tree`, `mask_tables`, `table_bytes`, `walk`,
//! `words`.

mod byte_set;
mod mask_tables;
mod staying;
mod table_bytes;
mod token_events;
mod token_tree;
mod vocabulary;
mod walk;
mod words;

pub use self::vocabulary::{Token, TokenId, Vocabulary};
pub(crate) use self::walk::grammar_mask;
pub(crate) use self::words::{KEYWORDS, PREFIXES, WordGroup, is_of_word, may_end_text};
