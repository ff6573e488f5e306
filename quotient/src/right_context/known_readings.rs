//! Readings of a text by distances from its end, as `known_symbols`, where the parser decides how it reads.
//!
//! Behind a right context's cut it is unknown what the parser can take, so at each fork all branches are read. They
//! soon meet again: a place is an offset and a clean state, each place is read once, and its chart is the union of
//! those in front of its symbols. A reading that the parser would not have chosen does no harm: the grammar is
//! not ambiguous about what a fork begins, so such a reading meets no left context.
//!
//! ```text
//! } / a `b` /          a block ends, or a template's field; `/` divides, or it begins a regular expression
//! ```
//!
//! Most branches are dead at once, since what they begin never stands behind the symbol in front: a place therefore has
//! that symbol, too. Between the tags of JSX anything is text, and every place of a file could be there.
//!
//! The text of a template may seem to begin at every `}`, and to go on for the rest of the file. How a symbol ends that
//! has come to a place in some state is therefore known, too, and reading begins with the last forks.
//!
//! In the paper: regular languages as input, section IV.A; here charts of several readings are united.

use fim_lexer::scanner::{Branch, EmissionId};
use fim_lexer::suffix::{SymbolEnd, symbol_end};
use fim_lexer::{RawState, TerminalId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::gaps::{Gap, GapPlace, Gaps};
use super::line_charts::NothingFits;
use crate::charts::{RightChart, RightCharts, StepFault};
use crate::grammar::Tables;

/// The readings of a text, by distances from its end.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownReadings {
    /// The charts in front of gaps.
    known: Gaps<Result<RightChart, ReadingFault>>,
    /// How contextual symbols end that are not short.
    ends: FxHashMap<GapPlace, End>,
}

/// How a symbol ends: what it is, and the place behind it. `None` where it does not.
type End = Option<(EmissionId, GapPlace)>;

/// Why a text cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ReadingFault {
    /// Nothing fits in front of the symbol that begins so far from the end.
    Symbol(u32),
    /// The symbol that begins at a gap never stands behind the symbol in front of it.
    InFront,
}

/// The symbols that may begin at a place.
enum Next {
    /// The text has ended.
    TextEnd,
    /// A symbol, which may be one that is skipped, and the gap behind it.
    Symbol(EmissionId, Gap),
    /// Several things, the first reading last.
    Forked(SmallVec<[GapPlace; 2]>),
    /// Nothing.
    Dead,
    /// A symbol that never stands behind the one in front.
    Misplaced,
}

/// Contextual symbols of fewer bytes are read again wherever that is asked.
const SHORT: u32 = 16;

/// The most skipped symbols in a row that are read with the symbol behind them, as if there were one gap in front of all.
const MAX_SKIPPED: u32 = 4;

/// A gap whose chart is being worked out.
struct Open {
    gap: Gap,
    /// Where the symbol begins that is read behind what is skipped, and how much that is.
    begin: u32,
    n_skipped: u32,
    /// The branches that have not been read yet, the first reading last.
    branches: SmallVec<[GapPlace; 2]>,
    /// The symbol that was read last. If the gap behind it is not known, that is worked out first.
    symbol: EmissionId,
    charts: SmallVec<[RightChart; 4]>,
    /// The fault of the first reading, which is the one that a person means.
    error: Option<ReadingFault>,
}

impl KnownReadings {
    /// Forgets the readings farther from the end than `distance`.
    pub(super) fn truncate(&mut self, distance: usize) {
        self.known.truncate(distance);
        self.ends.retain(|&(known, _), _| known as usize <= distance);
    }

    /// Bytes held, roughly.
    pub(super) fn memory(&self) -> usize {
        self.known.memory() + self.ends.capacity() * (size_of::<(GapPlace, End)>() + 1)
    }

