//! What texts are read with: a language, and the charts that are kept of its texts.
//!
//! Whatever is asked of a place in a text is asked with both, and whatever is found out is added to the charts. So
//! they travel as one value, which a session gives for as long as it is asked.

use fim_lexer::Column;
use fim_lexer::lexer::Symbol;

use super::both::Charts;
use super::left::{LeftChart, LeftCharts, LeftItem};
use super::right::RightCharts;
use crate::grammar::{Language, Rules};

/// A language with the charts of its texts.
#[derive(Debug)]
pub(crate) struct Parsing<'a> {
    pub(crate) language: &'a Language,
    pub(crate) left: &'a mut LeftCharts,
    pub(crate) right: &'a mut RightCharts,
}

impl<'a> Parsing<'a> {
    pub(crate) fn new(language: &'a Language, charts: &'a mut Charts) -> Self {
        let Charts { left, right } = charts;
        Self { language, left, right }
    }

    /// The same for a shorter time.
    #[inline]
    pub(crate) fn reborrow(&mut self) -> Parsing<'_> {
        let Self { language, left, right } = self;
        Parsing { language, left, right }
    }

    /// The language's rules.
    #[inline]
    pub(crate) fn rules(&self) -> &'a Rules {
        &self.language.rules
    }

    /// The items of a chart for which something has been read.
    #[inline]
    pub(crate) fn items(&self, chart: LeftChart) -> &[LeftItem] {
        self.left.items(chart)
    }

    /// The column of the innermost suite at this chart.
    #[inline]
    pub(crate) fn column(&self, chart: LeftChart) -> Column {
        self.left.column(chart)
    }

    /// The chart behind a symbol, if that may come.
    #[inline]
    pub(crate) fn step(&mut self, chart: LeftChart, symbol: Symbol) -> Option<LeftChart> {
        self.left.step(&self.language.rules, chart, symbol)
    }
}
