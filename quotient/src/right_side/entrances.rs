//! Entrances: the ways in which the text in front of a right context enters it.
//!
//! A raw state of the lexer at the cut decides which symbol straddles it, or where clean reading begins. All raw
//! states together lead to a few roots, once states with the same fate are put together.
//!
//! In the paper: a symbol that straddles the cut, figure 6; here states that lead to the same place are one root.

use std::sync::Arc;

use fim_lexer::frames::{Frame, FrameChange, change_frames};
use fim_lexer::lexer::LexState;
use fim_lexer::scanner::{EmissionId, RawState, StateKind};
use fim_lexer::suffix::{Junction, Leading, leading, next_line};
use fim_lexer::{Column, JoinedIndentation, Lexer, LineColumn};

use super::candidates::clean_behind;
use super::{RightSide, RootIdx};
use crate::charts::SpellingIdx;
use crate::grammar::{BYTE, Origin, Tables};
use crate::right_context::{OpenFrames, SurroundingMode, innermost};

/// The place where a right context is entered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Entrance {
    /// In the middle of a line, with a symbol that begins at this offset or later.
    Middle(u32),
    /// The first symbol of a line begins behind this offset, its white space in front of it.
    LineStart(u32),
    /// The first symbol of a line begins behind this offset, in 3.9 and behind a joined line break: the line has the
    /// column of the one in front.
    Joined(u32),
    /// A line begins at this offset.
    Line(u32),
    /// This symbol ends at this offset and began in front of the right context.
    Straddle(EmissionId, u32),
}

impl Entrance {
    /// The offset from which on the text is read symbol by symbol.
    pub(super) fn at(self) -> usize {
        match self {
            Self::Middle(at)
            | Self::LineStart(at)
            | Self::Joined(at)
            | Self::Line(at)
            | Self::Straddle(_, at) => at as usize,
        }
    }
}

/// The entrances into a right context that are allowed.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) enum Ways {
    /// All entrances.
    #[default]
    All,
    /// The entrances on which no comment of the hole goes on in the right context: all text in front of them is
    /// blank, and no symbol ends there with this sign, which ends comments.
    InCode(Arc<[u8]>),
}

impl Ways {
    /// Whether a right context may be entered here.
    pub(super) fn may_take(&self, text: &[u8], entrance: Entrance) -> bool {
        let Self::InCode(comment_end) = self else { return true };
        let passed = text[..entrance.at()].trim_ascii_end();
        match entrance {
            Entrance::Straddle(..) => !passed.ends_with(comment_end),
            _ => passed.is_empty(),
        }
    }
}

/// The part of a line that stands in front of the text that is read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Begun {
    /// A symbol; in 3.8, or a backslash.
    InMiddle,
    /// White space at most.
    AtStart,
    /// White space with a joined line break.
    Joined,
}

impl Begun {
    /// The parts of a line that may stand in front of a text in this frame.
    pub(super) fn all(lexer: &Lexer, frame: Option<Frame>) -> &'static [Self] {
        if lexer.layout().is_none() || frame.is_some() {
            return &[Self::InMiddle];
        }
        match lexer.description.dialect.joined_indentation {
            JoinedIndentation::KeepsSuites => &[Self::InMiddle, Self::AtStart, Self::Joined],
            _ => &[Self::InMiddle, Self::AtStart],
        }
    }

    fn of(lexed: &LexState) -> Self {
        match lexed.joined_column {
            _ if !lexed.is_line_start => Self::InMiddle,
            None => Self::AtStart,
            Some(_) => Self::Joined,
        }
    }
}

/// A root: an entrance, and the mode in which reading goes on there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Root {
    pub(crate) entrance: Entrance,
    pub(crate) mode: SurroundingMode,
    /// The half of a straddling symbol that must stand in front of the cut.
    pub(crate) half: Half,
}

/// The half of a straddling symbol that must stand in front of the cut, for the sake of repeated names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Half {
    /// Any that the lexer allows.
    Any,
    /// Exactly this text.
    Exactly(SpellingIdx),
    /// The text that, with this end of a name behind it, is the name of the innermost rule around.
    OfName(SpellingIdx),
}

impl Root {
    /// The root of the same entrance that needs this half.
    pub(super) fn with(self, half: Half) -> Self {
        Self { half, ..self }
    }
}

/// The entry of a text into the right context behind it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// The emission of the symbol that is complete at the cut and not yet read.
    pub(crate) complete: Option<EmissionId>,
    /// The brackets and f-strings around the root.
    pub(crate) frames: OpenFrames,
    /// The root where reading goes on.
    pub(crate) root: Root,
}

