//! The rules as one table of body states, walked forward by the left side and backward by the
//! right side.
//!
//! Every nonterminal's body is a small automaton (regular right part grammar); the states of all
//! bodies are numbered through. A state means the same to both directions, which is what makes
//! the two sides comparable at the hole: the left side says in which state of a body it is, the
//! right side from which state on the rest is there.

use fim_lexer::{Lexer, TerminalId};

use crate::body::{BodyAutomaton, Element};
use crate::description::{GrammarDescription, GrammarError};
use crate::room::rooms;
use crate::rule_compiler::Compiler;

/// A state of a rule's body.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BodyState(pub u16);

impl BodyState {
    const NONE: Self = Self(u16::MAX);

    /// The index as a number into tables.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A nonterminal: the index of a rule. Number 0 is the root, a rule of its own around the
/// grammar's start rule, so that nothing recurs to it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Nonterminal(pub u16);

impl Nonterminal {
    /// The rule that a whole file is.
    pub const ROOT: Self = Self(0);

    /// The index as a number into tables.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A set of nonterminals, as bits.
pub type NonterminalSet = Box<[u64]>;

/// All bodies, in both directions, with what can be known of them beforehand.
#[derive(Debug)]
pub struct Rules {
    n_terminals: usize,
    names: Vec<String>,
    owner: Vec<Nonterminal>,
    is_final: Vec<bool>,
    has_edges: Vec<bool>,
    start: Vec<BodyState>,
    finals: Vec<Vec<BodyState>>,
    terminal_step: Vec<BodyState>,
    nonterminal_step: Vec<BodyState>,
    edges: Vec<Vec<(Symbol, BodyState)>>,
    back_terminal: EdgeLists,
    back_nonterminal: EdgeLists,
    begun_by_terminal: Vec<Vec<(Nonterminal, BodyState)>>,
    begun_by_nonterminal: Vec<Vec<(Nonterminal, BodyState)>>,
    ended_by_terminal: Vec<Vec<(Nonterminal, BodyState)>>,
    ended_by_nonterminal: Vec<Vec<(Nonterminal, BodyState)>>,
    predicted: Vec<NonterminalSet>,
    back_predicted: Vec<NonterminalSet>,
    is_line_start: Vec<bool>,
    is_in_suite: Vec<bool>,
    room: Box<[u8]>,
}

/// An edge's label.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Symbol {
    /// A terminal.
    Terminal(TerminalId),
    /// A nonterminal.
    Nonterminal(Nonterminal),
}

/// For each pair of a state and a symbol a short list of states.
#[derive(Debug)]
struct EdgeLists {
    n_symbols: usize,
    first: Vec<u32>,
    states: Vec<BodyState>,
}

impl EdgeLists {
    fn new(n_states: usize, n_symbols: usize, mut edges: Vec<(usize, usize, BodyState)>) -> Self {
        edges.sort_unstable();
        let mut first = vec![0_u32; n_states * n_symbols + 1];
        for &(state, symbol, _) in &edges {
            first[state * n_symbols + symbol + 1] += 1;
        }
        for index in 1..first.len() {
            first[index] += first[index - 1];
        }
        Self { n_symbols, first, states: edges.into_iter().map(|(_, _, state)| state).collect() }
    }

    fn get(&self, state: usize, symbol: usize) -> &[BodyState] {
        let index = state * self.n_symbols + symbol;
        &self.states[self.first[index] as usize..self.first[index + 1] as usize]
    }
}

impl Rules {
    /// Compiles the rules of a description.
    pub fn new(description: &GrammarDescription, lexer: &Lexer) -> Result<Self, GrammarError> {
        let mut compiler = Compiler::new(description)?;
        compiler.check_productive()?;
        let bodies = compiler.automata(lexer)?;
        Self::join(&compiler, &bodies, lexer)
    }

