//! Copies of one rule, read as one.
//!
//! A grammar's templates are written out: `statement{yields, awaits}` becomes a rule for each way to fill it in, alike
//! but for a few places. Read forward, it is known which copy a text is in. Read backward it is not, before the
//! beginning is there: all copies would be carried along, item by item. So the copies of a template are one
//! family, whose bodies are walked in lockstep to see which of their states belong together. A state of a family is one
//! state of each copy, or of some, and a set of copies says of which of them it is meant:
//!
//! ```text
//! statement{NEVER, AWAIT}   "for" . ( | "for" . await        a state of the family: both, and behind
//! statement{NEVER, NEVER}   "for" . (                        `await` the first copy's alone
//! ```
//!
//! Each body state is in one state of its family, and each edge says in which copies it is there, so nothing is lost or
//! gained by it, whichever states were put together. A rule that is no copy is a family of its own.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use fim_lexer::TerminalId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::edge_lists::EdgeLists;
use super::nonterminal_set::contains;
use super::rules::Rules;
use super::states::{BodyState, Nonterminal, Symbol};

/// A set of a family's copies, a bit for each.
pub(crate) type Copies = u16;

/// The number of a family.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Family(u16);

impl Family {
    pub(crate) const ROOT: Self = Self(0);

    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A state of a family: a body state of each of its copies, or of some.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct FamilyState(pub(crate) u16);

impl FamilyState {
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// An edge whose label is a terminal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TerminalEdge {
    /// The state in front of it.
    pub(crate) from: FamilyState,
    /// The copies that have it.
    pub(crate) copies: Copies,
}

/// An edge whose label is a family: which copy of it stands there in each copy of the rule around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChildEdge {
    /// The state in front of it.
    pub(crate) from: FamilyState,
    relation: u32,
}

/// An edge to a state in which some copies may end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LastEdge<E> {
    /// The rule that ends.
    pub(crate) family: Family,
    /// The edge.
    pub(crate) edge: E,
    /// The copies that may end behind it.
    pub(crate) finals: Copies,
}

/// All families, as the right side walks them: against their edges.
#[derive(Debug, Default)]
pub(crate) struct Families {
    members: Vec<Vec<Nonterminal>>,
    family_of: Vec<(Family, u8)>,
    /// Where a family's bits stand in a set of nonterminals: the word, and how far from its end.
    places: Vec<(usize, u32)>,
    n_words: usize,
    owner: Vec<Family>,
    start: Vec<FamilyState>,
    root_finals: Vec<FamilyState>,
    /// For each state and copy the body state.
    states: Vec<BodyState>,
    first_state: Vec<u32>,
    before_terminal: EdgeLists<TerminalEdge>,
    before_family: EdgeLists<ChildEdge>,
    ended_by_terminal: Vec<Vec<LastEdge<FamilyState>>>,
    ended_by_family: Vec<Vec<LastEdge<ChildEdge>>>,
    /// For each relation and copy of the child, the copies around it.
    relations: Vec<Vec<Copies>>,
    /// For each state and copy the nonterminals that may end there.
    predicted: Vec<u64>,
    line_starts: Vec<Copies>,
    /// For each state and family, the copies in which one of the family may end there.
    knowing: Vec<Copies>,
    /// For each state, the copies in which anything may end there.
    waiting: Vec<Copies>,
}

/// An edge behind the numbers of the state and the symbol that it leads to.
type Labelled<E> = (usize, usize, E);

/// The body states of all copies, or [`BodyState::NONE`].
type Tuple = Vec<BodyState>;

/// What is found while the copies are walked in lockstep.
struct Walk {
    tuples: Vec<(Family, Tuple)>,
    /// For each body state the state of its family.
    places: Vec<Option<FamilyState>>,
    /// What is reached together and has not been followed, by how many copies it is: the fuller, the better it
    /// says what belongs together.
    todo: BinaryHeap<(usize, Reverse<(Family, Tuple)>)>,
    known: FxHashSet<(Family, Tuple)>,
}

impl Families {
    pub(super) fn new(rules: &Rules) -> Self {
        let mut families = Self::default();
        families.find_members(rules);
        let mut walk = Walk::new(rules.n_states());
        for (index, members) in families.members.iter().enumerate() {
            let start = members.iter().map(|&member| rules.start(member)).collect();
            walk.reach(Family(index as u16), start);
        }
        while let Some((_, Reverse((family, tuple)))) = walk.todo.pop() {
            if walk.place(family, &tuple) {
                families.follow(rules, &mut walk, family, &tuple);
            }
        }
        for members in &families.members {
            families.start.push(walk.place_of(rules.start(members[0])));
        }
        families.describe(rules, &walk);
        families
    }

