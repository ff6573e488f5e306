//! All modes joined into one table of raw states.
//!
//! A raw state says everything about the symbol in progress and nothing about what surrounds it:
//! columns, indentation and open brackets live in [`crate::lexer::LexState`]. One step is one
//! look-up; where it fails, the symbol before it ends, if it may (maximal munch with commitment:
//! `0or 1` is an error in Python because `0o` had begun).

use regex_automata::util::primitives::StateID;
use rustc_hash::FxHashMap;

use crate::description::{LexicalDescription, LexiconError, TerminalId};
use crate::python::fstring::{Frame, FrameChange, Quotes};

mod adjacency;
mod automaton;
mod builder;
mod mode;
pub mod reach;
mod shortest;

pub use adjacency::Adjacency;
use builder::Builder;

/// A state of the scanner; 0 is dead.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RawState(pub u16);

impl RawState {
    /// No text can follow.
    pub const DEAD: Self = Self(0);

    /// The index as a number into tables.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// What a raw state is in the middle of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StateKind {
    /// Nothing can follow.
    Dead,
    /// A symbol may begin here.
    Clean,
    /// Behind `\n`, which ended a line.
    LineFeed,
    /// Behind `\r`, which ended a line; a `\n` would belong to it.
    CarriageReturn,
    /// Behind `\r\n`.
    CarriageReturnLineFeed,
    /// Behind a backslash outside strings.
    Backslash,
    /// Behind a backslash and `\r`.
    BackslashCarriageReturn,
    /// Behind a line break that a backslash joined.
    Continuation,
    /// The same behind `\r\n`, which may end a text up to 3.11: CPython added a line break.
    ContinuationOfTwo,
    /// In a comment.
    Comment,
    /// In a symbol.
    Symbol,
    /// In a symbol, in the name of a character: behind `\\N{` and in front of `}`.
    CharacterName,
}

impl StateKind {
    /// Whether a symbol may begin here.
    pub fn is_clean(self) -> bool {
        !matches!(self, Self::Dead | Self::Backslash | Self::Comment) && !self.is_in_symbol()
    }

    /// Whether a symbol is in progress that the parser will see.
    pub fn is_in_symbol(self) -> bool {
        matches!(self, Self::Symbol | Self::CharacterName)
    }
}

/// An index into the scanner's emissions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct EmissionId(pub u16);

/// What a finished symbol is to the parser.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Emission {
    /// The parser's symbols: none for what is skipped, two for `1if`.
    pub symbols: Vec<TerminalId>,
    /// Its effect on the frames.
    pub change: FrameChange,
}

/// The table of raw states.
#[derive(Debug)]
pub struct Scanner {
    next: Vec<u16>,
    class_of_byte: [u8; 256],
    representatives: Vec<u8>,
    n_classes: usize,
    accept: Vec<Option<EmissionId>>,
    kind: Vec<StateKind>,
    restart: Vec<RawState>,
    emissions: Vec<Emission>,
    starts: Starts,
}

/// Where each mode begins.
#[derive(Debug, Default)]
struct Starts {
    code: [u16; Quotes::COUNT],
    field: [u16; Quotes::COUNT],
    text: FxHashMap<u8, u16>,
    specification: FxHashMap<u8, u16>,
    later_specification: FxHashMap<u8, u16>,
    converted: u16,
    broken: u16,
    /// For the start of each mode of code in which three of a quote must not follow each other, and
    /// the quote: where a symbol begins behind one of them.
    behind_quote: FxHashMap<(u16, u8), u16>,
    /// For the start of each mode, where its states end; they begin with the mode's lowest state.
    ranges: FxHashMap<u16, std::ops::Range<u16>>,
}

impl Scanner {
    /// Compiles a description.
    pub fn new(description: &LexicalDescription) -> Result<Self, LexiconError> {
        if description.n_terminals() > usize::from(u16::MAX) / 2 {
            return Err(LexiconError::new("too many terminals"));
        }
        let mut builder = Builder::new(description);
        builder.add_modes()?;
        builder.finish()
    }

