//! The history of a recognizer: the places that it has come from, for taking tokens back.
//!
//! A list whose beginning forks share, so that forking costs the same after any number of tokens.

use std::sync::Arc;

use crate::hole::Place;
use crate::laws::HeldLaw;

/// The law at a place, if the recognizer is held to one.
type Held = Option<Box<dyn HeldLaw>>;

/// The places that a recognizer has come from, the last one first.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    last: Option<Arc<Past>>,
}

#[derive(Debug)]
struct Past {
    place: Place,
    law: Held,
    before: History,
}

impl History {
    /// Remembers a place.
    pub(crate) fn push(&mut self, place: Place, law: Held) {
        let before = std::mem::take(self);
        self.last = Some(Arc::new(Past { place, law, before }));
    }

    /// The place `n_steps` (1 or more) ago, with the history before it; `None` if there is none.
    pub(crate) fn ago(&self, n_steps: usize) -> Option<(Place, Held, Self)> {
        let mut past = self.last.as_deref()?;
        for _ in 1..n_steps {
            past = past.before.last.as_deref()?;
        }
        Some((past.place.clone(), past.law.clone(), past.before.clone()))
    }
}

impl Drop for History {
    /// Drops the places one after the other: dropping a long list from within itself would overflow the stack.
    fn drop(&mut self) {
        let mut last = self.last.take();
        while let Some(past) = last {
            last = Arc::into_inner(past).and_then(|mut past| past.before.last.take());
        }
    }
}
