//! Verdicts for masks: one on all words that may come or go on at a place, and whether all signs may come there, so
//! that tokens of signs need not be read.

use std::sync::Arc;

use fim_lexer::lexer::Symbol;
use fim_lexer::scanner::RawState;

use super::frames::Phase;
use super::name_set::{Name, Query};
use super::names_at::{NamesAt, begins_name};
use super::open_statement::Statement;
use super::reader::NamesReader;
use super::scopes::{Surroundings, is_async};
use super::symbol_kinds::SymbolKind;
use super::waiting_names::WaitingName;
use crate::grammar::Language;
use crate::hole::{OpenHole, Place};
use crate::laws::Verdict;

impl NamesAt {
    /// The word in progress, if it may become a name: words in strings and comments may not.
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

    /// Whether the same tokens may come here as at another place, as far as this is certain.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.reader, &other.reader)
            && Arc::ptr_eq(&self.around, &other.around)
            && self.symbol == other.symbol
            && self.symbol_start == other.symbol_start
    }

    /// The verdict on the words that may stand for the one in progress, where the grammar allows a name.
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

    /// Whether names wait for the text that follows.
    pub(super) fn waits(&self) -> bool {
        self.reader.has_open_questions()
    }

    /// Whether the law allows all signs behind the text read so far.
    pub(super) fn is_quiet(&self) -> bool {
        self.reader.is_quiet(&self.around)
    }

    /// Whether the word in progress, with the lexer in this state, may become a keyword or a string's prefix.
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

impl NamesReader {
    /// Whether the law surely allows every text here that has neither a letter nor a star in it.
    pub(super) fn is_quiet(&self, around: &Surroundings) -> bool {
        let innermost = self.scopes.innermost();
        let is_declared =
            |name: &Name| innermost.declared.contains(name) || innermost.nonlocals.contains(name);
        let is_fine = |waiting: &WaitingName| {
            let name = &waiting.name;
            let is_seen =
                !waiting.is_judged || !name.is_ascii() || self.sees(Query::Name(name), around);
            is_seen && **name != *b"__debug__" && !is_declared(name)
        };
        let is_repeated = |waiting: &WaitingName| {
            self.frames.last().is_some_and(|frame| frame.keywords.contains(&waiting.name))
        };
        let waiting = &self.waiting;
        self.part.is_hole()
            && waiting.last().into_iter().chain(waiting.targets.candidates()).all(is_fine)
            && !waiting.last().is_some_and(is_repeated)
            && waiting.obligations.is_empty()
            && self.statement.patterns.is_empty()
            && !self.has_open_rows()
            && !self.frames.iter().any(|frame| {
                frame.may_turn_wrong() || frame.phase == Phase::Targets || frame.clauses.n_fors > 0
            })
            && !matches!(
                self.statement.kind(),
                Statement::FromNames
                    | Statement::ForTargets
                    | Statement::WithTarget
                    | Statement::Global
                    | Statement::Nonlocal
                    | Statement::Case
            )
            && !self.statement.may_be_soft()
            && !self.reads_strings()
            && !self.is_in_type()
            && !(self.future.may_come() && around.right.has_future)
            && !(self.last.kind == SymbolKind::Return && is_async(innermost))
    }
}
