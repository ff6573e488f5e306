//! The refusals of CPython's compiler, beyond those of its parser, that a single symbol shows.
//!
//! `imports`, `rows`, `comprehensions` and `name_uses` have those that take more than one symbol.
//! docs/names.md lists those that are left to the compiler.

use super::NamesReader;
use super::open_statement::Statement;
use crate::python_names::scopes::{BlockKind, Needs, Surroundings, is_async};
use crate::python_names::symbols::{CompilingReason, NameViolation, SymbolKind, wrong};

/// Checks a symbol of a hole, given the symbol in front of it; in a context, notes its needs.
pub(super) fn check(
    reader: &mut NamesReader,
    kind: SymbolKind,
    before: SymbolKind,
    text: &[u8],
    start: i64,
    around: &Surroundings,
) -> Result<(), NameViolation> {
    let is_value = before == SymbolKind::Return
        && !matches!(kind, SymbolKind::Newline | SymbolKind::Semicolon);
    if is_value {
        reader.scopes.innermost_mut().needs.returns_value = true;
    }
    let is_in_lambda = reader.is_in_lambda();
    let is_begin = reader.statement.kind() == Statement::Start;
    let scope = reader.scopes.innermost();
    let mut needs = scope.needs;
    match kind {
        SymbolKind::Return => needs.function = true,
        SymbolKind::Yield if !is_in_lambda => (needs.function, needs.yields) = (true, true),
        SymbolKind::From if before == SymbolKind::Yield && !is_in_lambda => {
            needs.yields_from = true
        }
        SymbolKind::For | SymbolKind::With if is_begin && reader.statement.header().is_async => {
            needs.async_function = true
        }
        SymbolKind::Break | SymbolKind::Continue if !reader.scopes.is_in_loop() => {
            needs.a_loop = true
        }
        _ => {}
    }
    if kind == SymbolKind::Yield {
        reader.note_yield(start)?;
    }
    if !reader.part.is_checked() {
        note_needs(reader, needs);
    } else if matches!(kind, SymbolKind::Yield | SymbolKind::Await | SymbolKind::Walrus)
        && reader.is_in_type()
    {
        reader.note_in_type(kind, text, start)?;
    }
    if kind == SymbolKind::Await {
        reader.ask_for_async(b"await", start)?;
    }
    if !reader.part.is_checked() {
        return Ok(());
    }
    let scope = reader.scopes.innermost();
    let reason = match kind {
        SymbolKind::Return | SymbolKind::Yield if !is_in_lambda && !scope.is_function() => {
            Some(CompilingReason::OutsideFunction)
        }
        SymbolKind::For | SymbolKind::With
            if is_begin && reader.statement.header().is_async && !is_async(scope) =>
        {
            Some(CompilingReason::OutsideAsync)
        }
        SymbolKind::Break | SymbolKind::Continue if !reader.scopes.is_in_loop() => {
            Some(CompilingReason::OutsideLoop)
        }
        SymbolKind::Break | SymbolKind::Continue if reader.scopes.would_leave_group(true) => {
            Some(CompilingReason::InGroup)
        }
        SymbolKind::Return if reader.scopes.would_leave_group(false) => {
            Some(CompilingReason::InGroup)
        }
        SymbolKind::From if before == SymbolKind::Yield && !is_in_lambda && is_async(scope) => {
            Some(CompilingReason::InAsyncGenerator)
        }
        _ if is_async(scope) && (kind == SymbolKind::Yield || is_value) => {
            let behind = reader.scopes.needs_behind(around);
            let yields = needs.yields || behind.yields;
            let returns = needs.returns_value || behind.returns_value;
            (yields && returns).then_some(CompilingReason::InAsyncGenerator)
        }
        SymbolKind::Name if reader.frames.is_empty() => check_name(reader, text, around),
        SymbolKind::Except if is_begin => {
            let is_after_all = reader.scopes.blocks.last().is_some_and(|block| block.takes_all);
            is_after_all.then_some(CompilingReason::Unreachable)
        }
        SymbolKind::Star if reader.is_lazy_import() => Some(CompilingReason::LazyStar),
        SymbolKind::Star
            if reader.statement.kind() == Statement::FromNames
                && reader.scopes.scopes.len() > 1 =>
        {
            Some(CompilingReason::StarImport)
        }
        _ => None,
    };
    note_needs(reader, needs);
    match reason {
        Some(reason) => Err(wrong(text, start, reason)),
        None => Ok(()),
    }
}

/// Notes needs. Scopes are shared until they change, so equal needs change nothing.
fn note_needs(reader: &mut NamesReader, needs: Needs) {
    if reader.scopes.innermost().needs != needs {
        reader.scopes.innermost_mut().needs = needs;
    }
}

fn check_name(reader: &NamesReader, text: &[u8], around: &Surroundings) -> Option<CompilingReason> {
    match reader.statement.kind() {
        Statement::Start if text == b"case" => {
            let block = reader.scopes.blocks.last()?;
            (block.kind == BlockKind::Match && block.takes_all)
                .then_some(CompilingReason::Unreachable)
        }
        Statement::Global | Statement::Nonlocal => reader.check_declared(text, around),
        _ => None,
    }
}
