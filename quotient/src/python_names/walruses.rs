//! Walruses: `:=` binds its name when the value behind it has ended: `(x := x)` uses one that was bound before.

use smallvec::SmallVec;

use super::name_set::Name;
use super::reader::NamesReader;
use super::symbol_kinds::SymbolKind;

/// A name whose value is being read.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Walrus {
    pub(super) name: Name,
    /// The number of frames around it.
    pub(super) depth: usize,
}

/// The names whose values have not ended yet, from the outermost inwards.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Walruses(SmallVec<[Walrus; 1]>);

impl Walruses {
    pub(super) fn iter(&self) -> std::slice::Iter<'_, Walrus> {
        self.0.iter()
    }

    /// Takes the innermost name whose value ends in front of a symbol in `depth` frames.
    fn take_ended(&mut self, kind: SymbolKind, depth: usize) -> Option<Name> {
        let last = self.0.last()?;
        let is_end = kind == SymbolKind::Newline
            || last.depth > depth
            || ends_value(kind) && last.depth == depth;
        if is_end { self.0.pop().map(|walrus| walrus.name) } else { None }
    }
}

/// Whether a symbol ends the value of a `:=`, and the body of a lambda.
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

impl NamesReader {
    /// Begins the value of a name that stands in front of `:=`.
    pub(super) fn begin_walrus(&mut self, name: Name) {
        let depth = self.frames.len();
        self.waiting.walruses.0.push(Walrus { name, depth });
    }

    /// Binds the names whose values end in front of a symbol.
    pub(super) fn end_walruses(&mut self, kind: SymbolKind) {
        let depth = self.frames.len();
        while let Some(name) = self.waiting.walruses.take_ended(kind, depth) {
            self.scopes.bind(&name);
        }
    }
}
