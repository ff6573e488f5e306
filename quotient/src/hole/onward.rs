//! Onwards: the instances of rules that begin at a chart, and the costs behind them, as a least fixed point.
//!
//! An open rule tells each rule that may stand first in it two things: the instances that the child may be, and
//! the cost once the child has ended. Both depend on the left spine alone, so they are found once per chart, from the
//! charts that its items began in.
//!
//! In the paper: `Call!0` of figures 2 and 3, a rule that is open on the left; here it is worked out for a left chart, once.

use std::collections::VecDeque;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::Hole;
use crate::charts::{LeftChart, LeftItem, Parsing};
use crate::grammar::{BodyState, IMPOSSIBLE, Nonterminal, Rules};
use crate::right_side::{Exit, InstanceIdx};

/// The way on for a rule that begins at a chart.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Onward {
    pub(crate) nonterminal: Nonterminal,
    /// The instances that the rule may correspond to.
    pub(crate) instances: SmallVec<[InstanceIdx; 4]>,
    /// The cost of the text that must follow once the rule has ended.
    pub(crate) cost: u32,
    /// The states in which the instances leave, each with the least cost behind it: in languages without marks, where
    /// all instances fit. A chain in the right context has an instance for each link, and an item is compared with
    /// the few states instead.
    pub(super) leaving: SmallVec<[(BodyState, u32); 4]>,
}

impl Onward {
    fn new(nonterminal: Nonterminal) -> Self {
        let (instances, leaving) = (SmallVec::new(), SmallVec::new());
        Self { nonterminal, instances, cost: IMPOSSIBLE, leaving }
    }

    /// The onward of a rule, among those of all rules that begin at a chart, which are sorted.
    #[inline]
    pub(super) fn find(all: &[Self], nonterminal: Nonterminal) -> Option<&Self> {
        let index = all.binary_search_by_key(&nonterminal, |onward| onward.nonterminal).ok()?;
        Some(&all[index])
    }
}

impl Hole {
    /// The onwards of the rules that begin at a chart, computed on first use, together with those that they depend
    /// on. The charts that a chart's items began in have smaller numbers.
    pub(super) fn onward(&mut self, parsing: &Parsing<'_>, chart: LeftChart) -> Arc<[Onward]> {
        if let Some(known) = self.spines.get(chart) {
            return Arc::clone(known);
        }
        let mut todo = vec![chart];
        while let Some(&chart) = todo.last() {
            let n_todo = todo.len();
            for item in parsing.items(chart) {
                if item.origin != chart && self.spines.get(item.origin).is_none() {
                    todo.push(item.origin);
                }
            }
            if todo.len() == n_todo {
                todo.pop();
                if self.spines.get(chart).is_none() && !self.spines.ask(parsing, chart) {
                    let found = self.onward_at(parsing, chart, parsing.items(chart));
                    let n_instances = found.iter().map(|onward| onward.instances.len());
                    self.n_looked_at += (found.len() + n_instances.sum::<usize>()) as u64;
                    self.spines.insert(chart, found);
                }
            }
        }
        self.spines.get(chart).map(Arc::clone).unwrap_or_default()
    }

    /// The least fixed point over the rules predicted at the chart, or at one that has these items in its place: each
    /// passes its onward on to the rules that may stand first in it.
    pub(super) fn onward_at(
        &self,
        parsing: &Parsing<'_>,
        chart: LeftChart,
        items: &[LeftItem],
    ) -> Vec<Onward> {
        let mut onwards = Onwards::new(parsing.rules());
        let mut whole = None;
        for &item in items {
            let nonterminal = parsing.rules().owner(item.state);
            if item.origin == chart {
                // Only the root's own item begins where it stands.
                let mut root = Onward::new(Nonterminal::ROOT);
                root.instances = SmallVec::from_slice(&self.right.wholes);
                root.leaving = self.leaving(parsing, &root.instances);
                self.pass_on(parsing, chart, item, &root, &mut onwards);
                whole = Some(root);
                continue;
            }
            let known = self.spines.get(item.origin);
            if let Some(onward) = known.and_then(|known| Onward::find(known, nonterminal)) {
                self.pass_on(parsing, chart, item, onward, &mut onwards);
            }
        }
        while let Some((place, mut onward)) = onwards.next_changed() {
            onward.leaving = self.leaving(parsing, &onward.instances);
            onwards.found[place].leaving.clone_from(&onward.leaving);
            let state = parsing.rules().start(onward.nonterminal);
            let item = LeftItem { state, origin: chart };
            self.pass_on(parsing, chart, item, &onward, &mut onwards);
        }
        onwards.found.extend(whole);
        onwards.found.sort_unstable_by_key(|onward| onward.nonterminal);
        onwards.found
    }

