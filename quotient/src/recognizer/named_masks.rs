//! The masks with names of the last places: a program that writes goes back, forks and asks again.

use crate::caches::Fingerprint;
use crate::hole::Place;
use crate::names::NamesAt;

/// So many masks are kept for a hole.
const MAX_MASKS: usize = 16;

/// Masks, by vocabulary and place; when there are enough, the oldest makes room.
#[derive(Debug, Default)]
pub(crate) struct NamedMasks {
    masks: Vec<NamedMask>,
    /// The oldest one, once all are there.
    oldest: usize,
}

#[derive(Debug)]
struct NamedMask {
    vocabulary: Fingerprint,
    place: Place,
    names: NamesAt,
    words: Box<[u32]>,
}

impl NamedMasks {
    /// The mask of a place, if it is known.
    pub(crate) fn get(
        &self,
        vocabulary: Fingerprint,
        place: &Place,
        names: &NamesAt,
    ) -> Option<&[u32]> {
        let is_it = |known: &&NamedMask| {
            known.names.is_same(names) && known.vocabulary == vocabulary && known.place == *place
        };
        self.masks.iter().find(is_it).map(|known| &*known.words)
    }

    /// Keeps the mask of a place.
    pub(crate) fn keep(
        &mut self,
        vocabulary: Fingerprint,
        place: &Place,
        names: &NamesAt,
        words: &[u32],
    ) {
        let (place, names) = (place.clone(), names.clone());
        let known = NamedMask { vocabulary, place, names, words: words.into() };
        if self.masks.len() < MAX_MASKS {
            self.masks.push(known);
        } else {
            self.masks[self.oldest] = known;
            self.oldest = (self.oldest + 1) % MAX_MASKS;
        }
    }
}