    fn join(
        compiler: &Compiler,
        bodies: &[BodyAutomaton],
        lexer: &Lexer,
    ) -> Result<Self, GrammarError> {
        let n_terminals = compiler.n_terminals;
        let n_nonterminals = bodies.len();
        let n_states: usize = bodies.iter().map(|body| body.edges.len()).sum();
        if n_states >= usize::from(u16::MAX) {
            return Err(GrammarError::new("the rules need more than 65,000 states"));
        }
        let mut rules = Self {
            n_terminals,
            names: compiler.names.clone(),
            owner: Vec::with_capacity(n_states),
            is_final: Vec::with_capacity(n_states),
            has_edges: Vec::with_capacity(n_states),
            start: Vec::with_capacity(n_nonterminals),
            finals: Vec::with_capacity(n_nonterminals),
            terminal_step: vec![BodyState::NONE; n_states * n_terminals],
            nonterminal_step: vec![BodyState::NONE; n_states * n_nonterminals],
            edges: Vec::with_capacity(n_states),
            back_terminal: EdgeLists::new(0, 0, Vec::new()),
            back_nonterminal: EdgeLists::new(0, 0, Vec::new()),
            begun_by_terminal: vec![Vec::new(); n_terminals],
            begun_by_nonterminal: vec![Vec::new(); n_nonterminals],
            ended_by_terminal: vec![Vec::new(); n_terminals],
            ended_by_nonterminal: vec![Vec::new(); n_nonterminals],
            predicted: Vec::new(),
            back_predicted: Vec::new(),
            is_line_start: vec![false; n_states],
            is_in_suite: vec![false; n_states],
            room: Box::default(),
        };
        for (index, body) in bodies.iter().enumerate() {
            rules.add_body(Nonterminal(index as u16), body);
        }
        let root_start = rules.start[Nonterminal::ROOT.index()];
        if compiler.is_nullable[usize::from(compiler.start.0) - n_terminals] {
            rules.is_final[root_start.index()] = true;
            rules.finals[0].push(root_start);
        }
        rules.index_edges();
        rules.predict();
        rules.mark_layout(compiler, lexer);
        rules.room = rooms(&rules);
        Ok(rules)
    }

    fn add_body(&mut self, nonterminal: Nonterminal, body: &BodyAutomaton) {
        let offset = self.owner.len();
        let state_of = |local: usize| BodyState((offset + local) as u16);
        self.start.push(state_of(0));
        let finals = (0..body.edges.len()).filter(|&local| body.is_final[local]);
        self.finals.push(finals.map(state_of).collect());
        for (local, row) in body.edges.iter().enumerate() {
            self.owner.push(nonterminal);
            self.is_final.push(body.is_final[local]);
            self.has_edges.push(!row.is_empty());
            let state = offset + local;
            let mut edges = Vec::with_capacity(row.len());
            for (&Element(element), &to) in row {
                let element = usize::from(element);
                if element < self.n_terminals {
                    self.terminal_step[state * self.n_terminals + element] = state_of(to);
                    edges.push((Symbol::Terminal(TerminalId(element as u16)), state_of(to)));
                } else {
                    let child = element - self.n_terminals;
                    let n_nonterminals = self.names.len();
                    self.nonterminal_step[state * n_nonterminals + child] = state_of(to);
                    edges.push((Symbol::Nonterminal(Nonterminal(child as u16)), state_of(to)));
                }
            }
            self.edges.push(edges);
        }
    }

    fn index_edges(&mut self) {
        let n_states = self.owner.len();
        let n_nonterminals = self.names.len();
        let mut terminal_edges = Vec::new();
        let mut nonterminal_edges = Vec::new();
        for state in self.states() {
            let owner = self.owner(state);
            let is_start = self.start(owner) == state;
            for &(symbol, to) in &self.edges[state.index()] {
                match symbol {
                    Symbol::Terminal(terminal) => {
                        let terminal = terminal.index();
                        terminal_edges.push((to.index(), terminal, state));
                        if is_start {
                            self.begun_by_terminal[terminal].push((owner, to));
                        }
                        if self.is_final[to.index()] {
                            self.ended_by_terminal[terminal].push((owner, state));
                        }
                    }
                    Symbol::Nonterminal(child) => {
                        let child = child.index();
                        nonterminal_edges.push((to.index(), child, state));
                        if is_start {
                            self.begun_by_nonterminal[child].push((owner, to));
                        }
                        if self.is_final[to.index()] {
                            self.ended_by_nonterminal[child].push((owner, state));
                        }
                    }
                }
            }
        }
        self.back_terminal = EdgeLists::new(n_states, self.n_terminals, terminal_edges);
        self.back_nonterminal = EdgeLists::new(n_states, n_nonterminals, nonterminal_edges);
    }

