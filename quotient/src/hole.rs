//! The product at the cut: the left spines that fit the right context, and their costs.
//!
//! The left context's charts know nothing of the right one. A hole asks, for a chart behind any
//! text in it, two questions:
//!
//! - *Does it meet a root?* An item of the chart and an item of the root's frontier are in the
//!   same body state, and the rules that they are open in correspond, one inside the other, up to
//!   the whole file. Then the text is a member.
//! - *What does it cost to get there?* From an item, the rule may be continued into one of the
//!   [`Instance`](crate::right_side::Instance)s that correspond to it, or be ended, after which the rule around it
//!   has the same choice. If the least cost is finite, the text is completable, and the choices along the way spell a
//!   shortest completion.
//!
//! Both follow from an [`Onward`] for each nonterminal that a chart predicts: the instances that a rule which begins
//! at the chart may correspond to, and the cost of getting on once it has ended. A chart number stands for the whole
//! left spine, so this is computed once per chart, from the charts that its items began in.
//!
//! All answers stay in the [`Hole`]; other rooms ask it by [`OpenHole`], which brings the language and its charts.
//!
//! In the paper: the right quotient of the language by the right context, problem 1. It is asked, and not built.

mod known_masks;
mod liveness;
mod onward;
mod open_hole;
mod place;
mod readings;
mod spines;

use std::sync::Arc;

use rustc_hash::FxHashMap;

use self::known_masks::KnownMasks;
pub(crate) use self::liveness::LivenessIdx;
use self::liveness::LivenessOfCharts;
use self::onward::Onward;
pub(crate) use self::open_hole::OpenHole;
pub(crate) use self::place::{Place, behind_emission};
use self::spines::Spines;
use crate::charts::{LeftChart, LeftItem, Marks, Parsing};
use crate::grammar::{BodyState, IMPOSSIBLE};
use crate::right_side::{Exit, InstanceIdx, RightSide, RootIdx};

/// A right side, with the answers about charts in front of it.
#[derive(Debug)]
pub(crate) struct Hole {
    right: Arc<RightSide>,
    spines: Spines,
    /// The number of rules, instances and items that were looked at, a measure of work.
    n_looked_at: u64,
    costs: FxHashMap<LeftChart, u32>,
    meets: FxHashMap<(LeftChart, RootIdx), bool>,
    emission_costs: FxHashMap<LeftChart, Arc<[u32]>>,
    liveness: LivenessOfCharts,
    known_masks: KnownMasks,
}

/// The next step of the cheapest way from an item to the right context.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CheapestStep {
    /// Continue the body to this state and leave there.
    Leave {
        /// The state in which the body leaves.
        state: BodyState,
        /// The exit that it leaves by.
        exit: Exit,
        /// The marks that the body may get on the way.
        marks: Marks,
    },
    /// End the body and go on with this item.
    End(LeftItem),
}

impl Hole {
    pub(crate) fn new(right: Arc<RightSide>) -> Self {
        Self {
            right,
            spines: Spines::default(),
            n_looked_at: 0,
            costs: FxHashMap::default(),
            meets: FxHashMap::default(),
            emission_costs: FxHashMap::default(),
            liveness: LivenessOfCharts::default(),
            known_masks: KnownMasks::default(),
        }
    }

    /// The side of the right context.
    pub(crate) fn right(&self) -> &Arc<RightSide> {
        &self.right
    }

    /// The number of things looked at so far, those of the right side included: a measure of work.
    pub(crate) fn work(&self) -> u64 {
        self.n_looked_at + self.right.n_exits() as u64
    }

    /// The cost of the cheapest completion behind a chart, lexical matters aside.
    fn cost(&mut self, parsing: &Parsing<'_>, chart: LeftChart) -> u32 {
        if let Some(&known) = self.costs.get(&chart) {
            return known;
        }
        let found = parsing
            .items(chart)
            .iter()
            .map(|&item| self.item_cost(parsing, chart, item))
            .min()
            .unwrap_or(IMPOSSIBLE);
        self.costs.insert(chart, found);
        found
    }

    /// The cost of the cheapest completion from an item of a chart.
    fn item_cost(&mut self, parsing: &Parsing<'_>, chart: LeftChart, item: LeftItem) -> u32 {
        let nonterminal = parsing.rules().owner(item.state);
        let onward = self.onward(parsing, item.origin);
        match Onward::find(&onward, nonterminal) {
            Some(onward) => self.finish_cost(parsing, chart, item, onward),
            None => IMPOSSIBLE,
        }
    }

    /// The cost of getting from an item to the right context, given its rule's [`Onward`].
    fn finish_cost(
        &self,
        parsing: &Parsing<'_>,
        chart: LeftChart,
        item: LeftItem,
        onward: &Onward,
    ) -> u32 {
        if !parsing.left.has_room(parsing.rules(), item) {
            return IMPOSSIBLE;
        }
        let column = parsing.mark(item.origin).column();
        let costs = parsing.language.costs.at(parsing.rules(), column);
        let ending = costs.to_final(item.state).saturating_add(onward.cost);
        let leaving = if parsing.rules().has_marks() {
            self.exits(parsing, chart, item, onward).map(|(_, _, _, cost)| cost).min()
        } else {
            let ways = onward.leaving.iter();
            let ways = ways.map(|&(to, cost)| costs.between(item.state, to).saturating_add(cost));
            ways.filter(|&cost| cost < IMPOSSIBLE).min()
        };
        leaving.map_or(ending, |leaving| leaving.min(ending))
    }

