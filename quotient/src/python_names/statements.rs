//! How statements begin and end, and what they bind then.

use super::frames::{FrameKind, NameContext, Phase, Stars};
use super::kinds::SymbolKind;
use super::reader::{Behind, Header, NameViolation, Reader, Statement};
use super::scopes::{Block, Surroundings};

impl Reader {
    /// The keyword that a statement begins with; false if it is none.
    pub(super) fn begin_statement(&mut self, kind: SymbolKind) -> bool {
        self.behind = Behind::Operator;
        self.waiting.targets.end();
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
                self.waiting.targets.begin_anew();
                return true;
            }
            _ => {
                self.waiting.targets.begin_anew();
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
            for candidate in self.waiting.targets.end() {
                self.check_annotated(&candidate)?;
                self.check_target(&candidate.name, candidate.start)?;
                self.waiting.bind_at_end(candidate.name);
            }
            self.stars = Stars::default();
            self.statement = Statement::Annotation;
            self.header.is_match = may_match;
            return Ok(());
        }
        self.end_row()?;
        self.end_alternatives(self.at)?;
        self.end_header(was);
        Ok(())
    }

    pub(super) fn begin_anew(&mut self) {
        self.statement = Statement::Start;
        self.behind = Behind::Operator;
        self.waiting.targets.begin_anew();
        self.frames.clear();
        self.patterns.clear();
        self.stars = Stars::default();
        self.header = Header::default();
    }

    pub(super) fn end_statement(&mut self, around: &Surroundings) -> Result<(), NameViolation> {
        let had_annotation = self.statement == Statement::Annotation && self.header.is_match;
        self.use_candidates(0, around)?;
        self.drop_rescuers()?;
        self.end_row()?;
        let has_value = self.statement != Statement::Annotation;
        for name in self.waiting.take_to_bind() {
            if self.statement == Statement::Delete {
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
        if self.suite.is_coming() && self.statement == Statement::Start {
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
                for candidate in self.waiting.targets.begin_anew() {
                    self.check_target(&candidate.name, candidate.start)?;
                    self.waiting.bind_at_end(candidate.name);
                }
                self.header.is_soft = false;
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
        let candidates = self.waiting.targets.end();
        for candidate in &candidates {
            self.check_target(&candidate.name, candidate.start)?;
            self.waiting.bind_at_end(candidate.name.clone());
        }
        self.stars = Stars::default();
        self.header.is_soft = false;
        self.behind = Behind::Operator;
        self.use_all(candidates, around)
    }
}
