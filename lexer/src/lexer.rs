//! The forward lexer: a value that is fed byte by byte.
//!
//! A symbol is emitted when the first byte behind it shows that it is complete, a line break at
//! once. The tokens of the layout (INDENT, DEDENT) come in front of the first byte of a line's
//! first symbol, when its column is known.
//!
//! In the paper: the branching lexer, figures 4 and 5. Maximal munch needs no branch here: a symbol in progress is a
//! state.

use smallvec::SmallVec;

use crate::description::{Layout, LexicalDescription, LexiconError, TerminalId};
use crate::frames::{Frame, FrameChange, change_frames};
use crate::python::column::Column;
use crate::python::dialect::JoinedIndentation;
use crate::python::layout::{Indentation, Indents, indentation};
use crate::python::names::{NamePrefix, is_name};
use crate::scanner::{EmissionId, Fork, RawState, Scanner, StateKind};

/// A symbol as the parser sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// The symbol's terminal.
    pub terminal: TerminalId,
    /// For an INDENT, the column of the suite that it begins.
    pub column: Option<Column>,
}

/// The receiver of symbols. It also chooses the branch at a fork, where the lexer does not know which symbol begins.
pub trait Parser {
    /// Takes a symbol, or refuses it.
    fn take(&mut self, symbol: Symbol) -> bool;

    /// Chooses the state behind a fork. If several branches are taken, the parser keeps the other states.
    fn choose(&mut self, fork: &Fork) -> RawState;
}

/// A function as a parser, for languages without forks: it takes symbols.
struct Sink<'a, F>(&'a mut F);

impl<F: FnMut(Symbol) -> bool> Parser for Sink<'_, F> {
    fn take(&mut self, symbol: Symbol) -> bool {
        (self.0)(symbol)
    }

    fn choose(&mut self, fork: &Fork) -> RawState {
        fork.otherwise
    }
}

impl Symbol {
    fn plain(terminal: TerminalId) -> Self {
        Self { terminal, column: None }
    }
}

/// The terminals that Python's layout makes.
#[derive(Clone, Copy, Debug)]
pub struct LayoutTerminals {
    /// The end of a logical line.
    pub newline: TerminalId,
    /// The beginning of a suite.
    pub indent: TerminalId,
    /// The end of a suite.
    pub dedent: TerminalId,
    /// In 3.8, a joined line break in front of a line's first symbol.
    pub joined: Option<TerminalId>,
}

/// A compiled lexical description.
#[derive(Debug)]
pub struct Lexer {
    /// The table of raw states.
    pub scanner: Scanner,
    /// The description that it was made from.
    pub description: LexicalDescription,
    layout: Option<LayoutTerminals>,
}

/// The state of the lexer. It is a plain value: cloning it is how to branch.
#[derive(PartialEq, Eq, Debug)]
pub struct LexState {
    /// The raw state, which says which symbol is in progress.
    pub raw: RawState,
    /// Whether the current line has no symbol yet (and is no continuation of one in brackets).
    pub is_line_start: bool,
    /// The width of the leading white space so far, while `is_line_start`.
    pub column: Column,
    /// The column that counts instead, once a backslash in the leading white space has fixed it.
    pub joined_column: Option<Column>,
    /// The columns of the suites around this place.
    pub indents: Indents,
    /// The brackets and strings around this place.
    pub frames: SmallVec<[Frame; 8]>,
    /// The part of a character's name that was read, in the middle of one (`\N{EM D`).
    pub name: Option<NamePrefix>,
}

impl Clone for LexState {
    fn clone(&self) -> Self {
        let Self { raw, is_line_start, column, joined_column, ref indents, ref frames, name } =
            *self;
        let (indents, frames) = (indents.clone(), frames.clone());
        Self { raw, is_line_start, column, joined_column, indents, frames, name }
    }

