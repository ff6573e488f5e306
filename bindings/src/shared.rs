//! Objects that several threads may use at once: their calls come one after the other.
//!
//! Python's own protection would refuse a call while another one runs. A call that waits has released
//! the GIL, so that it keeps no other thread waiting, and the one that it waits for can finish.

use std::sync::{Mutex, PoisonError};

use pyo3::Python;

/// A value behind a lock.
pub(crate) struct LockedValue<T>(Mutex<T>);

impl<T: Send> LockedValue<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(Mutex::new(value))
    }

    /// The result of `act` for the value, once no other call has it. The GIL is released meanwhile.
    pub(crate) fn with<R: Send>(&self, py: Python<'_>, act: impl FnOnce(&mut T) -> R + Send) -> R {
        py.detach(|| self.with_detached(act))
    }

    /// The result of `act` where the GIL has been released already.
    pub(crate) fn with_detached<R>(&self, act: impl FnOnce(&mut T) -> R) -> R {
        // A call that failed has changed nothing: values are replaced when all work is done.
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
