//! Modes of places in a right context, as far as they decide how the text there reads: the innermost
//! of the strings and brackets around it, and no more.
//!
//! The mode farther out matters only once the innermost one ends. Then it is one of few, and which one
//! is settled by the rules: brackets must match, and so must the beginnings and ends of strings.

use fim_lexer::frames::{FieldRules, Frame, FrameChange, Quotes, StringContext};
use fim_lexer::lexer::Lexer;
use fim_lexer::scanner::RawState;
use smallvec::{SmallVec, smallvec};

/// The brackets and f-strings around a place.
pub(crate) type OpenFrames = SmallVec<[Frame; 8]>;

/// The mode that a place is in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct SurroundingMode {
    /// The innermost frame, as [`innermost`] gives it; `None` outside f-strings.
    pub(crate) frame: Option<Frame>,
    /// The clean state there, which in f-strings may know the quotes just read.
    pub(crate) clean: RawState,
}

/// The innermost frame in f-strings, and nothing outside: there brackets do not change how a text reads.
pub(crate) fn innermost(lexer: &Lexer, frames: &[Frame]) -> Option<Frame> {
    let is_inside = frames.iter().any(|frame| !frame.is_bracket());
    frames.last().filter(|_| is_inside).map(|&frame| canonical(lexer, frame))
}

/// Frames from the outermost f-string on, brackets without their kind: all of the surroundings
/// that changes how a text reads. In a specification around a field it makes no difference whether
/// there was a field before.
pub(crate) fn as_read(frames: &[Frame]) -> OpenFrames {
    let outermost = frames.iter().position(|frame| !frame.is_bracket());
    let inside = outermost.map_or(&frames[..0], |first| &frames[first..]);
    let mut frames: OpenFrames = inside
        .iter()
        .map(|&frame| match frame {
            Frame::Bracket(_, quotes) => Frame::Bracket(0, quotes),
            other => other,
        })
        .collect();
    let n_around = frames.len().saturating_sub(1);
    for frame in &mut frames[..n_around] {
        match *frame {
            Frame::Specification(context) if context.outer == Quotes::FREE => {
                *frame = Frame::LaterSpecification(context);
            }
            _ => {}
        }
    }
    frames
}

/// The frame without the parts that do not change how a text reads in it: the kind of bracket, and in code
/// all but the quotes that must not occur there.
pub(crate) fn canonical(lexer: &Lexer, frame: Frame) -> Frame {
    match frame {
        Frame::Bracket(_, quotes) => Frame::Bracket(0, quotes),
        Frame::Field(context) => Frame::Field(alike(lexer, context)),
        Frame::Converted(context) => Frame::Converted(alike(lexer, context)),
        Frame::BrokenSpecification(context) => Frame::BrokenSpecification(alike(lexer, context)),
        Frame::Text(_) | Frame::Specification(_) | Frame::LaterSpecification(_) => frame,
    }
}

/// The first of the contexts whose fields read alike.
fn alike(lexer: &Lexer, context: StringContext) -> StringContext {
    with_inner(lexer, context.inner()).first().copied().unwrap_or(context)
}

/// The contexts in whose fields these quotes must not occur.
fn with_inner(lexer: &Lexer, quotes: Quotes) -> &[StringContext] {
    lexer.description.frames.as_ref().map_or(&[], |frames| frames.with_inner(quotes))
}

