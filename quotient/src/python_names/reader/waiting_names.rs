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

use super::NamesReader;
use super::comprehensions::Obligations;
use super::frames::NameContext;
use super::open_statement::Behind;
use crate::python_names::scopes::Surroundings;
use crate::python_names::symbols::{Name, NameViolation, SymbolKind};

/// The role of a name: the uses and bindings that it may be where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::python_names) enum Role {
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
    pub(in crate::python_names) fn is_use(self) -> bool {
        matches!(self, Self::Use | Self::UseOrWalrus | Self::Argument | Self::Deleted)
    }
}

/// A name whose role the next symbol decides.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::python_names) struct WaitingName {
    pub(in crate::python_names) name: Name,
    pub(in crate::python_names) start: i64,
    pub(in crate::python_names) role: Role,
    /// The number of frames around it.
    pub(in crate::python_names) depth: usize,
    pub(in crate::python_names) is_judged: bool,
}

/// All names that wait, by the event that they wait for.
#[derive(Clone, PartialEq, Debug, Default)]
pub(in crate::python_names) struct WaitingNames {
    /// The name that has just been read.
    last: Option<WaitingName>,
    pub(in crate::python_names) targets: Targets,
    /// The names that the statement binds, or deletes, when it has ended.
    to_bind: SmallVec<[Name; 2]>,
    pub(in crate::python_names) obligations: Obligations,
    pub(in crate::python_names) walruses: Walruses,
}

impl WaitingNames {
    /// Lets a name wait for the symbol behind it.
    pub(super) fn wait(&mut self, name: WaitingName) {
        self.last = Some(name);
    }