    /// The state after one more byte of the same symbol.
    #[inline]
    pub fn next(&self, state: RawState, byte: u8) -> RawState {
        let class = usize::from(self.class_of_byte[usize::from(byte)]);
        RawState(self.next[state.index() * self.n_classes + class])
    }

    /// What a symbol that ends here is.
    #[inline]
    pub fn accept(&self, state: RawState) -> Option<EmissionId> {
        self.accept[state.index()]
    }

    /// What this state is in the middle of.
    #[inline]
    pub fn kind(&self, state: RawState) -> StateKind {
        self.kind[state.index()]
    }

    /// Where reading goes on after a symbol that ends here and leaves the frames as they are.
    #[inline]
    pub fn restart(&self, state: RawState) -> RawState {
        self.restart[state.index()]
    }

    /// What a finished symbol is to the parser.
    pub fn emission(&self, id: EmissionId) -> &Emission {
        &self.emissions[usize::from(id.0)]
    }

    /// The number of emissions.
    pub fn n_emissions(&self) -> usize {
        self.emissions.len()
    }

    /// All emissions, by their ids.
    pub fn emissions(&self) -> &[Emission] {
        &self.emissions
    }

    /// All states but the dead one.
    pub fn states(&self) -> impl Iterator<Item = RawState> + use<> {
        (1..self.kind.len() as u16).map(RawState)
    }

    /// The number of states, the dead one included.
    pub fn n_states(&self) -> usize {
        self.kind.len()
    }

    /// One byte for each class of bytes that no state tells apart, the shortest way to try all.
    pub fn alphabet(&self) -> &[u8] {
        &self.representatives
    }

    /// For each byte its class: bytes of a class are not told apart by any state.
    pub fn byte_classes(&self) -> &[u8; 256] {
        &self.class_of_byte
    }

    /// Where a symbol begins inside this frame.
    pub fn start(&self, frame: Option<Frame>) -> RawState {
        RawState(match frame {
            None => self.starts.code[0],
            Some(Frame::Bracket(_, quotes)) => self.starts.code[quotes.index()],
            Some(Frame::Field(context)) => self.starts.field[context.inner().index()],
            Some(Frame::Converted(_)) => self.starts.converted,
            Some(Frame::BrokenSpecification(_)) => self.starts.broken,
            Some(Frame::Text(context)) => self.starts.text[&context.index()],
            Some(Frame::Specification(context)) => self.starts.specification[&context.index()],
            Some(Frame::LaterSpecification(context)) => {
                self.starts.later_specification[&context.index()]
            }
        })
    }
}

impl Scanner {
    /// Where reading goes on behind a symbol with this effect, by the innermost frame in front of it
    /// and behind it. The quote that ends an f-string may be the first of three.
    pub fn behind(
        &self,
        change: FrameChange,
        before: Option<Frame>,
        after: Option<Frame>,
    ) -> RawState {
        let start = self.start(after);
        match (change, before) {
            (FrameChange::EndText, Some(Frame::Text(context))) if !context.quote.is_triple() => {
                let known = self.starts.behind_quote.get(&(start.0, context.quote.byte()));
                known.map_or(start, |&state| RawState(state))
            }
            _ => start,
        }
    }

    /// Where the modes begin.
    pub fn mode_starts(&self) -> impl Iterator<Item = RawState> + '_ {
        self.starts.ranges.keys().copied().map(RawState)
    }

    /// All states of the mode that begins in `start`.
    pub fn mode(&self, start: RawState) -> impl Iterator<Item = RawState> + use<> {
        self.starts.ranges[&start.0].clone().map(RawState)
    }
}

// The table is indexed with 16 bits; the automata that it is built from use regex-automata's ids.
const _: () = assert!(StateID::LIMIT >= u16::MAX as usize);
