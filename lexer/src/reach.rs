//! What a symbol in progress can still become.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::scanner::{EmissionId, RawState, Scanner, StateKind};

/// For each raw state the symbols that can still come of it, and the states that lead to it
/// without leaving the symbol.
#[derive(Debug)]
pub struct Reach {
    n_words: usize,
    emissions: Vec<u64>,
    sources: Vec<RawState>,
    first_source: Vec<u32>,
}

impl Reach {
    /// Computes the closure of a scanner's steps.
    pub fn new(scanner: &Scanner) -> Self {
        let n_states = scanner.n_states();
        let n_words = scanner.n_emissions().div_ceil(64);
        let mut steps: Vec<(RawState, RawState)> = Vec::new();
        for source in (1..n_states).map(|index| RawState(index as u16)) {
            let mut targets: Vec<RawState> =
                scanner.alphabet().iter().map(|&byte| scanner.next(source, byte)).collect();
            targets.sort_unstable();
            targets.dedup();
            let is_within = |target: &RawState| {
                let kind = scanner.kind(*target);
                kind.is_in_symbol() || kind == StateKind::Comment
            };
            steps.extend(targets.into_iter().filter(is_within).map(|target| (target, source)));
        }
        steps.sort_unstable();
        let mut first_source = vec![0_u32; n_states + 1];
        for &(target, _) in &steps {
            first_source[target.index() + 1] += 1;
        }
        for index in 0..n_states {
            first_source[index + 1] += first_source[index];
        }
        let sources = steps.into_iter().map(|(_, source)| source).collect();
        let mut reach =
            Self { n_words, emissions: vec![0; n_words * n_states], sources, first_source };
        reach.close(scanner);
        reach
    }

    fn close(&mut self, scanner: &Scanner) {
        let mut todo: Vec<RawState> = Vec::new();
        for state in (1..scanner.n_states()).map(|index| RawState(index as u16)) {
            if let Some(EmissionId(id)) = scanner.accept(state) {
                let word = state.index() * self.n_words + usize::from(id) / 64;
                self.emissions[word] |= 1 << (id % 64);
                todo.push(state);
            }
        }
        while let Some(target) = todo.pop() {
            for index in self.source_range(target) {
                let source = self.sources[index];
                let mut is_changed = false;
                for word in 0..self.n_words {
                    let found = self.emissions[target.index() * self.n_words + word];
                    let known = &mut self.emissions[source.index() * self.n_words + word];
                    is_changed |= found & !*known != 0;
                    *known |= found;
                }
                if is_changed {
                    todo.push(source);
                }
            }
        }
    }

    fn source_range(&self, target: RawState) -> std::ops::Range<usize> {
        let first = self.first_source[target.index()] as usize;
        first..self.first_source[target.index() + 1] as usize
    }

    /// The symbols that the symbol in progress (or, from a clean state, the next one) can become.
    pub fn emissions(&self, state: RawState) -> impl Iterator<Item = EmissionId> + '_ {
        let words = &self.emissions[state.index() * self.n_words..][..self.n_words];
        words.iter().enumerate().flat_map(|(word_idx, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(EmissionId((word_idx * 64) as u16 + bit as u16))
            })
        })
    }

    /// The same as a set of bits.
    #[inline]
    pub fn words(&self, state: RawState) -> &[u64] {
        &self.emissions[state.index() * self.n_words..][..self.n_words]
    }

    /// All states from which one of `targets` is reached within the symbol, as a set of bits.
    pub fn states_leading_to(&self, targets: impl Iterator<Item = RawState>) -> Vec<u64> {
        let mut found = vec![0_u64; (self.first_source.len() - 1).div_ceil(64)];
        let mut todo: Vec<RawState> = Vec::new();
        let mut visit = |state: RawState, todo: &mut Vec<RawState>| {
            let word = &mut found[state.index() / 64];
            if *word & (1 << (state.index() % 64)) == 0 {
                *word |= 1 << (state.index() % 64);
                todo.push(state);
            }
        };
        for target in targets {
            visit(target, &mut todo);
        }
        while let Some(target) = todo.pop() {
            for index in self.source_range(target) {
                visit(self.sources[index], &mut todo);
            }
        }
        found
    }
}

