//! The same as `known_symbols`, where the parser has a say in how a text reads.
//!
//! Behind a right context's cut nobody knows what the parser can take, so at each fork all branches are read. They
//! soon meet again: a place is an offset and a clean state, each place is read once, and its chart is the union of
//! those in front of what may begin there. A reading that the parser would not have chosen does no harm: the grammar is
//! not ambiguous about what a fork begins, so such a reading meets no left context.
//!
//! ```text
//! } / a `b` /          a block ends, or a template's field; `/` divides, or it begins a regular expression
//! ```
//!
//! The text of a template may seem to begin at every `}`, and to go on for the rest of the file. How a symbol ends that
//! has come to a place in some state is therefore known, too, and reading begins with the last forks.

use fim_lexer::RawState;
use fim_lexer::scanner::{EmissionId, Fork};
use fim_lexer::suffix::{SymbolEnd, symbol_end};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::line_charts::NothingFits;
use crate::charts::{RightChart, RightCharts};
use crate::grammar::Tables;

/// A place of a text: its distance from the end, and the state there.
type Place = (u32, RawState);

/// What has been read of a text, by distances from its end.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownReadings {
    /// The charts in front of places between symbols, or how far from the end the symbol is that nothing
    /// fits in front of.
    known: FxHashMap<Place, Result<RightChart, u32>>,
    /// How symbols end that a fork began.
    ends: FxHashMap<Place, End>,
}

/// How a symbol ends: what it is, and the place behind it. `None` where it does not.
type End = Option<(EmissionId, Place)>;

/// What may begin at a place.
enum Next {
    /// The text has ended.
    TextEnd,
    /// A symbol, which may be one that is skipped, and the place behind it.
    Symbol(EmissionId, Place),
    /// Several things, the first reading last.
    Forked(SmallVec<[Place; 2]>),
    /// Nothing.
    Dead,
}

/// A place between symbols whose chart is being worked out.
struct Open {
    place: Place,
    /// What has not been read yet, the first reading last.
    branches: SmallVec<[Place; 2]>,
    /// The symbol that was read last, in front of a place that is worked out first.
    waiting: Option<(EmissionId, Place)>,
    charts: SmallVec<[RightChart; 8]>,
    /// What is wrong with the first reading, which is the one that a person means.
    error: Option<u32>,
}

impl KnownReadings {
    /// Forgets what lies further from the end than `distance`.
    pub(super) fn truncate(&mut self, distance: usize) {
        self.known.retain(|&(known, _), _| known as usize <= distance);
        self.ends.retain(|&(known, _), _| known as usize <= distance);
    }

    /// Bytes held, roughly.
    pub(super) fn memory(&self) -> usize {
        (self.known.capacity() + self.ends.capacity()) * (size_of::<(Place, End)>() + 1)
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
        let wanted = ((text.len() - at) as u32, clean);
        if !self.known.contains_key(&wanted) {
            self.work_out(tables, charts, text, wanted);
        }
        self.known[&wanted].map_err(|error| NothingFits { offset: text.len() - error as usize })
    }

    fn work_out(
        &mut self,
        tables: &Tables<'_>,
        charts: &mut RightCharts,
        text: &[u8],
        wanted: Place,
    ) {
        let mut open = vec![Open::new(wanted)];
        while let Some(top) = open.last_mut() {
            if let Some((emission, behind)) = top.waiting.take() {
                top.take(tables, charts, emission, self.known[&behind]);
                continue;
            }
            let Some(branch) = top.branches.pop() else {
                let found = top.finish(tables, charts);
                self.known.insert(top.place, found);
                open.pop();
                continue;
            };
            match self.next(tables, text, branch) {
                Next::TextEnd => {
                    let inserted = tables.lexer.scanner.inserted_before_end(branch.1);
                    let step =
                        |terminal| charts.step(tables.rules, RightChart::LAST, terminal, None);
                    top.charts.push(inserted.and_then(step).unwrap_or(RightChart::LAST));
                }
                Next::Dead => top.fail(top.place.0),
                Next::Forked(branches) => top.branches.extend(branches),
                Next::Symbol(emission, behind) => match self.known.get(&behind) {
                    Some(&found) => top.take(tables, charts, emission, found),
                    None => {
                        top.waiting = Some((emission, behind));
                        open.push(Open::new(behind));
                    }
                },
            }
        }
    }

    /// What a branch leads to.
    fn next(&mut self, tables: &Tables<'_>, text: &[u8], branch: Place) -> Next {
        let scanner = &tables.lexer.scanner;
        let distance = |at: usize| (text.len() - at) as u32;
        let is_begun = !scanner.kind(branch.1).is_clean();
        let mut known: Option<End> = None;
        let ends = &self.ends;
        let found =
            symbol_end(scanner, text, text.len() - branch.0 as usize, branch.1, |at, state| {
                if !scanner.may_fork(text[at - 1]) {
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
                let states = scanner.fork(state).into_iter().flat_map(Fork::states);
                let states = states.filter(|&state| state != RawState::DEAD);
                return Next::Forked(states.map(|state| (distance(at), state)).collect());
            }
        };
        if is_begun {
            self.ends.insert(branch, end);
        }
        end.map_or(Next::Dead, |(emission, behind)| Next::Symbol(emission, behind))
    }
}

impl Open {
    fn new(place: Place) -> Self {
        let branches = SmallVec::from_slice(&[place]);
        Self { place, branches, waiting: None, charts: SmallVec::new(), error: None }
    }

    /// Puts a symbol in front of a chart.
    fn take(
        &mut self,
        tables: &Tables<'_>,
        charts: &mut RightCharts,
        emission: EmissionId,
        behind: Result<RightChart, u32>,
    ) {
        let steps = tables.lexer.scanner.emission(emission).steps();
        match behind.map(|chart| charts.steps(tables.rules, chart, steps)) {
            Ok(Some(chart)) => self.charts.push(chart),
            Ok(None) => self.fail(self.place.0),
            Err(error) => self.fail(error),
        }
    }

    fn fail(&mut self, error: u32) {
        self.error.get_or_insert(error);
    }

    /// What was found, all readings together.
    fn finish(&mut self, tables: &Tables<'_>, charts: &mut RightCharts) -> Result<RightChart, u32> {
        let found = charts.union(tables.rules, &mut self.charts);
        found.ok_or(self.error.unwrap_or(self.place.0))
    }
}
