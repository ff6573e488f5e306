//! The terminals that may come at a chart, in front of a right context.
//!
//! If a rule can end in front of the right context, every terminal that may come next in it is alive, and so is every
//! one that begins a rule there: tables hold these terminals for each state. Of a rule that must go on into the right
//! context each edge is looked at. Only where a child of it must do that, too, are the [`Onward`]s of all rules that
//! begin at the chart needed.

use fim_lexer::TerminalId;
use smallvec::SmallVec;

use super::{Hole, Onward};
use crate::charts::{LeftChart, LeftItem, Parsing, Spelling};
use crate::grammar::{EdgeLabel, IMPOSSIBLE, Nonterminal};
use crate::right_side::Exit;

/// The cost below which a rule can be ended, whatever it begins with.
const POSSIBLE: u32 = IMPOSSIBLE / 2;

impl Hole {
    /// Whether any text fits behind a chart, lexical matters aside.
    pub(super) fn has_way(&mut self, parsing: &Parsing<'_>, chart: LeftChart) -> bool {
        if parsing.language.lexer.layout().is_some() || self.costs.contains_key(&chart) {
            return self.cost(parsing, chart) < IMPOSSIBLE;
        }
        let is_ended = parsing.items(chart).iter().any(|item| {
            let onward = self.onward(parsing, item.origin);
            let known = Onward::find(&onward, parsing.rules().owner(item.state));
            known.is_some_and(|onward| onward.cost < POSSIBLE)
        });
        is_ended || self.cost(parsing, chart) < IMPOSSIBLE
    }

    /// The terminals that do not end a suite and are alive.
    pub(super) fn live_terminals(
        &mut self,
        parsing: &mut Parsing<'_>,
        chart: LeftChart,
    ) -> SmallVec<[u64; 4]> {
        let rules = parsing.rules();
        let mut found = SmallVec::from_elem(0, rules.n_terminals().div_ceil(64));
        let items = parsing.items(chart);
        if !self.add_next_terminals(parsing, chart, items, &mut found) {
            let predicted = self.onward(parsing, chart);
            self.add_live_terminals(parsing, chart, items, &predicted, &mut found);
        }
        if let Some((first, _)) = self.cost_of_name(parsing, chart) {
            found[first.index() / 64] |= 1 << (first.index() % 64);
        }
        found
    }

    /// The terminals that are alive behind a symbol that only stands between others of a rule; no chart is made for
    /// it.
    pub(super) fn live_behind_mark(
        &mut self,
        parsing: &Parsing<'_>,
        chart: LeftChart,
        mark: TerminalId,
    ) -> SmallVec<[u64; 4]> {
        let rules = parsing.rules();
        let behind = |item: &LeftItem| {
            let state = rules.terminal_step(item.state, mark)?;
            Some(LeftItem { state, ..*item })
        };
        let items: SmallVec<[LeftItem; 8]> =
            parsing.items(chart).iter().filter_map(behind).collect();
        if items.is_empty() {
            return SmallVec::new();
        }
        let mut found = SmallVec::from_elem(0, rules.n_terminals().div_ceil(64));
        if !self.add_next_terminals(parsing, chart, &items, &mut found) {
            let predicted = self.onward_at(parsing, chart, &items);
            self.add_live_terminals(parsing, chart, &items, &predicted, &mut found);
        }
        found
    }

    /// Adds the terminals that may come at these items. False if that needs the [`Onward`]s of rules that begin
    /// there.
    fn add_next_terminals(
        &mut self,
        parsing: &Parsing<'_>,
        chart: LeftChart,
        items: &[LeftItem],
        found: &mut [u64],
    ) -> bool {
        let rules = parsing.rules();
        if parsing.language.lexer.layout().is_some()
            || items.iter().any(|item| item.origin == chart)
        {
            return false;
        }
        for &item in items {
            let onward = self.onward(parsing, item.origin);
            let Some(onward) = Onward::find(&onward, rules.owner(item.state)) else { continue };
            if onward.cost < POSSIBLE {
                add(found, rules.next_terminals(item.state));
                continue;
            }
            self.add_live_edges(parsing, chart, item, onward, found);
            for (child, state) in rules.children(item.state) {
                let behind = LeftItem { state, origin: item.origin };
                let cost = self.finish_cost(parsing, chart, behind, onward);
                if cost < POSSIBLE {
                    add(found, rules.next_terminals(rules.start(child)));
                } else if cost < IMPOSSIBLE || self.may_go_on(parsing, chart, item, child, onward) {
                    return false;
                }
            }
        }
        for (index, word) in found.iter_mut().enumerate() {
            *word = rules.without_first_name(index, *word);
        }
        true
    }

