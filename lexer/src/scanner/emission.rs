//! What symbols that have ended are to the parser.

use crate::description::TerminalId;
use crate::frames::FrameChange;

/// An index into the scanner's emissions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct EmissionId(pub u16);

/// What a finished symbol is to the parser.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Emission {
    /// The parser's symbols: none for what is skipped, two for `1if`.
    pub symbols: Vec<TerminalId>,
    /// Stands for the symbols of which one, or none, is inserted in front: a number behind all terminals.
    inserted: Option<TerminalId>,
    /// The symbols, with that in front.
    steps: Vec<TerminalId>,
    /// Whether the next symbol stands behind a line break. Only for what is skipped.
    pub is_break: bool,
    /// Its effect on the frames.
    pub change: FrameChange,
}

impl Emission {
    /// These symbols, and nothing else.
    pub(crate) fn of(symbols: Vec<TerminalId>, change: FrameChange) -> Self {
        Self { steps: symbols.clone(), symbols, inserted: None, is_break: false, change }
    }

    /// What stands for the symbols of which one, or none, is inserted in front: a number behind all terminals.
    #[inline]
    pub fn inserted_terminal(&self) -> Option<TerminalId> {
        self.inserted
    }

    pub(crate) fn insert(&mut self, inserted: Option<TerminalId>) {
        self.inserted = inserted;
        self.steps = inserted.into_iter().chain(self.symbols.iter().copied()).collect();
    }

    /// What the parser reads: the symbols, with what stands for those that may be inserted in front.
    #[inline]
    pub fn steps(&self) -> &[TerminalId] {
        &self.steps
    }
}
