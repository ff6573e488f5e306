//! Names that are said again, read backward: what a rule must be called for the sake of what stands behind the cut.
//! An item carries it as its [mark](Marks).

use fim_lexer::TerminalId;

use super::kernel::MarksIdx;
use super::{RightChart, RightCharts, Step, Within};
use crate::charts::marks::Marks;
use crate::charts::spellings::SpellingIdx;
use crate::grammar::{Rules, Same};

/// What a name is that the cut goes through, as far as the right context knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CutName {
    /// None that is said again, or one that need not be anything.
    Free,
    /// That of a rule, which is needed as a whole.
    First(SpellingIdx),
    /// One that says it again: what the rule must be called.
    Again(SpellingIdx),
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
        let Some(same) = rules.names_written_as(terminal) else {
            return self.step(rules, chart, terminal, None);
        };
        if let Some(&known) = self.steps.get(&(chart, terminal)) {
            return known;
        }
        if !self.minds_spelling(rules, chart, same) {
            return self.step(rules, chart, terminal, None);
        }
        let name = self.spellings.whole(text);
        let key = (chart, Step::Named(terminal, name));
        if let Some(&known) = self.line_steps.get(&key) {
            return known;
        }
        let name = self.sets.number(Marks::Name(name));
        self.kernel.clear();
        self.scan(rules, chart, terminal, |_, marks| Some(marks));
        self.scan(rules, chart, same.again, |sets, marks| sets.and(marks, name));
        // In front of its name a rule stands anywhere.
        self.scan(rules, chart, same.first, |sets, marks| {
            sets.and(marks, name).map(|_| MarksIdx::ALL)
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
    pub(crate) fn needed_names(
        &self,
        rules: &Rules,
        chart: RightChart,
        same: &Same,
    ) -> Vec<SpellingIdx> {
        let families = rules.families();
        let mut found: Vec<SpellingIdx> = Vec::new();
        let mut add = |marks: MarksIdx| {
            let name = self.sets.get(marks).name();
            found.extend(name.filter(|name| !found.contains(name)));
        };
        for item in self.kept(chart) {
            if !families.before_terminal(item.state, same.first).is_empty() {
                add(item.marks);
            }
            if !families.before_terminal(item.state, same.again).is_empty() {
                add(item.marks);
                self.kept(item.end_in(chart)).iter().for_each(|around| add(around.marks));
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
        let same = rules.names_written_as(terminal)?;
        self.kernel.clear();
        match name {
            CutName::Free => {
                self.scan(rules, chart, terminal, |_, marks| Some(marks));
                self.scan(rules, chart, same.first, |_, marks| {
                    (marks == MarksIdx::ALL).then_some(marks)
                });
            }
            CutName::First(needed) => {
                let needed = self.sets.number(Marks::Name(needed));
                self.scan(rules, chart, same.first, |_, marks| {
                    (marks == needed).then_some(MarksIdx::ALL)
                });
            }
            CutName::Again(needed) => {
                let needed = self.sets.number(Marks::Name(needed));
                self.scan(rules, chart, same.again, |sets, marks| sets.and(marks, needed));
            }
        }
        self.close(rules, Within::Nothing);
        self.intern_kernel(rules)
    }
}
