//! The shortest text that takes the lexer from a state to a goal, within one symbol.
//!
//! The search is breadth first and looks only where the goal can still be reached: the automaton
//! has thousands of states, and the way to `finally` leads past seven of them.

use super::reach::Reach;
use super::{EmissionId, RawState, Scanner};

/// A state that was found, the entry that it was found from, and the byte in between.
struct Found {
    state: RawState,
    from: u32,
    byte: u8,
}

impl Reach {
    /// The shortest text from `from` to a state for which `is_goal` holds. Only states for which
    /// `may_lead` holds are looked at on the way.
    pub fn shortest_text(
        &self,
        from: RawState,
        may_lead: impl Fn(RawState) -> bool,
        mut is_goal: impl FnMut(RawState) -> bool,
    ) -> Option<Vec<u8>> {
        let mut is_known = vec![0_u64; self.n_states().div_ceil(64)];
        let mut visit = |state: RawState| {
            let word = &mut is_known[state.index() / 64];
            let bit = 1 << (state.index() % 64);
            let is_fresh = *word & bit == 0;
            *word |= bit;
            is_fresh && may_lead(state)
        };
        visit(from);
        let mut found = vec![Found { state: from, from: 0, byte: 0 }];
        let mut next = 0;
        while let Some(&Found { state, .. }) = found.get(next) {
            if is_goal(state) {
                return Some(text_to(&found, next));
            }
            for &(byte, target) in self.steps(state) {
                if visit(target) {
                    found.push(Found { state: target, from: next as u32, byte });
                }
            }
            next += 1;
        }
        None
    }

    /// The shortest text from `from` to the end of a symbol with a wanted emission.
    pub fn shortest_symbol(
        &self,
        scanner: &Scanner,
        from: RawState,
        mut is_wanted: impl FnMut(EmissionId) -> bool,
    ) -> Option<Vec<u8>> {
        let mut wanted = vec![0_u64; scanner.n_emissions().div_ceil(64)];
        for index in 0..scanner.n_emissions() {
            wanted[index / 64] |= u64::from(is_wanted(EmissionId(index as u16))) << (index % 64);
        }
        self.shortest_text(
            from,
            |state| {
                self.words(state).iter().zip(&wanted).any(|(found, wanted)| found & wanted != 0)
            },
            |state| {
                let emission = scanner.accept(state).map(|EmissionId(id)| usize::from(id));
                emission.is_some_and(|id| wanted[id / 64] & (1 << (id % 64)) != 0)
            },
        )
    }

    /// For each emission the length of the shortest text from `from` to its end, of at least one byte, whose first
    /// byte `may_begin` allows; `usize::MAX` for emissions that cannot be reached.
    pub fn lengths(
        &self,
        scanner: &Scanner,
        from: RawState,
        may_begin: impl Fn(u8) -> bool,
    ) -> Vec<usize> {
        let begin = scanner.alphabet().iter().filter(|&&byte| may_begin(byte));
        let mut states: Vec<RawState> =
            begin.flat_map(|&byte| scanner.targets(from, byte)).collect();
        states.retain(|&state| self.words(state).iter().any(|&word| word != 0));
        let mut lengths = vec![usize::MAX; scanner.n_emissions()];
        self.lengths_from(scanner, states, &mut |EmissionId(id), length| {
            lengths[usize::from(id)] = length + 1;
        });
        lengths
    }

    /// The emissions that the symbol in progress may become, each with the number of bytes that it lacks.
    pub fn remainders(&self, scanner: &Scanner, from: RawState) -> Vec<(EmissionId, u32)> {
        let mut found = Vec::new();
        self.lengths_from(scanner, vec![from], &mut |id, length| found.push((id, length as u32)));
        found
    }

    /// Tells the distance of each emission that is reached from `states`.
    fn lengths_from(
        &self,
        scanner: &Scanner,
        states: Vec<RawState>,
        tell: &mut impl FnMut(EmissionId, usize),
    ) {
        let mut states = states;
        let mut is_told = vec![false; scanner.n_emissions()];
        let mut is_known = vec![false; self.n_states()];
        for state in &states {
            is_known[state.index()] = true;
        }
        let mut length = 0;
        while !states.is_empty() {
            let mut behind = Vec::new();
            for state in states {
                if let Some(id) = scanner.accept(state)
                    && !std::mem::replace(&mut is_told[usize::from(id.0)], true)
                {
                    tell(id, length);
                }
                for &(_, target) in self.steps(state) {
                    if !std::mem::replace(&mut is_known[target.index()], true) {
                        behind.push(target);
                    }
                }
            }
            states = behind;
            length += 1;
        }
    }
}

/// The bytes on the way to an entry.
fn text_to(found: &[Found], mut index: usize) -> Vec<u8> {
    let mut text = Vec::new();
    while index != 0 {
        text.push(found[index].byte);
        index = found[index].from as usize;
    }
    text.reverse();
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scanner::reach::tests::scanner;

    /// The shortest text behind `begun` that makes it the terminal of this number.
    fn check(begun: &str, terminal: u16, expected: Option<&str>) {
        let scanner = scanner();
        let reach = Reach::new(&scanner);
        let state =
            begun.bytes().fold(scanner.start(None), |state, byte| scanner.next(state, byte));
        let text = reach.shortest_symbol(&scanner, state, |emission| {
            scanner.emission(emission).symbols.iter().any(|id| id.0 == terminal)
        });
        assert_eq!(text.as_deref(), expected.map(str::as_bytes), "{begun:?}");
    }

    #[test]
    fn the_shortest_text_to_a_terminal() {
        check("", 0, Some("if"));
        check("i", 0, Some("f"));
        check("i", 1, Some(""));
        check("if", 1, Some("a"));
        check("iff", 0, None);
        check("", 2, Some("0x00"));
        check("0", 2, Some("x00"));
    }

    #[test]
    fn a_goal_that_is_never_met_ends_the_search() {
        let scanner = scanner();
        let reach = Reach::new(&scanner);
        assert_eq!(reach.shortest_text(scanner.start(None), |_| true, |_| false), None);
    }
}
