//! The law of literals alone, for texts in which the reader of early errors does not know how to go on: in TypeScript, and
//! in both with JSX.
//!
//! The lexer says what is a literal, as the parser has chosen. Those that the hole's text makes, begins or ends are looked
//! at, once they have ended; what else the text does to the lines behind it is not. Before the end nothing is refused.

use std::sync::Arc;

use fim_lexer::lexer::LexState;
use fim_lexer::{Lexer, RawState, TerminalId};

use super::fault;
use crate::charts::Parsing;
use crate::grammar::Language;
use crate::hole::{OpenHole, Place};
use crate::laws::{Contexts, ContextsRead, HeldLaw, Law, Reason, Violation, clear_ends};
use crate::masks::Vocabulary;
use crate::witness::shortest_witness;

/// The law of TypeScript, and of languages with JSX; none of other ones.
pub(crate) fn law(language: &Language) -> Option<Arc<dyn Law>> {
    if !["typescript", "typescriptreact", "javascriptreact"].contains(&&*language.name) {
        return None;
    }
    let scanner = &language.lexer.scanner;
    let terminal = language.lexer.description.terminal("REGULAR_EXPRESSION")?;
    let starts = scanner.mode_starts().flat_map(|start| scanner.targets(start, b'/')).collect();
    Some(Arc::new(Literals { terminal, starts }))
}

#[derive(Debug)]
struct Literals {
    terminal: TerminalId,
    /// The states behind a slash.
    starts: Vec<RawState>,
}

impl Law for Literals {
    fn contexts(self: Arc<Self>) -> Box<dyn ContextsRead> {
        Box::new(self)
    }
}

impl ContextsRead for Arc<Literals> {
    fn law_at(
        &mut self,
        language: &Language,
        contexts: &Contexts<'_>,
        lexed: &LexState,
        _known: &[Vec<u8>],
    ) -> Box<dyn HeldLaw> {
        let left = [contexts.left, contexts.begun].concat();
        let symbols = self.begun(&language.lexer, &left, lexed.raw);
        let mut held = Held {
            law: Arc::clone(self),
            symbols,
            is_of_left: true,
            start: 0,
            n_read: 0,
            old: None,
            wrong: None,
        };
        held.start = -(held.symbols.first().map_or(0, Vec::len) as i64);
        held.old = held.fault_behind(&language.lexer, lexed.raw, contexts.right);
        Box::new(held)
    }
}

impl Literals {
    /// The texts that the symbol in progress may have, if it begins with a slash.
    fn begun(&self, lexer: &Lexer, left: &[u8], raw: RawState) -> Vec<Vec<u8>> {
        let scanner = &lexer.scanner;
        if !scanner.kind(raw).is_in_symbol() {
            return Vec::new();
        }
        let line = left.iter().rposition(|byte| b"\n\r".contains(byte)).map_or(0, |at| at + 1);
        let is_begin = |at: &usize| {
            left[*at] == b'/'
                && self.starts.iter().any(|&start| {
                    let read = |raw, &byte| scanner.next(raw, byte);
                    left[at + 1..].iter().fold(start, read) == raw
                })
        };
        (line..left.len()).filter(is_begin).map(|at| left[at..].to_vec()).collect()
    }

    fn is_literal(&self, lexer: &Lexer, raw: RawState) -> bool {
        let emission = lexer.scanner.ended_emission(raw).map(|id| lexer.scanner.emission(id));
        emission.is_some_and(|emission| emission.steps().contains(&self.terminal))
    }
}

/// The law behind a text.
#[derive(Clone, Debug)]
struct Held {
    law: Arc<Literals>,
    /// The texts that the symbol in progress may have: none where it begins with no slash, or they cannot be told.
    symbols: Vec<Vec<u8>>,
    /// Whether it begins in front of the hole.
    is_of_left: bool,
    start: i64,
    n_read: i64,
    /// The fault of the literal around the hole without its text.
    old: Option<&'static str>,
    wrong: Option<Violation>,
}

impl Held {
    /// The fault of a literal, whichever of these it is.
    fn fault_of(&self, behind: &[u8]) -> Option<(&'static str, Vec<u8>)> {
        let mut found = None;
        for symbol in &self.symbols {
            let text = [symbol, behind].concat();
            // Half a character at its end is a line end's.
            let text = text.utf8_chunks().next().map_or("", |chunk| chunk.valid());
            let (pattern, flags) = text.trim_end().get(1..)?.rsplit_once('/')?;
            found = Some((fault(pattern.as_bytes(), flags.as_bytes())?, flags.as_bytes().to_vec()));
        }
        found
    }

