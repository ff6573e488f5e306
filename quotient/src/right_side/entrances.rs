//! How the text in front of a right context enters it.
//!
//! A raw state of the lexer at the cut decides which symbol straddles it, or where clean reading begins. All
//! raw states together lead to a few roots, once their fates are put together.

use fim_lexer::fstring::{FStringRules, Frame, FrameChange, Quotes, change_frames};
use fim_lexer::lexer::LexState;
use fim_lexer::scanner::{EmissionId, RawState, Scanner, StateKind};
use fim_lexer::suffix::{Junction, Leading, junction, leading, next_line};
use fim_lexer::{Column, JoinedIndentation, Lexer, LineColumn};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{RightSide, RootIdx};
use crate::fstring_layers::representative;
use crate::suffix_charts::{Frames, Tables};
use crate::surroundings::surroundings;

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
    /// The cost of taking up the right context here.
    pub(super) fn cost(self) -> u32 {
        // A backslash and a line break must be written, and often a line in front of them.
        if matches!(self, Self::Joined(_)) { 2 } else { 0 }
    }
}

/// How far a line has come in front of what is read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Begun {
    /// It has a symbol; in 3.8, or a backslash.
    InMiddle,
    /// It has white space at most.
    AtStart,
    /// It has white space with a joined line break.
    Joined,
}

impl Begun {
    /// How far a line may have come in these surroundings.
    fn all(lexer: &Lexer, frames: &Frames) -> &'static [Self] {
        if lexer.layout().is_none() || !frames.is_empty() {
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

/// An entrance together with the f-strings around it (an index into [`RightSide::frames`]) and the
/// clean state there, which in them knows the quotes just read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Root {
    pub(crate) entrance: Entrance,
    pub(crate) frames: u16,
    pub(crate) clean: RawState,
}

/// What the text in front of a right context must do to enter it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// The symbol that is complete at the cut and not yet read.
    pub(crate) complete: Option<EmissionId>,
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
        let wanted = self.roots[usize::from(root.0)];
        let entered_from = &self.entered_from[usize::from(root.0)];
        let mut lexed = lexed.clone();
        tables.reach.shortest_text(
            lexed.raw,
            |state| self.is_led_to(root, state),
            |state| {
                // The bits are the states of all surroundings; where they may differ is asked.
                contains(entered_from, state) && {
                    lexed.raw = state;
                    let entry = self.entry(tables, &lexed);
                    entry.is_some_and(|entry| entry.complete.is_none() && entry.root == wanted)
                }
            },
        )
    }

    /// How the right context is entered from a state of the lexer.
    pub(crate) fn entry(&self, tables: &Tables<'_>, lexed: &LexState) -> Option<Entry> {
        if !self.may_join(tables.lexer.scanner.kind(lexed.raw)) {
            return None;
        }
        let frames = self.representative(tables, canonical(&lexed.frames));
        let found = junction(tables.lexer, &self.text, lexed.raw, lexed.name)?;
        let entrance = self.entrance(tables.lexer, found, Begun::of(lexed))?;
        let (frames, clean) = Crossing::of(tables, found).behind(tables, &frames)?;
        let frames = self.representative(tables, frames);
        let frames = *self.frames_index.get(&frames)?;
        let complete = match found {
            Junction::Complete { emission, .. } => Some(emission),
            _ => None,
        };
        Some(Entry { complete, root: Root { entrance, frames, clean } })
    }

    /// The surroundings that were tried for those that a text is in.
    fn representative(&self, tables: &Tables<'_>, frames: Frames) -> Frames {
        match tables.lexer.description.dialect.fstrings {
            FStringRules::Free => representative(&self.text, &self.left_frames, frames),
            FStringRules::Bounded => frames,
        }
    }

    /// Whether a backslash may be in progress in front of the right context: not if the line break
    /// that it joins, or the line behind that, is only there because we added it.
    fn may_join(&self, kind: StateKind) -> bool {
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

    fn entrance(&self, lexer: &Lexer, found: Junction, begun: Begun) -> Option<Entrance> {
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

    /// All roots that any raw state leads to, each with the raw states that enter it in the
    /// middle of a symbol.
    ///
    /// There may be thousands of surroundings, of which a symbol's end leaves few: how many fates lead
    /// behind it is looked at once for each of those.
    pub(super) fn candidates(&mut self, tables: &Tables<'_>) -> Vec<(Root, Vec<RawState>)> {
        let mut found: FxHashMap<Root, Vec<RawState>> = FxHashMap::default();
        // What becomes of a mode's states is the same in all surroundings.
        let mut modes: FxHashMap<RawState, Vec<(Crossing, Vec<Fate>)>> = FxHashMap::default();
        let fates_of = |start: RawState| {
            let mode = modes.entry(start).or_insert_with(|| self.fates(tables, start));
            mode.iter().flat_map(|(_, fates)| fates).map(|(junction, _)| *junction).collect()
        };
        let mut known = FxHashSet::default();
        for frames in surroundings(tables, &self.text, &self.left_frames, fates_of) {
            let start = tables.lexer.scanner.start(frames.last().copied());
            let mode = modes.entry(start).or_insert_with(|| self.fates(tables, start));
            let begun = Begun::all(tables.lexer, &frames);
            for (index, (crossing, fates)) in mode.iter().enumerate() {
                let Some((frames, clean)) = crossing.behind(tables, &frames) else { continue };
                let frames = self.index_of(self.representative(tables, frames));
                if known.insert((start, index, begun, frames, clean)) {
                    for fate in fates {
                        self.add_candidates(tables, fate, begun, frames, clean, &mut found);
                    }
                }
            }
        }
        let mut candidates: Vec<_> = found.into_iter().collect();
        candidates.sort_unstable_by_key(|(root, _)| *root);
        candidates
    }

    /// What becomes of all raw states of a mode, by what that means for the surroundings.
    fn fates(&self, tables: &Tables<'_>, start: RawState) -> Vec<(Crossing, Vec<Fate>)> {
        let mut alike: FxHashMap<Crossing, Vec<Fate>> = FxHashMap::default();
        for fate in self.junctions(tables, start) {
            alike.entry(Crossing::of(tables, fate.0)).or_default().push(fate);
        }
        alike.into_iter().collect()
    }

    /// What becomes of all raw states of a mode, states with the same fate together.
    fn junctions(&self, tables: &Tables<'_>, start: RawState) -> Vec<Fate> {
        let text = &*self.text;
        let scanner = &tables.lexer.scanner;
        let mut fates: FxHashMap<Junction, Vec<RawState>> = FxHashMap::default();
        let mut add = |junction: Junction, states: &[RawState]| {
            fates.entry(junction).or_default().extend_from_slice(states);
        };
        let mut groups: FxHashMap<RawState, Vec<RawState>> = FxHashMap::default();
        for state in scanner.mode(start) {
            match scanner.kind(state) {
                StateKind::Symbol | StateKind::CharacterName | StateKind::Comment => {
                    groups.insert(state, vec![state]);
                }
                kind => {
                    let found = junction(tables.lexer, text, state, None);
                    if let Some(found) = found.filter(|_| self.may_join(kind)) {
                        add(found, &[state]);
                    }
                }
            }
        }
        let mut at = 0;
        while !groups.is_empty() {
            let mut merged: FxHashMap<RawState, Vec<RawState>> = FxHashMap::default();
            for (state, origins) in groups {
                let next = text.get(at).map_or(RawState::DEAD, |&byte| scanner.next(state, byte));
                if next != RawState::DEAD {
                    if begins_name(scanner, state, next) && !has_name(tables, text, at + 1) {
                        continue;
                    }
                    merged.entry(next).or_default().extend(origins);
                } else if let Some(found) = Junction::end_of_symbol(scanner, state, at) {
                    add(found, &origins);
                }
            }
            at += 1;
            at += n_idle_bytes(tables, text, at, &merged);
            groups = merged;
        }
        fates.into_iter().collect()
    }

    fn add_candidates(
        &self,
        tables: &Tables<'_>,
        (junction, states): &Fate,
        begun: &[Begun],
        frames: u16,
        clean: RawState,
        found: &mut FxHashMap<Root, Vec<RawState>>,
    ) {
        for &begun in begun {
            if begun != Begun::InMiddle && !matches!(junction, Junction::Clean { .. }) {
                continue;
            }
            if let Some(entrance) = self.entrance(tables.lexer, *junction, begun) {
                let known = found.entry(Root { entrance, frames, clean }).or_default();
                if !matches!(junction, Junction::Complete { .. }) {
                    known.extend_from_slice(states);
                }
            }
        }
    }

    fn index_of(&mut self, frames: Frames) -> u16 {
        let fresh = self.frames.len() as u16;
        let known = &mut self.frames;
        *self.frames_index.entry(frames).or_insert_with_key(|frames| {
            known.push(frames.clone());
            fresh
        })
    }
}

pub(super) fn contains(states: &[u64], state: RawState) -> bool {
    states[state.index() / 64] & (1 << (state.index() % 64)) != 0
}

/// Raw states that end in the same way, and how.
type Fate = (Junction, Vec<RawState>);

/// What a junction does to the surroundings.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Crossing {
    change: FrameChange,
    /// The clean state behind it, where the surroundings stay and do not decide that.
    restart: Option<RawState>,
}

