//! Recognizers: readers of the texts that fit between a left and a right context, as they are written.
//!
//! In the paper: the incremental recognizer and its membership query, problem 1.

mod document;
mod engine;
mod history;
mod masking;
mod named;
mod nesting;
mod tokens;

use std::fmt;
use std::sync::{Arc, Mutex};

use fim_lexer::Column;
use fim_lexer::scanner::{EmissionId, StateKind};

pub use self::engine::Engine;
use self::engine::Session;
use self::history::History;
use crate::caches::lock;
use crate::charts::{LeftChart, Parsing};
use crate::grammar::{IMPOSSIBLE, Nonterminal};
use crate::hole::{Hole, OpenHole, Place, behind_emission};
use crate::laws::{HeldLaw, with_other_words};
use crate::right_context::{NothingFits, SuffixCharts};
use crate::right_side::{RightSide, Unusable, Ways, ended_text};
use crate::witness::shortest_witness;
use crate::words::{Explanation, explicit_grammar};

pub use self::document::Document;
pub use self::masking::masks;
pub use self::named::Refusal;
pub use self::nesting::Nesting;

/// The context that makes it impossible that any text fits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The left context is no beginning of any text.
    Left,
    /// The right context is no end of any text.
    Right,
    /// Each is possible, but not in the same text.
    Both,
    /// The right context would cost more to read than its length deserves: nothing is known of the texts that fit.
    Unread,
}

/// The error that no text fits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoCompletion {
    /// The context at fault.
    pub side: Side,
    /// The offset of the first byte at fault in that context; for both, the length of the left context.
    pub offset: usize,
}

impl NoCompletion {
    /// The error of an unusable right context of `n_bytes` bytes.
    fn of_right(unusable: Unusable, n_bytes: usize) -> Self {
        match unusable {
            Unusable::NothingFits(NothingFits { offset }) => {
                Self { side: Side::Right, offset: offset.min(n_bytes) }
            }
            Unusable::TooCostly => Self { side: Side::Unread, offset: 0 },
        }
    }
}

impl fmt::Display for NoCompletion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let offset = self.offset;
        match self.side {
            Side::Left => {
                write!(formatter, "the text before the hole has an error at byte {offset}")
            }
            Side::Right => {
                write!(formatter, "the text after the hole has an error at byte {offset}")
            }
            Side::Unread => {
                formatter.write_str("the text after the hole can be read in too many ways")
            }
            Side::Both => formatter.write_str("no text connects what is before and after the hole"),
        }
    }
}

impl std::error::Error for NoCompletion {}

/// A reader of the text of a hole, which says whether the text can still be completed, and whether it is complete.
#[derive(Clone, Debug)]
pub struct Recognizer {
    pub(crate) session: Arc<Session>,
    pub(crate) hole: Arc<Mutex<Hole>>,
    pub(crate) place: Place,
    pub(crate) history: History,
    /// The law, or None where only the grammar counts.
    pub(crate) law: Option<Box<dyn HeldLaw>>,
}

impl Engine {
    /// A recognizer for the texts that fit between `left` and `right`.
    pub fn recognizer(&self, left: &[u8], right: &[u8]) -> Result<Recognizer, NoCompletion> {
        let session = self.shared_session();
        let language = session.language();
        let mut charts = session.charts();
        let parsing = &mut Parsing::new(session.language(), &mut charts);
        let mut place = Place::first(&language.lexer);
        let n_read = place.read(parsing, left);
        if n_read < left.len() {
            let offset = first_error(parsing, left);
            return Err(NoCompletion { side: Side::Left, offset });
        }
        let mut suffix = SuffixCharts::default();
        let text = ended_text(language, right);
        let tables = language.tables();
        let side =
            RightSide::new(&tables, parsing.right, &mut suffix, text, right.len(), &Ways::All);
        let side = side.map_err(|error| NoCompletion::of_right(error, right.len()));
        drop(charts);
        let recognizer = Recognizer::new(Arc::clone(&session), side.map(Arc::new), place, left)?;
        Ok(recognizer)
    }
}

