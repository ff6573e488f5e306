//! Forks: places where the parser decides how a text reads.
//!
//! A fork is behind a byte that begins one symbol or another: `/` a division or a regular expression. It takes the
//! place of a raw state in the table, so that languages without forks pay one comparison for it, and is left at once:
//! the forward lexer asks the parser, a reader of a right context follows all branches.
//!
//! In the paper: the branches ST(c) of figure 5, which are made only where a grammar asks for them.

use super::{EmissionId, RawState};

/// A byte that may begin symbols of which the parser takes one kind.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fork {
    /// The branches for which the parser must be able to take a symbol.
    pub branches: Vec<Branch>,
    /// The state behind the byte where it can take none of them; it may be the dead one.
    pub otherwise: RawState,
}

/// One branch of a fork.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Branch {
    /// The emissions of which one must be possible for the parser to take this branch.
    pub emissions: Vec<EmissionId>,
    /// The state behind the byte.
    pub state: RawState,
}

impl Fork {
    /// The states behind the byte, whatever the parser says.
    pub fn states(&self) -> impl Iterator<Item = RawState> + '_ {
        self.branches.iter().map(|branch| branch.state).chain([self.otherwise])
    }

    /// The state behind the byte in the branch of this number.
    pub fn state(&self, branch: usize) -> RawState {
        self.branches.get(branch).map_or(self.otherwise, |branch| branch.state)
    }

    /// Whether the parser always takes the same branch at both, by its number. In JSX, names may begin at each
    /// letter.
    pub fn is_chosen_like(&self, other: &Self) -> bool {
        self.emissions().eq(other.emissions())
    }

    fn emissions(&self) -> impl Iterator<Item = &[EmissionId]> {
        self.branches.iter().map(|branch| &branch.emissions[..])
    }
}
