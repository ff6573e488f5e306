//! The suffixes of a right context, each a line and all behind it, and their names, which a document keeps by length.
//!
//! They are put together from the end: a line takes in deeper lines behind it, and joins those at its own column.
//!
//! ```text
//! def f(a):          4. takes the part in: its `return` has a function, `a` and `b` stay in it; and joins line 1
//!     b = a          3. joins the line behind it, which stands at its own column
//!     return b       2. stands deeper than the line behind it: a part of its own, which needs a function
//! f(1)               1. the first one that is read
//! ```
//!
//! An edit changes the text behind all lines in front of it, but mostly not its meaning for them: where the line
//! right in front of the edit has the same names as before, all lines that were put together with it are known again.

use std::collections::{BTreeMap, HashSet};

use super::left_context::ReadingTables;
use super::right_context::keep_suffix;
use crate::python_names::reader::NamesReader;
use crate::python_names::scopes::{Begins, BlockKind, Demands, Needs, RightNames, SuitePart};
use crate::python_names::symbols::Query;

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

impl RightNames {
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
