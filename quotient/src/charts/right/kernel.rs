//! The kernel: the items of a chart in the making, each once, with all copies of its rule that have been found.

use fim_lexer::{Column, Columns};
use rustc_hash::FxHashMap;

use super::RightChart;
use crate::charts::marks::Marks;
use crate::grammar::{Copies, FamilyState};

/// The number of a set of marks, as [`MarkSets`] keeps it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct MarksIdx(pub(super) u32);

impl MarksIdx {
    pub(super) const ALL: Self = Self(0);
}

/// Sets of marks, each kept once: small items are quick to compare.
#[derive(Debug)]
pub(super) struct MarkSets {
    sets: Vec<Marks>,
    index: FxHashMap<Marks, MarksIdx>,
    both: FxHashMap<(MarksIdx, MarksIdx), Option<MarksIdx>>,
}

impl Default for MarkSets {
    fn default() -> Self {
        let index = FxHashMap::from_iter([(Marks::ALL, MarksIdx::ALL)]);
        Self { sets: vec![Marks::ALL], index, both: FxHashMap::default() }
    }
}

impl MarkSets {
    pub(super) fn get(&self, marks: MarksIdx) -> Marks {
        self.sets[marks.0 as usize]
    }

    pub(super) fn number(&mut self, marks: Marks) -> MarksIdx {
        let fresh = MarksIdx(self.sets.len() as u32);
        let found = *self.index.entry(marks).or_insert(fresh);
        if found == fresh {
            self.sets.push(marks);
        }
        found
    }

    /// The marks in both sets, if there are any.
    #[inline]
    pub(super) fn and(&mut self, one: MarksIdx, other: MarksIdx) -> Option<MarksIdx> {
        if one == other || other == MarksIdx::ALL {
            return Some(one);
        }
        if one == MarksIdx::ALL {
            return Some(other);
        }
        if let Some(&known) = self.both.get(&(one, other)) {
            return known;
        }
        let both = self.get(one).and(self.get(other)).map(|both| self.number(both));
        self.both.insert((one, other), both);
        both
    }

    /// The columns shallower than `column`, if that is in the set.
    pub(super) fn shallower(&mut self, marks: MarksIdx, column: Column) -> Option<MarksIdx> {
        let is_in = self.get(marks).columns().contains(column);
        let shallower = Columns::shallower_than(column).filter(|_| is_in);
        shallower.map(|columns| self.number(Marks::Columns(columns)))
    }

    pub(super) fn memory(&self) -> usize {
        self.sets.capacity() * 2 * size_of::<Marks>() + self.both.capacity() * 16
    }
}

/// An item as it is stored, with all copies of its rule that it holds for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Item {
    pub(super) state: FamilyState,
    pub(super) copies: Copies,
    pub(super) end: RightChart,
    pub(super) marks: MarksIdx,
}

impl Item {
    /// The whole item as one number, by which items are sorted and hashed.
    #[inline]
    pub(super) fn key(&self) -> u128 {
        u128::from(self.place()) << 64 | u128::from(self.end.0) << 32 | u128::from(self.marks.0)
    }

    /// The item as one number without its marks, which must be all marks.
    #[inline]
    pub(super) fn key_with_all_marks(&self) -> u128 {
        u128::from(self.place()) << 32 | u128::from(self.end.0)
    }

    /// The item of a [`Self::key_with_all_marks`].
    #[inline]
    pub(super) fn with_all_marks(key: u128) -> Self {
        let state = FamilyState((key >> 64) as u16);
        let end = RightChart(key as u32);
        Self { state, copies: (key >> 32) as Copies, end, marks: MarksIdx::ALL }
    }

    /// The state and its copies as one number.
    #[inline]
    pub(super) fn place(&self) -> u64 {
        u64::from(self.state.0) << 32 | u64::from(self.copies)
    }

    /// The chart at which the item's rule ends, if the item is in `chart`.
    #[inline]
    pub(super) fn end_in(&self, chart: RightChart) -> RightChart {
        if self.end == RightChart::SELF { chart } else { self.end }
    }
}

const _: () = assert!(size_of::<Item>() == 16);

/// The index of no item.
const NONE: u32 = u32::MAX;

/// A chart's items in the making, which differ in more than their copies, and those that have not been followed yet.
#[derive(Debug, Default)]
pub(super) struct Kernel {
    pub(super) items: Vec<Item>,
    followed: Vec<Copies>,
    todo: Vec<u32>,
    /// For each state its last item, if the number beside it is that of this chart.
    last: Vec<(u32, u32)>,
    /// For each item the index of the one of the same state in front of it.
    before: Vec<u32>,
    number: u32,
}

impl Kernel {
    pub(super) fn new(n_states: usize) -> Self {
        Self { last: vec![(0, NONE); n_states], ..Self::default() }
    }

    pub(super) fn clear(&mut self) {
        self.items.clear();
        self.followed.clear();
        self.todo.clear();
        self.before.clear();
        self.number += 1;
    }

    #[inline]
    pub(super) fn add(&mut self, item: Item) {
        let last = &mut self.last[item.state.index()];
        if last.0 != self.number {
            *last = (self.number, NONE);
        }
        let mut index = last.1;
        while index != NONE {
            let known = &mut self.items[index as usize];
            if known.end == item.end && known.marks == item.marks {
                if item.copies & !known.copies != 0 {
                    known.copies |= item.copies;
                    self.todo.push(index);
                }
                return;
            }
            index = self.before[index as usize];
        }
        if item.copies == 0 {
            return;
        }
        let fresh = self.items.len() as u32;
        self.before.push(last.1);
        last.1 = fresh;
        self.items.push(item);
        self.followed.push(0);
        self.todo.push(fresh);
    }

    /// The next item to follow, with the copies in which it has not been followed.
    pub(super) fn next(&mut self) -> Option<Item> {
        while let Some(index) = self.todo.pop() {
            let item = self.items[index as usize];
            let fresh = item.copies & !self.followed[index as usize];
            if fresh != 0 {
                self.followed[index as usize] = item.copies;
                return Some(Item { copies: fresh, ..item });
            }
        }
        None
    }

    /// Notes that no item so far needs to be followed.
    pub(super) fn skip(&mut self) {
        self.todo.clear();
        for (followed, item) in self.followed.iter_mut().zip(&self.items) {
            *followed = item.copies;
        }
    }
}
