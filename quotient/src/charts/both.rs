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
        let (mut left, right) =
            (LeftCharts::new(&language.rules), RightCharts::new(&language.rules));
        left.spellings = right.spellings.clone();
        Self { left, right }
    }

    pub(crate) fn memory(&self) -> usize {
        self.left.memory() + self.right.memory()
    }
}
