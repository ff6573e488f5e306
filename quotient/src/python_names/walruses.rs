//! `:=` binds its name when the value behind it is there: `(x := x)` uses one that was bound before.

use super::kinds::Kind;
use super::name_set::Name;
use super::reader::Reader;

/// A name with a value that is being read.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Walrus {
    pub(super) name: Name,
    /// The number of frames around it.
    pub(super) depth: usize,
}

/// What ends the value of a `:=`, and the body of a lambda.
pub(super) fn ends_value(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Comma
            | Kind::Close
            | Kind::Colon
            | Kind::Semicolon
            | Kind::Newline
            | Kind::For
            | Kind::As
            | Kind::From
            | Kind::Assign
            | Kind::FieldClose
            | Kind::FieldColon
            | Kind::Async
    )
}

impl Reader {
    /// `:=` stands behind a name.
    pub(super) fn begin_walrus(&mut self, name: Name) {
        self.walruses.push(Walrus { name, depth: self.frames.len() });
    }

    /// Binds the names whose values end in front of a symbol.
    pub(super) fn end_walruses(&mut self, kind: Kind) {
        let depth = self.frames.len();
        let is_end = ends_value(kind);
        while let Some(last) = self.walruses.pop() {
            if kind == Kind::Newline || last.depth > depth || is_end && last.depth == depth {
                self.scopes.bind(&last.name);
            } else {
                self.walruses.push(last);
                break;
            }
        }
    }
}
