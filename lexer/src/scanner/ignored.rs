//! Ignored text that does not let everything come behind it.
//!
//! A blank changes nothing about the symbols that may follow. A comment up to the end of its line does where line
//! breaks are not ignored: nothing but a line break can begin behind it.
//!
//! ```text
//! start: "0" "1"        %ignore /#[^\n]*/
//! 0#|                   whatever is written, it is a comment
//! ```
//!
//! A state in which ignored text is complete is *free* if, by way of ignored text and symbols that end in front of
//! others, a state is reached from which every symbol can begin. In the other states the text is *held*: it ends as
//! an emission of its own, one for all states behind which the same symbols may come, so that [`super::Adjacency`]
//! can say which those are. Real languages hold none (`no_grammar_here_holds_what_it_ignores`).

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Emission, EmissionId, RawState, Scanner};
use crate::frames::FrameChange;

impl Scanner {
    /// Gives ignored text emissions of its own in states that are not free.
    pub(super) fn hold_ignored(&mut self) {
        self.first_held = self.emissions.len();
        let ignored: Vec<RawState> =
            self.states().filter(|&state| self.is_ignored_in(state)).collect();
        let free = self.free(&ignored);
        let held = ignored.into_iter().filter(|state| !free[state.index()]);
        let mut emission_of: FxHashMap<Vec<RawState>, EmissionId> = FxHashMap::default();
        for state in held.collect::<Vec<_>>() {
            let begun = self.begun_behind(state);
            let id = *emission_of.entry(begun).or_insert_with(|| {
                self.emissions.push(Emission::of(Vec::new(), FrameChange::Keep));
                EmissionId(self.emissions.len() as u16 - 1)
            });
            self.accept[state.index()] = Some(id);
        }
    }

    /// Whether ignored text is complete in this state.
    fn is_ignored_in(&self, state: RawState) -> bool {
        self.accept(state).is_some_and(|id| self.emission(id).symbols.is_empty())
    }

    /// The states of symbols that may begin behind a symbol that is complete in this state.
    pub(super) fn begun_behind(&self, state: RawState) -> Vec<RawState> {
        let ends = |byte: &&u8| self.next(state, **byte) == RawState::DEAD;
        let is_kept = |id| self.emission(id).change == FrameChange::Keep;
        let mut begun: Vec<RawState> = Vec::new();
        let mut begin = |start| {
            let next = |&byte: &u8| self.targets(start, byte);
            begun.extend(self.alphabet().iter().filter(ends).flat_map(next));
        };
        match self.accept(state) {
            // The state does not know what is around the end of a string or of a field.
            Some(id) if !is_kept(id) => self.mode_starts().for_each(begin),
            _ => begin(self.restart(state)),
        }
        begun.retain(|&state| state != RawState::DEAD);
        begun.sort_unstable();
        begun.dedup();
        begun
    }

    /// For each state whether it is free, where ignored text is complete in it.
    fn free(&self, ignored: &[RawState]) -> Vec<bool> {
        let mut free = vec![false; self.n_states()];
        for &state in ignored {
            let goes_on = |&byte: &u8| {
                let next = self.next(state, byte);
                next == RawState::DEAD || next == self.next(self.restart(state), byte)
            };
            free[state.index()] = self.alphabet().iter().all(goes_on);
        }
        let mut rest: Vec<RawState> =
            ignored.iter().copied().filter(|state| !free[state.index()]).collect();
        loop {
            let n_rest = rest.len();
            rest.retain(|&state| {
                // The ignored text may also go on: Go's comments take the end of their line along, if there is one.
                let mut behind = self.begun_behind(state);
                behind.push(state);
                let is_free = self.leads_to(behind, &free);
                free[state.index()] = is_free;
                !is_free
            });
            if rest.len() == n_rest {
                return free;
            }
        }
    }

    /// Whether one of these states leads to one of `targets` within its symbol.
    fn leads_to(&self, states: Vec<RawState>, targets: &[bool]) -> bool {
        let mut todo = states;
        let mut seen: FxHashSet<RawState> = todo.iter().copied().collect();
        while let Some(state) = todo.pop() {
            if targets[state.index()] {
                return true;
            }
            let next = self.alphabet().iter().flat_map(|&byte| self.targets(state, byte));
            todo.extend(next.filter(|&next| next != RawState::DEAD && seen.insert(next)));
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::{Layout, LexicalDescription, PatternKind, TerminalDescription};
    use crate::python::dialect::Dialect;

    /// The number of held emissions, in a language of digits.
    fn check(ignored: &[&str], n_held: usize) {
        let terminal = |(index, pattern): (usize, &&str)| TerminalDescription {
            name: format!("IGNORED_{index}"),
            kind: PatternKind::Regex,
            pattern: (*pattern).into(),
            priority: 0,
            flags: None,
            emits: None,
        };
        let mut terminals: Vec<_> = ignored.iter().enumerate().map(terminal).collect();
        let ignore = terminals.iter().map(|terminal| terminal.name.clone()).collect();
        terminals.push(TerminalDescription { name: "DIGIT".into(), ..terminal((0, &"[0-9]")) });
        let description = LexicalDescription {
            layout: Layout::None,
            terminals,
            ignore,
            declared: Vec::new(),
            branching: None,
            frames: None,
            dialect: Dialect::NEWEST,
        };
        let scanner = Scanner::new(&description).unwrap();
        assert_eq!(scanner.held_emissions().count(), n_held, "{ignored:?}");
    }

    #[test]
    fn what_lets_everything_come_behind_it_is_free() {
        check(&[" +"], 0);
        check(&[" ", r"/\*[^*]*\*/"], 0);
        check(&["#[^\n]*", "\n"], 0);
    }

    #[test]
    fn what_must_be_followed_by_something_is_held() {
        check(&["#[^\n]*"], 1);
        check(&["#[^\n]*", "%[^\n]*"], 1);
        check(&["#[^\n]*", ";[^\n1]*"], 2);
    }
}
