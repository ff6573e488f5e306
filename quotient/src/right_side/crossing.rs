//! What the end of a symbol does to the f-strings and brackets around it, as far as they change how a
//! text reads.

use fim_lexer::fstring::{Frame, FrameChange, Quotes, change_frames};
use fim_lexer::scanner::{RawState, StateKind};
use fim_lexer::suffix::Junction;

use crate::suffix_charts::{Frames, Tables};

/// What a junction does to the surroundings.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Crossing {
    change: FrameChange,
    /// The clean state behind it, where the surroundings stay and do not decide that.
    restart: Option<RawState>,
}

impl Crossing {
    pub(super) fn of(tables: &Tables<'_>, junction: Junction) -> Self {
        let scanner = &tables.lexer.scanner;
        let change = junction
            .emission()
            .map_or(FrameChange::Keep, |emission| scanner.emission(emission).change);
        let restart = junction.restart();
        let is_kept = change == FrameChange::Keep && scanner.kind(restart) == StateKind::Clean;
        Self { change, restart: is_kept.then_some(restart) }
    }

    /// The frames behind the junction, and the clean state there.
    pub(super) fn behind(self, tables: &Tables<'_>, frames: &Frames) -> Option<(Frames, RawState)> {
        let scanner = &tables.lexer.scanner;
        let before = frames.last().copied();
        let frames = frames_after(frames, self.change)?;
        let restart = self.restart.filter(|_| !frames.is_empty());
        let clean =
            restart.unwrap_or_else(|| scanner.behind(self.change, before, frames.last().copied()));
        Some((frames, clean))
    }
}

/// Frames from the outermost f-string on, brackets without their kind: all of the surroundings
/// that changes how a text reads. In a specification around a field it makes no difference whether
/// there was a field before.
pub(crate) fn canonical(frames: &[Frame]) -> Frames {
    let outermost = frames.iter().position(|frame| !frame.is_bracket());
    let inside = outermost.map_or(&frames[..0], |first| &frames[first..]);
    let mut frames: Frames = inside
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

/// The frames behind a symbol. Outside f-strings, brackets do not change how a text reads.
fn frames_after(frames: &Frames, change: FrameChange) -> Option<Frames> {
    let mut after = frames.clone();
    let is_bracket = matches!(change, FrameChange::Open(_) | FrameChange::Close(_));
    if frames.is_empty() && is_bracket {
        return Some(after);
    }
    if !change_frames(&mut after, change) {
        return None;
    }
    Some(canonical(&after))
}
