//! The beginnings and ends of statements, and the names that are bound then.

use super::frames::{FrameKind, NameContext, Phase};
use super::open_statement::{Behind, Statement};
use super::reader::{NameViolation, NamesReader};
use super::scopes::{Block, Surroundings};
use super::symbol_kinds::SymbolKind;

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
