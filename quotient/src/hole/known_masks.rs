//! The masks of the last places that were expensive to find.
//!
//! Equal charts have one number, so a program comes back to places where it has been: in the next statement of a
//! block, in the next argument of a call, in a name of several tokens. A mask depends on nothing but the hole, the
//! place and the vocabulary, and mostly not on the spelling of the name in progress.

use super::place::Place;
use crate::caches::Fingerprint;

/// The number of masks that are kept for a hole: half a megabyte with a vocabulary of 150,000 tokens.
const MAX_MASKS: usize = 32;

/// Masks by vocabulary and place; once all are there, a new one replaces the oldest.
#[derive(Debug, Default)]
pub(crate) struct KnownMasks {
    masks: Vec<KnownMask>,
    /// The index of the oldest mask, once all are there.
    oldest: usize,
}

#[derive(Debug)]
struct KnownMask {
    vocabulary: Fingerprint,
    place: Place,
    /// Whether the mask holds for this name in progress alone, and not for all others at its place.
    is_spelled: bool,
    words: Box<[u32]>,
}

impl KnownMasks {
    /// The mask of a place, if it is known. If it was found with another name in progress, the bits of the
    /// vocabulary's ends may differ.
    pub(crate) fn get(&self, vocabulary: Fingerprint, place: &Place) -> Option<&[u32]> {
        let is_it = |known: &&KnownMask| {
            known.place.chart == place.chart
                && known.vocabulary == vocabulary
                && known.place.lexed == place.lexed
                && (!known.is_spelled || known.place.begun == place.begun)
        };
        self.masks.iter().find(is_it).map(|known| &*known.words)
    }

    /// Keeps the mask of a place; `is_spelled` says that it depends on the spelling of the name in progress.
    pub(crate) fn keep(
        &mut self,
        vocabulary: Fingerprint,
        place: &Place,
        is_spelled: bool,
        words: &[u32],
    ) {
        let place = place.clone();
        let known = KnownMask { vocabulary, place, is_spelled, words: words.into() };
        if self.masks.len() < MAX_MASKS {
            self.masks.push(known);
        } else {
            self.masks[self.oldest] = known;
            self.oldest = (self.oldest + 1) % MAX_MASKS;
        }
    }
}
