//! A shortest text that makes the whole fit: the proof of every "completable".
//!
//! The costs in [`Hole`] choose a sequence of symbols and a root (`plan.rs`). Writing them down is
//! a matter of the lexer (`writer.rs`): each piece is tried on a copy of the place, so nothing is
//! written that does not read as intended.

use std::sync::Arc;

use fim_lexer::scanner::StateKind;

use crate::engine::Charts;
use crate::hole::Hole;
use crate::language::Language;
use crate::left::LeftCharts;
use crate::place::Place;
use crate::quoting::spellings;
use crate::recognizer::ended;
use crate::right_side::RightSide;
use crate::suffix_charts::SuffixCharts;
use crate::writer::Writer;

/// How many roots are left out before a search takes over.
const MAX_ROOTS_LEFT_OUT: usize = 24;

impl Hole {
    /// A shortest text behind `place` that makes the whole fit; `None` only if there is none.
    pub(crate) fn witness(
        &mut self,
        language: &Language,
        charts: &mut Charts,
        place: &Place,
    ) -> Option<Vec<u8>> {
        let left = &mut charts.left;
        if self.is_member(language, left, place) {
            return Some(Vec::new());
        }
        if let Some(rest) = rest_of_name(language, place) {
            let mut place = place.clone();
            let is_read = place.read(language, left, &rest) == rest.len();
            debug_assert!(is_read, "a name was begun, so it can be ended");
            let behind = self.witness(language, charts, &place)?;
            return Some([rest, behind].concat());
        }
        self.planned_witness(language, left, place, MAX_ROOTS_LEFT_OUT)
            .or_else(|| self.as_two_files(language, charts, place))
            .or_else(|| self.search(language, &mut charts.left, place))
    }

    /// The best text that can be written by a plan. A plan may turn out to be one that the lexer
    /// does not allow: which f-string a right context ends is not known to the parser's symbols.
    /// Then its root is left out and all is planned again.
    fn planned_witness(
        &mut self,
        language: &Language,
        left: &mut LeftCharts,
        place: &Place,
        n_tries: usize,
    ) -> Option<Vec<u8>> {
        let mut plans = self.plans(language, left, place);
        plans.sort_by_key(|plan| plan.cost);
        let mut best: Option<Vec<u8>> = None;
        for plan in &plans {
            // Spaces and line breaks are not part of the cost, so look a little further.
            if best.as_ref().is_some_and(|best| plan.cost as usize > 2 * best.len()) {
                break;
            }
            let spellings = spellings(language, &self.right, plan);
            let mut spellings = spellings.iter();
            let text =
                spellings.find_map(|plan| Writer::new(self, language, left, place).write(plan));
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
        let side = self.right.without(&language.tables(), failed);
        let mut hole = Self::new(Arc::new(side));
        hole.planned_witness(language, left, place, n_tries - 1)
    }

    /// The text so far ended as a file of its own, and what the right context lacks to be one: of
    /// two Python files, one behind the other is a third. It may be longer than need be, but it
    /// keeps none of the suites and f-strings around the hole, which a plan trips over.
    fn as_two_files(
        &mut self,
        language: &Language,
        charts: &mut Charts,
        place: &Place,
    ) -> Option<Vec<u8>> {
        let Charts { left, right } = charts;
        language.lexer.layout()?;
        let tables = language.tables();
        let (end, mut suffix) = (ended(language, b""), SuffixCharts::default());
        let side = RightSide::new(&tables, right, &mut suffix, end, 0).ok()?;
        let mut nothing = Self::new(Arc::new(side));
        let mut text = if nothing.is_member(language, left, place) {
            Vec::new()
        } else {
            nothing.planned_witness(language, left, place, MAX_ROOTS_LEFT_OUT)?
        };
        text.push(b'\n');
        let first = Place::first(&language.lexer);
        if !self.is_member(language, left, &first) {
            text.extend(self.planned_witness(language, left, &first, MAX_ROOTS_LEFT_OUT)?);
        }
        let mut place = place.clone();
        let is_fine = place.read(language, left, &text) == text.len()
            && self.is_member(language, left, &place);
        is_fine.then_some(text)
    }

    /// The last resort, for corners of the lexer that a plan does not see: short texts, tried.
    fn search(
        &mut self,
        language: &Language,
        left: &mut LeftCharts,
        place: &Place,
    ) -> Option<Vec<u8>> {
        const MAX_TRIES: usize = 20_000;
        let alphabet = b"\n #\\a0:)]}('\"\t,=";
        let mut todo = std::collections::VecDeque::from([(place.clone(), Vec::new())]);
        for _ in 0..MAX_TRIES {
            let (place, text) = todo.pop_front()?;
            for &byte in alphabet {
                let mut next = place.clone();
                if next.read(language, left, &[byte]) == 1
                    && self.is_completable(language, left, &next)
                {
                    let mut text = text.clone();
                    text.push(byte);
                    if self.is_member(language, left, &next) {
                        return Some(text);
                    }
                    todo.push_back((next, text));
                }
            }
        }
        None
    }
}

/// What completes a character's name that has begun, with its closing brace.
fn rest_of_name(language: &Language, place: &Place) -> Option<Vec<u8>> {
    let scanner = &language.lexer.scanner;
    let (opening, name) = match place.lexed.name {
        Some(name) => ("", name),
        None => {
            let is_opening = scanner.accept(place.lexed.raw).is_none()
                && scanner.kind(scanner.next(place.lexed.raw, b'{')) == StateKind::CharacterName;
            is_opening.then(|| ("{", language.lexer.empty_name()))?
        }
    };
    let rest = name.shortest_rest()?;
    Some(format!("{opening}{rest}}}").into_bytes())
}
