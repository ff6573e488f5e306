//! The refusals of CPython's compiler, beyond those of its parser, that a single symbol shows.
//!
//! `imports`, `rows`, `comprehensions` and `declarations` have those that take more than one symbol.
//! docs/names.md lists those that are left to the compiler.

use super::open_statement::Statement;
use super::reader::{NameViolation, NamesReader, wrong};
use super::scopes::{BlockKind, Scope, ScopeKind, Surroundings};
use super::symbol_kinds::SymbolKind;

/// The reason why a symbol must not stand where it does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CompilingReason {
    /// No such name is visible.
    Undefined,
    /// `return` outside of functions, and the like.
    OutsideFunction,
    /// `await` and the like outside of asynchronous functions.
    OutsideAsync,
    /// `break` or `continue` outside of loops.
    OutsideLoop,
    /// `yield from`, or a value returned, in an asynchronous generator.
    InAsyncGenerator,
    /// `nonlocal` where no function around binds the name.
    NoNonlocal,
    /// `global` or `nonlocal` behind a use of the name that it declares.
    TooLate,
    /// Two parameters of one name.
    RepeatedParameter,
    /// Two arguments of one name.
    RepeatedKeyword,
    /// A `case` or `except` behind one that takes all.
    Unreachable,
    /// `import *` in a function or class.
    StarImport,
    /// `lazy` in a function, a class or a `try`.
    LazyInside,
    /// `lazy from ... import *`
    LazyStar,
    /// An import from `__future__` that does not stand in front of all else, or would not stand there any more.
    LateFuture,
    /// A starred expression that is no element of a row.
    LoneStar,
    /// A second star in a row of targets, or of patterns.
    SecondStar,
    /// `yield`, or a rebinding of a variable, in a comprehension.
    InComprehension,
    /// A name that is captured twice.
    RepeatedCapture,
    /// Alternatives that capture different names.
    UnequalAlternatives,
    /// A binding of `__debug__`, which nothing may bind.
    Constant,
    /// A feature that `__future__` does not have.
    NoFeature,
    /// `yield`, `await` or `:=` where types are described.
    InType,
    /// `break`, `continue` or `return` in the suite of an `except*`.
    InGroup,
    /// A `return`, `break` or the like of the right context would be left without its function or loop.
    Rest,
}

impl CompilingReason {
    /// The reason as a sentence, with `{}` for the symbol.
    pub(super) fn sentence(self) -> &'static str {
        match self {
            Self::Undefined => "`{}` is not defined here",
            Self::OutsideFunction => "`{}` stands outside of functions",
            Self::OutsideAsync => "`{}` stands outside of asynchronous functions",
            Self::OutsideLoop => "`{}` stands outside of loops",
            Self::InAsyncGenerator => "`{}` does not fit an asynchronous generator",
            Self::NoNonlocal => "no function around this one binds `{}`",
            Self::TooLate => "`{}` is bound before it is declared",
            Self::RepeatedParameter => "the parameter `{}` is repeated",
            Self::RepeatedKeyword => "the keyword `{}` is repeated",
            Self::Unreachable => "nothing is left for this `{}`",
            Self::LoneStar => "a starred expression stands in a row of others",
            Self::SecondStar => "a row of targets has one star",
            Self::InComprehension => "`{}` does not fit a comprehension",
            Self::RepeatedCapture => "`{}` is captured twice",
            Self::UnequalAlternatives => "alternatives capture the same names",
            Self::Constant => "`{}` cannot be bound",
            Self::NoFeature => "`__future__` has no `{}`",
            Self::InType => "`{}` does not fit the description of a type",
            Self::InGroup => "`{}` cannot leave an `except*`",
            Self::Rest => "the lines behind it would leave their function or loop",
            Self::LateFuture => "imports from `__future__` come first",
            Self::StarImport => "`import *` stands outside of the module's own lines",
            Self::LazyInside => "lazy imports stand in no function, class or `try`",
            Self::LazyStar => "a lazy import has no `*`",
        }
    }
}

/// The needs of a part of a right context for the scope that it will be in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Needs {
    pub(super) function: bool,
    pub(super) async_function: bool,
    pub(super) a_loop: bool,
    pub(super) yields: bool,
    /// Whether it has a `yield from`, which an asynchronous function must not have.
    pub(super) yields_from: bool,
    pub(super) returns_value: bool,
}

impl Needs {
    /// Adds the needs of another part.
    pub(super) fn join(&mut self, other: Self) {
        self.function |= other.function;
        self.async_function |= other.async_function;
        self.a_loop |= other.a_loop;
        self.yields |= other.yields;
        self.yields_from |= other.yields_from;
        self.returns_value |= other.returns_value;
    }
}

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

pub(super) fn is_async(scope: &Scope) -> bool {
    scope.kind == ScopeKind::Function { is_async: true }
}
