//! Names that are said again, as columns.
//!
//! What a rule is called is to its end what a column is to a suite ([`crate::grammar`]'s `Same`): charts carry it, the items
//! of a right context say which one they need. So names are numbers here, in the same clothes. On the left a name may
//! still be in progress; a right context may begin in the middle of one.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{Arc, Mutex};

use fim_lexer::{Column, Columns};

use crate::caches::lock;

/// How the text of a name is known.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Spelling<'a> {
    /// It is this.
    Whole(&'a [u8]),
    /// It begins like this.
    Begun(&'a [u8]),
    /// It begins like this, and goes on.
    Longer(&'a [u8]),
    /// It may be whatever fits.
    Open,
    /// It is none that anybody knows.
    Unlike,
}

/// All names that matter, numbered. Those of both directions are the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spellings(Arc<Mutex<Numbers>>);

#[derive(Debug)]
struct Numbers {
    numbers: BTreeMap<Arc<[u8]>, u32>,
    texts: Vec<Arc<[u8]>>,
    n_bytes: usize,
}

/// What is known of the name behind a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ColumnName {
    /// All of it.
    Whole(Arc<[u8]>),
    /// It begins like this, and may go on.
    Begun(Arc<[u8]>),
    /// It ends like this, and something is in front.
    Ending(Arc<[u8]>),
    /// It is one that has not been said yet.
    Fresh,
    /// It is none that anything needs.
    Unlike,
}

const WHOLE: u32 = 0;
const BEGUN: u32 = 1;
const ENDING: u32 = 2;
const OTHER: u32 = 3;
const UNLIKE: Column = column(0, OTHER);
const FRESH: Column = column(1, OTHER);
/// Any name at all.
const OPEN: Column = column(0, BEGUN);

/// Only one count is used: a name is no white space that would cost anything.
const fn column(number: u32, kind: u32) -> Column {
    Column { wide: number << 2 | kind, narrow: 0 }
}

impl Default for Numbers {
    fn default() -> Self {
        let nothing: Arc<[u8]> = Arc::default();
        Self {
            numbers: BTreeMap::from([(Arc::clone(&nothing), 0)]),
            texts: vec![nothing],
            n_bytes: 0,
        }
    }
}

impl Numbers {
    fn number(&mut self, text: &[u8]) -> u32 {
        if let Some(&known) = self.numbers.get(text) {
            return known;
        }
        let (fresh, text) = (self.texts.len() as u32, Arc::<[u8]>::from(text));
        self.numbers.insert(Arc::clone(&text), fresh);
        self.n_bytes += text.len() + 96;
        self.texts.push(text);
        fresh
    }

    /// Whether a name that has been numbered begins like this.
    fn begins_any(&self, text: &[u8]) -> bool {
        let from = (Bound::Included(text), Bound::Unbounded);
        self.numbers.range::<[u8], _>(from).next().is_some_and(|(next, _)| next.starts_with(text))
    }

    fn name(&self, column: Column) -> ColumnName {
        let text = || Arc::clone(&self.texts[(column.wide >> 2) as usize]);
        match column.wide & 3 {
            WHOLE => ColumnName::Whole(text()),
            BEGUN => ColumnName::Begun(text()),
            ENDING => ColumnName::Ending(text()),
            _ if column == FRESH => ColumnName::Fresh,
            _ => ColumnName::Unlike,
        }
    }
}

impl Spellings {
    /// The column of a name that is there as a whole.
    pub(crate) fn whole(&self, text: &[u8]) -> Column {
        column(lock(&self.0).number(text), WHOLE)
    }

    /// The column of a name that ends like this, something in front of it.
    pub(crate) fn ending(&self, text: &[u8]) -> Column {
        column(lock(&self.0).number(text), ENDING)
    }

    /// The column of a name as far as it is known. Those that begin like no other are all the same.
    pub(crate) fn column(&self, spelling: Spelling<'_>) -> Column {
        let mut numbers = lock(&self.0);
        match spelling {
            Spelling::Whole(text) => column(numbers.number(text), WHOLE),
            Spelling::Begun(text) | Spelling::Longer(text) if numbers.begins_any(text) => {
                column(numbers.number(text), BEGUN)
            }
            Spelling::Begun(_) | Spelling::Longer(_) => FRESH,
            Spelling::Open => OPEN,
            Spelling::Unlike => UNLIKE,
        }
    }

    /// What is known of the name behind a column.
    pub(crate) fn name(&self, column: Column) -> ColumnName {
        lock(&self.0).name(column)
    }

    /// Whether a name that is known on the left as far as `column` says may be one of those that the right needs.
    #[inline]
    pub(crate) fn fits(&self, needed: Columns, column: Column) -> bool {
        needed == Columns::ALL
            || needed == Columns::exactly(column) && column.wide & 3 == WHOLE
            || self.may_become(needed, column)
    }

    fn may_become(&self, needed: Columns, column: Column) -> bool {
        if needed.least != needed.greatest {
            return false;
        }
        let numbers = lock(&self.0);
        match (numbers.name(needed.least), numbers.name(column)) {
            (ColumnName::Whole(whole), ColumnName::Begun(begun)) => whole.starts_with(&begun),
            (ColumnName::Ending(end), ColumnName::Whole(whole)) => {
                end.len() < whole.len() && whole.ends_with(&end)
            }
            (ColumnName::Ending(_), ColumnName::Begun(_) | ColumnName::Fresh) => true,
            _ => false,
        }
    }

    /// Whether the name behind a column may be said again with this spelling.
    pub(crate) fn is_again(&self, column: Column, spelling: Spelling<'_>) -> bool {
        if matches!(spelling, Spelling::Unlike) || column == UNLIKE || column == Column::ZERO {
            return false;
        }
        match (lock(&self.0).name(column), spelling) {
            (ColumnName::Whole(name), Spelling::Whole(text)) => *name == *text,
            (ColumnName::Whole(name), Spelling::Begun(text)) => name.starts_with(text),
            (ColumnName::Whole(name), Spelling::Longer(text)) => {
                name.len() > text.len() && name.starts_with(text)
            }
            (ColumnName::Whole(_), Spelling::Open) => true,
            // A name that is not known yet has not been written, so nothing stands behind it but in a mask's guesses.
            (ColumnName::Begun(_) | ColumnName::Fresh, _) => true,
            _ => false,
        }
    }

    /// Bytes held, roughly.
    pub(crate) fn memory(&self) -> usize {
        lock(&self.0).n_bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_begun_may_become_what_is_needed() {
        let names = Spellings::default();
        let needed = |text: &[u8]| Columns::exactly(names.whole(text));
        let (foo, foo_bar) = (needed(b"Foo"), needed(b"FooBar"));
        let begun = |text| names.column(Spelling::Begun(text));
        assert!(names.fits(foo, names.whole(b"Foo")) && !names.fits(foo, names.whole(b"Fo")));
        assert!(names.fits(foo, begun(b"Fo")) && names.fits(foo_bar, begun(b"Fo")));
        assert!(!names.fits(foo, begun(b"FooB")) && names.fits(foo_bar, begun(b"FooB")));
        assert!(!names.fits(foo, begun(b"G")) && names.fits(Columns::ALL, begun(b"G")));
        assert_eq!(begun(b"G"), begun(b"H"), "nothing tells them apart");
        assert!(names.fits(foo, names.column(Spelling::Open)));
        assert!(!names.fits(foo, names.column(Spelling::Unlike)));
    }

    #[test]
    fn what_ends_in_the_right_context_has_something_in_front() {
        let names = Spellings::default();
        let needed = Columns::exactly(names.ending(b"oo"));
        let fits = |text: &[u8]| names.fits(needed, names.whole(text));
        assert!(fits(b"Foo") && !fits(b"oo") && !fits(b"Fo"));
        assert!(names.fits(needed, names.column(Spelling::Begun(b"x"))));
        assert!(!names.fits(needed, names.column(Spelling::Unlike)));
        // One that is needed as a whole and one that only ends so are never the same need.
        assert_eq!(needed.and(Columns::exactly(names.whole(b"Foo"))), None);
    }
}
