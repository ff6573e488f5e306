//! Quiet places, where the law allows all signs, so that tokens of signs need not be read.

use super::compiler_refusals::is_async;
use super::frames::Phase;
use super::name_set::{Name, Query};
use super::open_statement::Statement;
use super::reader::NamesReader;
use super::scopes::Surroundings;
use super::symbol_kinds::SymbolKind;
use super::waiting_names::WaitingName;

impl NamesReader {
    /// Whether the law surely allows every text here that has neither a letter nor a star in it.
    pub(super) fn is_quiet(&self, around: &Surroundings) -> bool {
        let innermost = self.scopes.innermost();
        let is_declared =
            |name: &Name| innermost.declared.contains(name) || innermost.nonlocals.contains(name);
        let is_fine = |waiting: &WaitingName| {
            let name = &waiting.name;
            let is_seen =
                !waiting.is_judged || !name.is_ascii() || self.sees(Query::Name(name), around);
            is_seen && **name != *b"__debug__" && !is_declared(name)
        };
        let is_repeated = |waiting: &WaitingName| {
            self.frames.last().is_some_and(|frame| frame.keywords.contains(&waiting.name))
        };
        let waiting = &self.waiting;
        self.part.is_hole()
            && waiting.last().into_iter().chain(waiting.targets.candidates()).all(is_fine)
            && !waiting.last().is_some_and(is_repeated)
            && waiting.obligations.is_empty()
            && self.statement.patterns.is_empty()
            && !self.has_open_rows()
            && !self.frames.iter().any(|frame| {
                frame.may_turn_wrong() || frame.phase == Phase::Targets || frame.clauses.n_fors > 0
            })
            && !matches!(
                self.statement.kind(),
                Statement::FromNames
                    | Statement::ForTargets
                    | Statement::WithTarget
                    | Statement::Global
                    | Statement::Nonlocal
                    | Statement::Case
            )
            && !self.statement.may_be_soft()
            && !self.reads_strings()
            && !self.is_in_type()
            && !(self.future.may_come() && around.right.has_future)
            && !(self.last.kind == SymbolKind::Return && is_async(innermost))
    }
}
