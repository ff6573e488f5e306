//! One minimal byte automaton for a set of patterns.
//!
//! `regex-automata` determinizes all patterns at once, keeping every match (not only the
//! leftmost-first one), so that the automaton knows at each state which patterns match the text
//! so far. It reports matches one byte late; here acceptance is asked at the end of input
//! instead, and the states are minimized afterwards, which removes the doubled states again.

use std::hash::Hash;

use regex_automata::dfa::{Automaton as _, dense};
use regex_automata::util::start;
use regex_automata::{Anchored, MatchKind, util::syntax};
use rustc_hash::FxHashMap;

use super::minimal::{Rows, Sources, blocks};
use crate::description::LexiconError;

/// The state from which no text can be accepted.
pub(super) const DEAD: u32 = 0;

/// A minimal automaton over bytes; state 0 is dead.
#[derive(Clone, Debug)]
pub(super) struct ByteAutomaton {
    /// The successor of each state for each byte.
    pub(super) next: Vec<[u32; 256]>,
    /// The pattern that each state accepts: an index into those that it was built from.
    pub(super) accept: Vec<Option<u16>>,
    /// The state in which reading starts.
    pub(super) start: u32,
}

impl ByteAutomaton {
    /// Builds the automaton of `patterns`. Where several match one text, the one with the smallest index wins.
    #[cfg(test)]
    fn new(patterns: &[String]) -> Result<Self, LexiconError> {
        let all = (0..patterns.len()).collect();
        Ok(Self::of_selections(patterns, &[all])?.remove(0))
    }

    /// Builds one automaton for each selection of `patterns`. The pattern that stands first in a selection wins, and
    /// states accept it by its position there. Modes that have most patterns in common are determinized once, which
    /// is the greater part of the work.
    pub(super) fn of_selections(
        patterns: &[String],
        selections: &[Vec<usize>],
    ) -> Result<Vec<Self>, LexiconError> {
        let dfa = dense::Builder::new()
            .configure(
                dense::Config::new()
                    .match_kind(MatchKind::All)
                    .start_kind(regex_automata::dfa::StartKind::Anchored),
            )
            .syntax(syntax::Config::new().unicode(true).utf8(true))
            .build_many(patterns)
            .map_err(|error| LexiconError::new(format!("terminals do not compile: {error}")))?;
        let Explored { class_of_byte, targets, matches } = explore(&dfa)?;
        let rows = Rows { targets: &targets, n_classes: targets.len() / matches.len() };
        let sources = Sources::new(&rows);
        let automata = selections.iter().map(|selection| {
            let mut position: Vec<Option<u16>> = vec![None; patterns.len()];
            for (index, &pattern) in selection.iter().enumerate().rev() {
                position[pattern] = Some(index as u16);
            }
            let first = |matches: &Vec<u16>| {
                matches.iter().filter_map(|&pattern| position[usize::from(pattern)]).min()
            };
            let accept: Vec<Option<u16>> = matches.iter().map(first).collect();
            let is_live = live(&sources, &accept);
            let kept = |&target: &u32| if is_live[target as usize] { target } else { DEAD };
            let targets: Vec<u32> = targets.iter().map(kept).collect();
            let rows = Rows { targets: &targets, n_classes: rows.n_classes };
            minimal(&rows, &sources, &class_of_byte, &accept)
        });
        Ok(automata.collect())
    }
}

/// The states from which a text can be accepted. The others are sent to the dead state, so that "the automaton
/// goes on" means "a symbol may still come of this".
fn live(sources: &Sources, accept: &[Option<u16>]) -> Vec<bool> {
    let mut is_live: Vec<bool> = accept.iter().map(Option::is_some).collect();
    let mut todo: Vec<usize> = (0..is_live.len()).filter(|&state| is_live[state]).collect();
    while let Some(state) = todo.pop() {
        for source in sources.of(state).iter().map(|&source| source as usize) {
            if !std::mem::replace(&mut is_live[source], true) {
                todo.push(source);
            }
        }
    }
    is_live
}

/// The automaton without equivalent states. Its start is 1, and keeps no incoming edge: nothing loops back to "no
/// symbol begun yet".
fn minimal(
    rows: &Rows<'_>,
    sources: &Sources,
    class_of_byte: &[u8; 256],
    accept: &[Option<u16>],
) -> ByteAutomaton {
    let colour: Vec<u32> =
        accept.iter().map(|accept| accept.map_or(0, |index| u32::from(index) + 1)).collect();
    let block = blocks(rows, sources, &colour);
    debug_assert_eq!(block[DEAD as usize], 0, "the dead state is the first block");
    let n_blocks = block.iter().max().map_or(0, |&most| most as usize + 1);
    let mut found = ByteAutomaton {
        next: vec![[DEAD; 256]; n_blocks],
        accept: vec![None; n_blocks],
        start: block[1],
    };
    let mut is_known = vec![false; n_blocks];
    for (state, &merged) in block.iter().enumerate() {
        let merged = merged as usize;
        if std::mem::replace(&mut is_known[merged], true) {
            continue;
        }
        let row = rows.row(state);
        found.accept[merged] = accept[state];
        found.next[merged] = class_of_byte.map(|class| block[row[usize::from(class)] as usize]);
    }
    found
}

