//! JavaScript's and TypeScript's early errors, those that need no types: what JavaScript's specification refuses although
//! its grammar does not.
//!
//! Names that are declared twice, labels and private names that are not there, `break` without a loop, `super` out
//! of place, what strict code has not: a reader goes through the whole text once it may end ([`check`]), as a module and as
//! what Node wraps into a function; one of them suffices. Before the end nothing is refused. What the reader does not know is not
//! wrong, nor is what is wrong in the contexts alone.
//!
//! In TypeScript the same is asked of what it shares with JavaScript; types are passed over.
//!
//! Reading order: `tokens`, `scopes`, `reader`, `expressions`, `operands`, `functions`, `classes`,
//! `statements`, `modules`, `types`, `typed_expressions`, `typed_statements`, `elements`, `escapes`, `held`.

mod classes;
mod elements;
mod escapes;
mod expressions;
mod functions;
mod held;
mod modules;
mod operands;
mod reader;
mod scopes;
mod statements;
mod tokens;
mod typed_expressions;
mod typed_statements;
mod types;
mod words;

pub(crate) use self::held::law;
use self::reader::{Goal, Reader, ScriptDialect};

/// Something that is wrong with a text.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Fault {
    /// Where it is, and what it is at odds with, if that is elsewhere.
    at: usize,
    other: Option<usize>,
    name: Vec<u8>,
    reason: &'static str,
}

/// What is wrong with a text of the grammar's; none where it is right, or cannot be told.
fn check(text: &[u8], dialect: ScriptDialect) -> Vec<Fault> {
    let read = |goal| {
        let mut reader = Reader::new(text, goal, dialect).ok()?;
        reader.program().ok()?;
        Some(reader.faults)
    };
    let wrapped = read(Goal::Wrapped);
    if wrapped.as_ref().is_some_and(Vec::is_empty) {
        return Vec::new();
    }
    let module = read(Goal::Module);
    match (wrapped, module) {
        // Imports and exports make it a module.
        (None, Some(faults)) if is_module(text, dialect) => faults,
        (Some(wrapped), Some(module)) => {
            if module.len() < wrapped.len() {
                module
            } else {
                wrapped
            }
        }
        _ => Vec::new(),
    }
}

/// Whether a text imports or exports something.
fn is_module(text: &[u8], dialect: ScriptDialect) -> bool {
    let Ok(mut reader) = Reader::new(text, Goal::Module, dialect) else { return false };
    reader.program().is_ok() && reader.is_module
}
