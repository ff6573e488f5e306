//! A name that must be said again the same: that of a class, and its constructors'.
//!
//! A rule that has the name ([`Same::first`]) is like a suite of Python that its own end closes, and its name is like the
//! suite's column: charts know the innermost one ([`crate::charts`]), and what says it again ([`Same::again`])
//! stands only where it is the same. Both are terminals that a grammar declares, and are written as others.

use fim_lexer::{Lexer, TerminalId};

use super::description::{GrammarDescription, GrammarError};
use super::rules::Rules;
use super::states::{BodyState, EdgeLabel};

/// The terminals of a name that is said again.
#[derive(Clone, Debug)]
pub(crate) struct Same {
    /// The name; it holds until its rule ends.
    pub(crate) first: TerminalId,
    /// The name again.
    pub(crate) again: TerminalId,
    written: Vec<TerminalId>,
}

impl Same {
    pub(super) fn of(
        description: &GrammarDescription,
        lexer: &Lexer,
    ) -> Result<Option<Self>, GrammarError> {
        let Some(same) = &description.same else { return Ok(None) };
        if lexer.layout().is_some() || lexer.scanner.is_branching() {
            return Err(GrammarError::new(
                "names that are said again do not go together with a layout, nor with readings that the parser chooses",
            ));
        }
        let terminal = |name: &String| {
            let found = lexer.description.terminal(name);
            found.ok_or_else(|| GrammarError::new(format!("no terminal is called {name:?}")))
        };
        let written = same.written.iter().map(terminal).collect::<Result<_, _>>()?;
        Ok(Some(Self { first: terminal(&same.first)?, again: terminal(&same.again)?, written }))
    }

    /// Whether a name may be written as this terminal.
    #[inline]
    pub(crate) fn is_written_as(&self, terminal: TerminalId) -> bool {
        self.written.contains(&terminal)
    }

    /// The terminals as which names are written.
    pub(crate) fn name_terminals(&self) -> &[TerminalId] {
        &self.written
    }
}

/// The states in which a name holds that the rule itself has. The rule must end with a terminal of its own: where it has
/// ended is seen there.
pub(super) fn states_with_name(rules: &Rules, same: &Same) -> Result<Vec<bool>, GrammarError> {
    let mut is_named = vec![false; rules.n_states()];
    let mut todo: Vec<BodyState> =
        rules.states().filter_map(|state| rules.terminal_step(state, same.first)).collect();
    while let Some(state) = todo.pop() {
        if std::mem::replace(&mut is_named[state.index()], true) {
            continue;
        }
        let refused = |what: &str| {
            let rule = rules.name(rules.owner(state));
            Err(GrammarError::new(format!(
                "rule {rule:?} has a name that is said again, and {what}"
            )))
        };
        if rules.is_final(state) {
            return refused("may end with it");
        }
        for &(symbol, to) in rules.edges(state) {
            match symbol {
                EdgeLabel::Nonterminal(_) if rules.is_final(to) => {
                    return refused("does not end with a terminal of its own");
                }
                _ if symbol == EdgeLabel::Terminal(same.first) => {
                    return refused("has another one");
                }
                _ if rules.is_final(to) && rules.has_edges(to) => {
                    return refused("may go on behind its end");
                }
                _ if !rules.is_final(to) => todo.push(to),
                _ => {}
            }
        }
    }
    Ok(is_named)
}
