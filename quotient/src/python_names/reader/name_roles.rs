//! The role of each name, as the place and the symbol behind it decide it.

use super::NamesReader;
use super::frames::{FrameKind, NameContext, OpenConstruct, Phase};
use super::open_statement::{Behind, Statement};
use super::waiting_names::{Role, WaitingName};
use crate::python_names::scopes::{BlockKind, Surroundings};
use crate::python_names::symbols::{CompilingReason, Name, NameViolation, SymbolKind, wrong};

impl NamesReader {
    /// The role of a name that comes next. `text` is its beginning, as far as it is known.
    pub(in crate::python_names) fn role(&self, text: &[u8]) -> Role {
        if self.statement.behind() == Behind::Dot {
            return Role::Free;
        }
        let Some(frame) = self.frames.last() else { return self.role_in_statement(text) };
        match (frame.kind, frame.phase) {
            (FrameKind::ImportedNames, _) => Role::Free,
            (_, Phase::Parameter) => Role::Bound,
            (_, Phase::Targets) => Role::Binding,
            _ if self.statement.behind() == Behind::Operand => Role::Free,
            (FrameKind::Group | FrameKind::List, Phase::Element) if self.deletes() => Role::Deleted,
            (_, Phase::Element) => match frame.context {
                NameContext::Binding => Role::Binding,
                NameContext::Pattern => Role::Pattern,
                NameContext::Target if self.waiting.targets.are_possible() => Role::Candidate,
                _ if self.statement.behind() != Behind::Start => Role::Use,
                _ if frame.kind == FrameKind::Arguments => Role::Argument,
                _ => Role::UseOrWalrus,
            },
            _ => Role::Use,
        }
    }

    fn role_in_statement(&self, text: &[u8]) -> Role {
        match self.statement.kind() {
            Statement::Start => Role::Candidate,
            Statement::Expression if self.statement.behind() == Behind::Operand => {
                // `match x:` and `type X = ...`: the name in front was a keyword.
                if !self.statement.may_be_soft() {
                    return Role::Free;
                }
                if self.is_soft_type() { Role::Bound } else { Role::UseOrWalrus }
            }
            Statement::Expression if self.waiting.targets.are_possible() => Role::Candidate,
            Statement::Condition if self.statement.behind() == Behind::Start => Role::UseOrWalrus,
            _ if self.statement.behind() == Behind::Operand => Role::Free,
            Statement::Expression
            | Statement::Annotation
            | Statement::Value
            | Statement::Condition
            | Statement::ForIterable
            | Statement::WithItem
            | Statement::Returns
            | Statement::TypeValue
            | Statement::Except => Role::Use,
            Statement::Delete => Role::Deleted,
            Statement::ForTargets | Statement::WithTarget => Role::Binding,
            Statement::Case if text == b"_" => Role::Free,
            Statement::Case => Role::Pattern,
            Statement::DefinitionName | Statement::TypeName | Statement::ExceptName => Role::Bound,
            _ => Role::Free,
        }
    }

    /// Whether a name here is deleted, if nothing of it is looked up.
    fn deletes(&self) -> bool {
        let is_row =
            |frame: &OpenConstruct| matches!(frame.kind, FrameKind::Group | FrameKind::List);
        self.statement.kind() == Statement::Delete && self.frames.iter().all(is_row)
    }

    fn is_soft_type(&self) -> bool {
        let first = self.waiting.targets.candidates().first().or(self.waiting.last());
        first.is_some_and(|first| *first.name == *b"type")
    }

    pub(super) fn name(
        &mut self,
        text: &[u8],
        start: i64,
        around: &Surroundings,
    ) -> Result<(), NameViolation> {
        if self.statement.kind() == Statement::Start {
            if text == b"case" && self.is_in_match() {
                self.statement.begin_case();
                return Ok(());
            }
            self.statement.begin_with_name(matches!(text, b"match" | b"type"));
        } else if self.statement.may_be_soft()
            && self.statement.kind() == Statement::Expression
            && self.frames.is_empty()
            && self.statement.behind() == Behind::Operand
        {
            self.begin_soft_statement();
        }
        let role = self.role(text);
        let was = self.statement.stand_behind(Behind::Operand);
        if !self.part.is_checked() && role == Role::Use {
            self.note_use(text, around);
            return Ok(());
        }
        let name: Name = text.into();
        match role {
            Role::Free => return self.free_name(&name, was, start),
            Role::Bound => return self.bound_name(&name, start),
            Role::Use => {
                let depth = self.frames.len();
                let is_judged = self.part.judges(start);
                return self.use_name(WaitingName { name, start, role, depth, is_judged }, around);
            }
            _ => {
                let depth = self.frames.len();
                let is_judged = self.part.judges(start);
                self.waiting.wait(WaitingName { name, start, role, depth, is_judged });
            }
        }
        Ok(())
    }

    fn is_in_match(&self) -> bool {
        self.scopes.blocks.last().is_some_and(|block| block.kind == BlockKind::Match)
    }

    /// Begins a statement of a soft keyword: the name in front of this name or operand was `match` or `type`.
    fn begin_soft_statement(&mut self) {
        let is_type = self.is_soft_type();
        self.waiting.targets.end();
        match is_type {
            true => self.statement.begin_type(),
            false => self.statement.begin_match(),
        }
    }

