//! Uses of names: which are visible, and which wait for something that binds them.

use super::compiling::CompilingReason;
use super::frames::NameContext;
use super::name_set::{Query, has_sorted};
use super::reader::{Behind, NameViolation, Reader, wrong};
use super::scopes::{Scope, Surroundings};
use super::waiting::{Obligation, WaitingName};

impl Reader {
    /// The frames whose `for` could bind a name that is used at a depth, as bits.
    pub(super) fn rescuers(&self, depth: usize) -> u64 {
        let inside = self.frames.iter().take(depth.min(64)).enumerate();
        inside.filter(|(_, frame)| frame.can_rescue()).map(|(index, _)| 1 << index).sum()
    }

    /// Notes what a context uses.
    pub(super) fn note_use(&mut self, name: &[u8], around: &Surroundings) {
        self.note_doubt(name);
        self.note_read(name);
        let is_at_once = !self.runs_late() && !self.scopes.scopes.iter().any(Scope::is_function);
        let scopes = &mut self.scopes;
        let query = Query::Name(name);
        if !has_sorted(&around.builtins, query) && !scopes.bound_anywhere.has(query) {
            let name = name.into();
            scopes.unresolved.add(&name);
            if is_at_once {
                scopes.used_at_once.add(&name);
            }
        }
    }

    pub(super) fn use_name(
        &mut self,
        waiting: WaitingName,
        around: &Surroundings,
    ) -> Result<(), NameViolation> {
        let WaitingName { name, start, depth, is_judged, .. } = waiting;
        if !self.part.is_checked() {
            self.note_use(&name, around);
        }
        if !is_judged {
            return Ok(());
        }
        self.note_read(&name);
        // Names are compared in a normal form; what is not ASCII is taken for known.
        if !name.is_ascii() || self.sees(Query::Name(&name), around) {
            return Ok(());
        }
        match self.rescuers(depth) {
            0 => Err(wrong(&name, start, CompilingReason::Undefined)),
            rescuers => {
                let reason = CompilingReason::Undefined;
                self.obligations.push(Obligation { name, start, rescuers, reason });
                Ok(())
            }
        }
    }

    /// What has been read of the statement is no target: its candidates are uses.
    pub(super) fn no_target(&mut self, around: &Surroundings) -> Result<(), NameViolation> {
        let is_inside =
            self.frames.last().is_some_and(|frame| frame.context != NameContext::Target);
        if is_inside || !self.is_target {
            return Ok(());
        }
        self.is_target = false;
        if self.header.is_soft && self.frames.is_empty() && self.behind == Behind::Operand {
            // `match -x:` or `match not x:`, or the value of a variable called `match`.
            self.candidates.retain(|candidate| !matches!(&*candidate.name, b"match" | b"type"));
        }
        self.use_candidates(0, around)
    }

    pub(super) fn use_candidates(
        &mut self,
        deeper_than: usize,
        around: &Surroundings,
    ) -> Result<(), NameViolation> {
        if self.candidates.iter().all(|candidate| candidate.depth < deeper_than) {
            return Ok(());
        }
        for candidate in std::mem::take(&mut self.candidates) {
            if candidate.depth < deeper_than {
                self.candidates.push(candidate);
            } else if !(self.header.is_soft && matches!(&*candidate.name, b"match" | b"type")) {
                self.use_name(candidate, around)?;
            }
        }
        Ok(())
    }

    /// `(a, b).c`: what brackets hold that an attribute or an element is taken of, is used.
    pub(super) fn use_inner(&mut self, around: &Surroundings) -> Result<(), NameViolation> {
        if self.behind == Behind::Operand && self.is_target {
            self.use_candidates(self.frames.len() + 1, around)?;
            self.forget_inner_rows();
        }
        Ok(())
    }

    /// A frame can no longer bind what stands in it.
    pub(super) fn drop_rescuer(&mut self, index: usize) -> Result<(), NameViolation> {
        if index < 64 && !self.frames[index].may_comprehend {
            for obligation in &mut self.obligations {
                obligation.rescuers &= !(1 << index);
            }
            self.check_obligations()?;
        }
        Ok(())
    }

    pub(super) fn check_obligations(&mut self) -> Result<(), NameViolation> {
        if !self.part.is_checked() {
            let n_open = self.obligations.len();
            self.obligations.retain(|obligation| obligation.rescuers != 0);
            let is_async = self.obligations.len() < n_open;
            if is_async {
                self.scopes.innermost_mut().needs.async_function = true;
            }
            return Ok(());
        }
        match self.obligations.iter().find(|obligation| obligation.rescuers == 0) {
            Some(broken) => Err(wrong(&broken.name, broken.start, broken.reason)),
            None => Ok(()),
        }
    }
}
