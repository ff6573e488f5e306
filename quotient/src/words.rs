//! Texts for people: the grammar of a hole, and the symbols that may come next.

mod explanation;
mod explicit;
mod spelling;

pub use self::explanation::Explanation;
pub(crate) use self::explicit::explicit_grammar;
