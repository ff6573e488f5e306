//! The index of charts by their items, in many shards: forward and backward charts have one each.

use hashbrown::HashTable;

/// The numbers of charts by the hashes of their items, in shards: moved as a whole, half a million charts took 20 to
/// 30 ms. The bits of a hash that a shard needs stand beside its chart: to hash all items again whenever a shard grows
/// took a fifth of the time of long chains.
///
/// Charts that are near each other in the text have items of rules that begin or end near each other, and are asked for
/// together. So each page of such places has shards of its own: in shards by the hash alone, each chart of a long chain was far
/// from the one before it.
#[derive(Debug, Default)]
pub(super) struct ChartIndex {
    shards: Vec<HashTable<(u32, u32)>>,
}

impl ChartIndex {
    /// The number of a page's shards.
    const N_SHARDS: usize = 8;
    /// The number of charts in a page.
    const PAGE: usize = 1 << 10;
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

    /// The shard of a hash near a chart.
    #[inline]
    fn shard((hash, near): (u64, u32)) -> usize {
        near as usize / Self::PAGE * Self::N_SHARDS + (hash >> 40) as usize % Self::N_SHARDS
    }

    /// The chart that `is_wanted` with this hash, and the newest chart where one of its rules begins or ends.
    #[inline]
    pub(super) fn find(&self, key: (u64, u32), is_wanted: impl Fn(u32) -> bool) -> Option<u32> {
        let bits = Self::bits(key.0);
        let is_wanted = |&(of_chart, chart): &(u32, u32)| of_chart == bits && is_wanted(chart);
        let found = self.shards.get(Self::shard(key))?.find(Self::with_bits(bits), is_wanted);
        found.map(|&(_, chart)| chart)
    }

    pub(super) fn insert(&mut self, key: (u64, u32), chart: u32) {
        let bits = Self::bits(key.0);
        let of_kept = |&(bits, _): &(u32, u32)| Self::with_bits(bits);
        let shard = Self::shard(key);
        if self.shards.len() <= shard {
            self.shards.resize_with(shard + 1, HashTable::new);
        }
        self.shards[shard].insert_unique(Self::with_bits(bits), (bits, chart), of_kept);
    }

    pub(super) fn capacity(&self) -> usize {
        self.shards.iter().map(HashTable::capacity).sum()
    }
}
