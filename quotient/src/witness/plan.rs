//! Plans of a witness: the choices behind the least cost, as symbols.
//!
//! A plan says how the symbol in progress ends, which symbols follow, and by which root the right context is entered.
//! It knows the parser's symbols only; writing it shows whether the lexer allows it.

use std::sync::Arc;

use fim_lexer::TerminalId;
use fim_lexer::layout::{BEHIND_BACKSLASH, BEHIND_HALF_BREAK, LINE_BREAK};
use fim_lexer::lexer::Symbol;
use fim_lexer::scanner::{EmissionId, RawState, StateKind};

use super::WitnessSearch;
use crate::charts::{LeftChart, LeftItem, Marks, Spelling};
use crate::grammar::{BYTE, BodyState, CostsAt, EdgeLabel, IMPOSSIBLE, Language};
use crate::hole::{CheapestStep, Place};
use crate::right_side::{Beginning, Exit, RootIdx};

/// A terminal to write, with the marks that it may have: for an INDENT, the columns of its suite.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Planned {
    pub(crate) terminal: TerminalId,
    pub(crate) marks: Marks,
}

/// A plan: the rest of the symbol in progress, the symbols to write, and the root that enters the right context.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) cost: u32,
    pub(crate) rest: Vec<u8>,
    pub(crate) symbols: Vec<Planned>,
    pub(crate) root: RootIdx,
}

impl Plan {
    /// The least number of bytes that any text of this plan needs.
    pub(crate) fn least_length(&self) -> usize {
        (self.cost / BYTE) as usize
    }
}

