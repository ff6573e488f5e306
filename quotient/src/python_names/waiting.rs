//! Names that wait: what they may turn out to be, until the symbol behind them or a `for` around them says it.
//!
//! ```text
//! total                       `total` waits for the symbol behind it: with `=` it is bound, else it is used
//! print(row                   `row` is an obligation, if none is visible: `for row in rows` may meet it
//! ```

use super::compiling::CompilingReason;
use super::name_set::Name;

/// What a name may be where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// An attribute, a module: anything goes.
    Free,
    /// Bound there, whatever follows.
    Bound,
    Use,
    /// A use, or bound by `:=`.
    UseOrWalrus,
    /// The same, or the keyword of an argument.
    Argument,
    /// A use, or bound by a later `=`; with `:=` in brackets.
    Candidate,
    /// Bound, unless an attribute or an element of it is.
    Binding,
    /// Captured, unless it is the name of a class.
    Pattern,
    /// Used and not bound any more, unless an attribute or an element of it is deleted.
    Deleted,
}

impl Role {
    /// Whether a variable is used, unless the symbol behind it says that it is bound there.
    pub(super) fn is_use(self) -> bool {
        matches!(self, Self::Use | Self::UseOrWalrus | Self::Argument | Self::Deleted)
    }
}

/// A name whose next symbol decides what it is.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct WaitingName {
    pub(super) name: Name,
    pub(super) start: i64,
    pub(super) role: Role,
    /// The number of frames around it.
    pub(super) depth: usize,
    pub(super) is_judged: bool,
}

/// A name that a comprehension around it must bind.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Obligation {
    pub(super) name: Name,
    pub(super) start: i64,
    /// The frames whose `for` can do it, as bits.
    pub(super) rescuers: u64,
    pub(super) reason: CompilingReason,
}
