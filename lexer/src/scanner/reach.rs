//! The emissions that a symbol in progress can still become.

use super::{EmissionId, RawState, Scanner, StateKind};

/// For each raw state the emissions that it can still reach, and its neighbours: the states that it leads to and that
/// lead to it without leaving the symbol.
#[derive(Debug)]
pub struct Reach {
    n_words: usize,
    emissions: Vec<u64>,
    steps: Vec<(u8, RawState)>,
    first_step: Vec<u32>,
    sources: Vec<RawState>,
    first_source: Vec<u32>,
    depths: Vec<u32>,
}

impl Reach {
    /// Computes the closure of a scanner's steps.
    pub fn new(scanner: &Scanner) -> Self {
        let n_states = scanner.n_states();
        let n_words = scanner.n_emissions().div_ceil(64);
        let (steps, first_step) = steps_within_symbols(scanner);
        let (sources, first_source) = sources_of(&steps, &first_step, n_states);
        let emissions = vec![0; n_words * n_states];
        let depths = Vec::new();
        let mut reach =
            Self { n_words, emissions, steps, first_step, sources, first_source, depths };
        reach.close(scanner);
        reach.find_depths(scanner);
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

    /// Counts the bytes to each state from where symbols begin.
    fn find_depths(&mut self, scanner: &Scanner) {
        self.depths = vec![u32::MAX; self.n_states()];
        let mut states: Vec<RawState> = scanner.mode_starts().collect();
        let mut depth = 0;
        while !states.is_empty() {
            let mut behind = Vec::new();
            for state in states {
                let known = &mut self.depths[state.index()];
                if *known > depth {
                    *known = depth;
                    behind.extend(self.steps(state).iter().map(|&(_, target)| target));
                }
            }
            states = behind;
            depth += 1;
        }
    }

    /// The least number of bytes of a symbol that is in this state; 0 for a state without a symbol in progress.
    pub fn depth(&self, state: RawState) -> u32 {
        match self.depths[state.index()] {
            u32::MAX => 0,
            depth => depth,
        }
    }

    pub(crate) fn n_states(&self) -> usize {
        self.first_source.len() - 1
    }

    fn source_range(&self, target: RawState) -> std::ops::Range<usize> {
        let first = self.first_source[target.index()] as usize;
        first..self.first_source[target.index() + 1] as usize
    }

    /// The states behind one more byte of the same symbol, each once, with a byte that leads there.
    pub fn steps(&self, state: RawState) -> &[(u8, RawState)] {
        let first = self.first_step[state.index()] as usize;
        &self.steps[first..self.first_step[state.index() + 1] as usize]
    }

    /// The emissions that the symbol in progress (or, from a clean state, the next one) can become.
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

    /// The emissions of [`Self::emissions`] as a set of bits.
    #[inline]
    pub fn words(&self, state: RawState) -> &[u64] {
        &self.emissions[state.index() * self.n_words..][..self.n_words]
    }

    /// These states as a set of bits.
    pub fn set_of_states(&self, states: impl Iterator<Item = RawState>) -> Vec<u64> {
        let mut set = vec![0_u64; self.n_states().div_ceil(64)];
        for state in states {
            set[state.index() / 64] |= 1 << (state.index() % 64);
        }
        set
    }

    /// All states from which one of `targets` is reached within the symbol, as a set of bits.
    pub fn states_leading_to(&self, targets: impl Iterator<Item = RawState>) -> Vec<u64> {
        let mut found = vec![0_u64; self.n_states().div_ceil(64)];
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

/// The number of states of the scanner's table that a line of the processor's cache holds.
const STATES_AT_ONCE: usize = 32;

/// For each state its steps to the states behind one more byte of the same symbol, each with one byte that leads
/// there: of several the one that a person would write.
fn steps_within_symbols(scanner: &Scanner) -> (Vec<(u8, RawState)>, Vec<u32>) {
    let mut alphabet = scanner.alphabet().to_vec();
    alphabet.sort_by_key(|byte| (!byte.is_ascii_lowercase(), !byte.is_ascii_alphanumeric(), *byte));
    let mut steps = Vec::new();
    let mut first_step = vec![0, 0];
    // The state that led to each target last, instead of a set that is cleared for each state.
    let mut last_source = vec![RawState::DEAD; scanner.n_states()];
    // The scanner's table has a column for each byte: states that lie side by side in it are asked at once.
    let states: Vec<RawState> = scanner.states().collect();
    let mut rows = vec![RawState::DEAD; alphabet.len() * STATES_AT_ONCE];
    for sources in states.chunks(STATES_AT_ONCE) {
        for (index, &byte) in alphabet.iter().enumerate() {
            for (row, &source) in sources.iter().enumerate() {
                rows[row * alphabet.len() + index] = scanner.next(source, byte);
            }
        }
        for (row, &source) in rows.chunks_exact(alphabet.len()).zip(sources) {
            // Most bytes lead nowhere, or where the byte in front of them leads.
            let mut last = RawState::DEAD;
            for (&byte, &next) in alphabet.iter().zip(row) {
                if next == RawState::DEAD || std::mem::replace(&mut last, next) == next {
                    continue;
                }
                let mut note = |target: RawState| {
                    let kind = scanner.kind(target);
                    let is_within = kind.is_in_symbol() || kind == StateKind::Comment;
                    if is_within
                        && std::mem::replace(&mut last_source[target.index()], source) != source
                    {
                        steps.push((byte, target));
                    }
                };
                match scanner.fork(next) {
                    None => note(next),
                    Some(fork) => fork.states().for_each(note),
                }
            }
            first_step.push(steps.len() as u32);
        }
    }
    (steps, first_step)
}

/// The same steps, each found by its target.
fn sources_of(
    steps: &[(u8, RawState)],
    first_step: &[u32],
    n_states: usize,
) -> (Vec<RawState>, Vec<u32>) {
    let mut first_source = vec![0_u32; n_states + 1];
    for &(_, target) in steps {
        first_source[target.index() + 1] += 1;
    }
    for index in 0..n_states {
        first_source[index + 1] += first_source[index];
    }
    let mut free = first_source.clone();
    let mut sources = vec![RawState::DEAD; steps.len()];
    for source in 0..n_states {
        for &(_, target) in &steps[first_step[source] as usize..first_step[source + 1] as usize] {
            let slot = &mut free[target.index()];
            sources[*slot as usize] = RawState(source as u16);
            *slot += 1;
        }
    }
    (sources, first_source)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::description::{Layout, LexicalDescription, PatternKind, TerminalDescription};
    use crate::python::dialect::Dialect;

    pub(crate) fn scanner() -> Scanner {
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
            branching: None,
            frames: None,
            dialect: Dialect::NEWEST,
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
}
