//! The names of a right context, whatever scopes they will be in.
//!
//! From its second line on, a right context consists of whole statements. Their columns decide which suites they
//! belong to: those up to the first line that stands further left belong to one suite, those from there on to one
//! around it, and so on.

use smallvec::SmallVec;

use super::demands::{AllDemands, Demands};
use super::name_set::{NameSet, Query};

/// The statements of one suite.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct SuitePart {
    /// The column of its lines.
    pub(super) column: u32,
    pub(super) names: NameSet,
    /// The names that it uses, and those that functions in it use and do not bind.
    pub(super) uses: NameSet,
    pub(super) demands: Demands,
}

/// The names of a right context.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct RightNames {
    /// The suites, from the outermost inwards.
    pub(super) parts: SmallVec<[SuitePart; 4]>,
    /// The names that functions declare `global`.
    pub(super) globals: NameSet,
    /// All names that are bound anywhere in it, one set for each way in which it may be read.
    pub(super) anywhere: SmallVec<[NameSet; 1]>,
    /// The demands of its whole lines: of all but the rest of the one in which the hole ends.
    pub(super) behind: AllDemands,
    /// The names that its whole lines use, and those that functions in them use and do not bind, by column.
    pub(super) wanted: SmallVec<[(u32, NameSet); 4]>,
    /// The number of bytes of the whole lines, and of those in front of them.
    pub(super) n_whole: usize,
    pub(super) n_in_front: usize,
    /// Whether it may bind names that cannot be told.
    pub(super) is_open: bool,
    /// Whether it could not be read at all.
    pub(super) is_unread: bool,
    /// Whether it imports from `__future__`.
    pub(super) has_future: bool,
    /// Whether the rest of the line in which the hole ends needs a function or a loop around it.
    pub(super) has_needs_at_once: bool,
}

impl RightNames {
    /// The names of an unreadable right context, which may bind any.
    pub(super) fn unknown() -> Self {
        Self { is_open: true, is_unread: true, ..Self::default() }
    }

    /// The union of two ways of reading: it binds the names of both, and demands nothing if their whole lines differ.
    pub(super) fn or(mut self, other: Self) -> Self {
        let is_same = self.n_whole == other.n_whole;
        let other = other.without_demands();
        self.parts.extend(other.parts.into_iter().map(|part| SuitePart {
            // If the other way is right, its uses may be words in a string of this one.
            uses: NameSet::default(),
            ..part
        }));
        self.globals.add_all(&other.globals);
        self.anywhere.extend(other.anywhere);
        self.is_open |= other.is_open;
        self.has_needs_at_once |= other.has_needs_at_once;
        // In one of the two ways the import may be part of a string.
        self.has_future &= other.has_future;
        if is_same { self } else { self.without_demands() }
    }

    /// The same names without demands, since the code may be words of a comment.
    fn without_demands(mut self) -> Self {
        for part in &mut self.parts {
            part.demands.clear();
        }
        self.behind.clear();
        self.wanted.clear();
        self
    }

    /// Whether lines at these columns bind a name of the query.
    pub(super) fn binds(&self, query: Query<'_>, columns: &std::ops::Range<u32>) -> bool {
        self.parts.iter().any(|part| columns.contains(&part.column) && part.names.has(query))
            || columns.contains(&0) && self.globals.has(query)
    }

    /// Adds the names for which [`Self::binds`] holds.
    pub(super) fn add_bound<'a>(
        &'a self,
        columns: &std::ops::Range<u32>,
        found: &mut Vec<&'a [u8]>,
    ) {
        let own = self.parts.iter().filter(|part| columns.contains(&part.column));
        found.extend(own.flat_map(|part| part.names.iter()).map(|name| &**name));
        if columns.contains(&0) {
            found.extend(self.globals.iter().map(|name| &**name));
        }
    }

    /// Whether a function in it declares a name `global`: the function's binding is then no local one.
    pub(super) fn declares(&self, query: Query<'_>) -> bool {
        self.globals.has(query)
    }

    /// Whether anything in it binds a name, in whatever scope.
    pub(super) fn binds_anywhere(&self, name: &[u8]) -> bool {
        self.anywhere.iter().any(|names| names.has(Query::Name(name)))
    }

    /// Prepares the names for being copied often.
    pub(super) fn freeze(&mut self) {
        for part in &mut self.parts {
            part.names.sort();
            part.uses.sort();
        }
        self.anywhere.iter_mut().for_each(NameSet::sort);
    }
}
