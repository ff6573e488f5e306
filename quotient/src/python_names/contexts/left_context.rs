//! The reading of left contexts, from the beginning or from a known line, and the states that are kept at lines.
//!
//! An edit changes the text in front of all lines behind it, but mostly its effect soon ends: where a later reading
//! equals an earlier one at the same line, all that was read behind that line is known again.
//!
//! A text that need be no program, a part of a file that is set aside or not looked at, is read in the same way for the
//! names that it binds ([`NameRules::bound_in`]).

use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::Arc;

use fim_lexer::frames::{Frame, FrameChange, change_frames};
use fim_lexer::lexer::LexState;
use fim_lexer::scanner::{RawState, StateKind};
use fim_lexer::suffix::{Leading, Lexed, leading, lex_symbol};
use fim_lexer::{Column, Lexer};
use smallvec::SmallVec;

use crate::grammar::Language;
use crate::python_names::reader::{NamesReader, OpenConstruct};
use crate::python_names::scopes::{ScopeKind, Scopes, Surroundings};
use crate::python_names::symbols::{Annotations, Name, NameRules, SymbolKind, SymbolKinds};

/// The tables that reading a context needs beside its text.
pub(in crate::python_names) struct ReadingTables<'a> {
    pub(in crate::python_names) lexer: &'a Lexer,
    pub(in crate::python_names) kinds: &'a SymbolKinds,
    pub(in crate::python_names) around: &'a Surroundings,
}

/// The state of a reading where a line begins, be it in brackets.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct LineStart {
    reader: NamesReader,
    /// The columns of the open suites.
    columns: SmallVec<[u32; 8]>,
    frames: SmallVec<[Frame; 8]>,
}

/// The most waiting names at a line in a bracket that is worth being kept.
const MAX_WAITING: usize = 64;

impl LineStart {
    /// The state in front of all text.
    pub(super) fn first(annotations: Annotations) -> Self {
        Self {
            reader: NamesReader::new(Scopes::new(ScopeKind::Module, 0), annotations),
            columns: SmallVec::from_slice(&[0]),
            frames: SmallVec::new(),
        }
    }

