//! The search for a text that is shorter than a known witness, or for any where a plan finds none.
//!
//! It is best first (A*), byte by byte, over places: two texts that lead to the same place go on alike, so the
//! shorter one stands for both. The rest that a place lacks is estimated from the costs in `Hole`, which are never
//! too high; so the first text that is found is a shortest one, and where the known witness is as short as the
//! estimate nothing is searched at all.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use fim_lexer::Column;
use fim_lexer::frames::Frame;
use fim_lexer::layout::{BETWEEN_SYMBOLS, LEADING};
use fim_lexer::names::name_bytes;
use fim_lexer::scanner::{RawState, StateKind};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::WitnessSearch;
use crate::charts::{LeftChart, LeftCharts, Spelling, SpellingIdx};

use crate::hole::Place;

/// The limits of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The length from which on texts are of no use.
    pub(crate) length: usize,
    /// Whether a joined line break may be written into a line's white space, or begun behind a tab. That is shorter
    /// than eight spaces, but not meant by "a shortest text".
    pub(crate) may_join: bool,
    /// The most places that are looked behind.
    pub(crate) n_places: usize,
    /// The weight of an estimated byte: with more than one, a text is found sooner, but may not be a shortest one.
    pub(crate) weight: usize,
}

/// A place that was reached, until it is looked behind; the index of the place before, and the byte in between.
struct Reached {
    place: Option<Place>,
    from: usize,
    byte: u8,
    length: usize,
}

/// A key of places that go on alike.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    chart: LeftChart,
    raw: RawState,
    is_line_start: bool,
    column: Column,
    joined_column: Option<Column>,
    /// The number of the list of brackets and f-strings around the place: lists are many bytes, and few differ.
    frames: u32,
    /// The name in progress, as far as it differs from others.
    name: Option<SpellingIdx>,
}

/// The least length by which each place was reached. Estimates may rise, so a longer text may reach a place first.
#[derive(Default)]
struct Lengths {
    of_places: FxHashMap<Key, u32>,
    frames: FxHashMap<SmallVec<[Frame; 8]>, u32>,
}

impl Lengths {
    /// Notes that a text of this length reaches a place. Whether no other was as short. Within a character's name,
    /// whose letters are in no key, all places differ.
    fn is_less(&mut self, left: &LeftCharts, place: &Place, length: usize) -> bool {
        let lexed = &place.lexed;
        if lexed.name.is_some() {
            return true;
        }
        let key = Key {
            chart: place.chart,
            raw: lexed.raw,
            is_line_start: lexed.is_line_start,
            column: if lexed.is_line_start { lexed.column } else { Column::ZERO },
            joined_column: lexed.joined_column.filter(|_| lexed.is_line_start),
            frames: self.number(&lexed.frames),
            name: match place.begun[..] {
                [] => None,
                ref begun => Some(left.spellings.number(Spelling::Begun(begun))),
            },
        };
        let known = self.of_places.entry(key).or_insert(u32::MAX);
        let is_less = length < *known as usize;
        *known = (*known).min(length as u32);
        is_less
    }

    fn number(&mut self, frames: &SmallVec<[Frame; 8]>) -> u32 {
        if let Some(&number) = self.frames.get(frames) {
            return number;
        }
        let number = self.frames.len() as u32;
        self.frames.insert(frames.clone(), number);
        number
    }
}

