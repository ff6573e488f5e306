//! The reading of a right context: the text in front of it is unknown.
//!
//! A right context begins inside whatever symbol the text in front of it left open. The engine does not guess which:
//! [`junction`] runs the right context from a raw state until the symbol that straddles the cut ends. From there on
//! reading starts clean, and different starts soon meet. In languages with lines, [`leading`] finds where the symbols
//! of a line begin.
//!
//! In the paper: CALCQRQIDX, figures 7 and 8, where sets F are carried backward; here each state is run forward.

mod line_starts;

pub use self::line_starts::{Leading, leading, next_line};
use crate::lexer::Lexer;
use crate::python::names::NamePrefix;
use crate::scanner::{EmissionId, RawState, Scanner, StateKind};

/// The way in which a right context takes up the symbol that the text in front of it left open.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Junction {
    /// There is no such symbol, or it is skipped (a comment): clean reading begins at `at`.
    Clean {
        /// The offset where clean reading begins.
        at: usize,
        /// Whether the right context began with the second half of a line break.
        is_line_start: bool,
        /// The clean state, if the frames do not change.
        restart: RawState,
    },
    /// The symbol was complete at the cut.
    Complete {
        /// The emission of the symbol.
        emission: EmissionId,
        /// The clean state behind it, if the frames do not change.
        restart: RawState,
    },
    /// The symbol ends inside the right context, at `at`.
    Straddling {
        /// The emission of the symbol.
        emission: EmissionId,
        /// The offset behind it.
        at: usize,
        /// The clean state behind it, if the frames do not change.
        restart: RawState,
    },
}

impl Junction {
    /// The end, at `at`, of the symbol that `state` is in; None if it may not end there.
    pub fn end_of_symbol(scanner: &Scanner, state: RawState, at: usize) -> Option<Self> {
        let emission = scanner.ended_emission(state)?;
        let restart = scanner.restart(state);
        let is_skipped = scanner.emission(emission).symbols.is_empty();
        Some(match at {
            _ if is_skipped => Self::Clean { at, is_line_start: false, restart },
            0 => Self::Complete { emission, restart },
            _ => Self::Straddling { emission, at, restart },
        })
    }

    /// The emission of the symbol that ends.
    pub fn emission(self) -> Option<EmissionId> {
        match self {
            Self::Clean { .. } => None,
            Self::Complete { emission, .. } | Self::Straddling { emission, .. } => Some(emission),
        }
    }

    /// The offset where clean reading begins.
    pub fn at(self) -> usize {
        match self {
            Self::Complete { .. } => 0,
            Self::Clean { at, .. } | Self::Straddling { at, .. } => at,
        }
    }

    /// The clean state, if the frames do not change.
    pub fn restart(self) -> RawState {
        match self {
            Self::Clean { restart, .. }
            | Self::Complete { restart, .. }
            | Self::Straddling { restart, .. } => restart,
        }
    }
}

/// The next symbol or line break in a text, from a place where a symbol may begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lexed {
    /// A symbol.
    Symbol {
        /// The symbol's emission.
        emission: EmissionId,
        /// The offset where it begins.
        start: usize,
        /// The offset behind it.
        end: usize,
        /// The clean state behind it, if the frames do not change.
        restart: RawState,
    },
    /// A line break, which matters outside brackets.
    LineBreak {
        /// The offset behind it.
        end: usize,
    },
    /// The end of the text.
    End,
    /// An error: no symbol follows.
    Dead,
}

/// The end of a symbol that is in progress in a right context, or the obstacle to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SymbolEnd {
    /// The symbol ends, in front of this offset.
    Ended {
        /// The symbol's emission; it may be skipped.
        emission: EmissionId,
        /// The offset behind it.
        end: usize,
        /// The clean state behind it.
        restart: RawState,
    },
    /// A fork: the parser decides which symbol begins here.
    Fork {
        /// The fork's state.
        state: RawState,
        /// The offset behind the byte that may begin several symbols.
        at: usize,
    },
    /// The text ends between symbols.
    TextEnd,
    /// An error: the symbol cannot end.
    Dead,
}

