//! Backward charts of a right context, built line by line from its end.
//!
//! Lexing runs forward (`logical_lines.rs`), parsing backward.
//!
//! The chart in front of each logical line depends only on the text from there to the end, so it
//! is remembered by its distance from the end: as long as an edit lies farther left, it holds.

mod known_lines;
mod logical_lines;

use std::sync::Arc;

use fim_lexer::suffix::{Leading, next_line};
use fim_lexer::{Lexer, LineColumn, RawState, TerminalId};
use rustc_hash::FxHashMap;

use self::known_lines::{Known, KnownLines, Line};
pub(super) use self::logical_lines::n_blanks;
use self::logical_lines::{LineEntry, lex_until_known, line_ends, logical_lines};
use super::depth::Depth;
use super::known_readings::KnownReadings;
use super::known_symbols::KnownSymbols;
use crate::charts::{LineBreak, RightChart, RightCharts};
use crate::grammar::Tables;

/// The chart at a place of a right context, and how deep the suites nest from its line on; from the
/// next line on, if the place is in the middle of one.
pub(crate) type LineFront = (RightChart, Option<Arc<Depth>>);

/// The charts of the logical lines of a text.
#[derive(Clone, Debug, Default)]
pub(crate) struct LineCharts {
    known: KnownLines,
    /// The charts of a language without lines.
    symbols: KnownSymbols,
    /// The charts where the parser decides how a text reads.
    readings: KnownReadings,
    /// Places in the middles of lines that f-strings end at, by their distances.
    middles: FxHashMap<u32, Option<LineFront>>,
}

/// How a line begins.
#[derive(Clone, Copy, Debug)]
struct Begin {
    column: LineColumn,
    /// The terminal of the joined line break that it begins with (3.8).
    joined: Option<TerminalId>,
}

impl Begin {
    /// How the line begins whose first symbol, or backslash, is at `start`.
    fn at(lexer: &Lexer, text: &[u8], start: usize, column: LineColumn) -> Self {
        let joined = lexer.layout().and_then(|layout| layout.joined);
        Self { column, joined: joined.filter(|_| text[start] == b'\\') }
    }
}

/// No text can stand in front: the offset of the symbol that makes it so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NothingFits {
    pub(crate) offset: usize,
}

impl LineCharts {
    /// Forgets the lines that begin farther from the end than `distance`, white space included.
    pub(crate) fn truncate(&mut self, distance: usize) {
        self.known.truncate(distance);
        self.symbols.truncate(distance);
        self.readings.truncate(distance);
        self.middles.retain(|&known, _| known as usize <= distance);
    }

    /// Bytes held, roughly.
    pub(crate) fn memory(&self) -> usize {
        self.known.memory()
            + self.symbols.memory()
            + self.readings.memory()
            + self.middles.capacity() * 21
    }

    /// The chart at `at`, a place in the middle of a line where a symbol may begin, in the state `clean`.
    pub(crate) fn middle_of_line(
        &mut self,
        tables: &Tables<'_>,
        charts: &mut RightCharts,
        text: &[u8],
        at: usize,
        clean: RawState,
    ) -> Result<LineFront, NothingFits> {
        if tables.lexer.scanner.is_branching() {
            let chart = self.readings.read(tables, charts, text, at, clean)?;
            return Ok((chart, None));
        }
        if tables.lexer.layout().is_none() {
            let chart = self.symbols.read(tables, charts, text, at, clean)?;
            return Ok((chart, None));
        }
        self.read(tables, charts, text, at, None)
    }

    /// The chart in the middle of a line, remembered.
    pub(crate) fn known_middle_of_line(
        &mut self,
        tables: &Tables<'_>,
        charts: &mut RightCharts,
        text: &[u8],
        at: usize,
    ) -> Option<LineFront> {
        let distance = (text.len() - at) as u32;
        if let Some(known) = self.middles.get(&distance) {
            return known.clone();
        }
        let found =
            self.middle_of_line(tables, charts, text, at, tables.lexer.scanner.start(None)).ok();
        self.middles.insert(distance, found.clone());
        found
    }

    /// How deep suites nest behind the places that f-strings end at.
    pub(crate) fn depths_behind(&self, text: &[u8]) -> FxHashMap<usize, Option<Arc<Depth>>> {
        let found = self.middles.iter().filter_map(|(&distance, front)| {
            let (_, depth) = front.as_ref()?;
            Some((text.len().checked_sub(distance as usize)?, depth.clone()))
        });
        found.collect()
    }

