//! Which names are declared around a place, and how.

use rustc_hash::FxHashMap;

use super::Fault;

/// How a name is declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Declared {
    Variable,
    /// `let`, `const`, and in JavaScript a class, an import, and functions in blocks of strict code.
    Lexical,
    /// A function in a block of sloppy code, of which there may be two of one name.
    Function,
    /// The variable of a `catch` that is a name alone, which `var` may declare again.
    Caught,
    /// Imports in TypeScript, which may be types: other names may be equal.
    Imported,
    /// A function of TypeScript with a body, which is there once and beside no variable.
    Implemented,
    /// A function without a body.
    Signature,
    /// A class of TypeScript, which is a type, too.
    Class,
    /// One that is only declared: a function may be called so.
    AmbientClass,
    /// An enumeration, which another one goes on with.
    Enumeration,
    ConstEnumeration,
    /// A namespace with something in it that is no type.
    Namespace,
    Interface,
    /// A name that `type` declares.
    Alias,
    /// A namespace of types alone, of which nothing is said.
    Type,
}

impl Declared {
    /// Whether a name may not be declared in both ways in one scope, as TypeScript's binder has it.
    fn is_at_odds_with(self, other: Self) -> bool {
        self.excludes(other) || other.excludes(self)
    }

    /// Each pair is said once, by one of the two.
    fn excludes(self, other: Self) -> bool {
        match self {
            Self::Lexical => other.is_value(),
            Self::Function => other == Self::Variable || other.is_kept(),
            Self::Caught => other == Self::Function || other.is_kept(),
            Self::Variable => other.is_value() && other != Self::Variable,
            Self::Implemented => {
                matches!(other, Self::Implemented | Self::Class) || other.is_enumeration()
            }
            Self::Signature => other == Self::Class || other.is_enumeration(),
            Self::Class | Self::AmbientClass => {
                other.is_class() || other == Self::Alias || other.is_enumeration()
            }
            Self::Enumeration => matches!(other, Self::Interface | Self::Alias),
            Self::ConstEnumeration => {
                Self::Enumeration.excludes(other)
                    || matches!(other, Self::Enumeration | Self::Namespace)
            }
            Self::Alias => matches!(other, Self::Alias | Self::Interface),
            Self::Imported => other == Self::Imported,
            Self::Namespace | Self::Interface | Self::Type => false,
        }
    }

    fn is_class(self) -> bool {
        matches!(self, Self::Class | Self::AmbientClass)
    }

    fn is_enumeration(self) -> bool {
        matches!(self, Self::Enumeration | Self::ConstEnumeration)
    }

    /// Whether the blocks between a `var` and its function may not have such a name.
    fn is_kept(self) -> bool {
        matches!(self, Self::Lexical | Self::Implemented)
            || self.is_class()
            || self.is_enumeration()
    }

    /// Whether it is there when a program runs, in TypeScript's words; functions in sloppy blocks and imports apart.
    pub(super) fn is_value(self) -> bool {
        self.is_kept() || matches!(self, Self::Variable | Self::Signature | Self::Namespace)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ScopeKind {
    /// A function's, or the text's own one.
    Function,
    /// A module's own one, in which functions are like `let`.
    Module,
    /// A namespace's of TypeScript.
    Namespace,
    Block,
}

#[derive(Debug)]
struct Scope {
    kind: ScopeKind,
    /// How each name is declared, and where it was first declared so.
    names: FxHashMap<Vec<u8>, Vec<(Declared, usize)>>,
}

impl Scope {
    /// Where a name is declared in a way that is one of some.
    fn first(&self, name: &[u8], is_one: impl Fn(Declared) -> bool) -> Option<usize> {
        self.names.get(name)?.iter().find(|(how, _)| is_one(*how)).map(|(_, at)| *at)
    }

    fn add(&mut self, name: &[u8], how: Declared, at: usize) {
        let known = self.names.entry(name.to_vec()).or_default();
        if known.iter().all(|(other, _)| *other != how) {
            known.push((how, at));
        }
    }
}

/// The scopes around a place, the innermost one last.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    scopes: Vec<Scope>,
}

impl Scopes {
    pub(super) fn open(&mut self, kind: ScopeKind) {
        self.scopes.push(Scope { kind, names: FxHashMap::default() });
    }

    pub(super) fn close(&mut self) {
        self.scopes.pop();
    }

    /// Whether a function that is declared here is so as `var` does it.
    pub(super) fn has_functions_as_variables(&self) -> bool {
        self.scopes.last().is_some_and(|scope| scope.kind == ScopeKind::Function)
    }

    /// Whether no block and no function is around but a module and namespaces.
    pub(super) fn is_outermost(&self) -> bool {
        self.scopes.iter().skip(1).all(|scope| scope.kind == ScopeKind::Namespace)
    }

    /// Whether the outermost scope has a name.
    pub(super) fn has_at_top(&self, name: &[u8]) -> bool {
        self.scopes.first().is_some_and(|top| top.names.contains_key(name))
    }

    /// Declares a name; a fault if that is at odds with another declaration.
    pub(super) fn declare(&mut self, name: &[u8], how: Declared, at: usize) -> Option<Fault> {
        let other = match how {
            Declared::Variable => self.declare_variable(name, at),
            Declared::Caught => self.declare_here(name, how, at, |_| false),
            Declared::Function if self.has_functions_as_variables() => {
                self.declare_here(name, how, at, Declared::is_kept)
            }
            _ => self.declare_here(name, how, at, |other| how.is_at_odds_with(other)),
        };
        other.map(|other| Fault {
            at,
            other: Some(other),
            name: name.to_vec(),
            reason: "`{}` has been declared already",
        })
    }

    fn declare_here(
        &mut self,
        name: &[u8],
        how: Declared,
        at: usize,
        is_at_odds: impl Fn(Declared) -> bool,
    ) -> Option<usize> {
        let scope = self.scopes.last_mut()?;
        let other = scope.first(name, is_at_odds);
        scope.add(name, how, at);
        other
    }

    fn declare_variable(&mut self, name: &[u8], at: usize) -> Option<usize> {
        for scope in self.scopes.iter_mut().rev() {
            let kind = scope.kind;
            let is_at_odds = |other: Declared| match other {
                Declared::Function => kind != ScopeKind::Function,
                Declared::Signature | Declared::Namespace => kind != ScopeKind::Block,
                _ => other.is_kept(),
            };
            if let Some(other) = scope.first(name, is_at_odds) {
                return Some(other);
            }
            scope.add(name, Declared::Variable, at);
            if kind != ScopeKind::Block {
                break;
            }
        }
        None
    }
}
