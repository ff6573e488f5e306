//! A place, where a recognizer stands, and the questions asked there: can a text go on from here so that the whole
//! file parses, and does it parse as it is?
//!
//! The charts know finished symbols only. Here the symbol in progress comes in: the emissions that it may become, and
//! whether the right context goes on with it.

use std::sync::Arc;

use fim_lexer::frames::may_change;
use fim_lexer::lexer::{LexState, Parser, Symbol};
use fim_lexer::scanner::{EmissionId, Fork, RawState, StateKind};
use fim_lexer::{Column, Lexer, TerminalId};
use smallvec::SmallVec;

use super::Hole;
use crate::charts::{LeftChart, Parsing, Spelling};
use crate::grammar::{IMPOSSIBLE, Language};
use crate::right_side::{Beginning, RootIdx};

/// A place: the lexer's state and the chart behind the last finished symbol.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Place {
    pub(crate) lexed: LexState,
    pub(crate) chart: LeftChart,
    /// The text of the symbol in progress, if that may be a repeated name.
    pub(crate) begun: Vec<u8>,
    /// Another reading of the same text, where the parser could take it in several ways (`readings.rs`).
    pub(crate) other: Option<Box<Place>>,
}

impl Clone for Place {
    fn clone(&self) -> Self {
        let Self { lexed, chart, begun, other } = self;
        let (lexed, begun, other) = (lexed.clone(), begun.clone(), other.clone());
        Self { lexed, chart: *chart, begun, other }
    }

    fn clone_from(&mut self, source: &Self) {
        let Self { lexed, chart, begun, other } = source;
        self.lexed.clone_from(lexed);
        self.chart = *chart;
        self.begun.clone_from(begun);
        self.other.clone_from(other);
    }
}

impl Place {
    /// The place in front of all text.
    pub(crate) fn first(lexer: &Lexer) -> Self {
        Self::new(lexer.start(), LeftChart::FIRST)
    }

    /// The place with this state of the lexer behind a chart, no name in progress.
    pub(crate) fn new(lexed: LexState, chart: LeftChart) -> Self {
        Self { lexed, chart, begun: Vec::new(), other: None }
    }

    /// Reads bytes in this reading alone. The number of bytes that could be read, all of them or fewer. Other
    /// readings that begin are put into `begun`, each with the offset behind its first byte.
    pub(super) fn read_alone(
        &mut self,
        parsing: &mut Parsing<'_>,
        bytes: &[u8],
        begun: &mut Vec<(usize, Self)>,
    ) -> usize {
        let language = parsing.language;
        if !language.rules.written_names().is_empty() {
            return self.read_names(parsing, bytes);
        }
        let Self { lexed, chart, .. } = self;
        let others = SmallVec::new();
        let parsing = parsing.reborrow();
        let mut reader = PlaceReader { parsing, chart, inserted: None, others };
        for (index, &byte) in bytes.iter().enumerate() {
            if !language.lexer.read(lexed, byte, &mut reader) {
                return index;
            }
            for raw in reader.others.drain(..) {
                let lexed = LexState { raw, ..lexed.clone() };
                begun.push((index + 1, Self::new(lexed, *reader.chart)));
            }
        }
        bytes.len()
    }

    /// Reads bytes as [`Self::read_alone`] does, in a language with repeated names, whose texts matter.
    fn read_names(&mut self, parsing: &mut Parsing<'_>, bytes: &[u8]) -> usize {
        let language = parsing.language;
        let Self { lexed, chart, begun, .. } = self;
        let scanner = &language.lexer.scanner;
        for (index, &byte) in bytes.iter().enumerate() {
            let before = lexed.raw;
            let mut reader = NameReader { parsing: parsing.reborrow(), chart, text: begun };
            if !language.lexer.read(lexed, byte, &mut reader) {
                return index;
            }
            if !language.may_be_name(before) || scanner.next(before, byte) != lexed.raw {
                begun.clear();
            }
            if language.may_be_name(lexed.raw) {
                begun.push(byte);
            } else {
                begun.clear();
            }
        }
        bytes.len()
    }

    /// The chart behind an emission that the symbol in progress may become, as it stands or by going on.
    pub(crate) fn chart_behind(
        &self,
        parsing: &mut Parsing<'_>,
        emission: EmissionId,
    ) -> Option<LeftChart> {
        self.chart_spelled(parsing, emission, Spelling::Begun(&self.begun))
    }

