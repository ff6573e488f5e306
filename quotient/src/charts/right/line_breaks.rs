//! The indentation of lines, read backward: the chart in front of a line's end, of an INDENT, of DEDENTs.
//!
//! Where both lines are in the right context, their columns decide. Where the first one began in front of it, each of
//! the three is possible, and the items' marks remember the columns that they need.
//!
//! In the paper: INDENT and DEDENT that are unknown, section VI.A and figure 9, and the trade-off of figure 10; here
//! neither is given up.

use fim_lexer::lexer::LayoutTerminals;
use fim_lexer::{Column, Columns, LineColumn};

use super::{RightChart, RightCharts, Step, Within};
use crate::charts::marks::Marks;
use crate::grammar::Rules;

/// A line break between two lines.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LineBreak {
    /// The column of the first line; None if the text in front of it decides that.
    pub first: Option<Column>,
    /// The column of the second line, as far as it is known.
    pub second: LineColumn,
}

impl RightCharts {
    /// The chart in front of the line break between two lines. `chart` is the second line's (or that of the text's
    /// end).
    pub fn newline(
        &mut self,
        rules: &Rules,
        layout: LayoutTerminals,
        chart: RightChart,
        line_break: LineBreak,
    ) -> Option<RightChart> {
        let key = (chart, Step::Newline(line_break));
        if let Some(&known) = self.line_steps.get(&key) {
            return known;
        }
        let mut sources: [Option<RightChart>; 3] = [None; 3];
        match line_break.second {
            LineColumn::Kept => sources[0] = Some(chart),
            LineColumn::At(column) => {
                let first = line_break.first;
                if first.is_none_or(|first| first == column) {
                    sources[0] = Some(chart);
                }
                if first.is_none_or(|first| first.wide > column.wide) {
                    sources[1] = self.dedent(rules, layout, chart, column);
                }
                let is_deeper =
                    |first: Column| first.wide < column.wide && first.narrow < column.narrow;
                if chart != RightChart::LAST && first.is_none_or(is_deeper) {
                    sources[2] = self.indent(rules, layout, chart, column);
                }
            }
        }
        self.kernel.clear();
        for source in sources.into_iter().flatten() {
            self.scan(rules, source, layout.newline, |_, marks| Some(marks));
        }
        self.finish(rules, key, Within::Nothing)
    }

    /// The chart at the beginning of a line of the right context: the line may begin a suite, end some, or neither.
    pub fn line_start(
        &mut self,
        rules: &Rules,
        layout: LayoutTerminals,
        chart: RightChart,
        column: LineColumn,
    ) -> Option<RightChart> {
        let LineColumn::At(column) = column else { return Some(chart) };
        let key = (chart, Step::LineStart(column));
        if let Some(&known) = self.line_steps.get(&key) {
            return known;
        }
        let dedent = self.dedent(rules, layout, chart, column);
        let indent = if chart == RightChart::LAST {
            None
        } else {
            self.indent(rules, layout, chart, column)
        };
        self.kernel.clear();
        for source in [Some(chart), dedent, indent].into_iter().flatten() {
            self.add_all(source);
        }
        // The sources are closed already, so there is nothing to complete.
        let found = self.intern_kernel(rules);
        self.line_steps.insert(key, found);
        found
    }

    /// The chart in front of one or more DEDENTs, behind which a line at `column` follows.
    fn dedent(
        &mut self,
        rules: &Rules,
        layout: LayoutTerminals,
        chart: RightChart,
        column: Column,
    ) -> Option<RightChart> {
        let key = (chart, Step::Dedent(column));
        if let Some(&known) = self.line_steps.get(&key) {
            return known;
        }
        let deeper = self.sets.number(Marks::Columns(Columns::deeper_than(column)));
        self.kernel.clear();
        self.scan(rules, chart, layout.dedent, |sets, marks| sets.and(marks, deeper));
        self.finish(rules, key, Within::Repeated(layout.dedent, deeper))
    }

    /// The chart in front of an INDENT, behind which a line at `column` follows.
    fn indent(
        &mut self,
        rules: &Rules,
        layout: LayoutTerminals,
        chart: RightChart,
        column: Column,
    ) -> Option<RightChart> {
        let key = (chart, Step::Indent(column));
        if let Some(&known) = self.line_steps.get(&key) {
            return known;
        }
        self.kernel.clear();
        self.scan(rules, chart, layout.indent, |sets, marks| sets.shallower(marks, column));
        self.finish(rules, key, Within::Nothing)
    }

    fn finish(
        &mut self,
        rules: &Rules,
        key: (RightChart, Step),
        within: Within<'_>,
    ) -> Option<RightChart> {
        self.close(rules, within);
        let found = self.intern_kernel(rules);
        self.line_steps.insert(key, found);
        found
    }
}
