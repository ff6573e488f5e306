//! How caches are locked.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks, whatever became of the thread that held the lock before: what is kept here are caches
/// whose entries are complete when they are inserted.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
