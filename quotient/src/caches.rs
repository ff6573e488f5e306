//! The parts of caches: the numbers that they are keyed by, and their locking.

mod fingerprint;
mod lock;

pub use self::fingerprint::Fingerprint;
pub(crate) use self::fingerprint::Hasher;
pub(crate) use self::lock::lock;
