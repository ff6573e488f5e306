//! The instances: rules that are open to the left, from the roots' frontiers up to the whole file, with the costs of
//! writing their missing parts.
//!
//! ```text
//! sum: call ("+" call)*              right context `) + c`
//!
//! call    began in front of the cut: its body leaves into `)` behind the arguments
//! sum     stands around that: its body leaves by way of the open `call`, and `+ c` follows
//! file    stands around that, and the way up ends
//! ```
//!
//! They are followed once for a right context, though most of them meet no left context, because a document has many
//! left contexts.
//!
//! In the paper: EXTRACTGRAMMAR, figure 2: the productions of the quotient that are open to the left.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use fim_lexer::layout::MAX_INDENTS;
use fim_lexer::{Column, Columns};
use rustc_hash::FxHashMap;

use super::exits::{Around, Exits};
use super::{Budget, Entrance, Exit, Instance, InstanceIdx, RightSide, RootIdx, TooCostly};
use crate::charts::{Marks, RightChart, RightCharts, RightItem, Waiting};
use crate::grammar::{BYTE, BodyState, IMPOSSIBLE, Nonterminal, Rules, Tables};

/// The most bytes of white space that are counted, so that sums of costs stay small numbers.
const MAX_WHITE: u32 = 1 << 8;

fn white_cost(n_bytes: u32) -> u32 {
    n_bytes.min(MAX_WHITE) * BYTE
}

/// The instances by their keys: the rule, the chart where it ends, and its marks.
///
/// What ends at a chart ends near what ends at its neighbours, since charts are numbered in the order of the text. So
/// ends have their instances in lists, in pages of neighbours: in one table of all keys each instance of a long chain
/// was far from the one before, and to find it took a tenth of the chain's time.
struct InstanceIndex {
    /// The ends at charts, in pages of [`Self::PAGE`]; those without any are empty.
    pages: Vec<Vec<End>>,
    /// For each instance the one in front of it in its end's list.
    before: Vec<u32>,
    /// The instances of ends that have more than [`Self::FEW`], but the first few.
    others: FxHashMap<InstanceKey, InstanceIdx>,
    /// For each rule the two keys that were asked for last: those of a chart are asked for together.
    last: Vec<[Option<(InstanceKey, InstanceIdx)>; 2]>,
}

/// The rule, the chart where it ends, its marks, and whether it is marked.
type InstanceKey = (Nonterminal, RightChart, Marks, bool);

/// A chart where instances end.
#[derive(Clone, Copy, Default)]
struct End {
    /// The last instance in the list, counted from one.
    last: u32,
    n_listed: u32,
    /// The places of what waits there, once it was asked for; the first counted from one.
    waiting: (u32, u32),
}

impl InstanceIndex {
    /// The number of charts in a page.
    const PAGE: usize = 1 << 7;
    /// The most instances of an end that are in its list.
    const FEW: u32 = 12;

    fn new(rules: &Rules) -> Self {
        Self {
            pages: Vec::new(),
            before: Vec::new(),
            others: FxHashMap::default(),
            last: vec![[None; 2]; rules.n_nonterminals()],
        }
    }

    #[inline]
    fn end(&mut self, RightChart(chart): RightChart) -> &mut End {
        let (page, place) = (chart as usize / Self::PAGE, chart as usize % Self::PAGE);
        if self.pages.len() <= page {
            self.pages.resize(page + 1, Vec::new());
        }
        let page = &mut self.pages[page];
        if page.is_empty() {
            page.resize(Self::PAGE, End::default());
        }
        &mut page[place]
    }

    /// The instance of this key, which becomes a fresh one if there is none yet.
    #[inline]
    fn entry(&mut self, key: InstanceKey, instances: &mut Vec<Instance>) -> InstanceIdx {
        let [last, before] = &mut self.last[key.0.index()];
        if let Some((known, found)) = *last
            && known == key
        {
            return found;
        }
        std::mem::swap(last, before);
        if let Some((known, found)) = *last
            && known == key
        {
            return found;
        }
        let found = self.listed(key, instances);
        self.last[key.0.index()][0] = Some((key, found));
        found
    }

    fn listed(&mut self, key: InstanceKey, instances: &mut Vec<Instance>) -> InstanceIdx {
        let fresh = InstanceIdx(instances.len() as u32);
        let end = self.end(key.1);
        let mut next = end.last;
        let is_full = end.n_listed == Self::FEW;
        while let Some(index) = next.checked_sub(1) {
            if instances[index as usize].key() == key {
                return InstanceIdx(index);
            }
            next = self.before[index as usize];
        }
        if is_full {
            let found = *self.others.entry(key).or_insert(fresh);
            if found != fresh {
                return found;
            }
            self.before.push(0);
        } else {
            let end = self.end(key.1);
            let before = std::mem::replace(&mut end.last, fresh.0 + 1);
            end.n_listed += 1;
            self.before.push(before);
        }
        let (nonterminal, end, marks, is_marked) = key;
        let (naming, cost) = (0, IMPOSSIBLE);
        instances.push(Instance { nonterminal, marks, is_marked, naming, cost, end });
        fresh
    }
}

