//! Calls in a witness that end and begin anew, since the right context repeats their keywords.
//!
//! ```text
//! f(a=1, b$0
//!   a=2)              the grammar's shortest text is a comma; `=id)(` makes two calls of it
//! ```
//!
//! The call ends behind the grammar's own witness, which ends a string or a bracket, or within it, or behind the end
//! of a keyword, a comment or a string that the right context needs.

use super::{Begun, Search, with_name};
use crate::hole::OpenHole;
use crate::python_names::names_at::NamesAt;
use crate::python_names::reader::{FrameKind, OpenConstruct, Statement};

/// The quotes that strings end and begin with.
const QUOTES: [&[u8]; 4] = [b"\"", b"'", b"\"\"\"", b"'''"];

/// The quotes of strings that a replacement field may stand in.
const FIELD_QUOTES: [&[u8]; 2] = [b"\"", b"'"];

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

impl NamesAt {
    /// Texts that end a call with keywords and all constructs open in it, and begin a call with as many in it, the
    /// innermost call first. `column` is that of the statement.
    fn calls_anew(&self, column: u32) -> Vec<Vec<u8>> {
        let frames = self.reader.frames.iter().enumerate().rev();
        let calls = frames.filter(|(_, frame)| !frame.keywords.is_empty());
        let mut found = Vec::new();
        for (index, _) in calls {
            let inside = &self.reader.frames[index + 1..];
            let has_field = inside.iter().any(|frame| frame.kind == FrameKind::Field);
            for quote in if has_field { &FIELD_QUOTES[..] } else { &FIELD_QUOTES[..1] } {
                let ends: Vec<_> = inside.iter().rev().map(|frame| ending(frame, quote)).collect();
                let begins: Vec<_> = inside.iter().map(|frame| beginning(frame, quote)).collect();
                for between in self.between_calls(column) {
                    found.push([&ends.concat()[..], &between, &begins.concat()].concat());
                    // The right context may have nothing to do with a lambda that is open.
                    found.push([&ends.concat()[..], &between].concat());
                }
            }
        }
        found.dedup();
        found
    }

    /// The texts between the end of one call and the beginning of the next: of the value that the first returns, or
    /// of another one where nothing may be called.
    fn between_calls(&self, column: u32) -> Vec<Vec<u8>> {
        let indentation = vec![b' '; column as usize];
        let line = |begins: &[&[u8]]| [&[b"\n", &indentation[..]], begins].concat().concat();
        match self.reader.statement.kind() {
            Statement::Definition => vec![[b"):0", &line(&[b"class _("])[..]].concat()],
            Statement::Case => vec![b"),id(".to_vec()],
            Statement::Value => vec![b")(".to_vec(), [b")", &line(&[b"@id("])[..]].concat()],
            _ => vec![b")(".to_vec()],
        }
    }
}

/// The text that begins a frame like this, a replacement field with its string.
fn beginning(frame: &OpenConstruct, quote: &[u8]) -> Vec<u8> {
    match frame.kind {
        FrameKind::Group => b"(".to_vec(),
        FrameKind::List => b"[".to_vec(),
        FrameKind::Brace => b"{".to_vec(),
        FrameKind::Arguments => b"id(".to_vec(),
        FrameKind::Subscript => b"id[".to_vec(),
        FrameKind::Field => [b"f", quote, b"{"].concat(),
        FrameKind::Lambda => {
            let parameters: Vec<&[u8]> = frame.bound.iter().map(|name| &**name).collect();
            [b"lambda ", &parameters.join(&b","[..])[..], b":"].concat()
        }
        // None of these frames is within a call.
        FrameKind::Parameters | FrameKind::TypeParameters | FrameKind::ImportedNames => Vec::new(),
    }
}

/// The text that ends a frame like this.
fn ending(frame: &OpenConstruct, quote: &[u8]) -> Vec<u8> {
    match frame.kind {
        FrameKind::List | FrameKind::Subscript => b"]".to_vec(),
        FrameKind::Brace => b"}".to_vec(),
        FrameKind::Field => [b"}", quote].concat(),
        FrameKind::Lambda => Vec::new(),
        _ => b")".to_vec(),
    }
}