impl WitnessSearch<'_> {
    /// One plan for each way in which the symbol in progress may end.
    pub(crate) fn plans(&mut self, place: &Place) -> Vec<Plan> {
        let language = self.hole.language();
        let scanner = &language.lexer.scanner;
        let raw = place.lexed.raw;
        let mut plans = Vec::new();
        let kind = scanner.kind(raw);
        if kind.is_in_symbol() {
            let emissions: Vec<EmissionId> = language.reach.emissions(raw).collect();
            for emission in emissions {
                if self.is_name(place, emission) {
                    plans.extend(self.plans_of_name(place, emission));
                    continue;
                }
                let Some(chart) = place.chart_behind(&mut self.hole.parsing, emission) else {
                    continue;
                };
                if self.hole.cost(chart) >= IMPOSSIBLE {
                    continue;
                }
                let rest = language.reach.shortest_symbol(scanner, raw, |found| found == emission);
                // A symbol that may end here may still not be followed by all others: `\` in an f-string.
                let longer = rest
                    .as_ref()
                    .filter(|rest| rest.is_empty())
                    .and_then(|_| longer_text(language, raw, emission));
                for rest in [rest, longer].into_iter().flatten() {
                    plans.extend(self.plan(chart, rest));
                }
            }
        }
        if kind.is_in_symbol() || kind == StateKind::Comment {
            plans.extend(self.straddling_plans(place));
        }
        if kind == StateKind::Comment && !place.lexed.is_line_start && place.lexed.frames.is_empty()
        {
            let layout = language.lexer.layout().expect("only Python's layout has comments");
            let newline = Symbol { terminal: layout.newline, column: None };
            if let Some(chart) = self.hole.parsing.step(place.chart, newline) {
                plans.extend(self.plan(chart, rest_of_comment(language, raw)));
            }
        } else if kind == StateKind::Comment {
            plans.extend(self.plan(place.chart, rest_of_comment(language, raw)));
        } else if !kind.is_in_symbol() {
            let rests: &[&[u8]] = match kind {
                StateKind::Backslash => &BEHIND_BACKSLASH,
                StateKind::BackslashCarriageReturn => &BEHIND_HALF_BREAK,
                _ => &[b""],
            };
            for rest in rests {
                plans.extend(self.plan(place.chart, rest.to_vec()));
            }
        }
        plans
    }

    /// Whether the spelling of the symbol in progress matters if it becomes this one.
    pub(super) fn is_name(&mut self, place: &Place, emission: EmissionId) -> bool {
        let steps = self.hole.language().lexer.scanner.emission(emission).steps();
        matches!(steps, &[name] if self.hole.parsing.left.minds_spelling(self.hole.parsing.rules(), place.chart, name))
    }

    /// The plans in which the symbol in progress becomes a repeated name, or may be taken for one.
    fn plans_of_name(&mut self, place: &Place, emission: EmissionId) -> Vec<Plan> {
        let language = self.hole.language();
        let (scanner, raw) = (&language.lexer.scanner, place.lexed.raw);
        let begun = &place.begun;
        let shortest = language.reach.shortest_symbol(scanner, raw, |found| found == emission);
        let longer = longer_text(language, raw, emission);
        let wanted = self.wanted_names(place.chart, begun);
        let wanted = wanted.into_iter().map(|name| name[begun.len()..].to_vec());
        let mut plans = Vec::new();
        for rest in shortest.into_iter().chain(longer).chain(wanted) {
            let state = rest.iter().fold(raw, |state, &byte| scanner.next(state, byte));
            if scanner.accept(state) != Some(emission) {
                continue;
            }
            let text = [begun, &*rest].concat();
            let chart =
                place.chart_spelled(&mut self.hole.parsing, emission, Spelling::Whole(&text));
            if let Some(chart) = chart
                && self.hole.cost(chart) < IMPOSSIBLE
            {
                plans.extend(self.plan(chart, rest));
            }
        }
        plans
    }

    /// The plans in which the symbol in progress goes on into the right context.
    fn straddling_plans(&mut self, place: &Place) -> Vec<Plan> {
        let right = Arc::clone(self.hole.right());
        let lexed = &place.lexed;
        let tables = self.hole.language().tables();
        let mut plans = Vec::new();
        for root in (0..right.roots.len()).map(|index| RootIdx(index as u16)) {
            if !right.can_reach_entry(root, lexed.raw) || !self.hole.meets(place.chart, root) {
                continue;
            }
            let rest = match self.hole.beginning(place.chart, root) {
                Beginning::Any => right.shortest_entry(&tables, lexed, root),
                Beginning::Exactly(text) => text.strip_prefix(&*place.begun).map(<[u8]>::to_vec),
                Beginning::Impossible => None,
            };
            if let Some(rest) = rest {
                plans.push(Plan {
                    cost: rest.len() as u32 * BYTE,
                    rest,
                    symbols: Vec::new(),
                    root,
                });
            }
        }
        plans
    }

    /// The plan of the cheapest way from a chart to the right context.
    fn plan(&mut self, chart: LeftChart, rest: Vec<u8>) -> Option<Plan> {
        let costs = self.hole.parsing.items(chart).to_vec();
        let (cost, item) = costs
            .into_iter()
            .map(|item| (self.hole.item_cost(chart, item), item))
            .min_by_key(|&(cost, _)| cost)?;
        if cost >= IMPOSSIBLE {
            return None;
        }
        let mut symbols = Vec::new();
        let root = self.follow(chart, item, &mut symbols)?;
        Some(Plan { cost: cost + rest.len() as u32 * BYTE, rest, symbols, root })
    }

    fn follow(
        &mut self,
        chart: LeftChart,
        item: LeftItem,
        symbols: &mut Vec<Planned>,
    ) -> Option<RootIdx> {
        let language = self.hole.language();
        let mut chart = chart;
        let mut item = item;
        loop {
            let costs =
                language.costs.at(&language.rules, self.hole.parsing.mark(item.origin).column());
            match self.hole.cheapest_step(chart, item)? {
                CheapestStep::End(next) => {
                    spell_to_final(costs, item.state, false, symbols);
                    chart = item.origin;
                    item = next;
                }
                CheapestStep::Leave { state, exit, marks } => {
                    spell_between(costs, (item.state, state), marks, symbols);
                    return self.follow_exit(exit, symbols);
                }
            }
        }
    }

    fn follow_exit(&self, exit: Exit, symbols: &mut Vec<Planned>) -> Option<RootIdx> {
        let language = self.hole.language();
        let mut exit = exit;
        loop {
            let child = match exit {
                Exit::Root(root) => return Some(root),
                Exit::Child(child) => child,
            };
            let exits = self.hole.right().exits(child);
            let child = self.hole.right().instance(child);
            let start = language.rules.start(child.nonterminal);
            let around = child.around();
            let costs = language.costs.at(&language.rules, around);
            let cost = |&(state, exit): &(BodyState, Exit)| {
                let is_inside = language.rules.is_marked(state);
                let column = if is_inside { child.column_inside(around) } else { around };
                let white = self.hole.right().white_cost(&language.rules, state, exit, column);
                let way = costs.between(start, state);
                way.saturating_add(white + self.hole.right().exit_cost(exit))
            };
            let &(state, next) = exits.iter().min_by_key(|exit| cost(exit))?;
            spell_between(costs, (start, state), child.own_marks(), symbols);
            exit = next;
        }
    }
}

