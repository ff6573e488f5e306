//! The interface of a hole to other rooms: the hole with its language, and the charts that its texts are read into.
//!
//! The answers about a hole (`hole.rs`) are kept from one question to the next. For the time of a question, the hole
//! travels with the language and the charts. The methods here are all questions that there are.

use std::sync::Arc;

use fim_lexer::scanner::EmissionId;

use super::liveness::{Liveness, LivenessIdx};
use super::{CheapestStep, Hole, Place};
use crate::caches::Fingerprint;
use crate::charts::{LeftChart, LeftItem, Parsing};
use crate::grammar::Language;
use crate::right_side::{Beginning, RightSide, RootIdx};

/// A hole with all that its questions need.
#[derive(Debug)]
pub(crate) struct OpenHole<'a> {
    hole: &'a mut Hole,
    pub(crate) parsing: Parsing<'a>,
}

impl<'a> OpenHole<'a> {
    pub(crate) fn new(hole: &'a mut Hole, parsing: Parsing<'a>) -> Self {
        Self { hole, parsing }
    }

    /// The same hole, lent for a shorter time.
    pub(crate) fn reborrow(&mut self) -> OpenHole<'_> {
        OpenHole { hole: self.hole, parsing: self.parsing.reborrow() }
    }

    #[inline]
    pub(crate) fn language(&self) -> &'a Language {
        self.parsing.language
    }

    #[inline]
    pub(crate) fn right(&self) -> &Arc<RightSide> {
        &self.hole.right
    }

    /// Reads bytes behind a place. The number of bytes that could be read, all of them or fewer.
    #[inline]
    pub(crate) fn read(&mut self, place: &mut Place, bytes: &[u8]) -> usize {
        place.read(&mut self.parsing, bytes)
    }

    /// Whether some text behind `place` makes the whole file parse.
    #[inline]
    pub(crate) fn is_completable(&mut self, place: &Place) -> bool {
        self.hole.is_completable(&mut self.parsing, place)
    }

    /// Whether some text makes the whole file parse if the symbol in progress ends in front of the right context.
    #[inline]
    pub(crate) fn symbol_is_completable(&mut self, place: &Place) -> bool {
        self.hole.symbol_is_completable(&mut self.parsing, place)
    }

    /// Whether the whole file parses with the text as it is.
    #[inline]
    pub(crate) fn is_member(&mut self, place: &Place) -> bool {
        self.hole.is_member(&mut self.parsing, place)
    }

    /// The cost of the cheapest completion behind a chart, lexical matters aside.
    #[inline]
    pub(crate) fn cost(&mut self, chart: LeftChart) -> u32 {
        self.hole.cost(&self.parsing, chart)
    }

    /// The cost of the cheapest completion from an item of a chart.
    pub(crate) fn item_cost(&mut self, chart: LeftChart, item: LeftItem) -> u32 {
        self.hole.item_cost(&self.parsing, chart, item)
    }

    /// The first step of the cheapest way from an item, if there is a way.
    pub(crate) fn cheapest_step(
        &mut self,
        chart: LeftChart,
        item: LeftItem,
    ) -> Option<CheapestStep> {
        self.hole.cheapest_step(&self.parsing, chart, item)
    }

    /// Whether an item of the chart continues exactly where the right context begins at a root.
    pub(crate) fn meets(&mut self, chart: LeftChart, root: RootIdx) -> bool {
        self.hole.meets(&self.parsing, chart, root)
    }

    /// The text that must be written behind a chart in front of the cut, for the symbol that straddles it.
    pub(crate) fn beginning(&self, chart: LeftChart, root: RootIdx) -> Beginning {
        self.hole.beginning(&self.parsing, chart, root)
    }

    /// The number of the liveness of a chart, computed on first use.
    #[inline]
    pub(crate) fn learn(&mut self, chart: LeftChart) -> LivenessIdx {
        self.hole.learn(&mut self.parsing, chart)
    }

    /// The liveness of this number.
    #[inline]
    pub(crate) fn known_liveness(&self, known: LivenessIdx) -> &Liveness {
        self.hole.known_liveness(known)
    }

    /// Whether some text fits behind one of these emissions, where the liveness of the chart is known.
    #[inline]
    pub(crate) fn is_any_live(&mut self, at: (LeftChart, LivenessIdx), emissions: &[u64]) -> bool {
        self.hole.is_any_live(&mut self.parsing, at, emissions)
    }

    /// Whether some text fits behind an emission, where the liveness of the chart is known.
    #[inline]
    pub(crate) fn is_emission_live_at(
        &mut self,
        at: (LeftChart, LivenessIdx),
        emission: EmissionId,
    ) -> bool {
        self.hole.is_emission_live_at(&mut self.parsing, at, emission)
    }

    /// Whether some text fits behind an emission.
    pub(crate) fn is_emission_live(&mut self, chart: LeftChart, emission: EmissionId) -> bool {
        self.hole.is_emission_live(&mut self.parsing, chart, emission)
    }

    /// For each terminal the cost of the text that must follow it behind a chart.
    pub(crate) fn costs_behind(&mut self, chart: LeftChart) -> Vec<u32> {
        self.hole.costs_behind(&mut self.parsing, chart)
    }

    /// The costs that were kept of a chart for estimates: for each emission the cost of the text that must follow it.
    pub(crate) fn known_emission_costs(&self, chart: LeftChart) -> Option<Arc<[u32]>> {
        self.hole.emission_costs.get(&chart).map(Arc::clone)
    }

    pub(crate) fn keep_emission_costs(&mut self, chart: LeftChart, costs: &Arc<[u32]>) {
        self.hole.emission_costs.insert(chart, Arc::clone(costs));
    }

    /// Forgets the answers about charts if there are many. Not to be called within a walk.
    pub(crate) fn forget_much(&mut self) {
        self.hole.forget_much();
    }

    /// The mask of a place, if it is known (`known_masks.rs`).
    pub(crate) fn known_mask(&self, vocabulary: Fingerprint, place: &Place) -> Option<&[u32]> {
        self.hole.known_masks.get(vocabulary, place)
    }

    /// Keeps the mask of a place; `is_spelled` says that it depends on the spelling of the name in progress.
    pub(crate) fn keep_mask(
        &mut self,
        vocabulary: Fingerprint,
        place: &Place,
        is_spelled: bool,
        words: &[u32],
    ) {
        self.hole.known_masks.keep(vocabulary, place, is_spelled, words);
    }
}