    /// The chart at `at`, the beginning of a line of which nothing stands in front.
    pub(crate) fn line_start(
        &mut self,
        tables: &Tables<'_>,
        charts: &mut RightCharts,
        text: &[u8],
        at: usize,
    ) -> Result<LineFront, NothingFits> {
        let layout = tables.lexer.layout().expect("only Python's layout has lines");
        let ((chart, depth), column) = match next_line(tables.lexer, text, at) {
            Leading::TextEnd => ((RightChart::LAST, None), Line::BEHIND_ALL.column),
            Leading::Symbol { start, column } => {
                let front = match self.known.line(text, start) {
                    Some(line) => (line.chart, line.depth.clone()),
                    None => self.read(tables, charts, text, start, Some((at, column)))?,
                };
                (front, column)
            }
            Leading::LineEnd(_) | Leading::Dead => return Err(NothingFits { offset: at }),
        };
        let chart = charts.line_start(tables.rules, layout, chart, column);
        Ok((chart.ok_or(NothingFits { offset: at })?, depth))
    }

    /// Reads from `at` to the end or to a known line, then builds charts backward. If a line's
    /// first symbol is at `at`, `line` says where the line begins and its column, and its own
    /// depth is given; else that of the next line.
    fn read(
        &mut self,
        tables: &Tables<'_>,
        charts: &mut RightCharts,
        text: &[u8],
        at: usize,
        line: Option<(usize, LineColumn)>,
    ) -> Result<LineFront, NothingFits> {
        let column = line.map(|(_, column)| column);
        let mut entries = Vec::new();
        let known = |begin, start| self.known.get(text, begin, start);
        let lexed = lex_until_known(tables.lexer, text, at, &mut entries, known);
        let known = lexed.inspect_err(|&error| {
            let is_break = |&index: &usize| entries[index].emission.is_none();
            let breaks = (0..entries.len()).filter(is_break);
            self.known.bury(text, &entries, breaks, error, true);
        })?;
        let breaks = line_ends(tables.lexer, &entries, column.is_some())?;
        let is_followed = known.is_some();
        let mut following = match known {
            None => Line::BEHIND_ALL,
            Some(Known::Line(line)) => line,
            Some(Known::Dead(error)) => {
                self.known.bury(text, &entries, breaks, error, false);
                return Err(error);
            }
        };
        let mut lines = logical_lines(tables.lexer, text, &entries, &breaks);
        let first = if lines.is_empty() { 0..0 } else { lines.remove(0) };
        for range in lines.into_iter().rev() {
            let start = entries[range.start].start as usize;
            let after_break = entries[range.start - 1].end as usize;
            let Leading::Symbol { column, start: first } =
                next_line(tables.lexer, text, after_break)
            else {
                return Err(NothingFits { offset: start });
            };
            let line = &entries[range.clone()];
            let begin = Some(Begin::at(tables.lexer, text, first, column));
            let chart = read_line(tables, charts, text, line, &following, begin);
            let chart = chart.inspect_err(|&error| {
                let in_front = breaks.iter().copied().take_while(|&index| index < range.start);
                self.known.bury(text, &entries, in_front, error, false);
            })?;
            let depth = depth_in_front(column, &following, start)?;
            following = Line { column, depth, chart, begin: (text.len() - after_break) as u32 };
            self.known.insert(text, start, following.clone());
        }
        let ends_line = entries.get(first.end).is_some() || is_followed;
        if !ends_line {
            return Err(NothingFits { offset: at });
        }
        let entries = &entries[first];
        let begin = column.map(|column| Begin::at(tables.lexer, text, at, column));
        let chart = read_line(tables, charts, text, entries, &following, begin)?;
        let mut depth = following.depth.clone();
        if let Some((begin, column)) = line {
            depth = depth_in_front(column, &following, at)?;
            let begin = (text.len() - begin) as u32;
            let line = Line { column, depth: depth.clone(), chart, begin };
            self.known.insert(text, at, line);
        }
        Ok((chart, depth))
    }
}

/// The depth from a line at `column` on, whose first symbol is at `start`.
fn depth_in_front(
    column: LineColumn,
    following: &Line,
    start: usize,
) -> Result<Option<Arc<Depth>>, NothingFits> {
    let LineColumn::At(column) = column else { return Ok(following.depth.clone()) };
    let depth = Depth::in_front(column, following.depth.as_ref());
    depth.map(Some).ok_or(NothingFits { offset: start })
}

/// Where the first symbol of a line is, or the end of the text.
fn first_symbol(lexer: &Lexer, text: &[u8], line: &Line) -> usize {
    match next_line(lexer, text, text.len() - line.begin as usize) {
        Leading::Symbol { start, .. } => start,
        _ => text.len(),
    }
}

