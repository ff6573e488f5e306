//! The parser's choice of branches at a fork.

use fim_lexer::TerminalId;
use fim_lexer::scanner::{EmissionId, Fork, RawState};
use smallvec::SmallVec;

use super::{LeftChart, LeftCharts};
use crate::charts::Parsing;
use crate::grammar::Rules;

/// The branches that are taken at a fork, by their numbers: hardly ever more than one.
pub(crate) type Taken = SmallVec<[u8; 4]>;

impl Parsing<'_> {
    /// The states behind a fork, where `chart` is in front of it. There are several where the text may still be of
    /// different kinds, and reads differently in each: `await / a` divides in scripts, and in modules it waits.
    pub(crate) fn choose(&mut self, chart: LeftChart, fork: &Fork) -> SmallVec<[RawState; 2]> {
        let otherwise = self.language.reach.emissions(fork.otherwise);
        let taken = self.taken_branches(chart, fork, otherwise);
        taken.into_iter().map(|branch| fork.state(usize::from(branch))).collect()
    }

    /// The numbers of the branches that are taken at a fork: those for which the parser can take a symbol, and the
    /// last number for the state `otherwise` if there are none or the parser can take one of its emissions, too.
    pub(crate) fn taken_branches(
        &mut self,
        chart: LeftChart,
        fork: &Fork,
        mut otherwise: impl Iterator<Item = EmissionId>,
    ) -> Taken {
        let next = self.left.next_terminals(self.rules(), chart);
        let mut taken = Taken::new();
        for (number, branch) in fork.branches.iter().enumerate() {
            if branch.emissions.iter().any(|&id| self.may_be_emitted(chart, &next, id)) {
                taken.push(number as u8);
            }
        }
        if taken.is_empty() || otherwise.any(|id| self.may_be_emitted(chart, &next, id)) {
            taken.push(fork.branches.len() as u8);
        }
        taken
    }

    /// Whether the chart can take the symbols of an emission. `next` are the terminals that may be read there.
    fn may_be_emitted(&mut self, chart: LeftChart, next: &[u64], id: EmissionId) -> bool {
        let rules = self.rules();
        let emission = self.language.lexer.scanner.emission(id);
        let may_come = |terminal: &TerminalId| {
            let word = next.get(terminal.index() / 64);
            word.is_some_and(|word| word & (1 << (terminal.index() % 64)) != 0)
        };
        let is_next = emission.symbols.first().is_some_and(may_come);
        if is_next && emission.symbols.len() == 1 {
            return true;
        }
        // Mostly no symbol may come. A chart is made only where one may.
        let inserted = emission.inserted_terminal().map_or(&[][..], |list| rules.insertions(list));
        (is_next || inserted.iter().any(may_come))
            && self.left.all_steps(rules, chart, emission.steps()).is_some()
    }
}

impl LeftCharts {
    /// The terminals that may be read at this chart, as bits.
    fn next_terminals(&self, rules: &Rules, chart: LeftChart) -> SmallVec<[u64; 4]> {
        let mut found = SmallVec::from_elem(0, rules.n_terminals().div_ceil(64));
        for item in self.items(chart) {
            let next = rules.next_terminals(item.state);
            found.iter_mut().zip(next).for_each(|(word, next)| *word |= next);
        }
        found
    }
}
