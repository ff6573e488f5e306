//! Which states of a template's copies belong together: their bodies are walked in lockstep.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use fim_lexer::TerminalId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Families, Family, FamilyState};
use crate::grammar::rules::Rules;
use crate::grammar::states::{BodyState, EdgeLabel};

/// The body states of all copies, or [`BodyState::NONE`].
pub(super) type Tuple = Vec<BodyState>;

/// The findings of a walk through the copies in lockstep.
pub(super) struct Walk {
    pub(super) tuples: Vec<(Family, Tuple)>,
    /// For each body state the state of its family.
    places: Vec<Option<FamilyState>>,
    /// The tuples that are reached and not followed yet, by their numbers of copies: the fuller, the better one
    /// says what belongs together.
    todo: BinaryHeap<(usize, Reverse<(Family, Tuple)>)>,
    known: FxHashSet<(Family, Tuple)>,
}

impl Walk {
    /// Walks the bodies of all families.
    pub(super) fn of(families: &Families, rules: &Rules) -> Self {
        let mut walk = Self::new(rules.n_states());
        for (index, members) in families.members.iter().enumerate() {
            let start = members.iter().map(|&member| rules.start(member)).collect();
            walk.reach(Family(index as u16), start);
        }
        while let Some((_, Reverse((family, tuple)))) = walk.todo.pop() {
            if walk.place(family, &tuple) {
                walk.follow(families, rules, family, &tuple);
            }
        }
        walk
    }

    fn new(n_states: usize) -> Self {
        Self {
            tuples: Vec::new(),
            places: vec![None; n_states],
            todo: BinaryHeap::new(),
            known: FxHashSet::default(),
        }
    }

    /// Notes what is reached together from states that are.
    fn follow(&mut self, families: &Families, rules: &Rules, family: Family, tuple: &Tuple) {
        let nowhere = || vec![BodyState::NONE; tuple.len()];
        let mut by_terminal: BTreeMap<TerminalId, Tuple> = BTreeMap::new();
        // Where several copies of a family may come, the first of one copy goes with the first of another.
        let mut by_child: BTreeMap<(Family, usize), Tuple> = BTreeMap::new();
        for (copy, &state) in states_of(tuple) {
            let mut n_of: FxHashMap<Family, usize> = FxHashMap::default();
            for &(symbol, to) in rules.edges(state) {
                let reached = match symbol {
                    EdgeLabel::Terminal(terminal) => {
                        by_terminal.entry(terminal).or_insert_with(nowhere)
                    }
                    EdgeLabel::Nonterminal(child) => {
                        let (child, _) = families.family_of[child.index()];
                        let n_known = n_of.entry(child).or_default();
                        let reached = by_child.entry((child, *n_known)).or_insert_with(nowhere);
                        *n_known += 1;
                        reached
                    }
                };
                reached[copy] = to;
            }
        }
        for tuple in by_terminal.into_values().chain(by_child.into_values()) {
            self.reach(family, tuple);
        }
    }

    /// Notes states that are reached together.
    fn reach(&mut self, family: Family, tuple: Tuple) {
        let entry = (family, tuple);
        if self.known.insert(entry.clone()) {
            self.todo.push((states_of(&entry.1).count(), Reverse(entry)));
        }
    }

    /// Puts those of these states that have no place yet beside the others, if there is room, else in a state of
    /// their own. Whether there are any.
    fn place(&mut self, family: Family, tuple: &Tuple) -> bool {
        let is_placed = |&(_, state): &(usize, &BodyState)| self.places[state.index()].is_some();
        let (placed, fresh): (Vec<_>, Vec<_>) = states_of(tuple).partition(is_placed);
        if fresh.is_empty() {
            return false;
        }
        let has_room = |&place: &FamilyState| {
            let taken = &self.tuples[place.index()].1;
            fresh.iter().all(|&(copy, _)| taken[copy] == BodyState::NONE)
        };
        let mut places = placed.iter().filter_map(|&(_, state)| self.places[state.index()]);
        let place = places.find(has_room).unwrap_or_else(|| {
            self.tuples.push((family, vec![BodyState::NONE; tuple.len()]));
            FamilyState((self.tuples.len() - 1) as u16)
        });
        for (copy, &state) in fresh {
            self.tuples[place.index()].1[copy] = state;
            self.places[state.index()] = Some(place);
        }
        true
    }

    /// The state of its family that a body state is in.
    pub(super) fn place_of(&self, state: BodyState) -> FamilyState {
        self.places[state.index()].expect("all states of a body are reached from its start")
    }
}

/// The states of a tuple, with their copies.
pub(super) fn states_of(tuple: &Tuple) -> impl Iterator<Item = (usize, &BodyState)> {
    tuple.iter().enumerate().filter(|&(_, &state)| state != BodyState::NONE)
}
