//! The interface of a law to recognizers: how it begins, reads and refuses.

use std::fmt::Debug;
use std::sync::Arc;

use fim_lexer::lexer::LexState;

use crate::grammar::Language;
use crate::hole::{OpenHole, Place};
use crate::masks::Vocabulary;

/// The reason why a symbol must not stand where it does: a sentence, with `{}` for the symbol's text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reason(pub(crate) &'static str);

impl Reason {
    /// The reason in words, for a symbol.
    pub fn words(self, name: &str) -> String {
        self.0.replace("{}", name)
    }
}

/// A violation of a law.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Violation {
    /// The name at fault, as far as it has been written.
    pub(crate) name: Vec<u8>,
    /// The offset where the name begins, in bytes of the hole's text; in front of the hole it is negative.
    pub(crate) start: i64,
    pub(crate) reason: Reason,
}

/// The contexts of a hole: the text in front of it, its own beginning that is written, and the text behind it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contexts<'a> {
    pub(crate) left: &'a [u8],
    pub(crate) begun: &'a [u8],
    pub(crate) right: &'a [u8],
}

/// A language's law.
pub(crate) trait Law: Debug + Send + Sync {
    /// The reader of the contexts of a text's holes, one after the other.
    fn contexts(self: Arc<Self>) -> Box<dyn ContextsRead>;

    /// The names that a text, which need be no program, binds for others; None if that cannot be told.
    fn bound_in(&self, _language: &Language, _text: &[u8]) -> Option<Vec<Vec<u8>>> {
        None
    }
}

/// The parts of a document's text that are kept for a law, so that the next hole costs no more than the edit.
pub(crate) trait ContextsRead: Debug + Send {
    /// The law at a hole's beginning, where the lexer is in `lexed`. `known` are names from other files.
    fn law_at(
        &mut self,
        language: &Language,
        contexts: &Contexts<'_>,
        lexed: &LexState,
        known: &[Vec<u8>],
    ) -> Box<dyn HeldLaw>;

    /// Follows an edit that puts `n_new` bytes between two offsets of a text, which has `n_behind` bytes behind them.
    fn edit(&mut self, _start: usize, _stop: usize, _n_new: usize, _n_behind: usize) {}

    /// Bytes held, roughly.
    fn memory(&self) -> usize {
        0
    }
}

/// A law at a place in a hole, behind the text read so far. It reads only texts that the grammar lets through.
pub(crate) trait HeldLaw: Debug + Send + Sync {
    /// A copy.
    fn boxed_clone(&self) -> Box<dyn HeldLaw>;

    /// The law behind a text, which the grammar has read from `place` to `further`; a violation, if no text that goes
    /// on like this can be right.
    fn behind(
        &self,
        hole: &mut OpenHole<'_>,
        place: &Place,
        further: &Place,
        text: &[u8],
    ) -> Result<Box<dyn HeldLaw>, Violation>;

    /// Checks that the text may end here. `right` is the right context with the line break at its end.
    fn check_end(
        &self,
        language: &Language,
        lexed: &LexState,
        right: &[u8],
    ) -> Result<(), Violation>;

    /// The number of bytes of the hole's text that have been read.
    fn n_read(&self) -> i64;

    /// Writes the mask of the place. False if it is not known.
    fn known_mask(&self, _vocabulary: &Vocabulary, _place: &Place, _mask: &mut [u32]) -> bool {
        false
    }

    /// Writes the mask of the place. False if that needs the grammar's mask.
    fn mask_without_grammar(
        &self,
        _hole: &mut OpenHole<'_>,
        _place: &Place,
        _vocabulary: &Vocabulary,
        _mask: &mut [u32],
    ) -> bool {
        false
    }

    /// Clears the bits of tokens in the grammar's mask that the law refuses.
    fn narrow(
        &self,
        hole: &mut OpenHole<'_>,
        place: &Place,
        vocabulary: &Vocabulary,
        mask: &mut [u32],
    );

    /// A text that makes the whole file fit grammar and law, if one is found.
    fn witness(&self, hole: &mut OpenHole<'_>, place: &Place) -> Option<Vec<u8>>;

    /// The names that the lines behind the hole use, and that nothing binds if its text ends here.
    fn wanted_names(&self, _language: &Language, _lexed: &LexState, _right: &[u8]) -> Vec<Vec<u8>> {
        Vec::new()
    }

    /// Whether lines that do not see the names bound here use such names, too.
    fn is_wanted_elsewhere(&self, _language: &Language, _lexed: &LexState, _right: &[u8]) -> bool {
        false
    }
}

impl Clone for Box<dyn HeldLaw> {
    fn clone(&self) -> Self {
        self.boxed_clone()
    }
}