impl Instance {
    #[inline]
    fn key(&self) -> InstanceKey {
        (self.nonterminal, self.end, self.marks, self.is_marked)
    }

    /// The least column of the place where the rule may stand.
    pub(crate) fn around(&self) -> Column {
        let around = if self.is_marked { self.marks.around() } else { Some(self.marks) };
        around.map_or(Column::ZERO, |marks| marks.columns().least)
    }

    /// The least column at which its suite may stand inside of a suite at `around`.
    pub(crate) fn column_inside(&self, around: Column) -> Column {
        let columns = self.marks.columns();
        columns.and(Columns::deeper_than(around)).unwrap_or(columns).least
    }

    /// The marks that the rule itself may get, and not one around it.
    pub(crate) fn own_marks(&self) -> Marks {
        if self.is_marked { self.marks } else { Marks::ALL }
    }
}

impl RightSide {
    /// Follows open instances from the frontiers up to the whole file.
    pub(super) fn open_instances(
        &mut self,
        tables: &Tables<'_>,
        charts: &mut RightCharts,
        frontiers: &[Vec<RightItem>],
        budget: &mut Budget,
    ) -> Result<(), TooCostly> {
        let rules = tables.rules;
        let mut index = InstanceIndex::new(rules);
        self.exits = Exits::new(rules.n_states());
        // The waiting items of all charts that were asked for, one chart's behind the other's.
        let mut waiting: Vec<Waiting> = Vec::new();
        for (root, items) in frontiers.iter().enumerate() {
            let root = Exit::Root(RootIdx(root as u16));
            self.exits.begin(root);
            for item in items {
                let exit = (item.state, root);
                self.add_exit(tables, &mut index, item.end, item.marks, exit);
            }
        }
        let mut next = 0;
        while let Some(instance) = self.instances.get(next) {
            let child = InstanceIdx(next as u32);
            self.exits.begin(Exit::Child(child));
            next += 1;
            let (nonterminal, end) = (instance.nonterminal, instance.end);
            let outside = match instance.is_marked {
                true => instance.marks.around(),
                false => Some(instance.marks),
            };
            if nonterminal == Nonterminal::ROOT {
                self.wholes.push(child);
                continue;
            }
            let Some(outside) = outside else { continue };
            let (family, copies) = rules.families().of(nonterminal);
            let (first, behind) = &mut index.end(end).waiting;
            if *first == 0 {
                *first = waiting.len() as u32 + 1;
                charts.add_waiting(rules, end, &mut waiting);
                *behind = waiting.len() as u32;
            }
            let known = &waiting[*first as usize - 1..*behind as usize];
            let first = known.partition_point(|waiting| waiting.family < family);
            let known = known[first..].iter().take_while(|waiting| waiting.family == family);
            let n_exits = self.exits.len();
            for waiting in known.flat_map(|waiting| waiting.items_around(rules, copies)) {
                let Some(marks) = waiting.marks.and(outside) else { continue };
                let exit = (waiting.state, Exit::Child(child));
                self.add_exit(tables, &mut index, waiting.end, marks, exit);
            }
            for &(parent, state) in rules.ended_by_nonterminal(nonterminal) {
                if charts.predicts(rules, end, parent) {
                    // What waits for the parent is all that its end depends on, and more rules end alike there.
                    let (family, _) = rules.families().of(parent);
                    let end = charts.waiting_for_again(rules, end, family);
                    let exit = (state, Exit::Child(child));
                    self.add_exit(tables, &mut index, end, outside, exit);
                }
            }
            budget.spend(1 + self.exits.len() - n_exits)?;
        }
        self.exits.sort(self.instances.len());
        Ok(())
    }

    fn add_exit(
        &mut self,
        tables: &Tables<'_>,
        index: &mut InstanceIndex,
        end: RightChart,
        marks: Marks,
        exit: (BodyState, Exit),
    ) {
        let nonterminal = tables.rules.owner(exit.0);
        let is_marked = tables.rules.is_marked(exit.0);
        let found = index.entry((nonterminal, end, marks, is_marked), &mut self.instances);
        self.exits.add(found, exit.0, exit.1);
    }