    /// The name that has just been read, if it waits for the symbol behind it.
    pub(in crate::python_names) fn last(&self) -> Option<&WaitingName> {
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

    pub(in crate::python_names) fn to_bind(&self) -> &[Name] {
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

/// Whether the part of a statement that was read may be a target, with the names that an assignment would bind.
///
/// ```text
/// a, b.c, [d         `a` and `d` are candidates, which an `=` would bind
/// a, b.c, [d] =      ... as here: they are bound, what follows may be targets again
/// a, b.c, [d] +      ... but not here: all of them are used, and nothing that follows is a target
/// ```
#[derive(Clone, PartialEq, Debug)]
pub(in crate::python_names) enum Targets {
    Possible(SmallVec<[WaitingName; 2]>),
    Impossible,
}

impl Default for Targets {
    fn default() -> Self {
        Self::Possible(SmallVec::new())
    }
}

impl Targets {
    pub(in crate::python_names) fn are_possible(&self) -> bool {
        matches!(self, Self::Possible(_))
    }

    /// The names that an assignment would bind: the candidates.
    pub(in crate::python_names) fn candidates(&self) -> &[WaitingName] {
        match self {
            Self::Possible(candidates) => candidates,
            Self::Impossible => &[],
        }
    }

    pub(super) fn add(&mut self, candidate: WaitingName) {
        if let Self::Possible(candidates) = self {
            candidates.push(candidate);
        }
    }

    /// Begins anew: the part that was read has been assigned to, or there is none, and other targets may follow.
    pub(super) fn begin_anew(&mut self) -> SmallVec<[WaitingName; 2]> {
        std::mem::take(self).into_candidates()
    }

    /// Ends all targets: neither the part that was read nor what follows is one.
    pub(super) fn end(&mut self) -> SmallVec<[WaitingName; 2]> {
        std::mem::replace(self, Self::Impossible).into_candidates()
    }

    /// Takes out the names that stand in `depth` brackets or more: they are no targets.
    fn take_deep(&mut self, depth: usize) -> SmallVec<[WaitingName; 2]> {
        match self {
            Self::Possible(candidates) if candidates.iter().any(|name| name.depth >= depth) => {
                let (deep, others) = candidates.drain(..).partition(|name| name.depth >= depth);
                *candidates = others;
                deep
            }
            _ => SmallVec::new(),
        }
    }

    fn into_candidates(self) -> SmallVec<[WaitingName; 2]> {
        match self {
            Self::Possible(candidates) => candidates,
            Self::Impossible => SmallVec::new(),
        }
    }
}

impl NamesReader {
    /// Rules out a target: the candidates of the statement are uses.
    pub(super) fn no_target(&mut self, around: &Surroundings) -> Result<(), NameViolation> {
        let is_inside =
            self.frames.last().is_some_and(|frame| frame.context != NameContext::Target);
        if is_inside || !self.waiting.targets.are_possible() {
            return Ok(());
        }
        let mut candidates = self.waiting.targets.end();
        if self.statement.may_be_soft()
            && self.frames.is_empty()
            && self.statement.behind() == Behind::Operand
        {
            // `match -x:` or `match not x:`, or the value of a variable called `match`.
            candidates.retain(|candidate| !may_be_keyword(candidate));
        }
        self.use_all(candidates, around)
    }

    /// Turns the candidates in `depth` brackets or more into uses.
    pub(super) fn use_candidates(
        &mut self,
        depth: usize,
        around: &Surroundings,
    ) -> Result<(), NameViolation> {
        let candidates = self.waiting.targets.take_deep(depth);
        self.use_all(candidates, around)
    }

    pub(super) fn use_all(
        &mut self,
        candidates: SmallVec<[WaitingName; 2]>,
        around: &Surroundings,
    ) -> Result<(), NameViolation> {
        for candidate in candidates {
            if !(self.statement.may_be_soft() && may_be_keyword(&candidate)) {
                self.use_name(candidate, around)?;
            }
        }
        Ok(())
    }

    /// `(a, b).c`: turns the candidates in brackets into uses, if an attribute or an element is taken of them.
    pub(super) fn use_inner(&mut self, around: &Surroundings) -> Result<(), NameViolation> {
        if self.statement.behind() == Behind::Operand && self.waiting.targets.are_possible() {
            self.use_candidates(self.frames.len() + 1, around)?;
            self.forget_inner_rows();
        }
        Ok(())
    }
}

fn may_be_keyword(name: &WaitingName) -> bool {
    matches!(&*name.name, b"match" | b"type")
}

/// A name whose value is being read.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::python_names) struct Walrus {
    pub(in crate::python_names) name: Name,
    /// The number of frames around it.
    pub(in crate::python_names) depth: usize,
}

/// The names whose values have not ended yet, from the outermost inwards. `:=` binds its name when the value behind it
/// has ended: `(x := x)` uses one that was bound before.
#[derive(Clone, PartialEq, Debug, Default)]
pub(in crate::python_names) struct Walruses(SmallVec<[Walrus; 1]>);

impl Walruses {
    pub(in crate::python_names) fn iter(&self) -> std::slice::Iter<'_, Walrus> {
        self.0.iter()
    }

    /// Takes the innermost name whose value ends in front of a symbol in `depth` frames.
    fn take_ended(&mut self, kind: SymbolKind, depth: usize) -> Option<Name> {
        let last = self.0.last()?;
        let is_end = kind == SymbolKind::Newline
            || last.depth > depth
            || ends_value(kind) && last.depth == depth;
        if is_end { self.0.pop().map(|walrus| walrus.name) } else { None }
    }
}

/// Whether a symbol ends the value of a `:=`, and the body of a lambda.
pub(super) fn ends_value(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Comma
            | SymbolKind::Close
            | SymbolKind::Colon
            | SymbolKind::Semicolon
            | SymbolKind::Newline
            | SymbolKind::For
            | SymbolKind::As
            | SymbolKind::From
            | SymbolKind::Assign
            | SymbolKind::FieldClose
            | SymbolKind::FieldColon
            | SymbolKind::Async
    )
}

impl NamesReader {
    /// Begins the value of a name that stands in front of `:=`.
    pub(super) fn begin_walrus(&mut self, name: Name) {
        let depth = self.frames.len();
        self.waiting.walruses.0.push(Walrus { name, depth });
    }

    /// Binds the names whose values end in front of a symbol.
    pub(super) fn end_walruses(&mut self, kind: SymbolKind) {
        let depth = self.frames.len();
        while let Some(name) = self.waiting.walruses.take_ended(kind, depth) {
            self.scopes.bind(&name);
        }
    }
}
