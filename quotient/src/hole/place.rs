//! Where a recognizer stands, and what is asked there: can a text go on from here so that the whole
//! fits, and does it fit as it is?
//!
//! The charts know finished symbols only. Here the symbol in progress comes in: what it may become, and
//! whether the right context goes on with it.

use std::sync::Arc;

use fim_lexer::fstring::may_change;
use fim_lexer::lexer::{LexState, Parser, Symbol as LexedSymbol};
use fim_lexer::scanner::{EmissionId, Fork, RawState, StateKind};
use fim_lexer::{Column, Lexer};

use super::Hole;
use crate::charts::{LeftChart, LeftCharts};
use crate::grammar::{IMPOSSIBLE, Language};
use crate::right_side::RootIdx;

/// Where a recognizer stands: the lexer's state and the chart behind the last finished symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    pub(crate) lexed: LexState,
    pub(crate) chart: LeftChart,
}

impl Place {
    /// The place in front of all text.
    pub(crate) fn first(lexer: &Lexer) -> Self {
        Self { lexed: lexer.start(), chart: LeftChart::FIRST }
    }

    /// Reads bytes; gives the number of bytes that could be read, all of them or fewer.
    pub(crate) fn read(
        &mut self,
        language: &Language,
        left: &mut LeftCharts,
        bytes: &[u8],
    ) -> usize {
        let Self { lexed, chart } = self;
        let mut reader = Reader { language, left, chart };
        for (index, &byte) in bytes.iter().enumerate() {
            if !language.lexer.read(lexed, byte, &mut reader) {
                return index;
            }
        }
        bytes.len()
    }

    /// The chart behind the symbols of an emission.
    pub(crate) fn chart_behind(
        &self,
        language: &Language,
        left: &mut LeftCharts,
        emission: EmissionId,
    ) -> Option<LeftChart> {
        let emission = language.lexer.scanner.emission(emission);
        if !may_change(&self.lexed.frames, emission.change) {
            return None;
        }
        emission.steps().iter().try_fold(self.chart, |chart, &terminal| {
            left.step(&language.rules, chart, LexedSymbol { terminal, column: None })
        })
    }
}

/// A chart that symbols are read behind.
struct Reader<'a> {
    language: &'a Language,
    left: &'a mut LeftCharts,
    chart: &'a mut LeftChart,
}

impl Parser for Reader<'_> {
    #[inline]
    fn take(&mut self, symbol: LexedSymbol) -> bool {
        match self.left.step(&self.language.rules, *self.chart, symbol) {
            Some(next) => {
                *self.chart = next;
                true
            }
            None => false,
        }
    }

    fn choose(&mut self, fork: &Fork) -> RawState {
        self.left.choose(self.language, *self.chart, fork)
    }
}

impl Hole {
    /// Whether some text behind `place` makes the whole fit.
    pub(crate) fn is_completable(
        &mut self,
        language: &Language,
        left: &mut LeftCharts,
        place: &Place,
    ) -> bool {
        let lexed = &place.lexed;
        let is_in_line = !lexed.is_line_start && lexed.frames.is_empty();
        match language.lexer.scanner.kind(lexed.raw) {
            StateKind::Dead => false,
            StateKind::Symbol | StateKind::CharacterName => {
                self.symbol_is_completable(language, left, place)
                    || self.enters_straddling(language, left, place)
            }
            // A comment must end its line before anything else can follow.
            StateKind::Comment if is_in_line => {
                let layout = language.lexer.layout().expect("only Python's layout has comments");
                let newline = LexedSymbol { terminal: layout.newline, column: None };
                let behind = left.step(&language.rules, place.chart, newline);
                behind.is_some_and(|chart| self.cost(language, left, chart) < IMPOSSIBLE)
                    || self.enters_straddling(language, left, place)
            }
            _ if language.lexer.scanner.is_behind_break(lexed.raw) => {
                self.break_is_completable(language, left, place.chart, lexed.raw)
            }
            _ => self.cost(language, left, place.chart) < IMPOSSIBLE,
        }
    }

