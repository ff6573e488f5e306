//! What texts are read with: a language, and the charts that are kept of its texts.
//!
//! Whatever is asked of a place in a text is asked with both, and whatever is found out is added to the charts. So
//! they travel as one value, which a session gives for as long as it is asked.

use fim_lexer::lexer::Symbol;

use super::both::Charts;
use super::left::{LeftChart, LeftCharts, LeftItem};
use super::marks::{Mark, Marks};
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

    /// The mark of the innermost open rule that has one, at this chart.
    #[inline]
    pub(crate) fn mark(&self, chart: LeftChart) -> Mark {
        self.left.mark(chart)
    }

    /// Whether a rule with a mark may be one of those that the right context needs.
    #[inline]
    pub(crate) fn fits(&self, needed: Marks, mark: Mark) -> bool {
        self.left.spellings.fits(needed, mark)
    }

    /// The chart behind a symbol, if that may come.
    #[inline]
    pub(crate) fn step(&mut self, chart: LeftChart, symbol: Symbol) -> Option<LeftChart> {
        self.left.step(&self.language.rules, chart, symbol)
    }
}
