//! Insertable symbols, read forward: a place behind one has the items with the symbol and those without.

use fim_lexer::TerminalId;
use fim_lexer::lexer::Symbol;

use super::{LeftChart, LeftCharts};
use crate::grammar::Rules;

impl LeftCharts {
    /// The chart behind the symbols that the lexer emits, and those that may be inserted in front of them.
    pub(crate) fn all_steps(
        &mut self,
        rules: &Rules,
        chart: LeftChart,
        symbols: &[TerminalId],
    ) -> Option<LeftChart> {
        let (mut chart, mut rest) = (chart, symbols);
        while let [first, behind @ ..] = rest {
            (chart, rest) = match behind {
                [second, behind @ ..] if rules.is_between(*first) => {
                    (self.double_step(rules, chart, *first, *second)?, behind)
                }
                _ => (self.step(rules, chart, Symbol { terminal: *first, column: None })?, behind),
            };
        }
        Some(chart)
    }

    /// The chart behind the symbols that may be inserted between two, and behind the second of these. JavaScript has
    /// a mark in front of every symbol that begins no line: with a chart between the two, there were more charts.
    pub(crate) fn double_step(
        &mut self,
        rules: &Rules,
        chart: LeftChart,
        inserted: TerminalId,
        terminal: TerminalId,
    ) -> Option<LeftChart> {
        let key = (chart, [inserted, terminal]);
        if let Some(known) = self.double_steps.get(chart.0, &key) {
            return known;
        }
        let symbols = rules.insertions(inserted);
        let found = if self.leads_to_rule(rules, chart, symbols)
            || self.minds_spelling(rules, chart, terminal)
        {
            // A chart must be there where rules begin.
            let step = |terminal| Symbol { terminal, column: None };
            let behind = self.step(rules, chart, step(inserted));
            behind.and_then(|chart| self.step(rules, chart, step(terminal)))
        } else {
            let innermost = self.heads[chart.index()].innermost;
            self.scan(rules, chart, symbols, terminal, innermost)
        };
        self.double_steps.insert(chart.0, key, found);
        found
    }

    /// Whether a rule may begin behind one of these symbols.
    fn leads_to_rule(&self, rules: &Rules, chart: LeftChart, symbols: &[TerminalId]) -> bool {
        let items = self.items(chart).iter();
        let mut behind = items.flat_map(|item| {
            symbols.iter().filter_map(|&symbol| rules.terminal_step(item.state, symbol))
        });
        behind.any(|state| rules.predicted_nonterminals(state).iter().any(|&word| word != 0))
    }

    /// The chart behind one of these symbols or none: Earley's set of a place behind an optional symbol.
    pub(super) fn with_inserted(
        &mut self,
        rules: &Rules,
        chart: LeftChart,
        inserted: &[TerminalId],
    ) -> LeftChart {
        let mut items = self.items(chart).to_vec();
        let n_items = items.len();
        for &terminal in inserted {
            // Hardly any may come, and each step that was tried would be kept.
            if !self.may_come(rules, chart, terminal) {
                continue;
            }
            let symbol = Symbol { terminal, column: None };
            if let Some(behind) = self.step(rules, chart, symbol) {
                items.extend_from_slice(self.items(behind));
            }
        }
        if items.len() == n_items {
            return chart;
        }
        // Both charts are complete already.
        self.kernel = items;
        let innermost = self.heads[chart.index()].innermost;
        self.intern(rules, innermost)
    }
}
