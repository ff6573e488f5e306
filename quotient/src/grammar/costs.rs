//! Costs of symbols and rules to write: the lengths behind shortest completions.
//!
//! A cost counts [`BYTE`] for each byte that cannot be saved and one for each symbol: of texts that
//! are equally long, one of few symbols is planned, for it needs the fewest separators. A terminal
//! costs its shortest text in any mode. A space is counted where a word certainly stands in front
//! (`return a`), and white space where a line of the same rule must begin (`except` at the column of
//! its `try`). No text is shorter than its cost says, which is what lets a witness be proven a
//! shortest one. The cheapest text of a rule is Knuth's generalization of Dijkstra's algorithm; between
//! two states of a body it is Dijkstra's.

use std::sync::OnceLock;

use fim_lexer::lexer::LayoutTerminals;
use fim_lexer::reach::Reach;
use fim_lexer::scanner::RawState;
use fim_lexer::{Column, Lexer, TerminalId};

use super::insertions::inserted_kind;
use super::rules::Rules;
use super::states::{BodyState, EdgeLabel, Nonterminal};

/// The cost of the impossible.
pub(crate) const IMPOSSIBLE: u32 = u32::MAX / 4;

/// The cost of one byte. Fewer symbols than this are in any completion that matters.
pub(crate) const BYTE: u32 = 1 << 12;

/// Lines that stand deeper than this are taken to stand here: what they cost is not more.
const MAX_WIDTH: usize = 80;

/// Costs that do not depend on any text.
#[derive(Debug)]
pub(crate) struct Costs {
    terminal: Vec<WordCost>,
    layout: Option<LayoutTerminals>,
    /// The states that only words lead to, which a space must divide from another word.
    is_behind_word: Vec<bool>,
    first_state: Vec<u32>,
    n_states: Vec<u32>,
    first_between: Vec<u32>,
    /// By the column that a rule stands at, computed on first use.
    tables: Vec<OnceLock<Table>>,
}

/// A cost, and the cost behind a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct WordCost {
    anywhere: u32,
    behind_word: u32,
}

impl WordCost {
    const IMPOSSIBLE: Self = Self { anywhere: IMPOSSIBLE, behind_word: IMPOSSIBLE };

    fn plus(self, rest: u32) -> Self {
        Self {
            anywhere: self.anywhere.saturating_add(rest).min(IMPOSSIBLE),
            behind_word: self.behind_word.saturating_add(rest).min(IMPOSSIBLE),
        }
    }

    fn least(self, other: Self) -> Self {
        Self {
            anywhere: self.anywhere.min(other.anywhere),
            behind_word: self.behind_word.min(other.behind_word),
        }
    }
}

/// The costs of rules that stand at one column.
#[derive(Debug)]
struct Table {
    width: u32,
    nonterminal: Vec<WordCost>,
    to_final: Vec<u32>,
    between: Vec<u32>,
}

/// The costs of rules that stand at one column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CostsAt<'a> {
    costs: &'a Costs,
    pub(crate) rules: &'a Rules,
    table: &'a Table,
}

impl Costs {
    pub(crate) fn new(rules: &Rules, lexer: &Lexer, reach: &Reach) -> Self {
        let n_nonterminals = rules.n_nonterminals();
        let mut costs = Self {
            terminal: terminal_costs(rules, lexer, reach),
            layout: lexer.layout(),
            is_behind_word: states_behind_words(rules, lexer),
            first_state: vec![0; n_nonterminals],
            n_states: vec![0; n_nonterminals],
            first_between: Vec::with_capacity(n_nonterminals),
            tables: (0..=MAX_WIDTH).map(|_| OnceLock::new()).collect(),
        };
        for state in rules.states() {
            let owner = rules.owner(state).index();
            if costs.n_states[owner] == 0 {
                costs.first_state[owner] = state.index() as u32;
            }
            costs.n_states[owner] += 1;
        }
        let mut n_between = 0;
        for &n_states in &costs.n_states {
            costs.first_between.push(n_between);
            n_between += n_states * n_states;
        }
        costs
    }

    /// The bytes of a terminal's shortest text.
    pub(crate) fn n_bytes(&self, terminal: TerminalId) -> u32 {
        self.terminal[terminal.index()].anywhere / BYTE
    }

    /// The costs of rules that stand at `column`.
    #[inline]
    pub(crate) fn at<'a>(&'a self, rules: &'a Rules, column: Column) -> CostsAt<'a> {
        let width = (column.narrow as usize).min(MAX_WIDTH);
        let table = self.tables[width].get_or_init(|| Table::new(self, rules, width as u32));
        CostsAt { costs: self, rules, table }
    }

    /// The cost of a symbol behind a state, where rules stand at the table's column.
    fn edge(&self, rules: &Rules, table: &Table, from: BodyState, symbol: EdgeLabel) -> WordCost {
        let cost = match symbol {
            EdgeLabel::Terminal(terminal) => self.terminal[terminal.index()],
            EdgeLabel::Nonterminal(child) => table.nonterminal[child.index()],
        };
        if rules.is_line_start(from) && !self.is_layout(symbol) {
            let is_marked = u32::from(rules.is_marked(from));
            return cost.plus(BYTE * (table.width + is_marked));
        }
        cost
    }

