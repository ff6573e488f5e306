//! A law of names as recognizers hold it, with the caches of its masks.

use std::sync::{Arc, Mutex};

use fim_lexer::lexer::LexState;

use super::known_masks::NamedMasks;
use super::law::{HeldLaw, Violation};
use super::masking::{Judge, PlaceOfNames};
use super::name_law::{NameLaw, behind};
use crate::caches::{Fingerprint, lock};
use crate::grammar::Language;
use crate::hole::{OpenHole, Place};
use crate::masks::Vocabulary;

/// The names at a place, and the caches of a hole's masks.
#[derive(Clone, Debug)]
pub(crate) struct ByNames<Names> {
    names: Names,
    masks: Arc<Mutex<NamedMasks<Names>>>,
}

impl<Names: NameLaw> ByNames<Names> {
    pub(crate) fn new(names: Names) -> Self {
        Self { names, masks: Arc::default() }
    }
}

impl<Names: NameLaw> ByNames<Names> {
    /// Writes the mask of the place from its outline. False if none is known.
    fn mask_of_outline(
        &self,
        hole: &mut OpenHole<'_>,
        place: &Place,
        vocabulary: &Vocabulary,
        mask: &mut [u32],
    ) -> bool {
        let language = hole.language();
        let Some(shape) = self.shape(language, place, vocabulary) else { return false };
        let mut known = lock(&self.masks);
        let fingerprint = vocabulary.fingerprint();
        let Some(outline) = known.outline(fingerprint, shape, place, &self.names) else {
            return false;
        };
        mask.copy_from_slice(&outline.base);
        let mut judge = Judge { hole: hole.reborrow(), vocabulary, is_of_one_place: false };
        judge.fill(place, &self.names, &outline, &mut known, mask);
        known.keep(fingerprint, place, &self.names, mask);
        true
    }

    /// Clears the bits of tokens in a mask that the law refuses.
    fn keep_names(
        &self,
        hole: &mut OpenHole<'_>,
        place: &Place,
        vocabulary: &Vocabulary,
        mask: &mut [u32],
    ) {
        let language = hole.language();
        let names = &self.names;
        let here = PlaceOfNames { place: place.clone(), names: names.clone() };
        let mut judge = Judge { hole: hole.reborrow(), vocabulary, is_of_one_place: false };
        let outline = Arc::new(judge.outline(&here, mask));
        mask.copy_from_slice(&outline.base);
        let mut known = lock(&self.masks);
        judge.fill(place, names, &outline, &mut known, mask);
        let fingerprint = vocabulary.fingerprint();
        let shape = self.shape(language, place, vocabulary);
        if let Some(shape) = shape.filter(|_| !outline.is_of_one_place) {
            known.keep_outline(fingerprint, shape, place, names, &outline);
        }
        known.keep(fingerprint, place, names, mask);
    }

    fn shape(
        &self,
        language: &Language,
        place: &Place,
        vocabulary: &Vocabulary,
    ) -> Option<Fingerprint> {
        let word = self.names.begun_word(language, place.lexed.raw);
        self.names.shape(word, &vocabulary.words().tails)
    }
}

impl<Names: NameLaw> HeldLaw for ByNames<Names> {
    fn boxed_clone(&self) -> Box<dyn HeldLaw> {
        Box::new(self.clone())
    }

    fn behind(
        &self,
        hole: &mut OpenHole<'_>,
        place: &Place,
        further: &Place,
        text: &[u8],
    ) -> Result<Box<dyn HeldLaw>, Violation> {
        let names = behind(&self.names, hole, place, further, text);
        let names = names.map_err(Into::into)?;
        Ok(Box::new(Self { names, masks: Arc::clone(&self.masks) }))
    }

    fn check_end(
        &self,
        language: &Language,
        lexed: &LexState,
        right: &[u8],
    ) -> Result<(), Violation> {
        self.names.check_end(language, lexed, right).map_err(Into::into)
    }

    fn n_read(&self) -> i64 {
        self.names.n_read()
    }

    fn known_mask(&self, vocabulary: &Vocabulary, place: &Place, mask: &mut [u32]) -> bool {
        let known = lock(&self.masks);
        let found = known.get(vocabulary.fingerprint(), place, &self.names);
        found.is_some_and(|words| {
            mask.copy_from_slice(words);
            true
        })
    }

    fn mask_without_grammar(
        &self,
        hole: &mut OpenHole<'_>,
        place: &Place,
        vocabulary: &Vocabulary,
        mask: &mut [u32],
    ) -> bool {
        self.mask_of_outline(hole, place, vocabulary, mask)
    }

    fn narrow(
        &self,
        hole: &mut OpenHole<'_>,
        place: &Place,
        vocabulary: &Vocabulary,
        mask: &mut [u32],
    ) {
        self.keep_names(hole, place, vocabulary, mask);
    }

    fn witness(&self, hole: &mut OpenHole<'_>, place: &Place) -> Option<Vec<u8>> {
        self.names.witness(hole, place)
    }

    fn wanted_names(&self, language: &Language, lexed: &LexState, right: &[u8]) -> Vec<Vec<u8>> {
        self.names.wanted_names(language, lexed, right)
    }

    fn is_wanted_elsewhere(&self, language: &Language, lexed: &LexState, right: &[u8]) -> bool {
        self.names.is_wanted_elsewhere(language, lexed, right)
    }
}
