//! The frontiers of the roots: the items, parsed backward, that the left side must meet.

use fim_lexer::suffix::{Leading, leading};
use fim_lexer::{Column, Columns, JoinedIndentation, LineColumn};

use super::{Entrance, RightSide, Root};
use crate::charts::{CutName, Marks, RightCharts, RightItem};
use crate::grammar::{Nonterminal, Tables};
use crate::right_context::{Depths, Front, NothingFits, SuffixCharts, SurroundingMode};

impl RightSide {
    /// The items of rules whose rest is in the right context behind this root, and the depth of its nesting.
    pub(super) fn frontier(
        &self,
        tables: &Tables<'_>,
        charts: &mut RightCharts,
        suffix: &mut SuffixCharts,
        root: Root,
    ) -> Result<(Vec<RightItem>, Depths), NothingFits> {
        let rules = tables.rules;
        let text = &self.text;
        let joining = tables.lexer.description.dialect.joined_indentation;
        let joined = tables.lexer.layout().and_then(|layout| layout.joined);
        match root.entrance {
            Entrance::Line(at) => {
                let (chart, depth) = suffix.lines.line_start(tables, charts, text, at as usize)?;
                let items = charts.items(rules, chart);
                let items = items.filter(|item| rules.is_line_start(item.state));
                Ok((items.collect(), Depths::One(depth)))
            }
            Entrance::Middle(at) => {
                let at = at as usize;
                let Front { chart, depths } = front(tables, charts, suffix, text, at, root.mode)?;
                let items = charts.items(rules, chart);
                // No text is in front of a text's own beginning.
                let is_text_start = tables.lexer.scanner.text_start() == Some(root.mode.clean);
                let begins = |item: &RightItem| item.state == rules.start(Nonterminal::ROOT);
                let items = items.filter(|item| !is_text_start || begins(item));
                Ok((items.filter(|item| !rules.is_line_start(item.state)).collect(), depths))
            }
            Entrance::LineStart(at) => {
                let at = at as usize;
                let found = leading(tables.lexer, text, at, Column::ZERO, None);
                let Leading::Symbol { column, start } = found else {
                    return Err(NothingFits { offset: at });
                };
                let Front { mut chart, depths } =
                    front(tables, charts, suffix, text, at, root.mode)?;
                if let Some(joined) = joined.filter(|_| text[start] == b'\\') {
                    let found = charts.step(rules, chart, joined, None);
                    chart = found.ok_or(NothingFits { offset: start })?;
                }
                let items =
                    charts.items(rules, chart).filter(|item| rules.is_line_start(item.state));
                let items = items.flat_map(|item| {
                    let columns = item.marks.columns();
                    let found = behind_white_space(joining, columns, column, at > 0);
                    let marks = found.into_iter().flatten().map(Marks::Columns);
                    marks.map(move |marks| RightItem { marks, ..item })
                });
                Ok((items.collect(), depths))
            }
            Entrance::Joined(at) => {
                let at = at as usize;
                let Front { chart, depths } = front(tables, charts, suffix, text, at, root.mode)?;
                let items = charts.items(rules, chart);
                Ok((items.filter(|item| rules.is_line_start(item.state)).collect(), depths))
            }
            Entrance::Straddle(emission, at) => {
                let at = at as usize;
                let Front { chart, depths } = front(tables, charts, suffix, text, at, root.mode)?;
                let steps = tables.lexer.scanner.emission(emission).steps();
                let found = match *steps {
                    [name] if rules.names_written_as(name).is_some() => {
                        charts.step_cut(rules, chart, name, CutName::Free)
                    }
                    _ => charts.steps(rules, chart, steps),
                };
                let chart = found.ok_or(NothingFits { offset: 0 })?;
                Ok((charts.items(rules, chart).collect(), depths))
            }
        }
    }
}

/// The chart in front of a place in the middle of a line.
pub(super) fn front(
    tables: &Tables<'_>,
    charts: &mut RightCharts,
    suffix: &mut SuffixCharts,
    text: &[u8],
    at: usize,
    mode: SurroundingMode,
) -> Result<Front, NothingFits> {
    if mode.frame.is_some() {
        let found = suffix.lattice.front(text, at, mode);
        return found.cloned().ok_or(NothingFits { offset: at });
    }
    let (chart, depth) = suffix.lines.middle_of_line(tables, charts, text, at, mode.clean)?;
    Ok(Front { chart, depths: Depths::One(depth) })
}

/// The columns, of `columns`, that a line may have whose white space ends at `column`, or behind more white space in
/// front of that; `is_joined` if a joined line break is in front of it.
fn behind_white_space(
    joining: JoinedIndentation,
    columns: Columns,
    column: LineColumn,
    is_joined: bool,
) -> [Option<Columns>; 2] {
    let LineColumn::At(column) = column else { return [Some(columns), None] };
    if joining != JoinedIndentation::FixesColumn {
        return [columns.and(Columns::at_least(column)), None];
    }
    // The text in front may have fixed the column by a backslash, at 1 or more.
    let least = Column { wide: column.wide.min(1), narrow: column.narrow.min(1) };
    let fixed = columns.and(Columns::at_least(least));
    if !is_joined {
        return [fixed, None];
    }
    // Behind a joined line break the backslash has fixed it, and then both counts are equal; unless it stood at
    // column 0, which CPython takes for no column at all.
    [fixed.and_then(Columns::with_equal_counts), columns.and(Columns::exactly(column))]
}
