//! Forward charts: Earley's algorithm over body automata, with equal charts kept once.
//!
//! An item is a body state with the chart in which its rule began (the paper's items with their span start). Only
//! items that have read a symbol are stored: a chart's predictions are a set of nonterminals, whose start states are
//! its predicted items.
//!
//! ```text
//! call: NAME "(" NAME ("," NAME)* ")"      0 -NAME- 1 -"("- 2 -NAME- 3 -")"- 4, and back 3 -","- 2
//!
//!                    chart 0 predicts `call`: nothing is stored
//! f                  chart 1: (state 1, began at chart 0)
//! f(                 chart 2: (state 2, began at chart 0)
//! f(a                chart 3: (state 3, began at chart 0)
//! f(a,               chart 2 again
//! f(a, b             chart 3 again
//! ```
//!
//! A chart is known by its items. The charts that they refer to are known by theirs, so a chart number stands for the
//! whole left spine, the marks of open rules included, wherever in a text it occurs: after every statement of a
//! module the chart is the same. A step is therefore mostly one look-up. Since numbers do not depend on the text in
//! front, a hole can also keep its answers by chart. The price is that a chart does not know where in the text it is.

mod completions;
mod covering;
mod forks;
mod insertions;
mod names;

use std::hash::Hasher;

use fim_lexer::TerminalId;
use fim_lexer::layout::MAX_INDENTS;
use fim_lexer::lexer::Symbol;
use rustc_hash::{FxHashMap, FxHasher};

use self::completions::{Completions, Ending};
pub(crate) use self::forks::Taken;
use self::names::NameReading;
use super::chart_index::ChartIndex;
use super::marks::Mark;
use super::paged::PagedMap;
use super::prediction::{PredictionIdx, Predictions};
use super::spellings::{Spelling, Spellings};
use crate::grammar::{BodyState, Nonterminal, Rules};

/// The number of a forward chart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LeftChart(pub u32);

impl LeftChart {
    /// The chart in front of all text.
    pub const FIRST: Self = Self(0);

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// An Earley item: a body state, and where its rule began.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LeftItem {
    /// The state in the rule's body up to which it has been read.
    pub state: BodyState,
    /// The chart in which it was predicted, with only the items that predict something.
    pub origin: LeftChart,
}

#[derive(Clone, Copy, Debug)]
struct LeftHead {
    first_item: u32,
    n_items: u32,
    prediction: PredictionIdx,
    innermost: Innermost,
}

/// The innermost open rule that has a mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Innermost {
    mark: Mark,
    /// The number of columns that are open, this one included.
    depth: u32,
}

/// The charts of one or more texts of a language.
#[derive(Debug, Default)]
pub struct LeftCharts {
    heads: Vec<LeftHead>,
    items: Vec<LeftItem>,
    predictions: Predictions,
    index: ChartIndex,
    steps: PagedMap<(LeftChart, TerminalId), Option<LeftChart>>,
    /// Steps over an insertable symbol and the symbol behind it, where both are one step.
    double_steps: PagedMap<(LeftChart, [TerminalId; 2]), Option<LeftChart>>,
    /// Steps by which a rule gets its mark.
    marked: FxHashMap<(LeftChart, Mark), Option<LeftChart>>,
    /// For each chart at which a repeated name may stand, and a terminal, the readings of the terminal as a name.
    name_readings: FxHashMap<(LeftChart, TerminalId), NameReading>,
    pub(crate) spellings: Spellings,
    /// For each chart the one with only those items that predict something. New rules take that one as their origin,
    /// because an item that waits for a terminal never continues after one of them. Otherwise two texts that differ
    /// only in an `if` that still waits for its `else` would have different charts up to the end of the file.
    waiting: Vec<LeftChart>,
    kernel: Vec<LeftItem>,
    completions: Completions,
    /// For a rule and two charts where it began, whether all that may follow it from the first may follow from the
    /// second.
    covered: PagedMap<(Nonterminal, LeftChart, LeftChart), bool>,
    n_looked_at: u64,
    ending: Ending,
    /// Room for ends that are followed one in the other.
    spare: Vec<Ending>,
}

impl LeftCharts {
    /// The charts of no text: the first one alone.
    pub fn new(rules: &Rules) -> Self {
        let predictions = Predictions::new(rules.n_nonterminals());
        let mut charts = Self { predictions, ..Self::default() };
        let state = rules.start(Nonterminal::ROOT);
        charts.kernel.push(LeftItem { state, origin: LeftChart::FIRST });
        charts.intern(rules, Innermost { mark: Mark::OUTERMOST, depth: 1 });
        charts
    }

