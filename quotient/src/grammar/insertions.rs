//! Symbols that no text stands for, inserted where a grammar says so.
//!
//! They are of two kinds. One stands for something that a writer left out (a semicolon at the end of a line): it has
//! a symbol that could have been written in its place, so that whether a text can go on never depends on it: this
//! is checked here. The other marks a line break, or that there is none, and stands wherever it holds; a break
//! can be written wherever there is none.

use fim_lexer::{Lexer, TerminalId};

use super::description::GrammarError;
use super::rules::Rules;
use super::states::BodyState;

/// The kind of an inserted symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Inserted {
    /// One that could have been written: that one, the shortest if there are several.
    Omitted(TerminalId),
    /// One that stands wherever there is a line break, or wherever there is none.
    Mark,
}

/// The kind of a terminal, if it is inserted.
pub(crate) fn inserted_kind(
    rules: &Rules,
    lexer: &Lexer,
    terminal: TerminalId,
) -> Option<Inserted> {
    let branching = lexer.description.branching.as_ref()?;
    let name = lexer.description.names().nth(terminal.index())?;
    if branching.unbroken.iter().chain(&branching.broken).any(|mark| mark == name) {
        return Some(Inserted::Mark);
    }
    let is_omitted = branching.inserted.iter().any(|insertion| insertion.name == name);
    is_omitted.then(|| written_for(rules, lexer, terminal).map(Inserted::Omitted))?
}

/// Refuses rules in which an inserted symbol stands where none could have been written.
pub(super) fn check_insertions(rules: &Rules, lexer: &Lexer) -> Result<(), GrammarError> {
    let Some(branching) = &lexer.description.branching else { return Ok(()) };
    for insertion in &branching.inserted {
        let name = &insertion.name;
        let terminal = lexer.description.terminal(name);
        if terminal.is_some_and(|terminal| written_for(rules, lexer, terminal).is_none()) {
            return Err(GrammarError::new(format!(
                "{name} is inserted, so one and the same written symbol must be an alternative wherever it stands"
            )));
        }
    }
    Ok(())
}

/// The shortest terminal with a text that may be written wherever this one stands.
fn written_for(rules: &Rules, lexer: &Lexer, terminal: TerminalId) -> Option<TerminalId> {
    let places: Vec<(BodyState, BodyState)> = rules
        .states()
        .filter_map(|state| Some((state, rules.terminal_step(state, terminal)?)))
        .collect();
    let terminals = lexer.description.terminals.iter().enumerate();
    let candidates =
        terminals.map(|(index, written)| (written.pattern.len(), TerminalId(index as u16)));
    let stands_too = |&(_, written): &(usize, TerminalId)| {
        places.iter().all(|&(state, to)| rules.terminal_step(state, written) == Some(to))
    };
    let is_used = |&(_, written): &(usize, TerminalId)| {
        rules.states().any(|state| rules.terminal_step(state, written).is_some())
    };
    candidates.filter(stands_too).filter(is_used).min().map(|(_, written)| written)
}
