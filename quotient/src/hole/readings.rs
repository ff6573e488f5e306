//! A text that reads in several ways at once, because the parser could take it in each.
//!
//! ```text
//! await / a / b     in a script divides twice; in a module it waits for a regular expression
//!       ^ what is in front may begin either
//! ```
//!
//! Key idea: where several branches of a fork can be taken, each is a [`Place`] of its own. They are a list, the first
//! of which stands for all; what holds of any of them holds of the text. A right context is read in all ways as
//! well (`right_context/known_readings.rs`), so where a text is cut does not matter. There is one for each kind of text that
//! still may be, two in JavaScript, and mostly one dies at the next symbols.

use super::place::Place;
use crate::charts::Parsing;

impl Place {
    /// All readings of the text, this one first.
    pub(crate) fn readings(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |place| place.other.as_deref())
    }

    /// Reads bytes; gives the number of bytes that could be read, all of them or fewer.
    pub(crate) fn read(&mut self, parsing: &mut Parsing<'_>, bytes: &[u8]) -> usize {
        let mut begun = Vec::new();
        let n_read = self.read_alone(parsing, bytes, &mut begun);
        if begun.is_empty() && self.other.is_none() {
            return n_read;
        }
        self.read_others(parsing, bytes, n_read, begun)
    }

    /// Reads bytes that this reading has read alone as far as `n_read`, in all other ways, too: those that were there, and
    /// those that `begun` behind some of the bytes. What cannot go on is dropped.
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

    /// Adds all readings to a list that has each once.
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
