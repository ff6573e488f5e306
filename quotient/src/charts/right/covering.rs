//! Items that need not be kept, since others of the same chart lead wherever they lead.
//!
//! ```text
//! if (a) if (a) if (a) b; else c; else c; else c;       from the right, each `else` may end a statement that stands in front
//!                        ^ p3     ^ p2    ^ p1          of any of those behind it, or of the end
//! ```
//!
//! Of such a chain a chart would have an item for each of the places behind it, and charts would grow with the chain.
//! But the rules that wait at p1 all wait at p2, too, and those of p2 at p3, so that an item that ends at p1 adds
//! nothing to one that ends at p2. So of two items in one state, one is dropped if every item that waits where it
//! ends waits where the other one ends ([`covers`]): in the same state, with a rule that ends at the same chart, or
//! again at one that covers it. Every text in front of the one may then stand in front of the other, read by the same
//! rules, so that no text is lost, and no cheaper one.
//!
//! Ordinary code has few items in one state, so only states with many are looked at. Answers are kept by pairs of charts.
//!
//! [`covers`]: RightCharts::covers

use super::kernel::Item;
use super::{RightChart, RightCharts};
use crate::grammar::FamilyState;

/// The most items in one state that are few: with more, a chain of `(a): A =>` cost a third more, other code the
/// same.
const FEW: usize = 1;

/// The number of items, of those kept last, that the next one is compared with.
const NEAR: usize = 4;

/// The greatest distance of charts that are compared, in charts behind one another.
const MAX_DEPTH: usize = 32;

impl RightCharts {
    /// Drops items that are about to be a chart's, where many are in one state.
    pub(super) fn drop_covered(&mut self) {
        let is_long = |items: &[Item]| items.len() > FEW && items[0].state == items[FEW].state;
        if !self.sorted.windows(FEW + 1).any(is_long) {
            return;
        }
        let all = std::mem::take(&mut self.sorted);
        let mut kept = Vec::with_capacity(all.len());
        for alike in all.chunk_by(|one, other| one.state == other.state) {
            if alike.len() > FEW {
                self.keep_of(alike, &mut kept);
            } else {
                kept.extend_from_slice(alike);
            }
        }
        self.sorted = kept;
    }

    /// Keeps those of some items in one state that the others do not cover.
    fn keep_of(&mut self, alike: &[Item], kept: &mut Vec<Item>) {
        let begin = kept.len();
        let mut by_end = alike.to_vec();
        by_end.sort_unstable_by_key(|item| (item.end, item.place(), item.marks));
        for item in by_end {
            let near = begin.max(kept.len().saturating_sub(NEAR));
            let mut is_covered = false;
            let mut index = near;
            while index < kept.len() && !is_covered {
                let known = kept[index];
                is_covered = self.is_covered(&item, &known, MAX_DEPTH);
                if !is_covered && self.is_covered(&known, &item, MAX_DEPTH) {
                    kept.remove(index);
                } else {
                    index += 1;
                }
            }
            if !is_covered {
                kept.push(item);
            }
        }
        kept[begin..].sort_unstable_by_key(Item::key);
    }

    /// Whether one item of a state leads only to items that another one leads to as well.
    fn is_covered(&mut self, item: &Item, by: &Item, depth: usize) -> bool {
        item.state == by.state
            && item.copies & !by.copies == 0
            && item.marks == by.marks
            && (item.end == by.end || self.covers(item.end, by.end, depth))
    }

    /// Whether every item that waits at `less` waits at `more`, too.
    fn covers(&mut self, less: RightChart, more: RightChart, depth: usize) -> bool {
        if less == RightChart::SELF || more == RightChart::SELF || depth == 0 {
            return false;
        }
        if let Some(known) = self.covered.get(less.0, &(less, more)) {
            return known;
        }
        let found = (0..self.kept(less).len()).all(|index| {
            let item = self.kept(less)[index];
            let item = Item { end: item.end_in(less), ..item };
            self.of_state(more, item.state).any(|index| {
                let by = self.kept(more)[index];
                self.is_covered(&item, &Item { end: by.end_in(more), ..by }, depth - 1)
            })
        });
        self.covered.insert(less.0, (less, more), found);
        found
    }

    /// The range of a chart's items in a state.
    fn of_state(&self, chart: RightChart, state: FamilyState) -> std::ops::Range<usize> {
        let items = self.kept(chart);
        let first = items.partition_point(|item| item.state < state);
        let n_items = items[first..].iter().take_while(|item| item.state == state).count();
        first..first + n_items
    }
}
