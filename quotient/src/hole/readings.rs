//! Readings: the ways in which one text reads at once, because the parser could take it in each.
//!
//! ```text
//! await / a / b     in a script divides twice; in a module it waits for a regular expression
//!       ^ what is in front may begin either
//! ```
//!
//! Key idea: where several branches of a fork can be taken, each is a [`Place`] of its own. They are a list, whose
//! first place stands for all; a fact that holds for any reading holds for the text. A right context is read in all
//! ways as well (`right_context/known_readings.rs`), so the position of the cut does not matter. There is one reading
//! for each kind of text that is still possible, two in JavaScript, and mostly one dies at the next symbols.

use super::place::Place;
use crate::charts::Parsing;

impl Place {
    /// All readings of the text, this one first.
    pub(crate) fn readings(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |place| place.other.as_deref())
    }

    /// Reads bytes. The number of bytes that could be read, all of them or fewer.
    pub(crate) fn read(&mut self, parsing: &mut Parsing<'_>, bytes: &[u8]) -> usize {
        let mut begun = Vec::new();
        let n_read = self.read_alone(parsing, bytes, &mut begun);
        if begun.is_empty() && self.other.is_none() {
            return n_read;
        }
        self.read_others(parsing, bytes, n_read, begun)
    }

    /// Reads bytes, which this reading has read alone as far as `n_read`, in all other readings, too: those that were
    /// there, and those that `begun` behind some of the bytes. Readings that cannot go on are dropped.
    fn read_others(
        &mut self,
        parsing: &mut Parsing<'_>,
        bytes: &[u8],
        n_read: usize,
        begun: Vec<(usize, Self)>,
    ) -> usize {
        let known = self.other.take().map(|other| (0, *other));
        let mut most = n_read;
        let mut alive = Vec::new();
        if n_read == bytes.len() {
            alive.push(self.clone());
        }
        for (from, mut place) in known.into_iter().chain(begun) {
            let n_read = from + place.read(parsing, &bytes[from..]);
            most = most.max(n_read);
            if n_read == bytes.len() {
                place.add_to(&mut alive);
            }
        }
        let linked = alive.into_iter().rev().reduce(|behind, mut place| {
            place.other = Some(Box::new(behind));
            place
        });
        if let Some(first) = linked {
            *self = first;
        }
        most
    }

    /// Adds this reading and all behind it to a list that has each once.
    fn add_to(mut self, found: &mut Vec<Self>) {
        let behind = self.other.take();
        if !found.contains(&self) {
            found.push(self);
        }
        if let Some(behind) = behind {
            behind.add_to(found);
        }
    }
}
