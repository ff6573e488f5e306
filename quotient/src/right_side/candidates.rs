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
        let mut groups = Groups::default();
        for state in scanner.mode(start) {
            match scanner.kind(state) {
                StateKind::Symbol | StateKind::CharacterName | StateKind::Comment => {
                    groups.push(state);
                }
                kind => {
                    let found = junction(tables.lexer, text, state, None);
                    if let Some(found) = found.filter(|_| self.may_join(kind)) {
                        add(found, &[state]);
                    }
                }
            }
        }
        // A symbol stays in its mode.
        let first = scanner.mode(start).map(RawState::index).min().unwrap_or(0);
        let mut places = vec![usize::MAX; scanner.mode(start).count()];
        let mut at = 0;
        while !groups.alike.is_empty() {
            let mut merged: Vec<Alike> = Vec::new();
            for alike in std::mem::take(&mut groups.alike) {
                let state = alike.state;
                let next = text.get(at).map_or(RawState::DEAD, |&byte| scanner.next(state, byte));
                if next != RawState::DEAD {
                    if begins_name(scanner, state, next) && !has_name(tables, text, at + 1) {
                        continue;
                    }
                    match merged.get_mut(places[next.index() - first]) {
                        Some(known) => groups.join(known, alike),
                        None => {
                            places[next.index() - first] = merged.len();
                            merged.push(Alike { state: next, ..alike });
                        }
                    }
                } else if let Some(found) = Junction::end_of_symbol(scanner, state, at) {
                    add(found, &groups.origins(alike));
                }
            }
            merged.iter().for_each(|alike| places[alike.state.index() - first] = usize::MAX);
            at += 1;
            at += n_idle_bytes(tables, text, at, &merged);
            groups.alike = merged;
        }
        fates.into_iter().collect()
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

/// The states of a mode, those together that the text has led to the same one. There are a thousand, so
/// they are linked and not listed.
#[derive(Default)]
struct Groups {
    alike: Vec<Alike>,
    links: Vec<(RawState, u32)>,
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

    fn push(&mut self, state: RawState) {
        let link = self.links.len() as u32;
        self.links.push((state, Self::END));
        self.alike.push(Alike { state, first: link, last: link });
    }

    fn join(&mut self, known: &mut Alike, other: Alike) {
        self.links[known.last as usize].1 = other.first;
        known.last = other.last;
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
