//! The symbols that may begin right behind another one.
//!
//! The longest match decides where a symbol ends, so not everything may follow: behind `a`, `b` goes on with the same
//! name, and behind a symbol that takes a line break along no other symbol begins with one. Text that the grammar
//! ignores between symbols counts as a symbol here.

use super::reach::Reach;
use super::{EmissionId, RawState, Scanner};
use crate::description::TerminalId;

/// For each terminal the states that a symbol behind it may begin with, as sets of bits.
#[derive(Debug)]
pub struct Adjacency {
    /// For each terminal, the words of its set that are not zero: a symbol that has just begun is in few states.
    begun: Vec<Vec<(u16, u64)>>,
    /// The states of symbols that may begin behind ignored text that is [held](Scanner::is_held).
    begun_behind_held: Vec<Vec<RawState>>,
    first_held: usize,
}

impl Adjacency {
    /// Finds the symbols that may begin behind each of `n_terminals`, with ignored text in between or without.
    pub fn new(scanner: &Scanner, reach: &Reach, n_terminals: usize) -> Self {
        let mut begun = vec![Vec::new(); n_terminals];
        let mut begun_behind_ignored: Vec<Vec<RawState>> = vec![Vec::new(); scanner.n_emissions()];
        for state in scanner.states() {
            let Some(id) = scanner.accept(state) else { continue };
            let found = match scanner.emission(id).symbols.last() {
                None => &mut begun_behind_ignored[usize::from(id.0)],
                Some(terminal) => match begun.get_mut(terminal.index()) {
                    Some(found) => found,
                    None => continue,
                },
            };
            found.extend(scanner.begun_behind(state));
        }
        for found in &mut begun {
            add_behind_ignored(reach, &begun_behind_ignored, found);
        }
        let behind_held = |EmissionId(id): EmissionId| {
            let mut found = begun_behind_ignored[usize::from(id)].clone();
            add_behind_ignored(reach, &begun_behind_ignored, &mut found);
            found
        };
        let words = |found: Vec<RawState>| {
            let set = reach.set_of_states(found.into_iter());
            let words = set.into_iter().enumerate().filter(|&(_, word)| word != 0);
            words.map(|(index, word)| (index as u16, word)).collect()
        };
        let begun = begun.into_iter().map(words).collect();
        let first_held =
            scanner.held_emissions().next().map_or(0, |EmissionId(id)| usize::from(id));
        Self {
            begun,
            begun_behind_held: scanner.held_emissions().map(behind_held).collect(),
            first_held,
        }
    }

    /// Whether a symbol behind this one may be in one of these states after its first byte.
    pub fn may_begin_behind(&self, terminal: TerminalId, states: &[u64]) -> bool {
        let mut begun = self.begun[terminal.index()].iter();
        begun.any(|&(index, word)| states[usize::from(index)] & word != 0)
    }

    /// The states, after its first byte, of a symbol behind ignored text that is [held](Scanner::is_held).
    pub fn begun_behind_held(&self, EmissionId(id): EmissionId) -> &[RawState] {
        &self.begun_behind_held[usize::from(id) - self.first_held]
    }
}

/// Adds the states of symbols that may begin behind the ignored text that the symbols in these states may become.
fn add_behind_ignored(reach: &Reach, behind: &[Vec<RawState>], found: &mut Vec<RawState>) {
    let mut is_added = vec![false; behind.len()];
    loop {
        found.sort_unstable();
        found.dedup();
        found.retain(|&state| state != RawState::DEAD);
        let is_fresh = |&EmissionId(id): &EmissionId| {
            !is_added[usize::from(id)] && !behind[usize::from(id)].is_empty()
        };
        let fresh: Option<EmissionId> =
            found.iter().find_map(|&state| reach.emissions(state).find(is_fresh));
        let Some(EmissionId(id)) = fresh else { return };
        is_added[usize::from(id)] = true;
        found.extend_from_slice(&behind[usize::from(id)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::{Layout, LexicalDescription, PatternKind, TerminalDescription};
    use crate::python::dialect::Dialect;

    const NAME: TerminalId = TerminalId(0);
    const DOT: TerminalId = TerminalId(1);

    /// A scanner of a language that ignores comments, and perhaps blanks.
    fn scanner(are_blanks_ignored: bool) -> Scanner {
        let terminal = |(name, pattern): (&str, &str)| TerminalDescription {
            name: name.into(),
            kind: PatternKind::Regex,
            pattern: pattern.into(),
            priority: 0,
            flags: None,
            emits: None,
        };
        let mut terminals =
            [("NAME", "[a-z]+"), ("DOT", r"\."), ("COMMENT", "#[^\n]*")].map(terminal).to_vec();
        let mut ignore = vec!["COMMENT".into()];
        if are_blanks_ignored {
            terminals.push(terminal(("BLANKS", " +")));
            ignore.push("BLANKS".into());
        }
        let description = LexicalDescription {
            layout: Layout::None,
            terminals,
            ignore,
            declared: Vec::new(),
            branching: None,
            frames: None,
            dialect: Dialect::NEWEST,
        };
        Scanner::new(&description).unwrap()
    }

    fn may_begin(scanner: &Scanner, behind: TerminalId, text: &str) -> bool {
        let reach = Reach::new(scanner);
        let adjacency = Adjacency::new(scanner, &reach, 4);
        let step = |state, byte| scanner.next(state, byte);
        let state = text.bytes().fold(scanner.start(None), step);
        adjacency.may_begin_behind(behind, &reach.set_of_states([state].into_iter()))
    }

    #[test]
    fn what_goes_on_with_a_symbol_does_not_begin_one() {
        let scanner = scanner(false);
        assert!(!may_begin(&scanner, NAME, "a"));
        assert!(may_begin(&scanner, NAME, "."));
        assert!(may_begin(&scanner, NAME, "#"));
        assert!(may_begin(&scanner, DOT, "a"));
    }

    #[test]
    fn what_is_ignored_may_stand_in_between() {
        let scanner = scanner(true);
        assert!(may_begin(&scanner, NAME, " "));
        assert!(may_begin(&scanner, NAME, "a"));
    }
}
