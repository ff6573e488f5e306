//! The witness: a short text that makes the whole file parse, which proves every "completable".
//!
//! A text is the shortest if its length is the least cost, or if the search ends within its bounds; else it is the
//! shortest that was found.
//!
//! The costs in [`Hole`] choose a sequence of symbols and a root (`plan.rs`). The lexer decides how they are written
//! (`writer.rs`): each piece is tried on a copy of the place, so nothing is written that does not read as intended.

mod estimates;
mod naming;
mod plan;
mod quoting;
mod search;
mod writer;

use std::sync::Arc;

use fim_lexer::layout::LINE_BREAK;
use fim_lexer::names::{CLOSING, OPENING};
use fim_lexer::scanner::StateKind;

use self::quoting::plans_to_try;
use self::search::Limits;
use self::writer::Writer;
use crate::grammar::Language;
use crate::hole::{Hole, OpenHole, Place};
use crate::right_context::SuffixCharts;
use crate::right_side::{RightSide, Ways, ended_text};

/// The most roots that are left out before a search takes over.
const MAX_ROOTS_LEFT_OUT: usize = 24;

/// The most places that a search for a shorter text looks behind, which takes a few milliseconds.
const MAX_PLACES: usize = 1_000;

/// The most places in 3.8, where a line may begin with a backslash: the estimate knows less of its column then.
const MAX_PLACES_BEHIND_BACKSLASHES: usize = 10_000;

/// The most places that are looked behind where nothing else has found any text.
const MAX_PLACES_AT_LAST: usize = 100_000;

/// The length from which on texts are not searched for.
const MAX_LENGTH: usize = 1 << 20;

/// A text behind `place` that makes the whole file parse, the shortest that is found; `None` if none is found.
pub(crate) fn shortest_witness(hole: &mut OpenHole<'_>, place: &Place) -> Option<Vec<u8>> {
    WitnessSearch { hole: hole.reborrow() }.witness(place)
}

/// A search in a hole for a text, for a plan of one, or for a text's least cost.
struct WitnessSearch<'a> {
    hole: OpenHole<'a>,
}

