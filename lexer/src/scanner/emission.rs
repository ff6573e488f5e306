//! Emissions: the parser's view of symbols that have ended.

use crate::description::TerminalId;
use crate::frames::FrameChange;

/// An index into the scanner's emissions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct EmissionId(pub u16);

/// The parser's view of a symbol that has ended.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Emission {
    /// The parser's symbols: none for skipped text, two for `1if`.
    pub symbols: Vec<TerminalId>,
    /// The list of symbols of which one, or none, is inserted in front: an index into [`Scanner::insertions`],
    /// written as a terminal beyond all others.
    inserted: Option<TerminalId>,
    /// The symbols, with that one in front.
    steps: Vec<TerminalId>,
    /// Whether the next symbol stands behind a line break. Only skipped text has it.
    pub is_break: bool,
    /// The effect on the frames.
    pub change: FrameChange,
}

impl Emission {
    /// The emission of these symbols and nothing else.
    pub(crate) fn of(symbols: Vec<TerminalId>, change: FrameChange) -> Self {
        Self { steps: symbols.clone(), symbols, inserted: None, is_break: false, change }
    }

    /// The number, behind all terminals, of the list of symbols of which one, or none, is inserted in front.
    #[inline]
    pub fn inserted_terminal(&self) -> Option<TerminalId> {
        self.inserted
    }

    pub(crate) fn insert(&mut self, inserted: Option<TerminalId>) {
        self.inserted = inserted;
        self.steps = inserted.into_iter().chain(self.symbols.iter().copied()).collect();
    }

    /// The steps of the parser: the symbols, with the number of the insertable ones in front.
    #[inline]
    pub fn steps(&self) -> &[TerminalId] {
        &self.steps
    }
}
