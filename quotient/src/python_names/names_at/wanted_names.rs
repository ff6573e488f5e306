//! Wanted names: those that the lines behind a hole use and nothing binds, so that its text should bind them.
//!
//! ```text
//! $0                  `total` is wanted, until the text has bound it
//! print(total)
//! ```
//!
//! Callers may prefer texts that bind them; no text is refused for that. A name whose scope is unknown is not wanted.

use std::ops::Range;
use std::sync::Arc;

use fim_lexer::lexer::LexState;
use smallvec::SmallVec;

use super::NamesAt;
use crate::grammar::Language;
use crate::python_names::scopes::{RightNames, Scope, ScopeKind, Scopes};
use crate::python_names::symbols::{Name, Query, SymbolKind, has_sorted};

/// The most bytes of the rest of the line in which the hole ends: it is hardly longer.
const MAX_REST_OF_LINE: usize = 1 << 12;

impl NamesAt {
    /// The names that the lines behind the hole use and that nothing binds, if its text ends here.
    pub(in crate::python_names) fn wanted_names(
        &self,
        language: &Language,
        lexed: &LexState,
        right: &[u8],
    ) -> Vec<Name> {
        let mut found: Vec<Name> = Vec::new();
        for (_, name) in self.unbound(language, lexed, right) {
            if !found.contains(&name) {
                found.push(name);
            }
        }
        found
    }

    /// Whether lines that do not see the names bound here use any wanted name: then the file has names that no text
    /// binds, whatever comes here.
    pub(in crate::python_names) fn is_wanted_elsewhere(
        &self,
        language: &Language,
        lexed: &LexState,
        right: &[u8],
    ) -> bool {
        let begin = self.innermost_begin(lexed);
        let unbound = self.unbound(language, lexed, right);
        unbound.iter().any(|(column, _)| begin.is_none_or(|begin| *column < begin))
    }

    /// The least column at which lines behind the place may belong to its scope; None if no line may.
    fn innermost_begin(&self, lexed: &LexState) -> Option<u32> {
        let scopes = &self.reader.scopes;
        if self.reader.suite.coming().is_some_and(|coming| coming.scope.is_some()) {
            return scopes.blocks.last().and_then(|block| block.column).map(|column| column + 1);
        }
        let own = lexed.is_line_start.then(|| lexed.line_column());
        let own = own.or_else(|| lexed.indents.last().copied()).map_or(0, |column| column.wide);
        scopes.scopes_around(own).next_back().and_then(|(begin, _)| begin)
    }

    /// The wanted names with the columns of the lines that use them.
    fn unbound(&self, language: &Language, lexed: &LexState, right: &[u8]) -> Vec<(u32, Name)> {
        let behind = &self.around.right;
        let is_told = !behind.is_open && !behind.is_unread && !behind.wanted.is_empty();
        if !is_told || behind.n_in_front > MAX_REST_OF_LINE {
            return Vec::new();
        }
        let rest = &right[..behind.n_in_front.min(right.len())];
        let Some(scopes) = self.behind_line(language, lexed, rest) else { return Vec::new() };
        let mut found = Vec::new();
        for (column, uses) in behind.wanted.iter().rev() {
            let hidden = scopes.hidden_columns(*column);
            for name in uses.iter() {
                let query = Query::Name(name);
                // Lines that run at once in front of the hole use the name, so they have it from somewhere else.
                let is_bound = scopes.may_bind(name, *column)
                    || behind.may_bind(name, *column, &hidden)
                    || has_sorted(&self.around.known, query)
                    || scopes.used_at_once.has(query);
                if !is_bound && is_own(name) {
                    found.push((*column, name.clone()));
                }
            }
        }
        found
    }

    /// The scopes behind the line in which the hole ends; None if its bindings cannot be told.
    fn behind_line(&self, language: &Language, lexed: &LexState, rest: &[u8]) -> Option<Scopes> {
        let mut line = self.clone();
        let reader = Arc::make_mut(&mut line.reader);
        reader.end_text(self.n_read);
        reader.begin_rest();
        let mut lexed = lexed.clone();
        for &byte in rest {
            // Faults do not matter here.
            if !line.read_byte(language, &mut lexed, byte).unwrap_or(true) {
                break;
            }
        }
        let around = Arc::clone(&line.around);
        let reader = Arc::make_mut(&mut line.reader);
        if !reader.is_at_line_end() {
            let _ = reader.symbol(SymbolKind::Newline, b"", line.n_read, None, &around);
        }
        let mut scopes = Scopes::clone(&reader.scopes);
        if let Some(coming) = reader.suite.clone().into_coming() {
            // A line deeper than the ones around it is in its own suite.
            let innermost = scopes.blocks.last().and_then(|block| block.column);
            scopes.open(coming.kind, innermost.map(|column| column + 1), coming.scope);
        }
        let is_open = scopes.is_unread || scopes.scopes.iter().any(|scope| scope.is_open);
        (!is_open).then_some(scopes)
    }
}

/// Whether a program binds a name by itself: other code binds such as `_` and `__salt__`.
fn is_own(name: &[u8]) -> bool {
    name.is_ascii() && name != b"_" && !name.starts_with(b"__")
}

impl Scopes {
    /// Whether these scopes may bind a name for lines at a column.
    fn may_bind(&self, name: &Name, column: u32) -> bool {
        let query = Query::Name(name);
        let mut is_in_function = false;
        for (_, scope) in self.scopes_around(column).rev() {
            let is_seen = scope.kind != ScopeKind::Class || !is_in_function;
            let has = scope.own.has(query)
                || scope.annotated.contains(name)
                || scope.bound_later.contains(name);
            if is_seen && has || scope.type_parameters.contains(name) {
                return true;
            }
            is_in_function |= scope.is_function();
        }
        false
    }

    /// The columns of the lines of classes that lines at a column, in a function inside, do not see.
    fn hidden_columns(&self, column: u32) -> SmallVec<[Range<u32>; 2]> {
        let around: SmallVec<[_; 8]> = self.scopes_around(column).collect();
        let pairs = around.iter().zip(&around[1..]);
        pairs
            .filter_map(|((outer, scope), (inner, _))| {
                let is_class = scope.kind == ScopeKind::Class;
                let has_function = around.last().is_some_and(|(_, scope)| scope.is_function());
                (is_class && has_function).then_some((*outer)?..(*inner)?)
            })
            .collect()
    }

    /// The scopes that lines at a column may be in, with their suites' columns; None where the suite has not begun.
    fn scopes_around(&self, column: u32) -> impl DoubleEndedIterator<Item = (Option<u32>, &Scope)> {
        let mut columns = self.blocks.iter().filter(|block| block.has_scope());
        let columns: SmallVec<[Option<u32>; 8]> =
            self.scopes.iter().map(|_| columns.next().and_then(|block| block.column)).collect();
        let is_around =
            move |(open, _): &(Option<u32>, &Scope)| open.is_none_or(|open| open <= column);
        columns.into_iter().zip(&self.scopes).filter(is_around)
    }
}

impl RightNames {
    /// Whether a line at the column, or one around it, binds a name for lines at the column.
    fn may_bind(&self, name: &Name, column: u32, hidden: &[Range<u32>]) -> bool {
        let query = Query::Name(name);
        let is_seen =
            |own: u32| own <= column && !hidden.iter().any(|hidden| hidden.contains(&own));
        self.parts.iter().any(|part| is_seen(part.column) && part.names.has(query))
            || self.declares(query)
    }
}
