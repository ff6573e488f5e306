//! Earley's completer, with jumps: where the end of one rule ends others, the way up is walked once.
//!
//! ```text
//! a => a => a        behind the last `a` both functions have ended, the inner one first
//! ```
//!
//! A function ends with its body, so each symbol behind which an expression may end would walk up the whole chain of
//! functions, to find at its top the one item that goes on: quadratic work for a chain that is written once. Joop Leo
//! (*A general context-free parsing algorithm running in linear time on every LR(k) grammar without using lookahead*,
//! 1991) keeps the top of such a chain with its bottom. He does so where exactly one item waits. Here any number may
//! wait: for a rule and the chart in which it began, we keep the items that remain once the rule has ended, and with
//! it all rules that end with it. A chart number stands for all in front of it, so these items are a function of the
//! chart and the rule.
//!
//! ```text
//! chart             items                              once an expression has ended here
//! 0  |a => a => a   statement -> . expression          statement -> expression .,  expression -> a . , a
//! 1  a => |a => a   function -> a => . expression, 0   expression -> a . , a, and the items kept for (function, 0)
//! 2  a => a => |a   function -> a => . expression, 1   expression -> a . , a, and the items kept for (function, 1)
//! ```
//!
//! Only ends that another chart's rules lead to are kept (0 and 1 for chart 2, never 2 itself): code that does not
//! nest to the right keeps hardly any. An item of a rule that cannot go on is not needed any more once the rule has
//! ended, so the lists are short. Nor is one needed that could only go on with a dangling part
//! (`grammar/families/dangling.rs`): behind `if (a) if (a) b;` the inner rule waits for an `else`, and the outer one
//! does so once the inner one has had its own. So an end knows the state in which its rule, or one that ends with it,
//! could have gone on.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::covering::ends_to_compare;
use super::{LeftChart, LeftCharts, LeftItem};
use crate::charts::paged::PagedMap;
use crate::grammar::{BodyState, Nonterminal, Rules};

/// A rule that ends, the chart in which it began, and the last state on the way here from which a rule could have
/// gone on with a dangling part.
pub(super) type End = (Nonterminal, LeftChart, BodyState);

/// An item that goes on behind an end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct ItemBehind {
    pub(super) state: BodyState,
    pub(super) origin: LeftChart,
    /// Whether it is not needed if the rule that ended could have gone on with a dangling part, and this one could,
    /// too.
    pub(super) may_leave: bool,
}

const _: () = assert!(size_of::<ItemBehind>() == size_of::<LeftItem>());

impl ItemBehind {
    #[inline]
    pub(super) fn item(self) -> LeftItem {
        LeftItem { state: self.state, origin: self.origin }
    }
}

/// The items that go on behind the ends of rules, as far as they were asked for.
#[derive(Debug, Default)]
pub(super) struct Completions {
    /// For each end the range in `items` of those that go on behind it.
    known: PagedMap<End, (u32, u32)>,
    items: Vec<ItemBehind>,
}

impl Completions {
    /// The items that go on behind an end.
    fn get(&self, end: End) -> Option<&[ItemBehind]> {
        self.range(end).map(|range| &self.items[range])
    }

    /// The range of those items.
    pub(super) fn range(&self, end: End) -> Option<Range<usize>> {
        let (first, n_items) = self.known.get(end.1.0, &end)?;
        Some(first as usize..first as usize + n_items as usize)
    }

    /// Whether the items behind an end are known.
    fn has(&self, end: End) -> bool {
        self.known.get(end.1.0, &end).is_some()
    }

    /// The item of this index.
    pub(super) fn item(&self, index: usize) -> ItemBehind {
        self.items[index]
    }

    fn insert(&mut self, end: End, items: &[ItemBehind]) {
        self.known.insert(end.1.0, end, (self.items.len() as u32, items.len() as u32));
        self.items.extend_from_slice(items);
    }

    /// Bytes held, roughly.
    pub(super) fn memory(&self) -> usize {
        self.known.capacity() * 21 + self.items.capacity() * size_of::<ItemBehind>()
    }
}

/// The ends of rules at some charts, while they are being followed there.
#[derive(Debug, Default)]
pub(super) struct Ending {
    /// The ends in this chart, of which the first `n_followed` have been followed.
    seen: Seen,
    n_followed: usize,
    /// The ends in other charts that these lead to. The items behind the first `n_gathered` are among `items`.
    further: Seen,
    n_gathered: usize,
    /// The items that go on.
    items: Vec<ItemBehind>,
    /// The ends that must be known to compare the items, once all are there.
    compared: Option<Vec<End>>,
    n_looked_at: u64,
}

/// The most ends for which room is kept.
const MAX_SPARE: usize = 8;

impl Ending {
    fn clear(&mut self) {
        self.seen.clear();
        self.n_followed = 0;
        self.further.clear();
        self.n_gathered = 0;
        self.items.clear();
        self.compared = None;
        self.n_looked_at = 0;
    }
}

/// Ends in the order in which they were found, each once.
#[derive(Debug, Default)]
struct Seen {
    ends: Vec<End>,
    /// The same ends, once they are many.
    index: FxHashSet<End>,
}

impl Seen {
    /// From this number on, ends are looked up instead of compared one by one.
    const MANY: usize = 16;

    fn insert(&mut self, end: End) {
        let is_known = match self.ends.len() {
            0..Self::MANY => self.ends.contains(&end),
            n_ends => {
                if n_ends == Self::MANY {
                    self.index.extend(&self.ends);
                }
                !self.index.insert(end)
            }
        };
        if !is_known {
            self.ends.push(end);
        }
    }

