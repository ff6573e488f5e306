//! Which names are declared around a place, and how.

use rustc_hash::FxHashMap;

use super::Fault;

/// How a name is declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Declared {
    Variable,
    /// `let`, `const`, a class, an import, and functions in blocks of strict code.
    Lexical,
    /// A function in a block of sloppy code, of which there may be two of one name.
    Function,
    /// The variable of a `catch` that is a name alone, which `var` may declare again.
    Caught,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ScopeKind {
    /// A function's, or the text's own one.
    Function,
    /// A module's own one, in which functions are like `let`.
    Module,
    Block,
}

type Names = FxHashMap<Vec<u8>, usize>;

#[derive(Debug)]
struct Scope {
    kind: ScopeKind,
    variables: Names,
    lexical: Names,
    functions: Names,
    caught: Names,
}

/// The scopes around a place, the innermost one last.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    scopes: Vec<Scope>,
}

impl Scopes {
    pub(super) fn open(&mut self, kind: ScopeKind) {
        let [variables, lexical, functions, caught] = std::array::from_fn(|_| Names::default());
        self.scopes.push(Scope { kind, variables, lexical, functions, caught });
    }

    pub(super) fn close(&mut self) {
        self.scopes.pop();
    }

    /// Whether a function that is declared here is so as `var` does it.
    pub(super) fn has_functions_as_variables(&self) -> bool {
        self.scopes.last().is_some_and(|scope| scope.kind == ScopeKind::Function)
    }

    /// Whether the outermost scope has a name.
    pub(super) fn has_at_top(&self, name: &[u8]) -> bool {
        self.scopes.first().is_some_and(|top| {
            [&top.variables, &top.lexical, &top.functions]
                .iter()
                .any(|names| names.contains_key(name))
        })
    }

    /// Declares a name; a fault if that is at odds with another declaration.
    pub(super) fn declare(&mut self, name: &[u8], how: Declared, at: usize) -> Option<Fault> {
        let functions_are_variables = self.has_functions_as_variables();
        let scope = self.scopes.last_mut()?;
        let Scope { variables, lexical, functions, caught, .. } = scope;
        let other = match how {
            Declared::Lexical => [&*lexical, functions, variables, caught]
                .iter()
                .find_map(|names| names.get(name).copied()),
            Declared::Function if functions_are_variables => lexical.get(name).copied(),
            Declared::Function => {
                [&*lexical, variables, caught].iter().find_map(|names| names.get(name).copied())
            }
            Declared::Caught => None,
            Declared::Variable => self.declare_variable(name, at),
        };
        let scope = self.scopes.last_mut()?;
        match how {
            Declared::Lexical => drop(scope.lexical.insert(name.to_vec(), at)),
            Declared::Function => drop(scope.functions.insert(name.to_vec(), at)),
            Declared::Caught => drop(scope.caught.insert(name.to_vec(), at)),
            Declared::Variable => {}
        }
        other.map(|other| Fault {
            at,
            other: Some(other),
            name: name.to_vec(),
            reason: "`{}` has been declared already",
        })
    }

    fn declare_variable(&mut self, name: &[u8], at: usize) -> Option<usize> {
        for scope in self.scopes.iter_mut().rev() {
            let is_function = scope.kind == ScopeKind::Function;
            let function = scope.functions.get(name).filter(|_| !is_function);
            if let Some(&other) = scope.lexical.get(name).or(function) {
                return Some(other);
            }
            scope.variables.insert(name.to_vec(), at);
            if scope.kind != ScopeKind::Block {
                break;
            }
        }
        None
    }
}
