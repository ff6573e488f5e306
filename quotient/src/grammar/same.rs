//! Repeated names, which must be said again in equal words: that of a class, and its constructors'.
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
    /// `first` as a set of terminals, a bit for each.
    first_bits: Box<[u64]>,
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
        let (first, again) = (terminal(&same.first)?, terminal(&same.again)?);
        let mut first_bits = vec![0; lexer.description.n_terminals().div_ceil(64)];
        add(&mut first_bits, first);
        Ok(Some(Self { first, again, written, first_bits: first_bits.into() }))
    }
}

/// Questions of other modules about repeated names. A language without any has an answer, too: none.
impl Rules {
    /// The names that may be written as this terminal, if names may.
    #[inline]
    pub(crate) fn names_written_as(&self, terminal: TerminalId) -> Option<&Same> {
        self.same.as_ref().filter(|same| same.written.contains(&terminal))
    }

    /// The terminals as which names are written.
    #[inline]
    pub(crate) fn written_names(&self) -> &[TerminalId] {
        self.same.as_ref().map_or(&[], |same| &same.written)
    }

    /// The terminals of the name and of the name again.
    #[inline]
    pub(crate) fn said_names(&self) -> impl Iterator<Item = TerminalId> + use<> {
        let both = self.same.as_ref().map(|same| [same.first, same.again]);
        both.into_iter().flatten()
    }

    /// The terminal of the name. A chart's predictions do not tell its followers: they depend on the name.
    #[inline]
    pub(crate) fn first_name(&self) -> Option<TerminalId> {
        self.same.as_ref().map(|same| same.first)
    }

    /// The part of a set of terminals that is not [`Self::first_name`]; `word` is at this index of the set.
    #[inline]
    pub(crate) fn without_first_name(&self, index: usize, word: u64) -> u64 {
        self.same.as_ref().map_or(word, |same| word & !same.first_bits[index])
    }

    /// Adds what names are written as to a set of terminals, if a name is in it.
    pub(crate) fn add_written_names(&self, set: &mut [u64]) {
        if self.said_names().any(|name| contains(set, name)) {
            self.written_names().iter().for_each(|&written| add(set, written));
        }
    }
}

fn add(set: &mut [u64], terminal: TerminalId) {
    set[terminal.index() / 64] |= 1 << (terminal.index() % 64);
}

fn contains(set: &[u64], terminal: TerminalId) -> bool {
    set[terminal.index() / 64] & (1 << (terminal.index() % 64)) != 0
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
