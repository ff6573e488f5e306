//! Sets of predicted nonterminals, each kept once.
//!
//! A chart's predictions follow from the body states of its items alone, so few different sets occur, and a chart can
//! name its set by a number.

use std::hash::{Hash, Hasher};

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::grammar::{Nonterminal, contains};

/// The number of a set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct PredictionIdx(u32);

/// All sets that have occurred.
#[derive(Debug, Default)]
pub(crate) struct Predictions {
    n_words: usize,
    words: Vec<u64>,
    index: HashTable<u32>,
    scratch: Vec<u64>,
}

impl Predictions {
    pub(crate) fn new(n_bits: usize) -> Self {
        let n_words = n_bits.div_ceil(64);
        Self { n_words, words: Vec::new(), index: HashTable::new(), scratch: vec![0; n_words] }
    }

    /// The number of the union of `sets`.
    pub(crate) fn union<'a>(&mut self, sets: impl Iterator<Item = &'a [u64]>) -> PredictionIdx {
        self.scratch.fill(0);
        for set in sets {
            for (word, &found) in self.scratch.iter_mut().zip(set) {
                *word |= found;
            }
        }
        let n_words = self.n_words;
        let words = &self.words;
        let slice = |index: u32| &words[index as usize * n_words..][..n_words];
        let known = self.index.find(hash(&self.scratch), |&known| slice(known) == self.scratch);
        if let Some(&known) = known {
            return PredictionIdx(known);
        }
        let fresh = (words.len() / n_words) as u32;
        self.words.extend_from_slice(&self.scratch);
        let words = &self.words;
        self.index.insert_unique(hash(&self.scratch), fresh, |&known| {
            hash(&words[known as usize * n_words..][..n_words])
        });
        PredictionIdx(fresh)
    }

    /// The set of this number.
    #[inline]
    pub(crate) fn get(&self, index: PredictionIdx) -> &[u64] {
        &self.words[index.0 as usize * self.n_words..][..self.n_words]
    }

    /// Whether a nonterminal is in the set of this number.
    #[inline]
    pub(crate) fn contains(&self, index: PredictionIdx, nonterminal: Nonterminal) -> bool {
        contains(self.get(index), nonterminal)
    }
}

fn hash(words: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    words.hash(&mut hasher);
    hasher.finish()
}
