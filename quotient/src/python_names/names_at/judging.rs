//! The judging of a name in progress, of one that waits for the next symbol, and of the text's end; and, for masks, of
//! all words at once that may come or go on at a place, and of all signs.
//!
//! ```text
//! to|              in progress: a visible name begins like it, or `:=` or a comprehension may bind it, or a keyword
//! total |          waits: visible, or the next symbol can still bind it
//! total + n$0      ends: read on in the right context, as far as names or suites wait for it
//! ```

use std::sync::Arc;

use fim_lexer::lexer::{LexState, Symbol};
use fim_lexer::scanner::RawState;

use super::{NamesAt, begins_name};
use crate::charts::LeftChart;
use crate::grammar::{IMPOSSIBLE, Language};
use crate::hole::{OpenHole, Place};
use crate::laws::Verdict;
use crate::python_names::reader::{NamesReader, Phase, Role, Statement, WaitingName};
use crate::python_names::scopes::{Surroundings, is_async};
use crate::python_names::symbols::{CompilingReason, Name, NameViolation, Query, SymbolKind};

/// The most bytes of the right context that are read for the sake of names that wait for it.
const MAX_REST: usize = 1 << 17;

impl NamesAt {
    /// Checks that the symbol in progress can become one that may stand there: a name that is visible or may be
    /// bound, or another symbol.
    pub(in crate::python_names) fn check_begun(
        &self,
        hole: &mut OpenHole<'_>,
        place: &Place,
    ) -> Result<(), NameViolation> {
        let raw = place.lexed.raw;
        let is_in_symbol = hole.language().lexer.scanner.kind(raw).is_in_symbol();
        if self.reader.has_open_questions() && is_in_symbol {
            self.check_next(hole, place)?;
        }
        if let Some(waiting) = self.reader.waiting.last().filter(|_| !is_in_symbol) {
            self.check_waiting(hole, place, waiting)?;
        }
        if !self.symbol.first().is_some_and(|&byte| begins_name(byte)) || !is_in_symbol {
            return Ok(());
        }
        let rules = &self.rules;
        if self.reader.part.is_begun_before(self.symbol_start) || self.may_begin(hole, place) {
            return Ok(());
        }
        let is_no_name = hole.language().reach.emissions(raw).any(|emission| {
            let (kinds, _) = rules.kinds.of_emission(emission);
            kinds.iter().all(|&kind| kind != SymbolKind::Name)
                && place
                    .chart_behind(&mut hole.parsing, emission)
                    .is_some_and(|chart| hole.cost(chart) < IMPOSSIBLE)
        });
        if is_no_name {
            return Ok(());
        }
        Err(NameViolation {
            name: self.symbol.to_vec(),
            start: self.symbol_start,
            reason: CompilingReason::Undefined,
        })
    }

    /// Checks that the names that wait for the next symbol allow one that the symbol in progress may become: `)` is
    /// one as soon as it is there.
    fn check_next(&self, hole: &mut OpenHole<'_>, place: &Place) -> Result<(), NameViolation> {
        let rules = &self.rules;
        let mut found = Ok(());
        for emission in hole.language().reach.emissions(place.lexed.raw) {
            let (kinds, _) = rules.kinds.of_emission(emission);
            let chart = place.chart_behind(&mut hole.parsing, emission);
            if chart.is_none_or(|chart| hole.cost(chart) >= IMPOSSIBLE) {
                continue;
            }
            if kinds.contains(&SymbolKind::Name) {
                // Only the beginning of the name is known.
                return Ok(());
            }
            let mut reader = NamesReader::clone(&self.reader);
            let mut read = kinds.iter().map(|&kind| {
                reader.symbol(kind, &self.symbol, self.symbol_start, None, &self.around)
            });
            match read.find_map(Result::err) {
                None => return Ok(()),
                Some(wrong) => found = Err(wrong),
            }
        }
        found
    }

    /// Whether a name may begin like the symbol in progress.
    fn may_begin(&self, hole: &mut OpenHole<'_>, place: &Place) -> bool {
        let role = self.reader.role(&self.symbol);
        if !role.is_use()
            || !self.symbol.is_ascii()
            || self.reader.sees(Query::Prefix(&self.symbol), &self.around)
            || self.reader.rescuers(self.reader.frames.len()) != 0
        {
            return true;
        }
        let name = self.rules.name.map(|terminal| Symbol { terminal, column: None });
        let behind = name.and_then(|name| hole.parsing.step(place.chart, name));
        behind.is_some_and(|chart| self.may_be_bound(hole, chart, role))
    }

    /// Whether `:=` or, for arguments, `=` may come behind a name.
    fn may_be_bound(&self, hole: &mut OpenHole<'_>, chart: LeftChart, role: Role) -> bool {
        let rules = &self.rules;
        // In a call, `=` is more likely to come than `:=`; both must be tried.
        let terminals = match role {
            Role::Argument => [rules.assign, rules.walrus],
            Role::UseOrWalrus => [rules.walrus, None],
            _ => [None, None],
        };
        terminals.into_iter().flatten().any(|terminal| {
            let symbol = Symbol { terminal, column: None };
            let behind = hole.parsing.step(chart, symbol);
            behind.is_some_and(|chart| hole.cost(chart) < IMPOSSIBLE)
        })
    }

