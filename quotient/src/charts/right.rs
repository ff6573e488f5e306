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
//!
//! Nor is it known which copy of a template a text is in, so the copies of a rule are read as one
//! ([`crate::grammar`]'s families), and an item says in which of them it holds.

mod kernel;
mod line_breaks;

use std::hash::Hasher;

use fim_lexer::{Column, Columns, LineColumn, TerminalId};
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;

use self::kernel::{ColumnSets, ColumnsIdx, Item, Kernel};
pub use self::line_breaks::LineBreak;
use super::prediction::{PredictionIdx, Predictions};
use super::spellings::Spellings;
use crate::grammar::{BodyState, Copies, Families, Family, FamilyState, Nonterminal, Rules, Same};

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
    /// Of a line's first symbol.
    First(TerminalId, LineColumn),
    Newline(LineBreak),
    Dedent(Column),
    Indent(Column),
    LineStart(Column),
    /// Of a name that is said again.
    Named(TerminalId, Column),
}

/// What a name is that the cut goes through, as far as the right context knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CutName {
    /// None that is said again, or one that need not be anything.
    Free,
    /// That of a rule, which is needed as a whole.
    First(Columns),
    /// One that says it again: what the rule must be called.
    Again(Columns),
}

/// What is read in place, without a chart in between.
#[derive(Clone, Copy, Debug)]
enum Within<'a> {
    Nothing,
    /// One of these symbols, or none, within each rule.
    Inserted(&'a [TerminalId]),
    /// A terminal any number of times: suites that end together.
    Repeated(TerminalId, ColumnsIdx),
}

/// The backward charts of one or more texts of a language.
#[derive(Debug, Default)]
pub struct RightCharts {
    heads: Vec<Head>,
    items: Vec<Item>,
    sets: ColumnSets,
    predictions: Predictions,
    /// What is predicted by charts with items at these places, of those that predict anything: far fewer than charts.
    shapes: FxHashMap<Box<[u32]>, PredictionIdx>,
    shape: Vec<u32>,
    /// The charts, with the hashes of their items.
    index: HashTable<(u64, RightChart)>,
    steps: FxHashMap<(RightChart, TerminalId), Option<RightChart>>,
    /// Steps of a symbol and what may be inserted in front of it, where both are one.
    double_steps: FxHashMap<(RightChart, [TerminalId; 2]), Option<RightChart>>,
    /// Steps by which lines begin or end.
    line_steps: FxHashMap<(RightChart, Step), Option<RightChart>>,
    unions: FxHashMap<SmallVec<[RightChart; 8]>, RightChart>,
    /// For each chart, [the part of it](Self::waiting) that rules which end there know, once somebody asked.
    waiting: Vec<Option<RightChart>>,
    /// The same for the copies of one rule, where lines do not say what belongs together.
    waiting_for: FxHashMap<(RightChart, Family), RightChart>,
    pub(crate) spellings: Spellings,
    kernel: Kernel,
    /// The items that are about to be a chart.
    sorted: Vec<Item>,
}

impl RightCharts {
    /// The charts of no text: only the last one.
    pub fn new(rules: &Rules) -> Self {
        let families = rules.families();
        let predictions = Predictions::new(families.n_bits());
        let kernel = Kernel::new(families.n_states());
        let mut charts = Self { predictions, kernel, ..Self::default() };
        let columns = charts.sets.number(Columns::exactly(Column::ZERO));
        charts.kernel.clear();
        for &state in families.root_finals() {
            charts.kernel.add(Item { state, copies: 1, end: RightChart::SELF, columns });
        }
        charts.close(rules, Within::Nothing);
        charts.intern_kernel(rules);
        charts
    }