    /// The fault of the symbol in progress if a text follows.
    fn fault_behind(&self, lexer: &Lexer, raw: RawState, text: &[u8]) -> Option<&'static str> {
        self.wrong_behind(lexer, raw, text).map(|wrong| wrong.reason.0)
    }

    fn wrong_behind(&self, lexer: &Lexer, mut raw: RawState, text: &[u8]) -> Option<Violation> {
        if self.symbols.is_empty() {
            return None;
        }
        let mut length = 0;
        for &byte in text {
            let next = lexer.scanner.next(raw, byte);
            if next == RawState::DEAD {
                break;
            }
            (raw, length) = (next, length + 1);
        }
        self.wrong_symbol(lexer, raw, &text[..length])
    }

    /// The fault of the symbol that has ended in this state, behind the bytes that follow the place.
    fn wrong_symbol(&self, lexer: &Lexer, raw: RawState, behind: &[u8]) -> Option<Violation> {
        if self.symbols.is_empty() || !self.law.is_literal(lexer, raw) {
            return None;
        }
        let (reason, name) = self.fault_of(behind)?;
        let is_old = self.is_of_left && self.old == Some(reason);
        (!is_old).then_some(Violation { name, start: self.start, reason: Reason(reason) })
    }

    fn read(&mut self, parsing: &mut Parsing<'_>, place: &Place, text: &[u8]) {
        if self.symbols.is_empty() && !text.contains(&b'/') {
            self.n_read += text.len() as i64;
            return;
        }
        let lexer = &parsing.language.lexer;
        let mut place = place.clone();
        for &byte in text {
            let before = place.lexed.raw;
            let next = lexer.scanner.next(before, byte);
            let is_begin = lexer.scanner.kind(before).is_clean()
                || next == RawState::DEAD
                || lexer.scanner.fork(next).is_some();
            if is_begin {
                self.wrong = self.wrong.take().or_else(|| self.wrong_symbol(lexer, before, b""));
                self.symbols = if byte == b'/' { vec![Vec::new()] } else { Vec::new() };
                (self.start, self.is_of_left) = (self.n_read, false);
            }
            self.symbols.iter_mut().for_each(|symbol| symbol.push(byte));
            place.read(parsing, &[byte]);
            if place.other.is_some() {
                self.symbols.clear();
            }
            self.n_read += 1;
        }
    }

    fn check(&self, lexer: &Lexer, raw: RawState, right: &[u8]) -> Result<(), Violation> {
        if let Some(wrong) = &self.wrong {
            return Err(wrong.clone());
        }
        let wrong = if self.n_read == 0 { None } else { self.wrong_behind(lexer, raw, right) };
        wrong.map_or(Ok(()), Err)
    }
}

impl HeldLaw for Held {
    fn boxed_clone(&self) -> Box<dyn HeldLaw> {
        Box::new(self.clone())
    }

    fn behind(
        &self,
        hole: &mut OpenHole<'_>,
        place: &Place,
        _further: &Place,
        text: &[u8],
    ) -> Result<Box<dyn HeldLaw>, Violation> {
        let mut further = self.clone();
        further.read(&mut hole.parsing, place, text);
        Ok(Box::new(further))
    }

    fn check_end(
        &self,
        language: &Language,
        lexed: &LexState,
        right: &[u8],
    ) -> Result<(), Violation> {
        self.check(&language.lexer, lexed.raw, right)
    }

    fn n_read(&self) -> i64 {
        self.n_read
    }

    fn narrow(
        &self,
        hole: &mut OpenHole<'_>,
        place: &Place,
        vocabulary: &Vocabulary,
        mask: &mut [u32],
    ) {
        let is_wrong =
            || self.check(&hole.language().lexer, place.lexed.raw, &hole.right().text).is_err();
        clear_ends(vocabulary, mask, is_wrong);
    }

    fn witness(&self, hole: &mut OpenHole<'_>, place: &Place) -> Option<Vec<u8>> {
        let plain = shortest_witness(hole, place)?;
        let (mut held, mut further) = (self.clone(), place.clone());
        held.read(&mut hole.parsing, place, &plain);
        hole.read(&mut further, &plain);
        let is_right =
            held.check(&hole.language().lexer, further.lexed.raw, &hole.right().text).is_ok();
        is_right.then_some(plain)
    }
}
