//! The brackets, replacement fields and lambdas around a place in a statement.

use smallvec::SmallVec;

use super::rows::Stars;
use crate::python_names::symbols::{Name, Query};

/// The kind of a frame: a bracket or the like that is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::python_names) enum FrameKind {
    /// Brackets around expressions, targets or patterns.
    Group,
    List,
    Brace,
    /// The arguments of a call or a class, or the parts of a class pattern.
    Arguments,
    Subscript,
    Parameters,
    TypeParameters,
    ImportedNames,
    /// A replacement field of an f-string.
    Field,
    /// A lambda, which is no bracket: it ends where the construct around it goes on.
    Lambda,
}

/// The role of the names directly in a frame, or in a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::python_names) enum NameContext {
    Use,
    /// Names that an assignment may turn out to bind.
    Target,
    /// Names that a `for`, `with` or `as` binds.
    Binding,
    Pattern,
}

/// The part of a frame that is being read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::python_names) enum Phase {
    /// The element in front of any `for`; also the item of a `with`.
    Element,
    /// The targets between `for` and `in`, or behind `as`.
    Targets,
    /// The clause behind `in`, or behind `if`.
    Clause,
    /// The beginning of a parameter.
    Parameter,
    Annotation,
    Default,
    Body,
}

/// A construct that is open in a statement.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::python_names) struct OpenConstruct {
    pub(in crate::python_names) kind: FrameKind,
    pub(in crate::python_names) context: NameContext,
    pub(in crate::python_names) phase: Phase,
    /// Whether a `for` may follow its first element.
    pub(in crate::python_names) may_comprehend: bool,
    /// The names that are visible in it: the targets of its `for`s, or parameters.
    pub(in crate::python_names) bound: SmallVec<[Name; 2]>,
    /// The targets of a `for` whose iterable has not ended.
    pub(in crate::python_names) targets: SmallVec<[Name; 2]>,
    /// The keywords of a call so far.
    pub(in crate::python_names) keywords: SmallVec<[Name; 2]>,
    pub(in crate::python_names) stars: Stars,
    pub(in crate::python_names) clauses: Clauses,
    /// The number of commas between its elements.
    pub(in crate::python_names) n_commas: u8,
    /// Whether it holds the arguments of `exec`.
    pub(in crate::python_names) is_exec: bool,
}

/// The parts of a comprehension that decide whether it compiles.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::python_names) struct Clauses {
    /// The number of `for`s so far.
    pub(in crate::python_names) n_fors: u8,
    /// Whether the place is behind `in` and not yet behind `if`.
    pub(in crate::python_names) is_iterable: bool,
    /// Whether the element, if it is one, has a `yield`.
    pub(in crate::python_names) has_yield: bool,
    /// The names that `:=` binds in it.
    pub(in crate::python_names) walruses: SmallVec<[Name; 1]>,
    /// The names that its element reads; they are read in the scope around it, if no `for` follows.
    pub(in crate::python_names) reads: SmallVec<[Name; 1]>,
}

impl OpenConstruct {
    pub(super) fn new(kind: FrameKind, context: NameContext) -> Self {
        let has_parameters =
            matches!(kind, FrameKind::Parameters | FrameKind::TypeParameters | FrameKind::Lambda);
        let is_bracket = matches!(
            kind,
            FrameKind::Group | FrameKind::List | FrameKind::Brace | FrameKind::Arguments
        );
        Self {
            kind,
            context,
            phase: if has_parameters { Phase::Parameter } else { Phase::Element },
            may_comprehend: is_bracket && matches!(context, NameContext::Use | NameContext::Target),
            bound: SmallVec::new(),
            targets: SmallVec::new(),
            keywords: SmallVec::new(),
            stars: Stars::default(),
            clauses: Clauses::default(),
            n_commas: 0,
            is_exec: false,
        }
    }

    /// Whether its element can still get a `for` that binds the names it uses.
    pub(super) fn can_rescue(&self) -> bool {
        self.may_comprehend && self.phase == Phase::Element
    }

    /// Whether the place belongs to a comprehension's own scope: all but the first iterable does.
    pub(super) fn is_in_comprehension(&self) -> bool {
        self.phase == Phase::Clause && !(self.clauses.is_iterable && self.clauses.n_fors == 1)
    }

    /// Whether it is, or may become, a generator, whose element may await in any function.
    pub(super) fn may_generate(&self) -> bool {
        self.is_round() && (self.can_rescue() || self.is_in_comprehension())
    }

    /// Whether a comprehension in it is a generator.
    pub(super) fn is_round(&self) -> bool {
        matches!(self.kind, FrameKind::Group | FrameKind::Arguments)
    }

    /// Whether a `for` would be wrong behind its element.
    pub(in crate::python_names) fn may_turn_wrong(&self) -> bool {
        let clauses = &self.clauses;
        let is_judged = self.can_rescue() || matches!(self.phase, Phase::Targets | Phase::Clause);
        is_judged && (clauses.has_yield || !clauses.walruses.is_empty())
    }

    /// Makes the targets of the last `for` visible.
    pub(super) fn commit(&mut self) {
        self.bound.append(&mut self.targets);
    }

    /// Whether it binds a name of the query, for the place inside.
    pub(super) fn binds(&self, query: Query<'_>) -> bool {
        self.visible().iter().any(|name| query.is_met_by(name))
    }

    /// The names that it binds for the place inside.
    pub(in crate::python_names) fn visible(&self) -> &[Name] {
        let is_visible = match self.kind {
            FrameKind::Lambda => self.phase == Phase::Body,
            FrameKind::Parameters => false,
            _ => true,
        };
        if is_visible { &self.bound } else { &[] }
    }
}
