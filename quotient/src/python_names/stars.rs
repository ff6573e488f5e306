//! Starred expressions and targets: a star stands in a row, and in a row of targets there is only one.
//!
//! ```text
//! x = *a     refused at the end of the line; `x = *a,` is a row
//! *a, *b = c refused at `=`; without it, it is a tuple
//! ```

use super::compiler_refusals::CompilingReason;
use super::frames::{FrameKind, NameContext, Phase, Stars};
use super::open_statement::Statement;
use super::reader::{NameViolation, NamesReader, wrong};

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
    pub(super) fn has_open_rows(&self) -> bool {
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
