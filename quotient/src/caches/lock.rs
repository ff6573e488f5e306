//! The locking of caches.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a cache, even if a thread that held the lock has panicked: all entries are complete when they are inserted.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