impl Crossing {
    fn of(tables: &Tables<'_>, junction: Junction) -> Self {
        let scanner = &tables.lexer.scanner;
        let change = junction
            .emission()
            .map_or(FrameChange::Keep, |emission| scanner.emission(emission).change);
        let restart = junction.restart();
        let is_kept = change == FrameChange::Keep && scanner.kind(restart) == StateKind::Clean;
        Self { change, restart: is_kept.then_some(restart) }
    }

    /// The frames behind the junction, and the clean state there.
    fn behind(self, tables: &Tables<'_>, frames: &Frames) -> Option<(Frames, RawState)> {
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

/// Whether the step between these states is the brace of `\N{`.
fn begins_name(scanner: &Scanner, state: RawState, next: RawState) -> bool {
    let is_in_name = |state| scanner.kind(state) == StateKind::CharacterName;
    is_in_name(next) && !is_in_name(state)
}

/// Whether a character's name stands at `at`, with the brace behind it.
fn has_name(tables: &Tables<'_>, text: &[u8], at: usize) -> bool {
    let length = text[at..].iter().position(|&byte| byte == b'}');
    length.is_some_and(|length| tables.lexer.is_name(&text[at..at + length]))
}

/// The number of bytes from `at` on that change none of the states, such as the text of a long
/// string.
fn n_idle_bytes(
    tables: &Tables<'_>,
    text: &[u8],
    at: usize,
    groups: &FxHashMap<RawState, Vec<RawState>>,
) -> usize {
    let Some(rest) = text.get(at..).filter(|_| !groups.is_empty()) else { return 0 };
    let scanner = &tables.lexer.scanner;
    let is_idle = |byte: u8| groups.keys().all(|&state| scanner.next(state, byte) == state);
    let mut known = [None; 256];
    let n_idle = rest
        .iter()
        .position(|&byte| !*known[usize::from(byte)].get_or_insert_with(|| is_idle(byte)));
    n_idle.unwrap_or(rest.len())
}
