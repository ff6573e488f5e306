//! A language with the charts that its texts have in common.
//!
//! Charts do not depend on the text in front of them, so a chart that one text has needed serves all others. They are
//! kept in sessions. A recognizer without a document takes one and gives it back, so that work in different threads
//! does not wait for each other, and callers that come one after the other compute nothing twice. A document has a
//! session of its own, which ends with it: so it holds only the charts that its own text needed.

use std::sync::{Arc, Mutex, MutexGuard};

use crate::caches::lock;
use crate::charts::{Charts, Parsing};
use crate::grammar::Language;
use crate::hole::{Hole, OpenHole};
use crate::laws::Law;
use crate::{javascript_early, python_names, unique_keys};

/// The most bytes that sessions which wait for callers hold, all of them together.
const MAX_IDLE_BYTES: usize = 16 << 20;

/// The most sessions that wait for callers.
const MAX_IDLE_SESSIONS: usize = 8;

/// The laws. Each function gives its law if the language has it.
const LAWS: [LawOf; 3] = [python_names::law, unique_keys::law, javascript_early::law];

type LawOf = fn(&Language) -> Option<Arc<dyn Law>>;

/// A compiled language, ready to be asked. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Engine {
    pub(crate) language: Arc<Language>,
    /// The language's law, if it has one.
    law: Option<Arc<dyn Law>>,
    idle: Arc<Mutex<Vec<Charts>>>,
}

impl Engine {
    /// Wraps a compiled language.
    pub fn new(language: Language) -> Self {
        let law = LAWS.iter().find_map(|law| law(&language));
        Self { language: Arc::new(language), law, idle: Arc::default() }
    }

    /// The compiled language.
    pub fn language(&self) -> &Language {
        &self.language
    }

    /// The names that a text, which need be no program, binds for others: all but those of functions and classes that
    /// have ended. None if that cannot be told.
    pub fn bound_names(&self, text: &[u8]) -> Option<Vec<Vec<u8>>> {
        self.law.as_ref()?.bound_in(&self.language, text)
    }

    /// A session for one hole, with the charts of those before it.
    pub(crate) fn shared_session(&self) -> Arc<Session> {
        let idle = lock(&self.idle).pop();
        self.session(idle.unwrap_or_else(|| Charts::new(&self.language)), true)
    }

    /// A session without charts.
    pub(crate) fn fresh_session(&self) -> Arc<Session> {
        self.session(Charts::new(&self.language), false)
    }

    fn session(&self, charts: Charts, is_shared: bool) -> Arc<Session> {
        Arc::new(Session { charts: Mutex::new(charts), is_shared, engine: self.clone() })
    }
}

/// Charts in use, by a document with its recognizers or by a recognizer alone.
#[derive(Debug)]
pub(crate) struct Session {
    charts: Mutex<Charts>,
    /// Whether its charts go to the next caller.
    is_shared: bool,
    engine: Engine,
}

impl Session {
    pub(crate) fn charts(&self) -> MutexGuard<'_, Charts> {
        lock(&self.charts)
    }

    /// Asks a hole a question, while no other thread uses it or the charts.
    pub(crate) fn ask<T>(
        &self,
        hole: &Mutex<Hole>,
        question: impl FnOnce(&mut OpenHole<'_>) -> T,
    ) -> T {
        let mut charts = self.charts();
        let mut hole = lock(hole);
        question(&mut OpenHole::new(&mut hole, Parsing::new(self.language(), &mut charts)))
    }

    pub(crate) fn language(&self) -> &Language {
        &self.engine.language
    }

    pub(crate) fn law(&self) -> Option<&Arc<dyn Law>> {
        self.engine.law.as_ref()
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let Ok(charts) = self.charts.get_mut() else { return };
        if !self.is_shared {
            return;
        }
        let mut idle = lock(&self.engine.idle);
        let n_bytes = charts.memory() + idle.iter().map(Charts::memory).sum::<usize>();
        if n_bytes <= MAX_IDLE_BYTES && idle.len() < MAX_IDLE_SESSIONS {
            idle.push(std::mem::take(charts));
        }
    }
}
