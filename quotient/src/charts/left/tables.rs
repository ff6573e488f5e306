//! The table of steps between forward charts, in many shards.

use fim_lexer::TerminalId;
use rustc_hash::FxHashMap;

use super::LeftChart;

/// The steps that have been taken. Masks take many; a single table would be moved as a whole each time that it
/// outgrows its place, and a single mask would wait for that.
#[derive(Debug)]
pub(super) struct Steps {
    shards: [FxHashMap<(LeftChart, TerminalId), Option<LeftChart>>; Self::N_SHARDS],
}

impl Steps {
    const N_SHARDS: usize = 64;

    #[inline]
    pub(super) fn get(&self, key: (LeftChart, TerminalId)) -> Option<Option<LeftChart>> {
        self.shards[key.0.index() % Self::N_SHARDS].get(&key).copied()
    }

    pub(super) fn insert(&mut self, key: (LeftChart, TerminalId), found: Option<LeftChart>) {
        self.shards[key.0.index() % Self::N_SHARDS].insert(key, found);
    }

    pub(super) fn capacity(&self) -> usize {
        self.shards.iter().map(FxHashMap::capacity).sum()
    }
}

impl Default for Steps {
    fn default() -> Self {
        Self { shards: std::array::from_fn(|_| FxHashMap::default()) }
    }
}
