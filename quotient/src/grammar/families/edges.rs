//! Edges of families, written down once it is known which states belong together: against their direction, which
//! rules end behind which, and what each state knows.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::common_rows::CommonRows;
use super::lockstep::{Tuple, Walk, states_of};
use super::{ChildEdge, Copies, Families, Family, FamilyState, LastEdge, LastEdges, TerminalEdge};
use crate::grammar::edge_lists::EdgeLists;
use crate::grammar::nonterminal_set::contains;
use crate::grammar::rules::Rules;
use crate::grammar::states::{BodyState, EdgeLabel, Nonterminal};

/// An edge behind the numbers of the state and the symbol that it leads to.
type Labelled<E> = (usize, usize, E);

impl Families {
    pub(super) fn describe(&mut self, rules: &Rules, walk: &Walk) {
        let (n_states, n_families) = (walk.tuples.len(), self.members.len());
        let (terminal_edges, child_edges) = self.edges(rules, walk);
        let copies_where = |tuple: &Tuple, holds: &dyn Fn(BodyState) -> bool| {
            let copies = tuple.iter().enumerate();
            let chosen = copies.filter(|&(_, &state)| state != BodyState::NONE && holds(state));
            chosen.fold(0, |copies, (copy, _)| copies | 1 << copy)
        };
        let finals: Vec<Copies> = walk
            .tuples
            .iter()
            .map(|(_, tuple)| copies_where(tuple, &|state| rules.is_final(state)))
            .collect();
        let mut ended_by_terminal = vec![Vec::new(); rules.n_terminals()];
        for &(to, terminal, TerminalEdge { from: edge, copies }) in &terminal_edges {
            let (family, finals) = (walk.tuples[to].0, finals[to] & copies);
            if finals != 0 {
                ended_by_terminal[terminal].push(LastEdge {
                    family,
                    edge,
                    finals,
                    to: FamilyState(to as u16),
                });
            }
        }
        let mut ended_by_family = vec![Vec::new(); n_families];
        for &(to, child, edge) in child_edges.iter().filter(|edge| finals[edge.0] != 0) {
            let family = walk.tuples[to].0;
            ended_by_family[child].push(LastEdge {
                family,
                edge,
                finals: finals[to],
                to: FamilyState(to as u16),
            });
        }
        self.ended_by_terminal = LastEdges::new(ended_by_terminal, self);
        self.ended_by_family = LastEdges::new(ended_by_family, self);
        let mut knowing: Vec<Vec<Copies>> = vec![Vec::with_capacity(n_states); n_families];
        for (index, (family, tuple)) in walk.tuples.iter().enumerate() {
            self.owner.push(*family);
            if *family == Family::ROOT && finals[index] != 0 {
                self.root_finals.push(FamilyState(index as u16));
            }
            self.first_state.push(self.states.len() as u32);
            self.states.extend(tuple);
            self.line_starts.push(copies_where(tuple, &|state| rules.is_line_start(state)));
            for (members, knowing) in self.members.iter().zip(&mut knowing) {
                let ends = |state: BodyState| {
                    let set = rules.back_predicted(state);
                    members.iter().any(|&member| contains(set, member))
                };
                knowing.push(copies_where(tuple, &ends));
            }
            self.waiting.push(knowing.iter().fold(0, |all, known| all | known[index]));
            for &state in tuple {
                let row = self.predicted.len();
                self.predicted.resize(row + self.n_words, 0);
                if state == BodyState::NONE {
                    continue;
                }
                for (child, &(family, copy)) in self.family_of.iter().enumerate() {
                    if contains(rules.back_predicted(state), Nonterminal(child as u16)) {
                        let (word, shift) = self.places[family.index()];
                        self.predicted[row + word] |= 1 << (shift + u32::from(copy));
                    }
                }
            }
        }
        self.knowing = CommonRows::new(n_states, knowing);
        self.before_terminal = EdgeLists::new(n_states, terminal_edges);
        self.before_family = EdgeLists::new(n_states, child_edges);
    }

    /// All edges, with the state and the symbol that each leads to.
    fn edges(
        &mut self,
        rules: &Rules,
        walk: &Walk,
    ) -> (Vec<Labelled<TerminalEdge>>, Vec<Labelled<ChildEdge>>) {
        let mut by_terminal: BTreeMap<(usize, usize, FamilyState), Copies> = BTreeMap::new();
        let mut by_child: BTreeMap<(usize, usize, FamilyState), Vec<Copies>> = BTreeMap::new();
        for (index, (_, tuple)) in walk.tuples.iter().enumerate() {
            let from = FamilyState(index as u16);
            for (copy, &state) in states_of(tuple) {
                for &(symbol, to) in rules.edges(state) {
                    let to = walk.place_of(to).index();
                    match symbol {
                        EdgeLabel::Terminal(terminal) => {
                            let copies = by_terminal.entry((to, terminal.index(), from));
                            *copies.or_default() |= 1 << copy;
                        }
                        EdgeLabel::Nonterminal(child) => {
                            let (child, of_child) = self.family_of[child.index()];
                            let n_copies = self.members[child.index()].len();
                            let relation = by_child
                                .entry((to, child.index(), from))
                                .or_insert_with(|| vec![0; n_copies]);
                            relation[usize::from(of_child)] |= 1 << copy;
                        }
                    }
                }
            }
        }
        let mut numbers: FxHashMap<Vec<Copies>, u32> = FxHashMap::default();
        let terminal_edges = by_terminal.into_iter();
        let terminal_edges = terminal_edges
            .map(|((to, terminal, from), copies)| (to, terminal, TerminalEdge { from, copies }));
        let child_edges = by_child.into_iter().map(|((to, child, from), relation)| {
            let fresh = self.relations.len() as u32;
            let number = *numbers.entry(relation.clone()).or_insert(fresh);
            if number == fresh {
                self.relations.push(relation);
            }
            (to, child, ChildEdge { from, relation: number })
        });
        (terminal_edges.collect(), child_edges.collect())
    }
}
