//! What is known of forward charts, by their items and by the steps between them, in tables of many parts.

use fim_lexer::TerminalId;
use hashbrown::HashTable;
use rustc_hash::FxHashMap;

use super::LeftChart;

/// The numbers of charts by the hashes of their items, in shards for the same reason as [`Steps`]: moved
/// as a whole, half a million charts took 20 to 30 ms.
#[derive(Debug)]
pub(super) struct Index {
    shards: [HashTable<u32>; Self::N_SHARDS],
}

impl Index {
    const N_SHARDS: usize = 64;

    /// The shard of a hash. Its lowest and highest bits choose places within the shard.
    #[inline]
    pub(super) fn shard(&mut self, hash: u64) -> &mut HashTable<u32> {
        &mut self.shards[(hash >> 40) as usize % Self::N_SHARDS]
    }

    pub(super) fn capacity(&self) -> usize {
        self.shards.iter().map(HashTable::capacity).sum()
    }
}

impl Default for Index {
    fn default() -> Self {
        Self { shards: std::array::from_fn(|_| HashTable::new()) }
    }
}

/// The steps that have been taken. Masks take many; one table of them would be moved as a whole each
/// time that it outgrows its place, for which a single mask would wait.
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
