//! `lazy import`, which waits for the first use of its names (PEP 810), at the module's own level alone.
//!
//! ```text
//! lazy import json            binds `json`
//! lazy = json                 a name like others
//! def f():
//!     lazy import json        refused, as it is in classes, behind `try`, `except` and `finally`, and with a `*`
//! ```

use super::compiler_refusals::CompilingReason;
use super::open_statement::{Behind, Form, Statement};
use super::reader::{NameViolation, NamesReader, wrong};
use super::scopes::BlockKind;
use super::symbol_kinds::SymbolKind;

impl NamesReader {
    /// Whether this keyword of an import stands behind `lazy`. It stands behind no other name.
    pub(super) fn begins_lazy_import(&self, kind: SymbolKind) -> bool {
        matches!(kind, SymbolKind::Import | SymbolKind::From)
            && self.statement.kind() == Statement::Expression
            && self.statement.behind() == Behind::Operand
            && self.frames.is_empty()
    }

    /// Begins a lazy import: the name in front of this keyword was no variable.
    pub(super) fn begin_lazy_import(&mut self, kind: SymbolKind) -> Result<(), NameViolation> {
        let lazy = self.waiting.targets.candidates().first();
        let start = lazy.map_or(self.last.start, |candidate| candidate.start);
        self.waiting.targets.end();
        self.statement.begin_lazy(kind);
        let is_tried = |kind: &BlockKind| matches!(kind, BlockKind::Try | BlockKind::Handler(_));
        let is_inside = self.scopes.scopes.len() > 1
            || self.scopes.blocks.iter().any(|block| is_tried(&block.kind));
        if self.part.is_checked() && is_inside {
            return Err(wrong(b"lazy", start, CompilingReason::LazyInside));
        }
        Ok(())
    }

    /// Whether a lazy import is being read.
    pub(super) fn is_lazy_import(&self) -> bool {
        self.statement.header().form == Form::Lazy
    }
}
