//! What the lines behind a hole use and nothing binds: its text should bind that.
//!
//! ```text
//! $0                  `total` is wanted, until the text has bound it
//! print(total)
//! ```
//!
//! It is a preference of whoever writes the text: nothing is refused for it. Where it is not known whose a name
//! is, it is not wanted.

use std::sync::Arc;

use fim_lexer::lexer::LexState;

use super::NamesAt;
use super::kinds::Kind;
use super::name_set::{Name, Query, has_sorted};
use super::reader::Mode;
use super::right::RightNames;
use super::scopes::Scopes;
use crate::grammar::Language;

/// The rest of the line in which the hole ends is hardly longer.
const MAX_REST_OF_LINE: usize = 1 << 12;

impl NamesAt {
    /// The names that the lines behind the hole use and nobody binds, if its text ends here. `right` is the
    /// right context.
    pub(crate) fn wanted(&self, language: &Language, lexed: &LexState, right: &[u8]) -> Vec<Name> {
        let behind = &self.around.right;
        let is_told = !behind.is_open && !behind.is_unread && !behind.wanted.is_empty();
        if !is_told || behind.n_in_front > MAX_REST_OF_LINE {
            return Vec::new();
        }
        let rest = &right[..behind.n_in_front.min(right.len())];
        let Some(scopes) = self.behind_line(language, lexed, rest) else { return Vec::new() };
        let mut found: Vec<Name> = Vec::new();
        for (column, uses) in behind.wanted.iter().rev() {
            for name in uses.iter() {
                let is_bound = scopes.may_bind(name, *column)
                    || behind.may_bind(name, *column)
                    || has_sorted(&self.around.known, Query::Name(name))
                    || scopes.unresolved.has(Query::Name(name));
                if !is_bound && name.is_ascii() && !found.contains(name) {
                    found.push(name.clone());
                }
            }
        }
        found
    }

    /// The scopes behind the line in which the hole ends; none if it may bind what nobody can tell.
    fn behind_line(&self, language: &Language, lexed: &LexState, rest: &[u8]) -> Option<Scopes> {
        let mut line = self.clone();
        let reader = Arc::make_mut(&mut line.reader);
        reader.judged_until = self.n_read;
        reader.mode = Mode::Rest;
        let mut lexed = lexed.clone();
        for &byte in rest {
            // What is wrong is no matter here.
            if !line.read_byte(language, &mut lexed, byte).unwrap_or(true) {
                break;
            }
        }
        let around = Arc::clone(&line.around);
        let reader = Arc::make_mut(&mut line.reader);
        if !reader.is_at_line_end() {
            let _ = reader.symbol(Kind::Newline, b"", line.n_read, None, &around);
        }
        let coming = reader.coming.take().and_then(|coming| coming.scope);
        let mut scopes = Scopes::clone(&reader.scopes);
        scopes.scopes.extend(coming);
        let is_open = scopes.is_unread || scopes.scopes.iter().any(|scope| scope.is_open);
        (!is_open).then_some(scopes)
    }
}

impl Scopes {
    /// Whether a name may be bound for lines at a column.
    fn may_bind(&self, name: &Name, column: u32) -> bool {
        let query = Query::Name(name);
        let is_closed = |index: usize| {
            let mut with_scope = self.blocks.iter().filter(|block| block.has_scope());
            let block = with_scope.nth(index);
            block.and_then(|block| block.column).is_some_and(|open| open > column)
        };
        self.scopes.iter().enumerate().any(|(index, scope)| {
            !is_closed(index)
                && (scope.own.has(query)
                    || scope.annotated.contains(name)
                    || scope.type_parameters.contains(name)
                    || scope.bound_later.contains(name))
        })
    }
}

impl RightNames {
    /// Whether a line at the column, or one around it, binds a name.
    fn may_bind(&self, name: &Name, column: u32) -> bool {
        self.binds(Query::Name(name), &(0..column + 1)) || self.declares(Query::Name(name))
    }
}
