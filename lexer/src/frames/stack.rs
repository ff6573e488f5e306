//! The stack of frames: the brackets and strings around a place, and how symbols change it. In Python, for one:
//!
//! ```text
//! f'a{b:>{w}}c'
//!   ^ ^ ^ ^  ^
//!   | | | |  text again, after two frames were left
//!   | | | code of a field: frames Text Specification Field
//!   | | specification: frames Text Specification
//!   | code of a field: frames Text Field
//!   text: frames Text
//! ```

use smallvec::SmallVec;

use super::quotes::{FieldRules, Quotes, StringBeginning, StringContext};

/// The most brackets that may be open at once: CPython's limit.
pub const MAX_BRACKETS: usize = 200;

/// The most strings that may be open at once, where they nest like brackets: CPython's limit, too.
const MAX_STRINGS: usize = 149;

/// An open bracket, or an open part of a string; the innermost frame decides the lexer's mode.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Frame {
    /// An open bracket, by its closer, with the quotes of the strings around it. The closer is
    /// 0 where only the right context is known and any closer will do.
    Bracket(u8, Quotes),
    /// The literal text of a string.
    Text(StringContext),
    /// A field of the string, at the field's own bracket level.
    Field(StringContext),
    /// A field after its conversion.
    Converted(StringContext),
    /// A format specification, in front of the first field in it.
    Specification(StringContext),
    /// A format specification behind a field in it, which reads differently where fields are free.
    LaterSpecification(StringContext),
    /// Behind the line break that ended a specification, where code is read.
    BrokenSpecification(StringContext),
}

impl Frame {
    /// Whether this is an open bracket.
    pub fn is_bracket(self) -> bool {
        matches!(self, Self::Bracket(..))
    }

    /// Whether code stands directly inside this frame, and not text of a string.
    pub fn is_code(self) -> bool {
        matches!(self, Self::Bracket(..) | Self::Field(_))
    }

    /// The quotes that must not occur in code directly inside this frame.
    pub fn quotes(self) -> Quotes {
        match self {
            Self::Bracket(_, quotes) => quotes,
            Self::Text(context)
            | Self::Field(context)
            | Self::Converted(context)
            | Self::Specification(context)
            | Self::LaterSpecification(context)
            | Self::BrokenSpecification(context) => context.inner(),
        }
    }
}

/// The effect of a complete symbol on the frames.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FrameChange {
    /// No change.
    Keep,
    /// An opening bracket, by its closer.
    Open(u8),
    /// A closing bracket.
    Close(u8),
    /// A string's prefix and quotes.
    BeginText(StringBeginning),
    /// A string's closing quotes.
    EndText,
    /// The opener of a field, in literal text or in a specification.
    BeginField,
    /// A conversion in a field: Python's `!r` and the like.
    Convert,
    /// The sign that begins a specification in a field: Python's `:`.
    BeginSpecification,
    /// A line break that ends a specification: the field's end must follow, or fields as code.
    EndSpecification,
    /// The closer of a field.
    EndField,
}

/// Whether a symbol with this effect may follow inside these frames, as the numbers of open brackets and strings are
/// limited. Bounded fields count brackets each for itself, as a text in brackets; where fields are free, all brackets
/// and fields count together, and so do strings.
pub fn may_change(frames: &[Frame], change: FrameChange) -> bool {
    let is_text = |frame: &&Frame| matches!(frame, Frame::Text(_));
    match change {
        FrameChange::Open(_) | FrameChange::BeginField => n_brackets(frames) < MAX_BRACKETS,
        FrameChange::BeginText(StringBeginning { rules: FieldRules::Free, .. }) => {
            frames.iter().filter(is_text).count() < MAX_STRINGS
        }
        _ => true,
    }
}

/// The number of brackets that count as open inside these frames.
fn n_brackets(frames: &[Frame]) -> usize {
    let innermost = frames.iter().rposition(|frame| !frame.is_bracket());
    match innermost {
        None => frames.len(),
        Some(index) if frames[index].quotes() == Quotes::FREE => {
            frames.iter().filter(|frame| !matches!(frame, Frame::Text(_))).count()
        }
        Some(index) => frames.len() - index,
    }
}

/// Applies a symbol's effect; false if it may not follow here.
pub fn change_frames(frames: &mut SmallVec<[Frame; 8]>, change: FrameChange) -> bool {
    may_change(frames, change) && change_frames_at_any_depth(frames, change)
}

/// Applies a symbol's effect, however many brackets and strings are open already.
pub fn change_frames_at_any_depth(frames: &mut SmallVec<[Frame; 8]>, change: FrameChange) -> bool {
    let innermost = frames.last().copied();
    match (change, innermost) {
        (FrameChange::Keep, _) => true,
        (FrameChange::Open(closer), _) => {
            let quotes = innermost.map(Frame::quotes).unwrap_or_default();
            frames.push(Frame::Bracket(closer, quotes));
            true
        }
        (FrameChange::Close(closer), Some(Frame::Bracket(expected, _))) => {
            frames.pop();
            closer == expected || expected == 0
        }
        (FrameChange::BeginText(beginning), _) => {
            let around = innermost.map(Frame::quotes).unwrap_or_default();
            let text = beginning.within(around).map(Frame::Text);
            frames.extend(text);
            text.is_some()
        }
        (FrameChange::EndText, Some(Frame::Text(_))) => frames.pop().is_some(),
        (
            FrameChange::BeginField,
            Some(
                Frame::Text(context)
                | Frame::Specification(context)
                | Frame::LaterSpecification(context),
            ),
        ) => {
            frames.push(Frame::Field(context));
            true
        }
        (FrameChange::Convert, Some(Frame::Field(context))) => {
            replace_innermost(frames, Frame::Converted(context))
        }
        (FrameChange::EndSpecification, Some(Frame::Specification(context))) => {
            replace_innermost(frames, Frame::BrokenSpecification(context))
        }
        (
            FrameChange::BeginSpecification,
            Some(Frame::Field(context) | Frame::Converted(context)),
        ) => replace_innermost(frames, Frame::Specification(context)),
        (
            FrameChange::EndField,
            Some(
                Frame::Field(_)
                | Frame::Converted(_)
                | Frame::Specification(_)
                | Frame::LaterSpecification(_)
                | Frame::BrokenSpecification(_),
            ),
        ) => {
            frames.pop();
            match frames.last().copied() {
                Some(Frame::Specification(context)) if context.outer == Quotes::FREE => {
                    replace_innermost(frames, Frame::LaterSpecification(context))
                }
                _ => true,
            }
        }
        _ => false,
    }
}

fn replace_innermost(frames: &mut SmallVec<[Frame; 8]>, frame: Frame) -> bool {
    frames.pop();
    frames.push(frame);
    true
}
