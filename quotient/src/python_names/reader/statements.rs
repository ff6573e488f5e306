//! The beginnings and ends of statements and of suites, and the names that are bound there.
//!
//! ```text
//! def f(a):            the suite is coming: its parameters are there before its first line is
//!     return a         ... which stands deeper, or else in the line of the header
//! match rows[0]:       reads like an annotation of `match[0]`, if it were no keyword:
//!     case [a]: ...    that this line stands deeper tells
//! total = total + a    `total` is bound when the line ends
//! ```

use super::NamesReader;
use super::frames::{FrameKind, NameContext, Phase};
use super::open_statement::{Behind, Form, Statement};
use super::rows::PatternRow;
use crate::python_names::scopes::{Block, BlockKind, Scope, ScopeKind, Surroundings};
use crate::python_names::symbols::{Name, NameViolation, Query, SymbolKind};

/// The suite that would begin if the next line stood deeper.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::python_names) enum NextSuite {
    /// An unknown suite, or none.
    Unknown,
    /// The cases of a statement that may have been a `match`.
    MaybeMatch,
    /// The suite of a header that has been read.
    Coming(Box<ComingSuite>),
}

/// A suite whose header has been read.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::python_names) struct ComingSuite {
    pub(in crate::python_names) kind: BlockKind,
    pub(in crate::python_names) scope: Option<Scope>,
    /// Whether it is the suite of an `except*`.
    pub(in crate::python_names) is_group: bool,
}

impl NextSuite {
    /// The suite of the header that has been read, if there is one.
    pub(in crate::python_names) fn coming(&self) -> Option<&ComingSuite> {
        match self {
            Self::Coming(coming) => Some(coming),
            Self::Unknown | Self::MaybeMatch => None,
        }
    }

    pub(in crate::python_names) fn into_coming(self) -> Option<ComingSuite> {
        match self {
            Self::Coming(coming) => Some(*coming),
            Self::Unknown | Self::MaybeMatch => None,
        }
    }

    pub(in crate::python_names) fn is_coming(&self) -> bool {
        self.coming().is_some()
    }

    /// Whether the statement that has been read is, or may be, a header.
    pub(in crate::python_names) fn is_header(&self) -> bool {
        !matches!(self, Self::Unknown)
    }
}

impl NamesReader {
    /// Ends a header: its suite may begin.
    fn end_header(&mut self, was: Behind) {
        let header = self.statement.take_header();
        let late = self.waiting.take_to_bind();
        let mut takes_all = false;
        let mut scope = None;
        let kind = match self.statement.kind() {
            Statement::Definition | Statement::DefinitionName | Statement::Returns => {
                let name: Name = header.name.unwrap_or_else(|| (*b"").into());
                let scope_kind = match header.form == Form::Class {
                    true => ScopeKind::Class,
                    false => ScopeKind::Function { is_async: header.is_async },
                };
                let mut opened = Scope::new(scope_kind);
                opened.type_parameters = header.type_parameters;
                for parameter in &header.parameters {
                    opened.own.add(parameter);
                }
                scope = Some(opened);
                if header.form == Form::Class {
                    let outer = self.scopes.innermost_mut();
                    outer.bound_later.push(name.clone());
                    BlockKind::Class(name)
                } else {
                    self.scopes.bind(&name);
                    BlockKind::Function
                }
            }
            Statement::ExceptName => match header.name {
                Some(name) => {
                    let was_bound = self.scopes.innermost().own.has(Query::Name(&name));
                    if self.scopes.innermost().is_function() {
                        // The name must not be declared any more, even after the suite has ended.
                        self.scopes.innermost_mut().reads.add(&name);
                    }
                    self.scopes.bind(&name);
                    BlockKind::Handler((!was_bound).then_some(name))
                }
                None => BlockKind::Handler(None),
            },
            Statement::Except => {
                takes_all = was == Behind::Operator;
                BlockKind::Handler(None)
            }
            Statement::Case => {
                takes_all = self.statement.patterns.first().is_some_and(PatternRow::takes_all);
                BlockKind::Plain
            }
            _ if header.form == Form::Match => BlockKind::Match,
            _ if header.form == Form::Loop => BlockKind::Loop,
            _ if header.form == Form::Try => BlockKind::Try,
            _ => BlockKind::Plain,
        };
        for name in late {
            self.scopes.bind(&name);
        }
        let is_new = self.scopes.blocks.last().is_some_and(|block| block.takes_all != takes_all);
        if is_new && let Some(block) = self.scopes.blocks.last_mut() {
            block.takes_all = takes_all;
        }
        self.suite = NextSuite::Coming(Box::new(ComingSuite {
            kind,
            scope,
            is_group: header.form == Form::Group,
        }));
        self.begin_anew();
    }

    /// Expects a `match`: the line that has just ended reads like an annotation, and may be its header.
    fn expect_match(&mut self) {
        self.suite = NextSuite::MaybeMatch;
    }

    /// Expects no `match` any more: the line behind the one that has ended stands no deeper.
    pub(super) fn expect_no_match(&mut self) {
        if self.suite == NextSuite::MaybeMatch {
            self.suite = NextSuite::Unknown;
        }
    }

