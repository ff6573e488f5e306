//! Which rules end with a symbol, found at once where none of them may end at a chart.

use super::{Copies, Families, Family, FamilyState};

/// An edge to a state in which some copies may end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LastEdge<E> {
    /// The rule that ends.
    pub(crate) family: Family,
    /// The edge.
    pub(crate) edge: E,
    /// The copies that may end behind it.
    pub(crate) finals: Copies,
    /// The state behind it.
    pub(crate) to: FamilyState,
}

/// For each symbol the last edges that it labels.
#[derive(Debug)]
pub(super) struct LastEdges<E> {
    edges: Vec<Vec<LastEdge<E>>>,
    /// For each symbol the nonterminals that it may end, as a set.
    ended: Vec<u64>,
    n_words: usize,
}

impl<E> LastEdges<E> {
    pub(super) fn new(edges: Vec<Vec<LastEdge<E>>>, families: &Families) -> Self {
        let n_words = families.n_words;
        let mut ended = vec![0; edges.len() * n_words];
        for (symbol, edges) in edges.iter().enumerate() {
            for last in edges {
                let (word, shift) = families.places[last.family.index()];
                ended[symbol * n_words + word] |= u64::from(last.finals) << shift;
            }
        }
        Self { edges, ended, n_words }
    }

    /// The edges of a symbol, or none if no rule that it ends is in `set`.
    #[inline]
    pub(super) fn ending_one_of(&self, symbol: usize, set: &[u64]) -> &[LastEdge<E>] {
        let ended = &self.ended[symbol * self.n_words..][..self.n_words];
        let is_any = ended.iter().zip(set).any(|(&ended, &known)| ended & known != 0);
        if is_any { &self.edges[symbol] } else { &[] }
    }
}

impl<E> Default for LastEdges<E> {
    fn default() -> Self {
        Self { edges: Vec::new(), ended: Vec::new(), n_words: 0 }
    }
}
