//! Remainders of symbols in progress, worked out once for each raw state that is asked about.

use std::sync::{Arc, Mutex, PoisonError};

use fim_lexer::reach::Reach;
use fim_lexer::scanner::{EmissionId, RawState, Scanner};
use rustc_hash::FxHashMap;

/// For a raw state, what it may become and how many bytes are missing.
pub(crate) type Remainder = Arc<[(EmissionId, u32)]>;

/// The remainders that were asked so far.
#[derive(Debug, Default)]
pub(crate) struct Remainders {
    known: Mutex<FxHashMap<RawState, Remainder>>,
}

impl Remainders {
    /// The remainder of the symbol in progress: what it may become.
    pub(crate) fn of(&self, scanner: &Scanner, reach: &Reach, raw: RawState) -> Remainder {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(known.entry(raw).or_insert_with(|| reach.remainders(scanner, raw).into()))
    }
}
