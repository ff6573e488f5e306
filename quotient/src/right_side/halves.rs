//! Repeated names that straddle the cut.
//!
//! The half of a name that may stand in front of the cut depends on the name of the rule around it:
//!
//! ```text
//! class F|oo { Foo() {} }      the class must be called `Foo`, so `F` stands in front of the cut
//! class Foo { F|oo() {} }      the same; what the class is called, the left context knows
//! ```
//!
//! So a repeated name has roots of its own beside that of all other names: one for each half that is needed, and one
//! for the half that makes it the name of the rule around.

use std::sync::Arc;

use fim_lexer::scanner::RawState;

use super::frontiers::front;
use super::{Entrance, Half, RightSide, Root, RootIdx};
use crate::charts::{CutName, KnownName, Mark, RightCharts, RightItem, SpellingIdx};
use crate::grammar::{BYTE, Origin, Tables};
use crate::right_context::{Depths, Front, SuffixCharts};

/// The most bytes of a name that are counted, so that sums of costs stay small numbers.
const MAX_NAMING: u32 = 1 << 8;

/// The text that must be written in front of the cut of a symbol that straddles it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Beginning {
    /// Any that the lexer allows.
    Any,
    /// This text.
    Exactly(Vec<u8>),
    /// No text will do.
    Impossible,
}

impl Beginning {
    /// Whether a text may be continued to the one that must be written.
    pub(crate) fn may_follow(&self, begun: &[u8]) -> bool {
        match self {
            Self::Any => true,
            Self::Exactly(text) => text.starts_with(begun),
            Self::Impossible => false,
        }
    }

    /// Whether a text is the one that must be written.
    pub(crate) fn is(&self, text: &[u8]) -> bool {
        match self {
            Self::Any => true,
            Self::Exactly(wanted) => wanted == text,
            Self::Impossible => false,
        }
    }
}

impl RightSide {
    /// The roots of this entrance for repeated names, with their items.
    pub(super) fn halves(
        &self,
        tables: &Tables<'_>,
        charts: &mut RightCharts,
        suffix: &mut SuffixCharts,
        root: Root,
        within: &[Arc<Origin>],
    ) -> Vec<(Root, Vec<RightItem>, Depths)> {
        let Entrance::Straddle(emission, at) = root.entrance else { return Vec::new() };
        let [terminal] = tables.lexer.scanner.emission(emission).steps()[..] else {
            return Vec::new();
        };
        let Some(same) = tables.rules.names_written_as(terminal) else { return Vec::new() };
        let at = at as usize;
        let Ok(Front { chart, depths }) = front(tables, charts, suffix, &self.text, at, root.mode)
        else {
            return Vec::new();
        };
        let rules = tables.rules;
        let end = &self.text[..at];
        let mut found: Vec<(Root, Vec<RightItem>, Depths)> = Vec::new();
        for needed in charts.needed_names(rules, chart, same) {
            let KnownName::Whole(name) = self.spellings.name(needed) else { continue };
            let Some(half) = name.strip_suffix(end).filter(|half| !half.is_empty()) else {
                continue;
            };
            if !leads_to(tables, half, within) {
                continue;
            }
            let half = Half::Exactly(self.spellings.whole(half));
            let mut items = Vec::new();
            for name in [CutName::First(needed), CutName::Again(needed)] {
                let step = charts.step_cut(rules, chart, terminal, name);
                items.extend(step.into_iter().flat_map(|chart| charts.items(rules, chart)));
            }
            found.push((root.with(half), items, depths.clone()));
        }
        let ending = self.spellings.ending(end);
        let again = CutName::Again(ending);
        if let Some(chart) = charts.step_cut(rules, chart, terminal, again) {
            let items = charts.items(rules, chart).collect();
            found.push((root.with(Half::OfName(ending)), items, depths));
        }
        found
    }

    /// Collects the names that rules must have which are open in front.
    pub(super) fn find_needed(&mut self, tables: &Tables<'_>) {
        let shortest = tables.rules.first_name().map_or(0, |name| tables.costs.n_bytes(name));
        for instance in &mut self.instances {
            let Some(needed) = instance.marks.name() else { continue };
            if !self.needed.contains(&needed) {
                self.needed.push(needed);
            }
            if instance.is_marked {
                let n_bytes = match self.spellings.name(needed) {
                    KnownName::Whole(name) => (name.len() as u32).saturating_sub(shortest),
                    KnownName::Ending(end) => end.len() as u32,
                    _ => 0,
                };
                instance.naming = BYTE * n_bytes.min(MAX_NAMING);
            }
        }
    }

    /// The root of this key, and those of the same entrance that need a certain half of a name in front of the cut.
    pub(crate) fn roots_at(&self, root: Root) -> impl Iterator<Item = RootIdx> + '_ {
        let is_named = !self.halved.is_empty();
        let others = self.halved.iter().copied().filter(move |&RootIdx(index)| {
            is_named && self.roots[usize::from(index)].with(Half::Any) == root
        });
        self.root(root).into_iter().chain(others)
    }

    /// The number of bytes of a half name.
    pub(super) fn length_of(&self, half: SpellingIdx) -> u32 {
        match self.spellings.name(half) {
            KnownName::Whole(half) => (half.len() as u32).min(MAX_NAMING),
            _ => 1,
        }
    }

    /// Whether a root needs a certain half of a name in front of the cut.
    pub(crate) fn is_halved(&self, root: RootIdx) -> bool {
        self.roots[usize::from(root.0)].half != Half::Any
    }

    /// The text that must be written in front of the cut for its straddling symbol, within a rule with this mark.
    pub(crate) fn beginning(&self, tables: &Tables<'_>, root: RootIdx, mark: Mark) -> Beginning {
        let found = match self.roots[usize::from(root.0)].half {
            Half::Any => return Beginning::Any,
            Half::Exactly(half) => match self.spellings.name(half) {
                KnownName::Whole(half) => Some(half.to_vec()),
                _ => None,
            },
            Half::OfName(ending) => {
                match (
                    self.spellings.name(ending),
                    mark.name().map(|name| self.spellings.name(name)),
                ) {
                    (KnownName::Ending(end), Some(KnownName::Whole(name))) => {
                        let half = name.strip_suffix(&*end).filter(|half| !half.is_empty());
                        half.filter(|half| {
                            let entered = &self.entered_from[usize::from(root.0)];
                            let is_entered = |state| super::contains(entered, state);
                            state_behind(tables, half).is_some_and(is_entered)
                        })
                        .map(<[u8]>::to_vec)
                    }
                    _ => None,
                }
            }
        };
        found.map_or(Beginning::Impossible, Beginning::Exactly)
    }
}

/// Whether a text that begins a symbol leads to one of these states.
fn leads_to(tables: &Tables<'_>, text: &[u8], within: &[Arc<Origin>]) -> bool {
    let state = state_behind(tables, text);
    state.is_some_and(|state| within.iter().any(|origin| origin.states.contains(&state)))
}

/// The state of the lexer behind the beginning of a symbol.
fn state_behind(tables: &Tables<'_>, text: &[u8]) -> Option<RawState> {
    let scanner = &tables.lexer.scanner;
    let state = text.iter().fold(scanner.start(None), |state, &byte| scanner.next(state, byte));
    (state != RawState::DEAD).then_some(state)
}
