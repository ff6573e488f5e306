//! The captures of a pattern: each once, equal in all alternatives, and no alternative behind one that takes all.

use smallvec::SmallVec;

use super::compiler_refusals::CompilingReason;
use super::name_set::Name;
use super::reader::{NameViolation, NamesReader, wrong};

/// A row of patterns, in brackets or behind `case`.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct PatternRow {
    /// The captures of its elements that have ended.
    bound: SmallVec<[Name; 2]>,
    /// The captures of the alternative in progress.
    current: SmallVec<[Name; 2]>,
    /// The captures of the first alternative of the element in progress, sorted.
    first: Option<SmallVec<[Name; 2]>>,
    /// Whether a part of the alternative in progress may fail to match.
    is_refutable: bool,
    has_comma: bool,
}

impl PatternRow {
    pub(super) fn is_refutable(&self) -> bool {
        self.is_refutable
    }

    /// The captures of its elements that have ended.
    pub(super) fn captured_names(&self) -> &[Name] {
        &self.bound
    }

    /// The captures of the alternative in progress.
    pub(super) fn current(&self) -> &[Name] {
        &self.current
    }

    /// The captures of the first alternative of the element in progress.
    pub(super) fn first(&self) -> Option<&[Name]> {
        self.first.as_deref()
    }

    /// Whether it takes all values.
    pub(super) fn takes_all(&self) -> bool {
        !self.is_refutable && !self.has_comma
    }
}

impl NamesReader {
    /// Notes a part of a pattern that may fail to match: a literal, a class, a sequence.
    pub(super) fn note_refutable(&mut self) {
        if let Some(row) = self.statement.patterns.last_mut() {
            row.is_refutable = true;
        }
    }

    /// Begins the pattern of a mapping's value: its key is a literal, but the value's pattern need not be refutable.
    pub(super) fn begin_value(&mut self) {
        if let Some(row) = self.statement.patterns.last_mut() {
            row.is_refutable = false;
        }
    }

    /// Notes the capture of a name.
    pub(super) fn note_capture(&mut self, name: &Name, start: i64) -> Result<(), NameViolation> {
        let has = |row: &PatternRow| row.bound.contains(name) || row.current.contains(name);
        if self.part.is_checked() && self.statement.patterns.iter().any(has) {
            return Err(wrong(name, start, CompilingReason::RepeatedCapture));
        }
        if let Some(row) = self.statement.patterns.last_mut() {
            row.current.push(name.clone());
        }
        Ok(())
    }

    /// Begins the alternative behind a `|`.
    pub(super) fn next_alternative(&mut self, start: i64) -> Result<(), NameViolation> {
        let is_judged = self.part.is_checked();
        let Some(row) = self.statement.patterns.last_mut() else { return Ok(()) };
        if is_judged && !row.is_refutable {
            return Err(wrong(b"|", start, CompilingReason::Unreachable));
        }
        row.is_refutable = false;
        self.compare_alternatives(start)?;
        let Some(row) = self.statement.patterns.last_mut() else { return Ok(()) };
        let mut current = std::mem::take(&mut row.current);
        current.sort_unstable();
        row.first.get_or_insert(current);
        Ok(())
    }

    /// Ends the element of a row, or gives it a name of its own.
    pub(super) fn end_alternatives(&mut self, start: i64) -> Result<(), NameViolation> {
        self.compare_alternatives(start)?;
        if let Some(row) = self.statement.patterns.last_mut() {
            row.first = None;
            let mut current = std::mem::take(&mut row.current);
            row.bound.append(&mut current);
        }
        Ok(())
    }

    fn compare_alternatives(&mut self, start: i64) -> Result<(), NameViolation> {
        let is_judged = self.part.is_checked();
        let Some(row) = self.statement.patterns.last_mut() else { return Ok(()) };
        row.current.sort_unstable();
        if is_judged && row.first.as_ref().is_some_and(|first| *first != row.current) {
            return Err(wrong(b"|", start, CompilingReason::UnequalAlternatives));
        }
        Ok(())
    }

    /// Begins the element of a row behind a comma.
    pub(super) fn next_element(&mut self, start: i64) -> Result<(), NameViolation> {
        self.end_alternatives(start)?;
        if let Some(row) = self.statement.patterns.last_mut() {
            row.has_comma = true;
            row.is_refutable = false;
        }
        Ok(())
    }

    /// Opens a bracket of a pattern.
    pub(super) fn open_pattern(&mut self) {
        self.statement.patterns.push(PatternRow::default());
    }

    /// Closes a bracket of a pattern. `is_group`: it only holds one pattern.
    pub(super) fn close_pattern(
        &mut self,
        is_group: bool,
        start: i64,
    ) -> Result<(), NameViolation> {
        self.end_alternatives(start)?;
        let Some(mut row) = self.statement.patterns.pop() else { return Ok(()) };
        if let Some(outer) = self.statement.patterns.last_mut() {
            outer.is_refutable |= !is_group || !row.takes_all();
            outer.current.append(&mut row.bound);
        }
        Ok(())
    }
}
