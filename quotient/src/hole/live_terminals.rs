//! Which terminals may come at a chart, and at what cost, in front of a right context: all at once.
//!
//! What is known of the rules that are open at the chart, and of those that may begin there, says of each of their
//! edges whether the state behind it can go on to the right context. No chart behind any terminal is made.

use fim_lexer::TerminalId;
use smallvec::SmallVec;

use super::{Hole, Onward};
use crate::charts::{LeftChart, LeftCharts, LeftItem, Spelling};
use crate::grammar::{IMPOSSIBLE, Language, Symbol};

impl Hole {
    /// The terminals that do not end a suite and behind which something fits.
    pub(super) fn live_terminals(
        &mut self,
        language: &Language,
        left: &mut LeftCharts,
        chart: LeftChart,
    ) -> SmallVec<[u64; 4]> {
        let rules = &language.rules;
        let mut found = SmallVec::from_elem(0, rules.n_terminals().div_ceil(64));
        let predicted = self.onward(language, left, chart);
        self.add_live_terminals(language, left, chart, left.items(chart), &predicted, &mut found);
        if let Some(first) = rules.same().map(|same| same.first)
            && self.cost_of_name(language, left, chart) < IMPOSSIBLE
        {
            found[first.index() / 64] |= 1 << (first.index() % 64);
        }
        found
    }

    /// The same behind a symbol that only ever stands between others of a rule, for which no chart is made.
    pub(super) fn live_behind_mark(
        &mut self,
        language: &Language,
        left: &LeftCharts,
        chart: LeftChart,
        mark: TerminalId,
    ) -> SmallVec<[u64; 4]> {
        let rules = &language.rules;
        let behind = |item: &LeftItem| {
            let state = rules.terminal_step(item.state, mark)?;
            Some(LeftItem { state, ..*item })
        };
        let items: SmallVec<[LeftItem; 8]> = left.items(chart).iter().filter_map(behind).collect();
        if items.is_empty() {
            return SmallVec::new();
        }
        let mut found = SmallVec::from_elem(0, rules.n_terminals().div_ceil(64));
        let predicted = self.onward_at(language, left, chart, &items);
        self.add_live_terminals(language, left, chart, &items, &predicted, &mut found);
        found
    }

    /// Adds the terminals that may come at these items, and at the beginning of rules that are predicted there.
    fn add_live_terminals(
        &mut self,
        language: &Language,
        left: &LeftCharts,
        chart: LeftChart,
        items: &[LeftItem],
        predicted: &[Onward],
        found: &mut [u64],
    ) {
        let rules = &language.rules;
        for &item in items {
            let nonterminal = rules.owner(item.state);
            let onward = self.onward(language, left, item.origin);
            if let Some(onward) = Onward::find(&onward, nonterminal) {
                self.add_live_edges(language, left, chart, item, onward, found);
            }
        }
        for onward in predicted {
            let state = rules.start(onward.nonterminal);
            let item = LeftItem { state, origin: chart };
            self.add_live_edges(language, left, chart, item, onward, found);
        }
    }

    /// The cost of what must follow a name that is said again, whatever it is.
    fn cost_of_name(
        &mut self,
        language: &Language,
        left: &mut LeftCharts,
        chart: LeftChart,
    ) -> u32 {
        let rules = &language.rules;
        let Some(same) = rules.same() else { return IMPOSSIBLE };
        if !left.may_come(rules, chart, same.first) {
            return IMPOSSIBLE;
        }
        let Some(&written) = same.written().first() else { return IMPOSSIBLE };
        let behind = left.step_spelled(rules, chart, written, Spelling::Open);
        behind.map_or(IMPOSSIBLE, |behind| self.cost(language, left, behind))
    }

    /// For each terminal that begins no suite the cost of what must follow it.
    pub(crate) fn costs_behind(
        &mut self,
        language: &Language,
        left: &mut LeftCharts,
        chart: LeftChart,
    ) -> Vec<u32> {
        let rules = &language.rules;
        let mut found = vec![IMPOSSIBLE; rules.n_terminals()];
        for &item in left.items(chart) {
            let onward = self.onward(language, left, item.origin);
            if let Some(onward) = Onward::find(&onward, rules.owner(item.state)) {
                self.add_costs(language, left, chart, item, onward, &mut found);
            }
        }
        for onward in self.onward(language, left, chart).iter() {
            let item = LeftItem { state: rules.start(onward.nonterminal), origin: chart };
            self.add_costs(language, left, chart, item, onward, &mut found);
        }
        if let Some(same) = rules.same() {
            found[same.first.index()] = self.cost_of_name(language, left, chart);
            let least = found[same.first.index()].min(found[same.again.index()]);
            for name in same.written() {
                found[name.index()] = found[name.index()].min(least);
            }
        }
        found
    }

    /// Lowers the costs of the terminals that may come at an item.
    fn add_costs(
        &self,
        language: &Language,
        left: &LeftCharts,
        chart: LeftChart,
        item: LeftItem,
        onward: &Onward,
        found: &mut [u32],
    ) {
        for &(symbol, state) in language.rules.edges(item.state) {
            let Symbol::Terminal(terminal) = symbol else { continue };
            let behind = LeftItem { state, origin: item.origin };
            let cost = self.finish_cost(language, left, chart, behind, onward);
            let known = &mut found[terminal.index()];
            *known = cost.min(*known);
        }
    }

    fn add_live_edges(
        &self,
        language: &Language,
        left: &LeftCharts,
        chart: LeftChart,
        item: LeftItem,
        onward: &Onward,
        found: &mut [u64],
    ) {
        // What a rule is called that begins with a name said again is not known at this chart.
        let first = language.rules.same().map(|same| same.first);
        if language.lexer.layout().is_none() && onward.cost < IMPOSSIBLE / 2 {
            // Whatever comes, the rule can be ended, and what is around it goes on.
            for (index, &more) in language.rules.terminals(item.state).iter().enumerate() {
                let is_first = first.filter(|first| first.index() / 64 == index);
                found[index] |= more & !is_first.map_or(0, |first| 1 << (first.index() % 64));
            }
            return;
        }
        for &(symbol, state) in language.rules.edges(item.state) {
            let Symbol::Terminal(terminal) = symbol else { continue };
            if first == Some(terminal) {
                continue;
            }
            let word = &mut found[terminal.index() / 64];
            let bit = 1 << (terminal.index() % 64);
            if *word & bit == 0 {
                let behind = LeftItem { state, origin: item.origin };
                if self.finish_cost(language, left, chart, behind, onward) < IMPOSSIBLE {
                    *word |= bit;
                }
            }
        }
    }
}
