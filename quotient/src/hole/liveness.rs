//! What may follow a chart, in front of a right context: all symbols at once.
//!
//! [`Hole::cost`] answers for a chart that exists. For a mask all symbols that may come next are
//! of interest, and most of the charts behind them never will be. A symbol is fine if one of the
//! items that it leads to can go on to the right context, which follows from what is known of
//! the items' rules, without completing anything.

use fim_lexer::TerminalId;
use fim_lexer::lexer::Symbol as LexedSymbol;
use fim_lexer::scanner::EmissionId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{Hole, Onward};
use crate::charts::{LeftChart, LeftCharts, LeftItem, Spelling};
use crate::grammar::{IMPOSSIBLE, Language, Symbol};
use crate::right_side::{Exit, RootIdx};

/// What is alive behind a chart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Liveness {
    /// Whether anything fits.
    pub(crate) is_live: bool,
    /// Whether a line may end here.
    pub(crate) is_line_end: bool,
    /// The emissions behind which something fits, brackets and their limits aside.
    emissions: SmallVec<[u64; 4]>,
    /// Whether more of the emissions may be alive, of those that charts are needed for: in most masks nobody asks.
    is_open: bool,
    /// The terminals that do not end a suite and behind which something fits.
    terminals: SmallVec<[u64; 4]>,
    /// Those that do behind a symbol that only ever stands between others of a rule and may be inserted here.
    behind_marks: SmallVec<[u64; 4]>,
    /// Those of the emissions behind which something fits whatever their text is, where that matters: where a name may
    /// stand that is said again.
    pub(crate) spelled: Option<Box<[u64]>>,
    /// The roots that the chart meets.
    pub(crate) roots: SmallVec<[RootIdx; 2]>,
}

/// What has been found out about charts.
#[derive(Debug, Default)]
pub(crate) struct LivenessOfCharts {
    index: FxHashMap<LeftChart, u32>,
    /// What may come behind charts that something was inserted in front of.
    terminals: FxHashMap<LeftChart, SmallVec<[u64; 4]>>,
    found: Vec<Liveness>,
}

/// So many charts are remembered; then all are forgotten.
const MAX_CHARTS: usize = 1 << 16;

impl Hole {
    /// What is alive behind a chart, computed on first use.
    #[inline]
    pub(crate) fn learn(
        &mut self,
        language: &Language,
        left: &mut LeftCharts,
        chart: LeftChart,
    ) -> &Liveness {
        if let Some(&index) = self.liveness.index.get(&chart) {
            return &self.liveness.found[index as usize];
        }
        let found = self.liveness(language, left, chart);
        self.liveness.index.insert(chart, self.liveness.found.len() as u32);
        self.liveness.found.push(found);
        &self.liveness.found[self.liveness.found.len() - 1]
    }

    /// Whether something fits behind one of these emissions.
    #[inline]
    pub(crate) fn is_any_live(
        &mut self,
        language: &Language,
        left: &mut LeftCharts,
        chart: LeftChart,
        emissions: &[u64],
    ) -> bool {
        let known = self.learn(language, left, chart);
        if meet(&known.emissions, emissions) {
            return true;
        }
        if !known.is_open || !meet(&language.emission_sets.late, emissions) {
            return false;
        }
        meet(&self.learn_rest(language, left, chart).emissions, emissions)
    }

    /// Whether something fits behind an emission.
    #[inline]
    pub(crate) fn is_emission_live(
        &mut self,
        language: &Language,
        left: &mut LeftCharts,
        chart: LeftChart,
        emission: EmissionId,
    ) -> bool {
        let known = self.learn(language, left, chart);
        let index = usize::from(emission.0);
        if has_bit(&known.emissions, index) {
            return true;
        }
        if !known.is_open || !has_bit(&language.emission_sets.late, index) {
            return false;
        }
        has_bit(&self.learn_rest(language, left, chart).emissions, index)
    }

    /// What is alive behind a chart that [`Self::learn`] has been called for.
    #[inline]
    pub(crate) fn known_liveness(&self, chart: LeftChart) -> &Liveness {
        &self.liveness.found[self.liveness.index[&chart] as usize]
    }

    /// Forgets what is known of charts if it is much. Not to be called within a walk.
    pub(crate) fn forget_much(&mut self) {
        if self.liveness.found.len() > MAX_CHARTS {
            self.liveness = LivenessOfCharts::default();
        }
    }

