//! The visible names of a scope: asked for one name, for a beginning, or for all of them.

use std::ops::{ControlFlow, Range};

use super::right_lines::RightNames;
use super::{Block, Scope, ScopeKind, Scopes, Surroundings};
use crate::python_names::symbols::{IN_CLASS, IN_METHOD, Name, NameSet, Query, has_sorted};

/// The time at which the code at a place runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::python_names) enum Runs {
    AtOnce,
    /// Once all lines behind it have run: in a lambda, or in late annotations.
    Later,
    /// Once all lines behind it have run, in the header of a function or class that the deeper lines belong to.
    LaterInHeader,
}

/// Visible names of one origin.
#[derive(Clone, Debug)]
enum Source<'a> {
    /// Names that cannot be told: all are visible.
    Any,
    Set(&'a NameSet),
    Names(&'a [Name]),
    Sorted(&'a [Name]),
    Words(&'static [&'static [u8]]),
    /// The names that lines at these columns behind the hole bind.
    Behind(&'a RightNames, Range<u32>),
    /// The names that they bind for the function of the place: without a value yet, whatever is bound further out.
    NotYet(&'a RightNames, Range<u32>, &'a Scope),
    /// The names that are used in front although nothing in the text binds them.
    Unresolved(&'a Scopes, &'a RightNames),
}

impl Source<'_> {
    fn has(&self, query: Query<'_>) -> bool {
        match self {
            Self::Any => true,
            Self::Set(names) => names.has(query),
            Self::Names(names) => names.iter().any(|name| query.is_met_by(name)),
            Self::Sorted(names) => has_sorted(names, query),
            Self::Words(names) => names.iter().any(|name| query.is_met_by(name)),
            Self::Behind(right, columns) => right.binds(query, columns),
            Self::NotYet(..) => false,
            Self::Unresolved(scopes, right) => {
                scopes.unresolved.has(query) && scopes.is_unresolved(query, right)
            }
        }
    }
}

impl Scopes {
    /// Whether a name of the query is visible.
    pub(in crate::python_names) fn sees(
        &self,
        query: Query<'_>,
        around: &Surroundings,
        runs: Runs,
    ) -> bool {
        let found = self.walk(around, runs, &mut |source| {
            if let Source::NotYet(right, columns, scope) = &source {
                let is_local = matches!(query, Query::Name(_))
                    && right.binds(query, columns)
                    && !scope.declared.iter().any(|name| query.is_met_by(name))
                    && !right.declares(query);
                return if is_local {
                    ControlFlow::Break(false)
                } else {
                    ControlFlow::Continue(())
                };
            }
            if source.has(query) { ControlFlow::Break(true) } else { ControlFlow::Continue(()) }
        });
        found == ControlFlow::Break(true)
    }

    /// Adds the visible names, or enough that one begins like each visible beginning; false if all names are visible.
    pub(in crate::python_names) fn add_visible<'a>(
        &'a self,
        around: &'a Surroundings,
        runs: Runs,
        found: &mut Vec<&'a [u8]>,
    ) -> bool {
        let all = self.walk(around, runs, &mut |source| {
            match source {
                Source::Any => return ControlFlow::Break(()),
                Source::Set(names) => found.extend(names.iter().map(|name| &**name)),
                Source::Names(names) | Source::Sorted(names) => {
                    found.extend(names.iter().map(|name| &**name));
                }
                Source::Words(names) => found.extend(names),
                Source::Behind(right, columns) => right.add_bound(&columns, found),
                Source::NotYet(..) => {}
                Source::Unresolved(scopes, right) => {
                    let names = scopes.unresolved.iter().map(|name| &**name);
                    found.extend(
                        names.filter(|name| scopes.is_unresolved(Query::Name(name), right)),
                    );
                }
            }
            ControlFlow::Continue(())
        });
        all.is_continue()
    }

    /// Visits the visible names, from the innermost scope outwards.
    fn walk<'a, Answer>(
        &'a self,
        around: &'a Surroundings,
        runs: Runs,
        visit: &mut impl FnMut(Source<'a>) -> ControlFlow<Answer>,
    ) -> ControlFlow<Answer> {
        let right = &*around.right;
        let mut runs_later = runs != Runs::AtOnce;
        let mut in_function = false;
        let mut block_end = self.blocks.len();
        for (index, scope) in self.scopes.iter().enumerate().rev() {
            let is_innermost = index + 1 == self.scopes.len();
            let block = self.blocks[..block_end].iter().rposition(Block::has_scope).unwrap_or(0);
            let mut columns = self.columns(block, block_end);
            if is_innermost && runs == Runs::LaterInHeader {
                let own = self.blocks.last().and_then(|block| block.column);
                columns.end = own.map_or(columns.end, |own| own + 1);
            }
            block_end = block;
            visit(Source::Names(&scope.type_parameters))?;
            if scope.kind == ScopeKind::Class && !is_innermost {
                if in_function {
                    visit(Source::Words(&IN_METHOD))?;
                }
                continue;
            }
            if scope.is_open {
                visit(Source::Any)?;
            }
            visit(Source::Set(&scope.own))?;
            if scope.kind == ScopeKind::Class {
                visit(Source::Words(&IN_CLASS))?;
            }
            if runs_later {
                visit(Source::Behind(right, columns))?;
                visit(Source::Names(&scope.bound_later))?;
            } else if is_innermost && scope.is_function() {
                visit(Source::NotYet(right, columns, scope))?;
            }
            in_function |= scope.is_function();
            runs_later |= scope.is_function();
        }
        visit(Source::Sorted(&around.builtins))?;
        visit(Source::Sorted(&around.known))?;
        if right.is_open {
            visit(Source::Any)?;
        }
        visit(Source::Unresolved(self, right))
    }

    /// Whether the text in front uses a name of the query although nothing in the text binds it: other code does.
    fn is_unresolved(&self, query: Query<'_>, right: &RightNames) -> bool {
        self.unresolved.iter().any(|name| {
            query.is_met_by(name)
                && !self.bound_anywhere.has(Query::Name(name))
                && !right.binds_anywhere(name)
        })
    }
}
