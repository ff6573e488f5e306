//! Tables of which most rows are equal: those that are have one in common.

use rustc_hash::FxHashMap;

use super::Copies;

/// For each of some things and each state, copies.
#[derive(Debug, Default)]
pub(super) struct CommonRows {
    n_states: usize,
    /// The rows that differ, one behind the other.
    rows: Vec<Copies>,
    /// Which of them each thing has.
    numbers: Vec<u16>,
}

impl CommonRows {
    /// The table of all things' rows.
    pub(super) fn new(n_states: usize, all: impl IntoIterator<Item = Vec<Copies>>) -> Self {
        let (mut rows, mut known) = (Vec::new(), FxHashMap::default());
        let numbers = all.into_iter().map(|row| {
            let fresh = known.len() as u16;
            *known.entry(row).or_insert_with_key(|row| {
                rows.extend(row);
                fresh
            })
        });
        let numbers = numbers.collect();
        Self { n_states, rows, numbers }
    }

    /// The number of a thing's row.
    #[inline]
    pub(super) fn number(&self, thing: usize) -> u16 {
        self.numbers[thing]
    }

    /// The row with a number.
    #[inline]
    pub(super) fn row(&self, number: u16) -> &[Copies] {
        &self.rows[usize::from(number) * self.n_states..][..self.n_states]
    }
}
