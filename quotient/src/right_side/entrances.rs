//! How the text in front of a right context enters it.
//!
//! A raw state of the lexer at the cut decides which symbol straddles it, or where clean reading begins. All
//! raw states together lead to a few roots, once their fates are put together.
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

/// How a right context is taken up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Entrance {
    /// In the middle of a line, with a symbol that begins at this offset or later.
    Middle(u32),
    /// The first symbol of a line begins behind this offset, its white space in front of it.
    LineStart(u32),
    /// The same in 3.9, behind a joined line break: the line stands where the one in front does.
    Joined(u32),
    /// A line begins at this offset.
    Line(u32),
    /// This symbol ends at this offset and began in front of the right context.
    Straddle(EmissionId, u32),
}

impl Entrance {
    /// The offset from which on the text is read.
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

/// Which ways into a right context are taken.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) enum Ways {
    /// All that there are.
    #[default]
    All,
    /// Those on which no comment of the hole goes on in the right context: what is passed over is blank, and no
    /// symbol ends there with the sign that ends comments.
    InCode(Arc<[u8]>),
}

impl Ways {
    /// Whether a right context is entered here.
    pub(super) fn may_take(&self, text: &[u8], entrance: Entrance) -> bool {
        let Self::InCode(comment_end) = self else { return true };
        let passed = text[..entrance.at()].trim_ascii_end();
        match entrance {
            Entrance::Straddle(..) => !passed.ends_with(comment_end),
            _ => passed.is_empty(),
        }
    }
}

/// How far a line has come in front of what is read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Begun {
    /// It has a symbol; in 3.8, or a backslash.
    InMiddle,
    /// It has white space at most.
    AtStart,
    /// It has white space with a joined line break.
    Joined,
}

impl Begun {
    /// How far a line may have come in front of a text in this frame.
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

/// An entrance, and the mode in which reading goes on there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Root {
    pub(crate) entrance: Entrance,
    pub(crate) mode: SurroundingMode,
    /// What stands in front of the cut of the symbol that straddles it.
    pub(crate) half: Half,
}

/// What must stand in front of the cut of a symbol that straddles it, for the sake of names that are said again.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Half {
    /// What the lexer allows.
    Any,
    /// This name.
    Exactly(SpellingIdx),
    /// What makes it, with the end of this one, the name of the innermost rule around.
    OfName(SpellingIdx),
}

impl Root {
    /// The same whatever stands in front of the cut.
    pub(super) fn with(self, half: Half) -> Self {
        Self { half, ..self }
    }
}

/// What the text in front of a right context must do to enter it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// The symbol that is complete at the cut and not yet read.
    pub(crate) complete: Option<EmissionId>,
    /// The brackets and f-strings around where reading goes on.
    pub(crate) frames: OpenFrames,
    /// Where reading goes on.
    pub(crate) root: Root,
}

impl RightSide {
    /// The shortest text that brings the symbol in progress to where this root is entered.
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
                // The bits are the states of all modes; where they may differ is asked.
                contains(entered_from, state) && {
                    lexed.raw = state;
                    let entry = self.entry(tables, &lexed);
                    entry.is_some_and(|entry| entry.complete.is_none() && entry.root == any)
                }
            },
        )
    }

    /// The cost of taking up the right context here, behind a symbol that is no part of it: in one of
    /// these raw states, if within a symbol.
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
            // The beginning of a comment, of a line break or of white space that it joins.
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

    /// The white space in front of the first symbol of a line that begins in front of the right context.
    pub(super) fn white_behind(&self, lexer: &Lexer, entrance: Entrance) -> u32 {
        let Entrance::LineStart(at) = entrance else { return 0 };
        match leading(lexer, &self.text, at as usize, Column::ZERO, None) {
            Leading::Symbol { column: LineColumn::At(column), .. } => column.narrow,
            _ => u32::MAX,
        }
    }

    /// The length of the shortest text that brings the symbol in progress to where this root may be
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

    /// How the right context is entered from a state of the lexer.
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

    /// Whether a backslash may be in progress in front of the right context: not if the line break
    /// that it joins, or the line behind that, is only there because we added it.
    pub(super) fn may_join(&self, kind: StateKind) -> bool {
        match kind {
            StateKind::Backslash => self.n_own != 1 || self.text[0] != b'\n',
            StateKind::Continuation | StateKind::BackslashCarriageReturn => self.n_own > 0,
            _ => true,
        }
    }

    /// The column of the line that the cut is in the leading white space of, if the cut is there.
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

    /// Whether the line that is entered stands where the one in front of it does.
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

/// The frames behind a junction, and what it does to them. Outside f-strings it may close brackets of which
/// nothing is known.
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

/// The bytes by which the beginnings of the strings among these frames are longer than the shortest one.
pub(crate) fn bytes_of_quotes(lexer: &Lexer, frames: &[Frame]) -> u32 {
    let Some(strings) = &lexer.description.frames else { return 0 };
    let excess = |frame: &Frame| match frame {
        Frame::Text(context) => strings.excess(context.quote),
        _ => 0,
    };
    frames.iter().map(excess).sum()
}

/// The same for a symbol that begins a string.
pub(crate) fn bytes_of_quotes_begun(lexer: &Lexer, change: FrameChange) -> u32 {
    match (change, &lexer.description.frames) {
        (FrameChange::BeginText(beginning), Some(strings)) => {
            strings.excess(beginning.quoting.quote)
        }
        _ => 0,
    }
}
