//! First bytes: the steps by one byte of all raw states of a mode that are within a symbol.
//!
//! There are thousands, and most symbols end in front of the byte; the byte leads the others to a few dozen states. It
//! alone decides which, so they are worked out once for each byte that a right context begins with:
//!
//! ```text
//! in front of `a;`     an escape ends nowhere, an operator is complete, all beginnings of names and keywords lead to a
//!                      name or to a few keywords, strings, templates and comments go on as they are
//! ```

use std::sync::{Arc, Mutex, OnceLock};

use fim_lexer::frames::FrameChange;
use fim_lexer::reach::Reach;
use fim_lexer::scanner::{EmissionId, RawState, Scanner, StateKind};
use fim_lexer::suffix::Junction;
use rustc_hash::FxHashMap;

use crate::caches::lock;

/// The most bytes that are kept: a file has a few dozen at the beginnings of its symbols.
const MAX_KEPT: usize = 64;

type Known = FxHashMap<(RawState, Option<u8>), Arc<FirstByte>>;

/// The bytes that were asked so far, by where the mode begins; a text may also end at once.
#[derive(Debug, Default)]
pub(crate) struct FirstBytes {
    known: Mutex<Known>,
}

/// The steps by a byte of the states of a mode that are within a symbol.
#[derive(Debug, Default)]
pub(crate) struct FirstByte {
    /// Where symbols go on.
    pub(crate) onward: Vec<ByteStep>,
    /// The symbols that are complete in front of it, those together behind which the lexer stands alike; each with one
    /// of them as the junction.
    pub(crate) complete: Vec<(Junction, Vec<EmissionId>)>,
    /// The ignored symbols that are complete in front of it.
    pub(crate) skipped: Vec<(Junction, Arc<Origin>)>,
}

/// A state that the byte leads to.
#[derive(Debug)]
pub(crate) struct ByteStep {
    pub(crate) state: RawState,
    /// Whether the byte is the brace of `\N{`.
    pub(crate) begins_name: bool,
    pub(crate) origin: Arc<Origin>,
}

/// Raw states that a text does not tell apart.
#[derive(Debug)]
pub(crate) struct Origin {
    pub(crate) states: Box<[RawState]>,
    /// The least number of bytes that a symbol has in one of them.
    pub(crate) depth: u32,
    sets: OnceLock<OriginSets>,
}

/// The states of an origin as bits.
#[derive(Debug)]
pub(crate) struct OriginSets {
    pub(crate) states: Vec<u64>,
    /// All states that lead to one of them within the symbol.
    pub(crate) leading_to: Vec<u64>,
}

impl Origin {
    pub(crate) fn new(reach: &Reach, states: Vec<RawState>) -> Self {
        let depth = states.iter().map(|&state| reach.depth(state)).min().unwrap_or(1);
        Self { states: states.into(), depth, sets: OnceLock::new() }
    }
}

impl OriginSets {
    fn new(reach: &Reach, states: &[RawState]) -> Self {
        Self {
            states: reach.set_of_states(states.iter().copied()),
            leading_to: reach.states_leading_to(states.iter().copied()),
        }
    }
}

impl FirstBytes {
    /// The steps by the first byte of a text in the mode that begins in `start`.
    pub(crate) fn of(
        &self,
        scanner: &Scanner,
        reach: &Reach,
        start: RawState,
        byte: Option<u8>,
    ) -> Arc<FirstByte> {
        if let Some(found) = lock(&self.known).get(&(start, byte)) {
            return Arc::clone(found);
        }
        let found = Arc::new(FirstByte::new(scanner, reach, start, byte));
        let mut known = lock(&self.known);
        if known.len() >= MAX_KEPT {
            known.clear();
        }
        known.insert((start, byte), Arc::clone(&found));
        found
    }
}

