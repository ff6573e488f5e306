//! Python's own lexical rules: indentation, the names of characters, and the differences between versions there.
//!
//! Reading order: `column`, `layout`, `white_space`, `names`, `dialect`.

pub mod column;
pub(crate) mod dialect;
pub mod layout;
pub mod names;
pub mod white_space;