    /// Reads a name that is no variable's, or that an import binds.
    fn free_name(&mut self, name: &Name, was: Behind, start: i64) -> Result<(), NameViolation> {
        if was == Behind::Dot {
            if !self.part.is_checked() {
                self.note_attribute(name);
            }
            return Ok(());
        }
        match self.statement.kind() {
            Statement::Import | Statement::FromNames => {
                self.check_feature(name, start)?;
                self.check_target(name, start)?;
                if self.is_of_future() && **name == *b"annotations" {
                    self.keep_annotations_as_texts();
                }
                self.waiting.bind_at_end(name.clone());
            }
            Statement::ImportAlias | Statement::FromAlias => {
                self.check_target(name, start)?;
                self.waiting.rename_last_bound(name.clone());
            }
            Statement::FromModule => {
                // In front of it there may be an ellipsis: `from ...__future__`.
                self.note_module(name, was == Behind::Operator);
            }
            Statement::Global => {
                self.scopes.globals.add(name);
                self.scopes.innermost_mut().declared.push(name.clone());
                self.scopes.scopes[0].own.add(name);
                self.scopes.note_bound(name);
            }
            Statement::Nonlocal => {
                self.scopes.innermost_mut().nonlocals.push(name.clone());
                self.scopes.bind(name);
            }
            _ => {}
        }
        Ok(())
    }

    fn bound_name(&mut self, name: &Name, start: i64) -> Result<(), NameViolation> {
        self.check_target(name, start)?;
        if let Some(frame) = self.frames.last_mut() {
            if self.part.is_hole() && frame.bound.contains(name) {
                return Err(wrong(name, start, CompilingReason::RepeatedParameter));
            }
            frame.bound.push(name.clone());
            return Ok(());
        }
        if self.statement.kind() == Statement::TypeName {
            self.waiting.bind_at_end(name.clone());
        }
        self.statement.read_own_name(name);
        Ok(())
    }

    /// Decides the role of a name by the symbol behind it.
    pub(super) fn decide(
        &mut self,
        kind: SymbolKind,
        around: &Surroundings,
    ) -> Result<(), NameViolation> {
        let Some(waiting) = self.waiting.take_last() else { return Ok(()) };
        let is_walrus = kind == SymbolKind::Walrus;
        let is_part =
            matches!(kind, SymbolKind::Dot | SymbolKind::OpenParen | SymbolKind::OpenSquare);
        match waiting.role {
            Role::UseOrWalrus | Role::Argument | Role::Candidate if is_walrus => {
                self.check_target(&waiting.name, waiting.start)?;
                self.note_walrus(&waiting.name, waiting.start)?;
                self.begin_walrus(waiting.name);
                Ok(())
            }
            Role::Argument if kind == SymbolKind::Assign => self.keyword(&waiting),
            Role::Candidate if !is_part => {
                self.waiting.targets.add(waiting);
                Ok(())
            }
            Role::Candidate
                if self.statement.may_be_soft() && self.waiting.targets.candidates().is_empty() =>
            {
                // `match (x):` reads like a call of `match`.
                self.waiting.targets.add(waiting);
                Ok(())
            }
            Role::Binding if !is_part => {
                self.check_target(&waiting.name, waiting.start)?;
                self.check_variable(&waiting.name, waiting.start)?;
                self.bind_target(&waiting.name);
                Ok(())
            }
            Role::Deleted if !is_part => {
                self.waiting.bind_at_end(waiting.name.clone());
                self.use_name(waiting, around)
            }
            Role::Pattern if kind == SymbolKind::Assign => self.keyword(&waiting),
            Role::Pattern if !matches!(kind, SymbolKind::Dot | SymbolKind::OpenParen) => {
                self.capture(&waiting)
            }
            _ => self.use_name(waiting, around),
        }
    }

    fn keyword(&mut self, waiting: &WaitingName) -> Result<(), NameViolation> {
        self.check_target(&waiting.name, waiting.start)?;
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        let is_repeated = frame.keywords.contains(&waiting.name);
        frame.keywords.push(waiting.name.clone());
        let is_judged = waiting.is_judged || self.part.is_rest();
        if is_judged && is_repeated && !self.is_never_evaluated() {
            return Err(wrong(&waiting.name, waiting.start, CompilingReason::RepeatedKeyword));
        }
        Ok(())
    }

    fn bind_target(&mut self, name: &Name) {
        match self.frames.last_mut() {
            Some(frame) if frame.phase == Phase::Targets && frame.may_comprehend => {
                frame.targets.push(name.clone());
            }
            _ if matches!(self.statement.kind(), Statement::WithItem | Statement::WithTarget) => {
                self.scopes.bind(name);
            }
            _ => {
                let comprehension =
                    self.frames.iter_mut().rev().find(|frame| frame.phase == Phase::Targets);
                match comprehension {
                    Some(frame) => frame.targets.push(name.clone()),
                    None => self.waiting.bind_at_end(name.clone()),
                }
            }
        }
    }

    fn capture(&mut self, waiting: &WaitingName) -> Result<(), NameViolation> {
        if *waiting.name != *b"_" {
            self.check_target(&waiting.name, waiting.start)?;
            self.note_capture(&waiting.name, waiting.start)?;
            self.waiting.bind_at_end(waiting.name.clone());
        }
        Ok(())
    }
}
