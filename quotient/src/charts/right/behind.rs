//! Steps in front of which a symbol is known to stand.
//!
//! Where the parser takes part in reading, a place is known with the symbol in front of it. Items that wait there for
//! another symbol can be dropped at once:
//!
//! ```text
//! a = ( b ) ...     read backward as far as `b`, the bracket could be around an expression, arguments, parameters,
//!       ^           a type; behind `= (` most of these are left, behind `f (` others, behind `if (` one
//! ```
//!
//! The next symbol would leave such items behind anyway. But a chart without them is soon made, and more charts are
//! equal. It is one symbol of look-ahead, as LR parsers have, to the left. It took a tenth off the time that a recognizer
//! takes in JavaScript and TypeScript (7 to 13 %, 30 files each), for a table of 4 bytes for each state and kind of terminal.

use fim_lexer::TerminalId;
use fim_lexer::scanner::{Emission, EmissionId};
use smallvec::SmallVec;

use super::kernel::{Item, MarksIdx};
use super::{RightChart, RightCharts};
use crate::grammar::{Copies, Family, FamilyState, Rules};

/// The reason why a step leads nowhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StepFault {
    /// The symbol does not stand in front of the chart.
    Symbol,
    /// The symbol does, but never behind the one in front of it.
    InFront,
}

impl RightCharts {
    /// The chart in front of the symbols that the lexer emits, with only the items that the symbol `front` may
    /// precede.
    pub(crate) fn steps_behind(
        &mut self,
        rules: &Rules,
        chart: RightChart,
        (id, emission): (EmissionId, &Emission),
        front: Option<TerminalId>,
    ) -> Result<RightChart, StepFault> {
        let symbols = emission.steps();
        let Some(front) = front.filter(|_| !symbols.is_empty()) else {
            return self.steps(rules, chart, symbols).ok_or(StepFault::Symbol);
        };
        let key = (u64::from(chart.0), u64::from(id.0), u64::from(front.0));
        let key = key.0 << 32 | key.1 << 16 | key.2;
        if let Some(known) = self.steps_behind.get(chart.0, &key) {
            return known;
        }
        let found = match self.part_behind(rules, chart, symbols, &[front]) {
            Some(chart) => Ok(chart),
            None if self.has_in_front(rules, chart, emission) => Err(StepFault::InFront),
            None => Err(StepFault::Symbol),
        };
        self.steps_behind.insert(chart.0, key, found);
        found
    }

    /// Whether a chart has these symbols in front of it, whatever is in front of them.
    fn has_in_front(&mut self, rules: &Rules, chart: RightChart, emission: &Emission) -> bool {
        let &[terminal] = &emission.symbols[..] else {
            return self.steps(rules, chart, emission.steps()).is_some();
        };
        let families = rules.families();
        let set = self.predictions.get(self.heads[chart.index()].prediction);
        let mut items = self.kept(chart).iter();
        items.any(|item| {
            let mut before = families.before_terminal(item.state, terminal).iter();
            before.any(|edge| edge.copies & item.copies != 0)
        }) || families
            .ended_by_terminal(terminal, set)
            .iter()
            .any(|last| last.finals & families.members_in(set, last.family) != 0)
    }

    /// The chart in front of `symbols`, with only the items that one of `fronts` may stand before.
    fn part_behind(
        &mut self,
        rules: &Rules,
        chart: RightChart,
        symbols: &[TerminalId],
        fronts: &[TerminalId],
    ) -> Option<RightChart> {
        let &[first, ref rest @ ..] = symbols else { return Some(chart) };
        let inserted = possible_insertions(rules, fronts, first);
        match *rest {
            _ if rules.insertions(first).is_empty() => {
                self.part_in_front(rules, (chart, symbols), &[], fronts)
            }
            [_, ..] if rules.are_between(&inserted) => {
                self.part_in_front(rules, (chart, rest), &inserted, fronts)
            }
            _ => {
                let all: SmallVec<[TerminalId; 8]> =
                    fronts.iter().chain(&inserted).copied().collect();
                let chart = self.part_behind(rules, chart, rest, &all)?;
                let fronts = Fronts::of(rules, fronts);
                self.kernel.clear();
                self.add_all(chart);
                for &symbol in &inserted {
                    self.scan_behind(rules, chart, symbol, &fronts);
                }
                self.close_behind(rules, &[], &fronts);
                self.intern_behind(&fronts, rules)
            }
        }
    }

    /// The chart in front of `symbols`, and of one or none of the `inserted` ones, which stand between others of a rule.
    fn part_in_front(
        &mut self,
        rules: &Rules,
        (chart, symbols): (RightChart, &[TerminalId]),
        inserted: &[TerminalId],
        fronts: &[TerminalId],
    ) -> Option<RightChart> {
        let &[first, ref rest @ ..] = symbols else { return Some(chart) };
        let chart = self.part_behind(rules, chart, rest, &[first])?;
        let within = Fronts::of(rules, fronts.iter().chain(inserted));
        self.kernel.clear();
        self.scan_behind(rules, chart, first, &within);
        self.close_behind(rules, inserted, &within);
        self.intern_behind(&Fronts::of(rules, fronts), rules)
    }

