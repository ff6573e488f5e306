//! Which part of a file is being read, and whose names are judged there.
//!
//! One reader goes through all three parts, so that a name which begins in one may end in the next:
//!
//! ```text
//! import os; o|s.path + su|m(rows)
//! Context       Hole       Rest
//! ```
//!
//! What a context has is its author's: the reader remembers what that uses, and refuses nothing. In the hole, and in
//! what the right context makes of it, all is checked, and names are judged that begin in the text: `sum` is. A word
//! that the left context has begun is judged if a visible name begins like it, as `os` does; else it is its author's.

use super::reader::NamesReader;

/// A part of a file, with what is judged from there on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TextPart {
    /// A context: what it uses is remembered, and nothing is refused.
    Context,
    /// The text of the hole.
    Hole(JudgedSpan),
    /// What the right context goes on with, for the sake of names that wait.
    Rest(JudgedSpan),
}

/// Where names begin that are judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct JudgedSpan {
    from: i64,
    until: i64,
}

impl TextPart {
    pub(super) fn is_hole(self) -> bool {
        matches!(self, Self::Hole(_))
    }

    pub(super) fn is_rest(self) -> bool {
        matches!(self, Self::Rest(_))
    }

    /// Whether what is wrong in it is refused: it is no context's.
    pub(super) fn is_checked(self) -> bool {
        self != Self::Context
    }

    /// Whether a name is judged that begins at an offset.
    pub(super) fn judges(self, start: i64) -> bool {
        match self {
            Self::Context => false,
            Self::Hole(span) | Self::Rest(span) => span.from <= start && start < span.until,
        }
    }

    /// Whether what begins at an offset has been begun by a context, which is beyond judgement.
    pub(super) fn is_begun_before(self, start: i64) -> bool {
        match self {
            Self::Context => true,
            Self::Hole(span) | Self::Rest(span) => start < span.from,
        }
    }
}

impl NamesReader {
    /// The text of a hole begins, of which names are judged that begin at an offset or behind it.
    pub(super) fn begin_hole(&mut self, from: i64) {
        self.part = TextPart::Hole(JudgedSpan { from, until: i64::MAX });
    }

    /// The text of the hole is known to end at an offset.
    pub(super) fn end_text(&mut self, until: i64) {
        match &mut self.part {
            TextPart::Context => {}
            TextPart::Hole(span) | TextPart::Rest(span) => span.until = until,
        }
    }

    /// What follows is the right context's.
    pub(super) fn begin_rest(&mut self) {
        if let TextPart::Hole(span) = self.part {
            self.part = TextPart::Rest(span);
        }
    }
}
