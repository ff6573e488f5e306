//! The candidates for roots: all entrances of a right context, found by trying all raw states in all modes.

use std::sync::Arc;

use fim_lexer::frames::{Frame, FrameChange};
use fim_lexer::scanner::{EmissionId, RawState, Scanner, StateKind};
use fim_lexer::suffix::{Junction, junction};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::RightSide;
use super::beginnings::Beginnings;
use super::entrances::{Begun, Half, Root};
use crate::grammar::{Origin, Tables, begins_name};
use crate::right_context::{SurroundingMode, all, behind};

/// The raw states from which a root is entered.
#[derive(Debug, Default)]
pub(super) struct EnteredFrom {
    /// The states in the middle of a symbol, as origins.
    pub(super) within: Vec<Arc<Origin>>,
    /// The emissions of symbols that are complete in front of the root.
    pub(super) complete: Vec<EmissionId>,
}

/// The junction of some raw states with the text, and those states.
type Fate = (Junction, EnteredFrom);

impl RightSide {
    /// All roots that any raw state leads to, each with the states that lead there.
    pub(super) fn candidates(&self, tables: &Tables<'_>) -> Vec<(Root, EnteredFrom)> {
        let mut found: FxHashMap<Root, EnteredFrom> = FxHashMap::default();
        // Modes that begin in the same state share their fates.
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

    /// The fates of all raw states of a mode, states with the same fate together.
    fn fates(&self, tables: &Tables<'_>, start: RawState) -> Vec<Fate> {
        let (text, scanner) = (&*self.text, &tables.lexer.scanner);
        let mut within: FxHashMap<Junction, Vec<Arc<Origin>>> = FxHashMap::default();
        let mut add = |junction, origin: &Arc<Origin>| {
            within.entry(junction).or_default().push(Arc::clone(origin));
        };
        let outside = scanner.mode(start).filter(|&state| !scanner.kind(state).is_within());
        for state in outside.filter(|&state| self.may_join(scanner.kind(state))) {
            if let Some(found) = junction(tables.lexer, text, state, None) {
                add(found, &Arc::new(Origin::new(tables.reach, vec![state])));
            }
        }
        let first = tables.first_bytes.of(scanner, tables.reach, start, text.first().copied());
        for (junction, origin) in &first.skipped {
            add(*junction, origin);
        }
        let mut groups = Groups::default();
        for (index, onward) in first.onward.iter().enumerate() {
            if !onward.begins_name || has_name(tables, text, 1) {
                groups.lead_to(onward.state, &[index as u16]);
            }
        }
        let mut at = 1;
        loop {
            let alike = groups.take();
            if alike.is_empty() {
                break;
            }
            at += n_idle_bytes(tables, text, at, &alike);
            for alike in alike {
                if let Some(junction) = self.follow(tables, &alike, at, &mut groups) {
                    alike.origins.iter().for_each(|&index| {
                        add(junction, &first.onward[usize::from(index)].origin);
                    });
                }
            }
            at += 1;
        }
        let complete = first.complete.iter().map(|(junction, complete)| {
            (*junction, EnteredFrom { within: Vec::new(), complete: complete.clone() })
        });
        let within = within
            .into_iter()
            .map(|(junction, within)| (junction, EnteredFrom { within, complete: Vec::new() }));
        complete.chain(within).collect()
    }

    /// Reads the byte at `at` behind states that have become one: they lead to one state, or their symbol ends.
    #[inline]
    fn follow(
        &self,
        tables: &Tables<'_>,
        alike: &Alike,
        at: usize,
        groups: &mut Groups,
    ) -> Option<Junction> {
        let scanner = &tables.lexer.scanner;
        let state = alike.state;
        let next = self.text.get(at).map_or(RawState::DEAD, |&byte| scanner.next(state, byte));
        if next == RawState::DEAD {
            return Junction::end_of_symbol(scanner, state, at);
        }
        if !begins_name(scanner, state, next) || has_name(tables, &self.text, at + 1) {
            groups.lead_to(next, &alike.origins);
        }
        None
    }

    fn add_candidates(
        &self,
        tables: &Tables<'_>,
        frame: Option<Frame>,
        (junction, from): &Fate,
        found: &mut FxHashMap<Root, EnteredFrom>,
    ) {
        let scanner = &tables.lexer.scanner;
        let emission = junction.emission();
        let change =
            emission.map_or(FrameChange::Keep, |emission| scanner.emission(emission).change);
        for behind in behind(tables.lexer, frame, change) {
            let clean = clean_behind(scanner, *junction, frame, change, behind);
            let mode = SurroundingMode { frame: behind, clean };
            for &begun in Begun::all(tables.lexer, frame) {
                if begun != Begun::InMiddle && !matches!(junction, Junction::Clean { .. }) {
                    continue;
                }
                if let Some(entrance) = self.entrance(tables.lexer, *junction, begun) {
                    let known = found.entry(Root { entrance, mode, half: Half::Any }).or_default();
                    known.within.extend_from_slice(&from.within);
                    known.complete.extend_from_slice(&from.complete);
                }
            }
        }
    }
}

/// The states that the text has led to so far, each with all that led to it.
#[derive(Debug, Default)]
struct Groups {
    alike: Vec<Alike>,
    /// The index of each state in `alike`.
    places: FxHashMap<RawState, usize>,
}

/// A state that the text leads to, with its origins: indices of the states behind the first byte.
#[derive(Debug)]
struct Alike {
    state: RawState,
    origins: SmallVec<[u16; 8]>,
}

impl Groups {
    fn lead_to(&mut self, state: RawState, origins: &[u16]) {
        let place = *self.places.entry(state).or_insert(self.alike.len());
        match self.alike.get_mut(place) {
            Some(known) => known.origins.extend_from_slice(origins),
            None => self.alike.push(Alike { state, origins: SmallVec::from_slice(origins) }),
        }
    }

    /// Takes out all groups so far, to read on from them.
    fn take(&mut self) -> Vec<Alike> {
        self.places.clear();
        std::mem::take(&mut self.alike)
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
    let is_kept = change == FrameChange::Keep;
    match after {
        Some(_) if is_kept && scanner.kind(restart) == StateKind::Clean => restart,
        // Behind half a character the restart is in the middle of a line end.
        None if is_kept && scanner.is_branching() => restart,
        _ => scanner.behind(change, before, after),
    }
}

/// Whether a character's name stands at `at`, with the brace behind it.
fn has_name(tables: &Tables<'_>, text: &[u8], at: usize) -> bool {
    let length = text[at..].iter().position(|&byte| byte == b'}');
    length.is_some_and(|length| tables.lexer.is_name(&text[at..at + length]))
}

/// The number of bytes from `at` on that leave all states as they are, such as a long string's text.
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
