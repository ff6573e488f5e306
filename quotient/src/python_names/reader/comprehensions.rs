//! Comprehensions: their element is read before the `for` that binds its names, and that may never come.
//!
//! So what would be a fault without a `for` is an obligation, which a comprehension around it must meet:
//!
//! ```text
//! print(row                       no `row` is visible: a `for` in these brackets has to bind it
//! print(row for row in rows)      ... which one does
//! print([row], end                ... and here none can any more: the comma ends what a `for` may follow
//!            ^
//! ```
//!
//! What would be a fault with a `for` (a `yield`, a `:=` in a class) is noted with the brackets around it, and judged
//! at the `for`: all of a comprehension but its first iterable is a scope of its own. `await` may be either, as
//! generators may have it in any function.

use smallvec::SmallVec;

use super::NamesReader;
use super::frames::{FrameKind, OpenConstruct, Phase};
use super::rows::Stars;
use crate::python_names::scopes::ScopeKind;
use crate::python_names::symbols::{
    CompilingReason, Name, NameViolation, SymbolKind, Turns, wrong,
};

/// A name that a comprehension around it must bind, or the stand-in for a symbol that one must make right.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::python_names) struct Obligation {
    pub(in crate::python_names) name: Name,
    pub(in crate::python_names) start: i64,
    /// The frames whose `for` can meet the obligation, as bits.
    pub(in crate::python_names) rescuers: u64,
    pub(in crate::python_names) reason: CompilingReason,
}

/// The obligations that no comprehension has met yet.
#[derive(Clone, PartialEq, Debug, Default)]
pub(in crate::python_names) struct Obligations(SmallVec<[Obligation; 1]>);

/// The number of frames that have bits.
const MAX_FRAMES: usize = 64;

impl Obligations {
    pub(in crate::python_names) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(in crate::python_names) fn iter(&self) -> std::slice::Iter<'_, Obligation> {
        self.0.iter()
    }

    pub(super) fn add(&mut self, obligation: Obligation) {
        self.0.push(obligation);
    }

    /// Meets the obligations for a name that a condition of one of these frames, as bits, binds by `:=`.
    pub(super) fn meet(&mut self, name: &Name, frames: u64) {
        self.0.retain(|open| open.name != *name || open.rescuers & frames == 0);
    }

    /// Closes the frame of this number, which meets some of the obligations that it could.
    fn close(&mut self, index: usize, is_met: impl Fn(&Obligation) -> bool) {
        self.0.retain(|open| open.rescuers & (1 << index) == 0 || !is_met(open));
        self.drop_rescuer(index);
    }

    fn drop_rescuer(&mut self, index: usize) {
        for open in &mut self.0 {
            open.rescuers &= !(1 << index);
        }
    }

    fn drop_rescuers(&mut self) {
        for open in &mut self.0 {
            open.rescuers = 0;
        }
    }

    /// The first obligation that no frame can meet any more.
    fn broken(&self) -> Option<&Obligation> {
        self.0.iter().find(|open| open.rescuers == 0)
    }

    /// Forgets the obligations that no frame can meet any more. Whether there were some.
    fn forget_broken(&mut self) -> bool {
        let n_open = self.0.len();
        self.0.retain(|open| open.rescuers != 0);
        self.0.len() < n_open
    }
}

impl NamesReader {
    /// The frames whose `for` could bind a name that is used at a depth, as bits.
    pub(in crate::python_names) fn rescuers(&self, depth: usize) -> u64 {
        let inside = self.frames.iter().take(depth.min(MAX_FRAMES)).enumerate();
        inside.filter(|(_, frame)| frame.can_rescue()).map(|(index, _)| 1 << index).sum()
    }

