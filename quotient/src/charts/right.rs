//! Backward charts: the same rules read against their edges, from the end of the text.
//!
//! An item is a body state with the chart at which its rule ends: the rest of the rule, from this state on, has been
//! read. As in `charts/left.rs`, equal charts are kept once and predicted items are not stored.
//!
//! ```text
//! call: NAME "(" NAME ("," NAME)* ")"      0 -NAME- 1 -"("- 2 -NAME- 3 -")"- 4, and back 3 -","- 2
//!
//!                    chart 0 predicts `call` from its end
//!              )     chart 1: (state 3, ends at chart 0)
//!            b )     chart 2: (state 2, ends at chart 0)
//!          , b )     chart 1 again
//! ```
//!
//! The text in front of a right context is unknown, and so is the depth of its suites. Each item therefore carries
//! [`Marks`]: the columns at which the suite around it may stand, exactly one where a line of the suite has been
//! read, an interval where the suite is only known to close between two lines; or the name that is repeated. An item
//! that fits with no mark is dropped.
//!
//! The copy of a template that a text is in is unknown, too, so the copies of a rule are read as one
//! ([`crate::grammar`]'s families), and an item says for which of them it holds.
//!
//! In the paper: the reversed grammar, section IV.B; here the same automata are read against their edges.

mod behind;
mod closing;
mod covering;
mod insertions;
mod interning;
mod kernel;
mod line_breaks;
mod names;
mod parts;

use fim_lexer::{Column, Columns, LineColumn, TerminalId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

pub(crate) use self::behind::StepFault;
use self::closing::Within;
use self::kernel::{Item, Kernel, MarkSets};
pub use self::line_breaks::LineBreak;
pub(crate) use self::names::CutName;
use super::chart_index::ChartIndex;
use super::marks::Marks;
use super::paged::PagedMap;
use super::prediction::{PredictionIdx, Predictions};
use super::spellings::{SpellingIdx, Spellings};
use crate::grammar::{BodyState, ChildEdge, Copies, Family, Knowing, Nonterminal, Rules};

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

/// An item: the rest of its rule, from `state` on, has been read, and the rule ends at `end`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RightItem {
    /// The state in the body from which on it has been read.
    pub state: BodyState,
    /// The chart at which the rule ends.
    pub end: RightChart,
    /// The marks that the innermost open rule may have.
    pub marks: Marks,
}

/// An item of a chart that waits, and one of the families that it waits for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waiting {
    pub(crate) family: Family,
    edge: ChildEdge,
    copies: Copies,
    end: RightChart,
    marks: Marks,
}

impl Waiting {
    /// The items in front of one of these copies of the family.
    pub(crate) fn items_around(
        self,
        rules: &Rules,
        copies: Copies,
    ) -> impl Iterator<Item = RightItem> + '_ {
        let Self { edge, end, marks, .. } = self;
        let copies = rules.families().around(edge, copies) & self.copies;
        let states = rules.families().body_states(edge.from, copies);
        states.map(move |state| RightItem { state, end, marks })
    }
}

#[derive(Clone, Copy, Debug)]
struct RightHead {
    first_item: u32,
    n_items: u32,
    prediction: PredictionIdx,
    /// The last of its parts for the copies of one rule.
    last_part: u32,
}

