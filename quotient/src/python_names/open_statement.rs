//! The statement that is being read: its kind, how far it has got, and what its end will need of it.
//!
//! ```text
//! async def f[T](a, b) -> T:      a definition's name, the definition, what it returns
//! for x in rows:                  targets, then an iterable; its suite is a loop
//! match rows:                     an expression like `match -rows`, until the second operand says what it is
//! from a import b as c, d         a module, names, an alias, names
//! ```
//!
//! Symbols lead from kind to kind here alone: others ask, and say which symbol they have read. What stands in brackets
//! is told by the frames (`frames.rs`), which are to brackets what this is to lines.

use smallvec::SmallVec;

use super::frames::Stars;
use super::kinds::SymbolKind;
use super::name_set::Name;
use super::patterns::PatternRow;

/// What kind of statement is being read, and how far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Statement {
    Start,
    /// An expression or an assignment.
    Expression,
    /// The annotation behind a target.
    Annotation,
    /// Keywords with values behind them: `return`, `raise`, decorators.
    Value,
    /// Behind `del`.
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
    /// Between `def` or `class` and the brackets.
    DefinitionName,
    /// Behind the name.
    Definition,
    /// Behind the `=` of `type X = ...`.
    TypeValue,
    /// Behind `->`.
    Returns,
    Except,
    ExceptName,
    Case,
    TypeName,
    /// Keywords with nothing but a colon behind them.
    Header,
}

/// What stands in front of the next symbol, as far as it decides what that may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Behind {
    /// An element, argument or condition begins: here `name :=` may come.
    Start,
    Operator,
    Operand,
    Dot,
}

/// What else a statement is that its kind does not say; each belongs to some kinds alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Form {
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
    /// It began with `except*`.
    Group,
    Try,
    /// `lazy import`, or `lazy from`
    Lazy,
}

/// What the end of a header needs of it.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Header {
    pub(super) form: Form,
    pub(super) is_async: bool,
    /// Of a definition or a handler.
    pub(super) name: Option<Name>,
    pub(super) type_parameters: SmallVec<[Name; 1]>,
    pub(super) parameters: SmallVec<[Name; 4]>,
}

/// A statement, as far as it has been read.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct OpenStatement {
    kind: Statement,
    behind: Behind,
    header: Header,
    /// The row of elements that is in no brackets; `stars.rs` counts.
    pub(super) stars: Stars,
    /// Behind `case`: its rows of patterns, from the outermost one inwards; `patterns.rs` fills them.
    pub(super) patterns: Vec<PatternRow>,
}

impl OpenStatement {
    /// None has begun.
    pub(super) fn new() -> Self {
        Self {
            kind: Statement::Start,
            behind: Behind::Operator,
            header: Header::default(),
            stars: Stars::default(),
            patterns: Vec::new(),
        }
    }

    pub(super) fn kind(&self) -> Statement {
        self.kind
    }

    /// What stands in front of the next symbol.
    pub(super) fn behind(&self) -> Behind {
        self.behind
    }

    pub(super) fn header(&self) -> &Header {
        &self.header
    }

    /// Whether it began with a name that may be a soft keyword.
    pub(super) fn may_be_soft(&self) -> bool {
        self.header.form == Form::SoftKeyword
    }

    /// Something stands in front of the next symbol; gives what stood in front of that.
    pub(super) fn stand_behind(&mut self, behind: Behind) -> Behind {
        std::mem::replace(&mut self.behind, behind)
    }

    /// It begins with a keyword, or else with an expression: then this is false.
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

    /// It begins with a name, which may be a soft keyword.
    pub(super) fn begin_with_name(&mut self, may_be_soft: bool) {
        self.header.form = if may_be_soft { Form::SoftKeyword } else { Form::Plain };
        self.kind = Statement::Expression;
        self.behind = Behind::Operator;
    }

    /// `case` stands in a `match`.
    pub(super) fn begin_case(&mut self) {
        self.kind = Statement::Case;
        self.patterns = vec![PatternRow::default()];
        self.behind = Behind::Start;
    }

    /// The name that it began with was `type`.
    pub(super) fn begin_type(&mut self) {
        self.header.form = Form::Plain;
        self.kind = Statement::TypeName;
        self.behind = Behind::Start;
    }

    /// The name that it began with was `lazy`; this is the keyword behind it.
    pub(super) fn begin_lazy(&mut self, kind: SymbolKind) {
        self.begin(kind);
        self.header.form = Form::Lazy;
    }

    /// The name that it began with was `match`.
    pub(super) fn begin_match(&mut self) {
        self.header.form = Form::Match;
        self.kind = Statement::Condition;
        self.behind = Behind::Start;
    }

    /// The name that it began with is a variable.
    pub(super) fn rule_out_keyword(&mut self) {
        if self.may_be_soft() {
            self.header.form = Form::Plain;
        }
    }

    /// The name that a definition, a handler or a type has.
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

    /// The module behind `from` is `__future__`.
    pub(super) fn read_future(&mut self) {
        self.header.form = Form::OfFuture;
    }

    /// The star of `except*`.
    pub(super) fn read_group_star(&mut self) {
        self.header.form = Form::Group;
        self.behind = Behind::Operator;
    }

    /// An item of a row has ended.
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

    /// `import` behind a module.
    pub(super) fn read_import(&mut self) {
        if self.kind == Statement::FromModule {
            self.kind = Statement::FromNames;
        }
    }

    /// `->`
    pub(super) fn read_arrow(&mut self) {
        self.kind = Statement::Returns;
    }

    /// `in` behind the targets of a `for`.
    pub(super) fn read_in(&mut self) {
        self.kind = Statement::ForIterable;
    }

    /// The `if` behind a pattern.
    pub(super) fn begin_guard(&mut self) {
        self.patterns.clear();
        self.kind = Statement::Condition;
        self.behind = Behind::Start;
    }

    /// The `:` behind a target, or behind what looks like one.
    pub(super) fn begin_annotation(&mut self) {
        self.kind = Statement::Annotation;
    }

    /// The `=` behind an annotation or the name of a type.
    pub(super) fn read_assign(&mut self) {
        match self.kind {
            Statement::Annotation => self.kind = Statement::Value,
            Statement::Definition => self.kind = Statement::TypeValue,
            _ => {}
        }
    }

    /// What its header needs when it ends.
    pub(super) fn take_header(&mut self) -> Header {
        std::mem::take(&mut self.header)
    }

    /// It has ended; none has begun.
    pub(super) fn end(&mut self) {
        *self = Self::new();
    }
}
