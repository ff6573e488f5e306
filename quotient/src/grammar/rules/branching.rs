//! Questions to the rules where the parser decides how texts read: what may be inserted, and what the lexer may
//! emit behind what, with an insertion in between.

use fim_lexer::TerminalId;
use fim_lexer::scanner::{Emission, EmissionId, Scanner};

use super::Rules;

impl Rules {
    /// Notes that the parser has a say in how texts read, and what the numbers behind the terminals stand for:
    /// symbols of which one may be inserted.
    pub(crate) fn set_branching(&mut self, scanner: &Scanner) {
        let insertions = scanner.insertions().to_vec();
        self.have_between = insertions.iter().map(|symbols| self.are_between(symbols)).collect();
        self.insertions = insertions;
        self.is_branching = true;
        self.emitted_behind =
            scanner.emissions().iter().flat_map(|emission| self.in_front_of(emission)).collect();
        let mut families = std::mem::take(&mut self.families);
        families.find_behind(self.n_terminals, |terminal, state| {
            self.neighbours.may_stand_in_front(self, terminal, state)
        });
        self.families = families;
    }

    /// The terminals, as bits, that an emission may stand behind.
    fn in_front_of(&self, emission: &Emission) -> Vec<u64> {
        let mut found = vec![0_u64; self.n_terminals.div_ceil(64)];
        let second = emission.symbols.first().filter(|second| second.index() < self.n_terminals);
        let Some(&second) = second else {
            found.fill(u64::MAX);
            return found;
        };
        let inserted = emission.inserted_terminal().map_or(&[][..], |list| self.insertions(list));
        for first in (0..self.n_terminals).map(|index| TerminalId(index as u16)) {
            let is_between =
                |&one: &TerminalId| self.may_follow(first, one) && self.may_follow(one, second);
            if self.may_follow(first, second) || inserted.iter().any(is_between) {
                found[first.index() / 64] |= 1 << (first.index() % 64);
            }
        }
        found
    }

    /// Whether the parser decides how texts read.
    pub(crate) fn is_branching(&self) -> bool {
        self.is_branching
    }

    /// The symbols of which one, or none, stands where this number does; nothing for terminals.
    pub(crate) fn insertions(&self, number: TerminalId) -> &[TerminalId] {
        let list = number.index().checked_sub(self.n_terminals);
        list.and_then(|list| self.insertions.get(list)).map_or(&[], Vec::as_slice)
    }

    /// Whether this stands for symbols that may be inserted, and that only ever stand between others of a rule: one
    /// that marks that there is no line break.
    pub(crate) fn is_between(&self, number: TerminalId) -> bool {
        let list = number.index().checked_sub(self.n_terminals);
        list.and_then(|list| self.have_between.get(list)).is_some_and(|&is_between| is_between)
    }

    /// Whether each of these symbols only ever stands between others of a rule, and never two.
    pub(crate) fn are_between(&self, symbols: &[TerminalId]) -> bool {
        let mut pairs = symbols.iter().flat_map(|one| symbols.iter().map(move |two| (*one, *two)));
        symbols.iter().all(|&symbol| self.is_between_others(symbol))
            && !pairs.any(|(one, two)| self.may_follow(one, two))
    }

    /// Whether what the lexer emits may stand behind a terminal in some text, with what may be inserted in between.
    /// Known only where the parser decides how texts read.
    #[inline]
    pub(crate) fn may_be_emitted_behind(
        &self,
        first: TerminalId,
        EmissionId(id): EmissionId,
    ) -> bool {
        let place = usize::from(id) * self.n_terminals.div_ceil(64) + first.index() / 64;
        self.emitted_behind.get(place).is_none_or(|word| word & (1 << (first.index() % 64)) != 0)
    }
}