/// The part of a chart for the copies of one rule, and the part of the same chart that was found before it.
#[derive(Clone, Copy, Debug)]
struct KnownPart {
    chart: RightChart,
    before: u32,
    knowing: Knowing,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Step {
    /// The step of a line's first symbol.
    First(TerminalId, LineColumn),
    Newline(LineBreak),
    Dedent(Column),
    Indent(Column),
    LineStart(Column),
    /// The step of a repeated name.
    Named(TerminalId, SpellingIdx),
}

/// The backward charts of one or more texts of a language.
#[derive(Debug, Default)]
pub struct RightCharts {
    heads: Vec<RightHead>,
    items: Vec<Item>,
    sets: MarkSets,
    predictions: Predictions,
    /// The predictions of charts with items at these places, of those that predict anything: far fewer than charts.
    shapes: FxHashMap<Box<[u64]>, PredictionIdx>,
    shape: Vec<u64>,
    index: ChartIndex,
    steps: PagedMap<(RightChart, TerminalId), Option<RightChart>>,
    /// Steps over a symbol and the insertable symbol in front of it, where both are one step.
    double_steps: PagedMap<(RightChart, [TerminalId; 2]), Option<RightChart>>,
    /// Steps over symbols that the lexer emits behind a known symbol: chart, emission and known symbol as one number.
    steps_behind: PagedMap<u64, Result<RightChart, StepFault>>,
    /// Steps by which lines begin or end.
    line_steps: FxHashMap<(RightChart, Step), Option<RightChart>>,
    unions: FxHashMap<SmallVec<[RightChart; 4]>, RightChart>,
    /// For each chart, [the part of it](Self::waiting) that rules which end there know, once it was asked for.
    waiting: Vec<Option<RightChart>>,
    /// The parts of charts for the copies of one rule, where lines do not say which items belong together.
    parts: Vec<KnownPart>,
    /// Whether every item that waits at the first chart waits at the second one, too.
    covered: PagedMap<(RightChart, RightChart), bool>,
    pub(crate) spellings: Spellings,
    kernel: Kernel,
    /// The items of the chart in the making.
    sorted: Vec<Item>,
    /// The same items as numbers, where none has marks.
    keys: Vec<u128>,
}

impl RightCharts {
    /// The charts of no text: the last one alone.
    pub fn new(rules: &Rules) -> Self {
        let families = rules.families();
        let predictions = Predictions::new(families.n_bits());
        let kernel = Kernel::new(families.n_states());
        let mut charts = Self { predictions, kernel, ..Self::default() };
        let marks = charts.sets.number(Marks::Columns(Columns::exactly(Column::ZERO)));
        charts.kernel.clear();
        for &state in families.root_finals() {
            charts.kernel.add(Item { state, copies: 1, end: RightChart::SELF, marks });
        }
        charts.close(rules, Within::Nothing);
        charts.intern_kernel(rules);
        charts
    }

