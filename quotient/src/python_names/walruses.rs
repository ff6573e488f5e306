//! `:=` binds its name when the value behind it is there: `(x := x)` uses one that was bound before.

use super::kinds::SymbolKind;
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
pub(super) fn ends_value(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Comma
            | SymbolKind::Close
            | SymbolKind::Colon
            | SymbolKind::Semicolon
            | SymbolKind::Newline
            | SymbolKind::For
            | SymbolKind::As
            | SymbolKind::From
            | SymbolKind::Assign
            | SymbolKind::FieldClose
            | SymbolKind::FieldColon
            | SymbolKind::Async
    )
}

impl Reader {
    /// `:=` stands behind a name.
    pub(super) fn begin_walrus(&mut self, name: Name) {
        self.walruses.push(Walrus { name, depth: self.frames.len() });
    }

    /// Binds the names whose values end in front of a symbol.
    pub(super) fn end_walruses(&mut self, kind: SymbolKind) {
        let depth = self.frames.len();
        let is_end = ends_value(kind);
        while let Some(last) = self.walruses.pop() {
            if kind == SymbolKind::Newline || last.depth > depth || is_end && last.depth == depth {
                self.scopes.bind(&last.name);
            } else {
                self.walruses.push(last);
                break;
            }
        }
    }
}
