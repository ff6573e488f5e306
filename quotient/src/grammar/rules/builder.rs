//! From the bodies of all rules to one table: states are numbered through, edges are listed against
//! their direction, and the facts that follow from the rules alone are worked out.

use fim_lexer::{Lexer, TerminalId};

use super::Rules;
use super::neighbours::Neighbours;
use super::suites::rooms;
use crate::grammar::body::{BodyAutomaton, Element};
use crate::grammar::description::GrammarError;
use crate::grammar::edge_lists::EdgeLists;
use crate::grammar::families::Families;
use crate::grammar::nonterminal_set::{NonterminalSet, contains, insert, members};
use crate::grammar::rule_compiler::Compiler;
use crate::grammar::states::{BodyState, EdgeLabel, Nonterminal};

impl Rules {
    /// The table of these bodies, one for each of the compiler's names.
    pub(super) fn join(
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
            n_terminal_edges: Vec::with_capacity(n_states),
            terminals: vec![0; n_states * n_terminals.div_ceil(64)],
            back_terminal: EdgeLists::default(),
            begun_by_terminal: vec![Vec::new(); n_terminals],
            begun_by_nonterminal: vec![Vec::new(); n_nonterminals],
            ended_by_terminal: vec![Vec::new(); n_terminals],
            ended_by_nonterminal: vec![Vec::new(); n_nonterminals],
            predicted: Vec::new(),
            back_predicted: Vec::new(),
            is_line_start: vec![false; n_states],
            is_marked: vec![false; n_states],
            has_marks: false,
            room: Box::default(),
            neighbours: Neighbours::default(),
            insertions: Vec::new(),
            have_between: Vec::new(),
            is_branching: false,
            emitted_behind: Vec::new(),
            families: Families::default(),
            same: None,
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
        rules.neighbours = Neighbours::new(&rules);
        rules.families = Families::new(&rules, lexer.layout().is_some());
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
                    edges.push((EdgeLabel::Terminal(TerminalId(element as u16)), state_of(to)));
                } else {
                    let child = element - self.n_terminals;
                    let n_nonterminals = self.names.len();
                    self.nonterminal_step[state * n_nonterminals + child] = state_of(to);
                    edges.push((EdgeLabel::Nonterminal(Nonterminal(child as u16)), state_of(to)));
                }
            }
            let n_words = self.n_terminals.div_ceil(64);
            let mut n_terminal_edges = 0;
            for &(symbol, _) in &edges {
                let EdgeLabel::Terminal(terminal) = symbol else { continue };
                n_terminal_edges += 1;
                let word = &mut self.terminals[state * n_words + terminal.index() / 64];
                *word |= 1 << (terminal.index() % 64);
            }
            self.n_terminal_edges.push(n_terminal_edges);
            self.edges.push(edges);
        }
    }

    fn index_edges(&mut self) {
        let n_states = self.owner.len();
        let mut terminal_edges = Vec::new();
        for state in self.states() {
            let owner = self.owner(state);
            let is_start = self.start(owner) == state;
            for &(symbol, to) in &self.edges[state.index()] {
                match symbol {
                    EdgeLabel::Terminal(terminal) => {
                        let terminal = terminal.index();
                        terminal_edges.push((to.index(), terminal, state));
                        if is_start {
                            self.begun_by_terminal[terminal].push((owner, to));
                        }
                        if self.is_final[to.index()] {
                            self.ended_by_terminal[terminal].push((owner, state));
                        }
                    }
                    EdgeLabel::Nonterminal(child) => {
                        let child = child.index();
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
        self.back_terminal = EdgeLists::new(n_states, terminal_edges);
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
                if let EdgeLabel::Nonterminal(child) = symbol {
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
                    EdgeLabel::Terminal(terminal) => usize::from(terminal.0),
                    EdgeLabel::Nonterminal(child) => self.n_terminals + child.index(),
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
            if std::mem::replace(&mut self.is_marked[state.index()], true) {
                continue;
            }
            let stays = |symbol: &EdgeLabel| *symbol != EdgeLabel::Terminal(layout.dedent);
            let inner = self.edges[state.index()].iter().filter(|(symbol, _)| stays(symbol));
            todo.extend(inner.map(|&(_, to)| to));
        }
    }
}
