//! The reading of right contexts: forward, line by line, up to a line from which on all is known, or to the end; from
//! there the lines' names are put together backwards.
//!
//! A suffix from the beginning of a line on, where lexing is clean, means the same whatever stands in front of it. It
//! is kept by its length, which edits in front of it do not change.

use std::ops::Range;

use fim_lexer::frames::{Frame, FrameChange};
use fim_lexer::lexer::LexState;
use fim_lexer::scanner::{RawState, StateKind};
use fim_lexer::suffix::{Leading, Lexed, junction, leading, lex_symbol};
use smallvec::SmallVec;

use super::left_context::{ReadingTables, behind, column_of, read};
use super::suffixes::{Suffix, Suffixes};
use crate::python_names::reader::NamesReader;
use crate::python_names::scopes::{Begins, BlockKind, RightNames, ScopeKind, Scopes};
use crate::python_names::symbols::{Annotations, SymbolKind};

/// The number of bytes between the beginnings of lines that are kept.
pub(super) const STRIDE: usize = 1 << 10;

/// Reads a right context, of which the lexer is in `lexed` where the hole begins.
///
/// If that is in a string, the hole may end it or leave it to the right context: names that either way of reading
/// binds are bound.
pub(super) fn read_right(
    tables: &ReadingTables<'_>,
    text: &[u8],
    lexed: &LexState,
    known: &mut Suffixes,
) -> RightNames {
    let found = read_right_in(tables, text, lexed, known);
    if found.is_some() && tables.lexer.scanner.kind(lexed.raw).is_clean() {
        return found.unwrap_or_default();
    }
    let clean = LexState {
        raw: tables.lexer.scanner.start(None),
        frames: SmallVec::new(),
        name: None,
        ..lexed.clone()
    };
    match (found, read_right_in(tables, text, &clean, known)) {
        (Some(found), Some(other)) => found.or(other),
        (Some(found), None) | (None, Some(found)) => found,
        (None, None) => read_right_begun(tables, text, &clean, known),
    }
}

/// Reads a right context that can only be read if it begins in a string or in a comment, which the hole has to open.
fn read_right_begun(
    tables: &ReadingTables<'_>,
    text: &[u8],
    clean: &LexState,
    known: &mut Suffixes,
) -> RightNames {
    let scanner = &tables.lexer.scanner;
    let quotes: [&[u8]; 4] = [b"\"", b"'", b"\"\"\"", b"'''"];
    let line_end =
        text.iter().position(|&byte| matches!(byte, b'\n' | b'\r')).unwrap_or(text.len());
    let mut found = read_right_in(tables, &text[line_end..], clean, known);
    if let Some(found) = &mut found {
        found.n_in_front += line_end;
    }
    for quote in quotes {
        let raw = quote.iter().fold(clean.raw, |raw, &byte| scanner.next(raw, byte));
        let other = read_right_in(tables, text, &LexState { raw, ..clean.clone() }, known);
        found = match (found, other) {
            (Some(found), Some(other)) => Some(found.or(other)),
            (found, other) => found.or(other),
        };
    }
    found.unwrap_or_else(RightNames::unknown)
}

/// Reads a right context of a hole that ends as it begins; None if that cannot be read.
fn read_right_in(
    tables: &ReadingTables<'_>,
    text: &[u8],
    lexed: &LexState,
    known: &mut Suffixes,
) -> Option<RightNames> {
    let scanner = &tables.lexer.scanner;
    let innermost = lexed.frames.iter().rposition(|frame| !frame.is_bracket());
    let mut frames: SmallVec<[Frame; 8]> =
        lexed.frames[..innermost.map_or(0, |index| index + 1)].iter().copied().collect();
    let mut raw = scanner.start(frames.last().copied());
    let mut at = 0;
    if let Some(junction) = junction(tables.lexer, text, lexed.raw, lexed.name) {
        at = junction.at();
        raw = junction.restart();
        let change = junction.emission().map(|emission| tables.kinds.of_emission(emission).1);
        if let Some(change) = change.filter(|change| !is_bracket(*change)) {
            raw = behind(tables.lexer, &mut frames, change, raw);
        }
    }
    let lines = Lines::read(tables, text, (at, raw, frames), None, known);
    lines.with_first(tables, text, first_column(tables, text, lexed), known)
}