    fn clone_from(&mut self, source: &Self) {
        let Self { raw, is_line_start, column, joined_column, ref indents, ref frames, name } =
            *source;
        (self.raw, self.is_line_start, self.name) = (raw, is_line_start, name);
        (self.column, self.joined_column) = (column, joined_column);
        // Copying what is unchanged costs less than comparing it first.
        self.indents.clear();
        self.indents.extend_from_slice(indents);
        self.frames.clear();
        self.frames.extend_from_slice(frames);
    }
}

impl LexState {
    /// The column at which a symbol that begins here would stand.
    pub fn line_column(&self) -> Column {
        self.joined_column.unwrap_or(self.column)
    }
}

impl Lexer {
    /// Compiles a description.
    pub fn new(mut description: LexicalDescription) -> Result<Self, LexiconError> {
        description.tell_quotes_apart();
        let scanner = Scanner::new(&description)?;
        let layout = match description.layout {
            Layout::None => None,
            Layout::Python => Some(LayoutTerminals {
                newline: declared(&description, "NEWLINE")?,
                indent: declared(&description, "INDENT")?,
                dedent: declared(&description, "DEDENT")?,
                joined: match description.dialect.joined_indentation {
                    JoinedIndentation::BeginsLine => Some(declared(&description, "JOINED")?),
                    _ => None,
                },
            }),
        };
        Ok(Self { scanner, description, layout })
    }

    /// The terminals of Python's layout, if this lexer has it.
    pub fn layout(&self) -> Option<LayoutTerminals> {
        self.layout
    }

    /// The empty prefix of a character's name.
    pub fn empty_name(&self) -> NamePrefix {
        NamePrefix::empty(self.description.dialect.unicode)
    }

    /// Whether a text is the name of a character.
    pub fn is_name(&self, text: &[u8]) -> bool {
        is_name(self.description.dialect.unicode, text)
    }

    /// The state in front of a text.
    pub fn start(&self) -> LexState {
        LexState {
            raw: self.scanner.first(),
            is_line_start: self.layout.is_some(),
            column: Column::ZERO,
            joined_column: None,
            indents: SmallVec::from_slice(&[Column::ZERO]),
            frames: SmallVec::new(),
            name: None,
        }
    }

    /// Reads one byte; finished symbols go to `sink`, which may refuse them. False: no text that
    /// goes on like this is accepted, and the state is of no further use.
    #[inline]
    pub fn feed(
        &self,
        state: &mut LexState,
        byte: u8,
        sink: &mut impl FnMut(Symbol) -> bool,
    ) -> bool {
        self.read(state, byte, &mut Sink(sink))
    }

    /// Reads one byte, as [`feed`](Self::feed) does, in any language: at a fork the parser chooses the branch.
    #[inline]
    pub fn read(&self, state: &mut LexState, byte: u8, parser: &mut impl Parser) -> bool {
        let before = state.raw;
        let mut after = self.scanner.next(before, byte);
        let mut is_begin = self.scanner.kind(before).is_clean();
        if after == RawState::DEAD {
            let Some(emission) = self.scanner.ended_emission(before) else { return false };
            if !self.finish_symbol(state, emission, &mut |symbol| parser.take(symbol)) {
                return false;
            }
            after = self.scanner.next(state.raw, byte);
            is_begin = true;
        }
        state.raw = after;
        let kind = self.scanner.kind(after);
        if state.name.is_some() || kind == StateKind::CharacterName {
            return self.read_name(state, byte);
        }
        match kind {
            StateKind::Dead => false,
            StateKind::Fork => {
                let fork = self.scanner.fork(after).expect("its kind says so");
                state.raw = parser.choose(fork);
                state.raw != RawState::DEAD
            }
            StateKind::Symbol if is_begin && state.is_line_start => {
                let column = state.line_column();
                self.begin_line(state, column, &mut |symbol| parser.take(symbol))
            }
            StateKind::LineFeed | StateKind::CarriageReturn => {
                self.end_line(state, &mut |symbol| parser.take(symbol))
            }
            StateKind::Clean => {
                state.column = state.column.after(byte);
                true
            }
            StateKind::Backslash if state.is_line_start => {
                self.join_lines(state, &mut |symbol| parser.take(symbol))
            }
            _ => true,
        }
    }