    /// Whether something fits between symbols, behind a line break. There not everything may come that the
    /// chart alone allows: in JavaScript, nothing comes behind `throw` and a line break.
    pub(crate) fn break_is_completable(
        &mut self,
        language: &Language,
        left: &mut LeftCharts,
        chart: LeftChart,
        clean: RawState,
    ) -> bool {
        let right = Arc::clone(&self.right);
        let liveness = self.learn(language, left, chart);
        // What is skipped here is alive if what may come behind it is.
        liveness.has_any(language.reach.words(clean))
            || liveness.roots.iter().any(|&root| right.is_led_to(root, clean))
    }

    pub(crate) fn symbol_is_completable(
        &mut self,
        language: &Language,
        left: &mut LeftCharts,
        place: &Place,
    ) -> bool {
        language.reach.emissions(place.lexed.raw).any(|emission| {
            if let Some(clean) = behind_emission(language, emission) {
                return self.break_is_completable(language, left, place.chart, clean);
            }
            if language.lexer.scanner.is_held(emission) {
                let liveness = self.learn(language, left, place.chart);
                return liveness.is_live && liveness.has(usize::from(emission.0));
            }
            let chart = place.chart_behind(language, left, emission);
            chart.is_some_and(|chart| self.cost(language, left, chart) < IMPOSSIBLE)
        })
    }

    fn enters_straddling(&mut self, language: &Language, left: &LeftCharts, place: &Place) -> bool {
        let right = Arc::clone(&self.right);
        (0..right.roots.len()).map(|index| RootIdx(index as u16)).any(|root| {
            right.is_led_to(root, place.lexed.raw) && self.meets(language, left, place.chart, root)
        })
    }

    /// Whether the whole fits as it is.
    pub(crate) fn is_member(
        &mut self,
        language: &Language,
        left: &mut LeftCharts,
        place: &Place,
    ) -> bool {
        self.entered_root(language, left, place)
            .is_some_and(|(chart, root)| self.meets(language, left, chart, root))
    }

    /// The root by which the right context is entered from `place`, with the chart in front.
    fn entered_root(
        &self,
        language: &Language,
        left: &mut LeftCharts,
        place: &Place,
    ) -> Option<(LeftChart, RootIdx)> {
        let lexed = &place.lexed;
        let tables = language.tables();
        let entry = self.right.entry(&tables, lexed)?;
        let root = self.right.root(entry.root)?;
        let mut chart = place.chart;
        if let Some(emission) = entry.complete {
            chart = place.chart_behind(language, left, emission)?;
        }
        let mut lexed = lexed.clone();
        if let Some(column) = self.right.line_column(&language.lexer, entry.root.entrance, &lexed) {
            chart = begin_line(language, left, chart, &mut lexed, column)?;
        }
        self.right.nests(&tables, root, &lexed, &entry.frames).then_some((chart, root))
    }
}

/// The clean state behind a line break, if this emission is one that was skipped.
pub(crate) fn behind_emission(language: &Language, emission: EmissionId) -> Option<RawState> {
    let scanner = &language.lexer.scanner;
    scanner.behind_break().filter(|_| scanner.emission(emission).is_break)
}

/// The chart behind the INDENT or DEDENTs of a line that begins at `column`.
fn begin_line(
    language: &Language,
    left: &mut LeftCharts,
    chart: LeftChart,
    lexed: &mut LexState,
    column: Column,
) -> Option<LeftChart> {
    let mut chart = chart;
    let is_fine = language.lexer.begin_line(lexed, column, &mut |symbol| match left.step(
        &language.rules,
        chart,
        symbol,
    ) {
        Some(next) => {
            chart = next;
            true
        }
        None => false,
    });
    is_fine.then_some(chart)
}