    /// The items of a chart with their ends resolved, an item for each copy of a rule.
    #[inline]
    pub fn items<'a>(
        &'a self,
        rules: &'a Rules,
        chart: RightChart,
    ) -> impl Iterator<Item = RightItem> + 'a {
        self.kept(chart).iter().flat_map(move |item| {
            let end = item.end_in(chart);
            let marks = self.sets.get(item.marks);
            let states = rules.families().body_states(item.state, item.copies);
            states.map(move |state| RightItem { state, end, marks })
        })
    }

    /// Adds the items that wait at a chart for rules that end there, in the order of the rules.
    pub(crate) fn add_waiting(&self, rules: &Rules, chart: RightChart, found: &mut Vec<Waiting>) {
        let families = rules.families();
        let first = found.len();
        for item in self.kept(chart) {
            let (end, marks) = (item.end_in(chart), self.sets.get(item.marks));
            let copies = item.copies;
            for (family, edges) in families.before_families(item.state) {
                let edges = edges.iter();
                found.extend(edges.map(|&edge| Waiting { family, edge, copies, end, marks }));
            }
        }
        found[first..].sort_by_key(|waiting| waiting.family);
    }

    #[inline]
    fn kept(&self, chart: RightChart) -> &[Item] {
        let head = &self.heads[chart.index()];
        &self.items[head.first_item as usize..][..head.n_items as usize]
    }

    /// Whether a nonterminal may end at this chart.
    #[inline]
    pub fn predicts(&self, rules: &Rules, chart: RightChart, nonterminal: Nonterminal) -> bool {
        let set = self.predictions.get(self.heads[chart.index()].prediction);
        rules.families().contains(set, nonterminal)
    }

    /// The number of charts, a measure of memory.
    pub fn n_charts(&self) -> usize {
        self.heads.len()
    }

    /// Bytes held, roughly.
    pub fn memory(&self) -> usize {
        self.heads.capacity() * (size_of::<RightHead>() + size_of::<RightChart>())
            + self.items.capacity() * size_of::<Item>()
            + self.sets.memory()
            + (self.steps.capacity() + self.double_steps.capacity() + self.steps_behind.capacity())
                * 16
            + self.line_steps.capacity() * 40
            + (self.unions.capacity() + self.covered.capacity()) * 16
            + self.parts.capacity() * size_of::<KnownPart>()
            + self.index.capacity() * 9
    }

    /// The number of items in all charts, a measure of work.
    pub(crate) fn n_items(&self) -> usize {
        self.items.len()
    }

    /// The chart in front of a terminal. `line` is the column of the line that it begins, if it begins one.
    #[inline]
    pub fn step(
        &mut self,
        rules: &Rules,
        chart: RightChart,
        terminal: TerminalId,
        line: Option<LineColumn>,
    ) -> Option<RightChart> {
        if let Some(line) = line {
            return self.step_at_line(rules, chart, terminal, line);
        }
        if let Some(known) = self.steps.get(chart.0, &(chart, terminal)) {
            return known;
        }
        self.kernel.clear();
        let inserted = rules.insertions(terminal);
        let found = if inserted.is_empty() {
            self.scan(rules, chart, terminal, |_, marks| Some(marks));
            self.close(rules, Within::Nothing);
            self.intern_kernel(rules)
        } else {
            self.insert(rules, chart, inserted)
        };
        self.steps.insert(chart.0, (chart, terminal), found);
        found
    }

    /// The chart in front of the symbols that the lexer emits, and of those that may be inserted in front of them.
    pub fn steps(
        &mut self,
        rules: &Rules,
        chart: RightChart,
        symbols: &[TerminalId],
    ) -> Option<RightChart> {
        match *symbols {
            [] => Some(chart),
            [inserted, first, ref rest @ ..] if rules.is_between(inserted) => {
                let chart = self.steps(rules, chart, rest)?;
                self.double_step(rules, chart, [inserted, first])
            }
            [first, ref rest @ ..] => {
                let chart = self.steps(rules, chart, rest)?;
                self.step(rules, chart, first, None)
            }
        }
    }

    /// The chart in front of the first symbol of a line.
    fn step_at_line(
        &mut self,
        rules: &Rules,
        chart: RightChart,
        terminal: TerminalId,
        line: LineColumn,
    ) -> Option<RightChart> {
        let key = (chart, Step::First(terminal, line));
        if let Some(&known) = self.line_steps.get(&key) {
            return known;
        }
        let families = rules.families();
        let limit = self.sets.number(Marks::Columns(line.columns()));
        self.kernel.clear();
        self.scan(rules, chart, terminal, |sets, marks| sets.and(marks, limit));
        self.close(rules, Within::Nothing);
        // Items in the middle of a line would lead on to the charts of the lines behind it, and equal lines would
        // have different charts up to the end of the text.
        for item in &mut self.kernel.items {
            item.copies &= families.line_starts(item.state);
        }
        self.kernel.items.retain(|item| item.copies != 0);
        let found = self.intern_kernel(rules);
        self.line_steps.insert(key, found);
        found
    }

    /// Adds the items of a chart, which is closed already, to the kernel.
    fn add_all(&mut self, chart: RightChart) {
        let head = self.heads[chart.index()];
        for item in &self.items[head.first_item as usize..][..head.n_items as usize] {
            self.kernel.add(Item { end: item.end_in(chart), ..*item });
        }
        self.kernel.skip();
    }

    /// The chart with the items of several charts; `None` if there are none.
    pub fn union(
        &mut self,
        rules: &Rules,
        charts: &mut SmallVec<[RightChart; 4]>,
    ) -> Option<RightChart> {
        charts.sort_unstable();
        charts.dedup();
        if charts.len() < 2 {
            return charts.first().copied();
        }
        if let Some(&known) = self.unions.get(charts) {
            return Some(known);
        }
        self.kernel.clear();
        for &chart in charts.iter() {
            self.add_all(chart);
        }
        let found = self.intern_kernel(rules)?;
        self.unions.insert(charts.clone(), found);
        Some(found)
    }
}