    /// The states in which instances leave, each with the least cost behind it; nothing where marks decide about that.
    fn leaving(
        &self,
        parsing: &Parsing<'_>,
        instances: &[InstanceIdx],
    ) -> SmallVec<[(BodyState, u32); 4]> {
        let mut found: SmallVec<[(BodyState, u32); 4]> = SmallVec::new();
        if parsing.rules().has_marks() {
            return found;
        }
        for &(state, exit) in instances.iter().flat_map(|&index| self.right.exits(index)) {
            let cost = self.right.exit_cost(exit);
            match found.iter_mut().find(|(known, _)| *known == state) {
                Some((_, least)) => *least = cost.min(*least),
                None => found.push((state, cost)),
            }
        }
        found
    }

    /// Passes a rule's onward on to the children that may begin at its item.
    fn pass_on(
        &self,
        parsing: &Parsing<'_>,
        chart: LeftChart,
        item: LeftItem,
        onward: &Onward,
        onwards: &mut Onwards,
    ) {
        let fitting = onward.instances.iter();
        let fitting = fitting.filter(|&&instance| self.fits(parsing, chart, item, instance));
        let inside: SmallVec<[InstanceIdx; 16]> = fitting
            .flat_map(|&instance| self.right.exits(instance))
            .filter_map(|&(from, exit)| match exit {
                Exit::Child(instance) if from == item.state => Some(instance),
                _ => None,
            })
            .collect();
        for (child, state) in parsing.rules().children(item.state) {
            let behind = LeftItem { state, origin: item.origin };
            let cost = self.finish_cost(parsing, chart, behind, onward);
            let is_child =
                |&instance: &InstanceIdx| self.right.instance(instance).nonterminal == child;
            let instances = inside.iter().copied().filter(is_child);
            onwards.improve(child, cost, instances);
        }
    }
}

/// The onwards of the rules that begin at a chart, while they are being found.
struct Onwards {
    found: Vec<Onward>,
    /// For each nonterminal its index in `found`.
    places: Vec<u16>,
    /// The indices of those that have not been passed on since they changed.
    changed: VecDeque<u16>,
    is_changed: Vec<bool>,
    /// The instances of rules that have many.
    many: FxHashSet<(u16, InstanceIdx)>,
}

impl Onwards {
    const NOWHERE: u16 = u16::MAX;
    /// From this number on, instances are looked up instead of compared one by one.
    const MANY: usize = 16;

    fn new(rules: &Rules) -> Self {
        let places = vec![Self::NOWHERE; rules.n_nonterminals()];
        Self {
            found: Vec::new(),
            places,
            changed: VecDeque::new(),
            is_changed: Vec::new(),
            many: FxHashSet::default(),
        }
    }

    fn next_changed(&mut self) -> Option<(usize, Onward)> {
        let place = usize::from(self.changed.pop_front()?);
        self.is_changed[place] = false;
        Some((place, self.found[place].clone()))
    }

    fn improve(
        &mut self,
        nonterminal: Nonterminal,
        cost: u32,
        instances: impl Iterator<Item = InstanceIdx>,
    ) {
        let place = &mut self.places[nonterminal.index()];
        if *place == Self::NOWHERE {
            *place = self.found.len() as u16;
            self.found.push(Onward::new(nonterminal));
            self.is_changed.push(false);
        }
        let known = &mut self.found[usize::from(*place)];
        let mut is_better = cost < known.cost;
        known.cost = known.cost.min(cost);
        for instance in instances {
            let is_known = match known.instances.len() {
                0..Self::MANY => known.instances.contains(&instance),
                n_instances => {
                    if n_instances == Self::MANY {
                        self.many.extend(known.instances.iter().map(|&known| (*place, known)));
                    }
                    !self.many.insert((*place, instance))
                }
            };
            if !is_known {
                known.instances.push(instance);
                is_better = true;
            }
        }
        if is_better && !std::mem::replace(&mut self.is_changed[usize::from(*place)], true) {
            self.changed.push_back(*place);
        }
    }
}