    /// Checks that the next symbol can still bind a name that has ended, and that nothing binds so far.
    fn check_waiting(
        &self,
        hole: &mut OpenHole<'_>,
        place: &Place,
        waiting: &WaitingName,
    ) -> Result<(), NameViolation> {
        if !waiting.role.is_use()
            || !waiting.is_judged
            || !waiting.name.is_ascii()
            || self.reader.sees(Query::Name(&waiting.name), &self.around)
            || self.reader.rescuers(waiting.depth) != 0
            || self.may_be_bound(hole, place.chart, waiting.role)
        {
            return Ok(());
        }
        Err(NameViolation {
            name: waiting.name.to_vec(),
            start: waiting.start,
            reason: CompilingReason::Undefined,
        })
    }

    /// Checks that the text may end here, as far as names are concerned. `right` is the right context with the line
    /// break at its end: no more of it is read than the names that wait for it need.
    pub(in crate::python_names) fn check_end(
        &self,
        language: &Language,
        lexed: &LexState,
        right: &[u8],
    ) -> Result<(), NameViolation> {
        let mut rest = self.clone();
        Arc::make_mut(&mut rest.reader).end_text(self.n_read);
        let mut lexed = lexed.clone();
        for (index, &byte) in right.iter().enumerate() {
            let is_in_symbol = language.lexer.scanner.kind(lexed.raw).is_in_symbol()
                && rest.symbol_start < self.n_read;
            if is_in_symbol && index > self.around.right.n_in_front {
                // The text has begun a string that goes on: the lines of the right context are no lines.
                return Ok(());
            }
            if !(is_in_symbol || rest.waits_for_rest(self.n_read)) || index == MAX_REST {
                break;
            }
            if !is_in_symbol {
                Arc::make_mut(&mut rest.reader).begin_rest();
            }
            let is_read = rest.read_byte(language, &mut lexed, byte);
            if !is_read.map_err(|wrong| self.of_rest(wrong))? {
                // The line fits no suite, which the grammar has to refuse.
                break;
            }
        }
        let scopes = &rest.reader.scopes;
        let start = self.n_read;
        if !scopes.allow_lines(&self.around.right.behind) {
            return Err(NameViolation { name: Vec::new(), start, reason: CompilingReason::Rest });
        }
        match scopes.fault(&self.around.right.behind) {
            Some((name, reason)) if self.old_fault != Some(reason) => {
                Err(NameViolation { name: name.to_vec(), start, reason })
            }
            _ => Ok(()),
        }
    }

    /// Whether the verdict on the text's end needs more of the right context, which begins at `start`.
    fn waits_for_rest(&self, start: i64) -> bool {
        let reader = &self.reader;
        let right = &self.around.right;
        let has_begun = reader.last.start >= start;
        let is_at_line_end = has_begun && reader.is_at_line_end();
        let has_suite = || {
            let innermost = reader.scopes.blocks.last().and_then(|block| block.column);
            right
                .behind
                .last()
                .is_some_and(|(column, _)| innermost.is_some_and(|own| own < *column))
        };
        let has_declared = || right.behind.iter().any(|(_, demands)| !demands.declared.is_empty());
        reader.has_open_questions()
            || reader.suite.is_coming()
            || !has_begun
            // `f(a=1|, a=2)`: the text has joined two calls.
            || self.has_keywords()
            || !is_at_line_end
                && (right.has_needs_at_once
                    || reader.is_of_future()
                    || has_suite()
                    || has_declared())
    }

    /// Whether a call is open that has keywords.
    pub(in crate::python_names) fn has_keywords(&self) -> bool {
        self.reader.frames.iter().any(|frame| !frame.keywords.is_empty())
    }

    /// The violation, or that of a text which leaves the right context without its function or loop.
    fn of_rest(&self, wrong: NameViolation) -> NameViolation {
        let is_left = matches!(
            wrong.reason,
            CompilingReason::OutsideFunction
                | CompilingReason::OutsideAsync
                | CompilingReason::OutsideLoop
        );
        if is_left && wrong.start >= self.n_read {
            return NameViolation {
                name: Vec::new(),
                start: self.n_read,
                reason: CompilingReason::Rest,
            };
        }
        wrong
    }
}

impl NamesAt {
    /// The word in progress, if it may become a name: words in strings and comments may not.
    pub(in crate::python_names) fn begun_word(
        &self,
        language: &Language,
        raw: RawState,
    ) -> Option<&[u8]> {
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
    pub(in crate::python_names) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.reader, &other.reader)
            && Arc::ptr_eq(&self.around, &other.around)
            && self.symbol == other.symbol
            && self.symbol_start == other.symbol_start
    }

    /// The verdict on the words that may stand for the one in progress, where the grammar allows a name.
    pub(in crate::python_names) fn verdict(
        &self,
        hole: &mut OpenHole<'_>,
        place: &Place,
    ) -> Verdict {
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
    pub(in crate::python_names) fn visible(&self) -> Option<Vec<&[u8]>> {
        self.reader.visible(&self.around)
    }

    /// Whether names wait for the text that follows.
    pub(in crate::python_names) fn waits(&self) -> bool {
        self.reader.has_open_questions()
    }

    /// Whether the law allows all signs behind the text read so far.
    pub(in crate::python_names) fn is_quiet(&self) -> bool {
        self.reader.is_quiet(&self.around)
    }

    /// Whether the word in progress, with the lexer in this state, may become a keyword or a string's prefix.
    pub(in crate::python_names) fn may_become_non_name(
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
    fn is_quiet(&self, around: &Surroundings) -> bool {
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
