//! Calls in a witness that end, since the right context repeats their keywords, and begin anew.

use super::NamesAt;
use super::frames::{FrameKind, OpenConstruct};
use super::open_statement::Statement;

/// The quotes of strings that a replacement field may stand in.
const QUOTES: [&[u8]; 2] = [b"\"", b"'"];

impl NamesAt {
    /// Texts that end a call with keywords and all constructs open in it, and begin a call with as many in it, the
    /// innermost call first. `column` is that of the statement.
    pub(super) fn calls_anew(&self, column: u32) -> Vec<Vec<u8>> {
        let frames = self.reader.frames.iter().enumerate().rev();
        let calls = frames.filter(|(_, frame)| !frame.keywords.is_empty());
        let mut found = Vec::new();
        for (index, _) in calls {
            let inside = &self.reader.frames[index + 1..];
            let has_field = inside.iter().any(|frame| frame.kind == FrameKind::Field);
            for quote in if has_field { &QUOTES[..] } else { &QUOTES[..1] } {
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
