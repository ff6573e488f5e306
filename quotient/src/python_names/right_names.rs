//! The names of a right context, whatever scopes they will be in.
//!
//! From its second line on, a right context consists of whole statements. Their columns decide which suites they
//! belong to: those up to the first line that stands further left belong to one suite, those from there on to one
//! around it, and so on. So they are put together from the end: a line takes in deeper lines behind it, and joins
//! those at its own column.
//!
//! So the names of a suffix, which is a line and all behind it, are known by its length, and a document keeps them.
//! An edit changes the text behind all lines in front of it, but mostly not its meaning for them: where the line
//! right in front of the edit has the same names as before, all lines that were put together with it are known again.

use std::collections::{BTreeMap, HashSet};

use smallvec::SmallVec;

use super::demands::{AllDemands, Begins, Demands, Needs};
use super::left_context::ReadingTables;
use super::name_set::{NameSet, Query};
use super::reader::NamesReader;
use super::right_context::keep_suffix;
use super::scopes::BlockKind;

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
    globals: NameSet,
    /// All names that are bound anywhere in it, one set for each way in which it may be read.
    anywhere: SmallVec<[NameSet; 1]>,
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

    /// Puts a line in front. `is_first`: the hole ends in it, so its column is that of the line in front of the hole,
    /// unless the next line says more.
    pub(super) fn put_in_front(
        &mut self,
        column: u32,
        line: NamesReader,
        begins: Begins,
        is_first: bool,
    ) {
        self.has_future |= line.future.has_come();
        let is_header = line.suite.is_header();
        let header = line.suite.into_coming();
        let mut scopes = line.scopes.into_inner();
        let mut scope = scopes.scopes.swap_remove(0);
        let next = self.parts.last().map_or(0, |next| next.column);
        let column = if is_first && !is_header { column.max(next) } else { column };
        for name in &scope.bound_later {
            scope.own.add(name);
            scopes.bound_anywhere.add(name);
        }
        let mut uses = scopes.unresolved;
        uses.retain(|name| !scopes.bound_anywhere.has(Query::Name(name)));
        let nonlocals = scope.nonlocals;
        let mut declared = scope.declared;
        declared.extend(nonlocals.iter().cloned());
        let needs = scope.needs;
        let demands = Demands { needs, declared, nonlocals, begins, ..Demands::default() };
        let mut part = SuitePart { column, names: scope.own, uses, demands };
        if is_first {
            let all = self.parts.iter().map(|part| (part.column, part.demands.clone()));
            self.behind = all.collect();
            self.note_functions();
            self.wanted = self.parts.iter().map(|part| (part.column, part.uses.clone())).collect();
            self.has_needs_at_once = part.demands.needs != Needs::default();
            part.demands.begins = self.parts.last().map_or(begins, |next| next.demands.begins);
        }
        let kind = header.as_ref().map_or(&BlockKind::Plain, |header| &header.kind);
        if let BlockKind::Handler(Some(name)) = kind {
            part.names.remove(name);
        }
        while self.parts.last().is_some_and(|inner| inner.column > column) {
            let Some(inner) = self.parts.pop() else { break };
            let parameters = header.as_ref().and_then(|header| header.scope.as_ref());
            part.take_in(inner, kind, |name| {
                parameters.is_some_and(|scope| {
                    scope.own.has(Query::Name(name))
                        || scope.type_parameters.iter().any(|parameter| **parameter == *name)
                })
            });
        }
        match self.parts.last_mut() {
            Some(same) if same.column == column => same.join(&part),
            _ => {
                if is_first {
                    // The suite that these demands belong to cannot be told yet.
                    part.demands.clear();
                }
                self.parts.push(part);
            }
        }
        match self.anywhere.first_mut() {
            Some(names) => names.add_all(&scopes.bound_anywhere),
            None => self.anywhere.push(scopes.bound_anywhere),
        }
        self.globals.add_all(&scopes.globals);
        self.is_open |= scope.is_open;
    }

    /// Notes which of the whole lines should be in a function for the sake of a `nonlocal`.
    fn note_functions(&mut self) {
        for (index, inner) in self.parts.iter().enumerate() {
            for name in &inner.demands.nonlocals {
                let binds = |part: &SuitePart| part.names.has(Query::Name(name));
                let outer = self.parts[..index].iter().rposition(binds);
                for index in outer.into_iter().chain([index]) {
                    self.behind[index].1.is_of_function = true;
                }
            }
        }
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

impl SuitePart {
    /// Takes in the suite of a header.
    fn take_in(&mut self, suite: Self, kind: &BlockKind, is_parameter: impl Fn(&[u8]) -> bool) {
        let Self { names, mut uses, mut demands, .. } = suite;
        match kind {
            BlockKind::Function | BlockKind::Class(_) => {
                uses.retain(|name| !names.has(Query::Name(name)) && !is_parameter(name));
                demands.clear();
            }
            _ => {
                if let BlockKind::Handler(Some(name)) = kind {
                    uses.remove(name);
                }
                demands.needs.a_loop &= *kind != BlockKind::Loop;
                self.names.add_all(&names);
            }
        }
        self.uses.add_all(&uses);
        self.demands.take_in(demands);
    }

    /// Joins a statement that stands in front.
    fn join(&mut self, statement: &Self) {
        self.names.add_all(&statement.names);
        self.uses.add_all(&statement.uses);
        self.demands.join(&statement.demands);
    }
}

/// The meaning of a suffix of a right context, from the beginning of a line on.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Suffix {
    /// It cannot be read from there.
    Dead,
    /// It closes brackets that were opened in front. This many bytes are behind the last one; the others are in
    /// brackets.
    Closes(usize),
    Names {
        names: Box<RightNames>,
        /// The length of the known suffix that it was put together with.
        with: usize,
    },
}