    /// Whether the open suites in front of the right context are few enough for CPython, in one of the ways to read
    /// it. There may be more of them than lines tell: between an `else` and the `case` in front of it there is the
    /// suite that the `match` stands in.
    pub(super) fn has_room(&self, tables: &Tables<'_>) -> bool {
        if tables.lexer.layout().is_none()
            || self.instances.iter().filter(|instance| instance.is_marked).count() < MAX_INDENTS
        {
            return true;
        }
        let mut rooms = vec![usize::MAX; self.instances.len()];
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for (index, instance) in self.instances.iter().enumerate() {
                let exits = self.exits(InstanceIdx(index as u32)).iter();
                let inside = exits.map(|&(_, exit)| match exit {
                    Exit::Root(_) => 0,
                    Exit::Child(child) => rooms[child.0 as usize],
                });
                let own = usize::from(instance.is_marked);
                let room = inside.min().unwrap_or(usize::MAX).saturating_add(own);
                if room < rooms[index] {
                    rooms[index] = room;
                    is_changed = true;
                }
            }
        }
        self.wholes.iter().any(|whole| rooms[whole.0 as usize] < MAX_INDENTS)
    }

    /// Finds the instances' costs, the least first (Dijkstra's algorithm, from the roots to the whole file).
    pub(super) fn find_costs(&mut self, tables: &Tables<'_>) {
        let mut way_out: Vec<u32> = vec![IMPOSSIBLE; self.instances.len()];
        for instance in &mut self.instances {
            instance.cost = IMPOSSIBLE;
        }
        for (index, &entry_cost) in self.entry_costs.iter().enumerate() {
            let root = Exit::Root(RootIdx(index as u16));
            for &around in self.exits.around(root) {
                let (way, column) = self.way(tables, around);
                let white = self.white_cost(tables.rules, around.state, root, column);
                let cost = way.saturating_add(white).saturating_add(entry_cost);
                let known = &mut way_out[around.instance.0 as usize];
                *known = cost.min(*known);
            }
        }
        let is_possible = |&(_, &cost): &(usize, &u32)| cost < IMPOSSIBLE;
        let mut todo: BinaryHeap<Reverse<(u32, u32)>> = (way_out.iter().enumerate())
            .filter(is_possible)
            .map(|(index, &cost)| Reverse((cost, index as u32)))
            .collect();
        while let Some(Reverse((cost, index))) = todo.pop() {
            if cost > way_out[index as usize] {
                continue;
            }
            self.instances[index as usize].cost = cost;
            for &around in self.exits.around(Exit::Child(InstanceIdx(index))) {
                let (way, column) = self.way(tables, around);
                // An empty line needs no white space.
                let is_white = cost >= BYTE && tables.rules.is_line_start(around.state);
                let white = if is_white { white_cost(column.narrow) } else { 0 };
                let found = cost.saturating_add(way).saturating_add(white);
                let InstanceIdx(parent) = around.instance;
                if found < way_out[parent as usize] {
                    way_out[parent as usize] = found;
                    todo.push(Reverse((found, parent)));
                }
            }
        }
    }

    /// The cost of an instance's body up to a state from which it leaves, and the column of the text there.
    #[inline]
    fn way(&self, tables: &Tables<'_>, Around { instance, state }: Around) -> (u32, Column) {
        let (rules, instance) = (tables.rules, self.instance(instance));
        let column = instance.around();
        let start = rules.start(instance.nonterminal);
        let way = tables.costs.at(rules, column).between(start, state);
        let column = match rules.is_marked(state) {
            true => instance.column_inside(column),
            false => column,
        };
        (way.saturating_add(instance.naming), column)
    }

    /// The cost of the white space that puts the line which an exit begins in this state at `column`.
    pub(crate) fn white_cost(
        &self,
        rules: &Rules,
        state: BodyState,
        exit: Exit,
        column: Column,
    ) -> u32 {
        if !rules.is_line_start(state) {
            return 0;
        }
        let n_bytes = match exit {
            Exit::Child(_) if self.exit_cost(exit) >= BYTE => column.narrow,
            Exit::Child(_) => 0,
            Exit::Root(root) => self.missing_white(root, column),
        };
        white_cost(n_bytes)
    }

    /// The number of bytes of white space that this root needs in front if its first line is at `column`.
    pub(crate) fn missing_white(&self, root: RootIdx, column: Column) -> u32 {
        match self.roots[usize::from(root.0)].entrance {
            Entrance::LineStart(0) => {
                column.narrow.saturating_sub(self.own_white[usize::from(root.0)])
            }
            Entrance::Straddle(..) => column.narrow,
            _ => 0,
        }
    }

    /// The number of exits of all instances, a measure of work.
    pub(crate) fn n_exits(&self) -> usize {
        self.exits.len()
    }

    /// The states in which the body of an instance may leave, each with its exit.
    #[inline]
    pub(crate) fn exits(&self, instance: InstanceIdx) -> &[(BodyState, Exit)] {
        self.exits.of(instance)
    }

    /// The cost of writing the missing text behind an exit.
    pub(crate) fn exit_cost(&self, exit: Exit) -> u32 {
        match exit {
            Exit::Root(root) => self.entry_costs[usize::from(root.0)],
            Exit::Child(child) => self.instance(child).cost,
        }
    }
}
