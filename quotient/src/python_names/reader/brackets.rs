//! Symbols that open, part and close brackets, and the clauses of comprehensions and lambdas.

use super::NamesReader;
use super::frames::{FrameKind, NameContext, OpenConstruct, Phase};
use super::open_statement::{Behind, Form, Statement};
use super::waiting_names::ends_value;
use crate::python_names::scopes::Surroundings;
use crate::python_names::symbols::{NameViolation, SymbolKind};

impl NamesReader {
    pub(super) fn star(&mut self, around: &Surroundings) -> Result<(), NameViolation> {
        if self.statement.kind() == Statement::FromNames {
            self.check_feature(b"*", self.last.start)?;
            self.scopes.innermost_mut().is_open = true;
            return Ok(());
        }
        if self.statement.behind() == Behind::Operand {
            self.no_target(around)?;
        } else {
            if self.statement.kind() == Statement::Except && self.frames.is_empty() {
                self.statement.read_group_star();
                return Ok(());
            }
            if let Some(frame) = self.frames.last_mut() {
                frame.may_comprehend &=
                    frame.phase != Phase::Element || around.turns.may_unpack(self.last.kind, frame);
                // `exec(code, *rest)`
                frame.n_commas -= u8::from(frame.is_exec && frame.n_commas > 0);
                let index = self.frames.len() - 1;
                self.drop_rescuer(index)?;
            }
            self.note_star(self.last.start)?;
        }
        self.statement.stand_behind(Behind::Operator);
        Ok(())
    }

    pub(super) fn comma(&mut self) -> Result<(), NameViolation> {
        self.statement.stand_behind(Behind::Start);
        self.note_comma();
        if self.context() == NameContext::Pattern {
            self.next_element(self.last.start)?;
        }
        let Some(frame) = self.frames.last_mut() else {
            self.statement.stand_behind(Behind::Operator);
            self.statement.read_comma();
            return Ok(());
        };
        match frame.kind {
            FrameKind::Parameters | FrameKind::TypeParameters => frame.phase = Phase::Parameter,
            FrameKind::Lambda => frame.phase = Phase::Parameter,
            FrameKind::ImportedNames => self.statement.read_comma(),
            _ => {
                frame.n_commas = frame.n_commas.saturating_add(1);
                if frame.phase == Phase::Targets && frame.may_comprehend {
                    // `for a, b in`
                    return Ok(());
                }
                let is_with = !frame.may_comprehend && frame.phase == Phase::Targets;
                if is_with {
                    frame.phase = Phase::Element;
                }
                if frame.phase == Phase::Element {
                    frame.may_comprehend = false;
                }
                let index = self.frames.len() - 1;
                self.drop_rescuer(index)?;
            }
        }
        Ok(())
    }

    /// The role of the names directly at this place.
    pub(super) fn context(&self) -> NameContext {
        match self.frames.last() {
            Some(frame) if frame.phase == Phase::Targets => NameContext::Binding,
            Some(frame) => match frame.context {
                NameContext::Target if !self.waiting.targets.are_possible() => NameContext::Use,
                _ if frame.phase != Phase::Element => NameContext::Use,
                context => context,
            },
            None => match self.statement.kind() {
                Statement::Start | Statement::Expression if self.waiting.targets.are_possible() => {
                    NameContext::Target
                }
                Statement::ForTargets | Statement::WithTarget => NameContext::Binding,
                Statement::Case => NameContext::Pattern,
                _ => NameContext::Use,
            },
        }
    }

    pub(super) fn open(
        &mut self,
        kind: SymbolKind,
        around: &Surroundings,
    ) -> Result<(), NameViolation> {
        let is_behind_operand = self.statement.behind() == Behind::Operand;
        if is_behind_operand {
            self.use_inner(around)?;
            self.forget_inner_rows();
        }
        let context = self.context();
        let is_definition =
            self.frames.is_empty() && self.statement.kind() == Statement::Definition;
        let is_exec = self.doubt.take_exec();
        let mut frame = match kind {
            SymbolKind::OpenParen
                if is_definition && self.statement.header().form == Form::Class =>
            {
                let mut frame = OpenConstruct::new(FrameKind::Arguments, NameContext::Use);
                frame.may_comprehend = false;
                frame
            }
            SymbolKind::OpenParen if is_definition => {
                OpenConstruct::new(FrameKind::Parameters, NameContext::Use)
            }
            SymbolKind::OpenSquare if is_definition => {
                OpenConstruct::new(FrameKind::TypeParameters, NameContext::Use)
            }
            SymbolKind::OpenParen if self.statement.kind() == Statement::FromNames => {
                OpenConstruct::new(FrameKind::ImportedNames, NameContext::Use)
            }
            SymbolKind::OpenParen if is_behind_operand => {
                let is_pattern = context == NameContext::Pattern;
                let context = if is_pattern { NameContext::Pattern } else { NameContext::Use };
                OpenConstruct::new(FrameKind::Arguments, context)
            }
            SymbolKind::OpenSquare if is_behind_operand => {
                OpenConstruct::new(FrameKind::Subscript, NameContext::Use)
            }
            SymbolKind::OpenParen => OpenConstruct::new(FrameKind::Group, context),
            SymbolKind::OpenSquare => OpenConstruct::new(FrameKind::List, context),
            _ => {
                if context == NameContext::Target {
                    self.no_target(around)?;
                }
                let context =
                    if context == NameContext::Pattern { context } else { NameContext::Use };
                OpenConstruct::new(FrameKind::Brace, context)
            }
        };
        if frame.context == NameContext::Pattern {
            self.open_pattern();
        }
        frame.is_exec = is_exec && is_behind_operand;
        self.frames.push(frame);
        self.statement.stand_behind(Behind::Start);
        Ok(())
    }

