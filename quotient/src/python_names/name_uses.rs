//! Uses of names: of visible ones, and of those that wait for a binding.

use super::compiler_refusals::CompilingReason;
use super::comprehensions::Obligation;
use super::name_set::{Query, has_sorted};
use super::reader::{NameViolation, NamesReader, wrong};
use super::scopes::{Scope, Surroundings};
use super::waiting_names::WaitingName;

impl NamesReader {
    /// Notes the use of a name in a context.
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
        // Names are compared in a normal form; names beyond ASCII count as known.
        if !name.is_ascii() || self.sees(Query::Name(&name), around) {
            return Ok(());
        }
        match self.rescuers(depth) {
            0 => Err(wrong(&name, start, CompilingReason::Undefined)),
            rescuers => {
                let reason = CompilingReason::Undefined;
                self.waiting.obligations.add(Obligation { name, start, rescuers, reason });
                Ok(())
            }
        }
    }
}
