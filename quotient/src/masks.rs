//! Masks: which tokens of a vocabulary may come next, all of them at once.
//!
//! Reading order: `byte_set`, `vocabulary`, `token_events`, `token_tree`, `mask_tables`, `table_bytes`, `walk`.

mod byte_set;
mod mask_tables;
mod table_bytes;
mod token_events;
mod token_tree;
mod vocabulary;
mod walk;

pub use self::vocabulary::{Token, TokenId, Vocabulary};
pub(crate) use self::walk::grammar_mask;
