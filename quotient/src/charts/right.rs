//! Backward charts: the same rules read against their edges, from the end of the text.
//!
//! An item is a body state with the chart at which its rule ends: from this state on, the rest of
//! the rule is there. As in [`crate::left`], equal charts are kept once and predicted items are
//! not stored.
//!
//! What stands in front of a right context is unknown, also how deep its suites are. Each item
//! therefore carries [`Columns`], the columns at which the suite that it stands in may be: exactly
//! one where a line of the suite has been read, an interval where the suite is only known to
//! close between two lines. An item whose interval is empty is dropped.

mod line_breaks;

use std::hash::{Hash, Hasher};

use fim_lexer::{Column, Columns, LineColumn, TerminalId};
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;

pub use self::line_breaks::LineBreak;
use super::prediction::{PredictionIdx, Predictions};
use crate::grammar::{BodyState, Nonterminal, Rules, contains};

/// The number of a backward chart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RightChart(pub u32);

impl RightChart {
    /// The chart behind all text.
    pub const LAST: Self = Self(0);
    /// In a stored item: the chart that the item is in. Only where suites end together.
    const SELF: Self = Self(u32::MAX);

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// An item: from `state` on the rest of the rule is there, and it ends at `end`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RightItem {
    /// From where on the body is there.
    pub state: BodyState,
    /// The chart at which the rule ends.
    pub end: RightChart,
    /// Where the suite that this state stands in may be.
    pub columns: Columns,
}

#[derive(Clone, Copy, Debug)]
struct Head {
    first_item: u32,
    n_items: u32,
    prediction: PredictionIdx,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Step {
    Terminal(TerminalId, Option<LineColumn>),
    Newline(LineBreak),
    Dedent(Column),
    Indent(Column),
    LineStart(Column),
}

/// The backward charts of one or more texts of a language.
#[derive(Debug, Default)]
pub struct RightCharts {
    heads: Vec<Head>,
    items: Vec<RightItem>,
    predictions: Predictions,
    index: HashTable<u32>,
    steps: FxHashMap<(RightChart, Step), Option<RightChart>>,
    unions: FxHashMap<SmallVec<[RightChart; 8]>, RightChart>,
    /// For each chart, [the part of it](Self::waiting) that rules which end there know.
    waiting: Vec<RightChart>,
    /// The same for one rule, where lines do not say what belongs together.
    waiting_for: FxHashMap<(RightChart, Nonterminal), RightChart>,
    kernel: Vec<RightItem>,
    completed: Vec<(Nonterminal, RightChart, Columns)>,
}

impl RightCharts {
    /// The charts of no text: only the last one.
    pub fn new(rules: &Rules) -> Self {
        let predictions = Predictions::new(rules.n_nonterminals());
        let mut charts = Self { predictions, ..Self::default() };
        let root = rules.finals(Nonterminal::ROOT).iter();
        let columns = Columns::exactly(Column::ZERO);
        charts.kernel.extend(root.map(|&state| RightItem {
            state,
            end: RightChart::SELF,
            columns,
        }));
        charts.close(rules, None);
        charts.intern(rules);
        charts
    }

    /// The items of a chart, ends resolved.
    #[inline]
    pub fn items(&self, chart: RightChart) -> impl Iterator<Item = RightItem> + '_ {
        let head = &self.heads[chart.index()];
        self.items[head.first_item as usize..][..head.n_items as usize].iter().map(move |item| {
            let end = if item.end == RightChart::SELF { chart } else { item.end };
            RightItem { end, ..*item }
        })
    }

    /// Whether a nonterminal may end at this chart.
    #[inline]
    pub fn predicts(&self, chart: RightChart, nonterminal: Nonterminal) -> bool {
        self.predictions.contains(self.heads[chart.index()].prediction, nonterminal)
    }

    /// The number of charts, a measure of memory.
    pub fn n_charts(&self) -> usize {
        self.heads.len()
    }

    /// Bytes held, roughly.
    pub fn memory(&self) -> usize {
        self.heads.capacity() * (size_of::<Head>() + size_of::<RightChart>())
            + self.items.capacity() * size_of::<RightItem>()
            + self.steps.capacity() * 40
            + self.unions.capacity() * 64
            + self.index.capacity() * 5
    }

    /// The number of items in all charts, a measure of work.
    pub(crate) fn n_items(&self) -> usize {
        self.items.len()
    }

