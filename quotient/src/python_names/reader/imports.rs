//! The imports that have rules of their own: those from `__future__`, which come in front of all else and name
//! features that exist, and `lazy` ones, which wait for the first use of their names (PEP 810).
//!
//! ```text
//! """A docstring."""                     may stand in front of it,
//! from __future__ import annotations     others of its kind, too;
//! import os                              behind this, none may come
//! lazy import json                       binds `json`; allowed at the module's own level alone
//! lazy = json                            a name like others
//! def f():
//!     lazy import json                   refused, as it is in classes, behind `try`, `except` and `finally`, and
//!                                        with a `*`
//! ```
//!
//! A hole in front of an import from `__future__` must not get a statement that ends them, either.

use super::NamesReader;
use super::open_statement::{Behind, Form, Statement};
use crate::python_names::scopes::{BlockKind, Surroundings};
use crate::python_names::symbols::{CompilingReason, NameViolation, SymbolKind, wrong};

/// The features of `__future__`, which every version has.
pub(in crate::python_names) const FEATURES: [&[u8]; 10] = [
    b"absolute_import",
    b"annotations",
    b"barry_as_FLUFL",
    b"division",
    b"generator_stop",
    b"generators",
    b"nested_scopes",
    b"print_function",
    b"unicode_literals",
    b"with_statement",
];

/// The state of a file's imports from `__future__`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::python_names) struct FutureImports {
    may_come: bool,
    has_come: bool,
}

impl FutureImports {
    /// The state in front of all text.
    pub(super) fn first() -> Self {
        Self { may_come: true, has_come: false }
    }

    /// Whether such an import may still come, since nothing that ends them has been read.
    pub(in crate::python_names) fn may_come(self) -> bool {
        self.may_come
    }

    /// Whether such an import has been read.
    pub(in crate::python_names) fn has_come(self) -> bool {
        self.has_come
    }
}

impl NamesReader {
    /// Whether the names of a `from __future__ import` are being read.
    pub(in crate::python_names) fn is_of_future(&self) -> bool {
        let is_of_future = self.statement.header().form == Form::OfFuture;
        is_of_future && self.statement.kind() == Statement::FromNames
    }

    /// Notes the module behind `from`. `is_first`: only points stand in front of it.
    pub(super) fn note_module(&mut self, name: &[u8], is_first: bool) {
        if is_first && name == b"__future__" {
            self.statement.read_future();
            self.future.has_come = true;
        }
    }

    /// Checks a feature that is imported from `__future__`.
    pub(super) fn check_feature(&self, name: &[u8], start: i64) -> Result<(), NameViolation> {
        if !self.part.is_checked() || !self.is_of_future() || FEATURES.contains(&name) {
            return Ok(());
        }
        Err(wrong(name, start, CompilingReason::NoFeature))
    }

    /// Checks whether imports from `__future__` come first: they may stand behind a docstring and each other.
    pub(super) fn check_future(
        &mut self,
        kind: SymbolKind,
        text: &[u8],
        start: i64,
        around: &Surroundings,
    ) -> Result<(), NameViolation> {
        let is_judged = self.part.is_hole();
        let is_import =
            kind == SymbolKind::Import && self.statement.kind() == Statement::FromModule;
        let is_of_future = is_import && self.statement.header().form == Form::OfFuture;
        if is_of_future && is_judged && !self.future.may_come {
            return Err(wrong(text, start, CompilingReason::LateFuture));
        }
        let is_other = match self.statement.kind() {
            Statement::Start => {
                !matches!(kind, SymbolKind::From | SymbolKind::String | SymbolKind::Semicolon)
            }
            // The expression begins like a docstring.
            Statement::Expression => !matches!(kind, SymbolKind::String | SymbolKind::Semicolon),
            _ => is_import && !is_of_future,
        };
        if self.future.may_come && is_other {
            if is_judged && around.right.has_future {
                return Err(wrong(text, start, CompilingReason::LateFuture));
            }
            self.future.may_come = false;
        }
        Ok(())
    }
}

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