    /// The chart behind an emission of the symbol in progress as it stands.
    pub(crate) fn chart_ended(
        &self,
        parsing: &mut Parsing<'_>,
        emission: EmissionId,
    ) -> Option<LeftChart> {
        self.chart_spelled(parsing, emission, Spelling::Whole(&self.begun))
    }

    /// The chart behind an emission with this spelling.
    pub(crate) fn chart_spelled(
        &self,
        parsing: &mut Parsing<'_>,
        emission: EmissionId,
        spelling: Spelling<'_>,
    ) -> Option<LeftChart> {
        let language = parsing.language;
        let emission = language.lexer.scanner.emission(emission);
        if !may_change(&self.lexed.frames, emission.change) {
            return None;
        }
        match *emission.steps() {
            [terminal] => {
                parsing.left.step_spelled(&language.rules, self.chart, terminal, spelling)
            }
            ref steps => parsing.left.all_steps(&language.rules, self.chart, steps),
        }
    }
}

/// The parser of a place's text, which moves its chart.
struct PlaceReader<'a> {
    parsing: Parsing<'a>,
    chart: &'a mut LeftChart,
    /// The number of the insertable symbols in front of the next symbol of an emission, where both are one step.
    inserted: Option<TerminalId>,
    /// The states of other readings behind the byte that is being read.
    others: SmallVec<[RawState; 2]>,
}

impl Parser for PlaceReader<'_> {
    #[inline]
    fn take(&mut self, symbol: Symbol) -> bool {
        let rules = self.parsing.rules();
        if rules.is_between(symbol.terminal) {
            self.inserted = Some(symbol.terminal);
            return true;
        }
        let found = match self.inserted.take() {
            Some(inserted) => {
                self.parsing.left.double_step(rules, *self.chart, inserted, symbol.terminal)
            }
            None => self.parsing.step(*self.chart, symbol),
        };
        match found {
            Some(next) => {
                *self.chart = next;
                true
            }
            None => false,
        }
    }

    fn choose(&mut self, fork: &Fork) -> RawState {
        let states = self.parsing.choose(*self.chart, fork);
        self.others.extend_from_slice(&states[1..]);
        states[0]
    }
}

/// The parser of a place's text in a language with repeated names: the symbol that is taken has this text.
struct NameReader<'a> {
    parsing: Parsing<'a>,
    chart: &'a mut LeftChart,
    text: &'a [u8],
}

impl Parser for NameReader<'_> {
    #[inline]
    fn take(&mut self, symbol: Symbol) -> bool {
        let spelling = Spelling::Whole(self.text);
        let rules = self.parsing.rules();
        match self.parsing.left.step_spelled(rules, *self.chart, symbol.terminal, spelling) {
            Some(next) => {
                *self.chart = next;
                true
            }
            None => false,
        }
    }

    // A grammar with repeated names has no forks where the parser could take several branches.
    fn choose(&mut self, fork: &Fork) -> RawState {
        self.parsing.choose(*self.chart, fork)[0]
    }
}

impl Hole {
    /// Whether some text behind `place` makes the whole file parse.
    pub(super) fn is_completable(&mut self, parsing: &mut Parsing<'_>, place: &Place) -> bool {
        place.readings().any(|place| self.reading_is_completable(parsing, place))
    }

    fn reading_is_completable(&mut self, parsing: &mut Parsing<'_>, place: &Place) -> bool {
        let language = parsing.language;
        let lexed = &place.lexed;
        let is_in_line = !lexed.is_line_start && lexed.frames.is_empty();
        match language.lexer.scanner.kind(lexed.raw) {
            StateKind::Dead => false,
            StateKind::Symbol | StateKind::CharacterName => {
                self.symbol_is_completable(parsing, place) || self.enters_straddling(parsing, place)
            }
            // A comment must end its line before another symbol can follow.
            StateKind::Comment if is_in_line => {
                let layout = language.lexer.layout().expect("only Python's layout has comments");
                let newline = Symbol { terminal: layout.newline, column: None };
                let behind = parsing.step(place.chart, newline);
                behind.is_some_and(|chart| self.cost(parsing, chart) < IMPOSSIBLE)
                    || self.enters_straddling(parsing, place)
            }
            _ if language.lexer.scanner.is_behind_break(lexed.raw) => {
                self.break_is_completable(parsing, place.chart, lexed.raw)
            }
            _ => self.cost(parsing, place.chart) < IMPOSSIBLE,
        }
    }

