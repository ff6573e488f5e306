//! Steps in front of which a symbol is known to stand.
//!
//! Where the parser has a say in how a text reads, a place is known with the symbol in front of it. What waits there for
//! another one can be forgotten at once:
//!
//! ```text
//! a = ( b ) ...     read backward as far as `b`, the bracket could be around an expression, arguments, parameters,
//!       ^           a type; behind `= (` most of these are left, behind `f (` others, behind `if (` one
//! ```
//!
//! The next symbol would leave such items behind anyway. But a chart without them is soon made, and more charts are
//! equal. It is one symbol of look-ahead, as LR parsers have, to the left. It took a tenth off the time that a recognizer
//! takes in JavaScript and TypeScript (7 to 13 %, 30 files each), for a table of 2 bytes for each terminal and state.

use fim_lexer::TerminalId;
use fim_lexer::scanner::{Emission, EmissionId};
use smallvec::SmallVec;

use super::{RightChart, RightCharts, Within};
use crate::grammar::{Copies, Rules};

impl RightCharts {
    /// The chart in front of what the lexer emits, as far as `front`, the symbol in front, is concerned. Where that never
    /// stands there, all of the chart: the next step tells.
    pub(crate) fn steps_behind(
        &mut self,
        rules: &Rules,
        chart: RightChart,
        (id, emission): (EmissionId, &Emission),
        front: Option<TerminalId>,
    ) -> Option<RightChart> {
        let symbols = emission.steps();
        let Some(front) = front.filter(|_| !symbols.is_empty() && rules.same().is_none()) else {
            return self.steps(rules, chart, symbols);
        };
        let key = (u64::from(chart.0), u64::from(id.0), u64::from(front.0));
        let key = key.0 << 32 | key.1 << 16 | key.2;
        if let Some(&known) = self.steps_behind.get(&key) {
            return known;
        }
        let found = self.part_behind(rules, chart, symbols, &[front]);
        let found = found.or_else(|| self.steps(rules, chart, symbols));
        self.steps_behind.insert(key, found);
        found
    }

    /// What one of `fronts` may stand in front of, of the chart in front of `symbols`.
    fn part_behind(
        &mut self,
        rules: &Rules,
        chart: RightChart,
        symbols: &[TerminalId],
        fronts: &[TerminalId],
    ) -> Option<RightChart> {
        match *symbols {
            [] => Some(chart),
            [inserted, first, ref rest @ ..] if rules.is_between(inserted) => {
                let chart = self.part_behind(rules, chart, rest, &[first])?;
                self.kernel.clear();
                self.scan(rules, chart, first, |_, columns| Some(columns));
                self.close(rules, Within::Inserted(rules.insertions(inserted)));
                self.intern_behind(rules, fronts)
            }
            [first, ref rest @ ..] if rules.insertions(first).is_empty() => {
                let chart = self.part_behind(rules, chart, rest, &[first])?;
                self.kernel.clear();
                self.scan(rules, chart, first, |_, columns| Some(columns));
                self.close(rules, Within::Nothing);
                self.intern_behind(rules, fronts)
            }
            [inserted, ref rest @ ..] => {
                let inserted = rules.insertions(inserted);
                let all: SmallVec<[TerminalId; 8]> =
                    fronts.iter().chain(inserted).copied().collect();
                let chart = self.part_behind(rules, chart, rest, &all)?;
                if !self.insert_into_kernel(rules, chart, inserted) {
                    self.kernel.clear();
                    self.add_all(chart);
                }
                self.intern_behind(rules, fronts)
            }
        }
    }

    /// The chart with the items in the kernel that one of `fronts` may stand in front of.
    fn intern_behind(&mut self, rules: &Rules, fronts: &[TerminalId]) -> Option<RightChart> {
        let rows: SmallVec<[&[Copies]; 8]> =
            fronts.iter().map(|&front| rules.families().behind(front)).collect();
        self.kernel.items.retain_mut(|item| {
            item.copies &= rows.iter().fold(0, |copies, row| copies | row[item.state.index()]);
            item.copies != 0
        });
        self.intern_kernel(rules)
    }
}