impl FirstByte {
    fn new(scanner: &Scanner, reach: &Reach, start: RawState, byte: Option<u8>) -> Self {
        let mut onward: Vec<(RawState, bool, Vec<RawState>)> = Vec::new();
        let mut complete: Vec<(FrameChange, Junction, Vec<EmissionId>)> = Vec::new();
        let mut skipped: Vec<(Junction, Vec<RawState>)> = Vec::new();
        // Where a state is in `onward` that the byte leads to; the last one, if it is there twice.
        let mut places = vec![usize::MAX; scanner.n_states()];
        let mut is_seen = vec![false; scanner.n_emissions()];
        for state in scanner.mode(start).filter(|&state| scanner.kind(state).is_within()) {
            let next = byte.map_or(RawState::DEAD, |byte| scanner.next(state, byte));
            if next != RawState::DEAD {
                let begins_name = begins_name(scanner, state, next);
                let place = &mut places[next.index()];
                match onward.get_mut(*place) {
                    Some((_, is_alike, states)) if *is_alike == begins_name => states.push(state),
                    _ => {
                        *place = onward.len();
                        onward.push((next, begins_name, vec![state]));
                    }
                }
                continue;
            }
            let Some(junction) = Junction::end_of_symbol(scanner, state, 0) else { continue };
            let Some(emission) = junction.emission() else {
                match skipped.iter_mut().find(|(known, _)| *known == junction) {
                    Some((_, states)) => states.push(state),
                    None => skipped.push((junction, vec![state])),
                }
                continue;
            };
            let change = scanner.emission(emission).change;
            let is_alike = |known: Junction| known.restart() == junction.restart();
            match complete.iter_mut().find(|found| found.0 == change && is_alike(found.1)) {
                Some((.., emissions)) => emissions.push(emission),
                None => complete.push((change, junction, vec![emission])),
            }
        }
        for (.., emissions) in &mut complete {
            emissions
                .retain(|emission| !std::mem::replace(&mut is_seen[usize::from(emission.0)], true));
            emissions.iter().for_each(|emission| is_seen[usize::from(emission.0)] = false);
        }
        let origin = |states| Arc::new(Origin::new(reach, states));
        let onward = onward.into_iter().map(|(state, begins_name, states)| ByteStep {
            state,
            begins_name,
            origin: origin(states),
        });
        let skipped = skipped.into_iter().map(|(junction, states)| (junction, origin(states)));
        let complete = complete.into_iter().map(|(_, junction, emissions)| (junction, emissions));
        Self { onward: onward.collect(), complete: complete.collect(), skipped: skipped.collect() }
    }
}

/// The sets of several origins together.
pub(crate) fn sets_of(reach: &Reach, origins: &[Arc<Origin>]) -> OriginSets {
    let nothing = || reach.set_of_states(std::iter::empty());
    let mut found = OriginSets { states: nothing(), leading_to: nothing() };
    for origin in origins {
        let sets = origin.sets.get_or_init(|| OriginSets::new(reach, &origin.states));
        add(&mut found.states, &sets.states);
        add(&mut found.leading_to, &sets.leading_to);
    }
    found
}

fn add(set: &mut [u64], more: &[u64]) {
    set.iter_mut().zip(more).for_each(|(word, more)| *word |= more);
}

/// Whether the step between these states is the brace of `\N{`.
pub(crate) fn begins_name(scanner: &Scanner, state: RawState, next: RawState) -> bool {
    let is_in_name = |state| scanner.kind(state) == StateKind::CharacterName;
    is_in_name(next) && !is_in_name(state)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::grammar::{GrammarDescription, Language};

    const GRAMMARS: [&str; 2] = [
        include_str!("../../grammars/typescript.json"),
        include_str!("../../grammars/python-3.11.json"),
    ];

    #[test]
    fn each_state_is_where_reading_the_byte_leads_it() {
        for grammar in GRAMMARS {
            let language = Language::new(GrammarDescription::from_json(grammar).unwrap()).unwrap();
            let (scanner, reach) = (&language.lexer.scanner, &language.reach);
            let start = scanner.start(None);
            for byte in [None, Some(b'a'), Some(b'{'), Some(b'\n'), Some(b'"')] {
                let found = FirstByte::new(scanner, reach, start, byte);
                let (mut n_onward, mut complete) = (0, BTreeSet::new());
                for state in scanner.mode(start).filter(|&state| scanner.kind(state).is_within()) {
                    let next = byte.map_or(RawState::DEAD, |byte| scanner.next(state, byte));
                    let mut onward = found.onward.iter();
                    let place = onward.find(|onward| onward.origin.states.contains(&state));
                    assert_eq!(place.map_or(RawState::DEAD, |place| place.state), next);
                    n_onward += usize::from(next != RawState::DEAD);
                    let ended = Junction::end_of_symbol(scanner, state, 0);
                    complete.extend(
                        ended.filter(|_| next == RawState::DEAD).and_then(Junction::emission),
                    );
                }
                let states = found.onward.iter().map(|onward| onward.origin.states.len());
                assert_eq!(states.sum::<usize>(), n_onward);
                let told = found.complete.iter().flat_map(|(_, told)| told).copied();
                assert_eq!(told.collect::<BTreeSet<_>>(), complete);
            }
        }
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let language = Language::new(GrammarDescription::from_json(GRAMMARS[0]).unwrap()).unwrap();
        let (scanner, first_bytes) = (&language.lexer.scanner, FirstBytes::default());
        let of = |byte| first_bytes.of(scanner, &language.reach, scanner.start(None), Some(byte));
        assert!(Arc::ptr_eq(&of(b'a'), &of(b'a')));
        (0..=255).for_each(|byte| drop(of(byte)));
        assert!(lock(&first_bytes.known).len() <= MAX_KEPT);
    }
}
