//! Items that need not be kept, since others of the same chart lead wherever they lead.
//!
//! ```text
//! x = a ? (b) : c => a ? (b) : c => a        TypeScript: is `c` what the condition comes to otherwise, or the type of `(b)`?
//!       ^ p1           ^ p2                  in the second case a `:` is still to come: of p1's condition, or of p2's
//! ```
//!
//! Of such a chain a chart would have an item for each condition in front of it. But where p2's ends, so does the
//! function around it, and with it p1's, or it goes on with its `:`. So of two items in one state, one is dropped if
//! every text that may follow its rule may follow the other one's, too ([`covers`]): the items behind the two ends
//! are compared one by one. Every text that goes on from the one may then go on from the other, so that no text is
//! lost, and no shorter one.
//!
//! The items behind an end may depend on dangling parts ([`completions`](super::completions)). So an item that would
//! be left to a nearer rule covers only items that would be left, too, and the answer holds whatever the rule ended
//! with. Languages that are read by lines are left alone.
//!
//! Ordinary code has few items in one state, so only states with many are looked at. Answers are kept by pairs of ends. 5,000
//! links behind which the hole is took 3.5 s, and take 54 ms; 25 files each of TypeScript and JavaScript cost 1.01 and 0.98 of
//! what they did.
//!
//! [`covers`]: LeftCharts::covers

use super::completions::{End, ItemBehind};
use super::{LeftChart, LeftCharts, LeftItem};
use crate::grammar::{BodyState, Nonterminal, Rules};

/// The most items in one state that are few: were it 2, ordinary files of TypeScript would cost a tenth more.
const FEW: usize = 4;

/// The number of items, of those kept last, that the next one is compared with.
const NEAR: usize = 4;

/// The greatest distance of ends that are compared, in ends in front of one another.
const MAX_DEPTH: usize = 32;

/// The ends of the rules of sorted items of which many are in one state.
pub(super) fn ends_to_compare(rules: &Rules, items: &[ItemBehind]) -> Vec<End> {
    if !has_many(rules, items) {
        return Vec::new();
    }
    let many = items.chunk_by(in_one_state).filter(|alike| alike.len() > FEW);
    many.flatten()
        .map(|behind| (rules.owner(behind.state), behind.origin, BodyState::NONE))
        .collect()
}

fn in_one_state(one: &ItemBehind, other: &ItemBehind) -> bool {
    one.state == other.state
}

/// Whether many of some sorted items are in one state, in a language that is not read by lines.
fn has_many(rules: &Rules, items: &[ItemBehind]) -> bool {
    !rules.families().read_lines()
        && items.windows(FEW + 1).any(|items| in_one_state(&items[0], &items[FEW]))
}

impl LeftCharts {
    /// Drops items from the kernel, which is sorted, where many are in one state.
    pub(super) fn drop_covered_in_kernel(&mut self, rules: &Rules) {
        let is_long = |items: &[LeftItem]| items[0].state == items[FEW].state;
        if rules.families().read_lines() || !self.kernel.windows(FEW + 1).any(is_long) {
            return;
        }
        let mut items: Vec<ItemBehind> = self
            .kernel
            .iter()
            .map(|&item| ItemBehind { state: item.state, origin: item.origin, may_leave: false })
            .collect();
        for end in ends_to_compare(rules, &items) {
            self.know(rules, end);
        }
        self.drop_covered(rules, &mut items);
        self.kernel.clear();
        self.kernel.extend(items.into_iter().map(|behind| behind.item()));
    }

    /// Drops items, which are sorted, where many are in one state.
    pub(super) fn drop_covered(&mut self, rules: &Rules, items: &mut Vec<ItemBehind>) {
        if !has_many(rules, items) {
            return;
        }
        let mut kept = Vec::with_capacity(items.len());
        for alike in items.chunk_by(in_one_state) {
            if alike.len() > FEW {
                self.keep_of(rules, alike, &mut kept);
            } else {
                kept.extend_from_slice(alike);
            }
        }
        *items = kept;
    }

    /// Keeps those of some items in one state that the others do not cover.
    fn keep_of(&mut self, rules: &Rules, alike: &[ItemBehind], kept: &mut Vec<ItemBehind>) {
        let begin = kept.len();
        for &item in alike {
            let mut is_covered = false;
            let mut index = begin.max(kept.len().saturating_sub(NEAR));
            while index < kept.len() && !is_covered {
                let known = kept[index];
                is_covered = self.is_covered(rules, item, known, MAX_DEPTH);
                if !is_covered && self.is_covered(rules, known, item, MAX_DEPTH) {
                    kept.remove(index);
                } else {
                    index += 1;
                }
            }
            if !is_covered {
                kept.push(item);
            }
        }
    }

    /// Whether one item leads only to items that another one leads to as well.
    fn is_covered(
        &mut self,
        rules: &Rules,
        item: ItemBehind,
        by: ItemBehind,
        depth: usize,
    ) -> bool {
        item.state == by.state
            && (item.may_leave || !by.may_leave)
            && (item.origin == by.origin
                || self.covers(rules, rules.owner(item.state), [item.origin, by.origin], depth))
    }

    /// Whether all that may follow a rule which began at the first chart may follow it if it began at the second.
    fn covers(
        &mut self,
        rules: &Rules,
        rule: Nonterminal,
        [less, more]: [LeftChart; 2],
        depth: usize,
    ) -> bool {
        if let Some(known) = self.covered.get(less.0, &(rule, less, more)) {
            return known;
        }
        let range = |origin| self.completions.range((rule, origin, BodyState::NONE));
        let (Some(of_less), Some(of_more)) = (range(less), range(more)) else { return false };
        let found = depth > 0
            && self.heads[less.index()].innermost == self.heads[more.index()].innermost
            && of_less.into_iter().all(|index| {
                let item = self.completions.item(index);
                self.n_looked_at += 1;
                of_more.clone().any(|index| {
                    let by = self.completions.item(index);
                    self.is_covered(rules, item, by, depth - 1)
                })
            });
        self.covered.insert(less.0, (rule, less, more), found);
        found
    }
}
