//! Targets: the names of a statement that an assignment may bind.
//!
//! ```text
//! a, b.c, [d         `a` and `d` are candidates, which an `=` would bind
//! a, b.c, [d] =      ... as here: they are bound, what follows may be targets again
//! a, b.c, [d] +      ... but not here: all of them are used, and nothing that follows is a target
//! ```

use smallvec::SmallVec;

use super::frames::NameContext;
use super::open_statement::Behind;
use super::reader::{NameViolation, NamesReader};
use super::scopes::Surroundings;
use super::waiting_names::WaitingName;

/// Whether the part of a statement that was read may be a target, with the names that an assignment would bind.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Targets {
    Possible(SmallVec<[WaitingName; 2]>),
    Impossible,
}

impl Default for Targets {
    fn default() -> Self {
        Self::Possible(SmallVec::new())
    }
}

impl Targets {
    pub(super) fn are_possible(&self) -> bool {
        matches!(self, Self::Possible(_))
    }

    /// The names that an assignment would bind: the candidates.
    pub(super) fn candidates(&self) -> &[WaitingName] {
        match self {
            Self::Possible(candidates) => candidates,
            Self::Impossible => &[],
        }
    }

    pub(super) fn add(&mut self, candidate: WaitingName) {
        if let Self::Possible(candidates) = self {
            candidates.push(candidate);
        }
    }

    /// Begins anew: the part that was read has been assigned to, or there is none, and other targets may follow.
    pub(super) fn begin_anew(&mut self) -> SmallVec<[WaitingName; 2]> {
        std::mem::take(self).into_candidates()
    }

    /// Ends all targets: neither the part that was read nor what follows is one.
    pub(super) fn end(&mut self) -> SmallVec<[WaitingName; 2]> {
        std::mem::replace(self, Self::Impossible).into_candidates()
    }

    /// Takes out the names that stand in `depth` brackets or more: they are no targets.
    fn take_deep(&mut self, depth: usize) -> SmallVec<[WaitingName; 2]> {
        match self {
            Self::Possible(candidates) if candidates.iter().any(|name| name.depth >= depth) => {
                let (deep, others) = candidates.drain(..).partition(|name| name.depth >= depth);
                *candidates = others;
                deep
            }
            _ => SmallVec::new(),
        }
    }

    fn into_candidates(self) -> SmallVec<[WaitingName; 2]> {
        match self {
            Self::Possible(candidates) => candidates,
            Self::Impossible => SmallVec::new(),
        }
    }
}

impl NamesReader {
    /// Rules out a target: the candidates of the statement are uses.
    pub(super) fn no_target(&mut self, around: &Surroundings) -> Result<(), NameViolation> {
        let is_inside =
            self.frames.last().is_some_and(|frame| frame.context != NameContext::Target);
        if is_inside || !self.waiting.targets.are_possible() {
            return Ok(());
        }
        let mut candidates = self.waiting.targets.end();
        if self.statement.may_be_soft()
            && self.frames.is_empty()
            && self.statement.behind() == Behind::Operand
        {
            // `match -x:` or `match not x:`, or the value of a variable called `match`.
            candidates.retain(|candidate| !may_be_keyword(candidate));
        }
        self.use_all(candidates, around)
    }

    /// Turns the candidates in `depth` brackets or more into uses.
    pub(super) fn use_candidates(
        &mut self,
        depth: usize,
        around: &Surroundings,
    ) -> Result<(), NameViolation> {
        let candidates = self.waiting.targets.take_deep(depth);
        self.use_all(candidates, around)
    }

    pub(super) fn use_all(
        &mut self,
        candidates: SmallVec<[WaitingName; 2]>,
        around: &Surroundings,
    ) -> Result<(), NameViolation> {
        for candidate in candidates {
            if !(self.statement.may_be_soft() && may_be_keyword(&candidate)) {
                self.use_name(candidate, around)?;
            }
        }
        Ok(())
    }

    /// `(a, b).c`: turns the candidates in brackets into uses, if an attribute or an element is taken of them.
    pub(super) fn use_inner(&mut self, around: &Surroundings) -> Result<(), NameViolation> {
        if self.statement.behind() == Behind::Operand && self.waiting.targets.are_possible() {
            self.use_candidates(self.frames.len() + 1, around)?;
            self.forget_inner_rows();
        }
        Ok(())
    }
}

fn may_be_keyword(name: &WaitingName) -> bool {
    matches!(&*name.name, b"match" | b"type")
}