    /// The chart in front of a terminal. `line` is where the line stands that it begins, if it
    /// begins one.
    #[inline]
    pub fn step(
        &mut self,
        rules: &Rules,
        chart: RightChart,
        terminal: TerminalId,
        line: Option<LineColumn>,
    ) -> Option<RightChart> {
        let key = (chart, Step::Terminal(terminal, line));
        if let Some(&known) = self.steps.get(&key) {
            return known;
        }
        let inserted = rules.insertions(terminal);
        if !inserted.is_empty() {
            let mut charts: SmallVec<[RightChart; 8]> = SmallVec::from_slice(&[chart]);
            for &symbol in inserted {
                charts.extend(self.step(rules, chart, symbol, line));
            }
            let found = self.union(rules, &mut charts);
            self.steps.insert(key, found);
            return found;
        }
        self.kernel.clear();
        let limit = line.map_or(Columns::ALL, LineColumn::columns);
        self.scan(rules, chart, terminal, |columns| columns.and(limit));
        self.finish(rules, key, None)
    }

    /// The chart with the items of several; `None` of none.
    pub fn union(
        &mut self,
        rules: &Rules,
        charts: &mut SmallVec<[RightChart; 8]>,
    ) -> Option<RightChart> {
        charts.sort_unstable();
        charts.dedup();
        if charts.len() < 2 {
            return charts.first().copied();
        }
        if let Some(&known) = self.unions.get(charts) {
            return Some(known);
        }
        let items: Vec<RightItem> = charts.iter().flat_map(|&chart| self.items(chart)).collect();
        self.kernel.clear();
        self.kernel.extend(items);
        // The parts are closed already, so there is nothing to complete.
        let found = self.intern(rules);
        self.unions.insert(charts.clone(), found);
        Some(found)
    }

    /// Adds what scanning `terminal` backward from `chart` gives to the kernel.
    fn scan(
        &mut self,
        rules: &Rules,
        chart: RightChart,
        terminal: TerminalId,
        limit: impl Fn(Columns) -> Option<Columns>,
    ) {
        if terminal.index() >= rules.n_terminals() {
            return;
        }
        let head = self.heads[chart.index()];
        for index in head.first_item..head.first_item + head.n_items {
            let item = self.items[index as usize];
            let before = rules.before_terminal(item.state, terminal);
            if before.is_empty() {
                continue;
            }
            let Some(columns) = limit(item.columns) else { continue };
            let end = if item.end == RightChart::SELF { chart } else { item.end };
            self.kernel.extend(before.iter().map(|&state| RightItem { state, end, columns }));
        }
        let Some(columns) = limit(Columns::ALL) else { return };
        let all = self.waiting(chart);
        for &(nonterminal, state) in rules.ended_by_terminal(terminal) {
            if self.predictions.contains(head.prediction, nonterminal) {
                let end = self.waiting_for(rules, all, nonterminal);
                self.kernel.push(RightItem { state, end, columns });
            }
        }
    }

    /// The part of a chart that a rule which ends there knows: what waits for it, directly or by way of rules that
    /// end with it. In JavaScript, something waits for an expression in front of almost every line, in case that
    /// a semicolon was left out; what statements end at must not be told apart by that.
    #[inline]
    fn waiting_for(
        &mut self,
        rules: &Rules,
        chart: RightChart,
        nonterminal: Nonterminal,
    ) -> RightChart {
        if !rules.is_branching() || chart == RightChart::SELF {
            return chart;
        }
        if let Some(&known) = self.waiting_for.get(&(chart, nonterminal)) {
            return known;
        }
        let knows = |item: &RightItem| contains(rules.back_predicted(item.state), nonterminal);
        let part: Vec<RightItem> = self.items(chart).filter(knows).collect();
        let outer = std::mem::replace(&mut self.kernel, part);
        let found = self.intern(rules);
        self.kernel = outer;
        self.waiting_for.insert((chart, nonterminal), found);
        found
    }

    /// The chart without the items that wait for a terminal only, as far as rules that end here
    /// are concerned: none of them goes on from such an item. A `def` waits for decorators in
    /// front of it; if what stands there were told apart by that, so would be all lines in front.
    fn waiting(&self, chart: RightChart) -> RightChart {
        self.waiting[chart.index()]
    }

    fn finish(
        &mut self,
        rules: &Rules,
        key: (RightChart, Step),
        repeated: Option<(TerminalId, Columns)>,
    ) -> Option<RightChart> {
        let mut found = None;
        if !self.kernel.is_empty() {
            self.close(rules, repeated);
            if let Step::Terminal(_, Some(_)) = key.1 {
                // Items in the middle of a line would lead on to the charts of the lines behind
                // it, so that equal lines had different charts all the way to the end.
                self.kernel.retain(|item| rules.is_line_start(item.state));
            }
            found = (!self.kernel.is_empty()).then(|| self.intern(rules));
        }
        self.steps.insert(key, found);
        found
    }

