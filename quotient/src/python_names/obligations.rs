//! Obligations: faults unless a comprehension around them makes them right.
//!
//! ```text
//! print(row                       no `row` is visible: a `for` in these brackets has to bind it
//! print(row for row in rows)      ... which one does
//! print([row], end                ... and here none can any more: the comma ends what a `for` may follow
//!            ^
//! ```

use smallvec::SmallVec;

use super::compiler_refusals::CompilingReason;
use super::name_set::Name;
use super::reader::{NameViolation, NamesReader, wrong};

/// A name that a comprehension around it must bind, or the stand-in for a symbol that one must make right.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Obligation {
    pub(super) name: Name,
    pub(super) start: i64,
    /// The frames whose `for` can meet the obligation, as bits.
    pub(super) rescuers: u64,
    pub(super) reason: CompilingReason,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Obligations(SmallVec<[Obligation; 1]>);

/// The number of frames that have bits.
const MAX_FRAMES: usize = 64;

impl Obligations {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn iter(&self) -> std::slice::Iter<'_, Obligation> {
        self.0.iter()
    }

    pub(super) fn add(&mut self, obligation: Obligation) {
        self.0.push(obligation);
    }

    /// Meets the obligations for a name that a condition of one of these frames, as bits, binds by `:=`.
    pub(super) fn meet(&mut self, name: &Name, frames: u64) {
        self.0.retain(|open| open.name != *name || open.rescuers & frames == 0);
    }

    /// Closes the frame of this number, which meets some of the obligations that it could.
    fn close(&mut self, index: usize, is_met: impl Fn(&Obligation) -> bool) {
        self.0.retain(|open| open.rescuers & (1 << index) == 0 || !is_met(open));
        self.drop_rescuer(index);
    }

    fn drop_rescuer(&mut self, index: usize) {
        for open in &mut self.0 {
            open.rescuers &= !(1 << index);
        }
    }

    fn drop_rescuers(&mut self) {
        for open in &mut self.0 {
            open.rescuers = 0;
        }
    }

    /// The first obligation that no frame can meet any more.
    fn broken(&self) -> Option<&Obligation> {
        self.0.iter().find(|open| open.rescuers == 0)
    }

    /// Forgets the obligations that no frame can meet any more. Whether there were some.
    fn forget_broken(&mut self) -> bool {
        let n_open = self.0.len();
        self.0.retain(|open| open.rescuers != 0);
        self.0.len() < n_open
    }
}

impl NamesReader {
    /// The frames whose `for` could bind a name that is used at a depth, as bits.
    pub(super) fn rescuers(&self, depth: usize) -> u64 {
        let inside = self.frames.iter().take(depth.min(MAX_FRAMES)).enumerate();
        inside.filter(|(_, frame)| frame.can_rescue()).map(|(index, _)| 1 << index).sum()
    }

    /// Closes a frame that bound these names.
    pub(super) fn end_rescuer(
        &mut self,
        bound: &[Name],
        is_generator: bool,
    ) -> Result<(), NameViolation> {
        let index = self.frames.len();
        if index >= MAX_FRAMES || self.waiting.obligations.is_empty() {
            return Ok(());
        }
        self.waiting.obligations.close(index, |open| match open.reason {
            CompilingReason::OutsideAsync | CompilingReason::InType => is_generator,
            _ => bound.contains(&open.name),
        });
        self.check_obligations()
    }

    /// Notes that a frame can no longer bind names inside it.
    pub(super) fn drop_rescuer(&mut self, index: usize) -> Result<(), NameViolation> {
        if index < MAX_FRAMES && !self.frames[index].may_comprehend {
            self.waiting.obligations.drop_rescuer(index);
            self.check_obligations()?;
        }
        Ok(())
    }

    /// Ends the statement, with all its frames.
    pub(super) fn drop_rescuers(&mut self) -> Result<(), NameViolation> {
        self.waiting.obligations.drop_rescuers();
        self.check_obligations()
    }

    fn check_obligations(&mut self) -> Result<(), NameViolation> {
        if !self.part.is_checked() {
            let is_async = self.waiting.obligations.forget_broken();
            if is_async {
                self.scopes.innermost_mut().needs.async_function = true;
            }
            return Ok(());
        }
        match self.waiting.obligations.broken() {
            Some(broken) => Err(wrong(&broken.name, broken.start, broken.reason)),
            None => Ok(()),
        }
    }
}
