//! The time at which annotations are evaluated, which decides what may stand in them.
//!
//! ```text
//! def f(a: Later): ...                 refused in front of `class Later`: it is looked up here
//! ... from Python 3.14 on              `Later` may be bound further down
//! from __future__ import annotations   as well; and what is never compiled may be what it likes
//! ```
//!
//! The values of `type X = ...` and the bounds of type parameters are late in all versions that have them.

use super::NamesReader;
use super::frames::{FrameKind, Phase};
use super::open_statement::Statement;
use crate::python_names::scopes::Surroundings;
use crate::python_names::symbols::{Annotations, CompilingReason, NameViolation, Query, wrong};

impl NamesReader {
    /// Reads `from __future__ import annotations`.
    pub(super) fn keep_annotations_as_texts(&mut self) {
        self.annotations = Annotations::AsTexts;
    }

    pub(super) fn is_in_annotation(&self) -> bool {
        matches!(self.statement.kind(), Statement::Annotation | Statement::Returns)
            || self.frames.iter().any(|frame| frame.phase == Phase::Annotation)
    }

    /// Whether the place is in an annotation that is evaluated late or never.
    pub(super) fn is_in_late_annotation(&self) -> bool {
        self.annotations.are_late() && self.is_in_annotation()
    }

    /// Whether the place is in an annotation that Python does not evaluate, so that compilers leave it out.
    pub(super) fn is_never_evaluated(&self) -> bool {
        self.statement.kind() == Statement::Annotation && self.scopes.innermost().is_function()
            || self.annotations == Annotations::AsTexts && self.is_in_annotation()
    }

    /// Whether the place describes a type in a scope of its own, which runs when a program asks for it.
    pub(super) fn is_in_late_type(&self) -> bool {
        self.statement.kind() == Statement::TypeValue
            || self.frames.iter().any(|frame| frame.kind == FrameKind::TypeParameters)
    }

    /// Whether `yield`, `await` and `:=` must not stand here.
    pub(in crate::python_names) fn is_in_type(&self) -> bool {
        let is_in_body = self.frames.iter().any(|frame| frame.phase == Phase::Body);
        !is_in_body && (self.is_in_late_type() || self.is_in_late_annotation())
    }

    /// Whether a string that begins here is an annotation.
    pub(in crate::python_names) fn reads_strings(&self) -> bool {
        self.part.is_hole()
            && match self.frames.last() {
                Some(frame) => {
                    frame.kind == FrameKind::Parameters && frame.phase == Phase::Annotation
                }
                None => matches!(self.statement.kind(), Statement::Annotation | Statement::Returns),
            }
    }

    /// Checks an annotation that is a string: its names must exist, be it further down.
    pub(super) fn check_string(
        &self,
        text: &[u8],
        start: i64,
        around: &Surroundings,
    ) -> Result<(), NameViolation> {
        let [b'"' | b'\'', content @ ..] = text else { return Ok(()) };
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let length = content.iter().position(|byte| !is_part(byte)).unwrap_or(0);
        let name = &content[..length];
        let is_name = name.first().is_some_and(|byte| !byte.is_ascii_digit())
            && matches!(content[length], b'"' | b'\'' | b'.' | b'[')
            && !matches!(name, b"None" | b"True" | b"False");
        if !self.reads_strings()
            || !is_name
            || self.scopes.sees(Query::Name(name), around, self.runs_later())
        {
            return Ok(());
        }
        let is_parameter =
            self.statement.header().type_parameters.iter().any(|parameter| **parameter == *name);
        if is_parameter { Ok(()) } else { Err(wrong(name, start, CompilingReason::Undefined)) }
    }
}
