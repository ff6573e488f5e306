//! Columns as CPython compares them, and sets of columns.
//!
//! Each place in a line's indentation has two counts: in `wide`, a tab goes to the next multiple of eight; in
//! `narrow`, it counts as one character. A line's indentation is equal, deeper or shallower only if both counts say
//! so. Without tabs the two are equal.
//!
//! In the paper: INDENT and DEDENT that are unknown, section VI.A and figure 9; here they are intervals of columns.

/// The width of a line's leading white space, with tab stops of eight and of one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
pub struct Column {
    /// With tab stops of eight.
    pub wide: u32,
    /// With tab stops of one: the number of characters.
    pub narrow: u32,
}

impl Column {
    /// The first column of a line.
    pub const ZERO: Self = Self { wide: 0, narrow: 0 };

    /// A column reached by spaces alone.
    pub fn spaces(n_spaces: u32) -> Self {
        Self { wide: n_spaces, narrow: n_spaces }
    }

    /// This column after one more byte of leading white space.
    pub fn after(self, byte: u8) -> Self {
        match byte {
            b'\t' => Self { wide: (self.wide / 8 + 1) * 8, narrow: self.narrow + 1 },
            b'\x0c' => Self::ZERO,
            _ => Self { wide: self.wide + 1, narrow: self.narrow + 1 },
        }
    }
}

/// The column of a line of a right context, as far as the line decides it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum LineColumn {
    /// At this column.
    At(Column),
    /// The column of the suite of the line in front of it, wherever that is.
    Kept,
}

impl LineColumn {
    /// The column, where the line alone decides it.
    pub fn known_column(self) -> Option<Column> {
        match self {
            Self::At(column) => Some(column),
            Self::Kept => None,
        }
    }

    /// The columns at which such a line may stand.
    pub fn columns(self) -> Columns {
        match self {
            Self::At(column) => Columns::exactly(column),
            Self::Kept => Columns::ALL,
        }
    }
}

/// A set of columns: an interval in each of the two counts, of which only those may be meant whose counts
/// are equal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Columns {
    /// The least column in the set, in both counts.
    pub least: Column,
    /// The greatest column in the set, in both counts.
    pub greatest: Column,
    /// Whether only columns with two equal counts are in the set; then those of its ends are equal.
    pub is_equal: bool,
}

const UNBOUNDED: u32 = u32::MAX;

impl Columns {
    /// Every column.
    pub const ALL: Self =
        Self::between(Column::ZERO, Column { wide: UNBOUNDED, narrow: UNBOUNDED });

    const fn between(least: Column, greatest: Column) -> Self {
        Self { least, greatest, is_equal: false }
    }

    /// Only `column`.
    pub fn exactly(column: Column) -> Self {
        Self::between(column, column)
    }

    /// The columns deeper than `column`.
    pub fn deeper_than(column: Column) -> Self {
        let least = Column { wide: column.wide + 1, narrow: column.narrow + 1 };
        Self::between(least, Self::ALL.greatest)
    }

    /// The columns at or beyond `column`.
    pub fn at_least(column: Column) -> Self {
        Self::between(column, Self::ALL.greatest)
    }

    /// The columns shallower than `column`, if there are any.
    pub fn shallower_than(column: Column) -> Option<Self> {
        let greatest =
            Column { wide: column.wide.checked_sub(1)?, narrow: column.narrow.checked_sub(1)? };
        Some(Self::between(Column::ZERO, greatest))
    }

    /// The columns at which the suite around a suite in this set may stand.
    pub fn enclosing(self) -> Option<Self> {
        if self.greatest == Self::ALL.greatest {
            return Some(Self::ALL);
        }
        Self::shallower_than(self.greatest)
    }

    /// The columns in both sets, if there are any.
    pub fn and(self, other: Self) -> Option<Self> {
        let least = Column {
            wide: self.least.wide.max(other.least.wide),
            narrow: self.least.narrow.max(other.least.narrow),
        };
        let greatest = Column {
            wide: self.greatest.wide.min(other.greatest.wide),
            narrow: self.greatest.narrow.min(other.greatest.narrow),
        };
        let is_possible = least.wide <= greatest.wide && least.narrow <= greatest.narrow;
        let both = is_possible.then_some(Self::between(least, greatest))?;
        if self.is_equal || other.is_equal { both.with_equal_counts() } else { Some(both) }
    }

    /// The least set of this kind that has the columns of both.
    pub fn hull(self, other: Self) -> Self {
        Self {
            is_equal: self.is_equal && other.is_equal,
            least: Column {
                wide: self.least.wide.min(other.least.wide),
                narrow: self.least.narrow.min(other.least.narrow),
            },
            greatest: Column {
                wide: self.greatest.wide.max(other.greatest.wide),
                narrow: self.greatest.narrow.max(other.greatest.narrow),
            },
        }
    }

    /// The columns of the set that have two equal counts, if there are any.
    pub fn with_equal_counts(self) -> Option<Self> {
        let least = Column::spaces(self.least.wide.max(self.least.narrow));
        let greatest = Column::spaces(self.greatest.wide.min(self.greatest.narrow));
        (least.wide <= greatest.wide).then_some(Self { least, greatest, is_equal: true })
    }

    /// Whether `column` is in the set.
    pub fn contains(self, column: Column) -> bool {
        self.least.wide <= column.wide
            && column.wide <= self.greatest.wide
            && self.least.narrow <= column.narrow
            && column.narrow <= self.greatest.narrow
            && (!self.is_equal || column.wide == column.narrow)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tabs_and_form_feeds_count_as_in_cpython() {
        let column = |text: &str| text.bytes().fold(Column::ZERO, Column::after);
        assert_eq!(column("  \t "), Column { wide: 9, narrow: 4 });
        assert_eq!(column("    \x0c  "), Column::spaces(2));
    }

    #[test]
    fn a_tab_and_eight_spaces_are_neither_equal_nor_deeper() {
        let tab = Column::ZERO.after(b'\t');
        let spaces = Column::spaces(8);
        assert!(!Columns::exactly(tab).contains(spaces));
        assert!(!Columns::deeper_than(tab).contains(spaces));
    }

    #[test]
    fn between_two_columns() {
        let between = Columns::deeper_than(Column::spaces(4))
            .and(Columns::shallower_than(Column::spaces(6)).unwrap());
        assert_eq!(between, Some(Columns::exactly(Column::spaces(5))));
        assert_eq!(Columns::shallower_than(Column::ZERO), None);
    }
}
