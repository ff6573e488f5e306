//! All that has been read of a text from its end: its lines, and the readings in f-strings that begin in front of it.

use super::lattice::Lattice;
use super::line_charts::LineCharts;

/// The charts of a text, by distances from its end.
#[derive(Clone, Debug, Default)]
pub(crate) struct SuffixCharts {
    pub(crate) lines: LineCharts,
    pub(crate) lattice: Lattice,
}

impl SuffixCharts {
    /// Forgets the charts that begin farther from the end than `distance`, white space included.
    pub(crate) fn truncate(&mut self, distance: usize) {
        self.lines.truncate(distance);
        self.lattice.truncate(distance);
    }

    /// Bytes held, roughly.
    pub(crate) fn memory(&self) -> usize {
        self.lines.memory() + self.lattice.memory()
    }
}
