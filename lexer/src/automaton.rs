//! One minimal byte automaton for a set of patterns.
//!
//! `regex-automata` determinizes all patterns at once, keeping every match (not only the
//! leftmost-first one), so that the automaton knows at each state which patterns match the text
//! so far. It reports matches one byte late; here acceptance is asked at the end of input
//! instead, and the states are minimized afterwards, which removes the doubled states again.

use regex_automata::dfa::{Automaton as _, dense};
use regex_automata::util::start;
use regex_automata::{Anchored, MatchKind, util::syntax};
use rustc_hash::FxHashMap;

use crate::description::LexiconError;

/// The state from which no text can be accepted.
pub const DEAD: u32 = 0;

/// A minimal automaton over bytes; state 0 is dead.
#[derive(Clone, Debug)]
pub struct ByteAutomaton {
    /// The successor of each state for each byte.
    pub next: Vec<[u32; 256]>,
    /// What each state accepts: an index into the patterns that it was built from.
    pub accept: Vec<Option<u16>>,
    /// Where reading starts.
    pub start: u32,
}

impl ByteAutomaton {
    /// Builds the automaton of `patterns`. Where several match the same text, the one with the
    /// smallest index wins.
    pub fn new(patterns: &[String]) -> Result<Self, LexiconError> {
        let dfa = dense::Builder::new()
            .configure(
                dense::Config::new()
                    .match_kind(MatchKind::All)
                    .start_kind(regex_automata::dfa::StartKind::Anchored),
            )
            .syntax(syntax::Config::new().unicode(true).utf8(true))
            .build_many(patterns)
            .map_err(|error| LexiconError::new(format!("terminals do not compile: {error}")))?;
        Ok(Self::explore(&dfa)?.without_dead_ends().minimized())
    }

    fn explore(dfa: &dense::DFA<Vec<u32>>) -> Result<Self, LexiconError> {
        let first = dfa
            .start_state(&start::Config::new().anchored(Anchored::Yes))
            .map_err(|error| LexiconError::new(format!("no start state: {error}")))?;
        let mut automaton = Self { next: vec![[DEAD; 256]], accept: vec![None], start: 1 };
        let mut ids = FxHashMap::default();
        ids.insert(first, 1_u32);
        let mut todo = vec![first];
        while let Some(&state) = todo.get(automaton.next.len() - 1) {
            let mut row = [DEAD; 256];
            for byte in 0..=255_u8 {
                let target = dfa.next_state(state, byte);
                if dfa.is_dead_state(target) || dfa.is_quit_state(target) {
                    continue;
                }
                let n_ids = ids.len() as u32;
                row[usize::from(byte)] = *ids.entry(target).or_insert_with(|| {
                    todo.push(target);
                    n_ids + 1
                });
            }
            let end = dfa.next_eoi_state(state);
            let accept = dfa.is_match_state(end).then(|| {
                (0..dfa.match_len(end))
                    .map(|index| dfa.match_pattern(end, index).as_usize() as u16)
                    .min()
            });
            automaton.next.push(row);
            automaton.accept.push(accept.flatten());
        }
        Ok(automaton)
    }

    /// Sends every edge that can no longer lead to acceptance to the dead state, so that "the
    /// automaton goes on" means "a symbol may still come of this".
    fn without_dead_ends(mut self) -> Self {
        let mut sources = vec![Vec::new(); self.next.len()];
        for (source, row) in self.next.iter().enumerate() {
            let mut targets: Vec<u32> = row.to_vec();
            targets.sort_unstable();
            targets.dedup();
            for target in targets {
                sources[target as usize].push(source);
            }
        }
        let mut is_live: Vec<bool> = self.accept.iter().map(Option::is_some).collect();
        let mut todo: Vec<usize> = (0..is_live.len()).filter(|&state| is_live[state]).collect();
        while let Some(state) = todo.pop() {
            for &source in &sources[state] {
                if source != DEAD as usize && !is_live[source] {
                    is_live[source] = true;
                    todo.push(source);
                }
            }
        }
        for row in &mut self.next {
            for target in row.iter_mut().filter(|target| !is_live[**target as usize]) {
                *target = DEAD;
            }
        }
        self
    }

    /// Merges equivalent states (Moore's partition refinement) and drops unreachable ones. The
    /// start state keeps no incoming edge: nothing loops back to "no symbol begun yet".
    pub(crate) fn minimized(self) -> Self {
        let class_of_byte = byte_classes(&self.next);
        let representatives = representatives(&class_of_byte);
        let mut block: Vec<u32> = self
            .accept
            .iter()
            .map(|accept| accept.map_or(0, |index| u32::from(index) + 1))
            .collect();
        let mut n_blocks = 0;
        loop {
            let mut ids: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
            let mut refined = Vec::with_capacity(block.len());
            for (state, row) in self.next.iter().enumerate() {
                let mut signature = Vec::with_capacity(representatives.len() + 1);
                signature.push(block[state]);
                signature.extend(representatives.iter().map(|&byte| block[row[byte] as usize]));
                let fresh = ids.len() as u32;
                refined.push(*ids.entry(signature).or_insert(fresh));
            }
            let is_stable = ids.len() == n_blocks;
            n_blocks = ids.len();
            block = refined;
            if is_stable {
                break;
            }
        }
        debug_assert_eq!(block[DEAD as usize], 0, "the dead state is the first block");
        let mut minimal = Self {
            next: vec![[DEAD; 256]; n_blocks],
            accept: vec![None; n_blocks],
            start: block[self.start as usize],
        };
        for (state, row) in self.next.iter().enumerate() {
            let merged = block[state] as usize;
            minimal.accept[merged] = self.accept[state];
            for (target, &old) in minimal.next[merged].iter_mut().zip(row) {
                *target = block[old as usize];
            }
        }
        minimal
    }
}

/// Bytes that no state tells apart share a class.
pub(crate) fn byte_classes(rows: &[[u32; 256]]) -> [u8; 256] {
    let mut ids: FxHashMap<Vec<u32>, u8> = FxHashMap::default();
    let mut class_of_byte = [0; 256];
    for byte in 0..256 {
        let column: Vec<u32> = rows.iter().map(|row| row[byte]).collect();
        let fresh = ids.len() as u8;
        class_of_byte[byte] = *ids.entry(column).or_insert(fresh);
    }
    class_of_byte
}

/// One byte for each class, in the order of the classes.
pub(crate) fn representatives(class_of_byte: &[u8; 256]) -> Vec<usize> {
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
