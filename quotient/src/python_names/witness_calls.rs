//! Calls in a witness that end and begin anew, since the right context repeats their keywords.
//!
//! ```text
//! f(a=1, b$0
//!   a=2)              the grammar's shortest text is a comma; `=id)(` makes two calls of it
//! ```
//!
//! The call ends behind the grammar's own witness, which ends a string or a bracket, or within it, or behind the end
//! of a keyword, a comment or a string that the right context needs.

use super::witnesses::{Begun, Search, with_name};
use crate::hole::OpenHole;

/// The quotes that strings end and begin with.
const QUOTES: [&[u8]; 4] = [b"\"", b"'", b"\"\"\"", b"'''"];

/// The most additions in front of a call's end: the rest of a name.
const MAX_IN_FRONT: usize = 1;

impl Search {
    /// A text that ends open calls and begins others, if it fits behind the text that was begun; `plain` is the
    /// grammar's. `words` end the name that the right context goes on with.
    pub(super) fn with_calls_anew(
        &self,
        hole: &mut OpenHole<'_>,
        begun: &Begun,
        plain: &[u8],
        (value, words): (&[u8], &[Vec<u8>]),
    ) -> Option<Vec<u8>> {
        if begun.n_added > MAX_IN_FRONT || !begun.names.has_keywords() {
            return None;
        }
        let named = with_name(plain, value);
        let (pair, member) = ([b"0:", value].concat(), [value, b"."].concat());
        let own = [b"", value, b"_", &member, &pair, b"#"];
        let keyword = [b"=", value].concat();
        let mut ways: Vec<(&[u8], &[u8])> = vec![(&named, b""), (&keyword, b""), (b"\n", b"")];
        ways.extend(QUOTES.map(|quote| (quote, quote)));
        ways.extend((0..named.len()).rev().map(|at| named.split_at(at)));
        for (front, rest) in ways {
            let Some(ended) = self.begun_with(hole, begun, front) else { continue };
            let column = ended.place.lexed.indents.last().map_or(0, |column| column.wide);
            for anew in ended.names.calls_anew(column) {
                let Some(again) = self.begun_with(hole, &ended, &anew) else { continue };
                let ends = own.into_iter().chain(words.iter().map(Vec::as_slice));
                let ends = ends.flat_map(|end| [[rest, end].concat(), end.to_vec()]);
                for text in ends {
                    if self.is_whole(hole, &again.place, &again.names, &text) {
                        return Some([front, &anew, &text].concat());
                    }
                }
            }
        }
        None
    }
}