/// Suffixes by their lengths.
pub(super) type Suffixes = BTreeMap<usize, Suffix>;

/// The suffixes that are kept of a document.
#[derive(Debug, Default)]
pub(super) struct KeptRights {
    pub(super) known: Suffixes,
    /// The suffixes from before an edit further behind, the longest first, each put together with its `with`.
    stale: Vec<Stale>,
}

#[derive(Debug)]
struct Stale {
    /// The present length.
    length: usize,
    names: Box<RightNames>,
    /// The present length of the suffix that it was put together with, if no edit was in front of that.
    with: Option<usize>,
}

impl KeptRights {
    pub(super) fn len(&self) -> usize {
        self.known.len() + self.stale.len()
    }

    /// The number of lines from which on suffixes are known.
    #[cfg(test)]
    pub(super) fn n_known(&self) -> usize {
        self.known.len()
    }

    /// Follows an edit that puts `n_new` bytes in front of `n_behind`, for those that began `length` before the end.
    pub(super) fn edit(&mut self, length: usize, n_behind: usize, n_new: usize) {
        let now = |old: usize| (old > length).then(|| old - length + n_new + n_behind);
        self.stale.retain_mut(|stale| {
            if stale.length <= n_behind {
                return true;
            }
            stale.with = stale.with.and_then(now);
            now(stale.length).map(|now| stale.length = now).is_some()
        });
        let in_front = self.known.split_off(&(n_behind + 1));
        let n_before = self.stale.len();
        for (old, suffix) in in_front {
            if let (Some(length), Suffix::Names { names, with }) = (now(old), suffix) {
                self.stale.push(Stale { length, names, with: now(with) });
            }
        }
        if self.stale.len() > n_before {
            self.stale.sort_by_key(|stale| std::cmp::Reverse(stale.length));
        }
    }

    /// Finds the suffixes that are as they were before the edits in the right context.
    pub(super) fn renew(&mut self, tables: &ReadingTables<'_>, text: &[u8]) {
        while self.stale.last().is_some_and(|last| last.length <= text.len()) {
            let Some(Stale { length, names: mut before, .. }) = self.stale.pop() else { break };
            if !self.known.contains_key(&length) {
                keep_suffix(tables, &text[text.len() - length..], &mut self.known);
            }
            before.n_whole = length;
            let found = self.known.get(&length);
            let is_same = matches!(found, Some(Suffix::Names { names, .. }) if *names == before);
            if is_same {
                self.know_what_was_put_together_with(length);
            } else {
                // Suffixes that were put together with it must be read anew.
                for stale in self.stale.iter_mut().filter(|stale| stale.with == Some(length)) {
                    stale.with = None;
                }
            }
        }
    }

    fn know_what_was_put_together_with(&mut self, length: usize) {
        let mut same = HashSet::from([length]);
        let mut others = Vec::new();
        for mut stale in std::mem::take(&mut self.stale).into_iter().rev() {
            match stale.with.filter(|with| same.contains(with)) {
                Some(with) => {
                    same.insert(stale.length);
                    stale.names.n_whole = stale.length;
                    self.known.insert(stale.length, Suffix::Names { names: stale.names, with });
                }
                None => others.push(stale),
            }
        }
        others.reverse();
        self.stale = others;
    }
}