    /// Computes which nonterminals may begin in (or, backward, end in) each state, through any
    /// number of first (last) elements.
    fn predict(&mut self) {
        let n_nonterminals = self.names.len();
        let n_words = n_nonterminals.div_ceil(64);
        let empty = || vec![0_u64; n_words].into_boxed_slice();
        let mut forward = vec![empty(); self.owner.len()];
        let mut backward = vec![empty(); self.owner.len()];
        for state in self.states() {
            for &(symbol, to) in &self.edges[state.index()] {
                if let Symbol::Nonterminal(child) = symbol {
                    insert(&mut forward[state.index()], child);
                    insert(&mut backward[to.index()], child);
                }
            }
        }
        self.predicted = self.closed(forward, |child| vec![self.start(child)]);
        self.back_predicted = self.closed(backward, |child| self.finals(child).to_vec());
    }

    fn closed(
        &self,
        direct: Vec<NonterminalSet>,
        continued: impl Fn(Nonterminal) -> Vec<BodyState>,
    ) -> Vec<NonterminalSet> {
        let mut closed = direct.clone();
        for set in &mut closed {
            let mut todo: Vec<Nonterminal> = members(set).collect();
            while let Some(child) = todo.pop() {
                for state in continued(child) {
                    for found in members(&direct[state.index()]) {
                        if !contains(set, found) {
                            insert(set, found);
                            todo.push(found);
                        }
                    }
                }
            }
        }
        closed
    }

    fn mark_layout(&mut self, compiler: &Compiler, lexer: &Lexer) {
        let Some(layout) = lexer.layout() else { return };
        for state in self.states() {
            for index in 0..self.edges[state.index()].len() {
                let (symbol, to) = self.edges[state.index()][index];
                let element = match symbol {
                    Symbol::Terminal(terminal) => usize::from(terminal.0),
                    Symbol::Nonterminal(child) => self.n_terminals + child.index(),
                };
                self.is_line_start[to.index()] = compiler.ends_line[element] == Some(true);
            }
        }
        // Nothing has been read where the root begins, and a line begins there.
        let root_start = self.start(Nonterminal::ROOT);
        self.is_line_start[root_start.index()] = true;
        let mut todo: Vec<BodyState> =
            self.states().filter_map(|state| self.terminal_step(state, layout.indent)).collect();
        while let Some(state) = todo.pop() {
            if std::mem::replace(&mut self.is_in_suite[state.index()], true) {
                continue;
            }
            let stays = |symbol: &Symbol| *symbol != Symbol::Terminal(layout.dedent);
            let inner = self.edges[state.index()].iter().filter(|(symbol, _)| stays(symbol));
            todo.extend(inner.map(|&(_, to)| to));
        }
    }

    /// The number of nonterminals, the root included.
    pub fn n_nonterminals(&self) -> usize {
        self.names.len()
    }

    /// The number of terminals.
    pub fn n_terminals(&self) -> usize {
        self.n_terminals
    }

    /// All body states.
    pub fn states(&self) -> impl Iterator<Item = BodyState> + use<> {
        (0..self.owner.len()).map(|index| BodyState(index as u16))
    }

    /// The name of a rule.
    pub fn name(&self, nonterminal: Nonterminal) -> &str {
        &self.names[nonterminal.index()]
    }

    /// The rule that a state belongs to.
    #[inline]
    pub fn owner(&self, state: BodyState) -> Nonterminal {
        self.owner[state.index()]
    }

    /// Whether a body may end in this state.
    #[inline]
    pub fn is_final(&self, state: BodyState) -> bool {
        self.is_final[state.index()]
    }

    /// Whether anything can follow in the same body.
    #[inline]
    pub fn has_edges(&self, state: BodyState) -> bool {
        self.has_edges[state.index()]
    }

    /// Where a body begins.
    #[inline]
    pub fn start(&self, nonterminal: Nonterminal) -> BodyState {
        self.start[nonterminal.index()]
    }

