//! The index of charts by their items, in many shards: forward and backward charts have one each.

use hashbrown::HashTable;

/// The numbers of charts by the hashes of their items, in shards: moved as a whole, half a million charts took 20 to
/// 30 ms. The bits of a hash that a shard needs stand beside its chart: to hash all items again whenever a shard grows
/// took a fifth of the time of long chains.
#[derive(Debug)]
pub(super) struct ChartIndex {
    shards: [HashTable<(u32, u32)>; Self::N_SHARDS],
}

impl ChartIndex {
    const N_SHARDS: usize = 64;
    /// The bits of a hash that choose a place within a shard; a shard has fewer places than they tell apart.
    const N_LOW: u32 = 25;
    /// The highest bits, by which entries at a place are compared at once.
    const N_HIGH: u32 = 32 - Self::N_LOW;

    /// The bits of a hash by which a chart is found in its shard.
    #[inline]
    fn bits(hash: u64) -> u32 {
        let high = (hash >> (64 - Self::N_HIGH)) as u32;
        high << Self::N_LOW | hash as u32 & ((1 << Self::N_LOW) - 1)
    }

    /// A hash with these bits, and no others.
    #[inline]
    fn with_bits(bits: u32) -> u64 {
        let high = u64::from(bits >> Self::N_LOW) << (64 - Self::N_HIGH);
        high | u64::from(bits & ((1 << Self::N_LOW) - 1))
    }

    /// The shard of a hash.
    #[inline]
    fn shard(hash: u64) -> usize {
        (hash >> 40) as usize % Self::N_SHARDS
    }

    /// The chart with this hash that `is_wanted`.
    #[inline]
    pub(super) fn find(&self, hash: u64, is_wanted: impl Fn(u32) -> bool) -> Option<u32> {
        let bits = Self::bits(hash);
        let is_wanted = |&(of_chart, chart): &(u32, u32)| of_chart == bits && is_wanted(chart);
        let found = self.shards[Self::shard(hash)].find(Self::with_bits(bits), is_wanted);
        found.map(|&(_, chart)| chart)
    }

    pub(super) fn insert(&mut self, hash: u64, chart: u32) {
        let bits = Self::bits(hash);
        let of_kept = |&(bits, _): &(u32, u32)| Self::with_bits(bits);
        let shard = &mut self.shards[Self::shard(hash)];
        shard.insert_unique(Self::with_bits(bits), (bits, chart), of_kept);
    }

    pub(super) fn capacity(&self) -> usize {
        self.shards.iter().map(HashTable::capacity).sum()
    }
}

impl Default for ChartIndex {
    fn default() -> Self {
        Self { shards: std::array::from_fn(|_| HashTable::new()) }
    }
}
