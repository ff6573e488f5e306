//! JavaScript's and TypeScript's early errors, those that need no types: texts that the specification refuses although
//! its grammar does not.
//!
//! Names that are declared twice, labels and private names that are not there, `break` without a loop, `super` out
//! of place, words that strict code lacks: a reader goes through a text once it may end ([`check`]), as a module and as
//! the function that Node makes of it; one of them suffices. Before the end nothing is refused. Code that is not read is not
//! wrong, nor is what is wrong in the contexts alone.
//!
//! TypeScript is asked about the parts that it shares with JavaScript; types are passed over.
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

/// The faults of a text of the grammar's; none where it is right, or cannot be judged.
fn check(text: &[u8], dialect: ScriptDialect) -> Vec<Fault> {
    let read = |goal, has_old_comments| {
        let mut reader = Reader::new(text, goal, dialect, has_old_comments).ok()?;
        reader.program().ok()?;
        Some(reader)
    };
    let wrapped = read(Goal::Wrapped, !dialect.has_types);
    if wrapped.as_ref().is_some_and(|reader| reader.faults.is_empty()) {
        return Vec::new();
    }
    match (wrapped, read(Goal::Module, false)) {
        (None, Some(module)) if module.is_module => module.faults,
        (Some(wrapped), Some(module)) if wrapped.faults.len() <= module.faults.len() => {
            wrapped.faults
        }
        (Some(_), Some(module)) => module.faults,
        (Some(wrapped), None) if wrapped.is_script() => wrapped.faults,
        (None, None) if !dialect.has_types => {
            let module = read(Goal::Module, true).filter(|reader| reader.is_module);
            module.map_or_else(Vec::new, Reader::faults_with_old_comment)
        }
        _ => Vec::new(),
    }
}
