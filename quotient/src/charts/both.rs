//! The charts of both directions, which never refer to each other.

use super::left::LeftCharts;
use super::right::RightCharts;
use crate::grammar::Language;

/// The charts of both directions.
#[derive(Debug, Default)]
pub(crate) struct Charts {
    pub(crate) left: LeftCharts,
    pub(crate) right: RightCharts,
}

impl Charts {
    pub(crate) fn new(language: &Language) -> Self {
        Self { left: LeftCharts::new(&language.rules), right: RightCharts::new(&language.rules) }
    }

    pub(crate) fn memory(&self) -> usize {
        self.left.memory() + self.right.memory()
    }
}
