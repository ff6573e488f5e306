//! Which symbols may be begun right behind which.
//!
//! The longest match decides where a symbol ends, so not everything may follow: behind `a`, `b` goes on with the
//! same name, and behind a symbol that takes a line break along no other symbol begins with one. What the grammar
//! ignores between symbols counts as a symbol here.

use super::reach::Reach;
use super::{EmissionId, RawState, Scanner};
use crate::description::TerminalId;

/// For each terminal the states that a symbol behind it may begin with.
#[derive(Debug)]
pub struct Adjacency {
    begun: Vec<Vec<RawState>>,
}

impl Adjacency {
    /// Finds what may be begun behind each of `n_terminals`, with what is ignored in between or without.
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
            let ends = |byte: &&u8| scanner.next(state, **byte) == RawState::DEAD;
            let next = |&byte: &u8| scanner.next(scanner.restart(state), byte);
            found.extend(scanner.alphabet().iter().filter(ends).map(next));
        }
        for found in &mut begun {
            add_behind_ignored(reach, &begun_behind_ignored, found);
        }
        Self { begun }
    }

    /// The states of a symbol that has just begun behind this one; each has read one byte.
    pub fn begun_behind(&self, terminal: TerminalId) -> &[RawState] {
        &self.begun[terminal.index()]
    }
}

/// Adds what may be begun behind the ignored symbols that these may become.
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

    /// Names take a line break behind them along; blanks are ignored.
    fn scanner() -> Scanner {
        let terminal = |name: &str, pattern: &str| TerminalDescription {
            name: name.into(),
            kind: PatternKind::Regex,
            pattern: pattern.into(),
            priority: 0,
            flags: None,
            emits: None,
        };
        let terminals =
            [("NAME", r"[a-z]+\n?"), ("DOT", r"\."), ("BLANKS", "[ \n]+"), ("COMMENT", "#[^\n]*")];
        let description = LexicalDescription {
            layout: Layout::None,
            terminals: terminals.map(|(name, pattern)| terminal(name, pattern)).to_vec(),
            ignore: vec!["BLANKS".into(), "COMMENT".into()],
            declared: Vec::new(),
            dialect: Dialect::NEWEST,
        };
        Scanner::new(&description).unwrap()
    }

    fn check(terminal: u16, text: &str, expected: bool) {
        let scanner = scanner();
        let reach = Reach::new(&scanner);
        let adjacency = Adjacency::new(&scanner, &reach, 4);
        let step = |state, byte| scanner.next(state, byte);
        let state = text.bytes().fold(scanner.start(None), step);
        let found = adjacency.begun_behind(TerminalId(terminal)).contains(&state);
        assert_eq!(found, expected, "{text:?} behind {terminal}");
    }

    #[test]
    fn what_goes_on_with_a_symbol_does_not_begin_one() {
        check(0, ".", true);
        check(1, "a", true);
        check(1, ".", true);
        // A name may be begun behind a name and a blank.
        check(0, "a", true);
        // The comment must be ended before anything else.
        check(1, "#a", false);
        check(1, "#", true);
    }
}