    /// Closes a frame that bound these names.
    pub(super) fn end_rescuer(
        &mut self,
        bound: &[Name],
        is_generator: bool,
    ) -> Result<(), NameViolation> {
        let index = self.frames.len();
        if index >= MAX_FRAMES || self.waiting.obligations.is_empty() {
            return Ok(());
        }
        self.waiting.obligations.close(index, |open| match open.reason {
            CompilingReason::OutsideAsync | CompilingReason::InType => is_generator,
            _ => bound.contains(&open.name),
        });
        self.check_obligations()
    }

    /// Notes that a frame can no longer bind names inside it.
    pub(super) fn drop_rescuer(&mut self, index: usize) -> Result<(), NameViolation> {
        if index < MAX_FRAMES && !self.frames[index].may_comprehend {
            self.waiting.obligations.drop_rescuer(index);
            self.check_obligations()?;
        }
        Ok(())
    }

    /// Ends the statement, with all its frames.
    pub(super) fn drop_rescuers(&mut self) -> Result<(), NameViolation> {
        self.waiting.obligations.drop_rescuers();
        self.check_obligations()
    }

    fn check_obligations(&mut self) -> Result<(), NameViolation> {
        if !self.part.is_checked() {
            let is_async = self.waiting.obligations.forget_broken();
            if is_async {
                self.scopes.innermost_mut().needs.async_function = true;
            }
            return Ok(());
        }
        match self.waiting.obligations.broken() {
            Some(broken) => Err(wrong(&broken.name, broken.start, broken.reason)),
            None => Ok(()),
        }
    }
}

/// The name of an obligation for an `await` that only a generator around it makes right.
const AWAIT: &[u8] = b"await";

/// The name of an obligation for a `:=` that only a comprehension around it makes right.
const WALRUS: &[u8] = b":=";

impl Turns {
    /// Whether a `for` may follow the expression behind this star.
    pub(super) fn may_unpack(self, star: SymbolKind, frame: &OpenConstruct) -> bool {
        let is_first = frame.n_commas == 0;
        let is_one_star = star == SymbolKind::Star;
        self == Self::Unpacked && is_first && (is_one_star || frame.kind == FrameKind::Brace)
    }
}

impl NamesReader {
    /// The indices of the frames that rules here look at: those within the body of the innermost lambda, or all.
    fn own_frames(&self) -> std::ops::Range<usize> {
        let lambda = self
            .frames
            .iter()
            .rposition(|frame| frame.kind == FrameKind::Lambda && frame.phase == Phase::Body);
        lambda.map_or(0, |index| index + 1)..self.frames.len()
    }

    /// Whether the place is in the body of a lambda.
    pub(super) fn is_in_lambda(&self) -> bool {
        self.own_frames().start > 0
    }

    /// Notes a `yield` in brackets.
    pub(super) fn note_yield(&mut self, start: i64) -> Result<(), NameViolation> {
        let own = self.own_frames();
        for frame in &mut self.frames[own] {
            if self.part.is_checked() && frame.is_in_comprehension() {
                return Err(wrong(b"yield", start, CompilingReason::InComprehension));
            }
            frame.clauses.has_yield |= frame.can_rescue();
        }
        Ok(())
    }

    /// Notes a name in front of `:=`.
    pub(super) fn note_walrus(&mut self, name: &Name, start: i64) -> Result<(), NameViolation> {
        let is_judged = self.part.is_checked();
        let is_iterable =
            |frame: &OpenConstruct| frame.phase == Phase::Clause && frame.clauses.is_iterable;
        if is_judged && self.frames.iter().any(is_iterable) {
            return Err(wrong(name, start, CompilingReason::InComprehension));
        }
        let own = self.own_frames();
        let is_in_class = own.start == 0 && self.scopes.innermost().kind == ScopeKind::Class;
        let first = own.start;
        let mut conditions = 0;
        for (index, frame) in self.frames[own].iter_mut().enumerate() {
            if frame.phase == Phase::Clause {
                if first + index < 64 {
                    conditions |= 1_u64 << (first + index);
                }
                let is_target = frame.bound.contains(name) || frame.targets.contains(name);
                if is_judged && (is_target || is_in_class) {
                    return Err(wrong(name, start, CompilingReason::InComprehension));
                }
            } else if !frame.can_rescue() {
                continue;
            }
            frame.clauses.walruses.push(name.clone());
        }
        // `[y for x in xs if (y := f(x))]`: conditions run in front of the element.
        self.waiting.obligations.meet(name, conditions);
        Ok(())
    }

