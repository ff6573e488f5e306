//! A recognizer that knows names: what it refuses beyond what the grammar does.

use super::Recognizer;
use crate::caches::lock;
use crate::charts::LeftCharts;
use crate::grammar::Language;
use crate::hole::{Hole, Place};
use crate::names::{Contexts, KeptNames, NamesAt, Reason, Wrong};

/// Why a text that parses is refused nevertheless.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The name, as far as it has been written, or the keyword that must not stand there.
    pub name: Vec<u8>,
    /// How many bytes in front of the refused text it begins; 0: within that text.
    pub n_bytes: usize,
    /// What is wrong with it.
    pub reason: Reason,
}

impl Recognizer {
    /// The recognizer of those of the hole's texts that use no name that does not exist, and that
    /// compile as far as [`Reason`] lists it. `left` and `right` are the contexts that it was made for,
    /// `known` the names of elsewhere that exist, too. The same recognizer where the language's names are
    /// not known.
    #[must_use]
    pub fn with_names(self, left: &[u8], right: &[u8], known: &[Vec<u8>]) -> Self {
        let contexts = Contexts { left, begun: b"", right };
        self.with_kept_names(&contexts, &mut KeptNames::default(), known)
    }

    /// The same with what is known of the contexts. The recognizer has read what is begun.
    pub(crate) fn with_kept_names(
        mut self,
        contexts: &Contexts<'_>,
        kept: &mut KeptNames,
        known: &[Vec<u8>],
    ) -> Self {
        let language = self.session.language();
        let Some(rules) = self.session.names() else { return self };
        let lexed = &self.place.lexed;
        self.names = Some(NamesAt::new(language, rules, contexts, kept, lexed, known));
        self
    }

    /// The recognizer without regard to names.
    #[must_use]
    pub fn without_names(&self) -> Self {
        Self { names: None, ..self.clone() }
    }

    /// Whether names are looked at.
    pub fn has_names(&self) -> bool {
        self.names.is_some()
    }

    /// Why a text may not come next that the grammar allows, or if it is empty, why the hole's text may not
    /// end here. None if it may, or if the grammar is against it.
    pub fn refusal(&self, text: &[u8]) -> Option<Refusal> {
        let names = self.names.as_ref()?;
        let language = self.session.language();
        let mut charts = self.session.charts();
        let mut hole = lock(&self.hole);
        let mut place = self.place.clone();
        if place.read(language, &mut charts.left, text) < text.len()
            || !hole.is_completable(language, &mut charts.left, &place)
        {
            return None;
        }
        let left = &mut charts.left;
        let wrong = if text.is_empty() {
            if !hole.is_member(language, left, &place) {
                return None;
            }
            names.check_end(language, &place.lexed, &hole.right.text).err()?
        } else {
            names_behind(names, language, left, &mut hole, &self.place, &place, text).err()?
        };
        let n_bytes = usize::try_from(names.distance(&wrong)).unwrap_or(0);
        Some(Refusal { name: wrong.name, n_bytes, reason: wrong.reason })
    }

    /// The names that the lines behind the hole use, and that nothing binds if its text ends here: what it should
    /// bind. Those of the innermost suite first.
    pub fn wanted(&self) -> Vec<Vec<u8>> {
        let Some(names) = &self.names else { return Vec::new() };
        let language = self.session.language();
        let found = names.wanted(language, &self.place.lexed, &lock(&self.hole).right.text);
        found.iter().map(|name| name.to_vec()).collect()
    }

    /// Whether lines that see nothing of what is bound here use such names, too.
    pub fn is_wanted_elsewhere(&self) -> bool {
        let Some(names) = &self.names else { return false };
        let language = self.session.language();
        let right = &lock(&self.hole).right.text;
        names.is_wanted_elsewhere(language, &self.place.lexed, right)
    }

    /// Whether the text may end here, as far as names are concerned.
    pub(crate) fn names_may_end(&self, hole: &Hole) -> bool {
        let language = self.session.language();
        let right = &hole.right.text;
        let names = self.names.as_ref();
        names.is_none_or(|names| names.check_end(language, &self.place.lexed, right).is_ok())
    }
}

/// The names behind a text that the grammar has read: from `place` to `further`.
pub(crate) fn names_behind(
    names: &NamesAt,
    language: &Language,
    left: &mut LeftCharts,
    hole: &mut Hole,
    place: &Place,
    further: &Place,
    text: &[u8],
) -> Result<NamesAt, Wrong> {
    let mut names = names.clone();
    names.read(language, &place.lexed, text)?;
    names.check_begun(language, left, hole, further)?;
    Ok(names)
}
