//! The brackets, replacement fields and lambdas around a place in a statement.

use smallvec::SmallVec;

use super::name_set::{Name, Query};

/// What is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FrameKind {
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
    /// Not a bracket: ends where what is around it goes on.
    Lambda,
}

/// What the names directly in a frame, or in a statement, are there for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Context {
    Use,
    /// They may turn out to be what an assignment binds.
    Target,
    /// A `for`, `with` or `as` binds them.
    Binding,
    Pattern,
}

/// How far a frame has been read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    /// In front of any `for`; also the item of a `with`.
    Element,
    /// Between `for` and `in`, or behind `as`.
    Targets,
    /// Behind `in`, and behind `if`.
    Clause,
    /// Where a parameter begins.
    Parameter,
    Annotation,
    Default,
    Body,
}

/// Something open in a statement.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) kind: FrameKind,
    pub(super) context: Context,
    pub(super) phase: Phase,
    /// Whether a `for` may follow its first element.
    pub(super) may_comprehend: bool,
    /// What is visible in it: the targets of its `for`s, or parameters.
    pub(super) bound: SmallVec<[Name; 2]>,
    /// The targets of a `for` whose iterable has not ended.
    pub(super) targets: SmallVec<[Name; 2]>,
    /// The keywords of a call so far.
    pub(super) keywords: SmallVec<[Name; 2]>,
}

impl Frame {
    pub(super) fn new(kind: FrameKind, context: Context) -> Self {
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
            may_comprehend: is_bracket && matches!(context, Context::Use | Context::Target),
            bound: SmallVec::new(),
            targets: SmallVec::new(),
            keywords: SmallVec::new(),
        }
    }

    /// Whether its element can still get a `for` that binds what it uses.
    pub(super) fn can_rescue(&self) -> bool {
        self.may_comprehend && self.phase == Phase::Element
    }

    /// Makes the targets of the last `for` visible.
    pub(super) fn commit(&mut self) {
        self.bound.append(&mut self.targets);
    }

    /// Whether it binds a name that is asked for, for what stands inside.
    pub(super) fn binds(&self, query: Query<'_>) -> bool {
        let is_visible = match self.kind {
            FrameKind::Lambda => self.phase == Phase::Body,
            FrameKind::Parameters => false,
            _ => true,
        };
        is_visible && self.bound.iter().any(|name| query.is_met_by(name))
    }
}
