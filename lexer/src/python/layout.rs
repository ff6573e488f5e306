//! The meaning of a line's indentation: CPython's rule, tabs included. Beside it, the texts of Python's white space.

use smallvec::SmallVec;

use crate::python::column::Column;

/// A line break.
pub const LINE_BREAK: &[u8] = b"\n";

/// The separators between two symbols of a line.
pub const IN_LINE: [&[u8]; 2] = [b"", b" "];

/// The texts that end a line break which a backslash began.
pub const BEHIND_BACKSLASH: [&[u8]; 1] = [LINE_BREAK];

/// The texts that end a line break of which the first half was read (`\` and `\r`): nothing, or a second half, which
/// a break that is written next would become.
pub const BEHIND_HALF_BREAK: [&[u8]; 2] = [b"", LINE_BREAK];

/// The bytes that begin white space, a joined line or a comment between symbols.
pub const BETWEEN_SYMBOLS: &[u8] = b" \n\\#\r";

/// More bytes that may stand in a line's leading white space.
pub const LEADING: &[u8] = b"\t\x0c";

/// Texts that keep two symbols apart, in a line or in brackets, the shortest first.
pub const SEPARATORS: [&[u8]; 4] = [b" ", b"\n", b"\n ", b"\\\n "];

/// Texts that end with a line break or a comment in progress.
pub const BEGUN_BREAKS: [&[u8]; 5] = [b"#", b" #", b"\\", b" \\", b"\\\r"];

/// Texts that end a line, or begin to.
pub const LINE_ENDS: [&[u8]; 4] = [b"\n", b"#", b"\n#", b"\r"];

/// Texts that join a line to the next one, or begin to.
pub const JOINS: [&[u8]; 3] = [b"\\", b"\\\n", b"\\\r"];

/// A line without an effect.
pub const IDLE_LINE: &[u8] = b"0\n";

/// The most columns that CPython keeps open, the first one included.
pub const MAX_INDENTS: usize = 100;

/// The columns of the suites around a line, the outermost (column 0) first.
pub type Indents = SmallVec<[Column; 8]>;

/// The effect of a line on the suites around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Indentation {
    /// The line is in the suite of the line before.
    Same,
    /// The line begins a suite.
    Indent,
    /// The line is in a suite further out: this many end.
    Dedent(usize),
}

/// The meaning of a line that begins at `column`, unless it fits no suite.
pub fn indentation(indents: &[Column], column: Column) -> Option<Indentation> {
    let innermost = *indents.last().expect("column 0 is always there");
    if column.wide > innermost.wide {
        let is_allowed = column.narrow > innermost.narrow && indents.len() < MAX_INDENTS;
        return is_allowed.then_some(Indentation::Indent);
    }
    let n_kept = indents.iter().rposition(|indent| indent.wide <= column.wide)? + 1;
    match indents.len() - n_kept {
        _ if indents[n_kept - 1] != column => None,
        0 => Some(Indentation::Same),
        n_closed => Some(Indentation::Dedent(n_closed)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(indents: &[u32], column: u32, expected: Option<Indentation>) {
        let indents: Vec<Column> = indents.iter().map(|&n| Column::spaces(n)).collect();
        assert_eq!(indentation(&indents, Column::spaces(column)), expected);
    }

    #[test]
    fn a_line_opens_keeps_or_closes_suites() {
        check(&[0, 4], 4, Some(Indentation::Same));
        check(&[0, 4], 5, Some(Indentation::Indent));
        check(&[0, 4, 8], 0, Some(Indentation::Dedent(2)));
        check(&[0, 4, 8], 6, None);
    }

    #[test]
    fn tabs_and_spaces_do_not_mix() {
        let tab = Column::ZERO.after(b'\t');
        assert_eq!(indentation(&[Column::ZERO, tab], Column::spaces(8)), None);
        assert_eq!(indentation(&[Column::ZERO, tab], Column::spaces(9)), Some(Indentation::Indent));
        assert_eq!(indentation(&[Column::ZERO, Column::spaces(8)], tab.after(b' ')), None);
    }
}
