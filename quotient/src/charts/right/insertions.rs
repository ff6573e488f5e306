//! Insertable symbols, read backward: each is there or not, so the charts of both are united.
//!
//! A symbol that the lexer puts between two others, such as JavaScript's mark in front of symbols that begin no line,
//! is read in one step with the symbol behind it.

use fim_lexer::TerminalId;

use super::kernel::Item;
use super::{RightChart, RightCharts, Within};
use crate::grammar::Rules;

impl RightCharts {
    /// The chart in front of a terminal and of the symbols that may be inserted between it and the one before.
    /// JavaScript has a mark in front of every symbol that begins no line: with a chart of its own between the two,
    /// there were twice as many charts.
    pub(super) fn double_step(
        &mut self,
        rules: &Rules,
        chart: RightChart,
        [inserted, terminal]: [TerminalId; 2],
    ) -> Option<RightChart> {
        let key = (chart, [inserted, terminal]);
        if let Some(known) = self.double_steps.get(chart.0, &key) {
            return known;
        }
        self.kernel.clear();
        self.scan(rules, chart, terminal, |_, marks| Some(marks));
        self.close(rules, Within::Inserted(rules.insertions(inserted)));
        let found = self.intern_kernel(rules);
        self.double_steps.insert(chart.0, key, found);
        found
    }

    /// The chart in front of one of these symbols, or of none of them.
    pub(super) fn insert(
        &mut self,
        rules: &Rules,
        chart: RightChart,
        inserted: &[TerminalId],
    ) -> Option<RightChart> {
        if !self.insert_into_kernel(rules, chart, inserted) {
            return Some(chart);
        }
        self.intern_kernel(rules)
    }

    /// Puts the items of [`Self::insert`]'s chart into the kernel. False if no item stands behind one of these
    /// symbols: then the kernel is empty.
    pub(super) fn insert_into_kernel(
        &mut self,
        rules: &Rules,
        chart: RightChart,
        inserted: &[TerminalId],
    ) -> bool {
        self.kernel.clear();
        for &symbol in inserted {
            self.scan(rules, chart, symbol, |_, marks| Some(marks));
        }
        if self.kernel.items.is_empty() {
            return false;
        }
        self.kernel.clear();
        self.add_all(chart);
        for &symbol in inserted {
            self.scan(rules, chart, symbol, |_, marks| Some(marks));
        }
        self.close(rules, Within::Nothing);
        true
    }

    /// Puts one of these symbols in front of an item of the chart in the making, within its rule.
    pub(super) fn insert_in_front(&mut self, rules: &Rules, symbols: &[TerminalId], item: Item) {
        for &symbol in symbols {
            for edge in rules.families().before_terminal(item.state, symbol) {
                let copies = item.copies & edge.copies;
                self.kernel.add(Item { state: edge.from, copies, ..item });
            }
        }
    }
}
