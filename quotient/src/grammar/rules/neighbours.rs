//! Which terminals may stand side by side.
//!
//! A right context is read in many ways at once, most of which no rule allows. Many show that in two
//! symbols: no line break stands between lines that are read as one expression. So a way is given up where
//! it goes wrong, and not at the end of the text.

use fim_lexer::TerminalId;

use super::Rules;
use crate::grammar::states::{BodyState, EdgeLabel, Nonterminal};

/// For each terminal those that may follow it, as bits.
#[derive(Debug, Default)]
pub(super) struct Neighbours {
    n_words: usize,
    following: Vec<u64>,
    /// For each body state the terminals that may stand in front of it.
    in_front: Vec<Vec<u64>>,
    /// For each body state those that may stand behind it, as one list.
    behind: Vec<u64>,
    /// For each rule those that may stand in front of it.
    in_front_of_rule: Vec<Vec<u64>>,
}

impl Neighbours {
    pub(super) fn new(rules: &Rules) -> Self {
        let n_words = rules.n_terminals.div_ceil(64);
        let (first, last) = (ends(rules, n_words, true), ends(rules, n_words, false));
        let mut in_front = vec![vec![0_u64; n_words]; rules.owner.len()];
        let mut behind = in_front.clone();
        for state in rules.states() {
            for &(symbol, to) in rules.edges(state) {
                add(symbol, &first, &mut behind[state.index()]);
                add(symbol, &last, &mut in_front[to.index()]);
            }
        }
        let mut following = vec![0; rules.n_terminals * n_words];
        for (in_front, behind) in in_front.iter().zip(&behind) {
            for terminal in (0..rules.n_terminals).filter(|&index| contains(in_front, index)) {
                let known = &mut following[terminal * n_words..][..n_words];
                join(known, behind);
            }
        }
        let in_front_of_rule = in_front_of_rules(rules, n_words, &in_front);
        Self { n_words, following, in_front, behind: behind.concat(), in_front_of_rule }
    }

    pub(super) fn following(&self) -> &[u64] {
        &self.following
    }

    pub(super) fn in_front(&self, state: BodyState) -> &[u64] {
        &self.in_front[state.index()]
    }

    /// Whether a terminal may stand in front of a state, or of the rule that begins in it.
    pub(super) fn may_stand_in_front(
        &self,
        rules: &Rules,
        terminal: TerminalId,
        state: BodyState,
    ) -> bool {
        let owner = rules.owner(state);
        contains(&self.in_front[state.index()], terminal.index())
            || state == rules.start(owner)
                && contains(&self.in_front_of_rule[owner.index()], terminal.index())
    }

    #[inline]
    pub(super) fn behind(&self, state: BodyState) -> &[u64] {
        &self.behind[state.index() * self.n_words..][..self.n_words]
    }

    pub(super) fn contains(&self, first: TerminalId, second: TerminalId) -> bool {
        let n_terminals = self.following.len() / self.n_words.max(1);
        first.index() < n_terminals
            && second.index() < n_terminals
            && contains(&self.following[first.index() * self.n_words..], second.index())
    }
}

/// For each rule the terminals that may stand in front of it, where others have it.
fn in_front_of_rules(rules: &Rules, n_words: usize, in_front: &[Vec<u64>]) -> Vec<Vec<u64>> {
    let mut found = vec![vec![0_u64; n_words]; rules.n_nonterminals()];
    loop {
        let before = found.clone();
        for state in rules.states() {
            let owner = rules.owner(state);
            let is_start = state == rules.start(owner);
            for &(symbol, _) in rules.edges(state) {
                let EdgeLabel::Nonterminal(child) = symbol else { continue };
                join(&mut found[child.index()], &in_front[state.index()]);
                if is_start && child != owner {
                    join(&mut found[child.index()], &before[owner.index()]);
                }
            }
        }
        if found == before {
            return found;
        }
    }
}

/// For each rule the terminals that it may begin (or end) with.
fn ends(rules: &Rules, n_words: usize, is_first: bool) -> Vec<Vec<u64>> {
    let mut found = vec![vec![0_u64; n_words]; rules.n_nonterminals()];
    loop {
        let before = found.clone();
        for state in rules.states() {
            let owner = rules.owner(state);
            for &(symbol, to) in rules.edges(state) {
                let is_end = match is_first {
                    true => state == rules.start(owner),
                    false => rules.is_final(to),
                };
                if is_end {
                    let mut known = std::mem::take(&mut found[owner.index()]);
                    match symbol {
                        EdgeLabel::Nonterminal(child) if child == owner => {}
                        _ => add(symbol, &found, &mut known),
                    }
                    found[owner.index()] = known;
                }
            }
        }
        if found == before {
            return found;
        }
    }
}

fn add(symbol: EdgeLabel, ends: &[Vec<u64>], set: &mut [u64]) {
    match symbol {
        EdgeLabel::Terminal(terminal) => set[terminal.index() / 64] |= 1 << (terminal.index() % 64),
        EdgeLabel::Nonterminal(Nonterminal(child)) => join(set, &ends[usize::from(child)]),
    }
}

fn join(set: &mut [u64], more: &[u64]) {
    set.iter_mut().zip(more).for_each(|(known, word)| *known |= word);
}

fn contains(set: &[u64], index: usize) -> bool {
    set[index / 64] & (1 << (index % 64)) != 0
}
