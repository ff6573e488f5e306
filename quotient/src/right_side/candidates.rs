//! All ways in which a right context may be entered, found by trying all raw states in all modes.

use fim_lexer::frames::{Frame, FrameChange};
use fim_lexer::scanner::{EmissionId, RawState, Scanner, StateKind};
use fim_lexer::suffix::{Junction, junction};
use rustc_hash::FxHashMap;

use super::RightSide;
use super::beginnings::Beginnings;
use super::entrances::{Begun, Half, Root};
use crate::grammar::Tables;
use crate::right_context::{Mode, all, behind};

/// The raw states from which a root is entered.
#[derive(Debug, Default)]
pub(super) struct EnteredFrom {
    /// Those in the middle of a symbol.
    pub(super) within: Vec<RawState>,
    /// The symbols that are complete in front of it.
    pub(super) complete: Vec<EmissionId>,
}

/// Raw states that end in the same way, and how.
type Fate = (Junction, Vec<RawState>);

impl RightSide {
    /// All roots that any raw state leads to, each with where it is entered from.
    pub(super) fn candidates(&self, tables: &Tables<'_>) -> Vec<(Root, EnteredFrom)> {
        let mut found: FxHashMap<Root, EnteredFrom> = FxHashMap::default();
        // Modes that begin in the same state have their fates in common.
        let mut fates: FxHashMap<RawState, Vec<Fate>> = FxHashMap::default();
        for frame in self.frames(tables) {
            let start = tables.lexer.scanner.start(frame);
            let fates = fates.entry(start).or_insert_with(|| self.fates(tables, start));
            for fate in fates.iter() {
                self.add_candidates(tables, frame, fate, &mut found);
            }
        }
        let mut candidates: Vec<_> = found.into_iter().collect();
        candidates.sort_unstable_by_key(|(root, _)| *root);
        candidates
    }

    /// The frames that the text may begin in.
    fn frames(&self, tables: &Tables<'_>) -> Vec<Option<Frame>> {
        let mut frames = vec![None];
        if let Some(strings) = &tables.lexer.description.frames {
            let beginnings = Beginnings::new(strings, &tables.lexer.scanner, &self.text);
            let possible =
                all(tables.lexer).into_iter().filter(|&frame| beginnings.may_be_in(frame));
            frames.extend(possible.map(Some));
        }
        frames
    }

    /// What becomes of all raw states of a mode, states with the same fate together.
    fn fates(&self, tables: &Tables<'_>, start: RawState) -> Vec<Fate> {
        let text = &*self.text;
        let scanner = &tables.lexer.scanner;
        let mut fates: FxHashMap<Junction, Vec<RawState>> = FxHashMap::default();
        let mut add = |junction: Junction, states: &[RawState]| {
            fates.entry(junction).or_default().extend_from_slice(states);
        };
        let is_in_symbol = |kind| {
            matches!(kind, StateKind::Symbol | StateKind::CharacterName | StateKind::Comment)
        };
        for state in scanner.mode(start) {
            let kind = scanner.kind(state);
            if is_in_symbol(kind) || !self.may_join(kind) {
                continue;
            }
            if let Some(found) = junction(tables.lexer, text, state, None) {
                add(found, &[state]);
            }
        }
        let mut groups = Groups::of(scanner, start);
        let in_symbols = scanner.mode(start).filter(|&state| is_in_symbol(scanner.kind(state)));
        for state in in_symbols {
            let alike = groups.alone(state);
            self.follow(tables, alike, 0, &mut groups, &mut add);
        }
        let mut at = 1;
        loop {
            let alike = groups.take();
            if alike.is_empty() {
                return fates.into_iter().collect();
            }
            at += n_idle_bytes(tables, text, at, &alike);
            for alike in alike {
                self.follow(tables, alike, at, &mut groups, &mut add);
            }
            at += 1;
        }
    }

    /// Reads the byte at `at` behind states that are alike: they lead to one state again, or their symbol ends.
    #[inline]
    fn follow(
        &self,
        tables: &Tables<'_>,
        alike: Alike,
        at: usize,
        groups: &mut Groups,
        mut add: impl FnMut(Junction, &[RawState]),
    ) {
        let scanner = &tables.lexer.scanner;
        let state = alike.state;
        let next = self.text.get(at).map_or(RawState::DEAD, |&byte| scanner.next(state, byte));
        if next != RawState::DEAD {
            if begins_name(scanner, state, next) && !has_name(tables, &self.text, at + 1) {
                return;
            }
            groups.lead_to(next, alike);
        } else if let Some(found) = Junction::end_of_symbol(scanner, state, at) {
            add(found, &groups.origins(alike));
        }
    }