impl WitnessSearch<'_> {
    fn witness(&mut self, place: &Place) -> Option<Vec<u8>> {
        if self.hole.is_member(place) {
            return Some(Vec::new());
        }
        if place.other.is_some() {
            return self.witness_of_readings(place);
        }
        let Some(planned) = self.planned_witness(place) else {
            return self.searched_witness(place);
        };
        if self.least_rest(place).is_none_or(|least| planned.len() <= least) {
            return Some(planned);
        }
        let length = planned.len();
        let has_joined =
            self.hole.language().lexer.layout().is_some_and(|layout| layout.joined.is_some());
        let n_places = if has_joined { MAX_PLACES_BEHIND_BACKSLASHES } else { MAX_PLACES };
        let limits = Limits { length, may_join: false, n_places, weight: 1 };
        Some(self.shortest(place, limits).unwrap_or(planned))
    }

    /// The shortest of the witnesses of all readings.
    fn witness_of_readings(&mut self, place: &Place) -> Option<Vec<u8>> {
        let readings = place.readings().map(|reading| Place { other: None, ..reading.clone() });
        let found = readings.filter_map(|alone| {
            let is_possible = self.hole.is_completable(&alone);
            is_possible.then(|| self.witness(&alone))?
        });
        found.min_by_key(Vec::len)
    }

    /// A witness that is found without a plan: a shortest one if that can be found soon, else any.
    fn searched_witness(&mut self, place: &Place) -> Option<Vec<u8>> {
        let mut limits =
            Limits { length: MAX_LENGTH, may_join: true, n_places: MAX_PLACES, weight: 1 };
        let found = self.shortest(place, limits);
        if found.is_some() {
            return found;
        }
        limits.weight = 4;
        self.shortest(place, limits).or_else(|| self.as_two_files(place)).or_else(|| {
            limits.n_places = MAX_PLACES_AT_LAST;
            self.shortest(place, limits)
        })
    }

    /// The best text that can be written by a plan, behind the rest of a character's name that has begun.
    fn planned_witness(&mut self, place: &Place) -> Option<Vec<u8>> {
        let language = self.hole.language();
        let Some(rest) = rest_of_name(language, place) else {
            return self.planned_text(place, MAX_ROOTS_LEFT_OUT);
        };
        let mut place = place.clone();
        let is_read = self.hole.read(&mut place, &rest) == rest.len();
        debug_assert!(is_read, "a name was begun, so it can be ended");
        if self.hole.is_member(&place) {
            return Some(rest);
        }
        let behind = self.planned_text(&place, MAX_ROOTS_LEFT_OUT)?;
        Some([rest, behind].concat())
    }

    /// The best text that can be written by a plan. The lexer may refuse a plan: the parser's symbols do not say
    /// which f-string a right context ends. Then the plan's root is left out and all is planned again.
    fn planned_text(&mut self, place: &Place, n_tries: usize) -> Option<Vec<u8>> {
        let language = self.hole.language();
        let mut plans = self.plans(place);
        plans.sort_by_key(|plan| plan.cost);
        let mut best: Option<Vec<u8>> = None;
        for plan in &plans {
            if best.as_ref().is_some_and(|best| plan.least_length() >= best.len()) {
                break;
            }
            let variants = plans_to_try(language, self.hole.right(), plan);
            let mut variants = variants.iter();
            let text =
                variants.find_map(|plan| Writer::new(self.hole.reborrow(), place).write(plan));
            if let Some(text) = text
                && best.as_ref().is_none_or(|best| text.len() < best.len())
            {
                best = Some(text);
            }
        }
        if best.is_some() || n_tries == 0 {
            return best;
        }
        let failed = plans.first()?.root;
        let side = self.hole.right().without(&language.tables(), failed);
        let mut hole = Hole::new(Arc::new(side));
        self.in_hole(&mut hole).planned_text(place, n_tries - 1)
    }

    /// The search for a witness in another hole.
    fn in_hole<'b>(&'b mut self, hole: &'b mut Hole) -> WitnessSearch<'b> {
        WitnessSearch { hole: OpenHole::new(hole, self.hole.parsing.reborrow()) }
    }

    /// The end of a file that consists of the text so far, followed by the beginning that the right context lacks to
    /// be a file: of two Python files, one behind the other is a third. The text may be longer than need be, but it
    /// keeps none of the suites and f-strings around the hole, which a plan trips over.
    fn as_two_files(&mut self, place: &Place) -> Option<Vec<u8>> {
        let language = self.hole.language();
        language.lexer.layout()?;
        let tables = language.tables();
        let (end, mut suffix) = (ended_text(language, b""), SuffixCharts::default());
        let side =
            RightSide::new(&tables, self.hole.parsing.right, &mut suffix, end, 0, &Ways::All)
                .ok()?;
        let mut nothing = Hole::new(Arc::new(side));
        let mut alone = self.in_hole(&mut nothing);
        let mut text = if alone.hole.is_member(place) {
            Vec::new()
        } else {
            alone.planned_text(place, MAX_ROOTS_LEFT_OUT)?
        };
        text.extend_from_slice(LINE_BREAK);
        let first = Place::first(&language.lexer);
        if !self.hole.is_member(&first) {
            text.extend(self.planned_text(&first, MAX_ROOTS_LEFT_OUT)?);
        }
        let mut place = place.clone();
        let is_fine =
            self.hole.read(&mut place, &text) == text.len() && self.hole.is_member(&place);
        is_fine.then_some(text)
    }
}

/// The rest of a character's name that has begun, with its closing brace.
fn rest_of_name(language: &Language, place: &Place) -> Option<Vec<u8>> {
    let scanner = &language.lexer.scanner;
    let (opening, name) = match place.lexed.name {
        Some(name) => (None, name),
        None => {
            let is_opening = scanner.accept(place.lexed.raw).is_none()
                && scanner.kind(scanner.next(place.lexed.raw, OPENING)) == StateKind::CharacterName;
            is_opening.then(|| (Some(OPENING), language.lexer.empty_name()))?
        }
    };
    let rest = name.shortest_rest()?;
    Some(opening.into_iter().chain(rest.bytes()).chain([CLOSING]).collect())
}
