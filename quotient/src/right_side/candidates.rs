//! All ways in which a right context may be entered, found by trying all raw states in all surroundings.

use fim_lexer::scanner::{RawState, Scanner, StateKind};
use fim_lexer::suffix::{Junction, junction};
use rustc_hash::{FxHashMap, FxHashSet};

use super::RightSide;
use super::crossing::Crossing;
use super::entrances::{Begun, Root};
use crate::suffix_charts::{Frames, Tables};
use crate::surroundings::surroundings;

/// Raw states that end in the same way, and how.
type Fate = (Junction, Vec<RawState>);

impl RightSide {
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