    /// A rule called `name{...}` is a copy of the template `name`.
    fn find_members(&mut self, rules: &Rules) {
        let mut last_of: FxHashMap<&str, usize> = FxHashMap::default();
        for index in 0..rules.n_nonterminals() {
            let member = Nonterminal(index as u16);
            let template = rules.name(member).split_once('{').map(|(template, _)| template);
            let known = template.and_then(|template| last_of.get(template).copied());
            let has_room = |&family: &usize| self.members[family].len() < Copies::BITS as usize;
            let family = known.filter(has_room).unwrap_or_else(|| {
                self.members.push(Vec::new());
                self.members.len() - 1
            });
            if let Some(template) = template {
                last_of.insert(template, family);
            }
            self.family_of.push((Family(family as u16), self.members[family].len() as u8));
            self.members[family].push(member);
        }
        let mut n_bits = 0;
        for members in &self.members {
            let width = members.len() as u32;
            if n_bits % u64::BITS + width > u64::BITS {
                n_bits = n_bits.next_multiple_of(u64::BITS);
            }
            self.places.push(((n_bits / u64::BITS) as usize, n_bits % u64::BITS));
            n_bits += width;
        }
        self.n_words = n_bits.div_ceil(u64::BITS) as usize;
    }

    /// Notes what is reached together from states that are.
    fn follow(&self, rules: &Rules, walk: &mut Walk, family: Family, tuple: &Tuple) {
        let nowhere = || vec![BodyState::NONE; tuple.len()];
        let mut by_terminal: BTreeMap<TerminalId, Tuple> = BTreeMap::new();
        // Where several copies of a family may come, the first of one copy goes with the first of another.
        let mut by_child: BTreeMap<(Family, usize), Tuple> = BTreeMap::new();
        for (copy, &state) in states_of(tuple) {
            let mut n_of: FxHashMap<Family, usize> = FxHashMap::default();
            for &(symbol, to) in rules.edges(state) {
                let reached = match symbol {
                    Symbol::Terminal(terminal) => {
                        by_terminal.entry(terminal).or_insert_with(nowhere)
                    }
                    Symbol::Nonterminal(child) => {
                        let (child, _) = self.family_of[child.index()];
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
            walk.reach(family, tuple);
        }
    }

    fn describe(&mut self, rules: &Rules, walk: &Walk) {
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
        self.ended_by_terminal = vec![Vec::new(); rules.n_terminals()];
        for &(to, terminal, TerminalEdge { from: edge, copies }) in &terminal_edges {
            let (family, finals) = (walk.tuples[to].0, finals[to] & copies);
            if finals != 0 {
                self.ended_by_terminal[terminal].push(LastEdge { family, edge, finals });
            }
        }
        self.ended_by_family = vec![Vec::new(); n_families];
        for &(to, child, edge) in child_edges.iter().filter(|edge| finals[edge.0] != 0) {
            let family = walk.tuples[to].0;
            self.ended_by_family[child].push(LastEdge { family, edge, finals: finals[to] });
        }
        for (index, (family, tuple)) in walk.tuples.iter().enumerate() {
            self.owner.push(*family);
            if *family == Family::ROOT && finals[index] != 0 {
                self.root_finals.push(FamilyState(index as u16));
            }
            self.first_state.push(self.states.len() as u32);
            self.states.extend(tuple);
            self.line_starts.push(copies_where(tuple, &|state| rules.is_line_start(state)));
            for members in &self.members {
                let ends = |state: BodyState| {
                    let set = rules.back_predicted(state);
                    members.iter().any(|&member| contains(set, member))
                };
                self.knowing.push(copies_where(tuple, &ends));
            }
            let known = &self.knowing[index * n_families..];
            self.waiting.push(known.iter().fold(0, |all, copies| all | copies));
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
        self.before_terminal = EdgeLists::new(n_states, rules.n_terminals(), terminal_edges);
        self.before_family = EdgeLists::new(n_states, n_families, child_edges);
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
                        Symbol::Terminal(terminal) => {
                            let copies = by_terminal.entry((to, terminal.index(), from));
                            *copies.or_default() |= 1 << copy;
                        }
                        Symbol::Nonterminal(child) => {
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

    /// The number of states.
    pub(crate) fn n_states(&self) -> usize {
        self.owner.len()
    }

    /// The number of bits of a set of nonterminals.
    pub(crate) fn n_bits(&self) -> usize {
        self.n_words * u64::BITS as usize
    }

    /// The rule that a state belongs to.
    #[inline]
    pub(crate) fn owner(&self, state: FamilyState) -> Family {
        self.owner[state.index()]
    }

    /// Whether bodies begin in this state.
    #[inline]
    pub(crate) fn is_start(&self, state: FamilyState) -> bool {
        self.start[self.owner(state).index()] == state
    }

    /// Where the root may end.
    pub(crate) fn root_finals(&self) -> &[FamilyState] {
        &self.root_finals
    }

    /// The body states that a state stands for in these copies.
    pub(crate) fn body_states(
        &self,
        state: FamilyState,
        copies: Copies,
    ) -> impl Iterator<Item = BodyState> + '_ {
        let first = self.first_state[state.index()] as usize;
        bits(copies).map(move |copy| self.states[first + copy])
    }

    /// The edges of a terminal that lead to `state`.
    #[inline]
    pub(crate) fn before_terminal(
        &self,
        state: FamilyState,
        terminal: TerminalId,
    ) -> &[TerminalEdge] {
        self.before_terminal.get(state.index(), terminal.index())
    }

    /// The edges of a family that lead to `state`.
    #[inline]
    pub(crate) fn before_family(&self, state: FamilyState, child: Family) -> &[ChildEdge] {
        self.before_family.get(state.index(), child.index())
    }

    /// The copies in which one of `copies` of the child is what the edge reads.
    #[inline]
    pub(crate) fn around(&self, edge: ChildEdge, copies: Copies) -> Copies {
        let relation = &self.relations[edge.relation as usize];
        bits(copies).fold(0, |around, copy| around | relation[copy])
    }

    /// The rules whose last element may be this terminal.
    #[inline]
    pub(crate) fn ended_by_terminal(&self, terminal: TerminalId) -> &[LastEdge<FamilyState>] {
        &self.ended_by_terminal[terminal.index()]
    }

    /// The rules whose last element may be this family.
    #[inline]
    pub(crate) fn ended_by_family(&self, child: Family) -> &[LastEdge<ChildEdge>] {
        &self.ended_by_family[child.index()]
    }

    /// The copies of a state that a line begins at.
    #[inline]
    pub(crate) fn line_starts(&self, state: FamilyState) -> Copies {
        self.line_starts[state.index()]
    }

    /// The sets of nonterminals that may end in a state, one for each of these copies.
    pub(crate) fn predicted(
        &self,
        state: FamilyState,
        copies: Copies,
    ) -> impl Iterator<Item = &[u64]> {
        let first = self.first_state[state.index()] as usize;
        bits(copies)
            .map(move |copy| &self.predicted[(first + copy) * self.n_words..][..self.n_words])
    }

    /// The copies in which one of the family may end in a state.
    #[inline]
    pub(crate) fn knowing(&self, state: FamilyState, family: Family) -> Copies {
        self.knowing[state.index() * self.members.len() + family.index()]
    }

    /// The copies in which anything may end in a state.
    #[inline]
    pub(crate) fn waiting(&self, state: FamilyState) -> Copies {
        self.waiting[state.index()]
    }

    /// The copies of a family that are in a set of nonterminals.
    #[inline]
    pub(crate) fn members_in(&self, set: &[u64], family: Family) -> Copies {
        let (word, shift) = self.places[family.index()];
        let n_members = self.members[family.index()].len() as u32;
        (set[word] >> shift) as Copies & (Copies::MAX >> (Copies::BITS - n_members))
    }

    /// Whether a nonterminal is in a set of them.
    pub(crate) fn contains(&self, set: &[u64], nonterminal: Nonterminal) -> bool {
        let (family, copy) = self.family_of[nonterminal.index()];
        self.members_in(set, family) & 1 << copy != 0
    }
}

impl Walk {
    fn new(n_states: usize) -> Self {
        Self {
            tuples: Vec::new(),
            places: vec![None; n_states],
            todo: BinaryHeap::new(),
            known: FxHashSet::default(),
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
    fn place_of(&self, state: BodyState) -> FamilyState {
        self.places[state.index()].expect("all states of a body are reached from its start")
    }
}

/// The states of a tuple, with their copies.
fn states_of(tuple: &Tuple) -> impl Iterator<Item = (usize, &BodyState)> {
    tuple.iter().enumerate().filter(|&(_, &state)| state != BodyState::NONE)
}

fn bits(copies: Copies) -> impl Iterator<Item = usize> {
    let mut rest = copies;
    std::iter::from_fn(move || {
        let copy = (rest != 0).then(|| rest.trailing_zeros() as usize);
        rest &= rest.wrapping_sub(1);
        copy
    })
}

#[cfg(test)]
mod tests {
    use fim_lexer::Lexer;

    use super::super::description::GrammarDescription;
    use super::*;

    /// `call{X}` may wait, `call{Y}` may not, and a `block{X}` has calls of both.
    fn rules() -> Rules {
        let literal =
            |text: &str| format!(r#"{{"name": "{text}", "kind": "literal", "pattern": "{text}"}}"#);
        let terminals: Vec<String> = ["a", "w", "(", ")"].into_iter().map(literal).collect();
        let description = GrammarDescription::from_json(&format!(
            r#"{{"name": "small", "start": "file", "layout": "none", "declared": [],
                "terminals": [{}],
                "rules": [
                    {{"name": "file", "body": {{"alt": ["block{{X}}", "block{{Y}}"]}}}},
                    {{"name": "block{{X}}", "body": {{"seq": ["(", {{"alt": ["call{{X}}", "call{{Y}}"]}}, ")"]}}}},
                    {{"name": "block{{Y}}", "body": {{"seq": ["(", "call{{Y}}", ")"]}}}},
                    {{"name": "call{{X}}", "body": {{"seq": [{{"opt": "w"}}, "a", {{"star": "a"}}]}}}},
                    {{"name": "call{{Y}}", "body": {{"seq": ["a", {{"star": "a"}}]}}}}]}}"#,
            terminals.join(", ")
        ));
        let description = description.unwrap();
        let lexer = Lexer::new(description.lexical.clone()).unwrap();
        Rules::new(&description, &lexer).unwrap()
    }

    #[test]
    fn copies_of_a_template_are_one_family() {
        let rules = rules();
        let families = rules.families();
        let sizes: Vec<usize> = families.members.iter().map(Vec::len).collect();
        assert_eq!(sizes, [1, 1, 2, 2], "the root, the file, blocks, calls");
        assert!(families.n_states() < rules.n_states());
    }

    #[test]
    fn each_edge_of_a_copy_is_one_edge_of_its_family() {
        let rules = rules();
        let families = rules.families();
        let body_state = |state: FamilyState, copy: usize| {
            families.states[families.first_state[state.index()] as usize + copy]
        };
        let n_copies = |state| families.members[families.owner(state).index()].len();
        let copies = |state| {
            (0..n_copies(state)).filter(move |&copy| body_state(state, copy) != BodyState::NONE)
        };
        let states = || (0..families.n_states()).map(|index| FamilyState(index as u16));
        let mut leaving: BTreeMap<(FamilyState, usize), Vec<(Symbol, BodyState)>> = BTreeMap::new();
        for (to, copy) in states().flat_map(|to| copies(to).map(move |copy| (to, copy))) {
            let mut note = |from, symbol| {
                leaving.entry((from, copy)).or_default().push((symbol, body_state(to, copy)));
            };
            for terminal in (0..rules.n_terminals() as u16).map(TerminalId) {
                for edge in families.before_terminal(to, terminal) {
                    if edge.copies & 1 << copy != 0 {
                        note(edge.from, Symbol::Terminal(terminal));
                    }
                }
            }
            for (child, &(family, of_child)) in families.family_of.iter().enumerate() {
                for &edge in families.before_family(to, family) {
                    if families.around(edge, 1 << of_child) & 1 << copy != 0 {
                        note(edge.from, Symbol::Nonterminal(Nonterminal(child as u16)));
                    }
                }
            }
        }
        for (from, copy) in states().flat_map(|from| copies(from).map(move |copy| (from, copy))) {
            let mut found = leaving.remove(&(from, copy)).unwrap_or_default();
            let mut edges = rules.edges(body_state(from, copy)).to_vec();
            found.sort_unstable();
            edges.sort_unstable();
            assert_eq!(found, edges);
        }
        assert!(leaving.is_empty());
    }

    #[test]
    fn sets_of_nonterminals_hold_copies() {
        let rules = rules();
        let families = rules.families();
        for state in (0..families.n_states()).map(|index| FamilyState(index as u16)) {
            let n_copies = families.members[families.owner(state).index()].len();
            for copy in 0..n_copies {
                let body_state =
                    families.states[families.first_state[state.index()] as usize + copy];
                if body_state == BodyState::NONE {
                    continue;
                }
                let set = families.predicted(state, 1 << copy).next().unwrap();
                for child in (0..rules.n_nonterminals() as u16).map(Nonterminal) {
                    let is_known = contains(rules.back_predicted(body_state), child);
                    assert_eq!(families.contains(set, child), is_known);
                    let (family, of_child) = families.family_of[child.index()];
                    assert_eq!(families.members_in(set, family) & 1 << of_child != 0, is_known);
                    assert!(!is_known || families.knowing(state, family) & 1 << copy != 0);
                }
            }
        }
    }
}
