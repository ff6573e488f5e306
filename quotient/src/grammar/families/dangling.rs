//! Ends of rules that need not be looked for: those that leave to the rule around what the rule could have read itself.
//!
//! ```text
//! if (a) b; else if (c) d; else e;        the last `else` is that of `if (c)`, or of `if (a)`
//!                      ^ may a statement end here, that begins with `if (c)`?
//! ```
//!
//! Grammars say `"if" "(" expression ")" statement ["else" statement]`, which reads such a text in several ways. Only
//! whether there is one matters here. But from the right, each `else` of a chain is a place where each statement in front
//! of it may have ended, and charts grow with the chain. So one of the ways is chosen, that of all languages: what
//! dangles belongs to the nearest.
//!
//! Why that loses nothing. An inner rule ends in a state q from which it could go on, and the rule around, of the same
//! template, goes on from q behind it, since the inner one is the last part of what stands in front of q:
//!
//! ```text
//! outer:  if (a) [ ... [ inner: if (c) d; ] ] q else e;      what is read from q on: `else e;`
//! outer:  if (a) [ ... [ inner: if (c) d; q else e; ] ]      the same text: the inner rule reads it, all others end with it
//! ```
//!
//! The second reading is one if the outer rule may end in q, and if all that the outer rule's copy reads from q on the
//! inner one's reads, too. Both are known of the grammar. Each step like this brings a part of the text to a nearer rule,
//! so a reading in which nothing dangles is left of each text that has any.

use rustc_hash::FxHashSet;

use super::{Copies, Families, FamilyState, bits};
use crate::grammar::rules::Rules;
use crate::grammar::states::{BodyState, EdgeLabel};

/// For each copy of the outer rule the copies of the inner one that read from the state on whatever it reads.
pub(super) type Dangling = Box<[Copies]>;

impl Families {
    /// Finds the states from which rules go on that may also be the last part of themselves.
    pub(super) fn find_dangling(&mut self, rules: &Rules) {
        self.dangling = (0..self.n_states())
            .map(|index| self.dangling_at(rules, FamilyState(index as u16)))
            .collect();
    }

    fn dangling_at(&self, rules: &Rules, state: FamilyState) -> Option<Dangling> {
        let (family, first) = (self.owner(state), self.first_state[state.index()] as usize);
        let members = &self.members[family.index()];
        let state_of = |copy: usize| self.states[first + copy];
        let goes_on = |state: BodyState| state != BodyState::NONE && rules.has_edges(state);
        let gains = |outer: usize| {
            if !goes_on(state_of(outer)) || !rules.is_final(state_of(outer)) {
                return 0;
            }
            let set = self.predicted_sets(state, 1 << outer).next().unwrap_or_default();
            let inner = bits(self.members_in(set, family)).filter(|&inner| {
                goes_on(state_of(inner)) && reads_all(rules, state_of(outer), state_of(inner))
            });
            inner.fold(0, |all, inner| all | 1 << inner)
        };
        let gains: Dangling = (0..members.len()).map(gains).collect();
        gains.iter().any(|&gains| gains != 0).then_some(gains)
    }

    /// Notes the same for reading from the left, where the copies of rules are told apart.
    pub(super) fn find_left_open(&mut self, rules: &Rules) {
        let mut is_open = vec![false; rules.n_states()];
        let mut leaving = FxHashSet::default();
        for (index, gains) in self.dangling.iter().enumerate() {
            let first = self.first_state[index] as usize;
            let gains = gains.iter().flat_map(|gains| gains.iter().enumerate());
            for (outer, inner) in gains.flat_map(|(outer, &gains)| {
                bits(gains).map(move |inner| (outer, inner)).collect::<Vec<_>>()
            }) {
                let inner = self.states[first + inner];
                is_open[inner.index()] = true;
                leaving.insert((self.states[first + outer], inner));
            }
        }
        self.left_open = is_open.into();
        self.leaving = leaving;
    }

    /// The last state from which a rule could have gone on with what dangles, where a rule ends in `state` and with it ends
    /// what could have gone on from `open`.
    #[inline]
    pub(crate) fn left_open(&self, state: BodyState, open: BodyState) -> BodyState {
        if self.left_open.get(state.index()) == Some(&true) { state } else { open }
    }

    /// Whether what goes on from `outer`, behind a rule that could have gone on from `open`, need not be looked for.
    #[inline]
    pub(crate) fn leaves_to(&self, outer: BodyState, open: BodyState) -> bool {
        open != BodyState::NONE && self.leaving.contains(&(outer, open))
    }

    /// Whether the language is read line by line, so that nothing is known of what dangles.
    #[inline]
    pub(crate) fn read_lines(&self) -> bool {
        self.dangling.is_empty()
    }

    /// Whether rules that end in this state may leave something to the rule around them that they could read.
    #[inline]
    pub(crate) fn dangles(&self, state: FamilyState) -> bool {
        self.dangling.get(state.index()).is_some_and(Option::is_some)
    }

    /// Of these copies of a rule that ends in `state` in front of items with these states and copies, those that need not
    /// be looked for.
    pub(crate) fn outdone(
        &self,
        state: FamilyState,
        copies: Copies,
        items: impl Iterator<Item = (FamilyState, Copies)>,
    ) -> Copies {
        let Some(Some(gains)) = self.dangling.get(state.index()) else { return 0 };
        let family = self.owner(state);
        let mut outdone = gains.iter().fold(0, |all, &gains| all | gains) & copies;
        for (around, copies) in items {
            for (copy, set) in bits(copies).zip(self.predicted_sets(around, copies)) {
                let gained = if around == state { gains[copy] } else { 0 };
                outdone &= !self.members_in(set, family) | gained;
            }
            if outdone == 0 {
                break;
            }
        }
        outdone
    }
}

/// Whether all that may be read from one state to its rule's end may be read from another one to the end of its.
/// Where it does not say so, it may still be.
fn reads_all(rules: &Rules, less: BodyState, more: BodyState) -> bool {
    let mut assumed = FxHashSet::default();
    simulates(rules, less, more, &mut assumed)
}

/// Whether `more` reads all of `less` if assumed pairs do: the more that is assumed, the more a pair may rest on itself, as
/// long as no pair turns out to be none. Then all is off.
fn simulates(
    rules: &Rules,
    less: BodyState,
    more: BodyState,
    assumed: &mut FxHashSet<(BodyState, BodyState)>,
) -> bool {
    if less == more || !assumed.insert((less, more)) {
        return true;
    }
    if rules.is_final(less) && !rules.is_final(more) {
        return false;
    }
    rules.edges(less).iter().all(|&(symbol, to)| match symbol {
        EdgeLabel::Terminal(terminal) => rules
            .terminal_step(more, terminal)
            .is_some_and(|behind| simulates(rules, to, behind, assumed)),
        EdgeLabel::Nonterminal(child) => {
            if let Some(behind) = rules.nonterminal_step(more, child) {
                return simulates(rules, to, behind, assumed);
            }
            let template = |name: &str| name.split('{').next().map(str::to_owned);
            let mut copies = rules
                .children(more)
                .filter(|&(other, _)| template(rules.name(other)) == template(rules.name(child)));
            // Of several copies one would have to be tried after the other.
            let (Some((other, behind)), None) = (copies.next(), copies.next()) else {
                return false;
            };
            simulates(rules, rules.start(child), rules.start(other), assumed)
                && simulates(rules, to, behind, assumed)
        }
    })
}