    /// Notes `yield`, `await` or `:=` where a type is described. A comprehension in an annotation may bind names.
    pub(super) fn note_in_type(
        &mut self,
        kind: SymbolKind,
        text: &[u8],
        start: i64,
    ) -> Result<(), NameViolation> {
        if kind != SymbolKind::Walrus || self.is_in_late_type() {
            return Err(wrong(text, start, CompilingReason::InType));
        }
        if self.frames.iter().any(OpenConstruct::is_in_comprehension) {
            return Ok(());
        }
        let (name, reason) = (WALRUS.into(), CompilingReason::InType);
        match self.rescuers(self.frames.len()) {
            0 => Err(wrong(WALRUS, start, reason)),
            rescuers => {
                self.waiting.obligations.add(Obligation { name, start, rescuers, reason });
                Ok(())
            }
        }
    }

    /// Notes a `for` of a comprehension.
    pub(super) fn note_clause(&mut self, start: i64) -> Result<(), NameViolation> {
        let is_judged = self.part.is_checked();
        let is_in_class =
            self.own_frames().start == 0 && self.scopes.innermost().kind == ScopeKind::Class;
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        frame.stars = Stars::default();
        let clauses = &mut frame.clauses;
        clauses.n_fors = clauses.n_fors.saturating_add(1);
        clauses.is_iterable = false;
        let is_wrong = clauses.has_yield || is_in_class && !clauses.walruses.is_empty();
        if is_judged && is_wrong {
            return Err(wrong(b"for", start, CompilingReason::InComprehension));
        }
        Ok(())
    }

    /// Checks a variable of a comprehension.
    pub(super) fn check_variable(&self, name: &Name, start: i64) -> Result<(), NameViolation> {
        let comprehension = self.frames.iter().rev().find(|frame| frame.phase == Phase::Targets);
        let is_rebound = comprehension.is_some_and(|frame| frame.clauses.walruses.contains(name));
        if self.part.is_checked() && is_rebound {
            return Err(wrong(name, start, CompilingReason::InComprehension));
        }
        Ok(())
    }

    /// Checks `await`, or `async for` in a display: asynchronous functions and generators may have them.
    pub(super) fn ask_for_async(&mut self, word: &[u8], start: i64) -> Result<(), NameViolation> {
        if self.is_never_evaluated() {
            return Ok(());
        }
        let own = self.own_frames();
        let is_async = self.scopes.innermost().kind == ScopeKind::Function { is_async: true };
        if is_async && own.start == 0 {
            return Ok(());
        }
        let is_in_lambda = own.start > 0;
        let own = &self.frames[own];
        let is_in_generator =
            |frame: &OpenConstruct| frame.is_in_comprehension() && frame.may_generate();
        if own.iter().any(is_in_generator) {
            return Ok(());
        }
        let first = self.frames.len() - own.len();
        let rescuers = own
            .iter()
            .enumerate()
            .filter(|(index, frame)| frame.may_generate() && first + index < 64);
        let rescuers = rescuers.map(|(index, _)| 1 << (first + index)).sum();
        if rescuers == 0 {
            // A lambda is never asynchronous, whatever is around it.
            self.scopes.innermost_mut().needs.async_function |= !is_in_lambda;
            if self.part.is_checked() {
                return Err(wrong(word, start, CompilingReason::OutsideAsync));
            }
            return Ok(());
        }
        let name = AWAIT.into();
        self.waiting.obligations.add(Obligation {
            name,
            start,
            rescuers,
            reason: CompilingReason::OutsideAsync,
        });
        Ok(())
    }
}
