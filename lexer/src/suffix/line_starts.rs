//! The beginnings of lines: their symbols stand behind white space, and behind blank lines and comments.
//!
//! A suffix may begin in the middle of a line's white space, so the columns in front of it on the line come as
//! arguments. Versions differ in which column counts where a backslash joins lines.

use crate::lexer::Lexer;
use crate::python::column::{Column, LineColumn};
use crate::python::dialect::JoinedIndentation;

/// The first thing in a line, after its white space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leading {
    /// A symbol, or in 3.8 a backslash that joins the next line.
    Symbol {
        /// The offset at which it begins.
        start: usize,
        /// The column that counts for the line.
        column: LineColumn,
    },
    /// No symbol: the line is blank or has only a comment; the next one begins at this offset.
    LineEnd(usize),
    /// The end of the text.
    TextEnd,
    /// A backslash that joins nothing, or a comment with bytes that are no text.
    Dead,
}

/// Reads the leading white space of a line from `from` on. `column` and `joined_column` are the columns of the white
/// space in front of it on the same line.
pub fn leading(
    lexer: &Lexer,
    text: &[u8],
    from: usize,
    column: Column,
    joined_column: Option<Column>,
) -> Leading {
    let joining = lexer.description.dialect.joined_indentation;
    let mut column = column;
    let mut joined_column = joined_column.map(LineColumn::At);
    let mut at = from;
    loop {
        match text.get(at) {
            None => return Leading::TextEnd,
            Some(&byte @ (b' ' | b'\t' | b'\x0c')) => {
                column = column.after(byte);
                at += 1;
            }
            Some(b'\\') => {
                if joining == JoinedIndentation::BeginsLine {
                    return Leading::Symbol { start: at, column: LineColumn::At(column) };
                }
                joined_column = joined_column.or_else(|| match joining {
                    JoinedIndentation::KeepsSuites => Some(LineColumn::Kept),
                    _ => lexer.fixed_column(column, &[]).map(LineColumn::At),
                });
                at += 1;
                match line_break(text, at) {
                    Some(end) if end < text.len() => at = end,
                    _ => return Leading::Dead,
                }
            }
            Some(b'\r' | b'\n') => {
                return Leading::LineEnd(line_break(text, at).expect("a break is here"));
            }
            Some(b'#') => {
                let length = text[at..].iter().position(|byte| matches!(byte, b'\r' | b'\n'));
                let comment = &text[at..length.map_or(text.len(), |length| at + length)];
                if comment.contains(&0) || std::str::from_utf8(comment).is_err() {
                    return Leading::Dead;
                }
                match length {
                    Some(length) => at += length,
                    None => return Leading::TextEnd,
                }
            }
            Some(_) => {
                let column = joined_column.unwrap_or(LineColumn::At(column));
                return Leading::Symbol { start: at, column };
            }
        }
    }
}

/// The first line with a symbol, from the beginning of a line on.
pub fn next_line(lexer: &Lexer, text: &[u8], from: usize) -> Leading {
    let mut from = from;
    loop {
        match leading(lexer, text, from, Column::ZERO, None) {
            Leading::LineEnd(next) => from = next,
            other => return other,
        }
    }
}

/// The offset behind a line break at `at`, if one is there.
fn line_break(text: &[u8], at: usize) -> Option<usize> {
    match text.get(at) {
        Some(b'\n') => Some(at + 1),
        Some(b'\r') if text.get(at + 1) == Some(&b'\n') => Some(at + 2),
        Some(b'\r') => Some(at + 1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::lexer;
    use super::*;
    use crate::python::dialect::Dialect;

    #[test]
    fn a_line_begins_at_its_first_symbol() {
        let lexer = lexer(Dialect::NEWEST);
        assert_eq!(next_line(&lexer, b"  a", 0), symbol(2, 2));
        assert_eq!(next_line(&lexer, b" # b\n\n  a", 0), symbol(8, 2));
        // The column in front of the backslash counts.
        assert_eq!(next_line(&lexer, b"  \\\n      a", 0), symbol(10, 2));
        assert_eq!(next_line(&lexer, b"  \n # b", 0), Leading::TextEnd);
        assert_eq!(next_line(&lexer, b"  \\\n", 0), Leading::Dead);
        assert_eq!(next_line(&lexer, b"# \0\na", 0), Leading::Dead);
    }

    #[test]
    fn old_versions_read_joined_indentation_in_their_own_ways() {
        let begun = lexer(Dialect::of_version("3.8"));
        assert_eq!(next_line(&begun, b"\n  \\\n      a", 0), symbol(3, 2));
        assert_eq!(next_line(&begun, b"\n\\\n  \n  a", 0), symbol(1, 0));
        let kept = lexer(Dialect::of_version("3.9"));
        let column = LineColumn::Kept;
        assert_eq!(next_line(&kept, b"  \\\n      a", 0), Leading::Symbol { start: 10, column });
        assert_eq!(next_line(&kept, b"\\\n\n  a", 0), symbol(5, 2));
    }

    fn symbol(start: usize, n_spaces: u32) -> Leading {
        Leading::Symbol { start, column: LineColumn::At(Column::spaces(n_spaces)) }
    }
}
