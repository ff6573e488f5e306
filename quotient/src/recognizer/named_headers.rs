//! Where a witness may begin the function or the loop that the lines behind the hole need.
//!
//! ```text
//! class A: pass
//! $0                  the grammar's shortest text is none at all, but `return` needs a function: `def f():`
//!     return 1
//! ```
//!
//! A header begins where a line does: on the way through the grammar's own witness, or behind a text that ends the
//! line in which the hole begins. The grammar tells how it goes on.

use super::Recognizer;
use super::named_witness::{Begun, with_name};
use crate::charts::Charts;
use crate::hole::Hole;

/// What ends a line, what is likely first: brackets, strings, and what other headers and clauses lack.
const ENDS: [&[u8]; 15] = [
    b"\n",
    b")",
    b"]",
    b"}",
    b"\"\"\"",
    b"'''",
    b"\"",
    b"'",
    b":",
    b" 0",
    b" in 0",
    b" else 0",
    b"()",
    b" import a",
    b"a",
];

/// So many texts are tried for the end of a line.
const MAX_TRIED: usize = 200;

/// A header is begun behind so many other additions at most: a function's, and that of a loop in it.
const MAX_HEADERS: usize = 1;

impl Recognizer {
    /// What was begun with headers that the lines behind need, wherever a line may begin.
    pub(super) fn with_headers(
        &self,
        charts: &mut Charts,
        hole: &mut Hole,
        begun: &Begun,
        value: &[u8],
    ) -> Vec<Begun> {
        let mut found = Vec::new();
        if begun.n_added > MAX_HEADERS || !begun.names.has_needs_behind() {
            return found;
        }
        let mut starts = self.line_starts(charts, hole, begun, value);
        starts.extend(self.next_line(charts, hole, begun));
        for start in starts {
            let own = start.place.lexed.line_column().wide;
            let columns = if own > 0 { vec![0] } else { start.names.suite_columns() };
            let missing = start.names.missing_suites();
            for column in columns {
                // A line in a suite of the left context may be all that is needed.
                let mut headers: Vec<&[u8]> = if column > 0 { vec![b""] } else { Vec::new() };
                for &(line, header) in missing.iter().filter(|(line, _)| own + column < *line) {
                    if !headers.contains(&header) && line > 0 {
                        headers.push(header);
                    }
                }
                for header in headers {
                    let added = [&vec![b' '; column as usize][..], header].concat();
                    let headed = self.begun_with(charts, hole, &start, &added);
                    found.extend(
                        headed.map(|headed| Begun { n_added: begun.n_added + 1, ..headed }),
                    );
                }
            }
        }
        found
    }

    /// Where lines begin on the way through the grammar's witness, as far as names let it through.
    fn line_starts(
        &self,
        charts: &mut Charts,
        hole: &mut Hole,
        begun: &Begun,
        value: &[u8],
    ) -> Vec<Begun> {
        let plain = hole.witness(self.session.language(), charts, &begun.place);
        let text = with_name(&plain.unwrap_or_default(), value);
        let mut found: Vec<Begun> = Vec::new();
        let mut at = begun.clone();
        for index in 0..=text.len() {
            if at.place.lexed.is_line_start && at.names.is_between_statements() {
                found.push(at.clone());
            }
            let Some(byte) = text.get(index..=index) else { break };
            let Some(next) = self.begun_with(charts, hole, &at, byte) else { break };
            at = next;
        }
        found
    }

    /// Behind the line in which the text was begun.
    fn next_line(&self, charts: &mut Charts, hole: &mut Hole, begun: &Begun) -> Option<Begun> {
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
                    return None;
                }
                let Some(next) = self.begun_with(charts, hole, &at, end) else { continue };
                let is_line_end = end == b"\n";
                if is_line_end && is_in_front_of_statement(&next) {
                    return Some(next);
                }
                if !is_line_end && !seen.contains(&next.place) {
                    seen.push(next.place.clone());
                    further.push(next);
                }
            }
            waiting.extend(further.into_iter().rev());
        }
        None
    }
}

/// Whether a line begins that belongs to no header in front.
fn is_in_front_of_statement(begun: &Begun) -> bool {
    begun.place.lexed.is_line_start
        && begun.names.is_between_statements()
        && !begun.names.has_header()
}