    /// Whether a child that begins at an item may go on in the right context.
    fn may_go_on(
        &self,
        parsing: &Parsing<'_>,
        chart: LeftChart,
        item: LeftItem,
        child: Nonterminal,
        onward: &Onward,
    ) -> bool {
        onward.instances.iter().any(|&instance| {
            self.right.exits(instance).iter().any(|&(from, exit)| match exit {
                Exit::Child(inner) if from == item.state => {
                    self.right.instance(inner).nonterminal == child
                }
                _ => false,
            }) && self.fits(parsing, chart, item, instance)
        })
    }

    /// Adds the terminals that may come at these items, and at the beginning of rules that are predicted there.
    fn add_live_terminals(
        &mut self,
        parsing: &Parsing<'_>,
        chart: LeftChart,
        items: &[LeftItem],
        predicted: &[Onward],
        found: &mut [u64],
    ) {
        let rules = parsing.rules();
        for &item in items {
            let nonterminal = rules.owner(item.state);
            let onward = self.onward(parsing, item.origin);
            if let Some(onward) = Onward::find(&onward, nonterminal) {
                self.add_live_edges(parsing, chart, item, onward, found);
            }
        }
        for onward in predicted {
            let state = rules.start(onward.nonterminal);
            let item = LeftItem { state, origin: chart };
            self.add_live_edges(parsing, chart, item, onward, found);
        }
    }

    /// The terminal of a rule's name, if it may come, with the cost of the text that must follow any such name.
    fn cost_of_name(
        &mut self,
        parsing: &mut Parsing<'_>,
        chart: LeftChart,
    ) -> Option<(TerminalId, u32)> {
        let rules = parsing.rules();
        let (first, &written) = (rules.first_name()?, rules.written_names().first()?);
        if !parsing.left.may_come(rules, chart, first) {
            return None;
        }
        let behind = parsing.left.step_spelled(rules, chart, written, Spelling::Open)?;
        let cost = self.cost(parsing, behind);
        (cost < IMPOSSIBLE).then_some((first, cost))
    }

    /// For each terminal that begins no suite the cost of the text that must follow it.
    pub(in crate::hole) fn costs_behind(
        &mut self,
        parsing: &mut Parsing<'_>,
        chart: LeftChart,
    ) -> Vec<u32> {
        let rules = parsing.rules();
        let mut found = vec![IMPOSSIBLE; rules.n_terminals()];
        for &item in parsing.items(chart) {
            let onward = self.onward(parsing, item.origin);
            if let Some(onward) = Onward::find(&onward, rules.owner(item.state)) {
                self.add_costs(parsing, chart, item, onward, &mut found);
            }
        }
        for onward in self.onward(parsing, chart).iter() {
            let item = LeftItem { state: rules.start(onward.nonterminal), origin: chart };
            self.add_costs(parsing, chart, item, onward, &mut found);
        }
        if let Some((first, cost)) = self.cost_of_name(parsing, chart) {
            found[first.index()] = cost;
        }
        let least = rules.said_names().map(|name| found[name.index()]).min().unwrap_or(IMPOSSIBLE);
        for name in rules.written_names() {
            found[name.index()] = found[name.index()].min(least);
        }
        found
    }

    /// Lowers the costs of the terminals that may come at an item.
    fn add_costs(
        &self,
        parsing: &Parsing<'_>,
        chart: LeftChart,
        item: LeftItem,
        onward: &Onward,
        found: &mut [u32],
    ) {
        for &(symbol, state) in parsing.rules().edges(item.state) {
            let EdgeLabel::Terminal(terminal) = symbol else { continue };
            if parsing.rules().first_name() == Some(terminal) {
                continue;
            }
            let behind = LeftItem { state, origin: item.origin };
            let cost = self.finish_cost(parsing, chart, behind, onward);
            let known = &mut found[terminal.index()];
            *known = cost.min(*known);
        }
    }

    fn add_live_edges(
        &self,
        parsing: &Parsing<'_>,
        chart: LeftChart,
        item: LeftItem,
        onward: &Onward,
        found: &mut [u64],
    ) {
        let language = parsing.language;
        if language.lexer.layout().is_none() && onward.cost < POSSIBLE {
            // Whatever comes, the rule can be ended, and the rule around it goes on.
            for (index, &more) in language.rules.terminals(item.state).iter().enumerate() {
                found[index] |= language.rules.without_first_name(index, more);
            }
            return;
        }
        for &(symbol, state) in language.rules.edges(item.state) {
            let EdgeLabel::Terminal(terminal) = symbol else { continue };
            if language.rules.first_name() == Some(terminal) {
                continue;
            }
            let word = &mut found[terminal.index() / 64];
            let bit = 1 << (terminal.index() % 64);
            if *word & bit == 0 {
                let behind = LeftItem { state, origin: item.origin };
                if self.finish_cost(parsing, chart, behind, onward) < IMPOSSIBLE {
                    *word |= bit;
                }
            }
        }
    }
}

fn add(set: &mut [u64], more: &[u64]) {
    set.iter_mut().zip(more).for_each(|(word, more)| *word |= more);
}
