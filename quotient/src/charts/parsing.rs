//! A language together with the charts of its texts: all that reading a text needs.
//!
//! Every question about a place in a text needs both, and every answer may add charts. So they travel as one value,
//! which a session lends for the time of a question.

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

    /// The same value, lent for a shorter time.
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

    /// The items of a chart that have read a symbol.
    #[inline]
    pub(crate) fn items(&self, chart: LeftChart) -> &[LeftItem] {
        self.left.items(chart)
    }

    /// The mark of the innermost open rule that has one, at this chart.
    #[inline]
    pub(crate) fn mark(&self, chart: LeftChart) -> Mark {
        self.left.mark(chart)
    }

    /// Whether a rule with this mark may be one that the right context needs.
    #[inline]
    pub(crate) fn fits(&self, needed: Marks, mark: Mark) -> bool {
        self.left.spellings.fits(needed, mark)
    }

    /// The chart behind a symbol, if the symbol may come.
    #[inline]
    pub(crate) fn step(&mut self, chart: LeftChart, symbol: Symbol) -> Option<LeftChart> {
        self.left.step(&self.language.rules, chart, symbol)
    }
}
