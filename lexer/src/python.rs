//! Python's own: indentation, the names of characters, and in what its versions differ there.
//!
//! Reading order: `column`, `layout`, `white_space`, `names`, `dialect`.

pub mod column;
pub(crate) mod dialect;
pub mod layout;
pub mod names;
pub mod white_space;
