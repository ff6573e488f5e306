//! Reads left contexts, from the beginning or from a line that is known.

use std::ops::ControlFlow;

use fim_lexer::frames::{Frame, FrameChange, change_frames};
use fim_lexer::lexer::LexState;
use fim_lexer::scanner::{RawState, StateKind};
use fim_lexer::suffix::{Leading, Lexed, leading, lex_symbol};
use fim_lexer::{Column, Lexer};
use smallvec::SmallVec;

use super::kinds::{SymbolKind, SymbolKinds};
use super::reader::Reader;
use super::scopes::{ScopeKind, Scopes, Surroundings};

/// What reading a context needs besides its text.
pub(super) struct ReadingTables<'a> {
    pub(super) lexer: &'a Lexer,
    pub(super) kinds: &'a SymbolKinds,
    pub(super) around: &'a Surroundings,
}

/// What has been read where a line begins, be it in brackets.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct LineStart {
    reader: Reader,
    /// The columns of the open suites.
    columns: SmallVec<[u32; 8]>,
    frames: SmallVec<[Frame; 8]>,
}

/// A line in a bracket in which more names than these wait for what follows is not worth being kept.
const MAX_WAITING: usize = 64;

impl LineStart {
    /// In front of all text.
    pub(super) fn first(has_late_annotations: bool) -> Self {
        Self {
            reader: Reader::new(Scopes::new(ScopeKind::Module, 0), has_late_annotations),
            columns: SmallVec::from_slice(&[0]),
            frames: SmallVec::new(),
        }
    }

    /// Whether copies of it are cheap.
    pub(super) fn is_small(&self) -> bool {
        let n_bound = |frame: &super::frames::OpenConstruct| {
            frame.bound.len() + frame.keywords.len() + frame.clauses.reads.len()
        };
        self.reader.candidates.len() + self.reader.frames.iter().map(n_bound).sum::<usize>()
            <= MAX_WAITING
    }

    fn begin_line(&mut self, tables: &ReadingTables<'_>, text: &[u8], begin: usize) {
        let Some(column) = column_of(tables.lexer, text, begin) else { return };
        while self.columns.len() > 1 && self.columns.last().is_some_and(|&open| open > column) {
            self.columns.pop();
            read(tables, &mut self.reader, SymbolKind::Dedent, b"", None);
        }
        if self.columns.last().is_some_and(|&open| open < column) {
            self.columns.push(column);
            read(tables, &mut self.reader, SymbolKind::Indent, b"", Some(column));
        }
    }
}

/// Reads a left context on from a line's start; gives the reader behind it, and where the symbol in progress
/// begins if there is one. `on_line` is told where lines begin, and may end it there.
pub(super) fn read_left<Stop>(
    tables: &ReadingTables<'_>,
    text: &[u8],
    from: LineStart,
    lexed: &LexState,
    mut on_line: impl FnMut(usize, &LineStart) -> ControlFlow<Stop>,
) -> ControlFlow<Stop, (Reader, usize)> {
    let scanner = &tables.lexer.scanner;
    let is_in_symbol = scanner.kind(lexed.raw).is_in_symbol();
    let is_in_comment = scanner.kind(lexed.raw) == StateKind::Comment;
    let is_joining = matches!(
        scanner.kind(lexed.raw),
        StateKind::Backslash | StateKind::BackslashCarriageReturn | StateKind::Continuation
    );
    let mut state = from;
    let mut at = 0;
    let mut raw = scanner.start(state.frames.last().copied());
    let mut line = state.frames.is_empty().then_some(at);
    loop {
        match lex_symbol(tables.lexer, text, at, raw) {
            Lexed::End => break,
            Lexed::Dead => {
                // A symbol or a joined line in progress, or what only the grammar can read.
                let is_unread = !is_in_symbol && !is_in_comment && !is_joining;
                state.reader.scopes.scopes[0].is_open |= is_unread;
                state.reader.scopes.is_unread |= is_unread;
                break;
            }
            Lexed::LineBreak { end } => {
                at = end;
                raw = scanner.start(state.frames.last().copied());
                if state.frames.is_empty() {
                    if line.is_none() {
                        read(tables, &mut state.reader, SymbolKind::Newline, b"", None);
                    }
                    line = Some(end);
                }
                on_line(end, &state)?;
            }
            Lexed::Symbol { end, start, .. } if end == text.len() && is_in_symbol => {
                if let Some(begin) = line {
                    state.begin_line(tables, text, begin);
                }
                return ControlFlow::Continue((state.reader, start));
            }
            Lexed::Symbol { emission, start, end, restart } => {
                if let Some(begin) = line.take() {
                    state.begin_line(tables, text, begin);
                }
                let (kinds, change) = tables.kinds.of_emission(emission);
                for &kind in kinds {
                    read(tables, &mut state.reader, kind, &text[start..end], None);
                }
                at = end;
                raw = behind(tables.lexer, &mut state.frames, change, restart);
            }
        }
    }
    // A string in progress begins a line, too.
    if let Some(begin) = line.filter(|_| !lexed.is_line_start) {
        state.begin_line(tables, text, begin);
    }
    ControlFlow::Continue((state.reader, text.len()))
}

pub(super) fn read(
    tables: &ReadingTables<'_>,
    reader: &mut Reader,
    kind: SymbolKind,
    text: &[u8],
    column: Option<u32>,
) {
    // Contexts are not judged.
    let _ = reader.symbol(kind, text, i64::MIN, column, tables.around);
}

/// The lexer's state behind a symbol that changes the frames.
pub(super) fn behind(
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
pub(super) fn column_of(lexer: &Lexer, text: &[u8], begin: usize) -> Option<u32> {
    match leading(lexer, text, begin, Column::ZERO, None) {
        Leading::Symbol { column, .. } => column.known_column().map(|column| column.wide),
        _ => None,
    }
}
