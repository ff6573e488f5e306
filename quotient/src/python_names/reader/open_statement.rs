//! The statement that is being read: its kind, the part that is being read, and the facts that its end will need.
//!
//! ```text
//! async def f[T](a, b) -> T:      a definition's name, the definition, what it returns
//! for x in rows:                  targets, then an iterable; its suite is a loop
//! match rows:                     an expression like `match -rows`, until the second operand says what it is
//! from a import b as c, d         a module, names, an alias, names
//! ```
//!
//! Symbols lead from kind to kind here alone: other files ask, and report the symbol that they have read. The frames
//! (`frames.rs`) do for brackets what this does for lines.

use smallvec::SmallVec;

use super::rows::{PatternRow, Stars};
use crate::python_names::symbols::{Name, SymbolKind};

/// The kind of statement that is being read, and the part of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::python_names) enum Statement {
    Start,
    /// An expression or an assignment.
    Expression,
    /// The annotation behind a target.
    Annotation,
    /// Keywords with values behind them: `return`, `raise`, decorators.
    Value,
    /// The targets behind `del`.
    Delete,
    /// `if`, `elif`, `while`, `match`, guards: a walrus needs no brackets.
    Condition,
    ForTargets,
    ForIterable,
    WithItem,
    WithTarget,
    Import,
    ImportAlias,
    FromModule,
    FromNames,
    FromAlias,
    Global,
    Nonlocal,
    /// The name between `def` or `class` and the brackets.
    DefinitionName,
    /// The rest of a definition behind its name.
    Definition,
    /// The value behind the `=` of `type X = ...`.
    TypeValue,
    /// The type behind `->`.
    Returns,
    Except,
    ExceptName,
    Case,
    TypeName,
    /// Keywords with nothing but a colon behind them.
    Header,
}

/// The symbol in front of the next one, as far as it decides what may come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::python_names) enum Behind {
    /// An element, argument or condition begins: here `name :=` may come.
    Start,
    Operator,
    Operand,
    Dot,
}

/// The form of a statement beyond its kind; each form belongs to some kinds alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::python_names) enum Form {
    #[default]
    Plain,
    /// An expression, or an annotation, that began with a name which may be a soft keyword.
    SoftKeyword,
    /// The condition of a `match`.
    Match,
    Loop,
    Class,
    /// `from __future__ import`
    OfFuture,
    /// A handler that began with `except*`.
    Group,
    Try,
    /// `lazy import`, or `lazy from`
    Lazy,
}

/// The facts about a header that its end needs.
#[derive(Clone, PartialEq, Debug, Default)]
pub(in crate::python_names) struct Header {
    pub(in crate::python_names) form: Form,
    pub(in crate::python_names) is_async: bool,
    /// The name of a definition or a handler.
    pub(in crate::python_names) name: Option<Name>,
    pub(in crate::python_names) type_parameters: SmallVec<[Name; 1]>,
    pub(in crate::python_names) parameters: SmallVec<[Name; 4]>,
}

/// A statement in progress.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::python_names) struct OpenStatement {
    kind: Statement,
    behind: Behind,
    header: Header,
    /// The row of elements outside all brackets; `rows.rs` counts.
    pub(in crate::python_names) stars: Stars,
    /// Behind `case`: the rows of patterns, from the outermost inwards; `rows.rs` fills them.
    pub(in crate::python_names) patterns: Vec<PatternRow>,
}

impl OpenStatement {
    /// The state in front of a statement.
    pub(super) fn new() -> Self {
        Self {
            kind: Statement::Start,
            behind: Behind::Operator,
            header: Header::default(),
            stars: Stars::default(),
            patterns: Vec::new(),
        }
    }

    pub(in crate::python_names) fn kind(&self) -> Statement {
        self.kind
    }

    /// The symbol in front of the next one.
    pub(in crate::python_names) fn behind(&self) -> Behind {
        self.behind
    }

    pub(in crate::python_names) fn header(&self) -> &Header {
        &self.header
    }

    /// Whether the statement began with a name that may be a soft keyword.
    pub(in crate::python_names) fn may_be_soft(&self) -> bool {
        self.header.form == Form::SoftKeyword
    }

    /// Notes the symbol in front of the next one. The symbol that was noted before.
    pub(super) fn stand_behind(&mut self, behind: Behind) -> Behind {
        std::mem::replace(&mut self.behind, behind)
    }

    /// Begins a statement with a keyword. False if it is none: then the statement begins with an expression.
    pub(super) fn begin(&mut self, kind: SymbolKind) -> bool {
        self.behind = Behind::Operator;
        self.kind = match kind {
            SymbolKind::If | SymbolKind::Elif | SymbolKind::While => Statement::Condition,
            SymbolKind::For => Statement::ForTargets,
            SymbolKind::With => Statement::WithItem,
            SymbolKind::Try | SymbolKind::Finally | SymbolKind::Else => Statement::Header,
            SymbolKind::Except => Statement::Except,
            SymbolKind::Class | SymbolKind::Def => Statement::DefinitionName,
            SymbolKind::Import => Statement::Import,
            SymbolKind::From => Statement::FromModule,
            SymbolKind::Global => Statement::Global,
            SymbolKind::Nonlocal => Statement::Nonlocal,
            SymbolKind::Del => Statement::Delete,
            SymbolKind::Return
            | SymbolKind::Raise
            | SymbolKind::Assert
            | SymbolKind::At
            | SymbolKind::Pass
            | SymbolKind::Break
            | SymbolKind::Continue => Statement::Value,
            SymbolKind::Async => {
                self.header.is_async = true;
                return true;
            }
            _ => {
                self.kind = Statement::Expression;
                return false;
            }
        };
        self.header.form = match kind {
            SymbolKind::While | SymbolKind::For => Form::Loop,
            SymbolKind::Class => Form::Class,
            SymbolKind::Try | SymbolKind::Finally => Form::Try,
            _ => Form::Plain,
        };
        if self.kind == Statement::Condition {
            self.behind = Behind::Start;
        }
        true
    }

