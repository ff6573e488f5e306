//! A map in pages of charts: what is known of charts that are near each other in the text is found together.
//!
//! In one table, each new chart of a long text was far from the one before it, and whenever the table grew, all of it was moved:
//! a single mask, which takes many steps, would wait for that.

use std::hash::Hash;

use rustc_hash::FxHashMap;

/// The number of charts in a page.
const PAGE: usize = 1 << 9;

/// Values by keys that are each about a chart.
#[derive(Debug)]
pub(crate) struct PagedMap<K, V> {
    pages: Vec<FxHashMap<K, V>>,
}

impl<K: Eq + Hash, V: Copy> PagedMap<K, V> {
    #[inline]
    pub(crate) fn get(&self, chart: u32, key: &K) -> Option<V> {
        self.pages.get(chart as usize / PAGE)?.get(key).copied()
    }

    #[inline]
    pub(crate) fn insert(&mut self, chart: u32, key: K, value: V) {
        let page = chart as usize / PAGE;
        if self.pages.len() <= page {
            self.pages.resize_with(page + 1, FxHashMap::default);
        }
        self.pages[page].insert(key, value);
    }

    pub(crate) fn capacity(&self) -> usize {
        self.pages.iter().map(FxHashMap::capacity).sum()
    }
}

impl<K, V> Default for PagedMap<K, V> {
    fn default() -> Self {
        Self { pages: Vec::new() }
    }
}
