//! Python's own: indentation, f-strings, the names of characters, and in what its versions differ there.
//!
//! Reading order: `column`, `layout`, `white_space`, `names`, `fstring`, `dialect`.

pub mod column;
pub(crate) mod dialect;
pub mod fstring;
pub mod layout;
pub mod names;
pub mod white_space;
