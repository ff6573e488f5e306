//! The onwards of charts, kept once for all charts whose spines look alike from the right context.
//!
//! ```text
//! a => a => a => a => |        four functions, one in the other; in front of each body the same may follow
//! ```
//!
//! Each body has a chart of its own, since each function began elsewhere, and the onwards of its rules follow from
//! those of the chart where the function began. But mostly they are equal for all of them: whatever the right context
//! is, each function may correspond to the same instances, and costs nothing to end. So two things are looked up:
//!
//! - the *question*: the states of a chart's items, and for each the number of the answer for the chart where its
//!   rule began (with the marks there, where they matter). Equal questions have one answer, and nothing is worked
//!   out.
//! - the *answer*: it gets the number of an equal one that is known. That is what makes the questions of a chain equal
//!   from its second link on.
//!
//! ```text
//! chart          question               answer
//! 0  |a => a     (statement .) -> 0     1
//! 1  a => |a     (a => . body) -> 1     2
//! 2  a => a => | (a => . body) -> 2     equal to 2, though it was worked out
//! 3  ...         (a => . body) -> 2     known, and so on
//! ```
//!
//! The trade: a hash of some words for each chart, and one of each new answer, against working an answer out, which costs ten
//! times as much. Where costs grow along a chain, as they do with each bracket to be closed, nothing is shared.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};

use super::onward::Onward;
use crate::charts::{LeftChart, PagedMap, Parsing};

/// The number of an answer.
type AnswerIdx = u32;

/// The answers for charts.
#[derive(Debug, Default)]
pub(super) struct Spines {
    of_charts: PagedMap<LeftChart, AnswerIdx>,
    answers: Vec<Arc<[Onward]>>,
    of_questions: FxHashMap<Box<[u64]>, AnswerIdx>,
    /// The answers' numbers, with the hashes of their onwards.
    index: HashTable<(u64, AnswerIdx)>,
    /// The question that is being asked.
    question: Vec<u64>,
}

impl Spines {
    /// The answer for a chart, if it is known.
    #[inline]
    pub(super) fn get(&self, chart: LeftChart) -> Option<&Arc<[Onward]>> {
        let answer = self.of_charts.get(chart.0, &chart)?;
        Some(&self.answers[answer as usize])
    }

    /// Looks up the question of a chart, where the answers for all charts that its items began in are known. Whether
    /// the answer is known; it is then kept for the chart, too.
    pub(super) fn ask(&mut self, parsing: &Parsing<'_>, chart: LeftChart) -> bool {
        let has_marks = parsing.rules().has_marks();
        self.question.clear();
        if has_marks {
            self.question.extend(parsing.left.mark_as_numbers(chart));
        }
        for item in parsing.items(chart) {
            // Only the root's own item begins where it stands.
            let answer = match item.origin == chart {
                true => AnswerIdx::MAX,
                false => {
                    let known = self.of_charts.get(item.origin.0, &item.origin);
                    known.expect("the answers of origins are known")
                }
            };
            self.question.push(u64::from(item.state.0) << 32 | u64::from(answer));
            if has_marks {
                self.question.extend(parsing.left.mark_as_numbers(item.origin));
            }
        }
        let Some(&known) = self.of_questions.get(self.question.as_slice()) else { return false };
        self.of_charts.insert(chart.0, chart, known);
        true
    }

    /// Keeps the answer for a chart, whose question was asked last.
    pub(super) fn insert(&mut self, chart: LeftChart, found: Vec<Onward>) {
        let key = hash(&found);
        let answers = &self.answers;
        let is_same =
            |&(hash, known): &(u64, AnswerIdx)| hash == key && *answers[known as usize] == *found;
        let answer = match self.index.find(key, is_same) {
            Some(&(_, known)) => known,
            None => {
                let fresh = self.answers.len() as AnswerIdx;
                self.answers.push(found.into());
                self.index.insert_unique(key, (key, fresh), |&(hash, _)| hash);
                fresh
            }
        };
        self.of_questions.insert(self.question.as_slice().into(), answer);
        self.of_charts.insert(chart.0, chart, answer);
    }
}

fn hash(answer: &[Onward]) -> u64 {
    let mut hasher = FxHasher::default();
    answer.hash(&mut hasher);
    hasher.finish()
}