    /// What is alive behind a chart, from scratch.
    fn liveness(
        &mut self,
        language: &Language,
        left: &mut LeftCharts,
        chart: LeftChart,
    ) -> Liveness {
        if self.cost(language, left, chart) >= IMPOSSIBLE {
            return Liveness::default();
        }
        let sets = &language.emission_sets;
        let terminals = self.live_terminals(language, left, chart);
        let mut emissions = SmallVec::from_slice(&sets.silent);
        sets.add_of(&self.written(language, &terminals), &mut emissions);
        let mut behind_marks = SmallVec::new();
        for insertion in sets.inserted().iter().filter(|insertion| insertion.is_between) {
            let live = self.live_behind_mark(language, left, chart, insertion.symbol);
            insertion.add_of(&live, &mut emissions);
            join(&mut behind_marks, &live);
        }
        let roots = self.met_roots(language, left, chart);
        let is_line_end = language
            .lexer
            .layout()
            .is_some_and(|layout| self.is_sequence_live(language, left, chart, &[layout.newline]));
        let mut found = Liveness {
            is_live: true,
            is_line_end,
            emissions,
            is_open: true,
            terminals,
            behind_marks,
            spelled: None,
            roots,
        };
        self.add_breaks(language, &mut found);
        let minding = minding(language, left, chart);
        if !minding.is_empty() || language.lexer.scanner.held().next().is_some() {
            self.add_rest(language, left, chart, &mut found);
        }
        if !minding.is_empty() {
            found.spelled = self.spelled_emissions(language, left, chart, &minding, &found);
        }
        found
    }

    /// The terminals with all those that names are written as, where one may come that is said again.
    fn written(&self, language: &Language, terminals: &[u64]) -> SmallVec<[u64; 4]> {
        let mut found = SmallVec::from_slice(terminals);
        if let Some(same) = language.rules.same()
            && (has_bit(terminals, same.first.index()) || has_bit(terminals, same.again.index()))
        {
            for name in same.written() {
                found[name.index() / 64] |= 1 << (name.index() % 64);
            }
        }
        found
    }

    /// Finds out about the emissions that were left open.
    #[cold]
    fn learn_rest(
        &mut self,
        language: &Language,
        left: &mut LeftCharts,
        chart: LeftChart,
    ) -> &Liveness {
        let index = self.liveness.index[&chart] as usize;
        let mut found = std::mem::take(&mut self.liveness.found[index]);
        self.add_rest(language, left, chart, &mut found);
        self.liveness.found[index] = found;
        &self.liveness.found[index]
    }

    /// Adds the emissions that charts are needed for: of several symbols, or behind what could have been written.
    fn add_rest(
        &mut self,
        language: &Language,
        left: &mut LeftCharts,
        chart: LeftChart,
        found: &mut Liveness,
    ) {
        let sets = &language.emission_sets;
        let scanner = &language.lexer.scanner;
        let mut behind_inserted = found.behind_marks.clone();
        for insertion in sets.inserted().iter().filter(|insertion| !insertion.is_between) {
            if !has_bit(&found.terminals, insertion.symbol.index()) {
                continue;
            }
            let inserted = LexedSymbol { terminal: insertion.symbol, column: None };
            if let Some(behind) = left.step(&language.rules, chart, inserted) {
                // Whatever is left out, what may follow is mostly the same.
                if !self.liveness.terminals.contains_key(&behind) {
                    let live = self.live_terminals(language, left, behind);
                    self.liveness.terminals.insert(behind, live);
                }
                let live = &self.liveness.terminals[&behind];
                insertion.add_of(live, &mut found.emissions);
                join(&mut behind_inserted, live);
            }
        }
        let first = self.written(language, &found.terminals);
        for &id in &sets.several {
            let emission = scanner.emission(id);
            let is_first_live = emission.symbols.first().is_some_and(|symbol| {
                let is_inserted_live =
                    emission.inserted().is_some() && has_bit(&behind_inserted, symbol.index());
                is_inserted_live || has_bit(&first, symbol.index())
            });
            if is_first_live && self.is_sequence_live(language, left, chart, emission.steps()) {
                found.emissions[usize::from(id.0) / 64] |= 1 << (id.0 % 64);
            }
        }
        self.hold(language, &found.roots, &mut found.emissions);
        self.add_breaks(language, found);
        found.is_open = false;
    }

    /// Adds skipped line breaks, if something that may come behind one fits.
    fn add_breaks(&self, language: &Language, found: &mut Liveness) {
        let Some(clean) = language.lexer.scanner.behind_break() else { return };
        let is_live = meet(&found.emissions, language.reach.words(clean))
            || found.roots.iter().any(|&root| self.right.is_led_to(root, clean));
        if is_live {
            for (word, &breaks) in found.emissions.iter_mut().zip(&language.emission_sets.breaks) {
                *word |= breaks;
            }
        }
    }

