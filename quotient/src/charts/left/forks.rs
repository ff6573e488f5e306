//! What the parser takes where a text may read in several ways.

use fim_lexer::TerminalId;
use fim_lexer::scanner::{Fork, RawState};
use smallvec::SmallVec;

use super::{LeftChart, LeftCharts};
use crate::grammar::{Language, Rules};

impl LeftCharts {
    /// The state behind a fork, where `chart` is what has been read.
    pub(crate) fn choose(
        &mut self,
        language: &Language,
        chart: LeftChart,
        fork: &Fork,
    ) -> RawState {
        fork.state(self.chosen_branch(language, chart, fork))
    }

    /// The number of the branch that is taken at a fork, where `chart` is what has been read.
    pub(crate) fn chosen_branch(
        &mut self,
        language: &Language,
        chart: LeftChart,
        fork: &Fork,
    ) -> usize {
        let (rules, scanner) = (&language.rules, &language.lexer.scanner);
        let next = self.next_terminals(rules, chart);
        let may_come = |terminal: &TerminalId| {
            let word = next.get(terminal.index() / 64);
            word.is_some_and(|word| word & (1 << (terminal.index() % 64)) != 0)
        };
        fork.chosen(|id| {
            let emission = scanner.emission(id);
            let is_next = emission.symbols.first().is_some_and(may_come);
            if is_next && emission.symbols.len() == 1 && rules.same().is_none() {
                return true;
            }
            // Mostly nothing may come. A chart is made only where something may.
            let inserted = emission.inserted().map_or(&[][..], |list| rules.insertions(list));
            (is_next || inserted.iter().any(may_come))
                && self.all_steps(rules, chart, emission.steps()).is_some()
        })
    }

    /// The terminals that may be read here, as bits.
    fn next_terminals(&self, rules: &Rules, chart: LeftChart) -> SmallVec<[u64; 4]> {
        let mut found = SmallVec::from_elem(0, rules.n_terminals().div_ceil(64));
        for item in self.items(chart) {
            let next = rules.next_terminals(item.state);
            found.iter_mut().zip(next).for_each(|(word, next)| *word |= next);
        }
        found
    }
}
