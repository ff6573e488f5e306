//! Reads right contexts: forward, line by line, up to one whose rest is known or to the end, and from there
//! puts them together backwards.
//!
//! What follows the beginning of a line in which lexing is clean means the same whatever stands in front of
//! it. It is kept by its length, which edits in front of it do not change.

use std::collections::BTreeMap;
use std::ops::Range;

use fim_lexer::fstring::{Frame, FrameChange};
use fim_lexer::lexer::LexState;
use fim_lexer::scanner::StateKind;
use fim_lexer::suffix::{Leading, Lexed, junction, leading, lex_symbol};
use smallvec::SmallVec;

use super::demands::Begins;
use super::kinds::Kind;
use super::left_context::{Tables, behind, column_of, read};
use super::reader::Reader;
use super::right::RightNames;
use super::scopes::{BlockKind, ScopeKind, Scopes};

/// What is known of a right context that begins where a line does.
#[derive(Clone, Debug)]
pub(super) enum Suffix {
    /// It cannot be read like that.
    Dead,
    /// It closes brackets that were opened in front of it. Behind the last one there are so many bytes; all in
    /// front of that stands in brackets.
    Closes(usize),
    Names(Box<RightNames>),
}

/// By their lengths.
pub(super) type Suffixes = BTreeMap<usize, Suffix>;

/// Bytes between the beginnings of lines that are kept.
pub(super) const STRIDE: usize = 1 << 10;

/// Reads a right context, of which the lexer is in `lexed` where the hole begins.
///
/// If that is in a string, the hole may end it or leave it to the right context: whatever either way of
/// reading binds is bound.
pub(super) fn read_right(
    tables: &Tables<'_>,
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

/// The same for a right context that can only be read if it begins in a string or in a comment, which the hole
/// has to open.
fn read_right_begun(
    tables: &Tables<'_>,
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

/// The same for a hole that ends as it begins; none if that cannot be read.
fn read_right_in(
    tables: &Tables<'_>,
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
    let mut lines = Lines::new(first_column(tables, text, lexed));
    // Where the first line of its own begins, if the line has no symbol yet.
    let mut line = None;
    let rest = loop {
        match lex_symbol(tables.lexer, text, at, raw) {
            Lexed::End => break Some(RightNames::default()),
            Lexed::Dead => break None,
            Lexed::LineBreak { end } => {
                at = end;
                raw = scanner.start(frames.last().copied());
                if frames.is_empty() {
                    line = Some(end);
                    match known.get(&(text.len() - end)) {
                        None => {}
                        Some(Suffix::Dead) => break None,
                        Some(Suffix::Names(names)) => break Some(RightNames::clone(names)),
                        Some(&Suffix::Closes(n_behind)) => {
                            at = text.len() - n_behind;
                            lines.close(n_behind);
                            lines.push(Kind::Close, at..at);
                            line = None;
                        }
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
    };
    lines.finished(tables, text, rest, known)
}

fn is_bracket(change: FrameChange) -> bool {
    matches!(change, FrameChange::Open(_) | FrameChange::Close(_))
}

/// The column of the line in which the hole ends, as far as it is known.
fn first_column(tables: &Tables<'_>, text: &[u8], lexed: &LexState) -> u32 {
    if !lexed.is_line_start {
        return lexed.indents.last().map_or(0, |column| column.wide);
    }
    match leading(tables.lexer, text, 0, lexed.column, lexed.joined_column) {
        Leading::Symbol { column, .. } => column.known().map_or(0, |column| column.wide),
        _ => lexed.line_column().wide,
    }
}

/// A logical line: its length with all behind it, where it stands, and its first symbol.
struct Line {
    length: usize,
    column: u32,
    first: usize,
}

/// The logical lines of a right context, the first of which is what the hole ends in.
struct Lines {
    column: u32,
    symbols: Vec<(Kind, Range<usize>)>,
    lines: Vec<Line>,
    /// The lengths of what begins in brackets, from lines on.
    closed: Vec<usize>,
    /// The bytes behind the last bracket that closes without having been opened.
    n_behind: usize,
}

impl Lines {
    fn new(column: u32) -> Self {
        Self { column, symbols: Vec::new(), lines: Vec::new(), closed: Vec::new(), n_behind: 0 }
    }

    fn push(&mut self, kind: Kind, place: Range<usize>) {
        if kind != Kind::Nothing {
            self.symbols.push((kind, place));
        }
    }

    fn begin(&mut self, length: usize, column: u32) {
        self.lines.push(Line { length, column, first: self.symbols.len() });
    }

    /// All that has been read so far stands in brackets; so many bytes do not.
    fn close(&mut self, n_behind: usize) {
        self.n_behind = n_behind;
        self.symbols.clear();
        self.closed.extend(self.lines.drain(..).map(|line| line.length));
    }

    /// The names of all lines with those of the rest behind them; none if that cannot be read.
    fn finished(
        self,
        tables: &Tables<'_>,
        text: &[u8],
        rest: Option<RightNames>,
        known: &mut Suffixes,
    ) -> Option<RightNames> {
        let suffix = if rest.is_some() { Suffix::Closes(self.n_behind) } else { Suffix::Dead };
        let mut next = usize::MAX;
        for &length in self.closed.iter().filter(|_| self.n_behind > 0 || rest.is_none()) {
            if next >= length + STRIDE {
                known.insert(length, suffix.clone());
                next = length;
            }
        }
        let Some(mut names) = rest else {
            for line in &self.lines {
                if next >= line.length + STRIDE {
                    known.insert(line.length, Suffix::Dead);
                    next = line.length;
                }
            }
            return None;
        };
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
                known.insert(line.length, Suffix::Names(Box::new(names.clone())));
                kept = line.length;
            }
        }
        let first = read_line(tables, text, &self.symbols[..end], self.column);
        names.put_in_front(self.column, first, Begins::Nothing, true);
        names.n_in_front = text.len() - names.n_whole;
        Some(names)
    }
}

/// Reads a logical line alone.
fn read_line(
    tables: &Tables<'_>,
    text: &[u8],
    symbols: &[(Kind, Range<usize>)],
    column: u32,
) -> Reader {
    let read_in = |block: BlockKind| {
        let mut scopes = Scopes::new(ScopeKind::Unknown, column);
        scopes.blocks[0].kind = block;
        let mut reader = Reader::new(scopes, false);
        for (kind, place) in symbols {
            read(tables, &mut reader, *kind, &text[place.clone()], None);
        }
        read(tables, &mut reader, Kind::Newline, b"", None);
        reader
    };
    if begins(text, symbols) == Begins::Case {
        let reader = read_in(BlockKind::Match);
        // `case (x):` has a suite, the call of a function has none.
        if symbols.iter().any(|(kind, _)| *kind == Kind::Colon) {
            return reader;
        }
    }
    read_in(BlockKind::Whole)
}

/// What a logical line goes on with.
fn begins(text: &[u8], symbols: &[(Kind, Range<usize>)]) -> Begins {
    match symbols {
        [(Kind::Except, _), ..] => Begins::Except,
        [(Kind::Name, first), (second, _), ..]
            if text[first.clone()] == *b"case" && begins_pattern(*second) =>
        {
            Begins::Case
        }
        _ => Begins::Nothing,
    }
}

/// Whether the symbol behind a `case` shows that it is no variable, or may be.
fn begins_pattern(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Name
            | Kind::Operand
            | Kind::String
            | Kind::OpenParen
            | Kind::OpenSquare
            | Kind::OpenBrace
            | Kind::Star
            | Kind::Operator
    )
}
