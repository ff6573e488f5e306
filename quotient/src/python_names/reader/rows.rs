//! Rows of elements between commas: what may stand in them only once, or not alone.
//!
//! A star stands in a row, and in a row of targets or of patterns there is only one. A pattern captures a name once,
//! all alternatives capture the same names, and none stands behind one that takes all.
//!
//! ```text
//! x = *a               refused at the end of the line; `x = *a,` is a row
//! *a, *b = c           refused at `=`; without it, it is a tuple
//! case [a, a]:         refused behind the second `a`
//! case [a] | [a, b]:   refused at the `:`; `case [a] | a:` is right
//! ```

use smallvec::SmallVec;

use super::NamesReader;
use super::frames::{FrameKind, NameContext, Phase};
use super::open_statement::Statement;
use crate::python_names::symbols::{CompilingReason, Name, NameViolation, wrong};

/// The starred expressions of a row of elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::python_names) struct Stars {
    pub(in crate::python_names) n_stars: u8,
    pub(in crate::python_names) has_comma: bool,
    /// Whether a row inside has more than one star, so that it is no target.
    pub(in crate::python_names) is_no_target: bool,
    /// The offset of the last star.
    pub(in crate::python_names) start: i64,
}

impl Stars {
    /// Whether a star stands alone, where only a row may have one.
    pub(super) fn is_alone(self) -> bool {
        self.n_stars > 0 && !self.has_comma
    }

    /// Whether the row cannot be assigned to.
    pub(super) fn is_no_target(self) -> bool {
        self.n_stars > 1 || self.is_no_target
    }
}

impl NamesReader {
    /// The row of elements that is being read, if stars in it matter.
    fn row(&mut self) -> Option<&mut Stars> {
        let Some(frame) = self.frames.last_mut() else { return Some(&mut self.statement.stars) };
        let is_row = matches!(
            frame.kind,
            FrameKind::Group | FrameKind::List | FrameKind::Subscript | FrameKind::Field
        );
        let is_row = frame.phase == Phase::Targets || is_row && frame.phase != Phase::Clause;
        is_row.then_some(&mut frame.stars)
    }

    /// Notes a star in front of an element.
    pub(super) fn note_star(&mut self, start: i64) -> Result<(), NameViolation> {
        if self.is_never_evaluated() {
            return Ok(());
        }
        let is_binding = match self.frames.last() {
            Some(frame) => frame.phase == Phase::Targets || frame.context == NameContext::Binding,
            None => self.statement.kind() == Statement::ForTargets,
        };
        let is_pattern = self.context() == NameContext::Pattern;
        let is_with_target = match self.frames.last() {
            Some(frame) => frame.phase == Phase::Targets && !frame.may_comprehend,
            None => self.statement.kind() == Statement::WithTarget,
        };
        let is_checked = self.part.is_checked();
        let Some(stars) = self.row() else { return Ok(()) };
        stars.n_stars = stars.n_stars.saturating_add(1);
        stars.start = start;
        let is_second = stars.n_stars > 1 && (is_binding || is_pattern);
        if is_checked && is_with_target {
            return Err(wrong(b"*", start, CompilingReason::LoneStar));
        }
        if is_checked && is_second {
            return Err(wrong(b"*", start, CompilingReason::SecondStar));
        }
        Ok(())
    }

    /// Notes a comma in a row.
    pub(super) fn note_comma(&mut self) {
        if let Some(stars) = self.row() {
            stars.has_comma = true;
        }
    }

    /// Forgets the row: the part of the statement that has been read is none.
    pub(super) fn forget_row(&mut self) {
        self.statement.stars = Stars::default();
    }

    /// Ends the row: the part of the statement that has been read is an expression.
    pub(super) fn end_row(&mut self) -> Result<(), NameViolation> {
        let stars = std::mem::take(&mut self.statement.stars);
        self.check_row(stars)
    }

    /// Ends the row: the part of the statement that has been read is a target.
    pub(super) fn end_targets(&mut self) -> Result<(), NameViolation> {
        let stars = std::mem::take(&mut self.statement.stars);
        self.check_targets(stars)
    }

    /// Checks the targets between `for` and `in`.
    pub(super) fn check_targets(&self, stars: Stars) -> Result<(), NameViolation> {
        self.check_row(stars)?;
        if self.part.is_checked() && stars.is_no_target() {
            return Err(wrong(b"*", stars.start, CompilingReason::SecondStar));
        }
        Ok(())
    }

    fn check_row(&self, stars: Stars) -> Result<(), NameViolation> {
        if self.part.is_checked() && stars.is_alone() {
            return Err(wrong(b"*", stars.start, CompilingReason::LoneStar));
        }
        Ok(())
    }

    /// Closes a row in brackets.
    pub(super) fn close_row(&mut self, kind: FrameKind, stars: Stars) -> Result<(), NameViolation> {
        match kind {
            FrameKind::Group | FrameKind::Field => self.check_row(stars)?,
            FrameKind::List => {}
            _ => return Ok(()),
        }
        if stars.is_no_target() && self.waiting.targets.are_possible() {
            if let Some(outer) = self.row() {
                outer.is_no_target = true;
                outer.start = outer.start.max(stars.start);
            }
        }
        Ok(())
    }

    /// `(*a, *b).c`: notes that the inner row was no target itself.
    pub(super) fn forget_inner_rows(&mut self) {
        if let Some(stars) = self.row() {
            stars.is_no_target = false;
        }
    }

    /// Whether a star waits for text that follows.
    pub(in crate::python_names) fn has_open_rows(&self) -> bool {
        let is_open = |stars: Stars, may_be_target: bool| {
            stars.is_alone() || may_be_target && stars.is_no_target()
        };
        is_open(self.statement.stars, self.waiting.targets.are_possible())
            || self.frames.iter().any(|frame| {
                let may_be_target =
                    frame.context == NameContext::Target && self.waiting.targets.are_possible();
                let is_in_brackets = matches!(frame.kind, FrameKind::Group | FrameKind::Field);
                is_in_brackets && is_open(frame.stars, may_be_target)
                    || frame.phase == Phase::Targets && frame.stars.is_alone()
                    || may_be_target && frame.stars.is_no_target()
            })
    }
}

/// A row of patterns, in brackets or behind `case`.
#[derive(Clone, PartialEq, Debug, Default)]
pub(in crate::python_names) struct PatternRow {
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
    pub(in crate::python_names) fn is_refutable(&self) -> bool {
        self.is_refutable
    }

    /// The captures of its elements that have ended.
    pub(in crate::python_names) fn captured_names(&self) -> &[Name] {
        &self.bound
    }

    /// The captures of the alternative in progress.
    pub(in crate::python_names) fn current(&self) -> &[Name] {
        &self.current
    }

    /// The captures of the first alternative of the element in progress.
    pub(in crate::python_names) fn first(&self) -> Option<&[Name]> {
        self.first.as_deref()
    }

    /// Whether it takes all values.
    pub(in crate::python_names) fn takes_all(&self) -> bool {
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
