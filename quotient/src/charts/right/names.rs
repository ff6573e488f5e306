//! Repeated names, read backward: the name that a rule must have for the sake of the text behind the cut. An item
//! carries it as its [mark](Marks).

use fim_lexer::TerminalId;

use super::kernel::MarksIdx;
use super::{RightChart, RightCharts, Step, Within};
use crate::charts::marks::Marks;
use crate::charts::spellings::SpellingIdx;
use crate::grammar::{Rules, Same};

/// The name that the cut goes through, as far as the right context knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CutName {
    /// A name that is not repeated, or a rule's name that no repetition needs.
    Free,
    /// A rule's name, which is needed as a whole.
    First(SpellingIdx),
    /// A repetition: the name that the rule must have.
    Again(SpellingIdx),
}

impl RightCharts {
    /// The chart in front of a symbol with this text. The text matters for repeated names.
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
        if let Some(known) = self.steps.get(chart.0, &(chart, terminal)) {
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
        // In front of its name a rule may have any mark.
        self.scan(rules, chart, same.first, |sets, marks| {
            sets.and(marks, name).map(|_| MarksIdx::ALL)
        });
        self.close(rules, Within::Nothing);
        let found = self.intern_kernel(rules);
        self.line_steps.insert(key, found);
        found
    }

    /// Whether a repeated name may be in front of a chart.
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

    /// The names needed by the rules around, of which a name in front of this chart could be one, or repeat one.
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

    /// The chart in front of a name that the cut goes through.
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