    /// Reads a backslash in a line's leading white space.
    fn join_lines(&self, state: &mut LexState, sink: &mut impl FnMut(Symbol) -> bool) -> bool {
        if let Some(joined) = self.layout.and_then(|layout| layout.joined) {
            return self.begin_line(state, state.column, sink) && sink(Symbol::plain(joined));
        }
        let joined = state.joined_column;
        state.joined_column = joined.or_else(|| self.fixed_column(state.column, &state.indents));
        true
    }

    /// The column that a backslash at `column` fixes, inside of these suites. One at column 0 does
    /// not count: to CPython, 0 means that there was none.
    pub fn fixed_column(&self, column: Column, indents: &[Column]) -> Option<Column> {
        match self.description.dialect.joined_indentation {
            JoinedIndentation::BeginsLine => None,
            JoinedIndentation::KeepsSuites => indents.last().copied(),
            JoinedIndentation::FixesColumn => {
                (column.wide > 0).then_some(Column::spaces(column.wide))
            }
        }
    }

    /// Reads one byte of a character's name, or the brace in front of or behind it.
    fn read_name(&self, state: &mut LexState, byte: u8) -> bool {
        let is_name = self.scanner.kind(state.raw) == StateKind::CharacterName;
        match state.name {
            None => state.name = Some(self.empty_name()),
            Some(name) if is_name => {
                state.name = name.after(byte);
                return state.name.is_some();
            }
            Some(name) => {
                state.name = None;
                return state.raw != RawState::DEAD && name.is_complete();
            }
        }
        true
    }

    /// Ends the symbol in progress, and applies its effect to the frames and the parser.
    pub fn finish_symbol(
        &self,
        state: &mut LexState,
        id: EmissionId,
        sink: &mut impl FnMut(Symbol) -> bool,
    ) -> bool {
        let emission = self.scanner.emission(id);
        for &terminal in emission.steps() {
            if !sink(Symbol::plain(terminal)) {
                return false;
            }
        }
        if emission.change == FrameChange::Keep {
            state.raw = self.scanner.restart(state.raw);
            return true;
        }
        let before = state.frames.last().copied();
        if !change_frames(&mut state.frames, emission.change) {
            return false;
        }
        let after = state.frames.last().copied();
        state.raw = self.scanner.behind(emission.change, before, after);
        true
    }

    fn end_line(&self, state: &mut LexState, sink: &mut impl FnMut(Symbol) -> bool) -> bool {
        if !state.frames.is_empty() {
            return true;
        }
        let is_blank = state.is_line_start;
        state.is_line_start = true;
        state.column = Column::ZERO;
        state.joined_column = None;
        let layout = self.layout.expect("only Python's layout has line breaks");
        is_blank || sink(Symbol::plain(layout.newline))
    }

    /// Begins a line at `column`: emits the INDENT or the DEDENTs between it and the line before.
    pub fn begin_line(
        &self,
        state: &mut LexState,
        column: Column,
        sink: &mut impl FnMut(Symbol) -> bool,
    ) -> bool {
        let layout = self.layout.expect("only Python's layout has line starts");
        state.is_line_start = false;
        match indentation(&state.indents, column) {
            None => false,
            Some(Indentation::Same) => true,
            Some(Indentation::Indent) => {
                state.indents.push(column);
                sink(Symbol { terminal: layout.indent, column: Some(column) })
            }
            Some(Indentation::Dedent(n_closed)) => (0..n_closed).all(|_| {
                state.indents.pop();
                sink(Symbol::plain(layout.dedent))
            }),
        }
    }
}

fn declared(description: &LexicalDescription, name: &str) -> Result<TerminalId, LexiconError> {
    description
        .terminal(name)
        .ok_or_else(|| LexiconError::new(format!("Python's layout needs %declare {name}")))
}
