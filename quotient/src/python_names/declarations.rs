//! Declarations, `global` and `nonlocal`, come in front of all uses of their names. Some names nothing may bind.

use super::compiler_refusals::CompilingReason;
use super::name_set::{Name, Query};
use super::open_statement::Statement;
use super::reader::{NameViolation, NamesReader, wrong};
use super::scopes::{ScopeKind, Surroundings};
use super::waiting_names::WaitingName;

impl NamesReader {
    /// Notes the reading of a variable. A lambda or a comprehension reads in another scope.
    pub(super) fn note_read(&mut self, name: &[u8]) {
        if !self.scopes.innermost().is_function()
            || self.is_in_lambda()
            || self.is_in_late_annotation()
        {
            return;
        }
        for frame in self.frames.iter_mut().rev() {
            if frame.is_in_comprehension() {
                return;
            }
            if frame.may_comprehend && frame.clauses.n_fors == 0 {
                frame.clauses.reads.push(name.into());
                return;
            }
        }
        if !self.scopes.innermost().reads.has(Query::Name(name)) {
            self.scopes.innermost_mut().reads.add(&name.into());
        }
    }

    /// Checks a name that `global` or `nonlocal` declares.
    pub(super) fn check_declared(
        &self,
        name: &[u8],
        around: &Surroundings,
    ) -> Option<CompilingReason> {
        let scope = self.scopes.innermost();
        let is_in = |names: &[Name]| names.iter().any(|other| **other == *name);
        let is_known = scope.own.has(Query::Name(name)) || scope.reads.has(Query::Name(name));
        match self.statement.kind() {
            Statement::Global if scope.kind == ScopeKind::Module => None,
            Statement::Global => {
                (is_known || is_in(&scope.nonlocals)).then_some(CompilingReason::TooLate)
            }
            _ if scope.kind == ScopeKind::Module => Some(CompilingReason::NoNonlocal),
            _ if is_in(&scope.nonlocals) => None,
            _ if is_known || is_in(&scope.declared) => Some(CompilingReason::TooLate),
            // A method may rebind `__class__`, the name of its class.
            _ if name == b"__class__" => None,
            _ => (!self.scopes.is_bound_in_function(name, around))
                .then_some(CompilingReason::NoNonlocal),
        }
    }

    /// Checks a name that is annotated without brackets, which makes it the scope's own.
    pub(super) fn check_annotated(&self, candidate: &WaitingName) -> Result<(), NameViolation> {
        let scope = self.scopes.innermost();
        let is_declared = scope.kind != ScopeKind::Module
            && scope.declared.iter().chain(&scope.nonlocals).any(|name| *name == candidate.name);
        if self.part.is_hole() && is_declared && candidate.depth == 0 {
            return Err(wrong(&candidate.name, candidate.start, CompilingReason::TooLate));
        }
        Ok(())
    }

    /// Checks a name that is bound.
    pub(super) fn check_target(&self, name: &[u8], start: i64) -> Result<(), NameViolation> {
        if self.part.is_hole() && name == b"__debug__" {
            return Err(wrong(name, start, CompilingReason::Constant));
        }
        Ok(())
    }
}
