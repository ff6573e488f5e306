//! The budget for reading a right context.
//!
//! It costs about as much as the text is long, but that is not proven of all texts. A person who waits for
//! a completion is better served by none at once than by one after a minute, and a server by an error than
//! by a gigabyte. So work is counted, in items of charts and the like, and not in time: the engine has no clock.
//!
//! The costliest texts of 1,000 bytes that a search found (`python -m tests.laws.climb`) take less than a tenth
//! of the budget.

/// Work that every text may cost.
const LEAST: u64 = 4_000_000;

/// Work that each byte adds.
const PER_BYTE: u64 = 4_000;

/// Work that is counted.
#[derive(Debug)]
pub(crate) struct Budget {
    left: u64,
}

/// A text costs more than its length deserves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooCostly;

impl Budget {
    /// The budget for reading `n_bytes` bytes.
    pub(crate) fn of(n_bytes: usize) -> Self {
        Self { left: LEAST + PER_BYTE * n_bytes as u64 }
    }

    /// This part of the budget.
    #[cfg(test)]
    pub(crate) fn part(&self, part: u64) -> Self {
        Self { left: self.left / part }
    }

    /// Counts work that was done.
    pub(crate) fn spend(&mut self, n: usize) -> Result<(), TooCostly> {
        self.left = self.left.saturating_sub(n as u64);
        if self.left == 0 { Err(TooCostly) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longer_texts_may_cost_more_but_none_everything() {
        let mut budget = Budget::of(0);
        assert_eq!(budget.spend(LEAST as usize - 1), Ok(()));
        assert_eq!(budget.spend(1), Err(TooCostly));
        assert_eq!(Budget::of(1_000).spend(LEAST as usize), Ok(()));
    }
}