    /// The chart in front of `at`, where reading begins in `clean`.
    pub(super) fn read(
        &mut self,
        tables: &Tables<'_>,
        charts: &mut RightCharts,
        text: &[u8],
        at: usize,
        clean: RawState,
    ) -> Result<RightChart, NothingFits> {
        let distance = (text.len() - at) as u32;
        let wanted = ((distance, clean), None);
        let found = match self.known.get(wanted) {
            Some(found) => found,
            None => self.work_out(tables, charts, text, wanted),
        };
        found.map_err(|misfit| match misfit {
            ReadingFault::Symbol(distance) => {
                NothingFits { offset: text.len() - distance as usize }
            }
            ReadingFault::InFront => NothingFits { offset: at },
        })
    }

    fn work_out(
        &mut self,
        tables: &Tables<'_>,
        charts: &mut RightCharts,
        text: &[u8],
        wanted: Gap,
    ) -> Result<RightChart, ReadingFault> {
        self.known.make_room(wanted);
        let mut open = vec![Open::new(wanted)];
        loop {
            let top = open.last_mut().expect("the wanted gap is worked out last");
            let Some(branch) = top.branches.pop() else {
                let found = top.finish(tables, charts);
                self.known.insert(top.gap, found);
                open.pop();
                match open.last_mut() {
                    Some(waiting) => waiting.take(tables, charts, found),
                    None => return found,
                }
                continue;
            };
            match self.next(tables, text, branch, top.gap.1) {
                Next::TextEnd => {
                    let inserted = tables.lexer.scanner.inserted_before_end(branch.1);
                    let step =
                        |terminal| charts.step(tables.rules, RightChart::LAST, terminal, None);
                    top.charts.push(inserted.and_then(step).unwrap_or(RightChart::LAST));
                }
                Next::Dead => top.fail(ReadingFault::Symbol(top.begin)),
                Next::Misplaced => top.fail(ReadingFault::InFront),
                Next::Forked(branches) => top.branches.extend(branches),
                Next::Symbol(emission, behind) => {
                    top.symbol = emission;
                    let is_skipped = tables.lexer.scanner.emission(emission).steps().is_empty();
                    match self.known.get(behind) {
                        Some(found) => top.take(tables, charts, found),
                        None if is_skipped && top.n_skipped < MAX_SKIPPED => top.skip_to(behind.0),
                        None => open.push(Open::new(behind)),
                    }
                }
            }
        }
    }

    /// The symbols that a branch leads to behind a symbol.
    fn next(
        &mut self,
        tables: &Tables<'_>,
        text: &[u8],
        branch: GapPlace,
        last: Option<TerminalId>,
    ) -> Next {
        let scanner = &tables.lexer.scanner;
        let distance = |at: usize| (text.len() - at) as u32;
        let may_stand = |emission: EmissionId| {
            last.is_none_or(|last| tables.rules.may_be_emitted_behind(last, emission))
        };
        let mut known: Option<End> = None;
        let ends = &self.ends;
        let found =
            symbol_end(scanner, text, text.len() - branch.0 as usize, branch.1, |at, state| {
                if !scanner.is_branch(state) {
                    return None;
                }
                known = ends.get(&(distance(at), state)).copied();
                known.map(|_| SymbolEnd::Dead)
            });
        let end = match (known, found) {
            (Some(end), _) => end,
            (None, SymbolEnd::Ended { emission, end, restart }) => {
                Some((emission, (distance(end), restart)))
            }
            (None, SymbolEnd::Dead) => None,
            (None, SymbolEnd::TextEnd) => return Next::TextEnd,
            (None, SymbolEnd::Fork { state, at }) => {
                let Some(fork) = scanner.fork(state) else { return Next::Dead };
                let may_begin = |branch: &&Branch| branch.emissions.iter().any(|&id| may_stand(id));
                let states = fork.branches.iter().filter(may_begin).map(|branch| branch.state);
                let states =
                    states.chain([fork.otherwise]).filter(|&state| state != RawState::DEAD);
                let branches: SmallVec<_> = states.map(|state| (distance(at), state)).collect();
                return if branches.is_empty() { Next::Misplaced } else { Next::Forked(branches) };
            }
        };
        let is_soon_read = end.is_some_and(|(_, behind)| branch.0 - behind.0 < SHORT);
        if scanner.is_branch(branch.1) && !is_soon_read {
            self.ends.insert(branch, end);
        }
        let Some((emission, behind)) = end else { return Next::Dead };
        if !may_stand(emission) {
            return Next::Misplaced;
        }
        let symbol = scanner.emission(emission).symbols.last().copied();
        if symbol.is_some_and(|symbol| symbol.index() >= tables.rules.n_terminals()) {
            // It stands for an error.
            return Next::Dead;
        }
        Next::Symbol(emission, (behind, symbol.or(last)))
    }
}

