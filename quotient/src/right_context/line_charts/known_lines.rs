//! Known lines of a text, by their distances from its end, and so for as long as edits lie
//! farther left.

use std::sync::Arc;

use fim_lexer::{Column, LineColumn};
use rustc_hash::FxHashMap;

use super::NothingFits;
use super::logical_lines::LineEntry;
use crate::charts::RightChart;
use crate::right_context::depth::Depth;

/// A logical line of a right context.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) column: LineColumn,
    /// How deep the suites nest from here on; `None` at the end of the text.
    pub(super) depth: Option<Arc<Depth>>,
    /// The chart in front of its first symbol.
    pub(super) chart: RightChart,
    /// How far from the end of the text its white space begins.
    pub(super) begin: u32,
}

impl Line {
    /// The end of the text behind the last line, as a line at column zero.
    pub(super) const BEHIND_ALL: Self = Self {
        column: LineColumn::At(Column::ZERO),
        depth: None,
        chart: RightChart::LAST,
        begin: 0,
    };
}

/// The lines that have been read, and those that nothing can end with.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownLines {
    /// By the distances of their first symbols.
    pub(super) lines: FxHashMap<u32, Line>,
    /// Beginnings of lines (symbol and white space) from which on no text ends. A cut inside what
    /// might be a long string leads to them again and again.
    dead: FxHashMap<(u32, u32), Dead>,
}

/// Why no text ends with a line and what is behind it.
#[derive(Clone, Copy, Debug)]
struct Dead {
    /// The error's distance from the end.
    error: u32,
    /// Whether it is no symbol. Else brackets are looked at first, also those in front of the line.
    is_lexical: bool,
}

/// The reading of a line and all behind it.
pub(super) enum Known {
    Line(Line),
    Dead(NothingFits),
}

impl KnownLines {
    /// Forgets the lines that begin farther from the end than `distance`, white space included.
    pub(super) fn truncate(&mut self, distance: usize) {
        // An edit right in front of a line may have taken the line break away.
        self.lines.retain(|_, line| (line.begin as usize) < distance);
        self.dead.retain(|&(_, begin), _| (begin as usize) < distance);
    }

    /// Bytes held, roughly.
    pub(super) fn memory(&self) -> usize {
        self.lines.capacity() * 40 + self.dead.capacity() * 17
    }

    /// The line whose first symbol is at `start`.
    pub(super) fn line(&self, text: &[u8], start: usize) -> Option<&Line> {
        self.lines.get(&((text.len() - start) as u32))
    }

    /// Remembers the line whose first symbol is at `start`.
    pub(super) fn insert(&mut self, text: &[u8], start: usize, line: Line) {
        self.lines.insert((text.len() - start) as u32, line);
    }

    /// The line whose white space begins at `begin` and whose first symbol at `start`, if it has
    /// been read; an error, if what is behind it is not made of symbols.
    pub(super) fn get(
        &self,
        text: &[u8],
        begin: usize,
        start: usize,
    ) -> Result<Option<Known>, NothingFits> {
        let [begin, start] = [begin, start].map(|offset| (text.len() - offset) as u32);
        if let Some(dead) = self.dead.get(&(start, begin)) {
            let error = NothingFits { offset: text.len() - dead.error as usize };
            return if dead.is_lexical { Err(error) } else { Ok(Some(Known::Dead(error))) };
        }
        // A string that ended in front may have swallowed the beginning of a joined line, and with
        // it the column: then it is another line.
        let line = self.lines.get(&start).filter(|line| line.begin == begin);
        Ok(line.cloned().map(Known::Line))
    }

    /// Remembers that no text ends with a line behind one of these line breaks. A reading
    /// in f-strings from in front of the text says nothing about other ways to get there.
    pub(super) fn bury(
        &mut self,
        text: &[u8],
        entries: &[LineEntry],
        breaks: impl IntoIterator<Item = usize>,
        error: NothingFits,
        is_lexical: bool,
    ) {
        let from_end = |offset: usize| (text.len() - offset) as u32;
        let dead = Dead { error: from_end(error.offset), is_lexical };
        for index in breaks {
            let Some([line_break, first]) = entries.get(index..index + 2) else { continue };
            if first.emission.is_some() && line_break.is_outside && first.is_outside {
                let line = (from_end(first.start as usize), from_end(line_break.end as usize));
                self.dead.insert(line, dead);
            }
        }
    }
}
