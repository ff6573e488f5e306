//! Names that are said again, read backward: what a rule must be called for the sake of what stands behind the cut.
//!
//! A name is an interval of one column in the items of the rule that has it (`spellings`).

use fim_lexer::{Column, Columns, TerminalId};

use super::kernel::ColumnsIdx;
use super::{RightChart, RightCharts, Step, Within};
use crate::grammar::{Rules, Same};

/// What a name is that the cut goes through, as far as the right context knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CutName {
    /// None that is said again, or one that need not be anything.
    Free,
    /// That of a rule, which is needed as a whole.
    First(Columns),
    /// One that says it again: what the rule must be called.
    Again(Columns),
}

impl RightCharts {
    /// The chart in front of a symbol with this text, where that matters: for names that are said again.
    #[inline]
    pub(crate) fn step_spelled(
        &mut self,
        rules: &Rules,
        chart: RightChart,
        terminal: TerminalId,
        text: &[u8],
    ) -> Option<RightChart> {
        let Some(same) = rules.same().filter(|same| same.is_written_as(terminal)) else {
            return self.step(rules, chart, terminal, None);
        };
        if let Some(&known) = self.steps.get(&(chart, terminal)) {
            return known;
        }
        if !self.minds_spelling(rules, chart, same) {
            return self.step(rules, chart, terminal, None);
        }
        let column = self.spellings.whole(text);
        let key = (chart, Step::Named(terminal, column));
        if let Some(&known) = self.line_steps.get(&key) {
            return known;
        }
        let name = self.sets.number(Columns::exactly(column));
        self.kernel.clear();
        self.scan(rules, chart, terminal, |_, columns| Some(columns));
        self.scan(rules, chart, same.again, |sets, columns| sets.and(columns, name));
        // In front of its name a rule stands anywhere.
        self.scan(rules, chart, same.first, |sets, columns| {
            sets.and(columns, name).map(|_| ColumnsIdx::ALL)
        });
        self.close(rules, Within::Nothing);
        let found = self.intern_kernel(rules);
        self.line_steps.insert(key, found);
        found
    }

    /// Whether a name that is said again may be in front of a chart.
    fn minds_spelling(&self, rules: &Rules, chart: RightChart, same: &Same) -> bool {
        let families = rules.families();
        let set = self.predictions.get(self.heads[chart.index()].prediction);
        [same.first, same.again].into_iter().any(|name| {
            let mut kept = self.kept(chart).iter();
            kept.any(|item| !families.before_terminal(item.state, name).is_empty())
                || families
                    .ended_by_terminal(name, set)
                    .iter()
                    .any(|last| last.finals & families.members_in(set, last.family) != 0)
        })
    }

    /// The names that the rules around need which a name in front of this chart could be, or be said again.
    pub(crate) fn needed_names(&self, rules: &Rules, chart: RightChart) -> Vec<Column> {
        let Some(same) = rules.same() else { return Vec::new() };
        let families = rules.families();
        let mut found: Vec<Column> = Vec::new();
        let mut add = |columns: ColumnsIdx| {
            let columns = self.sets.get(columns);
            if columns.least == columns.greatest && !found.contains(&columns.least) {
                found.push(columns.least);
            }
        };
        for item in self.kept(chart) {
            if !families.before_terminal(item.state, same.first).is_empty() {
                add(item.columns);
            }
            if !families.before_terminal(item.state, same.again).is_empty() {
                add(item.columns);
                self.kept(item.end_in(chart)).iter().for_each(|around| add(around.columns));
            }
        }
        found
    }

    /// The chart in front of a name that begins in front of the cut.
    pub(crate) fn step_cut(
        &mut self,
        rules: &Rules,
        chart: RightChart,
        terminal: TerminalId,
        name: CutName,
    ) -> Option<RightChart> {
        let same = rules.same()?;
        self.kernel.clear();
        match name {
            CutName::Free => {
                self.scan(rules, chart, terminal, |_, columns| Some(columns));
                self.scan(rules, chart, same.first, |_, columns| {
                    (columns == ColumnsIdx::ALL).then_some(columns)
                });
            }
            CutName::First(needed) => {
                let needed = self.sets.number(needed);
                self.scan(rules, chart, same.first, |_, columns| {
                    (columns == needed).then_some(ColumnsIdx::ALL)
                });
            }
            CutName::Again(needed) => {
                let needed = self.sets.number(needed);
                self.scan(rules, chart, same.again, |sets, columns| sets.and(columns, needed));
            }
        }
        self.close(rules, Within::Nothing);
        self.intern_kernel(rules)
    }
}
