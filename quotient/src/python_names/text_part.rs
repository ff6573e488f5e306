//! The part of a file that is being read, and the names that are judged there.
//!
//! One reader goes through all three parts, so that a name which begins in one may end in the next:
//!
//! ```text
//! import os; o|s.path + su|m(rows)
//! Context       Hole       Rest
//! ```
//!
//! A context is its author's: the reader remembers the names that it uses, and refuses nothing. In the hole, and in
//! the right context's part of its last line, all symbols are checked, and the names that begin in the hole's text
//! are judged: `sum` is. A word that the left context has begun is judged if a visible name begins like it, as `os`
//! does; else it is its author's.

use super::reader::NamesReader;

/// A part of a file, with the span of the names that are judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TextPart {
    /// A context: the names that it uses are remembered, and nothing is refused.
    Context,
    /// The text of the hole.
    Hole(JudgedSpan),
    /// The continuation in the right context, read for the sake of names that wait.
    Rest(JudgedSpan),
}

/// The span of the offsets where judged names begin.
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

    /// Whether faults are refused in this part, which is no context.
    pub(super) fn is_checked(self) -> bool {
        self != Self::Context
    }

    /// Whether a name that begins at this offset is judged.
    pub(super) fn judges(self, start: i64) -> bool {
        match self {
            Self::Context => false,
            Self::Hole(span) | Self::Rest(span) => span.from <= start && start < span.until,
        }
    }

    /// Whether a name that begins at this offset was begun by a context, so that it is not judged.
    pub(super) fn is_begun_before(self, start: i64) -> bool {
        match self {
            Self::Context => true,
            Self::Hole(span) | Self::Rest(span) => start < span.from,
        }
    }
}

impl NamesReader {
    /// Begins the text of a hole, in which names are judged that begin at an offset or behind it.
    pub(super) fn begin_hole(&mut self, from: i64) {
        self.part = TextPart::Hole(JudgedSpan { from, until: i64::MAX });
    }

    /// Notes that the text of the hole ends at an offset.
    pub(super) fn end_text(&mut self, until: i64) {
        match &mut self.part {
            TextPart::Context => {}
            TextPart::Hole(span) | TextPart::Rest(span) => span.until = until,
        }
    }

    /// Begins the right context's text.
    pub(super) fn begin_rest(&mut self) {
        if let TextPart::Hole(span) = self.part {
            self.part = TextPart::Rest(span);
        }
    }
}
