//! A right context, read from its end: line by line, and in f-strings in all ways at once.
//!
//! Reading order: `modes`, `depth`, `budget`, `known_symbols`, `known_readings`, `line_charts`, `lattice`, `gaps`,
//! `suffix_charts`.

mod budget;
mod depth;
mod gaps;
mod known_readings;
mod known_symbols;
mod lattice;
mod line_charts;
mod modes;
mod suffix_charts;

pub(crate) use self::budget::{Budget, TooCostly};
pub(crate) use self::depth::Depth;
pub(crate) use self::lattice::{Depths, Front, outside};
pub(crate) use self::line_charts::NothingFits;
pub(crate) use self::modes::{OpenFrames, SurroundingMode, all, as_read, behind, innermost};
pub(crate) use self::suffix_charts::SuffixCharts;
