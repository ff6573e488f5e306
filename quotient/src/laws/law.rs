//! What a recognizer knows of a law: how it is begun, what it has read, and what it refuses.

use std::fmt::Debug;
use std::sync::Arc;

use fim_lexer::lexer::LexState;

use crate::grammar::Language;
use crate::hole::{OpenHole, Place};
use crate::masks::Vocabulary;

/// Why a symbol must not stand where it does: a sentence, with `{}` for what the symbol is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reason(pub(crate) &'static str);

impl Reason {
    /// The reason in words, for a symbol.
    pub fn words(self, name: &str) -> String {
        self.0.replace("{}", name)
    }
}

/// Something that a law is against.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Violation {
    /// As far as it has been written.
    pub(crate) name: Vec<u8>,
    /// Where it begins, in bytes of the hole's text; in front of it they are negative.
    pub(crate) start: i64,
    pub(crate) reason: Reason,
}

/// What stands around a hole: in front of it, at its beginning already, and behind it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contexts<'a> {
    pub(crate) left: &'a [u8],
    pub(crate) begun: &'a [u8],
    pub(crate) right: &'a [u8],
}

/// A language's law.
pub(crate) trait Law: Debug + Send + Sync {
    /// What reads the contexts of a text's holes, one after the other.
    fn contexts(self: Arc<Self>) -> Box<dyn ContextsRead>;

    /// The names that a text binds for others, which need be no program; none if that cannot be told.
    fn bound_in(&self, _language: &Language, _text: &[u8]) -> Option<Vec<Vec<u8>>> {
        None
    }
}

/// What a document keeps of its text for a law, so that the next hole costs what was edited.
pub(crate) trait ContextsRead: Debug + Send {
    /// The law at a hole's beginning, where the lexer is in `lexed`. `known` are names of elsewhere.
    fn law_at(
        &mut self,
        language: &Language,
        contexts: &Contexts<'_>,
        lexed: &LexState,
        known: &[Vec<u8>],
    ) -> Box<dyn HeldLaw>;

    /// Follows an edit that puts so many bytes between two offsets of a text, `n_behind` of which stand behind it.
    fn edit(&mut self, _start: usize, _stop: usize, _n_new: usize, _n_behind: usize) {}

    /// Bytes, roughly.
    fn memory(&self) -> usize {
        0
    }
}

/// A law at a place in a hole: what it has read, and what it refuses from there on. It is told only what the grammar
/// lets through.
pub(crate) trait HeldLaw: Debug + Send + Sync {
    /// The same once more.
    fn boxed_clone(&self) -> Box<dyn HeldLaw>;

    /// The law behind a text, which the grammar has read from `place` to `further`; what is wrong, if no text that
    /// goes on like this can be right.
    fn behind(
        &self,
        hole: &mut OpenHole<'_>,
        place: &Place,
        further: &Place,
        text: &[u8],
    ) -> Result<Box<dyn HeldLaw>, Violation>;

    /// What is wrong if the text ends here. `right` is the right context with the line break at its end.
    fn check_end(
        &self,
        language: &Language,
        lexed: &LexState,
        right: &[u8],
    ) -> Result<(), Violation>;

    /// How many bytes of the hole's text have been read.
    fn n_read(&self) -> i64;

    /// Writes the mask of the place, if it is known.
    fn known_mask(&self, _vocabulary: &Vocabulary, _place: &Place, _mask: &mut [u32]) -> bool {
        false
    }

    /// Writes the mask of the place, if it can be had without the grammar's.
    fn mask_without_grammar(
        &self,
        _hole: &mut OpenHole<'_>,
        _place: &Place,
        _vocabulary: &Vocabulary,
        _mask: &mut [u32],
    ) -> bool {
        false
    }

    /// Clears the bits of tokens in the grammar's mask that the law is against.
    fn narrow(
        &self,
        hole: &mut OpenHole<'_>,
        place: &Place,
        vocabulary: &Vocabulary,
        mask: &mut [u32],
    );

    /// A text that makes the whole fit, if one is found.
    fn witness(&self, hole: &mut OpenHole<'_>, place: &Place) -> Option<Vec<u8>>;

    /// What the lines behind the hole use, and nothing binds if its text ends here.
    fn wanted_names(&self, _language: &Language, _lexed: &LexState, _right: &[u8]) -> Vec<Vec<u8>> {
        Vec::new()
    }

    /// Whether lines that see nothing of what is bound here use such names, too.
    fn is_wanted_elsewhere(&self, _language: &Language, _lexed: &LexState, _right: &[u8]) -> bool {
        false
    }
}

impl Clone for Box<dyn HeldLaw> {
    fn clone(&self) -> Self {
        self.boxed_clone()
    }
}
