//! What people are told: the grammar of a hole, written out, and what may come next.

mod explanation;
mod explicit;
mod spelling;

pub use self::explanation::Explanation;
pub(crate) use self::explicit::explicit_grammar;
