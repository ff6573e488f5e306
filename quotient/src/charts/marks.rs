//! Marks: the facts that an open rule carries, so that its end can be held to them.
//!
//! Some rules must end as they began, in a way that no grammar can say. A mark is the thing that such a rule began
//! with. There are two kinds:
//!
//! ```text
//! if a:            a suite's lines stand at one column, here 4
//!     b
//! class Foo {      what says a name again says this one (`crate::grammar`'s `Same`)
//!     Foo() {}
//! }
//! ```
//!
//! Forward, a mark is known where its rule begins, so a chart says which one is the innermost. Backward it is not: an
//! item says with which marks it fits, and one that fits with none is dropped. The two meet in a hole. So charts,
//! sides and holes carry marks and need not know their kind. Only this file knows it, and those where marks are made:
//! columns of lines (`right/line_breaks.rs`), names (`left/names.rs`, `right/names.rs`), and where texts are written
//! for them (`crate::witness`).
//!
//! In the paper: columns alone, as INDENT and DEDENT that are unknown, section VI.A.

use fim_lexer::{Column, Columns};

use super::spellings::SpellingIdx;

/// The mark of a rule that must end as it began.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mark {
    /// The column of its suite.
    Column(Column),
    /// The rule's name.
    Name(SpellingIdx),
}

impl Mark {
    /// The mark of a whole file: its lines stand at column 0, and it has no name.
    pub const OUTERMOST: Self = Self::Column(Column::ZERO);

    /// The column of the suite, or 0 where the mark is a name.
    #[inline]
    pub(crate) fn column(self) -> Column {
        match self {
            Self::Column(column) => column,
            Self::Name(_) => Column::ZERO,
        }
    }

    /// The rule's name, if the mark is one.
    pub(crate) fn name(self) -> Option<SpellingIdx> {
        match self {
            Self::Column(_) => None,
            Self::Name(name) => Some(name),
        }
    }

    /// The number of columns that the mark opens. CPython limits those; names may nest as deep as they like.
    pub(super) fn n_columns(self) -> u32 {
        match self {
            Self::Column(_) => 1,
            Self::Name(_) => 0,
        }
    }

    /// A number that tells the mark from all others.
    #[inline]
    pub(super) fn as_number(self) -> u64 {
        match self {
            Self::Column(column) => u64::from(column.wide) << 32 | u64::from(column.narrow),
            // No line is indented by as many characters as this.
            Self::Name(name) => u64::from(name.0) << 32 | u64::from(u32::MAX),
        }
    }
}

/// A set of marks: those with which an item of a right context fits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Marks {
    /// Suites at these columns; the set of all columns is that of all marks, names included.
    Columns(Columns),
    /// The rule of this name.
    Name(SpellingIdx),
}

impl Marks {
    /// Every mark.
    pub const ALL: Self = Self::Columns(Columns::ALL);

    /// The columns at which a suite may stand.
    #[inline]
    pub(crate) fn columns(self) -> Columns {
        match self {
            Self::Columns(columns) => columns,
            Self::Name(_) => Columns::ALL,
        }
    }

    /// The name that a rule must have, if it must have one.
    pub(crate) fn name(self) -> Option<SpellingIdx> {
        match self {
            Self::Columns(_) => None,
            Self::Name(name) => Some(name),
        }
    }

    /// The marks in both sets, if there are any.
    pub(crate) fn and(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Columns(one), Self::Columns(other)) => one.and(other).map(Self::Columns),
            (Self::ALL, name) | (name, Self::ALL) => Some(name),
            (one, other) => (one == other).then_some(one),
        }
    }

    /// A set of this kind that has the marks of both.
    pub(super) fn hull(self, other: Self) -> Self {
        match (self, other) {
            (Self::Columns(one), Self::Columns(other)) => Self::Columns(one.hull(other)),
            (one, other) if one == other => one,
            _ => Self::ALL,
        }
    }

    /// The marks that the rule around may have, if it may have any: a suite stands deeper than the one around it, and
    /// whatever a rule's name is, those around it may have any.
    pub(crate) fn around(self) -> Option<Self> {
        match self {
            Self::Columns(columns) => columns.enclosing().map(Self::Columns),
            Self::Name(_) => Some(Self::ALL),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_agrees_with_its_own_and_with_all() {
        let columns = |n_spaces| Marks::Columns(Columns::exactly(Column::spaces(n_spaces)));
        let name = |number| Marks::Name(SpellingIdx(number));
        for one in [columns(4), name(4)] {
            assert_eq!((one.and(one), one.and(Marks::ALL)), (Some(one), Some(one)));
            assert_eq!(Marks::ALL.and(one), Some(one));
            assert_eq!((one.and(columns(8)), one.and(name(8))), (None, None));
            assert_eq!((one.hull(one), one.hull(Marks::ALL)), (one, Marks::ALL));
        }
        assert_eq!(name(4).hull(name(8)), Marks::ALL);
    }

    #[test]
    fn suites_stand_inside_shallower_ones_and_names_inside_any() {
        let deep = Marks::Columns(Columns::exactly(Column::spaces(4)));
        let around = deep.around().map(Marks::columns);
        assert_eq!(around, Columns::shallower_than(Column::spaces(4)));
        assert_eq!(Marks::Columns(Columns::exactly(Column::ZERO)).around(), None);
        assert_eq!(Marks::Name(SpellingIdx(4)).around(), Some(Marks::ALL));
    }

    #[test]
    fn marks_of_both_kinds_have_numbers_of_their_own() {
        let marks = [Mark::OUTERMOST, Mark::Column(Column::spaces(1)), Mark::Name(SpellingIdx(0))];
        let mut numbers = marks.map(Mark::as_number).to_vec();
        numbers.dedup();
        assert_eq!(numbers.len(), marks.len());
    }
}
