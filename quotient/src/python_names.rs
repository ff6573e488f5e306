//! Python's law: the names that a hole's text may use and bind, and more that its compiler refuses though the grammar
//! lets it through.
//!
//! A use is refused if it is proven that nothing binds it: no scope around it, no builtin, no later line where that
//! counts, no comprehension that may still come. While a name is being written, a visible name must begin like it, or
//! a keyword that may come there. Doubt means yes: `from x import *`, `exec`, names that the left context uses without
//! binding them, names with letters beyond ASCII.
//!
//! Each room uses only those in front of it, so read them in this order:
//!
//! 1. `symbols`: kinds of symbols, sets of names, what a version of Python decides, and reasons to refuse a symbol;
//! 2. `scopes`: the scopes and suites around a place, the names that are visible there, and what the lines behind the
//!    hole bind and demand;
//! 3. `reader`: the role of each name in a text that is read symbol by symbol, which is most of the law;
//! 4. `contexts`: both contexts, read for their names, and what a document keeps of that;
//! 5. `names_at`: the names at a place in a hole, and the law's answers about it;
//! 6. `witnesses`: texts that complete a file with names that exist.
//!
//! This file is the law as recognizers hold it: it passes their questions on.

mod contexts;
mod names_at;
mod reader;
mod scopes;
mod symbols;
mod witnesses;

use std::sync::Arc;

use fim_lexer::lexer::LexState;
use fim_lexer::scanner::RawState;

use self::contexts::KeptNames;
use self::names_at::NamesAt;
use self::symbols::{NameRules, NameViolation};
use self::witnesses::Search;
use crate::caches::Fingerprint;
use crate::grammar::Language;
use crate::hole::{OpenHole, Place};
use crate::laws::{self, ByNames, Contexts, ContextsRead, HeldLaw, Law, NameLaw, Verdict};
use crate::masks::NonNameWords;

/// The law of a version of Python; None for other languages.
pub(crate) fn law(language: &Language) -> Option<Arc<dyn Law>> {
    let rules = NameRules::new(&language.name, language.version.as_deref(), &language.lexer)?;
    Some(Arc::new(rules))
}

impl Law for NameRules {
    fn contexts(self: Arc<Self>) -> Box<dyn ContextsRead> {
        Box::new(ContextsOfNames { rules: self, kept: KeptNames::default() })
    }

    fn bound_in(&self, language: &Language, text: &[u8]) -> Option<Vec<Vec<u8>>> {
        let found = NameRules::bound_in(self, language, text)?;
        Some(found.iter().map(|name| name.to_vec()).collect())
    }
}

/// The names that are kept of a document.
#[derive(Debug)]
struct ContextsOfNames {
    rules: Arc<NameRules>,
    kept: KeptNames,
}

impl ContextsRead for ContextsOfNames {
    fn law_at(
        &mut self,
        language: &Language,
        contexts: &Contexts<'_>,
        lexed: &LexState,
        known: &[Vec<u8>],
    ) -> Box<dyn HeldLaw> {
        let names = NamesAt::new(language, &self.rules, contexts, &mut self.kept, lexed, known);
        Box::new(ByNames::new(names))
    }

    fn edit(&mut self, start: usize, stop: usize, n_new: usize, n_behind: usize) {
        self.kept.edit(start, stop, n_new, n_behind);
    }

    fn memory(&self) -> usize {
        self.kept.memory()
    }
}

impl From<NameViolation> for laws::Violation {
    fn from(NameViolation { name, start, reason }: NameViolation) -> Self {
        Self { name, start, reason: laws::Reason(reason.sentence()) }
    }
}

impl NameLaw for NamesAt {
    type Violation = NameViolation;

    fn read(
        &mut self,
        language: &Language,
        lexed: &LexState,
        text: &[u8],
    ) -> Result<(), NameViolation> {
        Self::read(self, language, lexed, text)
    }

    fn check_begun(&self, hole: &mut OpenHole<'_>, place: &Place) -> Result<(), NameViolation> {
        Self::check_begun(self, hole, place)
    }

    fn check_end(
        &self,
        language: &Language,
        lexed: &LexState,
        right: &[u8],
    ) -> Result<(), NameViolation> {
        Self::check_end(self, language, lexed, right)
    }

    fn n_read(&self) -> i64 {
        self.n_read
    }

    fn non_names(&self) -> &NonNameWords {
        &self.rules.non_names
    }

    fn begun_word(&self, language: &Language, raw: RawState) -> Option<&[u8]> {
        Self::begun_word(self, language, raw)
    }

    fn is_same(&self, other: &Self) -> bool {
        Self::is_same(self, other)
    }

    fn has_contexts_of(&self, other: &Self) -> bool {
        Self::has_contexts_of(self, other)
    }

    fn shape(&self, word: Option<&[u8]>, tails: &[usize]) -> Option<Fingerprint> {
        Self::shape(self, word, tails)
    }

    fn visible_print(&self) -> Fingerprint {
        Self::visible_print(self)
    }

    fn visible(&self) -> Option<Vec<&[u8]>> {
        Self::visible(self)
    }

    fn verdict(&self, hole: &mut OpenHole<'_>, place: &Place) -> Verdict {
        Self::verdict(self, hole, place)
    }

    fn may_become_non_name(&self, hole: &mut OpenHole<'_>, place: &Place, raw: RawState) -> bool {
        Self::may_become_non_name(self, hole, place, raw)
    }

    fn waits(&self) -> bool {
        Self::waits(self)
    }

    fn is_quiet(&self) -> bool {
        Self::is_quiet(self)
    }

    fn witness(&self, hole: &mut OpenHole<'_>, place: &Place) -> Option<Vec<u8>> {
        Search.witness(hole, place, self)
    }

    fn wanted_names(&self, language: &Language, lexed: &LexState, right: &[u8]) -> Vec<Vec<u8>> {
        let found = Self::wanted_names(self, language, lexed, right);
        found.iter().map(|name| name.to_vec()).collect()
    }

    fn is_wanted_elsewhere(&self, language: &Language, lexed: &LexState, right: &[u8]) -> bool {
        Self::is_wanted_elsewhere(self, language, lexed, right)
    }
}