    /// Where a body may end.
    #[inline]
    pub fn finals(&self, nonterminal: Nonterminal) -> &[BodyState] {
        &self.finals[nonterminal.index()]
    }

    /// The edges that leave a state.
    pub fn edges(&self, state: BodyState) -> &[(Symbol, BodyState)] {
        &self.edges[state.index()]
    }

    /// The state behind a terminal.
    #[inline]
    pub fn terminal_step(&self, state: BodyState, terminal: TerminalId) -> Option<BodyState> {
        let to = self.terminal_step[state.index() * self.n_terminals + terminal.index()];
        (to != BodyState::NONE).then_some(to)
    }

    /// The state behind a nonterminal.
    #[inline]
    pub fn nonterminal_step(&self, state: BodyState, child: Nonterminal) -> Option<BodyState> {
        let to = self.nonterminal_step[state.index() * self.names.len() + child.index()];
        (to != BodyState::NONE).then_some(to)
    }

    /// The states in front of a terminal that leads to `state`.
    #[inline]
    pub fn before_terminal(&self, state: BodyState, terminal: TerminalId) -> &[BodyState] {
        self.back_terminal.get(state.index(), terminal.index())
    }

    /// The states in front of a nonterminal that leads to `state`.
    #[inline]
    pub fn before_nonterminal(&self, state: BodyState, child: Nonterminal) -> &[BodyState] {
        self.back_nonterminal.get(state.index(), child.index())
    }

    /// The rules whose first element may be this terminal, with the state behind it.
    #[inline]
    pub fn begun_by_terminal(&self, terminal: TerminalId) -> &[(Nonterminal, BodyState)] {
        &self.begun_by_terminal[terminal.index()]
    }

    /// The rules whose first element may be this nonterminal, with the state behind it.
    #[inline]
    pub fn begun_by_nonterminal(&self, child: Nonterminal) -> &[(Nonterminal, BodyState)] {
        &self.begun_by_nonterminal[child.index()]
    }

    /// The rules whose last element may be this terminal, with the state in front of it.
    #[inline]
    pub fn ended_by_terminal(&self, terminal: TerminalId) -> &[(Nonterminal, BodyState)] {
        &self.ended_by_terminal[terminal.index()]
    }

    /// The rules whose last element may be this nonterminal, with the state in front of it.
    #[inline]
    pub fn ended_by_nonterminal(&self, child: Nonterminal) -> &[(Nonterminal, BodyState)] {
        &self.ended_by_nonterminal[child.index()]
    }

    /// The nonterminals that may begin in a state.
    #[inline]
    pub fn predicted(&self, state: BodyState) -> &[u64] {
        &self.predicted[state.index()]
    }

    /// The nonterminals that may end in a state.
    #[inline]
    pub fn back_predicted(&self, state: BodyState) -> &[u64] {
        &self.back_predicted[state.index()]
    }

    /// Whether this state is entered by the end of a line or of a suite.
    #[inline]
    pub fn is_line_start(&self, state: BodyState) -> bool {
        self.is_line_start[state.index()]
    }

    /// Whether this state lies between the INDENT and the DEDENT of its own body.
    #[inline]
    pub fn is_in_suite(&self, state: BodyState) -> bool {
        self.is_in_suite[state.index()]
    }

