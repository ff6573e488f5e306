//! The part of a chart that rules which end there depend on. Charts are told apart by their items, so items that a
//! rule has nothing to do with would make equal charts differ.

use super::kernel::Item;
use super::{KnownPart, RightChart, RightCharts};
use crate::grammar::{ChildEdge, Copies, Families, Family, FamilyState, LastEdge, Rules};

impl RightCharts {
    /// The part of a chart that a rule of `family` which ends there depends on: the items that wait for it, directly
    /// or by way of rules that end with it. In JavaScript, some item waits for an expression in front of almost every
    /// line, in case that a semicolon was left out; the ends of statements must not be told apart by that.
    #[inline]
    pub(super) fn waiting_for(
        &mut self,
        rules: &Rules,
        chart: RightChart,
        family: Family,
    ) -> RightChart {
        if chart == RightChart::SELF {
            return chart;
        }
        if !rules.is_known_by_rule() {
            return self.waiting(rules, chart);
        }
        let knowing = rules.families().knowing(family);
        let mut next = self.heads[chart.index()].last_part;
        while let Some(known) = self.parts.get(next as usize) {
            if known.knowing == knowing {
                return known.chart;
            }
            next = known.before;
        }
        let copies = rules.families().copies_knowing(knowing);
        let found = self.part(rules, chart, |state| copies[state.index()]);
        let head = &mut self.heads[chart.index()];
        let before = std::mem::replace(&mut head.last_part, self.parts.len() as u32);
        self.parts.push(KnownPart { chart: found, before, knowing });
        found
    }

    /// The chart without the items that wait for a terminal only. Rules that end here depend on no more: none of them
    /// goes on from such an item. A `def` waits for decorators in front of it; if charts were told apart by that, so
    /// would be all lines in front.
    fn waiting(&mut self, rules: &Rules, chart: RightChart) -> RightChart {
        if let Some(known) = self.waiting[chart.index()] {
            return known;
        }
        let found = self.part(rules, chart, |state| rules.families().waiting(state));
        self.waiting[chart.index()] = Some(found);
        found
    }

    /// The chart with the `kept` copies of each item.
    fn part(
        &mut self,
        rules: &Rules,
        chart: RightChart,
        kept: impl Fn(FamilyState) -> Copies,
    ) -> RightChart {
        let head = self.heads[chart.index()];
        let items = &self.items[head.first_item as usize..][..head.n_items as usize];
        let is_less = |item: &Item| item.copies & !kept(item.state) != 0;
        let Some(n_whole) = items.iter().position(is_less) else { return chart };
        self.sorted.clear();
        self.sorted.extend_from_slice(&items[..n_whole]);
        self.sorted.extend(items[n_whole..].iter().filter_map(|item| {
            let copies = item.copies & kept(item.state);
            (copies != 0).then_some(Item { copies, ..*item })
        }));
        self.intern(rules)
    }

    /// The copies of a rule, of those that may end at a chart behind this edge, that are not [`Families::outdone`].
    #[inline]
    pub(super) fn less_outdone(
        &self,
        families: &Families,
        chart: RightChart,
        last: &LastEdge<ChildEdge>,
        copies: Copies,
    ) -> Copies {
        if copies == 0 || !families.dangles(last.to) {
            return copies;
        }
        let items = self.kept(chart).iter().map(|item| (item.state, item.copies));
        copies & !families.outdone(last.to, copies, items)
    }

    /// The part of a chart, as [`Self::waiting_for`] gives it, where the chart is such a part already, for a rule
    /// that the part was made for.
    pub(crate) fn waiting_for_again(
        &mut self,
        rules: &Rules,
        chart: RightChart,
        family: Family,
    ) -> RightChart {
        if rules.is_branching() { self.waiting_for(rules, chart, family) } else { chart }
    }
}