impl Recognizer {
    /// A recognizer at `place`, unless nothing fits. `left` is the left context, for its error's offset.
    pub(crate) fn new(
        session: Arc<Session>,
        side: Result<Arc<RightSide>, NoCompletion>,
        place: Place,
        left: &[u8],
    ) -> Result<Self, NoCompletion> {
        let is_possible = |parsing: &mut Parsing<'_>| is_beginning(parsing, &place);
        let side = match side {
            Ok(side) => side,
            Err(error) => {
                let mut charts = session.charts();
                let parsing = &mut Parsing::new(session.language(), &mut charts);
                if is_possible(parsing) {
                    return Err(error);
                }
                let offset = first_error(parsing, left);
                return Err(NoCompletion { side: Side::Left, offset });
            }
        };
        let mut hole = Hole::new(side);
        let mut charts = session.charts();
        let parsing = &mut Parsing::new(session.language(), &mut charts);
        if !OpenHole::new(&mut hole, parsing.reborrow()).is_completable(&place) {
            if is_possible(parsing) {
                return Err(NoCompletion { side: Side::Both, offset: left.len() });
            }
            let offset = first_error(parsing, left);
            return Err(NoCompletion { side: Side::Left, offset });
        }
        drop(charts);
        let (hole, history) = (Arc::new(Mutex::new(hole)), History::default());
        Ok(Self { session, hole, place, history, law: None })
    }

    /// Reads a text: all of it, or none of it if no text that goes on like this fits.
    pub fn advance(&mut self, text: &[u8]) -> bool {
        if text.is_empty() {
            return true;
        }
        let Self { session, hole, place, history, law, .. } = self;
        // The text is read in place: a place is large, and moving it once more cost a tenth of the time.
        let before = place.clone();
        let held = session.ask(hole, |hole| {
            let fits = hole.read(place, text) == text.len() && hole.is_completable(place);
            match law {
                _ if !fits => None,
                None => Some(None),
                Some(law) => law.behind(hole, &before, place, text).ok().map(Some),
            }
        });
        let Some(held) = held else {
            *place = before;
            return false;
        };
        history.push(before, std::mem::replace(law, held));
        true
    }

    /// Whether the whole file parses with the text as it is.
    pub fn is_member(&self) -> bool {
        self.session.ask(&self.hole, |hole| hole.is_member(&self.place) && self.law_lets_end(hole))
    }

    /// A text after which the file parses, the shortest that is found. Held to a law, it keeps the law if the search
    /// finds such a text; otherwise [`Self::is_member`] is false after it.
    pub fn witness(&self) -> Option<Vec<u8>> {
        self.session.ask(&self.hole, |hole| {
            let Some(law) = self.law.as_ref() else { return shortest_witness(hole, &self.place) };
            if let Some(found) = law.witness(hole, &self.place) {
                return Some(found);
            }
            let plain = shortest_witness(hole, &self.place)?;
            Some(with_other_words(&**law, hole, &self.place, &plain).unwrap_or(plain))
        })
    }

    /// The terminals that may come behind the symbol in progress, and whether the text may end here.
    pub fn explanation(&self) -> Explanation {
        self.session.ask(&self.hole, |hole| self.explanation_in(hole))
    }

    fn explanation_in(&self, hole: &mut OpenHole<'_>) -> Explanation {
        let language = hole.language();
        let mut explanation = Explanation {
            is_member: hole.is_member(&self.place),
            symbols: Vec::new(),
            is_in_symbol: language.lexer.scanner.kind(self.place.lexed.raw).is_in_symbol(),
        };
        let in_front = self.charts_in_front(&mut hole.parsing);
        let own = in_front.into_iter().map(|chart| Place { chart, ..self.place.clone() });
        for place in own.chain(self.place.readings().skip(1).cloned()) {
            for emission in language.reach.emissions(place.lexed.raw) {
                let Some(chart) = place.chart_behind(&mut hole.parsing, emission) else {
                    continue;
                };
                let symbols = &language.lexer.scanner.emission(emission).symbols;
                let [terminal, ..] = symbols[..] else { continue };
                if hole.cost(chart) < IMPOSSIBLE && !explanation.symbols.contains(&terminal) {
                    explanation.symbols.push(terminal);
                }
            }
        }
        if let Some(layout) = language.lexer.layout() {
            let newline = fim_lexer::Symbol { terminal: layout.newline, column: None };
            let behind = hole.parsing.step(self.place.chart, newline);
            if self.place.lexed.frames.is_empty()
                && behind.is_some_and(|chart| hole.cost(chart) < IMPOSSIBLE)
            {
                explanation.symbols.push(layout.newline);
            }
        }
        explanation
    }

