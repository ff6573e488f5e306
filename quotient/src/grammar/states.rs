//! States of rules, and the edges from one to the next: both sides are compared by them.

use fim_lexer::TerminalId;

/// A state of a rule's body.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BodyState(pub u16);

impl BodyState {
    pub(crate) const NONE: Self = Self(u16::MAX);

    /// The index as a number into tables.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A nonterminal: the index of a rule. Number 0 is the root, a rule of its own around the
/// grammar's start rule, so that nothing recurs to it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Nonterminal(pub u16);

impl Nonterminal {
    /// The rule that a whole file is.
    pub const ROOT: Self = Self(0);

    /// The index as a number into tables.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// An edge's label.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum EdgeLabel {
    /// A terminal.
    Terminal(TerminalId),
    /// A nonterminal.
    Nonterminal(Nonterminal),
}
