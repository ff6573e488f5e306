//! Violations of Python's law: the name or the symbol that must not stand where it does, and the reason.

/// A violation of Python's law.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::python_names) struct NameViolation {
    /// The name, or the keyword that must not stand there.
    pub(in crate::python_names) name: Vec<u8>,
    /// The offset where it begins, from the beginning of the hole on.
    pub(in crate::python_names) start: i64,
    pub(in crate::python_names) reason: CompilingReason,
}

/// The reason why a symbol must not stand where it does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::python_names) enum CompilingReason {
    /// No such name is visible.
    Undefined,
    /// `return` outside of functions, and the like.
    OutsideFunction,
    /// `await` and the like outside of asynchronous functions.
    OutsideAsync,
    /// `break` or `continue` outside of loops.
    OutsideLoop,
    /// `yield from`, or a value returned, in an asynchronous generator.
    InAsyncGenerator,
    /// `nonlocal` where no function around binds the name.
    NoNonlocal,
    /// `global` or `nonlocal` behind a use of the name that it declares.
    TooLate,
    /// Two parameters of one name.
    RepeatedParameter,
    /// Two arguments of one name.
    RepeatedKeyword,
    /// A `case` or `except` behind one that takes all.
    Unreachable,
    /// `import *` in a function or class.
    StarImport,
    /// `lazy` in a function, a class or a `try`.
    LazyInside,
    /// `lazy from ... import *`
    LazyStar,
    /// An import from `__future__` that does not stand in front of all else, or would not stand there any more.
    LateFuture,
    /// A starred expression that is no element of a row.
    LoneStar,
    /// A second star in a row of targets, or of patterns.
    SecondStar,
    /// `yield`, or a rebinding of a variable, in a comprehension.
    InComprehension,
    /// A name that is captured twice.
    RepeatedCapture,
    /// Alternatives that capture different names.
    UnequalAlternatives,
    /// A binding of `__debug__`, which nothing may bind.
    Constant,
    /// A feature that `__future__` does not have.
    NoFeature,
    /// `yield`, `await` or `:=` where types are described.
    InType,
    /// `break`, `continue` or `return` in the suite of an `except*`.
    InGroup,
    /// A `return`, `break` or the like of the right context would be left without its function or loop.
    Rest,
}

impl CompilingReason {
    /// The reason as a sentence, with `{}` for the symbol.
    pub(in crate::python_names) fn sentence(self) -> &'static str {
        match self {
            Self::Undefined => "`{}` is not defined here",
            Self::OutsideFunction => "`{}` stands outside of functions",
            Self::OutsideAsync => "`{}` stands outside of asynchronous functions",
            Self::OutsideLoop => "`{}` stands outside of loops",
            Self::InAsyncGenerator => "`{}` does not fit an asynchronous generator",
            Self::NoNonlocal => "no function around this one binds `{}`",
            Self::TooLate => "`{}` is bound before it is declared",
            Self::RepeatedParameter => "the parameter `{}` is repeated",
            Self::RepeatedKeyword => "the keyword `{}` is repeated",
            Self::Unreachable => "nothing is left for this `{}`",
            Self::LoneStar => "a starred expression stands in a row of others",
            Self::SecondStar => "a row of targets has one star",
            Self::InComprehension => "`{}` does not fit a comprehension",
            Self::RepeatedCapture => "`{}` is captured twice",
            Self::UnequalAlternatives => "alternatives capture the same names",
            Self::Constant => "`{}` cannot be bound",
            Self::NoFeature => "`__future__` has no `{}`",
            Self::InType => "`{}` does not fit the description of a type",
            Self::InGroup => "`{}` cannot leave an `except*`",
            Self::Rest => "the lines behind it would leave their function or loop",
            Self::LateFuture => "imports from `__future__` come first",
            Self::StarImport => "`import *` stands outside of the module's own lines",
            Self::LazyInside => "lazy imports stand in no function, class or `try`",
            Self::LazyStar => "a lazy import has no `*`",
        }
    }
}

pub(in crate::python_names) fn wrong(
    name: &[u8],
    start: i64,
    reason: CompilingReason,
) -> NameViolation {
    NameViolation { name: name.to_vec(), start, reason }
}