    fn add_candidates(
        &self,
        tables: &Tables<'_>,
        frame: Option<Frame>,
        (junction, states): &Fate,
        found: &mut FxHashMap<Root, EnteredFrom>,
    ) {
        let scanner = &tables.lexer.scanner;
        let emission = junction.emission();
        let change =
            emission.map_or(FrameChange::Keep, |emission| scanner.emission(emission).change);
        for behind in behind(tables.lexer, frame, change) {
            let clean = clean_behind(scanner, *junction, frame, change, behind);
            let mode = Mode { frame: behind, clean };
            for &begun in Begun::all(tables.lexer, frame) {
                if begun != Begun::InMiddle && !matches!(junction, Junction::Clean { .. }) {
                    continue;
                }
                if let Some(entrance) = self.entrance(tables.lexer, *junction, begun) {
                    let known = found.entry(Root { entrance, mode, half: Half::Any }).or_default();
                    match *junction {
                        Junction::Complete { emission, .. } => known.complete.push(emission),
                        _ => known.within.extend_from_slice(states),
                    }
                }
            }
        }
    }
}

/// The states of a mode, those together that the text has led to the same one. There are thousands, so
/// they are linked and not listed.
struct Groups {
    alike: Vec<Alike>,
    links: Vec<(RawState, u32)>,
    /// For each state of the mode where it is in `alike`. A symbol stays in its mode.
    places: Vec<u32>,
    first_state: usize,
}

/// A state that the text leads to, with the first and the last of the links to where from.
#[derive(Clone, Copy)]
struct Alike {
    state: RawState,
    first: u32,
    last: u32,
}

impl Groups {
    const END: u32 = u32::MAX;

    fn of(scanner: &Scanner, start: RawState) -> Self {
        let n_states = scanner.mode(start).count();
        let first_state = scanner.mode(start).map(RawState::index).min().unwrap_or(0);
        let links = Vec::with_capacity(n_states);
        Self { alike: Vec::new(), links, places: vec![Self::END; n_states], first_state }
    }

    /// A state as it is in front of the text.
    #[inline]
    fn alone(&mut self, state: RawState) -> Alike {
        let link = self.links.len() as u32;
        self.links.push((state, Self::END));
        Alike { state, first: link, last: link }
    }

    /// Puts states together with those that the text has led to the same one.
    #[inline]
    fn lead_to(&mut self, state: RawState, alike: Alike) {
        let place = &mut self.places[state.index() - self.first_state];
        match self.alike.get_mut(*place as usize) {
            Some(known) => {
                self.links[known.last as usize].1 = alike.first;
                known.last = alike.last;
            }
            None => {
                *place = self.alike.len() as u32;
                self.alike.push(Alike { state, ..alike });
            }
        }
    }

    /// Hands out what is together so far, to be read on.
    fn take(&mut self) -> Vec<Alike> {
        for alike in &self.alike {
            self.places[alike.state.index() - self.first_state] = Self::END;
        }
        std::mem::take(&mut self.alike)
    }

    fn origins(&self, alike: Alike) -> Vec<RawState> {
        let link = |index: u32| self.links.get(index as usize).copied();
        let links = std::iter::successors(link(alike.first), |&(_, next)| link(next));
        links.map(|(state, _)| state).collect()
    }
}

/// The clean state behind a junction with this effect, between these innermost frames.
pub(super) fn clean_behind(
    scanner: &Scanner,
    junction: Junction,
    before: Option<Frame>,
    change: FrameChange,
    after: Option<Frame>,
) -> RawState {
    let restart = junction.restart();
    let is_kept = change == FrameChange::Keep && scanner.kind(restart) == StateKind::Clean;
    match after {
        Some(_) if is_kept => restart,
        None if is_kept && scanner.is_branching() => restart,
        _ => scanner.behind(change, before, after),
    }
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
fn n_idle_bytes(tables: &Tables<'_>, text: &[u8], at: usize, groups: &[Alike]) -> usize {
    let Some(rest) = text.get(at..).filter(|_| !groups.is_empty()) else { return 0 };
    let scanner = &tables.lexer.scanner;
    let is_idle =
        |byte: u8| groups.iter().all(|alike| scanner.next(alike.state, byte) == alike.state);
    let mut known = [None; 256];
    let n_idle = rest
        .iter()
        .position(|&byte| !*known[usize::from(byte)].get_or_insert_with(|| is_idle(byte)));
    n_idle.unwrap_or(rest.len())
}