    /// Scans a terminal backward, to the items that one of `fronts` may stand before.
    fn scan_behind(
        &mut self,
        rules: &Rules,
        chart: RightChart,
        terminal: TerminalId,
        fronts: &Fronts<'_>,
    ) {
        let families = rules.families();
        if terminal.index() >= rules.n_terminals() {
            return;
        }
        let head = self.heads[chart.index()];
        for index in head.first_item..head.first_item + head.n_items {
            let item = self.items[index as usize];
            for edge in families.before_terminal(item.state, terminal) {
                let copies = item.copies & edge.copies & fronts.wanted(edge.from);
                self.kernel.add(Item { state: edge.from, copies, end: item.end_in(chart), ..item });
            }
        }
        let ended = families.ended_by_terminal(terminal, self.predictions.get(head.prediction));
        for last in ended {
            let set = self.predictions.get(head.prediction);
            let copies = last.finals & families.members_in(set, last.family);
            let copies = copies & fronts.wanted(last.edge);
            if copies != 0 {
                let end = self.waiting_for(rules, chart, last.family);
                let marks = MarksIdx::ALL;
                self.kernel.add(Item { state: last.edge, copies, end, marks });
            }
        }
    }

    /// Completes rules whose beginning is reached, and puts the `inserted` symbols before items within their rules.
    fn close_behind(&mut self, rules: &Rules, inserted: &[TerminalId], fronts: &Fronts<'_>) {
        let families = rules.families();
        while let Some(item) = self.kernel.next() {
            if families.is_start(item.state) {
                self.complete_behind(rules, item, fronts);
            }
            for &symbol in inserted {
                for edge in families.before_terminal(item.state, symbol) {
                    let copies = item.copies & edge.copies & fronts.wanted(edge.from);
                    self.kernel.add(Item { state: edge.from, copies, ..item });
                }
            }
        }
    }

    fn complete_behind(&mut self, rules: &Rules, item: Item, fronts: &Fronts<'_>) {
        let families = rules.families();
        let family = families.owner(item.state);
        if family == Family::ROOT || item.end == RightChart::SELF {
            return;
        }
        let head = self.heads[item.end.index()];
        for index in head.first_item..head.first_item + head.n_items {
            let waiting = self.items[index as usize];
            for &edge in families.before_family(waiting.state, family) {
                let copies = waiting.copies & fronts.wanted(edge.from);
                if copies != 0 {
                    let copies = copies & families.around(edge, item.copies);
                    let end = waiting.end_in(item.end);
                    self.kernel.add(Item { state: edge.from, copies, end, ..waiting });
                }
            }
        }
        let ended = families.ended_by_family(family, self.predictions.get(head.prediction));
        for last in ended {
            let set = self.predictions.get(head.prediction);
            let copies = last.finals & families.members_in(set, last.family);
            let copies = copies & fronts.wanted(last.edge.from);
            if copies == 0 {
                continue;
            }
            let copies = copies & families.around(last.edge, item.copies);
            let copies = self.less_outdone(families, item.end, last, copies);
            if copies != 0 {
                let end = self.waiting_for(rules, item.end, last.family);
                self.kernel.add(Item { state: last.edge.from, copies, end, ..item });
            }
        }
    }

    /// The chart with the items in the kernel that one of `fronts` may stand before.
    fn intern_behind(&mut self, fronts: &Fronts<'_>, rules: &Rules) -> Option<RightChart> {
        let families = rules.families();
        self.kernel.items.retain_mut(|item| {
            item.copies &= fronts.wanted(item.state);
            item.copies != 0 && !families.is_start(item.state)
        });
        self.intern_kernel(rules)
    }
}

/// The symbols that a number stands for, of those that may be inserted behind one of `fronts`. Mostly this leaves the
/// mark that no line breaks, which takes no chart of its own: an end that might be inserted too, but never behind this
/// symbol, would take one.
fn possible_insertions(
    rules: &Rules,
    fronts: &[TerminalId],
    number: TerminalId,
) -> SmallVec<[TerminalId; 8]> {
    let inserted = rules.insertions(number).iter().copied();
    inserted.filter(|&one| fronts.iter().any(|&front| rules.may_follow(front, one))).collect()
}

/// The symbols that may be in front, each as the copies of all states that it may stand before.
struct Fronts<'a>(SmallVec<[&'a [Copies]; 8]>);

impl<'a> Fronts<'a> {
    fn of(rules: &'a Rules, symbols: impl IntoIterator<Item = &'a TerminalId>) -> Self {
        let mut rows: SmallVec<[&[Copies]; 8]> = SmallVec::new();
        for &symbol in symbols {
            let row = rules.families().behind(symbol);
            if rows.iter().all(|known| !std::ptr::eq(*known, row)) {
                rows.push(row);
            }
        }
        Self(rows)
    }

    /// The copies of a state, or of the rule that begins there, that one of the symbols may stand before.
    #[inline]
    fn wanted(&self, state: FamilyState) -> Copies {
        self.0.iter().fold(0, |copies, row| copies | row[state.index()])
    }
}
