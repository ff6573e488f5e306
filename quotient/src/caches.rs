//! What caches are made of: numbers that they are keyed by, and how they are locked.

mod fingerprint;
mod lock;

pub use self::fingerprint::Fingerprint;
pub(crate) use self::fingerprint::Hasher;
pub(crate) use self::lock::lock;