impl Open {
    fn new(gap: Gap) -> Self {
        let branches = SmallVec::from_slice(&[gap.0]);
        let begin = gap.0.0;
        let (symbol, charts) = (EmissionId(0), SmallVec::new());
        Self { gap, begin, n_skipped: 0, branches, symbol, charts, error: None }
    }

    /// Reads on behind what is skipped.
    fn skip_to(&mut self, behind: GapPlace) {
        self.begin = behind.0;
        self.n_skipped += 1;
        self.branches.push(behind);
    }

    /// Puts the symbol that was read last in front of a chart.
    fn take(
        &mut self,
        tables: &Tables<'_>,
        charts: &mut RightCharts,
        behind: Result<RightChart, ReadingFault>,
    ) {
        let emission = tables.lexer.scanner.emission(self.symbol);
        let (symbol, front) = ((self.symbol, emission), self.gap.1);
        match behind.map(|chart| charts.steps_behind(tables.rules, chart, symbol, front)) {
            Ok(Ok(chart)) => self.charts.push(chart),
            Ok(Err(StepFault::InFront)) => self.fail(ReadingFault::InFront),
            Err(ReadingFault::InFront) if emission.symbols.is_empty() => {
                self.fail(ReadingFault::InFront)
            }
            Ok(Err(StepFault::Symbol)) | Err(ReadingFault::InFront) => {
                self.fail(ReadingFault::Symbol(self.begin))
            }
            Err(error) => self.fail(error),
        }
    }

    fn fail(&mut self, error: ReadingFault) {
        self.error.get_or_insert(error);
    }

    /// The result of all readings together.
    fn finish(
        &mut self,
        tables: &Tables<'_>,
        charts: &mut RightCharts,
    ) -> Result<RightChart, ReadingFault> {
        let found = charts.union(tables.rules, &mut self.charts);
        found.ok_or(self.error.unwrap_or(ReadingFault::Symbol(self.begin)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::{GrammarDescription, Language};

    #[test]
    fn charts_have_only_what_the_symbol_in_front_stands_before() {
        let text = include_str!("../../grammars/javascript.json");
        let language = Language::new(GrammarDescription::from_json(text).unwrap()).unwrap();
        let (tables, rules) = (language.tables(), &language.rules);
        let mut charts = RightCharts::new(rules);
        let mut readings = KnownReadings::default();
        let text = b"a = f((b, c) => [b, c], d)\nif (a) { e }\n";
        let clean = language.lexer.scanner.start(None);
        readings.read(&tables, &mut charts, text, 0, clean).unwrap();
        // Behind the last symbol nothing is read.
        let known = readings.known.iter().filter(|(gap, _)| gap.0.0 > 1);
        let known = known.filter_map(|((_, front), found)| Some((front?.index(), found.ok()?)));
        let mut n_charts = 0;
        for (front, chart) in known {
            let stands_in_front =
                |state| rules.in_front(state)[front / 64] & (1 << (front % 64)) != 0;
            let (mut n_items, mut n_behind) = (0, 0);
            for item in charts.items(rules, chart) {
                n_items += 1;
                n_behind += usize::from(stands_in_front(item.state));
            }
            // Or none, where this reading dies.
            assert!(n_behind == n_items || n_behind == 0, "{n_behind} of {n_items}");
            n_charts += usize::from(n_behind > 0);
        }
        assert!(n_charts > 20, "{n_charts}");
    }
}