    /// The items of a chart, ends resolved, an item for each copy of a rule.
    #[inline]
    pub fn items<'a>(
        &'a self,
        rules: &'a Rules,
        chart: RightChart,
    ) -> impl Iterator<Item = RightItem> + 'a {
        self.kept(chart).iter().flat_map(move |item| {
            let end = item.end_in(chart);
            let columns = self.sets.get(item.columns);
            let states = rules.families().body_states(item.state, item.copies);
            states.map(move |state| RightItem { state, end, columns })
        })
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
        self.heads.capacity() * (size_of::<Head>() + size_of::<RightChart>())
            + self.items.capacity() * size_of::<Item>()
            + self.sets.memory()
            + (self.steps.capacity() + self.double_steps.capacity()) * 16
            + self.line_steps.capacity() * 40
            + (self.unions.capacity() + self.waiting_for.capacity()) * 16
            + self.index.capacity() * 17
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
        if let Some(line) = line {
            return self.step_at_line(rules, chart, terminal, line);
        }
        if let Some(&known) = self.steps.get(&(chart, terminal)) {
            return known;
        }
        self.kernel.clear();
        let inserted = rules.insertions(terminal);
        let found = if inserted.is_empty() {
            self.scan(rules, chart, terminal, |_, columns| Some(columns));
            self.close(rules, Within::Nothing);
            self.intern_kernel(rules)
        } else {
            self.insert(rules, chart, inserted)
        };
        self.steps.insert((chart, terminal), found);
        found
    }

    /// The chart in front of symbols, with what may be inserted in front of them, as the lexer emits them.
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

    /// The chart in front of a terminal and of what may be inserted between it and another one. In JavaScript
    /// there is a mark in front of whatever begins no line: with a chart of their own between the two, there were
    /// twice as many charts.
    fn double_step(
        &mut self,
        rules: &Rules,
        chart: RightChart,
        [inserted, terminal]: [TerminalId; 2],
    ) -> Option<RightChart> {
        let key = (chart, [inserted, terminal]);
        if let Some(&known) = self.double_steps.get(&key) {
            return known;
        }
        self.kernel.clear();
        self.scan(rules, chart, terminal, |_, columns| Some(columns));
        self.close(rules, Within::Inserted(rules.insertions(inserted)));
        let found = self.intern_kernel(rules);
        self.double_steps.insert(key, found);
        found
    }

    /// The same for a symbol with this text, where that matters: for names that are said again.
    #[inline]
    pub(crate) fn step_spelled(
        &mut self,
        rules: &Rules,
        chart: RightChart,
        terminal: TerminalId,
        text: &[u8],
    ) -> Option<RightChart> {
        let Some(same) = rules.same().filter(|same| same.is_written_as(terminal)) else {
            return self.step(rules, chart, terminal, None);
        };
        if let Some(&known) = self.steps.get(&(chart, terminal)) {
            return known;
        }
        if !self.minds_spelling(rules, chart, same) {
            return self.step(rules, chart, terminal, None);
        }
        let column = self.spellings.whole(text);
        let key = (chart, Step::Named(terminal, column));
        if let Some(&known) = self.line_steps.get(&key) {
            return known;
        }
        let name = self.sets.number(Columns::exactly(column));
        self.kernel.clear();
        self.scan(rules, chart, terminal, |_, columns| Some(columns));
        self.scan(rules, chart, same.again, |sets, columns| sets.and(columns, name));
        // In front of its name a rule stands anywhere.
        self.scan(rules, chart, same.first, |sets, columns| {
            sets.and(columns, name).map(|_| ColumnsIdx::ALL)
        });
        self.close(rules, Within::Nothing);
        let found = self.intern_kernel(rules);
        self.line_steps.insert(key, found);
        found
    }

    /// Whether a name that is said again may be in front of a chart.
    fn minds_spelling(&self, rules: &Rules, chart: RightChart, same: &Same) -> bool {
        let families = rules.families();
        let set = self.predictions.get(self.heads[chart.index()].prediction);
        [same.first, same.again].into_iter().any(|name| {
            let mut kept = self.kept(chart).iter();
            kept.any(|item| !families.before_terminal(item.state, name).is_empty())
                || families
                    .ended_by_terminal(name)
                    .iter()
                    .any(|last| last.finals & families.members_in(set, last.family) != 0)
        })
    }

    /// The names that the rules around need which a name in front of this chart could be, or be said again.
    pub(crate) fn needed_names(&self, rules: &Rules, chart: RightChart) -> Vec<Column> {
        let Some(same) = rules.same() else { return Vec::new() };
        let families = rules.families();
        let mut found: Vec<Column> = Vec::new();
        let mut add = |columns: ColumnsIdx| {
            let columns = self.sets.get(columns);
            if columns.least == columns.greatest && !found.contains(&columns.least) {
                found.push(columns.least);
            }
        };
        for item in self.kept(chart) {
            if !families.before_terminal(item.state, same.first).is_empty() {
                add(item.columns);
            }
            if !families.before_terminal(item.state, same.again).is_empty() {
                add(item.columns);
                self.kept(item.end_in(chart)).iter().for_each(|around| add(around.columns));
            }
        }
        found
    }

    /// The chart in front of a name that begins in front of the cut.
    pub(crate) fn step_cut(
        &mut self,
        rules: &Rules,
        chart: RightChart,
        terminal: TerminalId,
        name: CutName,
    ) -> Option<RightChart> {
        let same = rules.same()?;
        self.kernel.clear();
        match name {
            CutName::Free => {
                self.scan(rules, chart, terminal, |_, columns| Some(columns));
                self.scan(rules, chart, same.first, |_, columns| {
                    (columns == ColumnsIdx::ALL).then_some(columns)
                });
            }
            CutName::First(needed) => {
                let needed = self.sets.number(needed);
                self.scan(rules, chart, same.first, |_, columns| {
                    (columns == needed).then_some(ColumnsIdx::ALL)
                });
            }
            CutName::Again(needed) => {
                let needed = self.sets.number(needed);
                self.scan(rules, chart, same.again, |sets, columns| sets.and(columns, needed));
            }
        }
        self.close(rules, Within::Nothing);
        self.intern_kernel(rules)
    }

    /// The same for the first symbol of a line.
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
        let limit = self.sets.number(line.columns());
        self.kernel.clear();
        self.scan(rules, chart, terminal, |sets, columns| sets.and(columns, limit));
        self.close(rules, Within::Nothing);
        // Items in the middle of a line would lead on to the charts of the lines behind it, so that equal
        // lines had different charts all the way to the end.
        for item in &mut self.kernel.items {
            item.copies &= families.line_starts(item.state);
        }
        self.kernel.items.retain(|item| item.copies != 0);
        let found = self.intern_kernel(rules);
        self.line_steps.insert(key, found);
        found
    }

    /// The chart in front of one of these symbols, or of none.
    fn insert(
        &mut self,
        rules: &Rules,
        chart: RightChart,
        inserted: &[TerminalId],
    ) -> Option<RightChart> {
        self.add_all(chart);
        for &symbol in inserted {
            self.scan(rules, chart, symbol, |_, columns| Some(columns));
        }
        if self.kernel.is_followed() {
            return Some(chart);
        }
        self.close(rules, Within::Nothing);
        self.intern_kernel(rules)
    }

    /// Adds the items of a chart, which is closed already, to the kernel.
    fn add_all(&mut self, chart: RightChart) {
        let head = self.heads[chart.index()];
        for item in &self.items[head.first_item as usize..][..head.n_items as usize] {
            self.kernel.add(Item { end: item.end_in(chart), ..*item });
        }
        self.kernel.skip();
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
        self.kernel.clear();
        for &chart in charts.iter() {
            self.add_all(chart);
        }
        let found = self.intern_kernel(rules)?;
        self.unions.insert(charts.clone(), found);
        Some(found)
    }

    /// Adds what scanning `terminal` backward from `chart` gives to the kernel.
    fn scan(
        &mut self,
        rules: &Rules,
        chart: RightChart,
        terminal: TerminalId,
        limit: impl Fn(&mut ColumnSets, ColumnsIdx) -> Option<ColumnsIdx>,
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
            let Some(columns) = limit(&mut self.sets, item.columns) else { continue };
            for edge in before {
                let copies = item.copies & edge.copies;
                let end = item.end_in(chart);
                self.kernel.add(Item { state: edge.from, copies, end, columns });
            }
        }
        let Some(columns) = limit(&mut self.sets, ColumnsIdx::ALL) else { return };
        for last in families.ended_by_terminal(terminal) {
            let set = self.predictions.get(head.prediction);
            let copies = last.finals & families.members_in(set, last.family);
            if copies != 0 {
                let end = self.waiting_for(rules, chart, last.family);
                self.kernel.add(Item { state: last.edge, copies, end, columns });
            }
        }
    }

    /// The part of a chart that a rule which ends there knows: what waits for it, directly or by way of rules that
    /// end with it. In JavaScript, something waits for an expression in front of almost every line, in case that
    /// a semicolon was left out; what statements end at must not be told apart by that.
    #[inline]
    fn waiting_for(&mut self, rules: &Rules, chart: RightChart, family: Family) -> RightChart {
        if chart == RightChart::SELF {
            return chart;
        }
        if !rules.is_branching() {
            return self.waiting(rules, chart);
        }
        if let Some(&known) = self.waiting_for.get(&(chart, family)) {
            return known;
        }
        let knowing = |state| rules.families().knowing(state, family);
        let found = self.part(rules, chart, knowing);
        self.waiting_for.insert((chart, family), found);
        found
    }

    /// The chart without the items that wait for a terminal only, as far as rules that end here
    /// are concerned: none of them goes on from such an item. A `def` waits for decorators in
    /// front of it; if what stands there were told apart by that, so would be all lines in front.
    fn waiting(&mut self, rules: &Rules, chart: RightChart) -> RightChart {
        if let Some(known) = self.waiting[chart.index()] {
            return known;
        }
        let found = self.part(rules, chart, |state| rules.families().waiting(state));
        self.waiting[chart.index()] = Some(found);
        found
    }

    /// The chart with some of the copies of each item.
    fn part(
        &mut self,
        rules: &Rules,
        chart: RightChart,
        kept: impl Fn(FamilyState) -> Copies,
    ) -> RightChart {
        let head = self.heads[chart.index()];
        let items = &self.items[head.first_item as usize..][..head.n_items as usize];
        let is_less = |item: &Item| item.copies & !kept(item.state) != 0;
        let Some(n_whole) = items.iter().position(is_less) else { return chart };
        self.sorted.clear();
        self.sorted.extend_from_slice(&items[..n_whole]);
        self.sorted.extend(items[n_whole..].iter().filter_map(|item| {
            let copies = item.copies & kept(item.state);
            (copies != 0).then_some(Item { copies, ..*item })
        }));
        self.intern(rules)
    }

    /// Completes rules whose beginning is reached, and reads what may be read in place.
    fn close(&mut self, rules: &Rules, within: Within<'_>) {
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
                if let Some(columns) = self.sets.and(item.columns, limit) {
                    let copies = item.copies & edge.copies;
                    self.kernel.add(Item { state: edge.from, copies, columns, ..item });
                }
            }
            for last in families.ended_by_terminal(terminal) {
                let here = families.predicted(item.state, item.copies);
                let copies =
                    here.fold(0, |copies, set| copies | families.members_in(set, last.family));
                let copies = copies & last.finals;
                let (state, end) = (last.edge, RightChart::SELF);
                self.kernel.add(Item { state, copies, end, columns: limit });
            }
        }
        let is_kept = |item: &Item| {
            !families.is_start(item.state) || families.owner(item.state) == Family::ROOT
        };
        self.kernel.items.retain(is_kept);
    }

    /// Puts one of these symbols in front of an item of the chart in the making, within its rule.
    fn insert_in_front(&mut self, rules: &Rules, symbols: &[TerminalId], item: Item) {
        for &symbol in symbols {
            for edge in rules.families().before_terminal(item.state, symbol) {
                let copies = item.copies & edge.copies;
                self.kernel.add(Item { state: edge.from, copies, ..item });
            }
        }
    }

    fn complete(&mut self, rules: &Rules, family: Family, item: Item) {
        let families = rules.families();
        if family == Family::ROOT || item.end == RightChart::SELF {
            return;
        }
        let head = self.heads[item.end.index()];
        let mut around: Option<Columns> = None;
        for index in head.first_item..head.first_item + head.n_items {
            let waiting = self.items[index as usize];
            if item.columns != ColumnsIdx::ALL {
                let columns = self.sets.get(waiting.columns);
                around = Some(around.map_or(columns, |around| around.hull(columns)));
            }
            let before = families.before_family(waiting.state, family);
            if before.is_empty() {
                continue;
            }
            let Some(columns) = self.sets.and(waiting.columns, item.columns) else { continue };
            let end = waiting.end_in(item.end);
            for &edge in before {
                let copies = families.around(edge, item.copies) & waiting.copies;
                self.kernel.add(Item { state: edge.from, copies, end, columns });
            }
        }
        // What ends here with it stands where something is that waits for it. Asked only once lines
        // have said where it may stand, so that what is inside of lines is the same in all suites.
        let columns = match around {
            Some(around) => {
                let around = self.sets.number(around);
                self.sets.and(item.columns, around)
            }
            None => Some(item.columns),
        };
        let Some(columns) = columns else { return };
        for last in families.ended_by_family(family) {
            let set = self.predictions.get(head.prediction);
            let copies = last.finals & families.members_in(set, last.family);
            let copies = copies & families.around(last.edge, item.copies);
            if copies != 0 {
                let end = self.waiting_for_again(rules, item.end, last.family);
                self.kernel.add(Item { state: last.edge.from, copies, end, columns });
            }
        }
    }

    /// The same of a chart that is such a part of another one already, for a rule that the part was made for.
    fn waiting_for_again(
        &mut self,
        rules: &Rules,
        chart: RightChart,
        family: Family,
    ) -> RightChart {
        if rules.is_branching() { self.waiting_for(rules, chart, family) } else { chart }
    }

    /// The number of the chart with the items in the kernel; `None` without any.
    fn intern_kernel(&mut self, rules: &Rules) -> Option<RightChart> {
        if self.kernel.items.is_empty() {
            return None;
        }
        self.sorted.clear();
        self.sorted.extend_from_slice(&self.kernel.items);
        self.sorted.sort_unstable_by_key(Item::key);
        Some(self.intern(rules))
    }

    /// The number of the chart with the items in `sorted`.
    fn intern(&mut self, rules: &Rules) -> RightChart {
        let families = rules.families();
        let key = hash(&self.sorted);
        let (heads, items) = (&self.heads, &self.items);
        let items_of = |known: RightChart| {
            let head = &heads[known.index()];
            &items[head.first_item as usize..][..head.n_items as usize]
        };
        let is_same =
            |&(hash, known): &(u64, RightChart)| hash == key && items_of(known) == self.sorted;
        if let Some(&(_, known)) = self.index.find(key, is_same) {
            return known;
        }
        let prediction = self.prediction(families);
        let fresh = RightChart(self.heads.len() as u32);
        self.heads.push(Head {
            first_item: self.items.len() as u32,
            n_items: self.sorted.len() as u32,
            prediction,
        });
        self.items.extend_from_slice(&self.sorted);
        self.index.insert_unique(key, (key, fresh), |&(hash, _)| hash);
        self.waiting.push(None);
        fresh
    }

    /// The nonterminals that may end in front of the items in `sorted`.
    fn prediction(&mut self, families: &Families) -> PredictionIdx {
        self.shape.clear();
        for item in &self.sorted {
            let copies = item.copies & families.waiting(item.state);
            if copies != 0 {
                self.shape.push(Item { copies, ..*item }.place());
            }
        }
        if let Some(&known) = self.shapes.get(self.shape.as_slice()) {
            return known;
        }
        let sets = self.sorted.iter().flat_map(|item| families.predicted(item.state, item.copies));
        let found = self.predictions.union(sets);
        self.shapes.insert(self.shape.as_slice().into(), found);
        found
    }
}

impl Item {
    /// All of it as one number, by which items are sorted and hashed.
    #[inline]
    fn key(&self) -> u128 {
        u128::from(self.place()) << 64 | u128::from(self.end.0) << 32 | u128::from(self.columns.0)
    }

    /// The state, and in which copies.
    #[inline]
    fn place(&self) -> u32 {
        u32::from(self.state.0) << 16 | u32::from(self.copies)
    }

    /// Where it ends, if it is in this chart.
    #[inline]
    fn end_in(&self, chart: RightChart) -> RightChart {
        if self.end == RightChart::SELF { chart } else { self.end }
    }
}

fn hash(items: &[Item]) -> u64 {
    let mut hasher = FxHasher::default();
    for item in items {
        let key = item.key();
        hasher.write_u64((key >> 32) as u64);
        hasher.write_u32(key as u32);
    }
    hasher.finish()
}
