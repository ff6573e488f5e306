//! Tokens where the parser takes part in reading: a token is read in all ways at once, each with a cursor of its own.

use fim_lexer::scanner::{Fork, RawState};
use smallvec::SmallVec;

use super::{Cursor, Event, TokenReader};

impl TokenReader<'_> {
    /// The cursors behind one more byte, in all ways of reading the token.
    #[inline]
    pub(super) fn after(&mut self, cursor: Cursor, byte: u8) -> Option<Cursor> {
        if cursor.other.is_none() {
            return self.after_one(cursor, byte);
        }
        let mut found: SmallVec<[Cursor; 4]> = SmallVec::new();
        let mut next = Some(cursor);
        while let Some(cursor) = next {
            next = cursor.other.map(|other| self.others[other as usize]);
            let mut behind = self.after_one(Cursor { other: None, ..cursor }, byte);
            while let Some(cursor) = behind {
                found.push(cursor);
                behind = cursor.other.map(|other| self.others[other as usize]);
            }
        }
        self.linked(&found)
    }

    /// Several cursors linked as one.
    fn linked(&mut self, cursors: &[Cursor]) -> Option<Cursor> {
        let mut other = None;
        let (first, rest) = cursors.split_first()?;
        for cursor in rest {
            self.others.push(Cursor { other, ..*cursor });
            other = Some(self.others.len() as u32 - 1);
        }
        Some(Cursor { other, ..*first })
    }

    /// The cursors behind a fork, one for each branch.
    pub(super) fn branch_cursor(&mut self, cursor: Cursor, fork: RawState) -> Option<Cursor> {
        let states: SmallVec<[RawState; 4]> = self.scanner.fork(fork)?.states().collect();
        let mut found: SmallVec<[Cursor; 4]> = SmallVec::new();
        let fork = self.first_alike(fork);
        for (branch, &raw) in states.iter().enumerate().filter(|(_, raw)| **raw != RawState::DEAD) {
            let node = self.tree.child(cursor.node, Event::Choose(fork, branch as u8));
            found.push(Cursor { node, raw, ..cursor });
        }
        self.linked(&found)
    }

    /// The first fork where the parser has the same choice as at this one. All letters that begin names in tags are
    /// one event then, with one tree behind it: masks of JSX had three times as many nodes as those of TypeScript.
    fn first_alike(&mut self, fork: RawState) -> RawState {
        let scanner = self.scanner;
        *self.alike.entry(fork).or_insert_with(|| {
            let forks = scanner.forks().iter();
            let place = |wanted: &Fork, is_it: fn(&Fork, &Fork) -> bool| {
                forks.clone().position(|other| is_it(other, wanted)).unwrap_or(0)
            };
            let Some(own) = scanner.fork(fork) else { return fork };
            RawState(fork.0 - (place(own, Fork::eq) - place(own, Fork::is_chosen_like)) as u16)
        })
    }
}