    pub(super) fn close(&mut self) -> Result<(), NameViolation> {
        let was = self.statement.stand_behind(Behind::Operand);
        let Some(mut frame) = self.frames.pop() else { return Ok(()) };
        if frame.context == NameContext::Pattern {
            self.close_pattern(
                frame.kind == FrameKind::Group && was != Behind::Start,
                self.last.start,
            )?;
        }
        self.close_row(frame.kind, frame.stars)?;
        self.end_exec(&frame, was == Behind::Start);
        if frame.clauses.n_fors == 0 {
            for name in std::mem::take(&mut frame.clauses.reads) {
                self.note_read(&name);
            }
        }
        frame.commit();
        for name in &frame.bound {
            self.scopes.note_bound(name);
        }
        match frame.kind {
            FrameKind::Parameters => self.statement.read_parameters(frame.bound),
            FrameKind::TypeParameters => self.statement.read_type_parameters(frame.bound),
            _ => self.end_rescuer(&frame.bound, frame.clauses.n_fors > 0)?,
        }
        Ok(())
    }

    /// Ends the bodies of lambdas, where the construct around them goes on.
    pub(super) fn end_lambdas(&mut self, kind: SymbolKind) {
        while ends_value(kind)
            && self
                .frames
                .last()
                .is_some_and(|frame| frame.kind == FrameKind::Lambda && frame.phase == Phase::Body)
        {
            self.frames.pop();
        }
    }

    pub(super) fn begin_for(&mut self, around: &Surroundings) -> Result<(), NameViolation> {
        self.no_target(around)?;
        if let Some(frame) = self.frames.last_mut() {
            frame.commit();
            frame.phase = Phase::Targets;
            self.note_clause(self.last.start)?;
        }
        self.statement.stand_behind(Behind::Operator);
        Ok(())
    }

    pub(super) fn read_in(&mut self, around: &Surroundings) -> Result<(), NameViolation> {
        match self.frames.last_mut() {
            Some(frame) if frame.phase == Phase::Targets => {
                frame.phase = Phase::Clause;
                frame.clauses.is_iterable = true;
                let stars = std::mem::take(&mut frame.stars);
                self.check_targets(stars)?;
            }
            None if self.statement.kind() == Statement::ForTargets => {
                self.statement.read_in();
                self.end_targets()?;
            }
            _ => self.no_target(around)?,
        }
        self.statement.stand_behind(Behind::Operator);
        Ok(())
    }

    pub(super) fn read_if(&mut self, around: &Surroundings) -> Result<(), NameViolation> {
        self.statement.stand_behind(Behind::Operator);
        match self.frames.last_mut() {
            Some(frame) if frame.phase == Phase::Clause => {
                frame.commit();
                frame.clauses.is_iterable = false;
            }
            None if self.statement.kind() == Statement::Case => {
                self.end_alternatives(self.last.start)?;
                for name in self.waiting.take_to_bind() {
                    self.scopes.bind(&name);
                }
                self.statement.begin_guard();
            }
            _ => self.no_target(around)?,
        }
        Ok(())
    }

    pub(super) fn read_as(&mut self) -> Result<(), NameViolation> {
        self.statement.stand_behind(Behind::Operator);
        if self.context() == NameContext::Pattern {
            return self.end_alternatives(self.last.start);
        }
        if let Some(frame) = self.frames.last_mut() {
            match frame.kind {
                FrameKind::ImportedNames => self.statement.read_as(),
                FrameKind::Group if frame.context == NameContext::Use => {
                    frame.may_comprehend = false;
                    frame.phase = Phase::Targets;
                    let index = self.frames.len() - 1;
                    self.drop_rescuer(index)?;
                }
                _ => {}
            }
            return Ok(());
        }
        self.statement.read_as();
        Ok(())
    }
}