/// Reads on from `at` in `state` until a symbol ends, or may begin in several ways. For languages without lines.
/// `interrupt` is asked wherever the state changes or is that of a contextual symbol that has just begun, and may end
/// the symbol.
pub fn symbol_end(
    scanner: &Scanner,
    text: &[u8],
    at: usize,
    state: RawState,
    mut interrupt: impl FnMut(usize, RawState) -> Option<SymbolEnd>,
) -> SymbolEnd {
    let (mut at, mut state) = (at, state);
    loop {
        let next = match text.get(at) {
            Some(&byte) => scanner.next(state, byte),
            None if scanner.kind(state).is_clean() => return SymbolEnd::TextEnd,
            None => RawState::DEAD,
        };
        if next == RawState::DEAD {
            return match scanner.ended_emission(state) {
                Some(emission) => {
                    SymbolEnd::Ended { emission, end: at, restart: scanner.restart(state) }
                }
                None => SymbolEnd::Dead,
            };
        }
        at += 1;
        if next == state && !scanner.is_branch(state) {
            // Most bytes of a name, a string or a comment leave the state as it is.
            continue;
        }
        state = next;
        if scanner.fork(state).is_some() {
            return SymbolEnd::Fork { state, at };
        }
        if let Some(end) = interrupt(at, state) {
            return end;
        }
    }
}

/// The junction of `text` with the symbol in progress, which is in state `raw` and is run to its end. `None`: it
/// never ends, or the text cannot follow. In a character's name, `name` is the part of it that was read.
pub fn junction(
    lexer: &Lexer,
    text: &[u8],
    raw: RawState,
    name: Option<NamePrefix>,
) -> Option<Junction> {
    let scanner = &lexer.scanner;
    let mut state = raw;
    let mut name = name;
    let mut at = 0;
    loop {
        let kind = scanner.kind(state);
        let is_half_break =
            matches!(kind, StateKind::CarriageReturn | StateKind::BackslashCarriageReturn)
                && text.get(at) == Some(&b'\n');
        if kind.is_clean() && !is_half_break {
            if joins_nothing(kind) && at == text.len() {
                return None;
            }
            let is_line_start = kind == StateKind::CarriageReturnLineFeed && at > 0;
            return Some(Junction::Clean { at, is_line_start, restart: state });
        }
        if name.is_none() && kind != StateKind::CharacterName {
            // Most bytes of a long string or comment leave the state as it is.
            at += text[at..].iter().take_while(|&&byte| scanner.next(state, byte) == state).count();
        }
        let next = match text.get(at) {
            Some(&byte) => scanner.next(state, byte),
            None => RawState::DEAD,
        };
        if next != RawState::DEAD {
            let is_name = scanner.kind(next) == StateKind::CharacterName;
            name = match name {
                None => is_name.then(|| lexer.empty_name()),
                Some(name) if is_name => Some(name.after(text[at])?),
                Some(name) if name.is_complete() => None,
                Some(_) => return None,
            };
            state = next;
            at += 1;
            continue;
        }
        return Junction::end_of_symbol(scanner, state, at);
    }
}

