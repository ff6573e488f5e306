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
    /// What TypeScript imports, which may be types: others may be called so.
    Imported,
    /// An enumeration, which another one goes on with.
    Enumeration,
    /// A type, a namespace, or a function without a body: nothing is said of them.
    Type,
    /// The variable of a `catch` that is a name alone, which `var` may declare again.
    Caught,
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

type Names = FxHashMap<Vec<u8>, usize>;

#[derive(Debug)]
struct Scope {
    kind: ScopeKind,
    variables: Names,
    lexical: Names,
    functions: Names,
    caught: Names,
    imported: Names,
    enumerations: Names,
    types: Names,
}

/// The scopes around a place, the innermost one last.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    scopes: Vec<Scope>,
}

impl Scopes {
    pub(super) fn open(&mut self, kind: ScopeKind) {
        let [variables, lexical, functions, caught, imported, enumerations, types] =
            std::array::from_fn(|_| Names::default());
        self.scopes.push(Scope {
            kind,
            variables,
            lexical,
            functions,
            caught,
            imported,
            enumerations,
            types,
        });
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
        self.scopes.first().is_some_and(|top| {
            [
                &top.variables,
                &top.lexical,
                &top.functions,
                &top.imported,
                &top.enumerations,
                &top.types,
            ]
            .iter()
            .any(|names| names.contains_key(name))
        })
    }

    /// Declares a name; a fault if that is at odds with another declaration.
    pub(super) fn declare(&mut self, name: &[u8], how: Declared, at: usize) -> Option<Fault> {
        let functions_are_variables = self.has_functions_as_variables();
        let scope = self.scopes.last_mut()?;
        let Scope { variables, lexical, functions, caught, imported, enumerations, .. } = scope;
        let other = match how {
            Declared::Lexical => {
                first(&[lexical, functions, variables, caught, enumerations], name)
            }
            Declared::Function if functions_are_variables => first(&[lexical, enumerations], name),
            Declared::Function => first(&[lexical, variables, caught, enumerations], name),
            Declared::Enumeration => first(&[lexical, functions, variables, caught], name),
            Declared::Imported => first(&[imported], name),
            Declared::Caught | Declared::Type => None,
            Declared::Variable => self.declare_variable(name, at),
        };
        let scope = self.scopes.last_mut()?;
        match how {
            Declared::Lexical => drop(scope.lexical.insert(name.to_vec(), at)),
            Declared::Function => drop(scope.functions.insert(name.to_vec(), at)),
            Declared::Caught => drop(scope.caught.insert(name.to_vec(), at)),
            Declared::Imported => drop(scope.imported.insert(name.to_vec(), at)),
            Declared::Enumeration => drop(scope.enumerations.insert(name.to_vec(), at)),
            Declared::Type => drop(scope.types.insert(name.to_vec(), at)),
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
            let kept = scope.lexical.get(name).or_else(|| scope.enumerations.get(name));
            if let Some(&other) = kept.or(function) {
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

/// Where the first of these has a name.
fn first(known: &[&Names], name: &[u8]) -> Option<usize> {
    known.iter().find_map(|names| names.get(name).copied())
}
