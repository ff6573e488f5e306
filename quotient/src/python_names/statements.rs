//! How statements begin and end, and what they bind then.

use super::frames::{FrameKind, NameContext, Phase, Stars};
use super::kinds::SymbolKind;
use super::name_set::{Name, Query};
use super::patterns::PatternRow;
use super::reader::{Behind, Coming, Header, NameViolation, Reader, Statement};
use super::scopes::{Block, BlockKind, Scope, ScopeKind, Surroundings};

impl Reader {
    /// The keyword that a statement begins with; false if it is none.
    pub(super) fn begin_statement(&mut self, kind: SymbolKind) -> bool {
        self.behind = Behind::Operator;
        self.is_target = false;
        self.statement = match kind {
            SymbolKind::If | SymbolKind::Elif => Statement::Condition,
            SymbolKind::While => {
                self.header.is_loop = true;
                Statement::Condition
            }
            SymbolKind::For => {
                self.header.is_loop = true;
                Statement::ForTargets
            }
            SymbolKind::With => Statement::WithItem,
            SymbolKind::Try | SymbolKind::Finally | SymbolKind::Else => Statement::Header,
            SymbolKind::Except => Statement::Except,
            SymbolKind::Class | SymbolKind::Def => {
                self.header.is_class = kind == SymbolKind::Class;
                Statement::DefinitionName
            }
            SymbolKind::Import => Statement::Import,
            SymbolKind::From => Statement::FromModule,
            SymbolKind::Global => Statement::Global,
            SymbolKind::Nonlocal => Statement::Nonlocal,
            SymbolKind::Del => Statement::Delete,
            SymbolKind::Return
            | SymbolKind::Raise
            | SymbolKind::Assert
            | SymbolKind::At
            | SymbolKind::Pass => Statement::Value,
            SymbolKind::Break | SymbolKind::Continue => Statement::Value,
            SymbolKind::Async => {
                self.header.is_async = true;
                self.is_target = true;
                return true;
            }
            _ => {
                self.is_target = true;
                self.statement = Statement::Expression;
                return false;
            }
        };
        if self.statement == Statement::Condition {
            self.behind = Behind::Start;
        }
        true
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
            self.behind = Behind::Operator;
            return Ok(());
        }
        let was = std::mem::replace(&mut self.behind, Behind::Operator);
        if self.statement == Statement::Expression {
            let may_match = self.header.is_soft;
            if self.is_target {
                for candidate in std::mem::take(&mut self.candidates) {
                    self.check_annotated(&candidate)?;
                    self.check_target(&candidate.name, candidate.start)?;
                    self.to_bind.push(candidate.name);
                }
            }
            self.stars = Stars::default();
            self.is_target = false;
            self.statement = Statement::Annotation;
            self.header.is_match = may_match;
            return Ok(());
        }
        self.end_row()?;
        self.end_alternatives(self.at)?;
        self.end_header(was);
        Ok(())
    }

    /// The suite of a header may begin.
    pub(super) fn end_header(&mut self, was: Behind) {
        let header = std::mem::take(&mut self.header);
        let late = std::mem::take(&mut self.to_bind);
        let mut takes_all = false;
        let mut scope = None;
        let kind = match self.statement {
            Statement::Definition | Statement::DefinitionName | Statement::Returns => {
                let name: Name = header.name.unwrap_or_else(|| (*b"").into());
                let scope_kind = match header.is_class {
                    true => ScopeKind::Class,
                    false => ScopeKind::Function { is_async: header.is_async },
                };
                let mut opened = Scope::new(scope_kind);
                opened.type_parameters = header.type_parameters;
                for parameter in &header.parameters {
                    opened.own.add(parameter);
                }
                scope = Some(opened);
                if header.is_class {
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
                        // It must not be declared any more, even where it has ended.
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
                takes_all = self.patterns.first().is_some_and(PatternRow::takes_all);
                BlockKind::Plain
            }
            _ if header.is_match => BlockKind::Match,
            _ if header.is_loop => BlockKind::Loop,
            _ => BlockKind::Plain,
        };
        for name in late {
            self.scopes.bind(&name);
        }
        let is_new = self.scopes.blocks.last().is_some_and(|block| block.takes_all != takes_all);
        if is_new && let Some(block) = self.scopes.blocks.last_mut() {
            block.takes_all = takes_all;
        }
        self.coming = Some(Coming { kind, scope, is_group: header.is_group });
        self.begin_anew();
    }

    pub(super) fn begin_anew(&mut self) {
        self.statement = Statement::Start;
        self.behind = Behind::Operator;
        self.is_target = true;
        self.frames.clear();
        self.patterns.clear();
        self.stars = Stars::default();
        self.header = Header::default();
    }

    pub(super) fn begin_suite(&mut self, column: Option<u32>) {
        let kind = if self.may_match { BlockKind::Match } else { BlockKind::Plain };
        let none = Coming { kind, scope: None, is_group: false };
        let coming = self.coming.take().unwrap_or(none);
        self.scopes.open(coming.kind, column, coming.scope);
        if let Some(block) = self.scopes.blocks.last_mut() {
            block.is_group = coming.is_group;
        }
    }

    pub(super) fn end_statement(&mut self, around: &Surroundings) -> Result<(), NameViolation> {
        let had_annotation = self.statement == Statement::Annotation && self.header.is_match;
        self.use_candidates(0, around)?;
        for obligation in &mut self.obligations {
            obligation.rescuers = 0;
        }
        self.check_obligations()?;
        self.end_row()?;
        let has_value = self.statement != Statement::Annotation;
        for name in std::mem::take(&mut self.to_bind) {
            if self.statement == Statement::Delete {
                self.scopes.delete(&name);
            } else if has_value {
                self.scopes.bind(&name);
            } else {
                self.scopes.annotate(name);
            }
        }
        self.begin_anew();
        // `match x[0]:` reads like an annotation; an INDENT tells.
        self.may_match = had_annotation;
        Ok(())
    }

    pub(super) fn end_line(&mut self, around: &Surroundings) -> Result<(), NameViolation> {
        if self.coming.is_some() && self.statement == Statement::Start {
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
        self.behind = Behind::Operator;
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
        match self.statement {
            Statement::Expression => {
                self.end_targets()?;
                for candidate in std::mem::take(&mut self.candidates) {
                    self.check_target(&candidate.name, candidate.start)?;
                    self.to_bind.push(candidate.name);
                }
                self.header.is_soft = false;
                self.is_target = true;
            }
            Statement::Annotation => {
                self.header.is_match = false;
                self.statement = Statement::Value;
            }
            Statement::Definition => self.statement = Statement::TypeValue,
            _ => {}
        }
        Ok(())
    }

    pub(super) fn read_augmented_assignment(
        &mut self,
        around: &Surroundings,
    ) -> Result<(), NameViolation> {
        for candidate in self.candidates.clone() {
            self.check_target(&candidate.name, candidate.start)?;
            self.to_bind.push(candidate.name);
        }
        self.stars = Stars::default();
        self.header.is_soft = false;
        self.is_target = false;
        self.behind = Behind::Operator;
        self.use_candidates(0, around)
    }
}
