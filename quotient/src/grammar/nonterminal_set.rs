//! Sets of nonterminals, a bit for each: those that may begin or end at a body state.

use super::states::Nonterminal;

/// A set of nonterminals, as bits.
pub(crate) type NonterminalSet = Box<[u64]>;

/// Adds a member to a set.
pub(crate) fn insert(set: &mut [u64], nonterminal: Nonterminal) {
    set[nonterminal.index() / 64] |= 1 << (nonterminal.index() % 64);
}

/// Whether a set has a member.
#[inline]
pub(crate) fn contains(set: &[u64], nonterminal: Nonterminal) -> bool {
    set[nonterminal.index() / 64] & (1 << (nonterminal.index() % 64)) != 0
}

/// The members of a set.
pub(crate) fn members(set: &[u64]) -> impl Iterator<Item = Nonterminal> + use<> {
    let words: Vec<u64> = set.to_vec();
    words.into_iter().enumerate().flat_map(|(index, word)| {
        (0..64)
            .filter(move |bit| word & (1 << bit) != 0)
            .map(move |bit| Nonterminal((index * 64 + bit) as u16))
    })
}