    /// Whether some text fits between symbols, behind a line break. Not all symbols that the chart allows may come
    /// there: in JavaScript, nothing comes behind `throw` and a line break.
    pub(super) fn break_is_completable(
        &mut self,
        parsing: &mut Parsing<'_>,
        chart: LeftChart,
        clean: RawState,
    ) -> bool {
        let right = Arc::clone(&self.right);
        // Skipped text here is alive if some symbol behind it is.
        let known = self.learn(parsing, chart);
        self.is_any_live(parsing, (chart, known), parsing.language.reach.words(clean))
            || self
                .known_liveness(known)
                .roots
                .iter()
                .any(|&root| right.can_reach_entry(root, clean))
    }

    pub(super) fn symbol_is_completable(
        &mut self,
        parsing: &mut Parsing<'_>,
        place: &Place,
    ) -> bool {
        let language = parsing.language;
        language.reach.emissions(place.lexed.raw).any(|emission| {
            if let Some(clean) = behind_emission(language, emission) {
                return self.break_is_completable(parsing, place.chart, clean);
            }
            if language.lexer.scanner.is_held(emission) {
                return self.is_emission_live(parsing, place.chart, emission);
            }
            let chart = place.chart_behind(parsing, emission);
            chart.is_some_and(|chart| self.cost(parsing, chart) < IMPOSSIBLE)
        })
    }

    fn enters_straddling(&mut self, parsing: &Parsing<'_>, place: &Place) -> bool {
        let right = Arc::clone(&self.right);
        (0..right.roots.len()).map(|index| RootIdx(index as u16)).any(|root| {
            right.can_reach_entry(root, place.lexed.raw)
                && self.meets(parsing, place.chart, root)
                && self.beginning(parsing, place.chart, root).may_follow(&place.begun)
        })
    }

    /// Whether the whole file parses with the text as it is.
    pub(super) fn is_member(&mut self, parsing: &mut Parsing<'_>, place: &Place) -> bool {
        place.readings().any(|place| self.reading_is_member(parsing, place))
    }

    fn reading_is_member(&mut self, parsing: &mut Parsing<'_>, place: &Place) -> bool {
        let Some((chart, roots)) = self.entered_roots(parsing, place) else { return false };
        roots.into_iter().any(|root| {
            self.beginning(parsing, chart, root).is(&place.begun)
                && self.meets(parsing, chart, root)
        })
    }

    /// The text that must be written behind a chart in front of the cut, for the symbol that straddles it.
    pub(super) fn beginning(
        &self,
        parsing: &Parsing<'_>,
        chart: LeftChart,
        root: RootIdx,
    ) -> Beginning {
        if !self.right.is_halved(root) {
            return Beginning::Any;
        }
        self.right.beginning(&parsing.language.tables(), root, parsing.mark(chart))
    }

    /// The roots by which the right context is entered from `place`, with the chart in front.
    fn entered_roots(
        &self,
        parsing: &mut Parsing<'_>,
        place: &Place,
    ) -> Option<(LeftChart, SmallVec<[RootIdx; 2]>)> {
        let lexed = &place.lexed;
        let tables = parsing.language.tables();
        let entry = self.right.entry(&tables, lexed)?;
        let mut roots: SmallVec<[RootIdx; 2]> = self.right.roots_at(entry.root).collect();
        if roots.is_empty() {
            return None;
        }
        let mut chart = place.chart;
        if let Some(emission) = entry.complete {
            chart = place.chart_ended(parsing, emission)?;
        }
        match self.right.line_column(&parsing.language.lexer, entry.root.entrance, lexed) {
            Some(column) => {
                let mut lexed = lexed.clone();
                chart = begin_line(parsing, chart, &mut lexed, column)?;
                roots.retain(|root| self.right.nests(&tables, *root, &lexed, &entry.frames));
            }
            None => roots.retain(|root| self.right.nests(&tables, *root, lexed, &entry.frames)),
        }
        Some((chart, roots))
    }
}

/// The clean state behind a line break, if this emission is a skipped line break.
pub(crate) fn behind_emission(language: &Language, emission: EmissionId) -> Option<RawState> {
    let scanner = &language.lexer.scanner;
    scanner.behind_break().filter(|_| scanner.emission(emission).is_break)
}

/// The chart behind the INDENT or DEDENTs of a line that begins at `column`.
fn begin_line(
    parsing: &mut Parsing<'_>,
    chart: LeftChart,
    lexed: &mut LexState,
    column: Column,
) -> Option<LeftChart> {
    let mut chart = chart;
    let is_fine = parsing.language.lexer.begin_line(lexed, column, &mut |symbol| match parsing
        .step(chart, symbol)
    {
        Some(next) => {
            chart = next;
            true
        }
        None => false,
    });
    is_fine.then_some(chart)
}
