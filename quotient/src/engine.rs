//! A language with the charts that its texts have in common.
//!
//! Charts do not depend on the text in front of them, so a chart that one text has needed serves
//! all others. They are kept in sessions; a document or recognizer takes one and gives it back,
//! so that work in different threads does not wait for each other, and nothing is computed twice
//! by callers that come one after the other.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::language::Language;
use crate::left::LeftCharts;
use crate::right::RightCharts;

/// Sessions that wait for callers hold no more bytes than this, all of them together.
const MAX_IDLE_BYTES: usize = 64 << 20;

/// The most sessions that wait for callers.
const MAX_IDLE_SESSIONS: usize = 8;

/// The charts of both directions.
#[derive(Debug, Default)]
pub(crate) struct Charts {
    pub(crate) left: LeftCharts,
    pub(crate) right: RightCharts,
}

impl Charts {
    fn new(language: &Language) -> Self {
        Self { left: LeftCharts::new(&language.rules), right: RightCharts::new(&language.rules) }
    }

    pub(crate) fn memory(&self) -> usize {
        self.left.memory() + self.right.memory()
    }
}

/// A compiled language, ready to be asked. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Engine {
    pub(crate) language: Arc<Language>,
    idle: Arc<Mutex<Vec<Charts>>>,
}

impl Engine {
    /// Wraps a compiled language.
    pub fn new(language: Language) -> Self {
        Self { language: Arc::new(language), idle: Arc::default() }
    }

    /// The compiled language.
    pub fn language(&self) -> &Language {
        &self.language
    }

    pub(crate) fn session(&self) -> Arc<Session> {
        let idle = lock(&self.idle).pop();
        let charts = idle.unwrap_or_else(|| Charts::new(&self.language));
        Arc::new(Session { charts: Mutex::new(charts), engine: self.clone() })
    }
}

/// Charts in use by one document and its recognizers.
#[derive(Debug)]
pub(crate) struct Session {
    charts: Mutex<Charts>,
    engine: Engine,
}

impl Session {
    pub(crate) fn charts(&self) -> MutexGuard<'_, Charts> {
        lock(&self.charts)
    }

    pub(crate) fn language(&self) -> &Language {
        &self.engine.language
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let Ok(charts) = self.charts.get_mut() else { return };
        let mut idle = lock(&self.engine.idle);
        let n_bytes = charts.memory() + idle.iter().map(Charts::memory).sum::<usize>();
        if n_bytes <= MAX_IDLE_BYTES && idle.len() < MAX_IDLE_SESSIONS {
            idle.push(std::mem::take(charts));
        }
    }
}

/// Locks, whatever became of the thread that held the lock before: what is kept here are caches
/// whose entries are complete when they are inserted.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
