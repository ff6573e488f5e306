//! The shape of a place: all that decides which tokens the law refuses, but for the visible names.
//!
//! A mask with names is worked out once for a shape (`laws/known_masks.rs`). The visible names change with every name
//! that the text binds, and are put in each time; a name in progress counts only by whether it is visible. So two
//! places have one shape if they differ in no more than that: the reader's whole state goes in, names of patterns and
//! declarations as they are written. Targets, keywords and parameters are compared with the name in progress alone,
//! and tokens spell out only underscores: `x = |` and `y = |` have one shape. Otherwise they count by whether their
//! scope has them, which tells whether the visible names change where they are bound.

use super::{NamesAt, begins_name};
use crate::caches::{Fingerprint, Hasher};
use crate::python_names::reader::{
    Clauses, Header, LastSymbol, NamesReader, Obligation, OpenConstruct, Stars, Statement,
    WaitingName, WaitingNames, Walrus,
};
use crate::python_names::scopes::{Block, BlockKind, Scope, ScopeKind, Scopes};
use crate::python_names::symbols::{Name, Query};

/// Names with a meaning of their own.
const SPECIAL: [&[u8]; 5] = [b"_", b"__debug__", b"match", b"type", b"case"];

/// A hash of a place that also notes which names begin with one whose text is left out.
struct Shape<'a> {
    hasher: Hasher,
    /// The names that count only by whether they are visible, each with whether others begin with it.
    unnamed: [(&'a [u8], bool); 2],
    /// Whether all names count as they are written, since some wait to be compared with them.
    is_literal: bool,
}

impl NamesAt {
    /// A fingerprint of all that decides which tokens may come, but for the visible names. None where more decides:
    /// the names used in front of a `global`, or a string that is an annotation. `word` is the one in progress;
    /// tokens go on with a word by underscores, or begin with them, in the numbers that `tails` has.
    pub(in crate::python_names) fn shape(
        &self,
        word: Option<&[u8]>,
        tails: &[usize],
    ) -> Option<Fingerprint> {
        let reader = &*self.reader;
        let is_of_more = matches!(reader.statement.kind(), Statement::Global | Statement::Nonlocal);
        if is_of_more || reader.reads_strings() {
            return None;
        }
        let waiting = reader.waiting.last().map_or(&b""[..], |waiting| &waiting.name);
        let mut shape = Shape {
            hasher: Hasher::new(),
            unnamed: [(waiting, false), (word.unwrap_or_default(), false)],
            is_literal: !reader.waiting.targets.candidates().is_empty()
                || !reader.waiting.obligations.is_empty()
                || !reader.statement.patterns.is_empty(),
        };
        shape.reader(reader);
        shape.bits([
            !reader.part.is_begun_before(self.symbol_start),
            word.is_some(),
            self.symbol.first().is_some_and(|&byte| begins_name(byte)),
            self.symbol.is_ascii(),
        ]);
        if !reader.waiting.targets.candidates().is_empty() || !reader.waiting.obligations.is_empty()
        {
            let visible = self.visible_print().0;
            shape.number(visible as u64);
            shape.number((visible >> 64) as u64);
        }
        let sees = |query: Query<'_>| reader.sees(query, &self.around);
        for (name, is_named) in shape.unnamed {
            if is_named || SPECIAL.contains(&name) || reader.is_of_future() {
                shape.name(name);
            }
            shape.bits([name.is_ascii(), !name.is_empty() && sees(Query::Name(name))]);
        }
        let mut longer = word.unwrap_or_default().to_vec();
        let n_word = longer.len();
        for &length in tails {
            let tail = vec![b'_'; length];
            shape.bits([sees(Query::Name(&tail)), sees(Query::Prefix(&tail))]);
            longer.truncate(n_word);
            longer.extend(tail);
            shape.bits([word.is_some() && sees(Query::Name(&longer))]);
        }
        Some(shape.hasher.finish())
    }

    /// A fingerprint of the names that are visible here.
    pub(in crate::python_names) fn visible_print(&self) -> Fingerprint {
        let mut shape =
            Shape { hasher: Hasher::new(), unnamed: [(b"", false); 2], is_literal: true };
        shape.visible(&self.reader);
        shape.hasher.finish()
    }

    /// Whether the contexts are the same as those of another place.
    pub(in crate::python_names) fn has_contexts_of(&self, other: &Self) -> bool {
        std::sync::Arc::ptr_eq(&self.around, &other.around)
    }
}

impl Shape<'_> {
    fn number(&mut self, number: u64) {
        self.hasher.write_number(number);
    }

    fn bits<const N: usize>(&mut self, bits: [bool; N]) {
        let number = bits.iter().fold(1, |number, &bit| number << 1 | u64::from(bit));
        self.number(number);
    }

    fn name(&mut self, name: &[u8]) {
        for (unnamed, is_named) in &mut self.unnamed {
            let rest = name.strip_prefix(*unnamed);
            *is_named |= rest.is_some_and(|rest| rest.iter().all(|&byte| byte == b'_'));
        }
        self.number(name.len() as u64);
        self.hasher.write(name);
    }

    /// Adds a name that is bound in a scope, or may be, and that is compared with names in progress alone.
    fn bound_name(&mut self, name: &[u8], scope: &Scope) {
        let is_spelled = |rest: &[u8]| rest.iter().all(|&byte| byte == b'_');
        let is_compared = self
            .unnamed
            .iter()
            .filter(|(unnamed, _)| !unnamed.is_empty())
            .any(|(unnamed, _)| name.strip_prefix(*unnamed).is_some_and(is_spelled));
        if self.is_literal || is_compared || is_spelled(name) || SPECIAL.contains(&name) {
            return self.name(name);
        }
        self.bits([scope.own.has(Query::Name(name)), name.is_ascii()]);
    }

    fn bound_names<'n>(&mut self, names: impl ExactSizeIterator<Item = &'n Name>, scope: &Scope) {
        self.number(names.len() as u64);
        names.for_each(|name| self.bound_name(name, scope));
    }

    fn names<'n>(&mut self, names: impl ExactSizeIterator<Item = &'n Name>) {
        self.number(names.len() as u64);
        names.for_each(|name| self.name(name));
    }

    fn reader(&mut self, reader: &NamesReader) {
        let NamesReader {
            scopes,
            part,
            frames,
            statement,
            waiting,
            doubt,
            suite,
            last: LastSymbol { kind: last, start: _ },
            annotations,
            future,
        } = reader;
        self.bits([part.is_checked(), part.is_rest()]);
        self.number(statement.kind() as u64);
        self.number(statement.behind() as u64);
        self.number(*last as u64);
        self.number(*annotations as u64);
        self.bits([
            doubt.is_behind_exec(),
            suite.is_header(),
            future.may_come(),
            future.has_come(),
        ]);
        self.number(frames.len() as u64);
        let innermost = scopes.innermost();
        frames.iter().for_each(|frame| self.frame(frame, innermost));
        self.waiting(waiting, innermost);
        self.header(statement.header(), innermost);
        self.number(u64::from(suite.is_coming()));
        if let Some(coming) = suite.coming() {
            self.block_kind(&coming.kind);
            self.bits([coming.is_group, coming.scope.is_some()]);
            if let Some(scope) = &coming.scope {
                self.scope(scope);
                self.number(scope.own.iter().count() as u64);
                let spelled = scope.own.iter().filter(|name| name.iter().all(|&byte| byte == b'_'));
                spelled.for_each(|name| self.name(name));
            }
        }
        self.stars(statement.stars);
        self.number(statement.patterns.len() as u64);
        for row in &statement.patterns {
            self.bits([row.is_refutable(), row.takes_all(), row.first().is_some()]);
            self.names(row.captured_names().iter());
            self.names(row.current().iter());
            row.first().into_iter().for_each(|names| self.names(names.iter()));
        }
        self.scopes(scopes);
    }

    fn waiting(&mut self, waiting: &WaitingNames, scope: &Scope) {
        self.number(u64::from(waiting.last().is_some()));
        if let Some(last) = waiting.last() {
            self.waiting_name(last);
        }
        let candidates = waiting.targets.candidates();
        self.bits([waiting.targets.are_possible()]);
        self.number(candidates.len() as u64);
        for candidate in candidates {
            self.name(&candidate.name);
            self.waiting_name(candidate);
        }
        self.bound_names(waiting.to_bind().iter(), scope);
        self.number(waiting.obligations.iter().len() as u64);
        for Obligation { name, start: _, rescuers, reason } in waiting.obligations.iter() {
            self.name(name);
            self.number(*rescuers);
            self.number(*reason as u64);
        }
        self.number(waiting.walruses.iter().len() as u64);
        for Walrus { name, depth } in waiting.walruses.iter() {
            self.bound_name(name, scope);
            self.number(*depth as u64);
        }
    }

    fn waiting_name(&mut self, waiting: &WaitingName) {
        let WaitingName { name: _, start: _, role, depth, is_judged } = waiting;
        self.number(*role as u64);
        self.number(*depth as u64);
        self.bits([*is_judged]);
    }

    fn frame(&mut self, frame: &OpenConstruct, scope: &Scope) {
        let OpenConstruct {
            kind,
            context,
            phase,
            may_comprehend,
            bound,
            targets,
            keywords,
            stars,
            clauses,
            n_commas,
            is_exec,
        } = frame;
        // The names that the element reads decide which may be declared behind the statement.
        let Clauses { n_fors, is_iterable, has_yield, walruses, reads: _ } = clauses;
        self.number(*kind as u64 | (*context as u64) << 8 | (*phase as u64) << 16);
        self.number(u64::from(*n_fors) << 8 | if *is_exec { u64::from(*n_commas) } else { 0 });
        self.bits([*may_comprehend, *is_exec, *is_iterable, *has_yield]);
        for names in [bound, targets, keywords] {
            self.bound_names(names.iter(), scope);
        }
        self.names(walruses.iter());
        self.stars(*stars);
    }

    fn stars(&mut self, stars: Stars) {
        let Stars { n_stars, has_comma, is_no_target, start: _ } = stars;
        self.number(u64::from(n_stars));
        self.bits([has_comma, is_no_target]);
    }

    fn header(&mut self, header: &Header, scope: &Scope) {
        let Header { form, is_async, name, type_parameters, parameters } = header;
        self.number(*form as u64);
        self.bits([*is_async]);
        self.bound_names(name.as_slice().iter(), scope);
        self.names(type_parameters.iter());
        self.bound_names(parameters.iter(), scope);
    }

    fn scopes(&mut self, scopes: &Scopes) {
        self.number(scopes.blocks.len() as u64);
        for Block { kind, column, takes_all, is_group } in &scopes.blocks {
            self.block_kind(kind);
            self.number(column.map_or(u64::MAX, u64::from));
            self.bits([*takes_all, *is_group]);
        }
        self.number(scopes.scopes.len() as u64);
        scopes.scopes.iter().for_each(|scope| self.scope(scope));
    }

    /// Adds all of a scope but the names that are bound and that have been read in it.
    fn scope(&mut self, scope: &Scope) {
        let Scope {
            kind,
            own: _,
            type_parameters,
            declared,
            nonlocals,
            annotated,
            reads: _,
            bound_later,
            is_open,
            needs,
        } = scope;
        self.scope_kind(*kind);
        for names in [type_parameters, declared, nonlocals, annotated, bound_later] {
            self.names(names.iter());
        }
        self.bits([
            *is_open,
            needs.function,
            needs.async_function,
            needs.a_loop,
            needs.yields,
            needs.returns_value,
        ]);
    }

    fn scope_kind(&mut self, kind: ScopeKind) {
        self.number(match kind {
            ScopeKind::Module => 0,
            ScopeKind::Class => 1,
            ScopeKind::Function { is_async: false } => 2,
            ScopeKind::Function { is_async: true } => 3,
            ScopeKind::Unknown => 4,
        });
    }

    fn block_kind(&mut self, kind: &BlockKind) {
        let (number, name) = match kind {
            BlockKind::Whole => (0, None),
            BlockKind::Function => (1, None),
            BlockKind::Class(name) => (2, Some(name)),
            BlockKind::Loop => (3, None),
            BlockKind::Handler(name) => (4, name.as_ref()),
            BlockKind::Match => (5, None),
            BlockKind::Plain => (6, None),
            BlockKind::Try => (7, None),
        };
        self.number(number);
        self.names(name.into_iter());
    }

    fn sum(&mut self, sum: u128) {
        self.number(sum as u64);
        self.number((sum >> 64) as u64);
    }

    /// Adds all that decides which names are visible.
    fn visible(&mut self, reader: &NamesReader) {
        let scopes = &reader.scopes;
        self.bits([reader.runs_late()]);
        for block in scopes.blocks.iter().filter(|block| block.has_scope()) {
            self.number(block.column.map_or(u64::MAX, u64::from));
        }
        self.number(scopes.scopes.len() as u64);
        for Scope { kind, own, type_parameters, declared, bound_later, is_open, .. } in
            &scopes.scopes
        {
            self.scope_kind(*kind);
            self.sum(own.sum());
            self.bits([*is_open]);
            for names in [type_parameters, declared, bound_later] {
                self.names(names.iter());
            }
        }
        let frames = reader.frames.iter().flat_map(|frame| frame.visible());
        let late = reader.late_walruses();
        for name in frames.chain(&reader.statement.header().type_parameters).chain(late) {
            self.name(name);
        }
    }
}