    /// Begins a statement with a name, which may be a soft keyword.
    pub(super) fn begin_with_name(&mut self, may_be_soft: bool) {
        self.header.form = if may_be_soft { Form::SoftKeyword } else { Form::Plain };
        self.kind = Statement::Expression;
        self.behind = Behind::Operator;
    }

    /// Begins a `case`, which stands in a `match`.
    pub(super) fn begin_case(&mut self) {
        self.kind = Statement::Case;
        self.patterns = vec![PatternRow::default()];
        self.behind = Behind::Start;
    }

    /// Begins a `type`: the statement's first name was this keyword.
    pub(super) fn begin_type(&mut self) {
        self.header.form = Form::Plain;
        self.kind = Statement::TypeName;
        self.behind = Behind::Start;
    }

    /// Begins a lazy import: the statement's first name was `lazy`, and this is the keyword behind it.
    pub(super) fn begin_lazy(&mut self, kind: SymbolKind) {
        self.begin(kind);
        self.header.form = Form::Lazy;
    }

    /// Begins a `match`: the statement's first name was this keyword.
    pub(super) fn begin_match(&mut self) {
        self.header.form = Form::Match;
        self.kind = Statement::Condition;
        self.behind = Behind::Start;
    }

    /// Rules out a soft keyword: the statement's first name is a variable.
    pub(super) fn rule_out_keyword(&mut self) {
        if self.may_be_soft() {
            self.header.form = Form::Plain;
        }
    }

    /// Reads the name of a definition, a handler or a type.
    pub(super) fn read_own_name(&mut self, name: &Name) {
        if self.kind != Statement::TypeName {
            self.header.name = Some(name.clone());
        }
        if matches!(self.kind, Statement::DefinitionName | Statement::TypeName) {
            self.kind = Statement::Definition;
        }
    }

    pub(super) fn read_parameters(&mut self, names: impl IntoIterator<Item = Name>) {
        self.header.parameters = names.into_iter().collect();
    }

    pub(super) fn read_type_parameters(&mut self, names: impl IntoIterator<Item = Name>) {
        self.header.type_parameters = names.into_iter().collect();
    }

    /// Reads `__future__` as the module behind `from`.
    pub(super) fn read_future(&mut self) {
        self.header.form = Form::OfFuture;
    }

    /// Reads the star of `except*`.
    pub(super) fn read_group_star(&mut self) {
        self.header.form = Form::Group;
        self.behind = Behind::Operator;
    }

    /// Reads a comma: an item of a row has ended.
    pub(super) fn read_comma(&mut self) {
        match self.kind {
            Statement::WithTarget => self.kind = Statement::WithItem,
            Statement::ImportAlias => self.kind = Statement::Import,
            Statement::FromAlias => self.kind = Statement::FromNames,
            Statement::Expression => self.rule_out_keyword(),
            _ => {}
        }
    }

    pub(super) fn read_as(&mut self) {
        self.kind = match self.kind {
            Statement::WithItem => Statement::WithTarget,
            Statement::Import => Statement::ImportAlias,
            Statement::FromNames => Statement::FromAlias,
            Statement::Except => Statement::ExceptName,
            other => other,
        };
    }

    /// Reads `import` behind a module.
    pub(super) fn read_import(&mut self) {
        if self.kind == Statement::FromModule {
            self.kind = Statement::FromNames;
        }
    }

    /// Reads `->`.
    pub(super) fn read_arrow(&mut self) {
        self.kind = Statement::Returns;
    }

    /// Reads `in` behind the targets of a `for`.
    pub(super) fn read_in(&mut self) {
        self.kind = Statement::ForIterable;
    }

    /// Begins a guard: the `if` behind a pattern.
    pub(super) fn begin_guard(&mut self) {
        self.patterns.clear();
        self.kind = Statement::Condition;
        self.behind = Behind::Start;
    }

    /// Begins an annotation: the `:` behind a target, or behind an expression that looks like one.
    pub(super) fn begin_annotation(&mut self) {
        self.kind = Statement::Annotation;
    }

    /// Reads the `=` behind an annotation or the name of a type.
    pub(super) fn read_assign(&mut self) {
        match self.kind {
            Statement::Annotation => self.kind = Statement::Value,
            Statement::Definition => self.kind = Statement::TypeValue,
            _ => {}
        }
    }

    /// Takes the facts about a header that its end needs.
    pub(super) fn take_header(&mut self) -> Header {
        std::mem::take(&mut self.header)
    }

    /// Ends the statement; none has begun.
    pub(super) fn end(&mut self) {
        *self = Self::new();
    }
}