    /// Completes rules whose beginning is reached. With `repeated`, the terminal may be read any
    /// number of times in place: suites that end together.
    fn close(&mut self, rules: &Rules, repeated: Option<(TerminalId, Columns)>) {
        self.completed.clear();
        self.kernel.sort_unstable();
        self.kernel.dedup();
        let mut is_predicted: Vec<Nonterminal> = Vec::new();
        let mut next = 0;
        while let Some(&item) = self.kernel.get(next) {
            next += 1;
            let owner = rules.owner(item.state);
            if item.state == rules.start(owner) {
                self.complete(rules, owner, item);
            }
            let Some((terminal, limit)) = repeated else { continue };
            for &state in rules.before_terminal(item.state, terminal) {
                if let Some(columns) = item.columns.and(limit) {
                    self.add(RightItem { state, end: item.end, columns });
                }
            }
            for &(nonterminal, state) in rules.ended_by_terminal(terminal) {
                let ends_here = contains(rules.back_predicted(item.state), nonterminal);
                if ends_here && !is_predicted.contains(&nonterminal) {
                    is_predicted.push(nonterminal);
                    self.add(RightItem { state, end: RightChart::SELF, columns: limit });
                }
            }
        }
        self.kernel.retain(|item| {
            let owner = rules.owner(item.state);
            item.state != rules.start(owner) || owner == Nonterminal::ROOT
        });
    }

    fn complete(&mut self, rules: &Rules, nonterminal: Nonterminal, item: RightItem) {
        let key = (nonterminal, item.end, item.columns);
        let is_root = nonterminal == Nonterminal::ROOT;
        if is_root || item.end == RightChart::SELF || self.completed.contains(&key) {
            return;
        }
        self.completed.push(key);
        let head = self.heads[item.end.index()];
        let mut around: Option<Columns> = None;
        for index in head.first_item..head.first_item + head.n_items {
            let waiting = self.items[index as usize];
            around = Some(around.map_or(waiting.columns, |around| around.hull(waiting.columns)));
            let before = rules.before_nonterminal(waiting.state, nonterminal);
            if before.is_empty() {
                continue;
            }
            let Some(columns) = waiting.columns.and(item.columns) else { continue };
            let end = if waiting.end == RightChart::SELF { item.end } else { waiting.end };
            for &state in before {
                self.add(RightItem { state, end, columns });
            }
        }
        // What ends here with it stands where something is that waits for it. Asked only once lines
        // have said where it may stand, so that what is inside of lines is the same in all suites.
        let columns = match around {
            Some(around) if item.columns != Columns::ALL => item.columns.and(around),
            _ => Some(item.columns),
        };
        let Some(columns) = columns else { return };
        for &(parent, state) in rules.ended_by_nonterminal(nonterminal) {
            if self.predictions.contains(head.prediction, parent) {
                let end = self.waiting_for(rules, item.end, parent);
                self.add(RightItem { state, end, columns });
            }
        }
    }

    fn add(&mut self, item: RightItem) {
        if !self.kernel.contains(&item) {
            self.kernel.push(item);
        }
    }

    /// The number of the chart with the items in `kernel`.
    fn intern(&mut self, rules: &Rules) -> RightChart {
        self.kernel.sort_unstable();
        self.kernel.dedup();
        let key = hash(&self.kernel);
        let (heads, items) = (&self.heads, &self.items);
        let items_of = |known: u32| {
            let head = &heads[known as usize];
            &items[head.first_item as usize..][..head.n_items as usize]
        };
        if let Some(&known) = self.index.find(key, |&known| items_of(known) == self.kernel) {
            return RightChart(known);
        }
        let prediction =
            self.predictions.union(self.kernel.iter().map(|item| rules.back_predicted(item.state)));
        let fresh = self.heads.len() as u32;
        self.heads.push(Head {
            first_item: self.items.len() as u32,
            n_items: self.kernel.len() as u32,
            prediction,
        });
        self.items.extend_from_slice(&self.kernel);
        let (heads, items) = (&self.heads, &self.items);
        self.index.insert_unique(key, fresh, |&known| {
            let head = &heads[known as usize];
            hash(&items[head.first_item as usize..][..head.n_items as usize])
        });
        self.waiting.push(RightChart(fresh));
        let n_items = self.kernel.len();
        self.kernel.retain(|item| rules.back_predicted(item.state).iter().any(|&word| word != 0));
        if self.kernel.len() < n_items {
            self.waiting[fresh as usize] = self.intern(rules);
        }
        RightChart(fresh)
    }
}

fn hash(items: &[RightItem]) -> u64 {
    let mut hasher = FxHasher::default();
    items.hash(&mut hasher);
    hasher.finish()
}
