//! Waiting names: the text that follows decides their roles.
//!
//! ```text
//! total              waits for the symbol behind it: `=`, `:=`, `(` or `.` say what it is
//! total, (rows       wait as targets: with `=` both are bound, else both are used
//! total = rows       `total` waits to be bound when the statement has ended: `total = total` uses another one
//! print(row          waits for a `for` around it, if no `row` is visible: `print(row for row in rows)`
//! (n := len(rows     `n` waits for the end of its value
//! ```

use smallvec::SmallVec;

use super::name_set::Name;
use super::obligations::Obligations;
use super::targets::Targets;
use super::walruses::Walruses;

/// The role of a name: the uses and bindings that it may be where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// An attribute or a module: any name may stand there.
    Free,
    /// Bound there, whatever follows.
    Bound,
    Use,
    /// A use, or bound by `:=`.
    UseOrWalrus,
    /// A use, bound by `:=`, or the keyword of an argument.
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
    /// Whether the name is a variable's use, unless the symbol behind it binds it there.
    pub(super) fn is_use(self) -> bool {
        matches!(self, Self::Use | Self::UseOrWalrus | Self::Argument | Self::Deleted)
    }
}

/// A name whose role the next symbol decides.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct WaitingName {
    pub(super) name: Name,
    pub(super) start: i64,
    pub(super) role: Role,
    /// The number of frames around it.
    pub(super) depth: usize,
    pub(super) is_judged: bool,
}

/// All names that wait, by the event that they wait for.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct WaitingNames {
    /// The name that has just been read.
    last: Option<WaitingName>,
    pub(super) targets: Targets,
    /// The names that the statement binds, or deletes, when it has ended.
    to_bind: SmallVec<[Name; 2]>,
    pub(super) obligations: Obligations,
    pub(super) walruses: Walruses,
}

impl WaitingNames {
    /// Lets a name wait for the symbol behind it.
    pub(super) fn wait(&mut self, name: WaitingName) {
        self.last = Some(name);
    }

    /// The name that has just been read, if it waits for the symbol behind it.
    pub(super) fn last(&self) -> Option<&WaitingName> {
        self.last.as_ref()
    }

    pub(super) fn take_last(&mut self) -> Option<WaitingName> {
        self.last.take()
    }

    /// Lets a name be bound, or deleted, when the statement has ended.
    pub(super) fn bind_at_end(&mut self, name: Name) {
        self.to_bind.push(name);
    }

    /// `import a as b`: gives the name that was to be bound last another name.
    pub(super) fn rename_last_bound(&mut self, name: Name) {
        self.to_bind.pop();
        self.to_bind.push(name);
    }

    pub(super) fn to_bind(&self) -> &[Name] {
        &self.to_bind
    }

    pub(super) fn take_to_bind(&mut self) -> SmallVec<[Name; 2]> {
        std::mem::take(&mut self.to_bind)
    }

    /// Whether any name waits for text that may make it wrong.
    pub(super) fn has_open_questions(&self) -> bool {
        self.last.is_some() || !self.targets.candidates().is_empty() || !self.obligations.is_empty()
    }
}