/// The frames that may be innermost behind a symbol, where `frame` was in front of it and nothing is
/// known of what is around that.
pub(crate) fn behind(
    lexer: &Lexer,
    frame: Option<Frame>,
    change: FrameChange,
) -> SmallVec<[Option<Frame>; 4]> {
    let Some(frame) = frame else { return behind_outside(change) };
    let quotes = frame.quotes();
    match (frame, change) {
        (_, FrameChange::Keep) => smallvec![Some(frame)],
        (
            Frame::Bracket(..) | Frame::Field(_) | Frame::BrokenSpecification(_),
            FrameChange::Open(_),
        ) => {
            smallvec![Some(Frame::Bracket(0, quotes))]
        }
        (Frame::Bracket(..), FrameChange::Close(_)) => code(lexer, quotes, true),
        (Frame::Bracket(..) | Frame::Field(_), FrameChange::BeginText(beginning)) => {
            beginning.within(quotes).map(|context| Some(Frame::Text(context))).into_iter().collect()
        }
        (
            Frame::Text(context)
            | Frame::Specification(context)
            | Frame::LaterSpecification(context),
            FrameChange::BeginField,
        ) => smallvec![Some(Frame::Field(alike(lexer, context)))],
        (Frame::Text(context), FrameChange::EndText) => match context.outer {
            Quotes::NONE => smallvec![None],
            outer => {
                let mut found = code(lexer, outer, false);
                found.extend((outer == Quotes::FREE).then_some(None));
                found
            }
        },
        (Frame::Field(context), FrameChange::Convert) => smallvec![Some(Frame::Converted(context))],
        (Frame::Field(_) | Frame::Converted(_), FrameChange::BeginSpecification) => {
            let contexts = with_inner(lexer, quotes).iter();
            contexts.map(|&context| Some(Frame::Specification(context))).collect()
        }
        (Frame::Specification(context), FrameChange::EndSpecification) => {
            smallvec![Some(Frame::BrokenSpecification(alike(lexer, context)))]
        }
        (
            Frame::Field(_) | Frame::Converted(_) | Frame::BrokenSpecification(_),
            FrameChange::EndField,
        ) => with_inner(lexer, quotes).iter().flat_map(|&context| around_field(context)).collect(),
        (
            Frame::Specification(context) | Frame::LaterSpecification(context),
            FrameChange::EndField,
        ) => around_field(context).into_iter().collect(),
        _ => SmallVec::new(),
    }
}

fn behind_outside(change: FrameChange) -> SmallVec<[Option<Frame>; 4]> {
    match change {
        FrameChange::Keep | FrameChange::Open(_) | FrameChange::Close(_) => smallvec![None],
        FrameChange::BeginText(beginning) => {
            let begun = beginning.within(Quotes::NONE).into_iter();
            begun.map(|context| Some(Frame::Text(context))).collect()
        }
        _ => SmallVec::new(),
    }
}

/// The frames that code in f-strings may be directly inside of; brackets close where fields are broken, too.
fn code(lexer: &Lexer, quotes: Quotes, is_closed: bool) -> SmallVec<[Option<Frame>; 4]> {
    let any = with_inner(lexer, quotes).first().copied();
    let mut found = smallvec![Some(Frame::Bracket(0, quotes))];
    found.extend(any.map(|context| Some(Frame::Field(context))));
    if is_closed && has_broken_specifications(lexer) {
        found.extend(any.map(|context| Some(Frame::BrokenSpecification(context))));
    }
    found
}

/// Whether a specification may end with a line break, behind which its fields are code.
fn has_broken_specifications(lexer: &Lexer) -> bool {
    lexer
        .description
        .frames
        .as_ref()
        .is_some_and(|frames| frames.declaration().line_break.is_some())
}

/// The frames that may be around a field of this f-string.
fn around_field(context: StringContext) -> [Option<Frame>; 2] {
    let specification = match context.outer {
        Quotes::FREE => Frame::LaterSpecification(context),
        _ => Frame::Specification(context),
    };
    [Some(Frame::Text(context)), Some(specification)]
}

/// All frames that a text may begin in.
pub(crate) fn all(lexer: &Lexer) -> Vec<Frame> {
    let Some(frames) = &lexer.description.frames else { return Vec::new() };
    let mut found: Vec<Frame> = Vec::new();
    let declared = frames.declaration();
    for &context in frames.contexts() {
        found.push(Frame::Text(context));
        if declared.colon.is_some() {
            found.push(Frame::Specification(context));
            let is_free = frames.rules() == FieldRules::Free;
            found.extend(is_free.then_some(Frame::LaterSpecification(context)));
        }
        let quotes = context.inner();
        found.extend(
            [Frame::Bracket(0, quotes), Frame::Field(context)].map(|frame| canonical(lexer, frame)),
        );
        if declared.conversion.is_some() {
            found.push(canonical(lexer, Frame::Converted(context)));
        }
        if has_broken_specifications(lexer) {
            found.push(canonical(lexer, Frame::BrokenSpecification(context)));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