    /// Of the emissions that are alive those that are so whatever their text is, where that of some terminals matters.
    fn spelled_emissions(
        &mut self,
        language: &Language,
        left: &mut LeftCharts,
        chart: LeftChart,
        minding: &[TerminalId],
        Liveness { terminals, emissions, .. }: &Liveness,
    ) -> Option<Box<[u64]>> {
        let rules = &language.rules;
        let same = rules.same()?;
        let mut is_first_live = None;
        let mut found: Box<[u64]> = emissions.as_slice().into();
        for (index, emission) in language.lexer.scanner.emissions().iter().enumerate() {
            let [name] = emission.symbols[..] else { continue };
            if !minding.contains(&name) || has_bit(terminals, name.index()) {
                continue;
            }
            let is_live = has_bit(terminals, same.first.index())
                && *is_first_live.get_or_insert_with(|| {
                    let behind = left.step_spelled(rules, chart, name, Spelling::Unlike);
                    behind.is_some_and(|behind| self.cost(language, left, behind) < IMPOSSIBLE)
                });
            if !is_live {
                found[index / 64] &= !(1 << (index % 64));
            }
        }
        Some(found)
    }

    /// Adds what is ignored and does not let everything come behind it, if something that may come fits.
    fn hold(&self, language: &Language, roots: &[RootIdx], emissions: &mut SmallVec<[u64; 4]>) {
        let scanner = &language.lexer.scanner;
        for held in scanner.held() {
            let adjacency =
                language.tables().adjacency.expect("only without a layout is something held");
            let is_live = adjacency.begun_behind_held(held).iter().any(|&begun| {
                let mut ways = language.reach.emissions(begun);
                let is_live = |EmissionId(id): EmissionId| {
                    let is_symbol = !scanner.emission(EmissionId(id)).symbols.is_empty();
                    is_symbol && has_bit(emissions, usize::from(id))
                };
                ways.any(is_live) || roots.iter().any(|&root| self.right.is_led_to(root, begun))
            });
            emissions[usize::from(held.0) / 64] |= u64::from(is_live) << (held.0 % 64);
        }
    }

    fn is_sequence_live(
        &mut self,
        language: &Language,
        left: &mut LeftCharts,
        chart: LeftChart,
        terminals: &[TerminalId],
    ) -> bool {
        let behind = terminals.iter().try_fold(chart, |chart, &terminal| {
            left.step(&language.rules, chart, LexedSymbol { terminal, column: None })
        });
        behind.is_some_and(|chart| self.cost(language, left, chart) < IMPOSSIBLE)
    }

    /// The roots for which [`Hole::meets`] holds.
    fn met_roots(
        &mut self,
        language: &Language,
        left: &LeftCharts,
        chart: LeftChart,
    ) -> SmallVec<[RootIdx; 2]> {
        let mut found = SmallVec::new();
        for &item in left.items(chart) {
            let nonterminal = language.rules.owner(item.state);
            let onward = self.onward(language, left, item.origin);
            let Some(onward) = Onward::find(&onward, nonterminal) else { continue };
            for &instance in &onward.instances {
                for &(state, exit) in &self.right.instance(instance).exits {
                    let Exit::Root(root) = exit else { continue };
                    if state == item.state
                        && !found.contains(&root)
                        && self.fits(language, left, chart, item, instance)
                    {
                        found.push(root);
                    }
                }
            }
        }
        found
    }

    /// The terminals that do not end a suite and behind which something fits.
    fn live_terminals(
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
    fn live_behind_mark(
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
        let mut items = left.items(chart).to_vec();
        let predicted = self.onward(language, left, chart);
        let starts = predicted.iter().map(|onward| rules.start(onward.nonterminal));
        items.extend(starts.map(|state| LeftItem { state, origin: chart }));
        for item in items {
            let nonterminal = rules.owner(item.state);
            let onward = self.onward(language, left, item.origin);
            let Some(onward) = Onward::find(&onward, nonterminal) else { continue };
            for &(symbol, state) in rules.edges(item.state) {
                let Symbol::Terminal(terminal) = symbol else { continue };
                let behind = LeftItem { state, origin: item.origin };
                let cost = self.finish_cost(language, left, chart, behind, onward);
                let known = &mut found[terminal.index()];
                *known = cost.min(*known);
            }
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

/// The terminals whose text matters behind a chart.
fn minding(
    language: &Language,
    left: &mut LeftCharts,
    chart: LeftChart,
) -> SmallVec<[TerminalId; 8]> {
    let rules = &language.rules;
    let may_come = |name| left.may_come(rules, chart, name);
    let same = rules.same().filter(|same| may_come(same.first) || may_come(same.again));
    let written = same.into_iter().flat_map(|same| same.written());
    written.copied().filter(|&name| left.minds_spelling(rules, chart, name)).collect()
}

/// Whether two sets have a member in common.
#[inline]
fn meet(one: &[u64], other: &[u64]) -> bool {
    one.iter().zip(other).any(|(one, other)| one & other != 0)
}

/// Adds a set to another, which may still be of no words.
fn join(set: &mut SmallVec<[u64; 4]>, more: &[u64]) {
    if set.len() < more.len() {
        set.resize(more.len(), 0);
    }
    for (word, &more) in set.iter_mut().zip(more) {
        *word |= more;
    }
}

fn has_bit(set: &[u64], index: usize) -> bool {
    set.get(index / 64).is_some_and(|word| word & (1 << (index % 64)) != 0)
}