    /// The items of a chart that have read a symbol.
    #[inline]
    pub fn items(&self, chart: LeftChart) -> &[LeftItem] {
        let head = &self.heads[chart.index()];
        &self.items[head.first_item as usize..][..head.n_items as usize]
    }

    /// The innermost mark at this chart and its depth, as numbers that tell them from others.
    pub(crate) fn mark_as_numbers(&self, chart: LeftChart) -> [u64; 2] {
        let Innermost { mark, depth } = self.heads[chart.index()].innermost;
        [mark.as_number(), u64::from(depth)]
    }

    /// The items that have been looked at so far, a measure of work.
    pub(crate) fn work(&self) -> u64 {
        self.n_looked_at
    }

    /// The mark of the innermost open rule that has one, at this chart.
    #[inline]
    pub fn mark(&self, chart: LeftChart) -> Mark {
        self.heads[chart.index()].innermost.mark
    }

    /// Whether an item's rule can end before too many columns are open.
    #[inline]
    pub(crate) fn has_room(&self, rules: &Rules, item: LeftItem) -> bool {
        let depth = self.heads[item.origin.index()].innermost.depth as usize;
        depth + rules.room(item.state) <= MAX_INDENTS
    }

    /// The nonterminals that may begin at this chart.
    #[inline]
    pub fn predicted_nonterminals(&self, chart: LeftChart) -> &[u64] {
        self.predictions.get(self.heads[chart.index()].prediction)
    }

    /// Whether a nonterminal may begin at this chart.
    #[inline]
    pub fn predicts(&self, chart: LeftChart, nonterminal: Nonterminal) -> bool {
        self.predictions.contains(self.heads[chart.index()].prediction, nonterminal)
    }

    /// The number of charts, a measure of memory.
    pub fn n_charts(&self) -> usize {
        self.heads.len()
    }

    /// Bytes held, roughly.
    pub fn memory(&self) -> usize {
        self.heads.capacity() * size_of::<LeftHead>()
            + self.items.capacity() * size_of::<LeftItem>()
            + (self.steps.capacity() + self.double_steps.capacity()) * 24
            + self.index.capacity() * 9
            + (self.marked.capacity() + self.name_readings.capacity()) * 32
            + self.covered.capacity() * 14
            + self.completions.memory()
            + self.spellings.memory()
    }

    /// The chart behind one more symbol; `None` if no text goes on like this.
    #[inline]
    pub fn step(&mut self, rules: &Rules, chart: LeftChart, symbol: Symbol) -> Option<LeftChart> {
        if let Some(column) = symbol.column {
            return self.mark_rule(rules, chart, symbol.terminal, Mark::Column(column));
        }
        let key = (chart, symbol.terminal);
        if let Some(known) = self.steps.get(chart.0, &key) {
            return known;
        }
        self.step_found(rules, chart, symbol.terminal)
    }

    /// Takes a step for the first time.
    fn step_found(
        &mut self,
        rules: &Rules,
        chart: LeftChart,
        terminal: TerminalId,
    ) -> Option<LeftChart> {
        if self.minds_spelling(rules, chart, terminal) {
            return self.step_spelled(rules, chart, terminal, Spelling::Open);
        }
        let innermost = self.heads[chart.index()].innermost;
        let found = match rules.insertions(terminal) {
            [] => self.scan(rules, chart, &[], terminal, innermost),
            inserted => Some(self.with_inserted(rules, chart, inserted)),
        };
        self.steps.insert(chart.0, (chart, terminal), found);
        found
    }

    /// Whether a terminal may be read here.
    pub(crate) fn may_come(&self, rules: &Rules, chart: LeftChart, terminal: TerminalId) -> bool {
        let (word, bit) = (terminal.index() / 64, 1 << (terminal.index() % 64));
        self.items(chart).iter().any(|item| rules.next_terminals(item.state)[word] & bit != 0)
    }

    /// The chart behind a terminal, an INDENT or a name, that gives its rule this mark.
    fn mark_rule(
        &mut self,
        rules: &Rules,
        chart: LeftChart,
        terminal: TerminalId,
        mark: Mark,
    ) -> Option<LeftChart> {
        if let Some(&known) = self.marked.get(&(chart, mark)) {
            return known;
        }
        let depth = self.heads[chart.index()].innermost.depth + mark.n_columns();
        let found = self.scan(rules, chart, &[], terminal, Innermost { mark, depth });
        self.marked.insert((chart, mark), found);
        found
    }