    /// The charts that the next symbol may be read from: at the start of a line, its column decides.
    fn charts_in_front(&self, parsing: &mut Parsing<'_>) -> Vec<LeftChart> {
        let mut found = vec![self.place.chart];
        let Some(layout) =
            parsing.language.lexer.layout().filter(|_| self.place.lexed.is_line_start)
        else {
            return found;
        };
        let lexed = &self.place.lexed;
        let innermost = lexed.indents.last().copied().unwrap_or_default();
        let column = Column::spaces(innermost.wide.max(lexed.line_column().wide.max(1) - 1) + 1);
        let indent = fim_lexer::Symbol { terminal: layout.indent, column: Some(column) };
        found.extend(parsing.step(self.place.chart, indent));
        let dedent = fim_lexer::Symbol { terminal: layout.dedent, column: None };
        let mut chart = self.place.chart;
        for _ in 1..lexed.indents.len() {
            let Some(outer) = parsing.step(chart, dedent) else { break };
            chart = outer;
            found.push(chart);
        }
        found
    }

    /// The grammar of the texts that fit from here on, as text.
    pub fn grammar(&self) -> String {
        self.session.ask(&self.hole, |hole| explicit_grammar(hole, &self.place))
    }

    /// The number of items of charts and the like that the engine has looked at for this hole, and for the texts that
    /// share its charts: a measure of work that does not depend on the machine.
    pub fn work(&self) -> u64 {
        let charts = self.session.charts();
        let of_charts = charts.left.work() + charts.right.n_items() as u64;
        of_charts + lock(&self.hole).work()
    }

    /// The engine of the recognized language.
    pub fn engine(&self) -> &Engine {
        self.session.engine()
    }
}

/// Whether the text read up to a place is the beginning of some text, whatever the right context is.
pub(crate) fn is_beginning(parsing: &mut Parsing<'_>, place: &Place) -> bool {
    place.readings().any(|place| reading_is_beginning(parsing, place))
}

fn reading_is_beginning(parsing: &mut Parsing<'_>, place: &Place) -> bool {
    let language = parsing.language;
    let raw = place.lexed.raw;
    match language.lexer.scanner.kind(raw) {
        StateKind::Dead => false,
        StateKind::Symbol | StateKind::CharacterName => {
            language.reach.emissions(raw).any(|emission| may_stand(parsing, place, emission))
        }
        StateKind::Comment if !place.lexed.is_line_start && place.lexed.frames.is_empty() => {
            let layout = language.lexer.layout().expect("only Python's layout has comments");
            let newline = fim_lexer::Symbol { terminal: layout.newline, column: None };
            parsing.step(place.chart, newline).is_some()
        }
        _ => true,
    }
}

/// Whether some text goes on behind an emission, as far as the left context decides it.
fn may_stand(parsing: &mut Parsing<'_>, place: &Place, emission: EmissionId) -> bool {
    let language = parsing.language;
    let Some(clean) = behind_emission(language, emission) else {
        return place.chart_behind(parsing, emission).is_some();
    };
    let scanner = &language.lexer.scanner;
    let is_symbol = |id: &EmissionId| !scanner.emission(*id).symbols.is_empty();
    let may_end = scanner.inserted_before_end(clean).is_some()
        || parsing.items(place.chart).iter().any(|item| {
            language.rules.owner(item.state) == Nonterminal::ROOT
                && language.rules.is_final(item.state)
        });
    may_end
        || language
            .reach
            .emissions(clean)
            .filter(is_symbol)
            .any(|emission| place.chart_behind(parsing, emission).is_some())
}

/// The offset of the first byte that makes a text no beginning of any text. Each part of a beginning is a beginning,
/// too, so halving finds it, and reads no byte more often than twice.
pub(crate) fn first_error(parsing: &mut Parsing<'_>, text: &[u8]) -> usize {
    let mut place = Place::first(&parsing.language.lexer);
    let mut at = 0;
    let mut bad = text.len();
    while bad - at > 1 {
        let middle = at + (bad - at) / 2;
        let mut further = place.clone();
        if further.read(parsing, &text[at..middle]) == middle - at
            && is_beginning(parsing, &further)
        {
            (at, place) = (middle, further);
        } else {
            bad = middle;
        }
    }
    at
}
