//! For each pair of a state and a symbol a short list, in one table.

/// Lists by states and symbols. Most pairs have none, and a state has few that do: kept are these alone, so that the table is
/// small and stays at hand.
#[derive(Debug)]
pub(super) struct EdgeLists<T> {
    /// One more ends the last.
    states: Vec<Listed>,
    /// The lists of one state behind those of the other, by the remainders of their symbols' numbers; one more ends the last.
    lists: Vec<List>,
    items: Vec<T>,
}

/// The lists of a state.
#[derive(Clone, Copy, Debug, Default)]
struct Listed {
    /// The symbols that have a list, as bits of their numbers' remainders.
    symbols: u64,
    /// The first list.
    first: u32,
}

/// The list of a symbol: up to where the next list begins.
#[derive(Clone, Copy, Debug)]
struct List {
    first: u32,
    symbol: u16,
}

impl<T> EdgeLists<T> {
    /// The lists of these entries: a state, a symbol, and the items of their list.
    pub(super) fn new(n_states: usize, mut edges: Vec<(usize, usize, T)>) -> Self {
        edges.sort_by_key(|&(state, symbol, _)| (state, remainder(symbol), symbol));
        let mut states = vec![Listed::default(); n_states + 1];
        let mut lists = Vec::new();
        let mut known = None;
        for (index, &(state, symbol, _)) in edges.iter().enumerate() {
            states[state].symbols |= 1 << remainder(symbol);
            if known.replace((state, symbol)) != Some((state, symbol)) {
                lists.push(List { first: index as u32, symbol: symbol as u16 });
                states[state + 1].first = lists.len() as u32;
            }
        }
        for state in 1..=n_states {
            states[state].first = states[state].first.max(states[state - 1].first);
        }
        lists.push(List { first: edges.len() as u32, symbol: u16::MAX });
        let items = edges.into_iter().map(|(_, _, item)| item).collect();
        Self { states, lists, items }
    }

    /// The lists of a state, with their symbols.
    pub(super) fn of_state(&self, state: usize) -> impl Iterator<Item = (usize, &[T])> {
        let (first, behind) = (self.states[state].first, self.states[state + 1].first);
        (first as usize..behind as usize).map(|index| {
            let (list, next) = (&self.lists[index], &self.lists[index + 1]);
            (usize::from(list.symbol), &self.items[list.first as usize..next.first as usize])
        })
    }

    #[inline]
    pub(super) fn get(&self, state: usize, symbol: usize) -> &[T] {
        let Listed { symbols, first } = self.states[state];
        let bit = 1 << remainder(symbol);
        if symbols & bit == 0 {
            return &[];
        }
        // The lists in front are at least as many as the smaller remainders.
        let n_in_front = (symbols & (bit - 1)).count_ones();
        for index in first + n_in_front..self.states[state + 1].first {
            let index = index as usize;
            if usize::from(self.lists[index].symbol) == symbol {
                return &self.items
                    [self.lists[index].first as usize..self.lists[index + 1].first as usize];
            }
        }
        &[]
    }
}

#[inline]
fn remainder(symbol: usize) -> u32 {
    symbol as u32 % u64::BITS
}

impl<T> Default for EdgeLists<T> {
    fn default() -> Self {
        Self { states: Vec::new(), lists: Vec::new(), items: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_with_one_remainder_have_lists_of_their_own() {
        // 1, 65 and 129 share a bit; the lists of 2 and of the next state lie behind theirs.
        let edges =
            vec![(1, 65, 'c'), (0, 129, 'e'), (0, 65, 'a'), (1, 2, 'd'), (0, 65, 'b'), (0, 2, 'f')];
        let lists = EdgeLists::new(3, edges);
        let found = |state, symbol| lists.get(state, symbol).iter().collect::<String>();
        assert_eq!([found(0, 65), found(0, 129), found(0, 2)], ["ab", "e", "f"]);
        assert_eq!([found(1, 65), found(1, 2)], ["c", "d"]);
        for (state, symbol) in [(0, 1), (0, 193), (0, 66), (1, 1), (1, 129), (1, 66), (2, 2)] {
            assert_eq!(found(state, symbol), "", "{state} {symbol}");
        }
    }

    #[test]
    fn a_state_has_no_lists_of_the_next_one() {
        // 1 and 65 share a bit.
        let lists = EdgeLists::new(4, vec![(0, 65, 'a'), (2, 1, 'b'), (3, 65, 'c')]);
        let found = |state, symbol| lists.get(state, symbol).iter().collect::<String>();
        assert_eq!([found(0, 65), found(2, 1), found(3, 65)], ["a", "b", "c"]);
        assert_eq!([found(0, 1), found(1, 1), found(2, 65), found(3, 1)], [""; 4]);
    }
}
