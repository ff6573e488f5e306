//! Reads whole contexts: the left one up to the hole, the right one from it on.

use fim_lexer::fstring::{Frame, FrameChange, change_frames};
use fim_lexer::lexer::LexState;
use fim_lexer::scanner::{RawState, StateKind};
use fim_lexer::suffix::{Leading, Lexed, junction, leading, lex_symbol};
use fim_lexer::{Column, Lexer};
use smallvec::SmallVec;

use super::compiling::Needs;
use super::kinds::{Kind, Kinds};
use super::reader::{Mode, Reader};
use super::right::RightNames;
use super::scopes::{Scope, ScopeKind, Scopes, Surroundings};

/// What reading a context needs besides its text.
pub(super) struct Tables<'a> {
    pub(super) lexer: &'a Lexer,
    pub(super) kinds: &'a Kinds,
    pub(super) around: &'a Surroundings,
}

/// Where reading of a text stands, at the beginning of a line.
#[derive(Clone, Debug)]
pub(super) struct LineStart {
    pub(super) at: usize,
    pub(super) reader: Reader,
    /// The columns of the open suites.
    columns: Vec<u32>,
}

impl LineStart {
    /// In front of all text.
    pub(super) fn first(has_late_annotations: bool) -> Self {
        let scopes = Scopes::new(ScopeKind::Module, 0);
        Self { at: 0, reader: Reader::new(scopes, has_late_annotations), columns: vec![0] }
    }
}

/// Reads a left context on from a line's start; gives the reader behind it, and where the symbol in progress
/// begins if there is one.
pub(super) fn read_left(
    tables: &Tables<'_>,
    text: &[u8],
    from: LineStart,
    lexed: &LexState,
) -> (Reader, usize) {
    let scanner = &tables.lexer.scanner;
    let is_in_symbol = scanner.kind(lexed.raw).is_in_symbol();
    let mut state = from;
    let mut raw = scanner.start(None);
    let mut frames: SmallVec<[Frame; 8]> = SmallVec::new();
    let mut line = Some(state.at);
    loop {
        match lex_symbol(tables.lexer, text, state.at, raw) {
            Lexed::End => break,
            Lexed::Dead => {
                // A string in progress, or what only the grammar can read.
                state.reader.scopes.scopes[0].is_open |= !is_in_symbol;
                break;
            }
            Lexed::LineBreak { end } => {
                state.at = end;
                raw = scanner.start(frames.last().copied());
                if frames.is_empty() {
                    if line.is_none() {
                        read(tables, &mut state.reader, Kind::Newline, b"", None);
                    }
                    line = Some(end);
                }
            }
            Lexed::Symbol { end, start, .. } if end == text.len() && is_in_symbol => {
                if let Some(begin) = line {
                    begin_line(tables, &mut state, text, begin);
                }
                return (state.reader, start);
            }
            Lexed::Symbol { emission, start, end, restart } => {
                if let Some(begin) = line.take() {
                    begin_line(tables, &mut state, text, begin);
                }
                let (kinds, change) = tables.kinds.of_emission(emission);
                for &kind in kinds {
                    read(tables, &mut state.reader, kind, &text[start..end], None);
                }
                state.at = end;
                raw = behind(tables.lexer, &mut frames, change, restart);
            }
        }
    }
    // A string in progress begins a line, too.
    if let Some(begin) = line.filter(|_| !lexed.is_line_start) {
        begin_line(tables, &mut state, text, begin);
    }
    (state.reader, text.len())
}

fn read(tables: &Tables<'_>, reader: &mut Reader, kind: Kind, text: &[u8], column: Option<u32>) {
    // Contexts are not judged.
    let _ = reader.symbol(kind, text, i64::MIN, column, tables.around);
}

fn behind(
    lexer: &Lexer,
    frames: &mut SmallVec<[Frame; 8]>,
    change: FrameChange,
    restart: RawState,
) -> RawState {
    if change == FrameChange::Keep {
        return restart;
    }
    let before = frames.last().copied();
    change_frames(frames, change);
    lexer.scanner.behind(change, before, frames.last().copied())
}

/// The column of the line that begins at `begin`.
fn column_of(lexer: &Lexer, text: &[u8], begin: usize) -> Option<u32> {
    match leading(lexer, text, begin, Column::ZERO, None) {
        Leading::Symbol { column, .. } => column.known().map(|column| column.wide),
        _ => None,
    }
}

fn begin_line(tables: &Tables<'_>, state: &mut LineStart, text: &[u8], begin: usize) {
    let Some(column) = column_of(tables.lexer, text, begin) else { return };
    while state.columns.len() > 1 && state.columns.last().is_some_and(|&open| open > column) {
        state.columns.pop();
        read(tables, &mut state.reader, Kind::Dedent, b"", None);
    }
    if state.columns.last().is_some_and(|&open| open < column) {
        state.columns.push(column);
        read(tables, &mut state.reader, Kind::Indent, b"", Some(column));
    }
}

/// Reads a right context, of which the lexer is in `lexed` where the hole begins.
///
/// If that is in a string, the hole may end it or leave it to the right context: whatever either way of
/// reading binds is bound.
pub(super) fn read_right(tables: &Tables<'_>, text: &[u8], lexed: &LexState) -> RightNames {
    let found = read_right_in(tables, text, lexed);
    if let Some(found) = &found
        && tables.lexer.scanner.kind(lexed.raw).is_clean()
    {
        return found.clone();
    }
    let clean = LexState {
        raw: tables.lexer.scanner.start(None),
        frames: SmallVec::new(),
        name: None,
        ..lexed.clone()
    };
    match (found, read_right_in(tables, text, &clean)) {
        (Some(found), Some(other)) => found.or(other),
        (Some(found), None) | (None, Some(found)) => found,
        (None, None) => read_right_begun(tables, text, &clean),
    }
}

