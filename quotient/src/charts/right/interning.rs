//! Interning: a chart's items are sorted, hashed and looked up, so that equal charts get one number.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use super::kernel::{Item, MarksIdx};
use super::{RightChart, RightCharts, RightHead};
use crate::charts::prediction::PredictionIdx;
use crate::grammar::{Families, Rules};

impl RightCharts {
    /// The number of the chart with the items in the kernel; `None` without any.
    pub(super) fn intern_kernel(&mut self, rules: &Rules) -> Option<RightChart> {
        if self.kernel.items.is_empty() {
            return None;
        }
        self.sort_kernel();
        if !rules.families().read_lines() {
            self.drop_covered();
        }
        Some(self.intern(rules))
    }

    /// Sorts the items in the kernel into `sorted`. In most languages no item has marks, and an item is a number, by
    /// which it is sorted in half of the time.
    fn sort_kernel(&mut self) {
        self.sorted.clear();
        if self.kernel.items.iter().any(|item| item.marks != MarksIdx::ALL) {
            self.sorted.extend_from_slice(&self.kernel.items);
            self.sorted.sort_unstable_by_key(Item::key);
            return;
        }
        self.keys.clear();
        self.keys.extend(self.kernel.items.iter().map(Item::key_with_all_marks));
        self.keys.sort_unstable();
        self.sorted.extend(self.keys.iter().copied().map(Item::with_all_marks));
    }

    /// The number of the chart with the items in `sorted`.
    pub(super) fn intern(&mut self, rules: &Rules) -> RightChart {
        let families = rules.families();
        let key = (hash(&self.sorted), last_end(&self.sorted));
        let (heads, items) = (&self.heads, &self.items);
        let is_same = |known: u32| {
            let head = &heads[known as usize];
            items[head.first_item as usize..][..head.n_items as usize] == *self.sorted
        };
        if let Some(known) = self.index.find(key, is_same) {
            return RightChart(known);
        }
        let prediction = self.prediction(families);
        let fresh = RightChart(self.heads.len() as u32);
        self.heads.push(RightHead {
            first_item: self.items.len() as u32,
            n_items: self.sorted.len() as u32,
            prediction,
            last_part: u32::MAX,
        });
        self.items.extend_from_slice(&self.sorted);
        self.index.insert(key, fresh.0);
        self.waiting.push(None);
        fresh
    }

    /// The nonterminals that may end in front of the items in `sorted`.
    fn prediction(&mut self, families: &Families) -> PredictionIdx {
        self.shape.clear();
        for item in &self.sorted {
            let copies = item.copies & families.waiting(item.state);
            if copies != 0 {
                self.shape.push(Item { copies, ..*item }.place());
            }
        }
        if let Some(&known) = self.shapes.get(self.shape.as_slice()) {
            return known;
        }
        let sets =
            self.sorted.iter().flat_map(|item| families.predicted_sets(item.state, item.copies));
        let found = self.predictions.union(sets);
        self.shapes.insert(self.shape.as_slice().into(), found);
        found
    }
}

fn hash(items: &[Item]) -> u64 {
    let mut hasher = FxHasher::default();
    for item in items {
        let key = item.key();
        hasher.write_u64((key >> 64) as u64);
        hasher.write_u64(key as u64);
    }
    hasher.finish()
}

/// The newest chart where one of these items' rules ends, apart from the items' own.
fn last_end(items: &[Item]) -> u32 {
    let ends = items.iter().map(|item| item.end).filter(|&end| end != RightChart::SELF);
    ends.max().map_or(0, |end| end.0)
}