    fn is_layout(&self, symbol: EdgeLabel) -> bool {
        let Some(layout) = self.layout else { return false };
        [layout.newline, layout.indent, layout.dedent].map(EdgeLabel::Terminal).contains(&symbol)
    }

    /// The cost of an edge behind the symbol that is known to stand in front.
    fn edge_behind(&self, rules: &Rules, table: &Table, from: BodyState, symbol: EdgeLabel) -> u32 {
        let cost = self.edge(rules, table, from, symbol);
        if self.is_behind_word[from.index()] { cost.behind_word } else { cost.anywhere }
    }
}

impl CostsAt<'_> {
    /// The cost of a symbol behind a state of a body; behind a word if the body begins there and
    /// one is in front of it.
    pub(crate) fn edge(self, from: BodyState, symbol: EdgeLabel, is_behind_word: bool) -> u32 {
        let cost = self.costs.edge(self.rules, self.table, from, symbol);
        let is_behind_word = is_behind_word || self.is_behind_word(from);
        if is_behind_word { cost.behind_word } else { cost.anywhere }
    }

    /// Whether only words lead to this state.
    pub(crate) fn is_behind_word(self, state: BodyState) -> bool {
        self.costs.is_behind_word[state.index()]
    }

    /// The cost of the cheapest way to end a body from this state.
    #[inline]
    pub(crate) fn to_final(self, state: BodyState) -> u32 {
        self.table.to_final[state.index()]
    }

    /// The cost of the cheapest way between two states of the same body.
    #[inline]
    pub(crate) fn between(self, from: BodyState, to: BodyState) -> u32 {
        let owner = self.rules.owner(from).index();
        debug_assert_eq!(owner, self.rules.owner(to).index());
        let first = self.costs.first_state[owner];
        let row = (u32::from(from.0) - first) * self.costs.n_states[owner];
        let index = self.costs.first_between[owner] + row + (u32::from(to.0) - first);
        self.table.between[index as usize]
    }
}

impl Table {
    fn new(costs: &Costs, rules: &Rules, width: u32) -> Self {
        let mut table = Self {
            width,
            nonterminal: vec![WordCost::IMPOSSIBLE; rules.n_nonterminals()],
            to_final: vec![IMPOSSIBLE; rules.n_states()],
            between: Vec::new(),
        };
        table.find_nonterminals(costs, rules);
        table.find_distances(costs, rules);
        table
    }

    /// Improves the rules' costs until nothing changes; each round is final for one more rule.
    fn find_nonterminals(&mut self, costs: &Costs, rules: &Rules) {
        loop {
            self.find_ends(costs, rules);
            let found: Vec<WordCost> = (0..rules.n_nonterminals())
                .map(|index| self.rule_cost(costs, rules, Nonterminal(index as u16)))
                .collect();
            if found == self.nonterminal {
                return;
            }
            self.nonterminal = found;
        }
    }

    /// The cost of a rule from its start, whose first symbol may stand behind a word.
    fn rule_cost(&self, costs: &Costs, rules: &Rules, nonterminal: Nonterminal) -> WordCost {
        let start = rules.start(nonterminal);
        if rules.is_final(start) {
            // The root of a nullable language costs nothing, which no edge ever uses.
            return WordCost { anywhere: 0, behind_word: 0 };
        }
        let ways = rules.edges(start).iter().map(|&(symbol, to)| {
            costs.edge(rules, self, start, symbol).plus(self.to_final[to.index()])
        });
        ways.fold(WordCost::IMPOSSIBLE, WordCost::least)
    }

    fn find_ends(&mut self, costs: &Costs, rules: &Rules) {
        for state in rules.states() {
            self.to_final[state.index()] = if rules.is_final(state) { 0 } else { IMPOSSIBLE };
        }
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for state in rules.states().collect::<Vec<_>>().into_iter().rev() {
                for &(symbol, to) in rules.edges(state) {
                    let cost = costs.edge_behind(rules, self, state, symbol);
                    let through = cost.saturating_add(self.to_final[to.index()]);
                    if through < self.to_final[state.index()] {
                        self.to_final[state.index()] = through;
                        is_changed = true;
                    }
                }
            }
        }
    }

    fn find_distances(&mut self, costs: &Costs, rules: &Rules) {
        for owner in 0..rules.n_nonterminals() {
            let first = costs.first_state[owner] as usize;
            let n_states = costs.n_states[owner] as usize;
            for from in first..first + n_states {
                let row = self.distances_from(costs, rules, first, n_states, from);
                self.between.extend(row);
            }
        }
    }

    /// Bodies are small, so plain relaxation does.
    fn distances_from(
        &self,
        costs: &Costs,
        rules: &Rules,
        first: usize,
        n_states: usize,
        from: usize,
    ) -> Vec<u32> {
        let mut distance = vec![IMPOSSIBLE; n_states];
        distance[from - first] = 0;
        let mut todo = vec![from];
        while let Some(state) = todo.pop() {
            let state = BodyState(state as u16);
            for &(symbol, to) in rules.edges(state) {
                let cost = costs.edge_behind(rules, self, state, symbol);
                let through = distance[state.index() - first].saturating_add(cost);
                if through < distance[to.index() - first] {
                    distance[to.index() - first] = through;
                    todo.push(to.index());
                }
            }
        }
        distance
    }
}