impl RightSide {
    /// The shortest text that brings the symbol in progress to an entry of this root.
    pub(crate) fn shortest_entry(
        &self,
        tables: &Tables<'_>,
        lexed: &LexState,
        root: RootIdx,
    ) -> Option<Vec<u8>> {
        let any = self.roots[usize::from(root.0)].with(Half::Any);
        let entered_from = &self.entered_from[usize::from(root.0)];
        let mut lexed = lexed.clone();
        tables.reach.shortest_text(
            lexed.raw,
            |state| self.can_reach_entry(root, state),
            |state| {
                // The bits are states of all modes, so the mode is asked, too.
                contains(entered_from, state) && {
                    lexed.raw = state;
                    let entry = self.entry(tables, &lexed);
                    entry.is_some_and(|entry| entry.complete.is_none() && entry.root == any)
                }
            },
        )
    }

    /// The cost of entering this root behind a symbol that does not straddle the cut; if the entry is within a
    /// symbol, in one of the raw states of `within`.
    pub(super) fn entry_cost(
        &self,
        tables: &Tables<'_>,
        root: Root,
        within: &[Arc<Origin>],
    ) -> u32 {
        let lexer = tables.lexer;
        let own = match root.entrance {
            Entrance::Middle(0) | Entrance::LineStart(_) => 0,
            // In 3.8 the backslash of a joined line break has been counted as a symbol.
            Entrance::Middle(_) if lexer.layout().is_some_and(|layout| layout.joined.is_some()) => {
                0
            }
            // One byte begins a comment, a line break or the white space that it joins.
            Entrance::Middle(_) | Entrance::Joined(_) => 1,
            Entrance::Line(_) => match leading(lexer, &self.text, 0, Column::ZERO, None) {
                Leading::LineEnd(_) | Leading::TextEnd => 0,
                _ => 1,
            },
            Entrance::Straddle(..) if let Half::Exactly(half) = root.half => self.length_of(half),
            Entrance::Straddle(..) => within.iter().map(|origin| origin.depth).min().unwrap_or(1),
        };
        let quotes = match (root.entrance, root.mode.frame) {
            (Entrance::Straddle(..), _) | (_, None | Some(Frame::Bracket(..))) => 0,
            (
                _,
                Some(
                    Frame::Text(context)
                    | Frame::Field(context)
                    | Frame::Converted(context)
                    | Frame::Specification(context)
                    | Frame::LaterSpecification(context)
                    | Frame::BrokenSpecification(context),
                ),
            ) => bytes_of_quotes(lexer, &[Frame::Text(context)]),
        };
        BYTE * (own + quotes)
    }

    /// The width of the white space in front of the first symbol of a line that begins in front of the right context.
    pub(super) fn white_behind(&self, lexer: &Lexer, entrance: Entrance) -> u32 {
        let Entrance::LineStart(at) = entrance else { return 0 };
        match leading(lexer, &self.text, at as usize, Column::ZERO, None) {
            Leading::Symbol { column: LineColumn::At(column), .. } => column.narrow,
            _ => u32::MAX,
        }
    }

    /// The length of the shortest text that brings the symbol in progress to a state in which this root may be
    /// entered, depending on the surroundings.
    pub(crate) fn least_entry(
        &self,
        tables: &Tables<'_>,
        raw: RawState,
        root: RootIdx,
    ) -> Option<usize> {
        let entered_from = &self.entered_from[usize::from(root.0)];
        let may_lead = |state| self.can_reach_entry(root, state);
        let text = tables.reach.shortest_text(raw, may_lead, |state| contains(entered_from, state));
        text.map(|text| text.len())
    }

    /// The entry into the right context from a state of the lexer.
    pub(crate) fn entry(&self, tables: &Tables<'_>, lexed: &LexState) -> Option<Entry> {
        if !self.may_join(tables.lexer.scanner.kind(lexed.raw)) {
            return None;
        }
        let found = self.junctions.of(tables.lexer, &self.text, lexed)?;
        let entrance = self.entrance(tables.lexer, found, Begun::of(lexed))?;
        let (frames, change) = frames_behind(tables.lexer, found, &lexed.frames)?;
        let (before, frame) = (lexed.frames.last().copied(), innermost(tables.lexer, &frames));
        let clean = clean_behind(&tables.lexer.scanner, found, before, change, frame);
        let complete = match found {
            Junction::Complete { emission, .. } => Some(emission),
            _ => None,
        };
        let mode = SurroundingMode { frame, clean };
        Some(Entry { complete, frames, root: Root { entrance, mode, half: Half::Any } })
    }