/// The states of an automaton, the dead one first and the start behind it.
struct Explored {
    class_of_byte: [u8; 256],
    /// For each state a target for each class of bytes.
    targets: Vec<u32>,
    /// The patterns that match in each state.
    matches: Vec<Vec<u16>>,
}

/// The states that `dfa` reaches.
fn explore(dfa: &dense::DFA<Vec<u32>>) -> Result<Explored, LexiconError> {
    let first = dfa
        .start_state(&start::Config::new().anchored(Anchored::Yes))
        .map_err(|error| LexiconError::new(format!("no start state: {error}")))?;
    let class_of_byte = std::array::from_fn(|byte| dfa.byte_classes().get(byte as u8));
    let bytes = representatives(&class_of_byte);
    let mut targets = vec![DEAD; bytes.len()];
    let mut matches = vec![Vec::new()];
    let mut ids = FxHashMap::default();
    ids.insert(first, 1_u32);
    let mut todo = vec![first];
    while let Some(&state) = todo.get(matches.len() - 1) {
        for &byte in &bytes {
            let state = dfa.next_state(state, byte as u8);
            if dfa.is_dead_state(state) || dfa.is_quit_state(state) {
                targets.push(DEAD);
                continue;
            }
            let n_ids = ids.len() as u32;
            targets.push(*ids.entry(state).or_insert_with(|| {
                todo.push(state);
                n_ids + 1
            }));
        }
        let end = dfa.next_eoi_state(state);
        let n_matches = if dfa.is_match_state(end) { dfa.match_len(end) } else { 0 };
        let pattern = |index| dfa.match_pattern(end, index).as_usize() as u16;
        matches.push((0..n_matches).map(pattern).collect());
    }
    Ok(Explored { class_of_byte, targets, matches })
}

/// Bytes that no state tells apart share a class; classes are numbered by their first bytes.
pub(super) fn byte_classes<State: Copy + Eq + Hash>(rows: &[[State; 256]]) -> [u8; 256] {
    // The first byte of each byte's class so far. Most rows tell apart nothing new.
    let mut first_of: [u8; 256] = [0; 256];
    for row in rows {
        let is_told_apart = (0..256).any(|byte| row[byte] != row[usize::from(first_of[byte])]);
        if is_told_apart {
            let mut ids: FxHashMap<(u8, State), u8> = FxHashMap::default();
            for (byte, first) in first_of.iter_mut().enumerate() {
                *first = *ids.entry((*first, row[byte])).or_insert(byte as u8);
            }
        }
    }
    let mut class_of_byte = [0; 256];
    let mut n_classes = 0_u16;
    for byte in 0..256 {
        let first = usize::from(first_of[byte]);
        if first == byte {
            class_of_byte[byte] = n_classes as u8;
            n_classes += 1;
        } else {
            class_of_byte[byte] = class_of_byte[first];
        }
    }
    class_of_byte
}

/// One byte for each class, in the order of the classes.
pub(super) fn representatives(class_of_byte: &[u8; 256]) -> Vec<usize> {
    let n_classes = usize::from(*class_of_byte.iter().max().expect("256 bytes")) + 1;
    (0..n_classes)
        .map(|class| {
            class_of_byte
                .iter()
                .position(|&candidate| usize::from(candidate) == class)
                .expect("classes are numbered without gaps")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepted(automaton: &ByteAutomaton, text: &str) -> Option<u16> {
        let mut state = automaton.start;
        for byte in text.bytes() {
            state = automaton.next[state as usize][usize::from(byte)];
        }
        automaton.accept[state as usize]
    }

    #[test]
    fn the_earlier_pattern_wins_and_longer_texts_go_on() {
        let automaton =
            ByteAutomaton::new(&["if".into(), "[a-z]+".into(), "[0-9]+".into()]).unwrap();
        assert_eq!(accepted(&automaton, "if"), Some(0));
        assert_eq!(accepted(&automaton, "iff"), Some(1));
        assert_eq!(accepted(&automaton, "12"), Some(2));
        assert_eq!(accepted(&automaton, "1a"), None);
    }

    #[test]
    fn each_selection_has_an_automaton_of_its_own() {
        let patterns = ["if".to_owned(), "[a-z]+".into(), "i.".into()];
        let automata =
            ByteAutomaton::of_selections(&patterns, &[vec![1, 0], vec![2], vec![0, 2]]).unwrap();
        let found = automata.iter().map(|automaton| accepted(automaton, "if"));
        assert_eq!(found.collect::<Vec<_>>(), [Some(0), Some(0), Some(0)]);
        let found = automata.iter().map(|automaton| accepted(automaton, "ix"));
        assert_eq!(found.collect::<Vec<_>>(), [Some(0), Some(0), Some(1)]);
        assert_eq!(automata[1].next[automata[1].start as usize][usize::from(b'a')], DEAD);
    }

    #[test]
    fn an_edge_that_leads_nowhere_is_dead() {
        let automaton = ByteAutomaton::new(&["a[b&&c]".into(), "ad".into()]).unwrap();
        assert_eq!(automaton.next[automaton.start as usize][usize::from(b'b')], DEAD);
        assert_ne!(automaton.next[automaton.start as usize][usize::from(b'a')], DEAD);
    }

    #[test]
    fn states_are_minimal() {
        let automaton = ByteAutomaton::new(&["(a|b)(c|d)".into()]).unwrap();
        assert_eq!(automaton.next.len(), 4, "dead, start, middle, end");
    }
}
