//! All modes joined into one table of raw states.
//!
//! A raw state says everything about the symbol in progress and nothing about its surroundings: columns, indentation
//! and open brackets live in [`crate::lexer::LexState`]. One step is one look-up; where it fails, the symbol before
//! it ends, if it may (maximal munch with commitment: `0or 1` is an error in Python because `0o` had begun).

use regex_automata::util::primitives::StateID;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::description::{Layout, LexicalDescription, LexiconError, TerminalId};
use crate::frames::{Frame, FrameChange, Quote, Quotes};

mod adjacency;
mod automaton;
mod branches;
mod builder;
mod emission;
mod fork;
mod frame_modes;
mod ignored;
mod minimal;
mod mode;
pub mod reach;
mod shortest;
mod state_kind;
mod wide_blanks;

pub use adjacency::Adjacency;
use builder::Builder;
pub use emission::{Emission, EmissionId};
pub use fork::{Branch, Fork};
pub use state_kind::StateKind;

/// A raw state: a state of the scanner; 0 is dead.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RawState(pub u16);

impl RawState {
    /// No text can follow.
    pub const DEAD: Self = Self(0);

    /// The state as an index into tables.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The table of raw states.
#[derive(Debug)]
pub struct Scanner {
    /// For each class of bytes, the target of each state: a right context asks about its first byte in all states.
    next: Vec<u16>,
    class_of_byte: [u8; 256],
    representatives: Vec<u8>,
    accept: Vec<Option<EmissionId>>,
    kind: Vec<StateKind>,
    restart: Vec<RawState>,
    emissions: Vec<Emission>,
    starts: Starts,
    first_fork: usize,
    forks: Vec<Fork>,
    /// For each state whether a fork's branch begins with it.
    is_branch: Vec<bool>,
    n_terminals: usize,
    insertions: Vec<Vec<TerminalId>>,
    before_end: [Option<TerminalId>; 2],
    /// The emissions of symbols that end in front of half a character, which is a line end's (`wide_blanks.rs`).
    torn: FxHashMap<RawState, EmissionId>,
    /// The first emission of held white space or comments: all from here on are ignored and not free ([`ignored`]).
    first_held: usize,
    /// For each byte, whether an escape that follows it may take a line break along.
    takes_break: [bool; 256],
}

/// The first state of each mode.
#[derive(Debug, Default)]
struct Starts {
    code: [u16; Quotes::COUNT],
    field: [u16; Quotes::COUNT],
    text: FxHashMap<u8, u16>,
    specification: FxHashMap<u8, u16>,
    later_specification: FxHashMap<u8, u16>,
    converted: u16,
    broken: u16,
    /// For the start of each mode of code in which three of a quote must not follow each other, and the quote: the
    /// state in which a symbol begins behind one of them.
    behind_quote: FxHashMap<(u16, Quote), u16>,
    /// The other states in which symbols begin, in the first mode's range: behind line breaks, and where texts begin.
    others: Vec<u16>,
    /// The state in which texts begin, unless it is the first mode's.
    first: Option<u16>,
    /// For the start of each mode, the range of its states, which begins with the lowest.
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
        let mut scanner = builder.finish()?;
        if description.layout == Layout::None {
            scanner.hold_ignored();
        }
        Ok(scanner)
    }

    /// The state after one more byte of the same symbol.
    #[inline]
    pub fn next(&self, state: RawState, byte: u8) -> RawState {
        let class = usize::from(self.class_of_byte[usize::from(byte)]);
        RawState(self.next[class * self.kind.len() + state.index()])
    }

    /// The emission of a symbol that ends in this state.
    #[inline]
    pub fn accept(&self, state: RawState) -> Option<EmissionId> {
        self.accept[state.index()]
    }

    /// The emission of a symbol whose end the next byte shows: in this state, or in front of half a character.
    #[inline]
    pub fn ended_emission(&self, state: RawState) -> Option<EmissionId> {
        self.accept(state).or_else(|| self.torn.get(&state).copied())
    }

    /// The kind of this state: which part of the text it is in the middle of.
    #[inline]
    pub fn kind(&self, state: RawState) -> StateKind {
        self.kind[state.index()]
    }

    /// The clean state after a symbol that has [ended](Self::ended_emission) and leaves the frames as they are.
    #[inline]
    pub fn restart(&self, state: RawState) -> RawState {
        self.restart[state.index()]
    }

    /// The emission of this id.
    pub fn emission(&self, id: EmissionId) -> &Emission {
        &self.emissions[usize::from(id.0)]
    }

    /// Whether this emission is of ignored text behind which not everything may come that the parser could read.
    #[inline]
    pub fn is_held(&self, id: EmissionId) -> bool {
        usize::from(id.0) >= self.first_held
    }