/// The chart in front of a line's entries, behind which `following` comes.
fn read_line(
    tables: &Tables<'_>,
    charts: &mut RightCharts,
    text: &[u8],
    entries: &[LineEntry],
    following: &Line,
    begin: Option<Begin>,
) -> Result<RightChart, NothingFits> {
    let rules = tables.rules;
    let layout = tables.lexer.layout().expect("only Python's layout has lines");
    // If no suite that this line may be in goes on or ends with the next one, that is to blame.
    let first = begin.and_then(|begin| begin.column.known_column());
    let line_break = LineBreak { first, second: following.column };
    let found = charts.newline(rules, layout, following.chart, line_break);
    let offset = || first_symbol(tables.lexer, text, following);
    let mut chart = found.ok_or_else(|| NothingFits { offset: offset() })?;
    let joined = begin.and_then(|begin| begin.joined);
    let column = begin.map(|begin| begin.column);
    let first = entries.iter().position(|entry| entry.emission.is_some());
    for (index, entry) in entries.iter().enumerate().rev() {
        let Some(emission) = entry.emission else { continue };
        let begins_line = Some(index) == first && joined.is_none();
        let column = if begins_line { column } else { None };
        let symbols = &tables.lexer.scanner.emission(emission).symbols;
        for (position, &terminal) in symbols.iter().enumerate().rev() {
            let column = if position == 0 { column } else { None };
            let found = charts.step(rules, chart, terminal, column);
            chart = found.ok_or(NothingFits { offset: entry.start as usize })?;
        }
    }
    if let Some(joined) = joined {
        let found = charts.step(rules, chart, joined, column);
        chart = found
            .ok_or_else(|| NothingFits { offset: first_symbol(tables.lexer, text, following) })?;
    }
    Ok(chart)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::{GrammarDescription, Language};

    fn language() -> Language {
        let text = include_str!("../../grammars/python-3.11.json");
        Language::new(GrammarDescription::from_json(text).unwrap()).unwrap()
    }

    /// The chart in front of the line at `at`.
    fn chart(
        language: &Language,
        charts: &mut RightCharts,
        suffix: &mut LineCharts,
        text: &str,
        at: usize,
    ) -> Option<RightChart> {
        suffix
            .line_start(&language.tables(), charts, text.as_bytes(), at)
            .ok()
            .map(|(chart, _)| chart)
    }

    #[test]
    fn lines_that_are_known_are_not_read_again() {
        let language = language();
        let mut charts = RightCharts::new(&language.rules);
        let mut suffix = LineCharts::default();
        let text = "a = (1,\n  2)\nif b:\n    c\n    d\ne\n";
        let begins = [0, 13, 19, 25, 31];
        assert!(chart(&language, &mut charts, &mut suffix, text, 0).is_some());
        assert_eq!(suffix.known.lines.len(), begins.len());
        let n_charts = charts.n_charts();
        for at in begins {
            let found = chart(&language, &mut charts, &mut suffix, text, at);
            let mut fresh = LineCharts::default();
            assert_eq!(found, chart(&language, &mut charts, &mut fresh, text, at), "{at}");
        }
        assert_eq!(suffix.known.lines.len(), begins.len());
        // A line that may begin a suite has charts of its own in front of it.
        assert!(charts.n_charts() <= n_charts + 3 * begins.len());
    }

    #[test]
    fn an_edit_forgets_the_lines_in_front_of_it_and_its_own() {
        let language = language();
        let mut charts = RightCharts::new(&language.rules);
        let mut suffix = LineCharts::default();
        let text = "a\nb\n  \nc\nd\n";
        assert!(chart(&language, &mut charts, &mut suffix, text, 0).is_some());
        assert_eq!(suffix.known.lines.len(), 4);
        // In the blank line, an edit leaves c and d; directly in front of c it may join c to another line.
        suffix.truncate("\nc\nd\n".len());
        assert_eq!(suffix.known.lines.len(), 2);
        suffix.truncate("c\nd\n".len());
        assert_eq!(suffix.known.lines.len(), 1);
        assert!(suffix.known.lines.contains_key(&2));
    }

    #[test]
    fn repeated_statements_share_their_charts() {
        let language = language();
        let n_charts = |n_times: usize| {
            let mut charts = RightCharts::new(&language.rules);
            let mut suffix = LineCharts::default();
            let text = "def f(a):\n    if a:\n        return [a]\n\n".repeat(n_times);
            assert!(chart(&language, &mut charts, &mut suffix, &text, 0).is_some());
            charts.n_charts()
        };
        assert_eq!(n_charts(10), n_charts(1000));
    }
}
