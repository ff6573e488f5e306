//! The charts in front of places in f-strings.
//!
//! Where a mode is left, what may be around it is read on, farther right: so places are gone through from
//! the right, and each finds the charts that it needs.

use std::collections::BinaryHeap;
use std::collections::hash_map::Entry;
use std::ops::Range;
use std::sync::Arc;

use fim_lexer::frames::Frame;
use fim_lexer::scanner::EmissionId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::nodes::{Leaving, NodeIdx};
use super::{Key, Lattice};
use crate::charts::{RightChart, RightCharts};
use crate::grammar::Tables;
use crate::right_context::budget::{Budget, TooCostly};
use crate::right_context::depth::Depth;
use crate::right_context::line_charts::LineCharts;
use crate::right_context::modes::{SurroundingMode, behind};

/// The chart in front of a place in f-strings, and how deep the suites nest behind them.
#[derive(Clone, Debug)]
pub(crate) struct Front {
    pub(crate) chart: RightChart,
    pub(crate) depths: Depths,
}

/// How deep suites nest from the next line on, where that may be one of several.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Depths {
    One(Option<Arc<Depth>>),
    /// It depends on where the f-strings end.
    Several,
}

impl Key {
    fn at(text: &[u8], at: usize, mode: SurroundingMode) -> Option<Self> {
        Self::of((text.len() - at) as u32, mode)
    }

    fn of(distance: u32, mode: SurroundingMode) -> Option<Self> {
        Some(Self { distance, frame: mode.frame?, clean: mode.clean })
    }
}

/// The modes that may be around one that is left, by the symbol that leaves it and the innermost frame.
#[derive(Clone, Debug, Default)]
pub(super) struct Around {
    known: FxHashMap<(EmissionId, Frame), Arc<[SurroundingMode]>>,
}

impl Around {
    fn modes(&mut self, tables: &Tables<'_>, leaving: Leaving) -> Arc<[SurroundingMode]> {
        let Leaving { emission, frame, .. } = leaving;
        let find = || {
            let scanner = &tables.lexer.scanner;
            let change = scanner.emission(emission).change;
            let mode = |around| SurroundingMode {
                frame: around,
                clean: scanner.behind(change, Some(frame), around),
            };
            behind(tables.lexer, Some(frame), change).into_iter().map(mode).collect()
        };
        Arc::clone(self.known.entry((emission, frame)).or_insert_with(find))
    }
}

/// The places where modes are left in one reading, each with the nodes that may follow; `None`: text outside
/// f-strings. A mode is mostly entered in many places and left in few.
#[derive(Default)]
struct Exits {
    known: FxHashMap<NodeIdx, Range<usize>>,
    followers: Vec<Option<NodeIdx>>,
}

impl Exits {
    fn followers(&self, leaving: Leaving) -> &[Option<NodeIdx>] {
        self.known.get(&leaving.node).map_or(&[], |range| &self.followers[range.clone()])
    }
}

impl Lattice {
    /// The front of a place, if a text can begin there. It must have been [read](Self::read).
    pub(crate) fn front(&self, text: &[u8], at: usize, mode: SurroundingMode) -> Option<&Front> {
        let node = self.nodes.known_node(Key::at(text, at, mode)?)?;
        self.nodes.front(node)?.as_ref()
    }

    /// Reads a text from places in modes on.
    pub(crate) fn read(
        &mut self,
        tables: &Tables<'_>,
        charts: &mut RightCharts,
        lines: &mut LineCharts,
        text: &[u8],
        starts: impl Iterator<Item = (usize, SurroundingMode)>,
        budget: &mut Budget,
    ) -> Result<(), TooCostly> {
        let keys = starts.filter_map(|(at, mode)| Key::at(text, at, mode));
        let starts = keys.map(|key| (key.distance, self.nodes.number(key))).collect();
        let mut exits = Exits::default();
        for node in self.reached(tables, text, starts, &mut exits, budget)? {
            let n_items = charts.n_items();
            let n_symbols = self.find_front(tables, charts, lines, text, &exits, node);
            budget.spend(n_symbols + charts.n_items() - n_items)?;
        }
        Ok(())
    }