/// The same for a right context that can only be read if it begins in a string or in a comment, which the hole
/// has to open.
fn read_right_begun(tables: &Tables<'_>, text: &[u8], clean: &LexState) -> RightNames {
    let scanner = &tables.lexer.scanner;
    let quotes: [&[u8]; 4] = [b"\"", b"'", b"\"\"\"", b"'''"];
    let found = quotes.into_iter().filter_map(|quote| {
        let raw = quote.iter().fold(clean.raw, |raw, &byte| scanner.next(raw, byte));
        read_right_in(tables, text, &LexState { raw, ..clean.clone() })
    });
    let line_end =
        text.iter().position(|&byte| matches!(byte, b'\n' | b'\r')).unwrap_or(text.len());
    let behind_comment = read_right_in(tables, &text[line_end..], clean);
    found.chain(behind_comment).reduce(RightNames::or).unwrap_or_else(RightNames::unknown)
}

/// The same for a hole that ends as it begins; none if that cannot be read.
fn read_right_in(tables: &Tables<'_>, text: &[u8], lexed: &LexState) -> Option<RightNames> {
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
    let column = if lexed.is_line_start {
        match leading(tables.lexer, text, 0, lexed.column, lexed.joined_column) {
            Leading::Symbol { column, .. } => column.known().map_or(0, |column| column.wide),
            _ => lexed.line_column().wide,
        }
    } else {
        lexed.indents.last().map_or(0, |column| column.wide)
    };
    let mut parts = Parts::new(column);
    // Where the first line of its own begins, if the line has no symbol yet.
    let mut line = None;
    loop {
        match lex_symbol(tables.lexer, text, at, raw) {
            Lexed::End => break,
            Lexed::Dead => return None,
            Lexed::LineBreak { end } => {
                at = end;
                raw = scanner.start(frames.last().copied());
                if frames.is_empty() {
                    if line.is_none() {
                        read(tables, &mut parts.reader, Kind::Newline, b"", None);
                    }
                    line = Some(end);
                }
            }
            Lexed::Symbol { emission, start, end, restart } => {
                let (kinds, change) = tables.kinds.of_emission(emission);
                if matches!(change, FrameChange::Close(_)) && frames.is_empty() {
                    // All in front of it stood in brackets.
                    parts = Parts::new(column);
                    line = None;
                } else if let Some(begin) = line.take() {
                    if let Some(column) = column_of(tables.lexer, text, begin) {
                        parts.begin_line(tables, column);
                    }
                }
                for &kind in kinds {
                    read(tables, &mut parts.reader, kind, &text[start..end], None);
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
    Some(parts.finish(tables))
}

fn is_bracket(change: FrameChange) -> bool {
    matches!(change, FrameChange::Open(_) | FrameChange::Close(_))
}

/// A right context in progress.
struct Parts {
    found: RightNames,
    reader: Reader,
    columns: Vec<u32>,
    /// Whether the first column is a guess: that of the line in which the hole ends.
    is_guess: bool,
}

impl Parts {
    fn new(column: u32) -> Self {
        let mut reader = Reader::new(Scopes::new(ScopeKind::Unknown, column), false);
        reader.mode = Mode::Context;
        Self { found: RightNames::default(), reader, columns: vec![column], is_guess: true }
    }

    fn begin_line(&mut self, tables: &Tables<'_>, column: u32) {
        while self.columns.len() > 1 && self.columns.last().is_some_and(|&open| open > column) {
            self.columns.pop();
            read(tables, &mut self.reader, Kind::Dedent, b"", None);
        }
        let open = *self.columns.last().expect("the first column is never closed");
        let is_outermost = self.columns.len() == 1;
        if is_outermost && self.is_guess && !self.reader.has_coming_suite() {
            if column < open {
                self.end_part();
            }
            self.is_guess = false;
            self.columns[0] = column;
            self.reader.scopes.blocks[0].column = Some(column);
        } else if column < open {
            self.end_part();
            self.columns = vec![column];
            self.reader.scopes.blocks[0].column = Some(column);
        } else if column > open {
            self.columns.push(column);
            read(tables, &mut self.reader, Kind::Indent, b"", Some(column));
        }
    }

    fn end_part(&mut self) {
        let next = Scope::new(ScopeKind::Unknown);
        let mut scope = std::mem::replace(&mut self.reader.scopes.scopes[0], next);
        if std::mem::take(&mut self.is_guess) {
            scope.needs = Needs::default();
        }
        self.found.add(self.reader.scopes.blocks[0].column.unwrap_or(0), &scope);
    }

    fn finish(mut self, tables: &Tables<'_>) -> RightNames {
        read(tables, &mut self.reader, Kind::Newline, b"", None);
        while self.columns.len() > 1 {
            self.columns.pop();
            read(tables, &mut self.reader, Kind::Dedent, b"", None);
        }
        self.end_part();
        let scopes = self.reader.scopes;
        self.found.add_globals(&scopes.globals);
        self.found.anywhere = scopes.bound_anywhere;
        self.found
    }
}
