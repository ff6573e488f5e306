//! Masks of recognizers, one or many at once.

use std::sync::Mutex;

use super::Recognizer;
use crate::caches::lock;
use crate::masks::{Vocabulary, grammar_mask};

impl Recognizer {
    /// Sets the bits of the tokens that may come next, 32 to a word, the lowest bit first, and
    /// clears all others. Tokens that end a sequence are allowed where the text may end.
    ///
    /// # Panics
    ///
    /// If `mask` has not [`Vocabulary::n_words`] words.
    pub fn mask(&self, vocabulary: &Vocabulary, mask: &mut [u32]) {
        assert_eq!(mask.len(), vocabulary.n_words(), "a bit for each token");
        let (place, law) = (&self.place, self.law.as_deref());
        if law.is_some_and(|law| law.known_mask(vocabulary, place, mask)) {
            return;
        }
        self.session.ask(&self.hole, |hole| {
            if law.is_some_and(|law| law.mask_without_grammar(hole, place, vocabulary, mask)) {
                return;
            }
            grammar_mask(hole, place, vocabulary, mask);
            if let Some(law) = law {
                law.narrow(hole, place, vocabulary, mask);
            }
        });
    }
}

/// The masks of many recognizers, one after the other in the result. The work is spread over
/// threads (one for each processor, unless told otherwise).
pub fn masks(
    recognizers: &[Recognizer],
    vocabulary: &Vocabulary,
    n_threads: Option<usize>,
) -> Vec<u32> {
    let n_words = vocabulary.n_words();
    let mut masks = vec![0; recognizers.len() * n_words];
    if masks.is_empty() {
        return masks;
    }
    let n_processors = || std::thread::available_parallelism().map_or(1, usize::from);
    let n_threads = n_threads.unwrap_or_else(n_processors).clamp(1, recognizers.len());
    let work = Mutex::new(recognizers.iter().zip(masks.chunks_mut(n_words)));
    std::thread::scope(|scope| {
        let run = || {
            loop {
                // The lock must be free again while a mask is worked out.
                let next = lock(&work).next();
                let Some((recognizer, mask)) = next else { return };
                recognizer.mask(vocabulary, mask);
            }
        };
        for _ in 1..n_threads {
            scope.spawn(run);
        }
        run();
    });
    masks
}
