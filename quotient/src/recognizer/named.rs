//! A recognizer held to a law, such as that names exist, and its refusals of texts that the grammar lets through.

use std::sync::Arc;

use super::Recognizer;
use crate::caches::lock;
use crate::hole::OpenHole;
use crate::laws::{Contexts, ContextsRead, Reason};

/// The refusal of a text that parses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The name, as far as it has been written, or the keyword that must not stand there.
    pub name: Vec<u8>,
    /// The number of bytes in front of the refused text where it begins; 0: within that text.
    pub n_bytes: usize,
    /// The reason.
    pub reason: Reason,
}

impl Recognizer {
    /// The recognizer of those of the hole's texts that the language's law lets through: texts that use no unknown
    /// name, say. `left` and `right` are the contexts that it was made for, `known` the names from other files that
    /// exist, too. The recognizer stays as it is where the language has no law.
    #[must_use]
    pub fn held_to_law(self, left: &[u8], right: &[u8], known: &[Vec<u8>]) -> Self {
        let Some(law) = self.session.law() else { return self };
        let mut kept = Arc::clone(law).contexts();
        self.with_law(&Contexts { left, begun: b"", right }, kept.as_mut(), known)
    }

    /// Holds the recognizer, which has read the begun text, to a law whose reading of the contexts is in `kept`.
    pub(crate) fn with_law(
        mut self,
        contexts: &Contexts<'_>,
        kept: &mut dyn ContextsRead,
        known: &[Vec<u8>],
    ) -> Self {
        let language = self.session.language();
        self.law = Some(kept.law_at(language, contexts, &self.place.lexed, known));
        self
    }

    /// The recognizer without regard to its law.
    #[must_use]
    pub fn without_law(&self) -> Self {
        Self { law: None, ..self.clone() }
    }

    /// Whether the recognizer is held to a law.
    pub fn has_law(&self) -> bool {
        self.law.is_some()
    }

    /// The refusal of a text that the grammar lets come next; if the text is empty, of ending the hole's text here.
    /// None if the law allows it, or if the grammar does not.
    pub fn refusal(&self, text: &[u8]) -> Option<Refusal> {
        let law = self.law.as_ref()?;
        let wrong = self.session.ask(&self.hole, |hole| {
            let mut place = self.place.clone();
            if hole.read(&mut place, text) < text.len() || !hole.is_completable(&place) {
                return None;
            }
            if !text.is_empty() {
                return law.behind(hole, &self.place, &place, text).err();
            }
            if !hole.is_member(&place) {
                return None;
            }
            law.check_end(hole.language(), &place.lexed, &hole.right().text).err()
        })?;
        let n_bytes = usize::try_from(law.n_read() - wrong.start).unwrap_or(0);
        Some(Refusal { name: wrong.name, n_bytes, reason: wrong.reason })
    }

    /// The names that the lines behind the hole use, and that nothing binds if its text ends here. Those of the
    /// innermost suite come first.
    pub fn wanted_names(&self) -> Vec<Vec<u8>> {
        let Some(law) = &self.law else { return Vec::new() };
        let language = self.session.language();
        law.wanted_names(language, &self.place.lexed, &lock(&self.hole).right().text)
    }

    /// Whether lines that do not see the names bound here use such names, too.
    pub fn is_wanted_elsewhere(&self) -> bool {
        let Some(law) = &self.law else { return false };
        let language = self.session.language();
        law.is_wanted_elsewhere(language, &self.place.lexed, &lock(&self.hole).right().text)
    }

    /// Whether the law lets the text end here.
    pub(crate) fn law_lets_end(&self, hole: &OpenHole<'_>) -> bool {
        let language = self.session.language();
        let right = &hole.right().text;
        let law = self.law.as_ref();
        law.is_none_or(|law| law.check_end(language, &self.place.lexed, right).is_ok())
    }
}
