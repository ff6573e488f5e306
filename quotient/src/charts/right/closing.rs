//! The step over a symbol: the items in front of it, and those of the rules that begin there.
//!
//! A chart is closed when each item at its rule's beginning has been put into the rules that wait for it. Insertable
//! symbols, and the ends of suites that end together, are read in place meanwhile ([`Within`]).

use fim_lexer::TerminalId;

use super::kernel::{Item, MarkSets, MarksIdx};
use super::{RightChart, RightCharts};
use crate::charts::marks::Marks;
use crate::grammar::{Family, Rules};

/// The symbols that are read in place, without a chart in between.
#[derive(Clone, Copy, Debug)]
pub(super) enum Within<'a> {
    Nothing,
    /// One of these symbols, or none, within each rule.
    Inserted(&'a [TerminalId]),
    /// A terminal any number of times: the DEDENTs of suites that end together.
    Repeated(TerminalId, MarksIdx),
}

impl RightCharts {
    /// Adds to the kernel the items that `terminal` leads to, scanned backward from `chart`.
    pub(super) fn scan(
        &mut self,
        rules: &Rules,
        chart: RightChart,
        terminal: TerminalId,
        limit: impl Fn(&mut MarkSets, MarksIdx) -> Option<MarksIdx>,
    ) {
        let families = rules.families();
        if terminal.index() >= rules.n_terminals() {
            return;
        }
        let head = self.heads[chart.index()];
        for index in head.first_item..head.first_item + head.n_items {
            let item = self.items[index as usize];
            let before = families.before_terminal(item.state, terminal);
            if before.is_empty() {
                continue;
            }
            let Some(marks) = limit(&mut self.sets, item.marks) else { continue };
            for edge in before {
                let copies = item.copies & edge.copies;
                let end = item.end_in(chart);
                self.kernel.add(Item { state: edge.from, copies, end, marks });
            }
        }
        let Some(marks) = limit(&mut self.sets, MarksIdx::ALL) else { return };
        let ended = families.ended_by_terminal(terminal, self.predictions.get(head.prediction));
        for last in ended {
            let set = self.predictions.get(head.prediction);
            let copies = last.finals & families.members_in(set, last.family);
            if copies != 0 {
                let end = self.waiting_for(rules, chart, last.family);
                self.kernel.add(Item { state: last.edge, copies, end, marks });
            }
        }
    }

    /// Completes rules whose beginning is reached, and reads the symbols of `within` in place.
    pub(super) fn close(&mut self, rules: &Rules, within: Within<'_>) {
        let families = rules.families();
        while let Some(item) = self.kernel.next() {
            let family = families.owner(item.state);
            if families.is_start(item.state) {
                self.complete(rules, family, item);
            }
            let (terminal, limit) = match within {
                Within::Nothing => continue,
                Within::Inserted(symbols) => {
                    self.insert_in_front(rules, symbols, item);
                    continue;
                }
                Within::Repeated(terminal, limit) => (terminal, limit),
            };
            for edge in families.before_terminal(item.state, terminal) {
                if let Some(marks) = self.sets.and(item.marks, limit) {
                    let copies = item.copies & edge.copies;
                    self.kernel.add(Item { state: edge.from, copies, marks, ..item });
                }
            }
            for set in families.predicted_sets(item.state, item.copies) {
                for last in families.ended_by_terminal(terminal, set) {
                    let copies = last.finals & families.members_in(set, last.family);
                    let (state, end) = (last.edge, RightChart::SELF);
                    self.kernel.add(Item { state, copies, end, marks: limit });
                }
            }
        }
        let is_kept = |item: &Item| {
            !families.is_start(item.state) || families.owner(item.state) == Family::ROOT
        };
        self.kernel.items.retain(is_kept);
    }

    fn complete(&mut self, rules: &Rules, family: Family, item: Item) {
        let families = rules.families();
        if family == Family::ROOT || item.end == RightChart::SELF {
            return;
        }
        let head = self.heads[item.end.index()];
        let mut around: Option<Marks> = None;
        for index in head.first_item..head.first_item + head.n_items {
            let waiting = self.items[index as usize];
            if item.marks != MarksIdx::ALL {
                let marks = self.sets.get(waiting.marks);
                around = Some(around.map_or(marks, |around| around.hull(marks)));
            }
            let before = families.before_family(waiting.state, family);
            if before.is_empty() {
                continue;
            }
            let Some(marks) = self.sets.and(waiting.marks, item.marks) else { continue };
            let end = waiting.end_in(item.end);
            for &edge in before {
                let copies = families.around(edge, item.copies) & waiting.copies;
                self.kernel.add(Item { state: edge.from, copies, end, marks });
            }
        }
        // Rules that end here with this one have the marks of some item of the chart. These are asked only once lines
        // have limited the rule's own, so that text inside of lines has the same charts in all suites.
        let marks = match around {
            Some(around) => {
                let around = self.sets.number(around);
                self.sets.and(item.marks, around)
            }
            None => Some(item.marks),
        };
        let Some(marks) = marks else { return };
        let ended = families.ended_by_family(family, self.predictions.get(head.prediction));
        for last in ended {
            let set = self.predictions.get(head.prediction);
            let copies = last.finals & families.members_in(set, last.family);
            let copies = copies & families.around(last.edge, item.copies);
            let copies = self.less_outdone(families, item.end, last, copies);
            if copies != 0 {
                let end = self.waiting_for_again(rules, item.end, last.family);
                self.kernel.add(Item { state: last.edge.from, copies, end, marks });
            }
        }
    }
}