    /// All emissions for which [`Self::is_held`].
    pub fn held_emissions(&self) -> impl Iterator<Item = EmissionId> + use<> {
        (self.first_held..self.emissions.len()).map(|index| EmissionId(index as u16))
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

    /// One byte of each class: the shortest list that tries all steps.
    pub fn alphabet(&self) -> &[u8] {
        &self.representatives
    }

    /// For each byte its class: no state tells bytes of one class apart.
    pub fn byte_classes(&self) -> &[u8; 256] {
        &self.class_of_byte
    }

    /// The state in which a text begins.
    pub fn first(&self) -> RawState {
        RawState(self.starts.first.unwrap_or(self.starts.code[0]))
    }

    /// The clean state that occurs only at the beginning of a text, if there is one.
    pub fn text_start(&self) -> Option<RawState> {
        let first = self.starts.first.filter(|_| self.starts.others.len() > 1);
        first.map(RawState)
    }

    /// The clean state behind a line break, where that matters; texts begin in it or in a state like it.
    pub fn behind_break(&self) -> Option<RawState> {
        self.starts.others.first().copied().map(RawState)
    }

    /// Whether this clean state is behind a line break, or where a text begins.
    pub fn is_behind_break(&self, clean: RawState) -> bool {
        self.starts.others.contains(&clean.0)
    }

    /// Whether the parser takes part in reading texts.
    pub fn is_branching(&self) -> bool {
        self.starts.first.is_some()
    }

    /// The fork in this state, if it is one.
    #[inline]
    pub fn fork(&self, state: RawState) -> Option<&Fork> {
        if state.index() < self.first_fork {
            return None;
        }
        self.forks.get(state.index() - self.first_fork)
    }

    /// Whether a contextual terminal has just begun in this state.
    #[inline]
    pub fn is_branch(&self, state: RawState) -> bool {
        self.is_branch[state.index()]
    }

    /// All forks.
    pub fn forks(&self) -> &[Fork] {
        &self.forks
    }

    /// The states that one more byte may lead to, whatever the parser says.
    pub fn targets(&self, state: RawState, byte: u8) -> SmallVec<[RawState; 2]> {
        let next = self.next(state, byte);
        match self.fork(next) {
            None => SmallVec::from_slice(&[next]),
            Some(fork) => fork.states().collect(),
        }
    }

    /// The lists of symbols of which one may be inserted. `Emission::inserted` is an index into them, written as a
    /// terminal beyond all others.
    pub fn insertions(&self) -> &[Vec<TerminalId>] {
        &self.insertions
    }

    /// The list of symbols, as `Emission::inserted` has it, of which one may be inserted where a text ends, in a clean state.
    pub fn inserted_before_end(&self, clean: RawState) -> Option<TerminalId> {
        self.before_end[usize::from(self.is_behind_break(clean))]
    }

    /// Keeps only those insertions that may stand in front of their symbol: the rest would be tried in vain.
    pub fn keep_insertions(&mut self, may_stand: impl Fn(TerminalId, TerminalId) -> bool) {
        let mut kept: Vec<Vec<TerminalId>> = Vec::new();
        let mut number = |symbols: Vec<TerminalId>| {
            if symbols.is_empty() {
                return None;
            }
            let index = kept.iter().position(|known| *known == symbols).unwrap_or_else(|| {
                kept.push(symbols);
                kept.len() - 1
            });
            Some(TerminalId((self.n_terminals + index) as u16))
        };
        let insertions = &self.insertions;
        let n_terminals = self.n_terminals;
        let symbols = |inserted: Option<TerminalId>| match inserted {
            None => Vec::new(),
            Some(id) => insertions[id.index() - n_terminals].clone(),
        };
        for emission in &mut self.emissions {
            let mut list = symbols(emission.inserted_terminal());
            let first = emission.symbols.first();
            list.retain(|&one| first.is_some_and(|&first| may_stand(one, first)));
            emission.insert(number(list));
        }
        self.before_end = self.before_end.map(|inserted| number(symbols(inserted)));
        self.insertions = kept;
    }

    /// Whether an escape behind this byte may take a line break into a string that otherwise ends with its line.
    pub fn may_take_break(&self, byte: u8) -> bool {
        self.takes_break[usize::from(byte)]
    }

    /// The state in which a symbol begins inside this frame.
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
    /// The state in which reading goes on behind a symbol with this effect, by the innermost frame in front of it and
    /// behind it. The quote that ends a string may be the first of three.
    pub fn behind(
        &self,
        change: FrameChange,
        before: Option<Frame>,
        after: Option<Frame>,
    ) -> RawState {
        let start = self.start(after);
        match (change, before) {
            (FrameChange::EndText, Some(Frame::Text(context))) => {
                let known = self.starts.behind_quote.get(&(start.0, context.quote));
                known.map_or(start, |&state| RawState(state))
            }
            _ => start,
        }
    }

    /// The states in which symbols begin, in all modes.
    pub fn mode_starts(&self) -> impl Iterator<Item = RawState> + '_ {
        let others = self.starts.others.iter();
        self.starts.ranges.keys().chain(others).copied().map(RawState)
    }

    /// All states of the mode that begins in `start`.
    pub fn mode(&self, start: RawState) -> impl Iterator<Item = RawState> + use<> {
        self.starts.ranges[&start.0].clone().map(RawState)
    }
}

// The table is indexed with 16 bits; the automata that it is built from use regex-automata's ids.
const _: () = assert!(StateID::LIMIT >= u16::MAX as usize);
