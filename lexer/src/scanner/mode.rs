//! One mode: its terminals' automaton, with the states that no terminal describes.
//!
//! Code modes have a few states beside those of the automaton: the places after a line break (`\r`
//! may still be followed by its `\n`) and in a backslash continuation. Inside bounded fields, a [`QuoteWatch`]
//! watches for the quotes that would end a string around them.

use super::automaton::{ByteAutomaton, DEAD};
use super::wide_blanks::Torn;
use super::{EmissionId, RawState, StateKind};
use crate::frames::{Frames, Quotes};

/// A mode before it joins the table: an automaton with named clean states.
pub(super) struct Mode {
    pub(super) automaton: ByteAutomaton,
    pub(super) emissions: Vec<EmissionId>,
    pub(super) kind: Vec<StateKind>,
    pub(super) start: u32,
    /// States in which a symbol would end in front of half a character (`wide_blanks.rs`).
    pub(super) torn: Vec<Torn<u32>>,
}

impl Mode {
    fn push(&mut self, row: [u32; 256], kind: StateKind) -> u32 {
        self.automaton.next.push(row);
        self.automaton.accept.push(None);
        self.kind.push(kind);
        self.automaton.next.len() as u32 - 1
    }

    /// Adds the clean state in which the mode begins. The automaton's own start, unless a symbol
    /// such as `a*b` leads back to it, is no place that a text gets to: it loses its edges, lest
    /// every first symbol of a right context seem to go on from there.
    pub(super) fn push_start(&mut self) {
        let start = self.start;
        let row = self.automaton.next[start as usize];
        self.start = self.push(row, StateKind::Clean);
        let inner = &self.automaton.next[..self.start as usize];
        if !inner.iter().flatten().any(|&target| target == start) {
            self.automaton.next[start as usize] = [DEAD; 256];
        }
    }

    /// Finds the states in which a character's name is read: in literal text, and in strings. To
    /// other languages `\N{` may mean nothing, and anything may follow it.
    pub(super) fn mark_names(&mut self) {
        for opening in ["\\N{", "'\\N{", "\"\\N{", "'''\\N{", "\"\"\"\\N{"] {
            let next = &self.automaton.next;
            let step = |state: u32, byte: u8| next[state as usize][usize::from(byte)];
            let opened = opening.bytes().fold(self.start, step);
            let is_of_names = |byte: u8| byte.is_ascii_alphanumeric() || b" -".contains(&byte);
            if (0..=255).any(|byte| !is_of_names(byte) && step(opened, byte) != DEAD) {
                continue;
            }
            let mut todo = vec![opened];
            while let Some(state) = todo.pop() {
                if state == DEAD || self.kind[state as usize] == StateKind::CharacterName {
                    continue;
                }
                self.kind[state as usize] = StateKind::CharacterName;
                todo.extend((0..=255).filter(|&byte| byte != b'}').map(|byte| step(state, byte)));
            }
        }
    }

    pub(super) fn accept(&self, state: u32) -> Option<EmissionId> {
        self.automaton.accept[state as usize].map(|pattern| self.emissions[usize::from(pattern)])
    }

    /// A torn state as the table has it, where its number is `state`.
    pub(super) fn torn_in_table(&self, torn: &Torn<u32>, state: RawState) -> Torn<RawState> {
        let EmissionId(accept) = self.emissions[usize::from(torn.accept)];
        Torn { state, accept, begun: torn.begun.clone() }
    }

    /// Adds white space, line breaks, backslash continuations, and the knowledge which states
    /// are comments. Behind a backslash and CR LF a text may end only where `may_end_joined` says so.
    pub(super) fn with_line_breaks(mut self, may_end_joined: bool) -> Self {
        let row = self.automaton.next[self.start as usize];
        let start = self.start as usize;
        let line_feed = self.push(row, StateKind::LineFeed);
        let carriage_return = self.push(row, StateKind::CarriageReturn);
        let both = self.push(row, StateKind::CarriageReturnLineFeed);
        let continuation = self.push(row, StateKind::Continuation);
        let continuation_of_two = self.push(row, StateKind::ContinuationOfTwo);
        let backslash = self.push([DEAD; 256], StateKind::Backslash);
        let backslash_return = self.push(row, StateKind::BackslashCarriageReturn);
        let clean = [
            start,
            line_feed as usize,
            carriage_return as usize,
            both as usize,
            continuation as usize,
            continuation_of_two as usize,
            backslash_return as usize,
        ];
        for state in clean {
            let row = &mut self.automaton.next[state];
            for byte in [b' ', b'\t', b'\x0c'] {
                row[usize::from(byte)] = self.start;
            }
            row[usize::from(b'\n')] = line_feed;
            row[usize::from(b'\r')] = carriage_return;
            row[usize::from(b'\\')] = backslash;
        }
        self.automaton.next[carriage_return as usize][usize::from(b'\n')] = both;
        self.automaton.next[backslash_return as usize][usize::from(b'\n')] =
            if may_end_joined { continuation_of_two } else { continuation };
        self.automaton.next[backslash as usize][usize::from(b'\n')] = continuation;
        self.automaton.next[backslash as usize][usize::from(b'\r')] = backslash_return;
        let mut todo = vec![self.automaton.next[start][usize::from(b'#')]];
        while let Some(state) = todo.pop() {
            if state != DEAD && self.kind[state as usize] == StateKind::Symbol {
                self.kind[state as usize] = StateKind::Comment;
                todo.extend(self.automaton.next[state as usize]);
            }
        }
        self
    }
}

/// The number of equal quotes that were read last, of a kind that ends a string when it is three.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct QuoteRun {
    byte: u8,
    length: u8,
}

impl QuoteRun {
    /// The run of a single quote.
    pub(super) fn one(byte: u8) -> Self {
        Self { byte, length: 1 }
    }
}

/// The effect of a byte on the strings around it.
#[derive(Clone, Copy)]
enum Watched {
    Nothing,
    /// Three of it in a row would end one of them.
    Third,
    /// The byte ends one of them, or none of them may hold it.
    Ruled,
}

/// For each byte its effect on strings with these quotes.
pub(super) struct QuoteWatch([Watched; 256]);

impl QuoteWatch {
    pub(super) fn new(frames: &Frames, quotes: Quotes) -> Self {
        let mut watched = [Watched::Nothing; 256];
        for byte in frames.quote_bytes() {
            let (single, triple) = frames.quotes_of(byte);
            let is_around = |quote: Option<_>| quote.is_some_and(|quote| quotes.contains(quote));
            watched[usize::from(byte)] = match () {
                () if is_around(single) => Watched::Ruled,
                () if is_around(triple) => Watched::Third,
                () => Watched::Nothing,
            };
        }
        if let Some(escape) = frames.declaration().escape {
            watched[escape as usize] = Watched::Ruled;
        }
        if frames.forbid_line_breaks(quotes) {
            watched[usize::from(b'\n')] = Watched::Ruled;
            watched[usize::from(b'\r')] = Watched::Ruled;
        }
        Self(watched)
    }

    /// The run after one more byte, unless the byte is ruled out by the strings around it.
    pub(super) fn after(&self, run: QuoteRun, byte: u8) -> Option<QuoteRun> {
        match self.0[usize::from(byte)] {
            Watched::Nothing => Some(QuoteRun::default()),
            Watched::Ruled => None,
            Watched::Third => {
                let length = if run.byte == byte { run.length + 1 } else { 1 };
                (length < 3).then_some(QuoteRun { byte, length })
            }
        }
    }
}