/// The first symbol or line break of `text` from `from` on, where reading begins in `start`.
pub fn lex_symbol(lexer: &Lexer, text: &[u8], from: usize, start: RawState) -> Lexed {
    let scanner = &lexer.scanner;
    let mut state = start;
    let mut begin = from;
    let mut name_begin = None;
    let mut at = from;
    loop {
        let next = match text.get(at) {
            Some(&byte) => scanner.next(state, byte),
            None if scanner.kind(state).is_in_symbol() => RawState::DEAD,
            None if joins_nothing(scanner.kind(state)) => return Lexed::Dead,
            None if scanner.kind(state).is_clean() => return Lexed::End,
            None => return Lexed::Dead,
        };
        if next == RawState::DEAD {
            let Some(emission) = scanner.ended_emission(state) else { return Lexed::Dead };
            if scanner.emission(emission).symbols.is_empty() {
                state = scanner.restart(state);
                if at == text.len() {
                    return Lexed::End;
                }
                begin = at;
                continue;
            }
            let restart = scanner.restart(state);
            return Lexed::Symbol { emission, start: begin, end: at, restart };
        }
        if next == state && scanner.kind(state) == StateKind::Symbol {
            // Most bytes of a name or a string leave the state as it is.
            at += 1;
            continue;
        }
        if scanner.kind(state).is_clean() {
            begin = at;
        }
        match (name_begin, scanner.kind(next) == StateKind::CharacterName) {
            (None, true) => name_begin = Some(at + 1),
            (Some(begin), false) => {
                if !lexer.is_name(&text[begin..at]) {
                    return Lexed::Dead;
                }
                name_begin = None;
            }
            _ => {}
        }
        at += 1;
        state = next;
        if matches!(scanner.kind(state), StateKind::LineFeed | StateKind::CarriageReturn) {
            let is_pair =
                scanner.kind(state) == StateKind::CarriageReturn && text.get(at) == Some(&b'\n');
            return Lexed::LineBreak { end: at + usize::from(is_pair) };
        }
    }
}

/// Whether a text must not end here: a joined line break needs a line behind it.
fn joins_nothing(kind: StateKind) -> bool {
    matches!(kind, StateKind::Continuation | StateKind::BackslashCarriageReturn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::{Layout, LexicalDescription, PatternKind, TerminalDescription};
    use crate::python::dialect::Dialect;

    /// A lexer of names and short strings, in the lines of a version.
    pub(super) fn lexer(dialect: Dialect) -> Lexer {
        let terminal = |name: &str, pattern: &str| TerminalDescription {
            name: name.into(),
            kind: PatternKind::Regex,
            pattern: pattern.into(),
            priority: 0,
            flags: None,
            emits: None,
        };
        let description = LexicalDescription {
            layout: Layout::Python,
            terminals: vec![terminal("NAME", "[a-z]+"), terminal("STRING", r"'[^'\\\n]*'")],
            ignore: Vec::new(),
            declared: ["NEWLINE", "INDENT", "DEDENT", "JOINED"].map(String::from).to_vec(),
            branching: None,
            frames: None,
            dialect,
        };
        Lexer::new(description).unwrap()
    }

    /// Checks how the right context is taken up behind the left one.
    fn check(left: &str, right: &str, expected: &str) {
        let lexer = lexer(Dialect::NEWEST);
        let mut state = lexer.start();
        for byte in left.bytes() {
            assert!(lexer.feed(&mut state, byte, &mut |_| true), "{left:?}");
        }
        let name = |id| {
            let symbols = &lexer.scanner.emission(id).symbols;
            lexer.description.names().nth(symbols[0].index()).unwrap_or_default()
        };
        let found = match junction(&lexer, right.as_bytes(), state.raw, None) {
            None => "dead".to_owned(),
            Some(Junction::Clean { at, is_line_start: false, .. }) => format!("clean from {at}"),
            Some(Junction::Clean { at, .. }) => format!("a line from {at}"),
            Some(Junction::Complete { emission, .. }) => format!("{} complete", name(emission)),
            Some(Junction::Straddling { emission, at, .. }) => {
                format!("{} until {at}", name(emission))
            }
        };
        assert_eq!(found, expected, "{left:?} {right:?}");
    }

    #[test]
    fn the_symbol_at_the_cut_goes_on_or_ends() {
        check("ab", "c d", "NAME until 1");
        check("ab", " c", "NAME complete");
        check("ab ", "c", "clean from 0");
        check("'a", "b' c", "STRING until 2");
        check("'a", "b\n'", "dead");
    }

    #[test]
    fn comments_and_line_breaks_end_at_the_cut_or_behind_it() {
        check("# a", "b\nc", "clean from 1");
        check("a\r", "\nb", "a line from 1");
        check("a\\", "\nb", "clean from 1");
        check("a\\\n", "", "dead");
    }
}