/// The shortest text of at least one byte that completes the symbol in progress to this emission.
fn longer_text(language: &Language, from: RawState, emission: EmissionId) -> Option<Vec<u8>> {
    let scanner = &language.lexer.scanner;
    let steps = language.reach.steps(from).iter();
    let texts = steps.filter_map(|&(byte, next)| {
        let rest = language.reach.shortest_symbol(scanner, next, |found| found == emission)?;
        Some([vec![byte], rest].concat())
    });
    texts.min_by_key(|text| (text.len(), !text[0].is_ascii_alphanumeric()))
}

/// The end of a comment: the rest of a character that was cut in half, and a line break.
fn rest_of_comment(language: &Language, raw: RawState) -> Vec<u8> {
    let rest = language.reach.shortest_symbol(&language.lexer.scanner, raw, |_| true);
    [rest.unwrap_or_default(), LINE_BREAK.to_vec()].concat()
}

fn spell(
    costs: CostsAt<'_>,
    symbol: EdgeLabel,
    is_behind_word: bool,
    marks: Marks,
    symbols: &mut Vec<Planned>,
) {
    match symbol {
        EdgeLabel::Terminal(terminal) => {
            symbols.push(Planned { terminal, marks });
        }
        EdgeLabel::Nonterminal(child) => {
            spell_to_final(costs, costs.rules.start(child), is_behind_word, symbols);
        }
    }
}

/// Spells the cheapest end of a body. `is_behind_word`: a word stands in front of its first symbol.
fn spell_to_final(
    costs: CostsAt<'_>,
    from: BodyState,
    is_behind_word: bool,
    symbols: &mut Vec<Planned>,
) {
    let rules = costs.rules;
    let mut state = from;
    let mut is_behind_word = is_behind_word;
    while !rules.is_final(state) {
        is_behind_word |= costs.is_behind_word(state);
        let cost = |&&(symbol, to): &&(EdgeLabel, BodyState)| {
            costs.edge(state, symbol, is_behind_word).saturating_add(costs.to_final(to))
        };
        let Some(&(symbol, to)) = rules.edges(state).iter().min_by_key(cost) else { return };
        spell(costs, symbol, is_behind_word, Marks::ALL, symbols);
        state = to;
        is_behind_word = false;
    }
}

pub(super) fn spell_between(
    costs: CostsAt<'_>,
    (from, to): (BodyState, BodyState),
    marks: Marks,
    symbols: &mut Vec<Planned>,
) {
    let rules = costs.rules;
    let mut state = from;
    while state != to {
        let is_behind_word = costs.is_behind_word(state);
        let cost = |&&(symbol, behind): &&(EdgeLabel, BodyState)| {
            costs.edge(state, symbol, false).saturating_add(costs.between(behind, to))
        };
        let Some(&(symbol, behind)) = rules.edges(state).iter().min_by_key(cost) else { return };
        spell(costs, symbol, is_behind_word, marks, symbols);
        state = behind;
    }
}