/// Keeps the names of a suffix that begins where a line does in which lexing is clean.
pub(super) fn keep_suffix(tables: &ReadingTables<'_>, text: &[u8], known: &mut Suffixes) {
    let start = (0, tables.lexer.scanner.start(None), SmallVec::new());
    let mut lines = Lines::read(tables, text, start, Some(0), known);
    let suffix = match lines.whole(tables, text, known) {
        None => Suffix::Dead,
        Some(_) if lines.is_closed => Suffix::Closes(lines.n_behind),
        Some((mut names, with)) => {
            names.freeze();
            Suffix::Names { names: Box::new(names), with }
        }
    };
    known.entry(text.len()).or_insert(suffix);
}

fn is_bracket(change: FrameChange) -> bool {
    matches!(change, FrameChange::Open(_) | FrameChange::Close(_))
}

/// The column of the line in which the hole ends, as far as it is known.
fn first_column(tables: &ReadingTables<'_>, text: &[u8], lexed: &LexState) -> u32 {
    if !lexed.is_line_start {
        return lexed.indents.last().map_or(0, |column| column.wide);
    }
    match leading(tables.lexer, text, 0, lexed.column, lexed.joined_column) {
        Leading::Symbol { column, .. } => column.known_column().map_or(0, |column| column.wide),
        _ => lexed.line_column().wide,
    }
}

/// A logical line: the length of the suffix from it on, its column, and its first symbol.
struct Line {
    length: usize,
    column: u32,
    first: usize,
}

/// The logical lines of a right context, up to a suffix that is known.
#[derive(Default)]
struct Lines {
    symbols: Vec<(SymbolKind, Range<usize>)>,
    /// The lines, but for the one in which the hole ends: its symbols are in front of the first line's.
    lines: Vec<Line>,
    /// The lengths of suffixes that begin in brackets, from lines on.
    closed: Vec<usize>,
    /// Whether a bracket closes that has not been opened, and the number of bytes behind the last such one.
    is_closed: bool,
    n_behind: usize,
    /// The names behind these lines and the length of their suffix; None if that cannot be read.
    rest: Option<(RightNames, usize)>,
}

impl Lines {
    /// Reads lines from an offset on. `line` is the offset of a line's beginning that has no symbol yet.
    fn read(
        tables: &ReadingTables<'_>,
        text: &[u8],
        (mut at, mut raw, mut frames): (usize, RawState, SmallVec<[Frame; 8]>),
        mut line: Option<usize>,
        known: &Suffixes,
    ) -> Self {
        let scanner = &tables.lexer.scanner;
        let mut lines = Self::default();
        loop {
            match lex_symbol(tables.lexer, text, at, raw) {
                Lexed::End => {
                    lines.rest = Some((RightNames::default(), 0));
                    return lines;
                }
                Lexed::Dead => return lines,
                Lexed::LineBreak { end } => {
                    at = end;
                    raw = scanner.start(frames.last().copied());
                    if !frames.is_empty() {
                        continue;
                    }
                    line = Some(end);
                    let length = text.len() - end;
                    match known.get(&length) {
                        None => {}
                        Some(Suffix::Dead) => return lines,
                        Some(Suffix::Names { names, .. }) => {
                            lines.rest = Some((RightNames::clone(names), length));
                            return lines;
                        }
                        Some(&Suffix::Closes(n_behind)) => {
                            at = text.len() - n_behind;
                            lines.close(n_behind);
                            lines.push(SymbolKind::Close, at..at);
                            line = None;
                        }
                    }
                }
                Lexed::Symbol { emission, start, end, restart } => {
                    let (kinds, change) = tables.kinds.of_emission(emission);
                    if matches!(change, FrameChange::Close(_)) && frames.is_empty() {
                        lines.close(text.len() - end);
                        line = None;
                    } else if let Some(begin) = line.take() {
                        if let Some(column) = column_of(tables.lexer, text, begin) {
                            lines.begin(text.len() - begin, column);
                        }
                    }
                    for &kind in kinds {
                        lines.push(kind, start..end);
                    }
                    at = end;
                    let before = raw;
                    raw = behind(tables.lexer, &mut frames, change, restart);
                    if scanner.kind(raw) == StateKind::Dead {
                        raw = before;
                    }
                }
            }
        }
    }

    fn push(&mut self, kind: SymbolKind, place: Range<usize>) {
        if kind != SymbolKind::Nothing {
            self.symbols.push((kind, place));
        }
    }

    fn begin(&mut self, length: usize, column: u32) {
        self.lines.push(Line { length, column, first: self.symbols.len() });
    }

