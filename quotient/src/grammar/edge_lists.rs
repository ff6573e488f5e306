//! For each pair of a state and a symbol a short list, in one table.

/// Lists by states and symbols.
#[derive(Debug)]
pub(super) struct EdgeLists<T> {
    n_symbols: usize,
    first: Vec<u32>,
    items: Vec<T>,
    /// For each state the symbols that have a list, as bits of their numbers' remainders: mostly there is none, and
    /// this table is so small that it stays at hand.
    listed: Vec<u64>,
}

impl<T> EdgeLists<T> {
    /// The lists of these entries: a state, a symbol, and what stands in their list.
    pub(super) fn new(
        n_states: usize,
        n_symbols: usize,
        mut edges: Vec<(usize, usize, T)>,
    ) -> Self {
        edges.sort_by_key(|&(state, symbol, _)| (state, symbol));
        let mut first = vec![0_u32; n_states * n_symbols + 1];
        let mut listed = vec![0_u64; n_states];
        for &(state, symbol, _) in &edges {
            listed[state] |= 1 << (symbol % 64);
            first[state * n_symbols + symbol + 1] += 1;
        }
        for index in 1..first.len() {
            first[index] += first[index - 1];
        }
        let items = edges.into_iter().map(|(_, _, item)| item).collect();
        Self { n_symbols, first, items, listed }
    }

    #[inline]
    pub(super) fn get(&self, state: usize, symbol: usize) -> &[T] {
        if self.listed[state] & 1 << (symbol % 64) == 0 {
            return &[];
        }
        let index = state * self.n_symbols + symbol;
        &self.items[self.first[index] as usize..self.first[index + 1] as usize]
    }
}

impl<T> Default for EdgeLists<T> {
    fn default() -> Self {
        Self { n_symbols: 0, first: Vec::new(), items: Vec::new(), listed: Vec::new() }
    }
}
