//! The names that a right context binds, whatever scope they will be in.
//!
//! From its second line on, a right context is whole statements. Where they stand decides whose they are:
//! those up to the first line that stands further left belong to one suite, those from there on to one
//! around it, and so on. In front of the last bracket that closes without having been opened, nothing is
//! a whole statement.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::compiling::Needs;
use super::name_set::{Name, NameSet, Query};
use super::scopes::Scope;

/// Statements of one suite.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// Where its lines begin.
    pub(super) column: u32,
    pub(super) names: NameSet,
    pub(super) needs: Needs,
}

/// The names of a right context.
#[derive(Clone, Debug, Default)]
pub(super) struct RightNames {
    /// From the innermost suite outwards.
    pub(super) parts: Vec<Part>,
    /// All names that are bound anywhere in it.
    pub(super) anywhere: Arc<FxHashSet<Name>>,
    /// Whether it may bind names that nobody can tell.
    pub(super) is_open: bool,
}

impl RightNames {
    /// What binds anything.
    pub(super) fn unknown() -> Self {
        Self { is_open: true, ..Self::default() }
    }

    /// What binds all that one of two does, and needs nothing.
    pub(super) fn or(mut self, other: Self) -> Self {
        self.parts.extend(other.parts);
        for part in &mut self.parts {
            part.needs = Needs::default();
        }
        Arc::make_mut(&mut self.anywhere).extend(other.anywhere.iter().cloned());
        self.is_open |= other.is_open;
        self
    }

    /// Whether lines at these columns bind a name that is asked for.
    pub(super) fn binds(&self, query: Query<'_>, columns: &std::ops::Range<u32>) -> bool {
        self.parts.iter().any(|part| columns.contains(&part.column) && part.names.has(query))
    }

    /// Takes up a part that has been read.
    pub(super) fn add(&mut self, column: u32, scope: &Scope) {
        let mut names = scope.own.clone();
        for name in &scope.bound_later {
            names.add(name);
        }
        self.is_open |= scope.is_open;
        self.parts.push(Part { column, names, needs: scope.needs });
    }

    /// Takes up names of the whole file.
    pub(super) fn add_globals(&mut self, names: &NameSet) {
        for name in names.iter() {
            self.add_global(name);
        }
    }

    fn add_global(&mut self, name: &Name) {
        match self.parts.last_mut().filter(|part| part.column == 0) {
            Some(part) => part.names.add(name),
            None => {
                let names = NameSet::of([Arc::clone(name)]);
                self.parts.push(Part { column: 0, names, needs: Needs::default() });
            }
        }
    }
}