    /// Closes a bracket: all lines so far stand in brackets, the last `n_behind` bytes do not.
    fn close(&mut self, n_behind: usize) {
        self.is_closed = true;
        self.n_behind = n_behind;
        self.symbols.clear();
        self.closed.extend(self.lines.drain(..).map(|line| line.length));
    }

    /// The names of all lines and of the rest, and the length of the last kept suffix; None if the rest cannot be
    /// read.
    fn whole(
        &mut self,
        tables: &ReadingTables<'_>,
        text: &[u8],
        known: &mut Suffixes,
    ) -> Option<(RightNames, usize)> {
        let Some((mut names, mut with)) = self.rest.take() else {
            keep(&self.closed, &Suffix::Dead, known);
            let lengths: Vec<usize> = self.lines.iter().map(|line| line.length).collect();
            keep(&lengths, &Suffix::Dead, known);
            return None;
        };
        if self.n_behind > 0 {
            keep(&self.closed, &Suffix::Closes(self.n_behind), known);
        }
        let mut end = self.symbols.len();
        let mut last = known.range(..=self.lines.last().map_or(0, |line| line.length));
        let mut kept = last.next_back().map_or(0, |(&length, _)| length);
        for line in self.lines.iter().rev() {
            let symbols = &self.symbols[line.first..end];
            let begins = begins(text, symbols);
            let read = read_line(tables, text, symbols, line.column);
            names.put_in_front(line.column, read, begins, false);
            names.n_whole = line.length;
            end = line.first;
            if line.length >= kept + STRIDE {
                names.freeze();
                let suffix = Suffix::Names { names: Box::new(names.clone()), with };
                known.insert(line.length, suffix);
                kept = line.length;
                with = kept;
            }
        }
        Some((names, with))
    }

    /// The names of all lines and of the line in which the hole ends, which stands at this column.
    fn with_first(
        mut self,
        tables: &ReadingTables<'_>,
        text: &[u8],
        column: u32,
        known: &mut Suffixes,
    ) -> Option<RightNames> {
        let (mut names, _) = self.whole(tables, text, known)?;
        let end = self.lines.first().map_or(self.symbols.len(), |line| line.first);
        let first = read_line(tables, text, &self.symbols[..end], column);
        names.put_in_front(column, first, Begins::Nothing, true);
        names.n_in_front = text.len() - names.n_whole;
        Some(names)
    }
}

/// Keeps `suffix` for some lengths, the longest of which comes first.
fn keep(lengths: &[usize], suffix: &Suffix, known: &mut Suffixes) {
    let mut next = usize::MAX;
    for &length in lengths {
        if next >= length + STRIDE {
            known.insert(length, suffix.clone());
            next = length;
        }
    }
}

/// Reads a logical line alone.
fn read_line(
    tables: &ReadingTables<'_>,
    text: &[u8],
    symbols: &[(SymbolKind, Range<usize>)],
    column: u32,
) -> NamesReader {
    let read_in = |block: BlockKind| {
        let mut scopes = Scopes::new(ScopeKind::Unknown, column);
        scopes.blocks[0].kind = block;
        let mut reader = NamesReader::new(scopes, Annotations::AtOnce);
        for (kind, place) in symbols {
            read(tables, &mut reader, *kind, &text[place.clone()], None);
        }
        read(tables, &mut reader, SymbolKind::Newline, b"", None);
        reader
    };
    if begins(text, symbols) == Begins::Case {
        let reader = read_in(BlockKind::Match);
        // `case (x):` has a suite, the call of a function has none.
        if symbols.iter().any(|(kind, _)| *kind == SymbolKind::Colon) {
            return reader;
        }
    }
    read_in(BlockKind::Whole)
}

/// The statement that a logical line continues.
fn begins(text: &[u8], symbols: &[(SymbolKind, Range<usize>)]) -> Begins {
    match symbols {
        [(SymbolKind::Except, _), ..] => Begins::Except,
        [(SymbolKind::Name, first), (second, _), ..]
            if text[first.clone()] == *b"case" && begins_pattern(*second) =>
        {
            Begins::Case
        }
        _ => Begins::Nothing,
    }
}

/// Whether the symbol behind a `case` shows, or allows, that it is a keyword.
fn begins_pattern(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Name
            | SymbolKind::Operand
            | SymbolKind::String
            | SymbolKind::OpenParen
            | SymbolKind::OpenSquare
            | SymbolKind::OpenBrace
            | SymbolKind::Star
            | SymbolKind::Operator
    )
}
