//! The charts in front of places in f-strings.
//!
//! Where a mode is left, what may be around it is read on, further right: so places are gone through from
//! the right, and each finds the charts that it needs.

use std::sync::Arc;

use fim_lexer::scanner::EmissionId;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::nodes::Leaving;
use super::{Key, Lattice};
use crate::charts::{RightChart, RightCharts};
use crate::grammar::Tables;
use crate::right_context::budget::{Budget, TooCostly};
use crate::right_context::depth::Depth;
use crate::right_context::line_charts::LineCharts;
use crate::right_context::modes::{Mode, behind};

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
    fn at(text: &[u8], at: usize, mode: Mode) -> Option<Self> {
        let frame = mode.frame?;
        Some(Self { distance: (text.len() - at) as u32, frame, clean: mode.clean })
    }
}

impl Lattice {
    /// What is in front of a place, if a text can begin there. It must have been [read](Self::read).
    pub(crate) fn front(&self, text: &[u8], at: usize, mode: Mode) -> Option<&Front> {
        let node = self.nodes.known.get(&Key::at(text, at, mode)?)?;
        node.front.as_ref()?.as_ref()
    }

    /// Reads a text from places in modes on.
    pub(crate) fn read(
        &mut self,
        tables: &Tables<'_>,
        charts: &mut RightCharts,
        lines: &mut LineCharts,
        text: &[u8],
        starts: impl Iterator<Item = (usize, Mode)>,
        budget: &mut Budget,
    ) -> Result<(), TooCostly> {
        let starts = starts.filter_map(|(at, mode)| Key::at(text, at, mode));
        for key in self.reached(tables, text, starts.collect(), budget)? {
            let n_items = charts.n_items();
            let n_symbols = self.find_front(tables, charts, lines, text, key);
            budget.spend(n_symbols + charts.n_items() - n_items)?;
        }
        Ok(())
    }

    /// The nodes that are reached from these where modes end, those on the right first.
    fn reached(
        &mut self,
        tables: &Tables<'_>,
        text: &[u8],
        starts: Vec<Key>,
        budget: &mut Budget,
    ) -> Result<Vec<Key>, TooCostly> {
        let mut todo = starts;
        let mut seen: FxHashSet<Key> = FxHashSet::default();
        while let Some(key) = todo.pop() {
            let is_known = |lattice: &Self| {
                lattice.nodes.known.get(&key).is_some_and(|node| node.front.is_some())
            };
            if is_known(self) || !seen.insert(key) {
                continue;
            }
            let n_nodes = self.nodes.known.len();
            let leaving = self.nodes.leaving(tables, text, key);
            budget.spend(1 + self.nodes.known.len() - n_nodes)?;
            match leaving {
                Some(leaving) => {
                    self.height = self.height.max(leaving.height);
                    todo.extend(around(tables, leaving).flatten());
                }
                None => self.nodes.set_front(key, None),
            }
        }
        let mut reached: Vec<Key> = seen.into_iter().collect();
        reached.sort_unstable();
        Ok(reached)
    }

    /// Finds the charts in front of a node and of those behind it in the same mode; gives the number of
    /// symbols that it took.
    fn find_front(
        &mut self,
        tables: &Tables<'_>,
        charts: &mut RightCharts,
        lines: &mut LineCharts,
        text: &[u8],
        key: Key,
    ) -> usize {
        let mut symbols: Vec<EmissionId> = Vec::new();
        let mut path: Vec<(Key, usize)> = Vec::new();
        let mut next = key;
        let mut front = loop {
            if let Some(known) = &self.nodes.known[&next].front {
                break known.clone();
            }
            path.push((next, symbols.len()));
            match self.nodes.step(tables, text, next, &mut symbols) {
                Ok(behind) => next = behind,
                Err(leaving) => {
                    symbols.push(leaving.emission);
                    break self.front_behind(tables, charts, lines, text, leaving);
                }
            }
        };
        let n_symbols = 1 + symbols.len();
        for (key, first) in path.into_iter().rev() {
            for emission in symbols.drain(first..).rev() {
                front = front.and_then(|front| in_front(tables, charts, emission, front));
            }
            self.nodes.set_front(key, front.clone());
        }
        n_symbols
    }

    /// What is in front of all places that may follow where a mode is left.
    fn front_behind(
        &mut self,
        tables: &Tables<'_>,
        charts: &mut RightCharts,
        lines: &mut LineCharts,
        text: &[u8],
        leaving: Leaving,
    ) -> Option<Front> {
        let mut found: SmallVec<[RightChart; 8]> = SmallVec::new();
        let mut depths: Option<Depths> = None;
        for key in around(tables, leaving) {
            let front = match key {
                Some(key) => self.nodes.known[&key].front.clone().flatten(),
                None => {
                    let at = text.len() - leaving.distance as usize;
                    let front = lines.known_middle_of_line(tables, charts, text, at);
                    front.map(|(chart, depth)| Front { chart, depths: Depths::One(depth) })
                }
            };
            let Some(front) = front else { continue };
            found.push(front.chart);
            depths = Some(match depths {
                Some(known) if known != front.depths => Depths::Several,
                _ => front.depths,
            });
        }
        let chart = charts.union(tables.rules, &mut found)?;
        Some(Front { chart, depths: depths? })
    }
}

/// The nodes around a mode that is left, or `None` for the text outside f-strings.
fn around(tables: &Tables<'_>, leaving: Leaving) -> impl Iterator<Item = Option<Key>> {
    let scanner = &tables.lexer.scanner;
    let change = scanner.emission(leaving.emission).change;
    let Leaving { distance, frame: before, .. } = leaving;
    behind(tables.lexer, Some(before), change).into_iter().map(move |frame| {
        let clean = scanner.behind(change, Some(before), frame);
        frame.map(|frame| Key { distance, frame, clean })
    })
}

/// What is in front of a symbol.
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
