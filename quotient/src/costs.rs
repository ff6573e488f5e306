//! What symbols and rules cost to write: the lengths behind shortest completions.
//!
//! A cost counts two for each byte of the shortest text of a terminal and one for each symbol
//! (the space that may be needed in front of it). The cheapest text of a rule is Knuth's
//! generalization of Dijkstra's algorithm; between two states of a body it is Dijkstra's.

use fim_lexer::reach::Reach;
use fim_lexer::{Lexer, TerminalId};

use crate::rules::{BodyState, Nonterminal, Rules, Symbol};

/// The cost of what cannot be done.
pub(crate) const IMPOSSIBLE: u32 = u32::MAX / 4;

/// Costs that do not depend on any text.
#[derive(Debug)]
pub(crate) struct Costs {
    terminal: Vec<u32>,
    nonterminal: Vec<u32>,
    to_final: Vec<u32>,
    first_state: Vec<u32>,
    n_states: Vec<u32>,
    between: Vec<u32>,
    first_between: Vec<u32>,
}

impl Costs {
    pub(crate) fn new(rules: &Rules, lexer: &Lexer, reach: &Reach) -> Self {
        let terminal = terminal_costs(rules, lexer, reach);
        let mut costs = Self {
            terminal,
            nonterminal: vec![IMPOSSIBLE; rules.n_nonterminals()],
            to_final: Vec::new(),
            first_state: Vec::new(),
            n_states: Vec::new(),
            between: Vec::new(),
            first_between: Vec::new(),
        };
        costs.find_nonterminals(rules);
        costs.find_distances(rules);
        costs
    }

    /// Improves the rules' costs until nothing changes; each round is final for one more rule.
    fn find_nonterminals(&mut self, rules: &Rules) {
        loop {
            self.to_final = self.distances_to_finals(rules);
            let found: Vec<u32> = (0..rules.n_nonterminals())
                .map(|index| self.to_final[rules.start(Nonterminal(index as u16)).index()])
                .collect();
            // The root of a nullable language costs nothing, which no edge ever uses.
            if found == self.nonterminal {
                return;
            }
            self.nonterminal = found;
        }
    }

    fn distances_to_finals(&self, rules: &Rules) -> Vec<u32> {
        let mut distance: Vec<u32> = rules
            .states()
            .map(|state| if rules.is_final(state) { 0 } else { IMPOSSIBLE })
            .collect();
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for state in rules.states().collect::<Vec<_>>().into_iter().rev() {
                for &(symbol, to) in rules.edges(state) {
                    let through = self.symbol(symbol).saturating_add(distance[to.index()]);
                    if through < distance[state.index()] {
                        distance[state.index()] = through;
                        is_changed = true;
                    }
                }
            }
        }
        distance
    }

    fn find_distances(&mut self, rules: &Rules) {
        let n_nonterminals = rules.n_nonterminals();
        self.first_state = vec![0; n_nonterminals];
        self.n_states = vec![0; n_nonterminals];
        for state in rules.states() {
            let owner = rules.owner(state).index();
            if self.n_states[owner] == 0 {
                self.first_state[owner] = state.index() as u32;
            }
            self.n_states[owner] += 1;
        }
        for owner in 0..n_nonterminals {
            self.first_between.push(self.between.len() as u32);
            let first = self.first_state[owner] as usize;
            let n_states = self.n_states[owner] as usize;
            for from in first..first + n_states {
                let row = self.distances_from(rules, first, n_states, from);
                self.between.extend(row);
            }
        }
    }

    /// Bodies are small, so plain relaxation does.
    fn distances_from(
        &self,
        rules: &Rules,
        first: usize,
        n_states: usize,
        from: usize,
    ) -> Vec<u32> {
        let mut distance = vec![IMPOSSIBLE; n_states];
        distance[from - first] = 0;
        let mut todo = vec![from];
        while let Some(state) = todo.pop() {
            for &(symbol, to) in rules.edges(BodyState(state as u16)) {
                let through = distance[state - first].saturating_add(self.symbol(symbol));
                if through < distance[to.index() - first] {
                    distance[to.index() - first] = through;
                    todo.push(to.index());
                }
            }
        }
        distance
    }

    /// The cost of one symbol.
    pub(crate) fn symbol(&self, symbol: Symbol) -> u32 {
        match symbol {
            Symbol::Terminal(terminal) => self.terminal[terminal.index()],
            Symbol::Nonterminal(child) => self.nonterminal[child.index()],
        }
    }

    /// The cost of the cheapest way to end a body from this state.
    #[inline]
    pub(crate) fn to_final(&self, state: BodyState) -> u32 {
        self.to_final[state.index()]
    }

    /// The cost of the cheapest way between two states of the same body.
    #[inline]
    pub(crate) fn between(&self, rules: &Rules, from: BodyState, to: BodyState) -> u32 {
        let owner = rules.owner(from).index();
        debug_assert_eq!(owner, rules.owner(to).index());
        let first = self.first_state[owner];
        let row = (from.0 as u32 - first) * self.n_states[owner];
        self.between[(self.first_between[owner] + row + (to.0 as u32 - first)) as usize]
    }
}

fn terminal_costs(rules: &Rules, lexer: &Lexer, reach: &Reach) -> Vec<u32> {
    let mut costs = vec![3; rules.n_terminals()];
    if let Some(layout) = lexer.layout() {
        costs[layout.dedent.index()] = 0;
    }
    let scanner = &lexer.scanner;
    let start = scanner.start(None);
    for (index, terminal) in lexer.description.terminals.iter().enumerate() {
        let id = TerminalId(index as u16);
        let is_wanted = |found| scanner.emission(found).symbols == [id];
        let text = reach.shortest_symbol(scanner, start, is_wanted);
        // Unused error terminals and those that stand for others have no text of their own.
        costs[index] = match text {
            Some(text) => text.len() as u32 * 2 + 1,
            None => terminal.pattern.len() as u32 * 2 + 1,
        };
    }
    costs
}