impl WitnessSearch<'_> {
    /// A shortest text behind `place` that makes the whole file parse, if there is one within the limits.
    pub(crate) fn shortest(&mut self, place: &Place, limits: Limits) -> Option<Vec<u8>> {
        let mut reached =
            vec![Reached { place: Some(place.clone()), from: usize::MAX, byte: 0, length: 0 }];
        let mut lengths = Lengths::default();
        // Nine of ten bytes lead to a known place, so the next place is made in the last one's memory.
        let mut next = place.clone();
        let mut todo = BinaryHeap::from([(Reverse(0), 0, Reverse(0))]);
        for _ in 0..limits.n_places {
            let (_, _, Reverse(index)) = todo.pop()?;
            let place = reached[index].place.take()?;
            let lexed = &place.lexed;
            let is_joining = !limits.may_join
                && lexed.is_line_start
                && self.hole.language().lexer.scanner.kind(lexed.raw) == StateKind::Backslash;
            if is_joining && lexed.column.wide != lexed.column.narrow {
                continue;
            }
            if self.hole.is_member(&place) {
                return Some(text_to(&reached, index));
            }
            if is_joining {
                continue;
            }
            let length = reached[index].length + 1;
            for byte in self.next_bytes(&place) {
                next.clone_from(&place);
                if self.hole.read(&mut next, &[byte]) == 0
                    || !lengths.is_less(self.hole.parsing.left, &next, length)
                {
                    continue;
                }
                let Some(rest) = self.least_rest(&next) else { continue };
                if length + rest < limits.length {
                    todo.push((
                        Reverse(length + rest * limits.weight),
                        length,
                        Reverse(reached.len()),
                    ));
                    let place = Some(next.clone());
                    reached.push(Reached { place, from: index, byte, length });
                }
            }
        }
        None
    }

    /// The bytes that may come next, one of each kind.
    fn next_bytes(&mut self, place: &Place) -> Vec<u8> {
        let language = self.hole.language();
        let lexed = &place.lexed;
        let (scanner, reach) = (&language.lexer.scanner, &language.reach);
        let mut bytes: Vec<u8> = Vec::new();
        let mut add = |byte: u8| {
            if !bytes.contains(&byte) {
                bytes.push(byte);
            }
        };
        if lexed.name.is_some() {
            name_bytes().for_each(&mut add);
            return bytes;
        }
        for name in self.wanted_names(place.chart, &place.begun) {
            name.get(place.begun.len()).copied().into_iter().for_each(&mut add);
        }
        let kind = scanner.kind(lexed.raw);
        let mut starts: SmallVec<[RawState; 2]> = SmallVec::from_slice(&[lexed.raw]);
        if kind.is_in_symbol()
            && let Some(emission) = scanner.accept(lexed.raw)
        {
            let mut behind = lexed.clone();
            if language.lexer.finish_symbol(&mut behind, emission, &mut |_| true) {
                starts.push(behind.raw);
            }
        }
        // Characters beyond ASCII begin only where the right context ends one.
        let begins_inside = self.hole.right().text.first().is_some_and(|&byte| byte & 0xc0 == 0x80);
        for &start in &starts {
            let steps = reach.steps(start);
            let is_within = steps.iter().all(|(byte, _)| !byte.is_ascii());
            let useful = |byte: &u8| byte.is_ascii() || is_within || begins_inside;
            steps.iter().map(|&(byte, _)| byte).filter(useful).for_each(&mut add);
        }
        // Bytes that end the symbol in progress must be tried although other bytes begin the same symbols.
        if language.lexer.layout().is_none()
            && let [raw, behind] = starts[..]
        {
            let mut targets: SmallVec<[RawState; 16]> = SmallVec::new();
            for &byte in scanner.alphabet().iter().filter(|byte| byte.is_ascii()) {
                let target = scanner.next(behind, byte);
                if scanner.next(raw, byte) == RawState::DEAD
                    && target != RawState::DEAD
                    && !targets.contains(&target)
                {
                    targets.push(target);
                    add(byte);
                }
            }
        }
        if language.lexer.layout().is_some() {
            BETWEEN_SYMBOLS.iter().copied().for_each(&mut add);
        }
        if lexed.is_line_start {
            LEADING.iter().copied().for_each(&mut add);
        }
        bytes
    }
}

/// The bytes on the way to a place.
fn text_to(reached: &[Reached], index: usize) -> Vec<u8> {
    let mut text = Vec::with_capacity(reached[index].length);
    let mut index = index;
    while let Some(entry) = reached.get(index).filter(|entry| entry.from != usize::MAX) {
        text.push(entry.byte);
        index = entry.from;
    }
    text.reverse();
    text
}