    /// The ways in which an item's body may leave into the right context, with their costs.
    fn exits<'a>(
        &'a self,
        parsing: &'a Parsing<'_>,
        chart: LeftChart,
        item: LeftItem,
        onward: &'a Onward,
    ) -> impl Iterator<Item = (InstanceIdx, BodyState, Exit, u32)> + 'a {
        let rules = parsing.rules();
        let around = parsing.mark(item.origin).column();
        let costs = parsing.language.costs.at(rules, around);
        let fitting = onward
            .instances
            .iter()
            .filter(move |&&instance| self.fits(parsing, chart, item, instance));
        fitting.flat_map(move |&instance| {
            self.right.exits(instance).iter().filter_map(move |&(state, exit)| {
                let column = match (rules.is_marked(state), rules.is_marked(item.state)) {
                    (false, _) => around,
                    (true, true) => parsing.mark(chart).column(),
                    (true, false) => self.right.instance(instance).column_inside(around),
                };
                let white = self.right.white_cost(rules, state, exit, column);
                let is_named = rules.is_marked(item.state) || !rules.is_marked(state);
                let naming = if is_named { 0 } else { self.right.instance(instance).naming };
                let cost = costs.between(item.state, state).saturating_add(naming);
                let cost = cost.saturating_add(white + self.right.exit_cost(exit));
                (cost < IMPOSSIBLE).then_some((instance, state, exit, cost))
            })
        })
    }

    /// Whether an item of a chart has a mark that the instance needs, or can still get one.
    fn fits(
        &self,
        parsing: &Parsing<'_>,
        chart: LeftChart,
        item: LeftItem,
        instance: InstanceIdx,
    ) -> bool {
        let instance = self.right.instance(instance);
        let around = parsing.mark(item.origin);
        if !instance.is_marked {
            return parsing.fits(instance.marks, around);
        }
        if parsing.rules().is_marked(item.state) {
            return parsing.fits(instance.marks, parsing.mark(chart));
        }
        // The rule has no mark yet: it must be able to get one within the marks around it.
        instance.marks.around().is_some_and(|marks| parsing.fits(marks, around))
    }

    /// Whether an item of the chart continues exactly where the right context begins at a root.
    fn meets(&mut self, parsing: &Parsing<'_>, chart: LeftChart, root: RootIdx) -> bool {
        if let Some(&known) = self.meets.get(&(chart, root)) {
            return known;
        }
        let found = parsing.items(chart).iter().any(|&item| {
            let nonterminal = parsing.rules().owner(item.state);
            let onward = self.onward(parsing, item.origin);
            let known = Onward::find(&onward, nonterminal);
            known.is_some_and(|onward| {
                onward.instances.iter().any(|&instance| {
                    let exits = self.right.exits(instance);
                    exits.contains(&(item.state, Exit::Root(root)))
                        && self.fits(parsing, chart, item, instance)
                })
            })
        });
        self.meets.insert((chart, root), found);
        found
    }

    /// The first step of the cheapest way from an item, if there is a way.
    fn cheapest_step(
        &mut self,
        parsing: &Parsing<'_>,
        chart: LeftChart,
        item: LeftItem,
    ) -> Option<CheapestStep> {
        let rules = parsing.rules();
        let nonterminal = rules.owner(item.state);
        let onward = self.onward(parsing, item.origin);
        let onward = Onward::find(&onward, nonterminal)?;
        let costs = parsing.language.costs.at(rules, parsing.mark(item.origin).column());
        let ending = costs.to_final(item.state).saturating_add(onward.cost);
        let leaving = self.exits(parsing, chart, item, onward).min_by_key(|&(_, _, _, cost)| cost);
        if let Some((instance, state, exit, cost)) = leaving
            && cost <= ending
        {
            let instance = self.right.instance(instance);
            let marks = instance.own_marks();
            return Some(CheapestStep::Leave { state, exit, marks });
        }
        let origin = item.origin;
        self.n_looked_at += parsing.items(origin).len() as u64;
        let mut waiting: Vec<LeftItem> = parsing
            .items(origin)
            .iter()
            .filter_map(|waiting| {
                let state = rules.nonterminal_step(waiting.state, nonterminal)?;
                Some(LeftItem { state, origin: waiting.origin })
            })
            .collect();
        let begun = rules.begun_by_nonterminal(nonterminal).iter();
        waiting.extend(
            begun
                .filter(|&&(parent, _)| parsing.left.predicts(origin, parent))
                .map(|&(_, state)| LeftItem { state, origin }),
        );
        waiting
            .into_iter()
            .map(|item| (self.item_cost(parsing, origin, item), item))
            .filter(|&(cost, _)| cost <= onward.cost && cost < IMPOSSIBLE)
            .min_by_key(|&(cost, _)| cost)
            .map(|(_, item)| CheapestStep::End(item))
    }
}
