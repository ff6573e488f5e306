//! What names have to say about all words at once that may come at a place, or go on there.

use std::sync::Arc;

use fim_lexer::lexer::Symbol;
use fim_lexer::scanner::RawState;

use super::kinds::SymbolKind;
use super::{NamesAt, begins_name};
use crate::grammar::Language;
use crate::hole::{OpenHole, Place};
use crate::laws::Verdict;

impl NamesAt {
    /// The word that is in progress, if one is that may become a name: words in texts are none.
    pub(super) fn begun_word(&self, language: &Language, raw: RawState) -> Option<&[u8]> {
        let is_word = self.symbol.first().is_some_and(|&byte| begins_name(byte))
            && self.symbol.iter().all(|&byte| begins_name(byte) || byte.is_ascii_digit());
        let is_name = is_word
            && language.reach.emissions(raw).any(|emission| {
                let (kinds, _) = self.rules.kinds.of_emission(emission);
                kinds.contains(&SymbolKind::Name)
            });
        is_name.then_some(&self.symbol[..])
    }

    /// Whether it surely is the same place as another one, as far as what may come is concerned.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.reader, &other.reader)
            && Arc::ptr_eq(&self.around, &other.around)
            && self.symbol == other.symbol
            && self.symbol_start == other.symbol_start
    }

    /// Which words may stand for the one in progress, if the grammar has nothing against a name there.
    pub(super) fn verdict(&self, hole: &mut OpenHole<'_>, place: &Place) -> Verdict {
        let role = self.reader.role(&self.symbol);
        if self.reader.part.is_begun_before(self.symbol_start)
            || !role.is_use()
            || self.reader.rescuers(self.reader.frames.len()) != 0
        {
            return Verdict::All;
        }
        let name = self.rules.name.map(|terminal| Symbol { terminal, column: None });
        let behind = name.and_then(|name| hole.parsing.step(place.chart, name));
        match behind {
            Some(chart) if self.may_be_bound(hole, chart, role) => Verdict::All,
            _ => Verdict::Visible,
        }
    }

    /// The names that are visible, some of them several times; None if all names are.
    pub(super) fn visible(&self) -> Option<Vec<&[u8]>> {
        self.reader.visible(&self.around)
    }

    /// Whether names wait for what follows.
    pub(super) fn waits(&self) -> bool {
        self.reader.has_open_questions()
    }

    /// Whether no sign can be wrong behind what has been read.
    pub(super) fn is_quiet(&self) -> bool {
        self.reader.is_quiet(&self.around)
    }

    /// Whether a word with which the lexer is in this state may become what is no name.
    pub(super) fn may_become_non_name(
        &self,
        hole: &mut OpenHole<'_>,
        place: &Place,
        raw: RawState,
    ) -> bool {
        hole.language().reach.emissions(raw).any(|emission| {
            let (kinds, _) = self.rules.kinds.of_emission(emission);
            kinds.iter().all(|&kind| kind != SymbolKind::Name)
                && hole.is_emission_live(place.chart, emission)
        })
    }
}