    /// Whether a backslash may be in progress in front of the right context: not if the line break that it joins, or
    /// the line behind that, was only added by the engine.
    pub(super) fn may_join(&self, kind: StateKind) -> bool {
        match kind {
            StateKind::Backslash => self.n_own != 1 || self.text[0] != b'\n',
            StateKind::Continuation | StateKind::BackslashCarriageReturn => self.n_own > 0,
            _ => true,
        }
    }

    /// The column of the line in whose leading white space the cut is, if it is there.
    pub(crate) fn line_column(
        &self,
        lexer: &Lexer,
        entrance: Entrance,
        lexed: &LexState,
    ) -> Option<Column> {
        let Entrance::LineStart(at) = entrance else { return None };
        match leading(lexer, &self.text, at as usize, lexed.column, lexed.joined_column) {
            Leading::Symbol { column: LineColumn::At(column), .. } => Some(column),
            _ => None,
        }
    }

    /// Whether the line that is entered has the column of the one in front of it.
    pub(crate) fn keeps_suites(&self, lexer: &Lexer, entrance: Entrance) -> bool {
        let found = match entrance {
            Entrance::Joined(_) => return true,
            Entrance::LineStart(at) => leading(lexer, &self.text, at as usize, Column::ZERO, None),
            Entrance::Line(at) => next_line(lexer, &self.text, at as usize),
            Entrance::Middle(_) | Entrance::Straddle(..) => return false,
        };
        matches!(found, Leading::Symbol { column: LineColumn::Kept, .. })
    }

    pub(super) fn entrance(
        &self,
        lexer: &Lexer,
        found: Junction,
        begun: Begun,
    ) -> Option<Entrance> {
        let joining = lexer.description.dialect.joined_indentation;
        match found {
            Junction::Straddling { emission, at, .. } => {
                Some(Entrance::Straddle(emission, at as u32))
            }
            Junction::Complete { .. } => Some(Entrance::Middle(0)),
            Junction::Clean { at, .. } if begun == Begun::InMiddle => {
                Some(Entrance::Middle(at as u32))
            }
            Junction::Clean { at, is_line_start: true, .. } => Some(Entrance::Line(at as u32)),
            Junction::Clean { at, .. } => {
                match leading(lexer, &self.text, at, Column::ZERO, None) {
                    Leading::Symbol { .. } => match joining {
                        JoinedIndentation::FixesColumn => Some(Entrance::LineStart(at as u32)),
                        JoinedIndentation::KeepsSuites if begun == Begun::Joined => {
                            Some(Entrance::Joined(at as u32))
                        }
                        // Only a joined line break makes a line begin further on.
                        _ => (at == 0).then_some(Entrance::LineStart(0)),
                    },
                    Leading::LineEnd(next) => Some(Entrance::Line(next as u32)),
                    Leading::TextEnd => Some(Entrance::Line(self.text.len() as u32)),
                    Leading::Dead => None,
                }
            }
        }
    }
}

/// The frames behind a junction, and the change that leads to them; None if the frames in front do not allow it.
fn frames_behind(
    lexer: &Lexer,
    junction: Junction,
    frames: &OpenFrames,
) -> Option<(OpenFrames, FrameChange)> {
    let emission = junction.emission();
    let change =
        emission.map_or(FrameChange::Keep, |emission| lexer.scanner.emission(emission).change);
    let mut behind = frames.clone();
    change_frames(&mut behind, change).then_some((behind, change))
}

pub(super) fn contains(states: &[u64], state: RawState) -> bool {
    states[state.index() / 64] & (1 << (state.index() % 64)) != 0
}

/// The number of bytes by which the beginnings of the strings among these frames are longer than the shortest one.
pub(crate) fn bytes_of_quotes(lexer: &Lexer, frames: &[Frame]) -> u32 {
    let Some(strings) = &lexer.description.frames else { return 0 };
    let excess = |frame: &Frame| match frame {
        Frame::Text(context) => strings.excess(context.quote),
        _ => 0,
    };
    frames.iter().map(excess).sum()
}

/// The number of bytes by which this beginning of a string is longer than the shortest one.
pub(crate) fn bytes_of_quotes_begun(lexer: &Lexer, change: FrameChange) -> u32 {
    match (change, &lexer.description.frames) {
        (FrameChange::BeginText(beginning), Some(strings)) => {
            strings.excess(beginning.quoting.quote)
        }
        _ => 0,
    }
}
