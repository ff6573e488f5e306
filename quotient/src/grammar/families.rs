//! Copies of one rule, read as one.
//!
//! A grammar's templates are written out: `statement{yields, awaits}` becomes a rule for each way to fill it in, alike
//! except for a few places. Read forward, it is known which copy a text is in. Read backward it is not, before the
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

mod common_rows;
mod dangling;
mod edges;
mod last_edges;
mod lockstep;
mod members;

use fim_lexer::TerminalId;
use rustc_hash::FxHashSet;

use self::common_rows::CommonRows;
use self::dangling::Dangling;
pub(crate) use self::last_edges::LastEdge;
use self::last_edges::LastEdges;
use self::lockstep::Walk;
use super::edge_lists::EdgeLists;
use super::rules::Rules;
use super::states::{BodyState, Nonterminal};

/// A set of a family's copies, a bit for each.
pub(crate) type Copies = u32;

/// The number of a family.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Family(u16);

impl Family {
    pub(crate) const ROOT: Self = Self(0);

    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The number of the facts that states know of one family or several: where they may end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Knowing(u16);

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
    ended_by_terminal: LastEdges<FamilyState>,
    ended_by_family: LastEdges<ChildEdge>,
    /// For each relation and copy of the child, the copies around it.
    relations: Vec<Vec<Copies>>,
    /// For each state and copy the nonterminals that may end there.
    predicted: Vec<u64>,
    line_starts: Vec<Copies>,
    /// For each family and state, the copies in which one of the family may end there.
    knowing: CommonRows,
    /// For each state, the copies in which anything may end there.
    waiting: Vec<Copies>,
    /// For each terminal and state, the copies in which the one may stand in front of the other, or of the rule that begins
    /// there. Only where the parser decides how texts read.
    behind: CommonRows,
    /// For each state what is known of rules that end there though they could go on; empty where lines are read.
    dangling: Vec<Option<Dangling>>,
    /// Whether a rule that ends in a state could have gone on with what dangles; empty where lines are read.
    left_open: Box<[bool]>,
    /// The pairs of states, the outer rule's first, of which the outer need not go on.
    leaving: FxHashSet<(BodyState, BodyState)>,
}

impl Families {
    pub(super) fn new(rules: &Rules, has_lines: bool) -> Self {
        let mut families = Self::default();
        families.find_members(rules);
        let walk = Walk::of(&families, rules);
        for members in &families.members {
            families.start.push(walk.place_of(rules.start(members[0])));
        }
        families.describe(rules, &walk);
        if !has_lines {
            families.find_dangling(rules);
            families.find_left_open(rules);
        }
        families
    }

    /// The number of states.
    pub(crate) fn n_states(&self) -> usize {
        self.owner.len()
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

    /// The edges of all families that lead to `state`.
    pub(crate) fn before_families(
        &self,
        state: FamilyState,
    ) -> impl Iterator<Item = (Family, &[ChildEdge])> {
        let lists = self.before_family.of_state(state.index());
        lists.map(|(family, edges)| (Family(family as u16), edges))
    }

    /// The copies in which one of `copies` of the child is what the edge reads.
    #[inline]
    pub(crate) fn around(&self, edge: ChildEdge, copies: Copies) -> Copies {
        let relation = &self.relations[edge.relation as usize];
        bits(copies).fold(0, |around, copy| around | relation[copy])
    }

    /// The rules whose last element may be this terminal, unless none of them is in `set`.
    #[inline]
    pub(crate) fn ended_by_terminal(
        &self,
        terminal: TerminalId,
        set: &[u64],
    ) -> &[LastEdge<FamilyState>] {
        self.ended_by_terminal.ending_one_of(terminal.index(), set)
    }

    /// The rules whose last element may be this family, unless none of them is in `set`.
    #[inline]
    pub(crate) fn ended_by_family(&self, child: Family, set: &[u64]) -> &[LastEdge<ChildEdge>] {
        self.ended_by_family.ending_one_of(child.index(), set)
    }

    /// The copies of a state that a line begins at.
    #[inline]
    pub(crate) fn line_starts(&self, state: FamilyState) -> Copies {
        self.line_starts[state.index()]
    }

    /// The sets of nonterminals that may end in a state, one for each of these copies.
    pub(crate) fn predicted_sets(
        &self,
        state: FamilyState,
        copies: Copies,
    ) -> impl Iterator<Item = &[u64]> {
        let first = self.first_state[state.index()] as usize;
        bits(copies)
            .map(move |copy| &self.predicted[(first + copy) * self.n_words..][..self.n_words])
    }

    /// The number of the facts that states know of a family.
    #[inline]
    pub(crate) fn knowing(&self, family: Family) -> Knowing {
        Knowing(self.knowing.number(family.index()))
    }

    /// For each state, the copies in which something may end there that has this number.
    #[inline]
    pub(crate) fn copies_knowing(&self, knowing: Knowing) -> &[Copies] {
        self.knowing.row(knowing.0)
    }

    /// The copies in which anything may end in a state.
    #[inline]
    pub(crate) fn waiting(&self, state: FamilyState) -> Copies {
        self.waiting[state.index()]
    }

    /// Notes which terminals stand in front of which states.
    pub(super) fn find_behind(
        &mut self,
        n_terminals: usize,
        stands_in_front: impl Fn(TerminalId, BodyState) -> bool,
    ) {
        let row = |terminal: TerminalId| {
            let is_behind =
                |state: BodyState| state != BodyState::NONE && stands_in_front(terminal, state);
            let behind = (0..self.n_states()).map(|index| {
                let first = self.first_state[index] as usize;
                let n_copies = self.members[self.owner[index].index()].len();
                let copies = self.states[first..][..n_copies].iter().enumerate();
                copies
                    .filter(|&(_, &state)| is_behind(state))
                    .fold(0, |all, (copy, _)| all | 1 << copy)
            });
            behind.collect()
        };
        let terminals = (0..n_terminals).map(|index| TerminalId(index as u16));
        self.behind = CommonRows::new(self.n_states(), terminals.map(row));
    }

    /// For each state, the copies in which this terminal may stand in front of it, or of the rule that begins there.
    #[inline]
    pub(crate) fn behind(&self, terminal: TerminalId) -> &[Copies] {
        self.behind.row(self.behind.number(terminal.index()))
    }
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
    use std::collections::BTreeMap;

    use fim_lexer::Lexer;

    use super::super::description::GrammarDescription;
    use super::super::states::EdgeLabel;
    use super::*;

    /// `call{X}` may wait, `call{Y}` may not, and a `block{X}` has calls of both.
    pub(super) fn rules() -> Rules {
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
        let mut leaving: BTreeMap<(FamilyState, usize), Vec<(EdgeLabel, BodyState)>> =
            BTreeMap::new();
        for (to, copy) in states().flat_map(|to| copies(to).map(move |copy| (to, copy))) {
            let mut note = |from, symbol| {
                leaving.entry((from, copy)).or_default().push((symbol, body_state(to, copy)));
            };
            for terminal in (0..rules.n_terminals() as u16).map(TerminalId) {
                for edge in families.before_terminal(to, terminal) {
                    if edge.copies & 1 << copy != 0 {
                        note(edge.from, EdgeLabel::Terminal(terminal));
                    }
                }
            }
            for (child, &(family, of_child)) in families.family_of.iter().enumerate() {
                for &edge in families.before_family(to, family) {
                    if families.around(edge, 1 << of_child) & 1 << copy != 0 {
                        note(edge.from, EdgeLabel::Nonterminal(Nonterminal(child as u16)));
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
}