/// The shortest text from `from` to a state for which `is_goal` holds, within one symbol.
pub fn shortest_text(
    scanner: &Scanner,
    from: RawState,
    mut is_goal: impl FnMut(RawState) -> bool,
) -> Option<Vec<u8>> {
    let mut came_from: FxHashMap<RawState, (RawState, u8)> = FxHashMap::default();
    let mut todo = VecDeque::from([from]);
    let mut is_first = true;
    let alphabet = preferred(scanner.alphabet());
    while let Some(state) = todo.pop_front() {
        if is_goal(state) && (state != from || is_first) {
            let mut text = Vec::new();
            let mut state = state;
            while state != from {
                let (source, byte) = came_from[&state];
                text.push(byte);
                state = source;
            }
            text.reverse();
            return Some(text);
        }
        is_first = false;
        for &byte in &alphabet {
            let target = scanner.next(state, byte);
            let kind = scanner.kind(target);
            let is_within = kind.is_in_symbol() || kind == StateKind::Comment;
            if is_within && target != from && !came_from.contains_key(&target) {
                came_from.insert(target, (state, byte));
                todo.push_back(target);
            }
        }
    }
    None
}

/// The alphabet with letters in front: of two shortest texts, the one that a person would write.
fn preferred(alphabet: &[u8]) -> Vec<u8> {
    let mut bytes = alphabet.to_vec();
    bytes.sort_by_key(|byte| (!byte.is_ascii_lowercase(), !byte.is_ascii_alphanumeric(), *byte));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::{Layout, LexicalDescription, PatternKind, TerminalDescription};
    use crate::fstring::FStringRules;

    fn scanner() -> Scanner {
        let terminal = |name: &str, kind, pattern: &str| TerminalDescription {
            name: name.into(),
            kind,
            pattern: pattern.into(),
            priority: 0,
            flags: None,
            emits: None,
        };
        let terminals = vec![
            terminal("IF", PatternKind::Literal, "if"),
            terminal("NAME", PatternKind::Regex, "[a-z]+"),
            terminal("NUMBER", PatternKind::Regex, "0x[0-9]{2}"),
        ];
        let description = LexicalDescription {
            layout: Layout::None,
            terminals,
            ignore: Vec::new(),
            declared: Vec::new(),
            fstrings: FStringRules::Free,
        };
        Scanner::new(&description).unwrap()
    }

    /// The terminals, by their numbers, that the symbol begun like this can become.
    fn check(begun: &str, expected: &[u16]) {
        let scanner = scanner();
        let state =
            begun.bytes().fold(scanner.start(None), |state, byte| scanner.next(state, byte));
        let reach = Reach::new(&scanner);
        let emissions = reach.emissions(state);
        let mut found: Vec<u16> = emissions
            .flat_map(|emission| &scanner.emission(emission).symbols)
            .map(|id| id.0)
            .collect();
        found.sort_unstable();
        assert_eq!(found, expected, "{begun:?}");
    }

    #[test]
    fn a_symbol_in_progress_can_become_what_its_text_begins() {
        check("", &[0, 1, 2]);
        check("i", &[0, 1]);
        check("if", &[0, 1]);
        check("iff", &[1]);
        check("0x", &[2]);
        check("0x123", &[]);
    }

    #[test]
    fn the_shortest_text_to_a_terminal() {
        let scanner = scanner();
        let start = scanner.next(scanner.start(None), b'0');
        let text = shortest_text(&scanner, start, |state| scanner.accept(state).is_some());
        assert_eq!(text.map(|text| text.len()), Some(3));
        let end = scanner.next(scanner.start(None), b'i');
        assert_eq!(
            shortest_text(&scanner, end, |state| scanner.accept(state).is_some()),
            Some(vec![])
        );
        assert_eq!(shortest_text(&scanner, end, |_| false), None);
    }
}
