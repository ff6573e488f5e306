//! The rules as one table of body states, walked forward by the left side and backward by the
//! right side.
//!
//! Every nonterminal's body is a small automaton (regular right part grammar); the states of all
//! bodies are numbered through. A state means the same to both directions, which is what makes
//! the two sides comparable at the hole: the left side says in which state of a body it is, the
//! right side from which state on the rest is there.

mod branching;
mod builder;
mod neighbours;
mod suites;

use fim_lexer::{Lexer, TerminalId};

use self::neighbours::Neighbours;
use super::description::{GrammarDescription, GrammarError};
use super::edge_lists::EdgeLists;
use super::families::Families;
use super::nonterminal_set::NonterminalSet;
use super::rule_compiler::Compiler;
use super::same::{Same, states_with_name};
use super::states::{BodyState, EdgeLabel, Nonterminal};

/// All bodies, in both directions, with the facts that are known of them beforehand.
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
    /// Terminals first.
    edges: Vec<Vec<(EdgeLabel, BodyState)>>,
    /// For each state how many of its edges are of terminals, and these as bits.
    n_terminal_edges: Vec<u16>,
    terminals: Vec<u64>,
    back_terminal: EdgeLists<BodyState>,
    begun_by_terminal: Vec<Vec<(Nonterminal, BodyState)>>,
    begun_by_nonterminal: Vec<Vec<(Nonterminal, BodyState)>>,
    ended_by_terminal: Vec<Vec<(Nonterminal, BodyState)>>,
    ended_by_nonterminal: Vec<Vec<(Nonterminal, BodyState)>>,
    predicted: Vec<NonterminalSet>,
    back_predicted: Vec<NonterminalSet>,
    is_line_start: Vec<bool>,
    is_marked: Vec<bool>,
    has_marks: bool,
    room: Box<[u8]>,
    neighbours: Neighbours,
    insertions: Vec<Vec<TerminalId>>,
    /// For each of the insertions whether its symbols only ever stand between others of a rule, and never two.
    have_between: Vec<bool>,
    is_branching: bool,
    /// For each emission the terminals, as bits, that it may stand behind; empty where the parser has no say.
    emitted_behind: Vec<u64>,
    families: Families,
    /// The repeated names, if there are any; asked by way of `same.rs`.
    pub(super) same: Option<Same>,
}

impl Rules {
    /// Compiles the rules of a description.
    pub fn new(description: &GrammarDescription, lexer: &Lexer) -> Result<Self, GrammarError> {
        let mut compiler = Compiler::new(description)?;
        compiler.check_productive()?;
        let bodies = compiler.automata(lexer)?;
        let mut rules = Self::join(&compiler, &bodies, lexer)?;
        if let Some(same) = Same::of(description, lexer)? {
            rules.is_marked = states_with_name(&rules, &same)?;
            rules.same = Some(same);
        }
        rules.has_marks = rules.is_marked.contains(&true);
        Ok(rules)
    }

    /// Whether what a rule knows of the chart that it ends at is told apart by rule: where lines do not say what belongs
    /// together.
    #[inline]
    pub(crate) fn is_known_by_rule(&self) -> bool {
        self.is_branching || self.same.is_some()
    }

    /// The number of nonterminals, the root included.
    pub fn n_nonterminals(&self) -> usize {
        self.names.len()
    }

    /// Whether no rule begins or ends with this terminal.
    pub(crate) fn is_between_others(&self, terminal: TerminalId) -> bool {
        self.begun_by_terminal(terminal).is_empty() && self.ended_by_terminal(terminal).is_empty()
    }

    /// The rules as the right side reads them, copies of a template as one.
    pub(crate) fn families(&self) -> &Families {
        &self.families
    }

    /// The number of terminals.
    pub fn n_terminals(&self) -> usize {
        self.n_terminals
    }

    /// All body states.
    pub fn states(&self) -> impl Iterator<Item = BodyState> + use<> {
        (0..self.owner.len()).map(|index| BodyState(index as u16))
    }

    /// The number of body states.
    pub fn n_states(&self) -> usize {
        self.owner.len()
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
    pub fn edges(&self, state: BodyState) -> &[(EdgeLabel, BodyState)] {
        &self.edges[state.index()]
    }

    /// The terminals by which edges leave a state, as bits.
    #[inline]
    pub(crate) fn terminals(&self, state: BodyState) -> &[u64] {
        let n_words = self.n_terminals.div_ceil(64);
        &self.terminals[state.index() * n_words..][..n_words]
    }

    /// The rules by which edges leave a state, and the states behind them.
    pub(crate) fn children(
        &self,
        state: BodyState,
    ) -> impl Iterator<Item = (Nonterminal, BodyState)> + '_ {
        let edges = &self.edges[state.index()];
        let n_terminals = usize::from(self.n_terminal_edges[state.index()]);
        edges[n_terminals..].iter().filter_map(|&(symbol, to)| match symbol {
            EdgeLabel::Nonterminal(child) => Some((child, to)),
            EdgeLabel::Terminal(_) => None,
        })
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

    /// Whether one terminal may stand right behind another in some text.
    #[inline]
    pub fn may_follow(&self, first: TerminalId, second: TerminalId) -> bool {
        self.neighbours.contains(first, second)
    }

    /// All that [`Self::may_follow`] knows, as bits.
    pub(crate) fn side_by_side(&self) -> &[u64] {
        self.neighbours.following()
    }

    /// The terminals that may stand right in front of a state, as bits; none in front of a rule's start.
    pub(crate) fn in_front(&self, state: BodyState) -> &[u64] {
        self.neighbours.in_front(state)
    }

    /// The terminals that may stand right behind a state, as bits: those of its edges, and those that rules may begin
    /// with which may begin there.
    #[inline]
    pub(crate) fn next_terminals(&self, state: BodyState) -> &[u64] {
        self.neighbours.behind(state)
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
    pub fn predicted_nonterminals(&self, state: BodyState) -> &[u64] {
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

    /// Whether this state lies between the INDENT and the DEDENT of its own body, or behind its own name.
    #[inline]
    pub fn is_marked(&self, state: BodyState) -> bool {
        self.is_marked[state.index()]
    }

    /// Whether any rule has a suite or a name of its own.
    #[inline]
    pub(crate) fn has_marks(&self) -> bool {
        self.has_marks
    }

    /// How many columns must be opened, on top of those around the rule, until it ends.
    #[inline]
    pub(crate) fn room(&self, state: BodyState) -> usize {
        usize::from(self.room[state.index()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::nonterminal_set::members;

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
        assert_eq!(names(rules.predicted_nonterminals(root)), ["file", "first", "inner"]);
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
                // Nonterminals are walked backward by their families, which have tests of their own.
                if let EdgeLabel::Terminal(terminal) = symbol {
                    assert!(rules.before_terminal(to, terminal).contains(&from));
                }
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
            rules.states().filter(|&state| rules.is_marked(state)).collect();
        let owners: Vec<Nonterminal> = in_suite.iter().map(|&state| rules.owner(state)).collect();
        assert_eq!(owners, [line.unwrap(); 2], "behind INDENT, and behind a line in the suite");
        assert!(in_suite.into_iter().all(|state| rules.is_line_start(state)));
    }
}
