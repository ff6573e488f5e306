//! The interface of a law of names: questions for masks that look visible names up among the tokens.

use std::fmt::Debug;

use fim_lexer::lexer::LexState;
use fim_lexer::scanner::RawState;

use super::law::Violation;
use crate::caches::Fingerprint;
use crate::grammar::Language;
use crate::hole::{OpenHole, Place};
use crate::masks::NonNameWords;

/// The verdict on words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    All,
    /// Beginnings of visible names, keywords and prefixes of strings.
    Visible,
}

/// The names at a place in a hole, as a language's law sees them. Copies are cheap.
pub(crate) trait NameLaw: Clone + Debug + Send + Sync + 'static {
    /// The law's own form of a violation.
    type Violation: Into<Violation>;

    /// Reads text that the grammar allows. `lexed` is the lexer's state in front of it.
    fn read(
        &mut self,
        language: &Language,
        lexed: &LexState,
        text: &[u8],
    ) -> Result<(), Self::Violation>;

    /// Checks that the symbol in progress can become one that may stand there.
    fn check_begun(&self, hole: &mut OpenHole<'_>, place: &Place) -> Result<(), Self::Violation>;

    /// Checks that the text may end here.
    fn check_end(
        &self,
        language: &Language,
        lexed: &LexState,
        right: &[u8],
    ) -> Result<(), Self::Violation>;

    /// The number of bytes of the hole's text that have been read.
    fn n_read(&self) -> i64;

    /// The words of the language that are no names.
    fn non_names(&self) -> &NonNameWords;

    /// The word in progress, if it may become a name: words in strings and comments may not.
    fn begun_word(&self, language: &Language, raw: RawState) -> Option<&[u8]>;

    /// Whether the same tokens may come here as at another place, as far as this is certain.
    fn is_same(&self, other: &Self) -> bool;

    /// Whether the contexts are the same as those of another place.
    fn has_contexts_of(&self, other: &Self) -> bool;

    /// A fingerprint of all that decides which tokens may come, but for the visible names; None where more than that
    /// decides. `word` is the one in progress; `tails` are the lengths of underscores that tokens are or go on with.
    fn shape(&self, word: Option<&[u8]>, tails: &[usize]) -> Option<Fingerprint>;

    /// A fingerprint of the names that are visible here.
    fn visible_print(&self) -> Fingerprint;

    /// The names that are visible, some of them several times; None if all names are.
    fn visible(&self) -> Option<Vec<&[u8]>>;

    /// The verdict on the words that may stand for the one in progress, where the grammar allows a name.
    fn verdict(&self, hole: &mut OpenHole<'_>, place: &Place) -> Verdict;

    /// Whether the word in progress, with the lexer in this state, may become a keyword or a string's prefix.
    fn may_become_non_name(&self, hole: &mut OpenHole<'_>, place: &Place, raw: RawState) -> bool;

    /// Whether names wait for the text that follows.
    fn waits(&self) -> bool;

    /// Whether the law allows all signs behind the text read so far.
    fn is_quiet(&self) -> bool;

    /// Whether all names are visible.
    fn sees_all(&self) -> bool {
        self.visible().is_none()
    }

    /// A text that makes the whole file parse with names that exist, if one is found.
    fn witness(&self, hole: &mut OpenHole<'_>, place: &Place) -> Option<Vec<u8>>;

    /// The names that the lines behind the hole use, and that nothing binds if its text ends here.
    fn wanted_names(&self, language: &Language, lexed: &LexState, right: &[u8]) -> Vec<Vec<u8>>;

    /// Whether lines that do not see the names bound here use any of these.
    fn is_wanted_elsewhere(&self, language: &Language, lexed: &LexState, right: &[u8]) -> bool;
}

/// The names behind a text that the grammar has read from `place` to `further`.
pub(crate) fn behind<Names: NameLaw>(
    names: &Names,
    hole: &mut OpenHole<'_>,
    place: &Place,
    further: &Place,
    text: &[u8],
) -> Result<Names, Names::Violation> {
    let language = hole.language();
    let mut names = names.clone();
    names.read(language, &place.lexed, text)?;
    names.check_begun(hole, further)?;
    Ok(names)
}