    /// How many columns must be opened, on top of those around the rule, until it ends.
    #[inline]
    pub(crate) fn room(&self, state: BodyState) -> usize {
        usize::from(self.room[state.index()])
    }
}

/// Adds a member to a set.
pub(crate) fn insert(set: &mut [u64], nonterminal: Nonterminal) {
    set[nonterminal.index() / 64] |= 1 << (nonterminal.index() % 64);
}

/// Whether a set has a member.
#[inline]
pub(crate) fn contains(set: &[u64], nonterminal: Nonterminal) -> bool {
    set[nonterminal.index() / 64] & (1 << (nonterminal.index() % 64)) != 0
}

/// The members of a set.
pub(crate) fn members(set: &[u64]) -> impl Iterator<Item = Nonterminal> + use<> {
    let words: Vec<u64> = set.to_vec();
    words.into_iter().enumerate().flat_map(|(index, word)| {
        (0..64)
            .filter(move |bit| word & (1 << bit) != 0)
            .map(move |bit| Nonterminal((index * 64 + bit) as u16))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(layout: &str, rules: &str) -> Result<Rules, String> {
        let description = GrammarDescription::from_json(&format!(
            r#"{{"name": "small", "start": "file", "layout": "{layout}",
                "declared": ["NEWLINE", "INDENT", "DEDENT"],
                "terminals": [{{"name": "A", "kind": "literal", "pattern": "a"}},
                              {{"name": "COLON", "kind": "literal", "pattern": ":"}}],
                "rules": {rules}}}"#
        ));
        let description = description.map_err(|error| error.to_string())?;
        let lexer = Lexer::new(description.lexical.clone()).map_err(|error| error.to_string())?;
        Rules::new(&description, &lexer).map_err(|error| error.to_string())
    }

    fn check_refused(layout: &str, text: &str, message: &str) {
        let found = rules(layout, text).err().unwrap_or_default();
        assert!(found.contains(message), "{found:?}");
    }

    #[test]
    fn grammars_that_promise_too_much_are_refused() {
        check_refused(
            "none",
            r#"[{"name": "file", "body": {"seq": ["A", "file"]}}]"#,
            "no text matches rule \"file\"",
        );
        check_refused(
            "none",
            r#"[{"name": "file", "body": "B"}]"#,
            "no rule or terminal is called \"B\"",
        );
        // Whether a line begins behind a rule must follow from the rule.
        check_refused(
            "python",
            r#"[{"name": "file", "body": {"star": "line"}},
                {"name": "line", "body": {"seq": ["A", {"opt": "NEWLINE"}]}}]"#,
            "ends a line in one alternative and not in another",
        );
    }

    #[test]
    fn predictions_reach_through_first_and_last_elements() {
        let rules = rules(
            "none",
            r#"[{"name": "file", "body": {"seq": ["first", "last"]}},
                {"name": "first", "body": {"seq": ["inner", "A"]}},
                {"name": "last", "body": {"seq": ["A", {"opt": "inner"}]}},
                {"name": "inner", "body": {"plus": "A"}}]"#,
        )
        .unwrap();
        let names = |set: &[u64]| {
            members(set).map(|found| rules.name(found).to_owned()).collect::<Vec<_>>()
        };
        let root = rules.start(Nonterminal::ROOT);
        assert_eq!(names(rules.predicted(root)), ["file", "first", "inner"]);
        let [end] = rules.finals(Nonterminal::ROOT) else { panic!("one way to end") };
        assert_eq!(names(rules.back_predicted(*end)), ["file", "last", "inner"]);
    }

    #[test]
    fn both_directions_walk_the_same_states() {
        let rules = rules(
            "none",
            r#"[{"name": "file", "body": {"star": {"seq": ["A", {"opt": "COLON"}]}}}]"#,
        )
        .unwrap();
        for from in rules.states() {
            for &(symbol, to) in rules.edges(from) {
                let before = match symbol {
                    Symbol::Terminal(terminal) => rules.before_terminal(to, terminal),
                    Symbol::Nonterminal(child) => rules.before_nonterminal(to, child),
                };
                assert!(before.contains(&from));
            }
        }
    }

    #[test]
    fn a_suite_lies_between_indent_and_dedent() {
        let rules = rules(
            "python",
            r#"[{"name": "file", "body": {"star": "line"}},
                {"name": "line", "body": {"seq": ["A", {"alt": ["NEWLINE",
                    {"seq": ["COLON", "NEWLINE", "INDENT", {"plus": "line"}, "DEDENT"]}]}]}}]"#,
        )
        .unwrap();
        let line = (0..rules.n_nonterminals() as u16)
            .map(Nonterminal)
            .find(|&rule| rules.name(rule) == "line");
        let in_suite: Vec<BodyState> =
            rules.states().filter(|&state| rules.is_in_suite(state)).collect();
        let owners: Vec<Nonterminal> = in_suite.iter().map(|&state| rules.owner(state)).collect();
        assert_eq!(owners, [line.unwrap(); 2], "behind INDENT, and behind a line in the suite");
        assert!(in_suite.into_iter().all(|state| rules.is_line_start(state)));
    }
}
