//! Headers in a witness: the function or the loop that the lines behind the hole need.
//!
//! ```text
//! class A: pass
//! $0                  the grammar's shortest text is none at all, but `return` needs a function: `def f():`
//!     return 1
//! ```
//!
//! A header begins where a line does: on the way through the grammar's own witness, in the suite of a header that this
//! has, or behind a text that ends its last line or that in which the hole begins. The grammar tells how it goes on.

use super::{Begun, Search, with_name};
use crate::hole::OpenHole;
use crate::witness::shortest_witness;

/// The texts that end a line, likely ones first: the rests of headers and clauses, brackets and strings.
const ENDS: [&[u8]; 15] = [
    b"\n",
    b":",
    b" 0",
    b")",
    b"]",
    b"}",
    b"\"\"\"",
    b"'''",
    b"\"",
    b"'",
    b" in 0",
    b" else 0",
    b"()",
    b" import a",
    b"a",
];

/// The most texts that are tried for the end of a line.
const MAX_TRIED: usize = 200;

/// The most additions in front of a header: a function's header, in front of a loop's in it.
const MAX_HEADERS: usize = 1;

impl Search {
    /// The texts that were begun, with the headers that the lines behind need, wherever a line may begin.
    pub(super) fn with_headers(
        &self,
        hole: &mut OpenHole<'_>,
        begun: &Begun,
        value: &[u8],
    ) -> Vec<Begun> {
        let mut found = Vec::new();
        if begun.n_added > MAX_HEADERS || !begun.names.has_needs_behind() {
            return found;
        }
        let (mut starts, last) = self.line_starts(hole, begun, value);
        starts.extend(self.next_line(hole, begun));
        if last.text != begun.text {
            starts.extend(self.next_line(hole, &last));
        }
        for start in starts {
            let own = start.place.lexed.line_column().wide;
            for column in columns(&start, own) {
                // A line in a suite of the left context may be enough.
                let alone: Option<&[u8]> = (column > 0).then_some(b"");
                for header in alone.into_iter().chain(start.names.headers_at(own + column)) {
                    let added = [&vec![b' '; column as usize][..], header].concat();
                    let headed = self.begun_with(hole, &start, &added);
                    let is_new = |headed: &Begun| found.iter().all(|one| one.text != headed.text);
                    if let Some(headed) = headed.filter(is_new) {
                        found.push(Begun { n_added: begun.n_added + 1, ..headed });
                    }
                }
            }
        }
        found
    }

    /// The beginnings of lines on the way through the grammar's witness, as far as names let it through, those of
    /// suites that it begins included; and its end, in front of a comment.
    fn line_starts(
        &self,
        hole: &mut OpenHole<'_>,
        begun: &Begun,
        value: &[u8],
    ) -> (Vec<Begun>, Begun) {
        let plain = shortest_witness(hole, &begun.place);
        let text = with_name(&plain.unwrap_or_default(), value);
        let text = text.strip_suffix(b"#").unwrap_or(&text);
        let mut found: Vec<Begun> = Vec::new();
        let mut at = begun.clone();
        for index in 0..=text.len() {
            if is_line_start(&at) {
                found.push(at.clone());
            } else if at.names.has_header() {
                found.extend(self.begun_with(hole, &at, b"\n").filter(is_line_start));
            }
            let Some(byte) = text.get(index..=index) else { break };
            let Some(next) = self.begun_with(hole, &at, byte) else { break };
            at = next;
        }
        (found, at)
    }

    /// The beginnings of lines behind the one in which a text was begun: in the suite of a header that ends there,
    /// and in front of a statement.
    fn next_line(&self, hole: &mut OpenHole<'_>, begun: &Begun) -> Vec<Begun> {
        let mut found: Vec<Begun> = Vec::new();
        let mut seen = vec![begun.place.clone()];
        let mut waiting = vec![begun.clone()];
        let mut n_tried = 0;
        while let Some(at) = waiting.pop() {
            let names = at.names.ends_of_name();
            let ends = names.iter().map(Vec::as_slice).chain(ENDS);
            let mut further = Vec::new();
            for end in ends {
                n_tried += 1;
                if n_tried > MAX_TRIED {
                    return found;
                }
                let Some(next) = self.begun_with(hole, &at, end) else { continue };
                if end != b"\n" {
                    if !seen.contains(&next.place) {
                        seen.push(next.place.clone());
                        further.push(next);
                    }
                } else if is_line_start(&next) && !next.names.has_header() {
                    found.push(next);
                    return found;
                } else if is_line_start(&next) && found.is_empty() {
                    found.push(next);
                }
            }
            waiting.extend(further.into_iter().rev());
        }
        found
    }
}

/// Whether a line begins here in which a statement may begin.
fn is_line_start(begun: &Begun) -> bool {
    begun.place.lexed.is_line_start && begun.names.is_between_statements()
}

/// The numbers of spaces that may come next in a line of width `own`, for the open suites or the one that must begin.
fn columns(start: &Begun, own: u32) -> Vec<u32> {
    let mut suites = start.names.suite_columns();
    if start.names.has_header() {
        suites.truncate(1);
        suites.iter_mut().for_each(|column| *column += 1);
    }
    let mut found: Vec<u32> = suites.iter().filter_map(|column| column.checked_sub(own)).collect();
    if own > 0 && !found.contains(&0) {
        found.push(0);
    }
    found
}
