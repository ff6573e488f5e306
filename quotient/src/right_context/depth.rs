//! How deep the suites of a right context nest: CPython keeps at most a hundred columns open.
//!
//! What a line of the right context needs open in front of it are the columns that later lines
//! fall back to. Between two such falls, suites begin and end in the right context itself, and
//! only the deepest of them counts.
//!
//! The paper has no such limit.

use std::sync::Arc;

use fim_lexer::Column;
use fim_lexer::layout::MAX_INDENTS;

/// The columns that a right context opens and closes, from one of its lines on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Depth {
    /// The column of the line.
    column: Column,
    /// The most columns that are open beyond this one, until a line stands farther out.
    n_inside: usize,
    /// The depth from that line on.
    outer: Option<Arc<Self>>,
    /// The number of columns that must be open up to this one.
    n_outside: usize,
}

impl Depth {
    /// The depth from a line at `column` on, behind which `behind` follows; `None` if no text in
    /// front leaves enough columns.
    pub(crate) fn in_front(column: Column, behind: Option<&Arc<Self>>) -> Option<Arc<Self>> {
        let mut n_inside = 0;
        let mut outer = behind;
        while let Some(inner) = outer.filter(|outer| outer.column.wide > column.wide) {
            n_inside = n_inside.max(1 + inner.n_inside);
            outer = inner.outer.as_ref();
        }
        if let Some(same) = outer.filter(|outer| outer.column == column) {
            if same.n_inside >= n_inside {
                return Some(Arc::clone(same));
            }
            n_inside = n_inside.max(same.n_inside);
            outer = same.outer.as_ref();
        }
        // Column 0 is always open.
        let first = 1 + usize::from(column != Column::ZERO);
        let n_outside = outer.map_or(first, |outer| outer.n_outside + 1);
        (n_outside + n_inside <= MAX_INDENTS)
            .then(|| Arc::new(Self { column, n_inside, outer: outer.cloned(), n_outside }))
    }

    /// Whether CPython reads on to the end when `indents` are open in front of the line.
    pub(crate) fn fits(&self, indents: &[Column]) -> bool {
        let n_outside = indents.partition_point(|indent| indent.wide < self.column.wide);
        n_outside + 1 + self.n_inside <= MAX_INDENTS
            && self.outer.as_ref().is_none_or(|outer| outer.fits(indents))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The depth of lines at these columns.
    fn depth(columns: &[u32]) -> Option<Arc<Depth>> {
        let mut lines = columns.iter().rev().map(|&column| Column::spaces(column));
        let last = Depth::in_front(lines.next().expect("a line"), None);
        lines.try_fold(last?, |behind, column| Depth::in_front(column, Some(&behind)))
    }

    fn fits(columns: &[u32], n_open: u32) -> bool {
        let indents: Vec<Column> = (0..n_open).map(Column::spaces).collect();
        depth(columns).is_some_and(|depth| depth.fits(&indents))
    }

    #[test]
    fn suites_of_both_sides_count_together() {
        assert!(fits(&[50, 51, 52, 0], 50), "0 to 49, then 50, 51, 52");
        let deep: Vec<u32> = (50..100).collect();
        assert!(fits(&deep, 50));
        assert!(fits(&deep, 51), "50 is one of those that are open");
        let deeper: Vec<u32> = (50..101).collect();
        assert!(!fits(&deeper, 50));
    }

    #[test]
    fn what_has_closed_does_not_count() {
        let mut columns = vec![60, 20];
        columns.extend(21..100);
        assert!(fits(&columns, 61), "20 closes the rest");
        columns.push(100);
        assert!(!fits(&columns, 61));
    }

    #[test]
    fn too_many_falls_leave_no_columns() {
        let falls: Vec<u32> = (0..100).rev().collect();
        assert!(depth(&falls).is_some());
        let falls: Vec<u32> = (0..101).rev().collect();
        assert!(depth(&falls).is_none());
    }

    #[test]
    fn equal_blocks_share_their_depth() {
        let once = depth(&[0, 4, 0]).expect("shallow");
        let again = Depth::in_front(Column::spaces(4), Some(&once));
        let twice = Depth::in_front(Column::ZERO, again.as_ref()).expect("shallow");
        assert!(Arc::ptr_eq(&once, &twice));
    }
}