    /// The chart behind a terminal. Within rules one of the `inserted` symbols may be in front of it.
    fn scan(
        &mut self,
        rules: &Rules,
        chart: LeftChart,
        inserted: &[TerminalId],
        terminal: TerminalId,
        innermost: Innermost,
    ) -> Option<LeftChart> {
        if terminal.index() >= rules.n_terminals() {
            return None;
        }
        self.kernel.clear();
        let mut innermost = innermost;
        let head = self.heads[chart.index()];
        self.n_looked_at += u64::from(head.n_items);
        for index in head.first_item..head.first_item + head.n_items {
            let LeftItem { state, origin } = self.items[index as usize];
            for &symbol in inserted {
                let behind = rules.terminal_step(state, symbol);
                let to = behind.and_then(|state| rules.terminal_step(state, terminal));
                if let Some(state) = to {
                    self.add(rules, LeftItem { state, origin });
                }
            }
            if let Some(to) = rules.terminal_step(state, terminal) {
                self.add(rules, LeftItem { state: to, origin });
                if rules.is_marked(state) && !rules.is_marked(to) {
                    // The rule's mark ends: text that follows has the mark of the chart where the rule began.
                    innermost = self.heads[origin.index()].innermost;
                }
            }
        }
        let origin = self.waiting[chart.index()];
        for &(nonterminal, state) in rules.begun_by_terminal(terminal) {
            if self.predictions.contains(head.prediction, nonterminal) {
                self.add(rules, LeftItem { state, origin });
            }
        }
        if self.kernel.is_empty() {
            return None;
        }
        self.complete(rules);
        (!self.kernel.is_empty()).then(|| self.intern(rules, innermost))
    }

    /// Adds an item to `kernel`, unless its rule needs more open suites than may be.
    fn add(&mut self, rules: &Rules, item: LeftItem) {
        if self.has_room(rules, item) {
            self.kernel.push(item);
        }
    }

    /// The number of the chart with the items in `kernel`.
    fn intern(&mut self, rules: &Rules, innermost: Innermost) -> LeftChart {
        // As one number, items are compared in half of the time.
        let key = |item: &LeftItem| u64::from(item.state.0) << 32 | u64::from(item.origin.0);
        self.kernel.sort_unstable_by_key(key);
        self.kernel.dedup();
        self.intern_sorted(rules, innermost)
    }

    /// The number of the chart with the items in `kernel`, which are sorted.
    fn intern_sorted(&mut self, rules: &Rules, innermost: Innermost) -> LeftChart {
        self.drop_covered_in_kernel(rules);
        let key = (hash(&self.kernel, innermost.mark), last_origin(&self.kernel));
        let (heads, items) = (&self.heads, &self.items);
        let items_of =
            |head: &LeftHead| &items[head.first_item as usize..][..head.n_items as usize];
        let known = self.index.find(key, |known| {
            let head = &heads[known as usize];
            head.innermost == innermost && items_of(head) == self.kernel
        });
        if let Some(known) = known {
            return LeftChart(known);
        }
        let prediction = self
            .predictions
            .union(self.kernel.iter().map(|item| rules.predicted_nonterminals(item.state)));
        let fresh = self.heads.len() as u32;
        self.heads.push(LeftHead {
            first_item: self.items.len() as u32,
            n_items: self.kernel.len() as u32,
            prediction,
            innermost,
        });
        self.items.extend_from_slice(&self.kernel);
        self.index.insert(key, fresh);
        self.waiting.push(LeftChart(fresh));
        let n_items = self.kernel.len();
        self.kernel
            .retain(|item| rules.predicted_nonterminals(item.state).iter().any(|&word| word != 0));
        if self.kernel.len() < n_items {
            self.waiting[fresh as usize] = self.intern_sorted(rules, innermost);
        }
        LeftChart(fresh)
    }
}

fn hash(items: &[LeftItem], mark: Mark) -> u64 {
    let mut hasher = FxHasher::default();
    for item in items {
        hasher.write_u64(u64::from(item.state.0) << 32 | u64::from(item.origin.0));
    }
    hasher.write_u64(mark.as_number());
    hasher.finish()
}

/// The newest chart where one of these items' rules began.
fn last_origin(items: &[LeftItem]) -> u32 {
    items.iter().map(|item| item.origin.0).max().unwrap_or(0)
}
