//! The writer of a plan as text.
//!
//! Spaces go where symbols would grow together, line breaks and columns where suites begin and
//! end. Each piece is tried on a copy of the place first.

use fim_lexer::layout::{
    BEGUN_BREAKS, IDLE_LINE, IN_LINE, JOINS, LINE_BREAK, LINE_ENDS, SEPARATORS,
};
use fim_lexer::lexer::{LexState, Symbol};
use fim_lexer::scanner::{RawState, StateKind};
use fim_lexer::white_space::{BegunLine, deeper_column, extensions, white_space};
use fim_lexer::{Column, Columns, TerminalId};

use super::plan::{Plan, Planned};
use crate::charts::LeftChart;
use crate::grammar::Inserted;
use crate::hole::{OpenHole, Place};
use crate::right_side::{Beginning, Entrance, RootIdx};

/// The most blanks that are tried in front of a right context that brings its own.
const MAX_TRIED_BLANKS: u32 = 200;

/// A text that is being written.
pub(crate) struct Writer<'a> {
    pub(super) hole: OpenHole<'a>,
    pub(super) place: Place,
    pub(super) text: Vec<u8>,
    /// The chart behind all symbols written so far, the symbol in progress included.
    pub(super) chart: LeftChart,
    /// The list of symbols of which one is to be inserted in front of the next symbol, as `Emission` has it.
    inserted: Option<TerminalId>,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(hole: OpenHole<'a>, place: &Place) -> Self {
        let place = place.clone();
        Self { hole, chart: place.chart, place, text: Vec::new(), inserted: None }
    }

    /// The plan as text, if the lexer allows it.
    pub(crate) fn write(&mut self, plan: &Plan) -> Option<Vec<u8>> {
        let rest = plan.rest.clone();
        self.put(&rest).then_some(())?;
        self.chart = match self.hole.language().lexer.scanner.accept(self.place.lexed.raw) {
            Some(emission) if !plan.symbols.is_empty() || self.is_symbol() => {
                self.place.chart_ended(&mut self.hole.parsing, emission)?
            }
            _ => self.place.chart,
        };
        let mut columns: Vec<Column> = self.place.lexed.indents.to_vec();
        for &planned in &plan.symbols {
            self.write_planned(planned, &mut columns)?;
        }
        if let Some(Inserted::Omitted(written)) = self.take_inserted() {
            self.write_symbol(written, None, Column::ZERO)?;
        }
        self.enter(plan.root, &columns)
    }

    fn is_symbol(&self) -> bool {
        self.hole.language().lexer.scanner.kind(self.place.lexed.raw).is_in_symbol()
    }

    /// Appends text. Whether it could be read.
    fn put(&mut self, text: &[u8]) -> bool {
        let is_read = self.hole.read(&mut self.place, text) == text.len();
        self.text.extend_from_slice(text);
        is_read
    }

    fn write_planned(&mut self, planned: Planned, columns: &mut Vec<Column>) -> Option<()> {
        let terminal = planned.terminal;
        let language = self.hole.language();
        if language.rules.said_names().any(|name| name == terminal) {
            return self.write_name(planned);
        }
        if self.hole.language().inserted_kind(terminal).is_some() {
            self.inserted = Some(terminal);
            return Some(());
        }
        if let Some(layout) = self.hole.language().lexer.layout() {
            if terminal == layout.newline {
                self.put(LINE_BREAK).then_some(())?;
                self.step(terminal, None)?;
                return (self.chart == self.place.chart).then_some(());
            }
            if terminal == layout.indent {
                let around = *columns.last()?;
                let column = self
                    .column_in_progress(around, planned.marks.columns())
                    .or_else(|| deeper_column(around, planned.marks.columns()))?;
                columns.push(column);
                return self.step(terminal, Some(column));
            }
            if terminal == layout.dedent {
                columns.pop();
                return self.step(terminal, None);
            }
            if layout.joined == Some(terminal) {
                return self.write_joined(terminal, columns.last().copied().unwrap_or_default());
            }
        }
        let column = columns.last().copied().unwrap_or_default();
        let inserted = self.inserted;
        if let Some(Inserted::Omitted(written)) = self.take_inserted() {
            // A symbol that could be left out is written where it cannot be, as between symbols of one line.
            if self.write_symbol(terminal, inserted, column).is_some() {
                return Some(());
            }
            self.write_symbol(written, None, column)?;
            return self.write_symbol(terminal, None, column);
        }
        self.write_symbol(terminal, inserted, column)
    }

    /// Takes the kind of the symbol to be inserted in front of the next one; inserting it is up to the caller.
    fn take_inserted(&mut self) -> Option<Inserted> {
        self.inserted.take().and_then(|inserted| self.hole.language().inserted_kind(inserted))
    }

    /// Writes a symbol, with `inserted` inserted in front of it.
    fn write_symbol(
        &mut self,
        terminal: TerminalId,
        inserted: Option<TerminalId>,
        column: Column,
    ) -> Option<()> {
        let mut separators = self.separators(column);
        if inserted.is_some() {
            separators.extend(self.shortest_break());
        }
        for separator in separators {
            let mut place = self.place.clone();
            if self.hole.read(&mut place, &separator) < separator.len() {
                continue;
            }
            let start = self.behind(&place.lexed).raw;
            let scanner = &self.hole.language().lexer.scanner;
            let rules = self.hole.parsing.rules();
            let is_wanted = |id| {
                let emission = scanner.emission(id);
                let may_be =
                    emission.inserted_terminal().map_or(&[][..], |list| rules.insertions(list));
                emission.symbols == [terminal] && inserted.is_none_or(|one| may_be.contains(&one))
            };
            let text = self.hole.language().reach.shortest_symbol(scanner, start, is_wanted);
            let Some(text) = text else { continue };
            if self.hole.read(&mut place, &text) < text.len() {
                continue;
            }
            let accepted = scanner.accept(place.lexed.raw).filter(|&id| is_wanted(id));
            if place.chart == self.chart
                && let Some(emission) = accepted
            {
                self.chart = place.chart_ended(&mut self.hole.parsing, emission)?;
                self.place = place;
                self.text.extend(separator);
                self.text.extend(text);
                return Some(());
            }
        }
        None
    }

    /// Begins a line at a column with a backslash alone and the line break that it joins.
    fn write_joined(&mut self, terminal: TerminalId, column: Column) -> Option<()> {
        self.step(terminal, None)?;
        self.separators(column).into_iter().find_map(|separator| {
            let [_, join, _] = JOINS;
            let joined = [&separator, join].concat();
            let mut place = self.place.clone();
            let is_read = self.hole.read(&mut place, &joined) == joined.len();
            (is_read && place.chart == self.chart).then(|| {
                self.place = place;
                self.text.extend(joined);
            })
        })
    }

    /// The column of the line in progress, if a suite may begin with this line.
    fn column_in_progress(&self, around: Column, columns: Columns) -> Option<Column> {
        let lexed = &self.place.lexed;
        let kind = self.hole.language().lexer.scanner.kind(lexed.raw);
        let column = lexed.line_column();
        let is_deeper = Columns::deeper_than(around).contains(column) && columns.contains(column);
        (lexed.is_line_start && kind.is_clean() && is_deeper).then_some(column)
    }

    /// The state of the lexer behind the symbol in progress.
    pub(super) fn behind(&self, lexed: &LexState) -> LexState {
        let mut behind = lexed.clone();
        let scanner = &self.hole.language().lexer.scanner;
        match scanner.accept(lexed.raw) {
            Some(emission) => {
                self.hole.language().lexer.finish_symbol(&mut behind, emission, &mut |_| true);
            }
            None => behind.raw = scanner.start(lexed.frames.last().copied()),
        }
        behind
    }

    fn step(&mut self, terminal: TerminalId, column: Option<Column>) -> Option<()> {
        let symbol = Symbol { terminal, column };
        self.chart = self.hole.parsing.left.step(self.hole.parsing.rules(), self.chart, symbol)?;
        Some(())
    }

    /// The separators that may stand in front of the next symbol, the shortest first.
    pub(super) fn separators(&self, column: Column) -> Vec<Vec<u8>> {
        let lexed = &self.place.lexed;
        if lexed.is_line_start {
            return extensions(self.begun_line(), &white_space(column));
        }
        // f'{ {a}}'
        //    ^ the brace in progress begins code, where a space keeps the next one from joining it
        if self.behind(lexed).frames.last().is_some_and(|frame| !frame.is_code()) {
            return vec![Vec::new()];
        }
        let mut found = vec![Vec::new()];
        match self.hole.language().lexer.layout() {
            Some(_) => found.extend(SEPARATORS.map(<[u8]>::to_vec)),
            None => found.extend(self.shortest_ignored()),
        }
        found
    }

    /// The shortest texts that the grammar ignores behind the symbol in progress, and one that also ends it.
    fn shortest_ignored(&self) -> Vec<Vec<u8>> {
        let scanner = &self.hole.language().lexer.scanner;
        let raw = self.place.lexed.raw;
        let clean = self.behind(&self.place.lexed).raw;
        let is_ignored = |id| scanner.emission(id).symbols.is_empty();
        let is_alone = |byte: u8| scanner.accept(scanner.next(clean, byte)).is_some_and(is_ignored);
        let mut found: Vec<Vec<u8>> = Vec::new();
        // Of the bytes of white space, people write the last one; those in front of it are control characters.
        match (0..=u8::MAX).rev().find(|&byte| is_alone(byte)) {
            Some(byte) => found.push(vec![byte]),
            None => {
                found.extend(self.hole.language().reach.shortest_symbol(scanner, clean, is_ignored))
            }
        }
        let ends = |byte: &u8| scanner.next(raw, *byte) == RawState::DEAD && is_alone(*byte);
        found.extend((0..=u8::MAX).find(ends).map(|byte| vec![byte]));
        found
    }

    /// The shortest text with a line break that the grammar ignores behind the symbol in progress.
    fn shortest_break(&self) -> Option<Vec<u8>> {
        let scanner = &self.hole.language().lexer.scanner;
        let clean = self.behind(&self.place.lexed).raw;
        let is_break = |id| scanner.emission(id).is_break;
        self.hole.language().reach.shortest_symbol(scanner, clean, is_break)
    }

    fn begun_line(&self) -> BegunLine {
        let lexed = &self.place.lexed;
        BegunLine {
            read: lexed.column,
            joined: lexed.joined_column,
            column: lexed.line_column(),
            is_comment: self.hole.language().lexer.scanner.kind(lexed.raw) == StateKind::Comment,
        }
    }

    /// Enters the right context at `root`, where the innermost suite stands at the last column.
    fn enter(&mut self, root: RootIdx, columns: &[Column]) -> Option<Vec<u8>> {
        let column = columns.last().copied().unwrap_or_default();
        let entrance = self.hole.right().roots[usize::from(root.0)].entrance;
        if self.hole.right().keeps_suites(&self.hole.language().lexer, entrance) {
            self.write_line_at(column);
        }
        let mut endings = match entrance {
            Entrance::Middle(0) if self.hole.language().lexer.layout().is_none() => {
                self.separators(column)
            }
            Entrance::Middle(0) => IN_LINE.map(<[u8]>::to_vec).to_vec(),
            // The entrance is behind a comment or a joined line break.
            Entrance::Middle(_) if self.hole.language().lexer.layout().is_some() => {
                with_nothing(&BEGUN_BREAKS)
            }
            // The entrance is behind ignored text.
            Entrance::Middle(_) => self.straddling_endings(root, column),
            Entrance::Line(_) => self.line_endings(column),
            Entrance::LineStart(at) => self.line_start_endings(column, at),
            Entrance::Joined(_) => self.joined_endings(column),
            Entrance::Straddle(..) => self.straddling_endings(root, column),
        };
        endings.sort_by_key(Vec::len);
        for ending in endings {
            let mut place = self.place.clone();
            if self.hole.read(&mut place, &ending) == ending.len() && self.hole.is_member(&place) {
                let mut text = std::mem::take(&mut self.text);
                text.extend(ending);
                return Some(text);
            }
        }
        None
    }

    /// Writes a line without effect at a column where no line stands yet, so that the next one is kept there.
    fn write_line_at(&mut self, column: Column) {
        if self.place.lexed.indents.last() == Some(&column) && self.chart == self.place.chart {
            return;
        }
        for separator in self.separators(column) {
            let line = [&separator, IDLE_LINE].concat();
            let mut place = self.place.clone();
            let is_read = self.hole.read(&mut place, &line) == line.len();
            if is_read && place.lexed.indents.last() == Some(&column) {
                self.place = place;
                self.chart = self.place.chart;
                self.text.extend(line);
                return;
            }
        }
    }

    fn line_endings(&self, column: Column) -> Vec<Vec<u8>> {
        let mut endings = with_nothing(&LINE_ENDS);
        endings.extend(extensions(self.begun_line(), &white_space(column)));
        endings
    }

    /// The texts of white space that together with the right context's own give `column`.
    fn line_start_endings(&self, column: Column, at: u32) -> Vec<Vec<u8>> {
        let lexed = &self.place.lexed;
        let mut endings = Vec::new();
        let right = &self.hole.right();
        for n_spaces in 0..=column.wide.min(MAX_TRIED_BLANKS) {
            let white = white_space(Column::spaces(n_spaces));
            let mut fresh = lexed.clone();
            fresh.column = Column::spaces(n_spaces);
            fresh.joined_column = None;
            if right.line_column(&self.hole.language().lexer, Entrance::LineStart(at), &fresh)
                == Some(column)
            {
                endings.extend(extensions(self.begun_line(), &white));
            }
        }
        endings.extend(self.joined_endings(column));
        endings.extend(extensions(self.begun_line(), &white_space(column)));
        endings.push(Vec::new());
        endings
    }

    /// The texts of white space up to `column` and a backslash, with the line break that it joins or without.
    fn joined_endings(&self, column: Column) -> Vec<Vec<u8>> {
        let joined = JOINS.map(|join| [&white_space(column), join].concat());
        joined.iter().flat_map(|white| extensions(self.begun_line(), white)).collect()
    }

    fn straddling_endings(&self, root: RootIdx, column: Column) -> Vec<Vec<u8>> {
        let right = &self.hole.right();
        let tables = self.hole.language().tables();
        let mut lexed = self.behind(&self.place.lexed);
        lexed.is_line_start = false;
        let beginning = self.hole.beginning(self.chart, root);
        let text = match &beginning {
            Beginning::Exactly(text) => Some(text.clone()),
            _ => right.shortest_entry(&tables, &lexed, root),
        };
        // The symbol may have begun already.
        let mut endings = vec![Vec::new()];
        match &beginning {
            Beginning::Exactly(text) => {
                endings.extend(text.strip_prefix(&*self.place.begun).map(<[u8]>::to_vec));
            }
            _ => endings.extend(right.shortest_entry(&tables, &self.place.lexed, root)),
        }
        if let Some(text) = text {
            let separators = self.separators(column).into_iter();
            endings.extend(separators.map(|separator| [separator, text.clone()].concat()));
        }
        endings
    }
}

/// These endings and the empty one.
fn with_nothing(endings: &[&[u8]]) -> Vec<Vec<u8>> {
    std::iter::once(Vec::new()).chain(endings.iter().map(|ending| ending.to_vec())).collect()
}