    /// The nodes that are reached from these where modes end, those on the right first. They are gone through from
    /// the left, so that what is asked at one place is asked together.
    fn reached(
        &mut self,
        tables: &Tables<'_>,
        text: &[u8],
        starts: BinaryHeap<(u32, NodeIdx)>,
        exits: &mut Exits,
        budget: &mut Budget,
    ) -> Result<Vec<NodeIdx>, TooCostly> {
        let mut todo = starts;
        let mut reached: Vec<NodeIdx> = Vec::new();
        while let Some((_, node)) = todo.pop() {
            if self.nodes.front(node).is_some() || reached.last() == Some(&node) {
                continue;
            }
            let n_nodes = self.nodes.len();
            let leaving = self.nodes.leaving(tables, text, node);
            budget.spend(1 + self.nodes.len() - n_nodes)?;
            match leaving {
                Some(leaving) => {
                    self.height = self.height.max(leaving.height);
                    todo.extend(self.add_exit(tables, leaving, exits));
                    reached.push(node);
                }
                None => self.nodes.set_front(node, None),
            }
        }
        reached.reverse();
        Ok(reached)
    }

    /// Remembers an exit; gives the nodes behind it if it is a new one.
    fn add_exit<'a>(
        &mut self,
        tables: &Tables<'_>,
        leaving: Leaving,
        exits: &'a mut Exits,
    ) -> impl Iterator<Item = (u32, NodeIdx)> + 'a {
        let Leaving { distance, node, .. } = leaving;
        let Exits { known, followers } = exits;
        let first = followers.len();
        if let Entry::Vacant(entry) = known.entry(node) {
            let around = self.around.modes(tables, leaving);
            let keys = around.iter().map(|&mode| Key::of(distance, mode));
            followers.extend(keys.map(|key| key.map(|key| self.nodes.number(key))));
            entry.insert(first..followers.len());
        }
        followers[first..].iter().flatten().map(move |&node| (distance, node))
    }

    /// Finds the charts in front of a node and of those behind it in the same mode; gives the number of
    /// symbols that it took.
    fn find_front(
        &mut self,
        tables: &Tables<'_>,
        charts: &mut RightCharts,
        lines: &mut LineCharts,
        text: &[u8],
        exits: &Exits,
        node: NodeIdx,
    ) -> usize {
        let mut symbols: Vec<EmissionId> = Vec::new();
        let mut path: Vec<(NodeIdx, usize)> = Vec::new();
        let mut next = node;
        let mut front = loop {
            if let Some(known) = self.nodes.front(next) {
                break known.clone();
            }
            path.push((next, symbols.len()));
            match self.nodes.step(tables, text, next, &mut symbols) {
                Ok(behind) => next = behind,
                Err(leaving) => {
                    symbols.push(leaving.emission);
                    break self.front_behind(tables, charts, lines, text, exits, leaving);
                }
            }
        };
        let n_symbols = 1 + symbols.len();
        for (node, first) in path.into_iter().rev() {
            for emission in symbols.drain(first..).rev() {
                front = front.and_then(|front| in_front(tables, charts, emission, front));
            }
            self.nodes.set_front(node, front.clone());
        }
        n_symbols
    }

    /// The front of all places that may follow where a mode is left.
    fn front_behind(
        &mut self,
        tables: &Tables<'_>,
        charts: &mut RightCharts,
        lines: &mut LineCharts,
        text: &[u8],
        exits: &Exits,
        leaving: Leaving,
    ) -> Option<Front> {
        let mut found: SmallVec<[RightChart; 4]> = SmallVec::new();
        let mut depths: Option<Depths> = None;
        let mut add = |chart: RightChart, behind: &Depths| {
            found.push(chart);
            match &depths {
                None => depths = Some(behind.clone()),
                Some(known) if known != behind => depths = Some(Depths::Several),
                Some(_) => {}
            }
        };
        for &node in exits.followers(leaving) {
            match node {
                Some(node) => {
                    if let Some(Some(front)) = self.nodes.front(node) {
                        add(front.chart, &front.depths);
                    }
                }
                None => {
                    let at = text.len() - leaving.distance as usize;
                    if let Some((chart, depth)) =
                        lines.known_middle_of_line(tables, charts, text, at)
                    {
                        add(chart, &Depths::One(depth));
                    }
                }
            }
        }
        let chart = charts.union(tables.rules, &mut found)?;
        Some(Front { chart, depths: depths? })
    }
}

/// The front of a symbol.
fn in_front(
    tables: &Tables<'_>,
    charts: &mut RightCharts,
    emission: EmissionId,
    front: Front,
) -> Option<Front> {
    let symbols = &tables.lexer.scanner.emission(emission).symbols;
    let step = |chart, &terminal: &_| charts.step(tables.rules, chart, terminal, None);
    let chart = symbols.iter().rev().try_fold(front.chart, step)?;
    Some(Front { chart, ..front })
}
