//! White space that puts a line at a column, for texts that are written behind others.

use super::column::{Column, Columns};
use super::layout::LINE_BREAK;

/// A line in progress of which nothing but white space or a comment was read.
#[derive(Clone, Copy, Debug)]
pub struct BegunLine {
    /// The column that its white space has come to.
    pub read: Column,
    /// The column of the line that a backslash joined to it.
    pub joined: Option<Column>,
    /// The column of the line, if a symbol comes next.
    pub column: Column,
    /// Whether a comment was begun behind the white space.
    pub is_comment: bool,
}

/// `white` as the leading white space of the line in progress, if that can become it, and of a fresh line.
pub fn extensions(line: BegunLine, white: &[u8]) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    let BegunLine { read, joined, column, is_comment } = line;
    let is_fresh = joined.is_none() && !is_comment;
    if is_fresh && read.wide == read.narrow && white.len() >= read.wide as usize {
        let (done, rest) = white.split_at(read.wide as usize);
        if done.iter().all(|&byte| byte == b' ') {
            found.push(rest.to_vec());
        }
    }
    if is_fresh && column == white.iter().fold(Column::ZERO, |column, &byte| column.after(byte)) {
        found.push(Vec::new());
    }
    found.push([LINE_BREAK, white].concat());
    if joined.is_some() {
        found.push(Vec::new());
        found.push([LINE_BREAK, LINE_BREAK, white].concat());
    }
    found
}

/// White space as wide as `column`.
pub fn white_space(column: Column) -> Vec<u8> {
    // wide = 8 * tabs + spaces and narrow = tabs + spaces, unless spaces stand before tabs.
    let surplus = column.wide - column.narrow;
    let mut n_tabs = surplus / 7;
    let missing = if surplus % 7 == 0 { 0 } else { 7 - surplus % 7 };
    let mut white = Vec::new();
    if missing > 0 {
        white.extend(std::iter::repeat_n(b' ', missing as usize));
        n_tabs += 1;
    }
    white.extend(std::iter::repeat_n(b'\t', n_tabs as usize));
    let n_spaces = (column.narrow as usize).saturating_sub(white.len());
    white.extend(std::iter::repeat_n(b' ', n_spaces));
    white
}

/// The least column in the set that is deeper than `around`.
pub fn deeper_column(around: Column, columns: Columns) -> Option<Column> {
    let deeper = columns.and(Columns::deeper_than(around))?;
    let Column { wide, narrow } = deeper.least;
    // Spaces alone, or as many tabs as the least column has, then spaces.
    let same = Column::spaces(wide.max(narrow));
    let mixed = [
        deeper.least,
        same,
        Column { wide: around.wide + 8 - around.wide % 8, narrow: around.narrow + 1 },
    ];
    mixed.into_iter().find(|&column| deeper.contains(column) && is_writable(column))
}

/// Whether some white space has this column.
fn is_writable(column: Column) -> bool {
    column.narrow <= column.wide && column.wide / 8 + column.wide % 8 <= column.narrow
}
