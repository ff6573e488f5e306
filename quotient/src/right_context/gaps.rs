//! Gaps between a text's symbols, with what is known of each.
//!
//! Most places of a text are read in one way, so for each distance from the end one gap is kept in place, and the others in a
//! map. Reading goes through the text from one end to the other, and so through this table.

use fim_lexer::{RawState, TerminalId};
use rustc_hash::FxHashMap;

/// A place of a text: its distance from the end, and the state there.
pub(super) type GapPlace = (u32, RawState);

/// A place between symbols, with the one in front of it, unless that is in front of the text.
pub(super) type Gap = (GapPlace, Option<TerminalId>);

/// Values for gaps.
#[derive(Clone, Debug)]
pub(super) struct Gaps<T> {
    /// The first gap known of each distance.
    first: Vec<Option<(GapLabel, T)>>,
    /// The others.
    others: FxHashMap<(u32, GapLabel), T>,
}

/// The key that tells gaps of one distance apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct GapLabel {
    state: RawState,
    last: u16,
}

impl GapLabel {
    const NO_LAST: u16 = u16::MAX;

    #[inline]
    fn of(((_, state), last): Gap) -> Self {
        Self { state, last: last.map_or(Self::NO_LAST, |TerminalId(last)| last) }
    }
}

impl<T: Copy> Gaps<T> {
    /// Makes room for all gaps that are no farther from the end than this one.
    pub(super) fn make_room(&mut self, ((distance, _), _): Gap) {
        if self.first.len() <= distance as usize {
            self.first.resize(distance as usize + 1, None);
        }
    }

    #[inline]
    pub(super) fn get(&self, gap: Gap) -> Option<T> {
        let ((distance, _), _) = gap;
        let label = GapLabel::of(gap);
        let (known, value) = (*self.first.get(distance as usize)?)?;
        if known == label {
            return Some(value);
        }
        if self.others.is_empty() { None } else { self.others.get(&(distance, label)).copied() }
    }

    /// Notes the value of a gap, for which there is room and no value yet.
    #[inline]
    pub(super) fn insert(&mut self, gap: Gap, value: T) {
        let ((distance, _), _) = gap;
        let label = GapLabel::of(gap);
        let first = &mut self.first[distance as usize];
        if first.is_none() {
            *first = Some((label, value));
        } else {
            self.others.insert((distance, label), value);
        }
    }

    /// Forgets the gaps farther from the end than `distance`.
    pub(super) fn truncate(&mut self, distance: usize) {
        self.first.truncate(distance + 1);
        self.others.retain(|&(known, _), _| known as usize <= distance);
    }

    /// Bytes held, roughly.
    pub(super) fn memory(&self) -> usize {
        self.first.capacity() * size_of::<Option<(GapLabel, T)>>()
            + self.others.capacity() * (size_of::<((u32, GapLabel), T)>() + 1)
    }

    #[cfg(test)]
    pub(super) fn iter(&self) -> impl Iterator<Item = (Gap, T)> {
        let first = self.first.iter().enumerate().filter_map(|(distance, known)| {
            known.map(|(label, value)| ((distance as u32, label), value))
        });
        let others = self.others.iter().map(|(&place, &value)| (place, value));
        first.chain(others).map(|((distance, GapLabel { state, last }), value)| {
            let last = (last != GapLabel::NO_LAST).then_some(TerminalId(last));
            (((distance, state), last), value)
        })
    }
}

impl<T> Default for Gaps<T> {
    fn default() -> Self {
        Self { first: Vec::new(), others: FxHashMap::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gap(distance: u32, state: u16, last: Option<u16>) -> Gap {
        ((distance, RawState(state)), last.map(TerminalId))
    }

    #[test]
    fn gaps_of_one_distance_are_told_apart() {
        let gaps = [gap(3, 1, None), gap(3, 1, Some(0)), gap(3, 2, None), gap(0, 1, None)];
        let mut known = Gaps::default();
        assert_eq!(known.get(gaps[0]), None, "there is no room for it yet");
        known.make_room(gaps[0]);
        for (value, &gap) in gaps.iter().enumerate() {
            assert_eq!(known.get(gap), None);
            known.insert(gap, value);
        }
        assert!(gaps.iter().enumerate().all(|(value, &gap)| known.get(gap) == Some(value)));
        assert_eq!(known.iter().count(), gaps.len());
        known.truncate(2);
        assert_eq!(gaps.map(|gap| known.get(gap)), [None, None, None, Some(3)]);
    }
}
