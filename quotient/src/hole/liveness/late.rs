//! Late emissions, decided by charts: of several symbols, behind insertable symbols, and skipped line breaks.
//!
//! Few masks ask about them, and about few of them at a time. So each is decided when a mask asks for it.

use fim_lexer::TerminalId;
use fim_lexer::lexer::Symbol;
use fim_lexer::scanner::EmissionId;
use smallvec::SmallVec;

use super::{Bits, Hole, Liveness, LivenessIdx, has_bit, join, meet, with_written_names};
use crate::charts::{LeftChart, Parsing};
use crate::grammar::Language;
use crate::right_side::RootIdx;

impl Hole {
    /// Whether one of these emissions is alive. Some of them are undecided, and none is known to be alive.
    #[inline(never)]
    pub(super) fn is_any_late(
        &mut self,
        parsing: &mut Parsing<'_>,
        (chart, LivenessIdx(index)): (LeftChart, LivenessIdx),
        wanted: &[u64],
    ) -> bool {
        let mut found = std::mem::take(&mut self.liveness.found[index as usize]);
        let is_live = self.decide(parsing, chart, wanted, &mut found);
        self.liveness.found[index as usize] = found;
        is_live
    }

    /// Decides the `wanted` emissions until one is alive. Whether one is.
    fn decide(
        &mut self,
        parsing: &mut Parsing<'_>,
        chart: LeftChart,
        wanted: &[u64],
        found: &mut Liveness,
    ) -> bool {
        if std::mem::take(&mut found.is_open) {
            self.add_inserted(parsing, chart, found);
            if meet(&found.emissions, wanted) {
                return true;
            }
        }
        if meet(&parsing.language.emission_sets.breaks, wanted) {
            self.decide_all(parsing, chart, found);
            return meet(&found.emissions, wanted);
        }
        for (word, &wanted) in wanted.iter().enumerate() {
            while found.undecided[word] & wanted != 0 {
                let id = (found.undecided[word] & wanted).trailing_zeros() as usize + 64 * word;
                if self.decide_one(parsing, chart, EmissionId(id as u16), found) {
                    return true;
                }
            }
        }
        false
    }

    /// Decides all emissions.
    pub(super) fn decide_all(
        &mut self,
        parsing: &mut Parsing<'_>,
        chart: LeftChart,
        found: &mut Liveness,
    ) {
        let language = parsing.language;
        if std::mem::take(&mut found.is_open) {
            self.add_inserted(parsing, chart, found);
        }
        for &id in &language.emission_sets.several {
            if has_bit(&found.undecided, usize::from(id.0)) {
                self.decide_one(parsing, chart, id, found);
            }
        }
        self.hold(language, &found.roots, &mut found.emissions);
        self.add_breaks(language, found);
        found.undecided.fill(0);
    }

    /// Decides an emission of several symbols. Whether it is alive.
    fn decide_one(
        &mut self,
        parsing: &mut Parsing<'_>,
        chart: LeftChart,
        id: EmissionId,
        found: &mut Liveness,
    ) -> bool {
        let (word, bit) = (usize::from(id.0) / 64, 1 << (id.0 % 64));
        let steps = parsing.language.lexer.scanner.emission(id).steps();
        let is_live = self.is_sequence_live(parsing, chart, steps);
        found.undecided[word] &= !bit;
        found.emissions[word] |= if is_live { bit } else { 0 };
        is_live
    }

    /// Adds the emissions behind symbols that could have been inserted. The undecided ones are then those of several
    /// symbols of which the first is alive, and line breaks.
    fn add_inserted(&mut self, parsing: &mut Parsing<'_>, chart: LeftChart, found: &mut Liveness) {
        let language = parsing.language;
        let sets = &language.emission_sets;
        let mut behind_inserted = found.behind_marks.clone();
        for insertion in sets.insertable_symbols().iter().filter(|insertion| !insertion.is_between)
        {
            if !has_bit(&found.terminals, insertion.symbol.index()) {
                continue;
            }
            let inserted = Symbol { terminal: insertion.symbol, column: None };
            if let Some(behind) = parsing.step(chart, inserted) {
                // Whatever symbol is left out, the terminals that may follow are mostly the same.
                if !self.liveness.terminals.contains_key(&behind) {
                    let live = self.live_terminals(parsing, behind);
                    self.liveness.terminals.insert(behind, live);
                }
                let live = &self.liveness.terminals[&behind];
                insertion.add_of(live, &mut found.emissions);
                join(&mut behind_inserted, live);
            }
        }
        let first = with_written_names(&language.rules, &found.terminals);
        let mut undecided: Bits = SmallVec::from_slice(&sets.breaks);
        for &id in &sets.several {
            let emission = language.lexer.scanner.emission(id);
            let is_first_live = emission.symbols.first().is_some_and(|symbol| {
                let is_inserted_live = emission.inserted_terminal().is_some()
                    && has_bit(&behind_inserted, symbol.index());
                is_inserted_live || has_bit(&first, symbol.index())
            });
            undecided[usize::from(id.0) / 64] |= u64::from(is_first_live) << (id.0 % 64);
        }
        self.add_breaks(language, found);
        for (undecided, known) in undecided.iter_mut().zip(&found.emissions) {
            *undecided &= !known;
        }
        found.undecided = undecided;
    }

    /// Adds skipped line breaks, if a symbol that may come behind one is alive.
    pub(super) fn add_breaks(&self, language: &Language, found: &mut Liveness) {
        let Some(clean) = language.lexer.scanner.behind_break() else { return };
        let is_live = meet(&found.emissions, language.reach.words(clean))
            || found.roots.iter().any(|&root| self.right.can_reach_entry(root, clean));
        if is_live {
            for (word, &breaks) in found.emissions.iter_mut().zip(&language.emission_sets.breaks) {
                *word |= breaks;
            }
        }
    }

    /// Adds ignored text that is held (`Scanner::is_held`), if a symbol that may come behind it is alive.
    fn hold(&self, language: &Language, roots: &[RootIdx], emissions: &mut [u64]) {
        let scanner = &language.lexer.scanner;
        for held in scanner.held_emissions() {
            let adjacency =
                language.tables().adjacency.expect("only without a layout is something held");
            let is_live = adjacency.begun_behind_held(held).iter().any(|&begun| {
                let mut ways = language.reach.emissions(begun);
                let is_live = |EmissionId(id): EmissionId| {
                    let is_symbol = !scanner.emission(EmissionId(id)).symbols.is_empty();
                    is_symbol && has_bit(emissions, usize::from(id))
                };
                ways.any(is_live)
                    || roots.iter().any(|&root| self.right.can_reach_entry(root, begun))
            });
            emissions[usize::from(held.0) / 64] |= u64::from(is_live) << (held.0 % 64);
        }
    }

    pub(super) fn is_sequence_live(
        &mut self,
        parsing: &mut Parsing<'_>,
        chart: LeftChart,
        terminals: &[TerminalId],
    ) -> bool {
        let behind = terminals.iter().try_fold(chart, |chart, &terminal| {
            parsing.step(chart, Symbol { terminal, column: None })
        });
        behind.is_some_and(|chart| self.has_way(parsing, chart))
    }
}
