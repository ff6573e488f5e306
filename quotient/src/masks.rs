//! Masks: the tokens of a vocabulary that may come next, found all at once.
//!
//! Reading order: `byte_set`, `vocabulary`, `staying`, `token_events`, `token_tree`, `mask_tables`, `table_bytes`, `walk`,
//! `non_names`, `words`.

mod byte_set;
mod mask_tables;
mod non_names;
mod staying;
mod table_bytes;
mod token_events;
mod token_tree;
mod vocabulary;
mod walk;
mod words;

pub(crate) use self::non_names::NonNameWords;
pub use self::vocabulary::{Token, TokenId, Vocabulary};
pub(crate) use self::walk::grammar_mask;
pub(crate) use self::words::{WordGroup, is_of_word, may_end_text};
