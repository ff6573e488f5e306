//! Repeated names, read forward: a chart knows the innermost rule's name, which is its mark.

use fim_lexer::TerminalId;
use fim_lexer::lexer::Symbol;

use super::{LeftChart, LeftCharts};
use crate::charts::marks::Mark;
use crate::charts::spellings::Spelling;
use crate::grammar::{Rules, Same};

/// The readings of a terminal that names are written as, where a repeated name may stand.
#[derive(Clone, Copy, Debug)]
pub(super) enum NameReading {
    /// The terminal is a rule's name.
    First,
    /// The terminal repeats the innermost rule's name, or does not: the chart behind it where it may be either, and
    /// the one where it cannot repeat the name.
    Again { either: Option<LeftChart>, other: Option<LeftChart> },
}

impl LeftCharts {
    /// The chart behind a symbol with this spelling. The spelling matters for repeated names.
    pub(crate) fn step_spelled(
        &mut self,
        rules: &Rules,
        chart: LeftChart,
        terminal: TerminalId,
        spelling: Spelling<'_>,
    ) -> Option<LeftChart> {
        let symbol = Symbol { terminal, column: None };
        let Some(same) = rules.names_written_as(terminal) else {
            return self.step(rules, chart, symbol);
        };
        match self.name_reading(rules, chart, terminal, same) {
            None => self.step(rules, chart, symbol),
            Some(NameReading::First) => {
                let mark = Mark::Name(self.spellings.number(spelling));
                self.mark_rule(rules, chart, same.first, mark)
            }
            Some(NameReading::Again { either, other }) => {
                let is_again = self.spellings.is_again(self.mark(chart), spelling);
                if is_again { either } else { other }
            }
        }
    }

    /// The readings of this terminal, if a repeated name may stand here.
    fn name_reading(
        &mut self,
        rules: &Rules,
        chart: LeftChart,
        terminal: TerminalId,
        same: &Same,
    ) -> Option<NameReading> {
        let key = (chart, terminal);
        if self.steps.get(chart.0, &key).is_some() {
            return None;
        }
        if let Some(&known) = self.name_readings.get(&key) {
            return Some(known);
        }
        let (is_first, is_again) =
            (self.may_come(rules, chart, same.first), self.may_come(rules, chart, same.again));
        if !is_first && !is_again {
            return None;
        }
        let found = if is_first {
            NameReading::First
        } else {
            let innermost = self.heads[chart.index()].innermost;
            let other = self.scan(rules, chart, &[], terminal, innermost);
            let again = self.scan(rules, chart, &[], same.again, innermost);
            let either = match (other, again) {
                (Some(other), Some(again)) => Some(self.union(rules, other, again)),
                (other, again) => other.or(again),
            };
            NameReading::Again { either, other }
        };
        self.name_readings.insert(key, found);
        Some(found)
    }

    /// Whether the spelling of this terminal matters here.
    #[inline]
    pub(crate) fn minds_spelling(
        &mut self,
        rules: &Rules,
        chart: LeftChart,
        terminal: TerminalId,
    ) -> bool {
        let same = rules.names_written_as(terminal);
        same.is_some_and(|same| self.name_reading(rules, chart, terminal, same).is_some())
    }

    /// The chart with the items of two charts whose rule has the same mark.
    fn union(&mut self, rules: &Rules, one: LeftChart, other: LeftChart) -> LeftChart {
        let mut items = self.items(one).to_vec();
        items.extend_from_slice(self.items(other));
        self.kernel = items;
        let innermost = self.heads[one.index()].innermost;
        self.intern(rules, innermost)
    }
}