/// The bytes of the shortest text of each terminal in any mode, anywhere and behind a word.
fn terminal_costs(rules: &Rules, lexer: &Lexer, reach: &Reach) -> Vec<WordCost> {
    let scanner = &lexer.scanner;
    let mut shortest = vec![(usize::MAX, usize::MAX); rules.n_terminals()];
    for start in scanner.mode_starts() {
        let anywhere = reach.lengths(scanner, start, |_| true);
        let by_sign = reach.lengths(scanner, start, |byte| !is_of_word(byte));
        for (index, emission) in scanner.emissions().iter().enumerate() {
            let [terminal] = emission.symbols[..] else { continue };
            // Terminals that no rule has stand for errors.
            let Some(known) = shortest.get_mut(terminal.index()) else { continue };
            known.0 = known.0.min(anywhere[index]);
            let behind_word = by_sign[index].min(anywhere[index].saturating_add(1));
            known.1 = known.1.min(behind_word);
        }
    }
    let mut costs: Vec<WordCost> = shortest
        .into_iter()
        .map(|(anywhere, behind_word)| {
            // Terminals that nothing is spelled like stand for others.
            let cost = |length: usize| match length {
                usize::MAX => BYTE + 1,
                length => BYTE * length as u32 + 1,
            };
            WordCost { anywhere: cost(anywhere), behind_word: cost(behind_word) }
        })
        .collect();
    if let Some(layout) = lexer.layout() {
        // The cost of an INDENT is counted with the first symbol behind it; the right context may go on
        // from the backslash of a joined line break.
        for free in [Some(layout.indent), Some(layout.dedent), layout.joined].into_iter().flatten()
        {
            costs[free.index()] = WordCost { anywhere: 0, behind_word: 0 };
        }
    }
    let written = rules.written_names().iter().map(|written| costs[written.index()]);
    let least = written.fold(WordCost::IMPOSSIBLE, WordCost::least);
    rules.said_names().for_each(|name| costs[name.index()] = least);
    for (index, cost) in costs.iter_mut().enumerate() {
        // No text stands for it; it counts as a symbol, so that no search goes round in circles.
        if inserted_kind(rules, lexer, TerminalId(index as u16)).is_some() {
            *cost = WordCost { anywhere: 1, behind_word: 1 };
        }
    }
    costs
}

fn is_of_word(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphanumeric() || !byte.is_ascii()
}

/// For each state whether all that leads to it ends in a word, which goes on if another follows.
fn states_behind_words(rules: &Rules, lexer: &Lexer) -> Vec<bool> {
    let is_word = words(rules, lexer);
    // The greatest solution: a state that is not shown to be behind another end is behind a word.
    let mut is_behind = vec![true; rules.n_states()];
    for index in 0..rules.n_nonterminals() {
        is_behind[rules.start(Nonterminal(index as u16)).index()] = false;
    }
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        for state in rules.states() {
            for &(symbol, to) in rules.edges(state) {
                let ends_in_word = match symbol {
                    EdgeLabel::Terminal(terminal) => is_word[terminal.index()],
                    EdgeLabel::Nonterminal(child) => {
                        rules.finals(child).iter().all(|state| is_behind[state.index()])
                    }
                };
                if !ends_in_word && std::mem::replace(&mut is_behind[to.index()], false) {
                    is_changed = true;
                }
            }
        }
    }
    is_behind
}

/// The terminals that go on, wherever they may end, with any letter or digit.
fn words(rules: &Rules, lexer: &Lexer) -> Vec<bool> {
    let scanner = &lexer.scanner;
    let mut is_word = vec![false; rules.n_terminals()];
    let mut is_other = is_word.clone();
    let goes_on = |state, byte| scanner.next(state, byte) != RawState::DEAD;
    for state in scanner.states() {
        let Some(emission) = scanner.accept(state) else { continue };
        let Some(terminal) = scanner.emission(emission).symbols.last() else { continue };
        let found = (0..=127).filter(|&byte| is_of_word(byte)).all(|byte| goes_on(state, byte));
        let known = if found { &mut is_word } else { &mut is_other };
        if let Some(known) = known.get_mut(terminal.index()) {
            *known = true;
        }
    }
    let mut words: Vec<bool> =
        is_word.into_iter().zip(is_other).map(|(word, other)| word && !other).collect();
    let are_words = rules.written_names().iter().all(|written| words[written.index()]);
    rules.said_names().for_each(|name| words[name.index()] = are_words);
    words
}