    /// Whether copies of the state are cheap.
    pub(super) fn is_small(&self) -> bool {
        let n_bound = |frame: &OpenConstruct| {
            frame.bound.len() + frame.keywords.len() + frame.clauses.reads.len()
        };
        self.reader.waiting.targets.candidates().len()
            + self.reader.frames.iter().map(n_bound).sum::<usize>()
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

/// Reads a left context on from a line's start. The reader behind it, and the offset where the symbol in progress
/// begins if there is one. `on_line` is called where lines begin, and may end the reading there.
pub(super) fn read_left<Stop>(
    tables: &ReadingTables<'_>,
    text: &[u8],
    from: LineStart,
    lexed: &LexState,
    mut on_line: impl FnMut(usize, &LineStart) -> ControlFlow<Stop>,
) -> ControlFlow<Stop, (NamesReader, usize)> {
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
                // The rest is a symbol or a joined line in progress, or a text that only the grammar can read.
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
    reader: &mut NamesReader,
    kind: SymbolKind,
    text: &[u8],
    column: Option<u32>,
) {
    // In contexts nothing is refused.
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

/// The states of readings that are kept at lines.
#[derive(Debug, Default)]
pub(super) struct KeptLefts {
    /// The states by their offsets, in order.
    known: Vec<(usize, LineStart)>,
    /// The states from before an edit further in front, the first one last. All are behind the known ones.
    stale: Vec<Stale>,
}

#[derive(Debug)]
struct Stale {
    offset: usize,
    line: LineStart,
    /// Whether the text between the stale state in front and this one has been edited.
    is_cut_off: bool,
}

impl KeptLefts {
    pub(super) fn len(&self) -> usize {
        self.known.len() + self.stale.len()
    }

    /// The number of lines whose states are known.
    #[cfg(test)]
    pub(super) fn n_known(&self) -> usize {
        self.known.len()
    }

    /// Follows an edit that puts `n_new` bytes between two offsets.
    pub(super) fn edit(&mut self, start: usize, stop: usize, n_new: usize) {
        // A line that begins where the edit does may not begin there any more: `\r` and `\n` are one line break.
        let kept = self.known.partition_point(|&(offset, _)| offset < start);
        let behind = self.known.drain(kept..).rev();
        self.stale.extend(behind.map(|(offset, line)| Stale { offset, line, is_cut_off: false }));
        self.stale.retain_mut(|stale| {
            let is_behind = stale.offset > stop;
            if is_behind {
                stale.offset = stale.offset - stop + start + n_new;
            }
            is_behind || stale.offset < start
        });
        let behind = self.stale.partition_point(|stale| stale.offset > start + n_new);
        if let Some(index) = behind.checked_sub(1) {
            self.stale[index].is_cut_off = true;
        }
    }

    /// The last line up to an offset whose state is known, and whether no line behind it is known.
    pub(super) fn last_until(&self, offset: usize) -> (Option<&(usize, LineStart)>, bool) {
        let kept = self.known.partition_point(|&(known, _)| known <= offset);
        (self.known[..kept].last(), kept == self.known.len())
    }

    /// Whether the state at a line behind all known ones equals the one that was kept there before. Then the states
    /// behind it are known again, too.
    pub(super) fn meets(&mut self, offset: usize, line: &LineStart) -> bool {
        let passed = self.stale.iter().rev().take_while(|stale| stale.offset < offset).count();
        self.stale.truncate(self.stale.len() - passed);
        let Some(last) = self.stale.last().filter(|stale| stale.offset == offset) else {
            return false;
        };
        if last.line != *line {
            self.stale.pop();
            return false;
        }
        let behind = self.stale[..self.stale.len() - 1].iter().rposition(|stale| stale.is_cut_off);
        let met = self.stale.drain(behind.map_or(0, |index| index + 1)..).rev();
        self.known.extend(met.map(|stale| (stale.offset, stale.line)));
        true
    }

    /// Adds the state at a line behind all known ones.
    pub(super) fn push(&mut self, offset: usize, line: LineStart) {
        self.known.push((offset, line));
    }
}

impl NameRules {
    /// The names that a text binds for other parts of the file: all but those of functions and classes that have
    /// ended. None if that cannot be told: it may bind any, or its brackets and strings do not end.
    pub(in crate::python_names) fn bound_in(
        &self,
        language: &Language,
        text: &[u8],
    ) -> Option<Vec<Name>> {
        let around = Surroundings {
            builtins: self.builtins.clone(),
            turns: self.turns,
            known: [].into(),
            right: Arc::default(),
        };
        let tables = ReadingTables { lexer: &language.lexer, kinds: &self.kinds, around: &around };
        let first = LineStart::first(self.annotations);
        let whole = [text, b"\n"].concat();
        let to_the_end = |_, _: &LineStart| ControlFlow::<Infallible>::Continue(());
        let ControlFlow::Continue((reader, _)) =
            read_left(&tables, &whole, first, &language.lexer.start(), to_the_end);
        let scopes = &reader.scopes;
        let mut open = scopes.scopes.iter();
        if !reader.frames.is_empty() || scopes.is_unread || open.any(|scope| scope.is_open) {
            return None;
        }
        // A header at the text's end has parameters for the lines behind.
        let coming = reader.suite.coming().and_then(|coming| coming.scope.as_ref());
        let own =
            scopes.scopes.iter().chain(coming).flat_map(|scope| {
                scope.own.iter().chain(&scope.bound_later).chain(&scope.annotated)
            });
        let mut found: Vec<Name> = own.chain(scopes.globals.iter()).cloned().collect();
        found.sort_unstable();
        found.dedup();
        Some(found)
    }
}