    /// Begins a suite, at a column or in the line of its header.
    pub(super) fn begin_suite(&mut self, column: Option<u32>) {
        let (kind, scope, is_group) = match std::mem::replace(&mut self.suite, NextSuite::Unknown) {
            NextSuite::Unknown => (BlockKind::Plain, None, false),
            NextSuite::MaybeMatch => (BlockKind::Match, None, false),
            NextSuite::Coming(coming) => (coming.kind, coming.scope, coming.is_group),
        };
        self.scopes.open(kind, column, scope);
        if let Some(block) = self.scopes.blocks.last_mut() {
            block.is_group = is_group;
        }
    }
}

impl NamesReader {
    /// Begins a statement with this keyword; false if it is none.
    pub(super) fn begin_statement(&mut self, kind: SymbolKind) -> bool {
        let is_keyword = self.statement.begin(kind);
        if is_keyword && kind != SymbolKind::Async {
            self.waiting.targets.end();
        }
        is_keyword
    }

    pub(super) fn colon(&mut self) -> Result<(), NameViolation> {
        if let Some(frame) = self.frames.last_mut() {
            match frame.kind {
                FrameKind::Lambda => {
                    frame.phase = Phase::Body;
                    for name in &frame.bound {
                        self.scopes.note_bound(name);
                    }
                }
                FrameKind::Parameters | FrameKind::TypeParameters => {
                    frame.phase = Phase::Annotation
                }
                FrameKind::Brace if frame.context == NameContext::Pattern => self.begin_value(),
                _ => {}
            }
            self.statement.stand_behind(Behind::Operator);
            return Ok(());
        }
        let was = self.statement.stand_behind(Behind::Operator);
        if self.statement.kind() == Statement::Expression {
            for candidate in self.waiting.targets.end() {
                self.check_annotated(&candidate)?;
                self.check_target(&candidate.name, candidate.start)?;
                self.waiting.bind_at_end(candidate.name);
            }
            self.forget_row();
            self.statement.begin_annotation();
            return Ok(());
        }
        self.end_row()?;
        self.end_alternatives(self.last.start)?;
        self.end_header(was);
        Ok(())
    }

    pub(super) fn begin_anew(&mut self) {
        self.statement.end();
        self.waiting.targets.begin_anew();
        self.frames.clear();
    }

    pub(super) fn end_statement(&mut self, around: &Surroundings) -> Result<(), NameViolation> {
        let had_annotation =
            self.statement.kind() == Statement::Annotation && self.statement.may_be_soft();
        self.use_candidates(0, around)?;
        self.drop_rescuers()?;
        self.end_row()?;
        let has_value = self.statement.kind() != Statement::Annotation;
        for name in self.waiting.take_to_bind() {
            if self.statement.kind() == Statement::Delete {
                self.scopes.delete(&name);
            } else if has_value {
                self.scopes.bind(&name);
            } else {
                self.scopes.annotate(name);
            }
        }
        self.begin_anew();
        match had_annotation {
            true => self.expect_match(),
            false => self.expect_no_match(),
        }
        Ok(())
    }

    pub(super) fn end_line(&mut self, around: &Surroundings) -> Result<(), NameViolation> {
        if self.suite.is_coming() && self.statement.kind() == Statement::Start {
            return Ok(());
        }
        self.end_lambdas(SymbolKind::Newline);
        self.end_walruses(SymbolKind::Newline);
        self.end_statement(around)?;
        while self.scopes.blocks.last().is_some_and(|block: &Block| block.column.is_none()) {
            self.scopes.close();
        }
        Ok(())
    }

    pub(super) fn assign(&mut self) -> Result<(), NameViolation> {
        self.statement.stand_behind(Behind::Operator);
        if let Some(frame) = self.frames.last_mut() {
            match frame.kind {
                FrameKind::Parameters | FrameKind::TypeParameters | FrameKind::Lambda => {
                    frame.phase = Phase::Default;
                }
                FrameKind::Arguments => {
                    frame.may_comprehend = false;
                    let index = self.frames.len() - 1;
                    self.drop_rescuer(index)?;
                }
                _ => {}
            }
            return Ok(());
        }
        match self.statement.kind() {
            Statement::Expression => {
                self.end_targets()?;
                for candidate in self.waiting.targets.begin_anew() {
                    self.check_target(&candidate.name, candidate.start)?;
                    self.waiting.bind_at_end(candidate.name);
                }
                self.statement.rule_out_keyword();
            }
            _ => self.statement.read_assign(),
        }
        Ok(())
    }

    pub(super) fn read_augmented_assignment(
        &mut self,
        around: &Surroundings,
    ) -> Result<(), NameViolation> {
        let candidates = self.waiting.targets.end();
        for candidate in &candidates {
            self.check_target(&candidate.name, candidate.start)?;
            self.waiting.bind_at_end(candidate.name.clone());
        }
        self.forget_row();
        self.statement.rule_out_keyword();
        self.statement.stand_behind(Behind::Operator);
        self.use_all(candidates, around)
    }
}