    fn clear(&mut self) {
        self.ends.clear();
        self.index.clear();
    }
}

impl LeftCharts {
    /// Follows the ends of all rules in the kernel, and leaves in it the items that go on.
    pub(super) fn complete(&mut self, rules: &Rules) {
        let mut ending = std::mem::take(&mut self.ending);
        ending.clear();
        for &LeftItem { state, origin } in &self.kernel {
            if rules.is_final(state) && rules.owner(state) != Nonterminal::ROOT {
                let open = rules.families().left_open(state, BodyState::NONE);
                ending.seen.insert((rules.owner(state), origin, open));
            }
        }
        self.kernel.retain(|item| goes_on(rules, *item));
        self.follow(rules, &mut ending);
        self.kernel.extend(ending.items.iter().map(|behind| behind.item()));
        self.n_looked_at += ending.n_looked_at;
        for &end in &ending.further.ends {
            self.know(rules, end);
            let items = self.completions.get(end).unwrap_or_default();
            self.n_looked_at += items.len() as u64;
            self.kernel.extend(items.iter().map(|behind| behind.item()));
        }
        self.ending = ending;
    }

    /// Follows ends within the charts where their rules began.
    fn follow(&self, rules: &Rules, ending: &mut Ending) {
        while let Some(&(nonterminal, origin, open)) = ending.seen.ends.get(ending.n_followed) {
            ending.n_followed += 1;
            ending.n_looked_at += self.items(origin).len() as u64;
            for waiting in self.items(origin) {
                if let Some(state) = rules.nonterminal_step(waiting.state, nonterminal) {
                    let item = LeftItem { state, origin: waiting.origin };
                    self.reach(rules, (origin, open), item, ending);
                }
            }
            for &(parent, state) in rules.begun_by_nonterminal(nonterminal) {
                if self.predicts(origin, parent) {
                    self.reach(rules, (origin, open), LeftItem { state, origin }, ending);
                }
            }
        }
    }

    /// Notes an item that an end at `chart` leads to. A rule on the way could have gone on from the state `open`.
    fn reach(
        &self,
        rules: &Rules,
        (chart, open): (LeftChart, BodyState),
        item: LeftItem,
        ending: &mut Ending,
    ) {
        if !self.has_room(rules, item) {
            return;
        }
        let families = rules.families();
        if goes_on(rules, item) && !families.leaves_to(item.state, open) {
            let LeftItem { state, origin } = item;
            ending.items.push(ItemBehind { state, origin, may_leave: open == BodyState::NONE });
        }
        let nonterminal = rules.owner(item.state);
        if rules.is_final(item.state) && nonterminal != Nonterminal::ROOT {
            let ends = if item.origin == chart { &mut ending.seen } else { &mut ending.further };
            ends.insert((nonterminal, item.origin, families.left_open(item.state, open)));
        }
    }

    /// Finds the items that go on behind an end, and behind all ends that it leads to, those in front first: there
    /// may be as many as the text is long.
    pub(super) fn know(&mut self, rules: &Rules, end: End) {
        if self.completions.has(end) {
            return;
        }
        let mut open = vec![(end, self.followed(rules, end))];
        while let Some((end, ending)) = open.last_mut() {
            if let Some(lacking) = self.gather(rules, *end, ending) {
                open.push((lacking, self.followed(rules, lacking)));
            } else {
                let (end, ending) = open.pop().expect("it is the last");
                self.keep(rules, end, ending);
            }
        }
    }

    /// An end, followed within its chart.
    fn followed(&mut self, rules: &Rules, end: End) -> Ending {
        let mut ending = self.spare.pop().unwrap_or_default();
        ending.clear();
        ending.seen.insert(end);
        self.follow(rules, &mut ending);
        ending
    }

    /// Gathers the items behind the ends in other charts that an end leads to. An end that must be known first is
    /// returned; once it is, gathering goes on from there.
    fn gather(&self, rules: &Rules, end: End, ending: &mut Ending) -> Option<End> {
        // The ends of a rule in other charts lie further in front.
        while let Some(&further) = ending.further.ends.get(ending.n_gathered) {
            let Some(items) = self.completions.get(further) else { return Some(further) };
            ending.items.extend_from_slice(items);
            ending.n_gathered += 1;
        }
        if ending.compared.is_none() {
            ending.items.sort_unstable();
            ending.items.dedup_by_key(|behind| behind.item());
            ending.compared = Some(ends_to_compare(rules, &ending.items));
            ending.n_looked_at += ending.items.len() as u64;
        }
        // An end in the same chart may wait for this one.
        let (_, origin, _) = end;
        let mut compared = ending.compared.iter().flatten();
        let is_lacking = |end: &&End| end.1 < origin && !self.completions.has(**end);
        compared.find(is_lacking).copied()
    }

    /// Keeps the items that were gathered for an end, without those that others cover.
    fn keep(&mut self, rules: &Rules, end: End, mut ending: Ending) {
        self.drop_covered(rules, &mut ending.items);
        self.n_looked_at += ending.n_looked_at;
        self.completions.insert(end, &ending.items);
        if self.spare.len() < MAX_SPARE {
            self.spare.push(ending);
        }
    }
}

/// Whether an item is still needed once its rule has been followed as one that ends.
fn goes_on(rules: &Rules, item: LeftItem) -> bool {
    rules.has_edges(item.state) || rules.owner(item.state) == Nonterminal::ROOT
}
