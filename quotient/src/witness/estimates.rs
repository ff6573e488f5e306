//! Estimates: the least cost of a text that makes the whole file parse, from a place on.
//!
//! The costs in `Hole` count symbols from a chart on. Here the lexer's state comes in: the bytes that the symbol in
//! progress lacks, the column that a line begins at, the right context that goes on with a symbol or a line break. No
//! estimate is too high, so the search for a shortest text may trust them.

use std::sync::Arc;

use fim_lexer::lexer::{LexState, Symbol};
use fim_lexer::scanner::{RawState, StateKind};
use fim_lexer::{Column, Columns, TerminalId};
use rustc_hash::FxHashMap;

use super::WitnessSearch;
use crate::charts::LeftChart;
use crate::grammar::{BYTE, IMPOSSIBLE};
use crate::hole::Place;
use crate::right_side::{Entrance, Exit, RootIdx, bytes_of_quotes, bytes_of_quotes_begun};

impl WitnessSearch<'_> {
    /// The least number of bytes that any text needs; `None` if no text fits.
    pub(crate) fn least_rest(&mut self, place: &Place) -> Option<usize> {
        let scanner = &self.hole.language().lexer.scanner;
        let lexed = &place.lexed;
        let cost = match scanner.kind(lexed.raw) {
            StateKind::Dead => IMPOSSIBLE,
            StateKind::Symbol | StateKind::CharacterName => {
                let ended = self.cost_of_symbol(place);
                self.cost_of_straddling(place.chart, lexed.raw, ended)
            }
            StateKind::Comment => {
                let behind = self.cost_of_comment(place);
                self.cost_of_straddling(place.chart, lexed.raw, behind)
            }
            StateKind::Backslash | StateKind::BackslashCarriageReturn if self.may_break(place) => {
                let is_possible = self.hole.cost(place.chart) < IMPOSSIBLE;
                if is_possible { 0 } else { IMPOSSIBLE }
            }
            StateKind::CarriageReturn if !lexed.is_line_start => {
                let cost = self.cost_behind_separator(place.chart);
                if self.may_break(place) { 0 } else { cost }
            }
            StateKind::Backslash => BYTE.saturating_add(self.cost_behind_separator(place.chart)),
            _ if lexed.is_line_start => self.cost_of_line(place),
            _ => self.cost_behind_separator(place.chart),
        };
        // Quotes that are open already are part of the root's cost.
        let open = BYTE * bytes_of_quotes(&self.hole.language().lexer, &lexed.frames);
        (cost < IMPOSSIBLE).then_some((cost.saturating_sub(open) / BYTE) as usize)
    }

    /// Whether the right context may go on with the line break that is in progress.
    fn may_break(&mut self, place: &Place) -> bool {
        if place.lexed.is_line_start {
            return true;
        }
        let right = Arc::clone(self.hole.right());
        (0..right.roots.len()).map(|index| RootIdx(index as u16)).any(|root| {
            matches!(right.roots[usize::from(root.0)].entrance, Entrance::Middle(at) if at > 0)
                && self.hole.meets(place.chart, root)
        })
    }

    /// The cost of the text that must follow where white space stands already behind the last symbol.
    fn cost_behind_separator(&mut self, chart: LeftChart) -> u32 {
        let cost = self.hole.cost(chart);
        let costs = self.hole.language().costs.at(self.hole.parsing.rules(), Column::ZERO);
        let is_behind_word =
            self.hole.parsing.items(chart).iter().any(|item| costs.is_behind_word(item.state));
        if is_behind_word && cost < IMPOSSIBLE { cost.saturating_sub(BYTE) } else { cost }
    }

    /// The cost of ending the symbol in progress and of the text that must follow.
    fn cost_of_symbol(&mut self, place: &Place) -> u32 {
        let language = self.hole.language();
        let scanner = &language.lexer.scanner;
        let name = place.lexed.name.and_then(|name| name.shortest_rest());
        let name = BYTE * name.map_or(0, |rest| rest.len()) as u32;
        let costs = self.costs_of_emissions(place.chart);
        let ways = language.remainders.of(scanner, &language.reach, place.lexed.raw);
        let ways = ways.iter().map(|&(emission, n_bytes)| {
            if self.is_name(place, emission) {
                return self.cost_of_name_in_progress(place, (emission, n_bytes));
            }
            let cost = costs[usize::from(emission.0)];
            // As in `least_rest`, quotes that begin are part of the root's cost.
            let change = scanner.emission(emission).change;
            let open = BYTE * bytes_of_quotes_begun(&language.lexer, change);
            let cost = if cost < IMPOSSIBLE { cost.saturating_sub(open) } else { cost };
            cost.saturating_add(BYTE * n_bytes)
        });
        ways.min().unwrap_or(IMPOSSIBLE).saturating_add(name)
    }

    /// The cost of ending a comment and its line, and of the text that must follow.
    fn cost_of_comment(&mut self, place: &Place) -> u32 {
        let is_in_line = !place.lexed.is_line_start && place.lexed.frames.is_empty();
        let mut chart = place.chart;
        if let Some(layout) = self.hole.language().lexer.layout().filter(|_| is_in_line) {
            let newline = Symbol { terminal: layout.newline, column: None };
            let Some(behind) = self.hole.parsing.step(chart, newline) else {
                return IMPOSSIBLE;
            };
            chart = behind;
        }
        BYTE.saturating_add(self.cost_behind_separator(chart))
    }

    /// The cost of bringing the symbol in progress to where the right context goes on with it, or `limit` if less.
    fn cost_of_straddling(&mut self, chart: LeftChart, raw: RawState, limit: u32) -> u32 {
        let right = Arc::clone(self.hole.right());
        let mut least = limit;
        for root in (0..right.roots.len()).map(|index| RootIdx(index as u16)) {
            if least > 0 && right.can_reach_entry(root, raw) && self.hole.meets(chart, root) {
                let n_bytes = right.least_entry(&self.hole.language().tables(), raw, root);
                least = least.min(n_bytes.map_or(IMPOSSIBLE, |n_bytes| BYTE * n_bytes as u32));
            }
        }
        least
    }

    /// The cost at the start of a line: that of a symbol at one of the open columns, or of a new line.
    fn cost_of_line(&mut self, place: &Place) -> u32 {
        let Some(layout) = self.hole.language().lexer.layout() else { return 0 };
        let lexed = &place.lexed;
        let rules = self.hole.parsing.rules();
        let whole = self.hole.cost(place.chart);
        let mut least = BYTE.saturating_add(whole).min(self.cost_of_line_end(place));
        let around = lexed.indents.last().copied().unwrap_or_default();
        for column in self.columns_to_begin(around, lexed) {
            let indent = Symbol { terminal: layout.indent, column: Some(column) };
            let Some(chart) = self.hole.parsing.left.step(rules, place.chart, indent) else {
                break;
            };
            least = least.min(self.cost_at_column(chart, lexed, column));
        }
        let mut chart = place.chart;
        for &column in lexed.indents.iter().rev() {
            let read = lexed.line_column();
            if column.wide < read.wide || column.narrow < read.narrow {
                break;
            }
            if lexed.joined_column.is_none_or(|joined| joined == column) {
                least = least.min(self.cost_at_column(chart, lexed, column));
            }
            let dedent = Symbol { terminal: layout.dedent, column: None };
            let Some(outer) = self.hole.parsing.left.step(rules, chart, dedent) else { break };
            chart = outer;
        }
        least
    }

    /// The cost of letting the line in progress end in the right context without a symbol.
    fn cost_of_line_end(&mut self, place: &Place) -> u32 {
        let right = Arc::clone(self.hole.right());
        let mut least = IMPOSSIBLE;
        for root in (0..right.roots.len()).map(|index| RootIdx(index as u16)) {
            let entrance = right.roots[usize::from(root.0)].entrance;
            if matches!(entrance, Entrance::Line(_) | Entrance::Joined(_))
                && self.hole.meets(place.chart, root)
            {
                least = least.min(right.exit_cost(Exit::Root(root)));
            }
        }
        least
    }

    /// The cost of the rest if the line in progress stands at `column`. `chart` is behind its INDENT or DEDENTs.
    fn cost_at_column(&mut self, chart: LeftChart, lexed: &LexState, column: Column) -> u32 {
        let missing = |n_bytes: u32| match lexed.joined_column {
            Some(_) => 0,
            None => BYTE * n_bytes.saturating_sub(lexed.column.narrow).min(1 << 8),
        };
        let next = self.cost_of_next(chart);
        let mut least = next.saturating_add(missing(column.narrow));
        let right = Arc::clone(self.hole.right());
        for root in (0..right.roots.len()).map(|index| RootIdx(index as u16)) {
            if matches!(right.roots[usize::from(root.0)].entrance, Entrance::LineStart(_))
                && self.hole.meets(chart, root)
            {
                least = least.min(missing(right.missing_white(root, column)));
            }
        }
        least
    }

    /// The columns at which a suite inside of `around` may begin in this line; of equivalent ones the least.
    fn columns_to_begin(&self, around: Column, lexed: &LexState) -> Vec<Column> {
        let possible = match lexed.joined_column {
            Some(joined) => Columns::exactly(joined),
            None => Columns::at_least(lexed.column),
        };
        let Some(possible) = possible.and(Columns::deeper_than(around)) else { return Vec::new() };
        let suites = self.hole.right().instances.iter().filter(|instance| instance.is_marked);
        let own = suites.filter_map(|suite| suite.marks.columns().and(possible));
        let mut found: Vec<Column> = own.chain([possible]).map(|columns| columns.least).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The cost of a symbol and of the text that must follow it, without white space in front.
    fn cost_of_next(&mut self, chart: LeftChart) -> u32 {
        let scanner = &self.hole.language().lexer.scanner;
        let costs = self.costs_of_emissions(chart);
        let ways = self.hole.language().remainders.of(
            scanner,
            &self.hole.language().reach,
            scanner.start(None),
        );
        let ways = ways.iter().filter(|(id, _)| !scanner.emission(*id).symbols.is_empty());
        let ways =
            ways.map(|&(id, n_bytes)| costs[usize::from(id.0)].saturating_add(BYTE * n_bytes));
        let least = ways.min().unwrap_or(IMPOSSIBLE);
        self.cost_of_straddling(chart, scanner.start(None), least)
    }

    /// For each emission the cost of the text that must follow it.
    fn costs_of_emissions(&mut self, chart: LeftChart) -> Arc<[u32]> {
        if let Some(known) = self.hole.known_emission_costs(chart) {
            return known;
        }
        let own = self.hole.cost(chart);
        let behind = self.hole.costs_behind(chart);
        let emissions = self.hole.language().lexer.scanner.emissions();
        let mut behind_inserted: FxHashMap<LeftChart, Vec<u32>> = FxHashMap::default();
        let mut found = Vec::with_capacity(emissions.len());
        for emission in emissions {
            found.push(match emission.symbols[..] {
                [] => own,
                [terminal] if let Some(inserted) = emission.inserted_terminal() => {
                    let inserted = Symbol { terminal: inserted, column: None };
                    let behind = self.hole.parsing.step(chart, inserted).unwrap_or(chart);
                    let costs = behind_inserted
                        .entry(behind)
                        .or_insert_with(|| self.hole.costs_behind(behind));
                    costs.get(terminal.index()).copied().unwrap_or(IMPOSSIBLE)
                }
                [_, ..] if emission.inserted_terminal().is_some() => {
                    let behind = emission.steps().iter().try_fold(chart, |chart, &terminal| {
                        self.hole.parsing.step(chart, Symbol { terminal, column: None })
                    });
                    behind.map_or(IMPOSSIBLE, |chart| self.hole.cost(chart))
                }
                [terminal] => behind.get(terminal.index()).copied().unwrap_or(IMPOSSIBLE),
                [first, ref rest @ ..] if behind[first.index()] < IMPOSSIBLE => {
                    self.cost_behind_all(chart, first, rest)
                }
                _ => IMPOSSIBLE,
            });
        }
        let found: Arc<[u32]> = found.into();
        self.hole.keep_emission_costs(chart, &found);
        found
    }

    fn cost_behind_all(&mut self, chart: LeftChart, first: TerminalId, rest: &[TerminalId]) -> u32 {
        let mut symbols = std::iter::once(first).chain(rest.iter().copied());
        let behind = symbols.try_fold(chart, |chart, terminal| {
            self.hole.parsing.step(chart, Symbol { terminal, column: None })
        });
        behind.map_or(IMPOSSIBLE, |chart| self.hole.cost(chart))
    }
}
