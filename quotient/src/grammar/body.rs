//! From a rule's body to a small automaton over symbols.
//!
//! Lists, operator chains and statement sequences are loops of the automaton, so neither reading
//! direction pays for recursion that the language does not have.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

/// A symbol of a body: terminals first, then nonterminals.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Element(pub(crate) u16);

/// A body in terms of element numbers.
#[derive(Clone, Debug)]
pub(crate) enum BodyExpression {
    Symbol(Element),
    Sequence(Vec<BodyExpression>),
    Choice(Vec<BodyExpression>),
    Repeat(Box<BodyExpression>),
}

impl BodyExpression {
    pub(crate) fn empty() -> Self {
        Self::Sequence(Vec::new())
    }

    pub(crate) fn optional(self) -> Self {
        Self::Choice(vec![self, Self::empty()])
    }

    /// Whether the empty sequence matches, given which elements may be empty.
    pub(crate) fn is_nullable(&self, is_nullable: &impl Fn(Element) -> bool) -> bool {
        match self {
            Self::Symbol(element) => is_nullable(*element),
            Self::Sequence(parts) => parts.iter().all(|part| part.is_nullable(is_nullable)),
            Self::Choice(parts) => parts.iter().any(|part| part.is_nullable(is_nullable)),
            Self::Repeat(_) => true,
        }
    }
}

/// A minimal deterministic automaton; state 0 is its start and is entered by no edge.
#[derive(Clone, Debug)]
pub(crate) struct BodyAutomaton {
    pub(crate) edges: Vec<BTreeMap<Element, usize>>,
    pub(crate) is_final: Vec<bool>,
}

#[derive(Default)]
struct Nfa {
    edges: Vec<Vec<(Option<Element>, usize)>>,
}

impl Nfa {
    fn state(&mut self) -> usize {
        self.edges.push(Vec::new());
        self.edges.len() - 1
    }

    /// Adds the paths of `expression` from `from` and gives the state behind them.
    fn add(
        &mut self,
        expression: &BodyExpression,
        from: usize,
        is_nullable: &impl Fn(Element) -> bool,
    ) -> usize {
        match expression {
            BodyExpression::Symbol(element) => {
                let to = self.state();
                self.edges[from].push((Some(*element), to));
                if is_nullable(*element) {
                    self.edges[from].push((None, to));
                }
                to
            }
            BodyExpression::Sequence(parts) => {
                parts.iter().fold(from, |state, part| self.add(part, state, is_nullable))
            }
            BodyExpression::Choice(parts) => {
                let to = self.state();
                for part in parts {
                    let end = self.add(part, from, is_nullable);
                    self.edges[end].push((None, to));
                }
                to
            }
            BodyExpression::Repeat(part) => {
                let hub = self.state();
                self.edges[from].push((None, hub));
                let end = self.add(part, hub, is_nullable);
                self.edges[end].push((None, hub));
                hub
            }
        }
    }

    fn closure(&self, states: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut todo: Vec<usize> = states.into_iter().collect();
        let mut found = vec![false; self.edges.len()];
        let mut closed = Vec::new();
        while let Some(state) = todo.pop() {
            if std::mem::replace(&mut found[state], true) {
                continue;
            }
            closed.push(state);
            let silent = self.edges[state].iter().filter(|(label, _)| label.is_none());
            todo.extend(silent.map(|&(_, to)| to));
        }
        closed.sort_unstable();
        closed
    }
}

impl BodyAutomaton {
    /// Builds the automaton of `expression`. The empty sequence is left out: the user of a nullable
    /// rule makes it optional. `kind` tells elements apart that must not enter the same state.
    pub(crate) fn new(
        expression: &BodyExpression,
        is_nullable: &impl Fn(Element) -> bool,
        kind: &impl Fn(Element) -> u8,
    ) -> Self {
        let mut nfa = Nfa::default();
        // A hub that is looped to must not be the start, hence a state of its own.
        let start = nfa.state();
        let end = nfa.add(expression, start, is_nullable);
        let first = (nfa.closure([start]), u8::MAX);
        let mut ids = FxHashMap::default();
        ids.insert(first.clone(), 0_usize);
        let mut order = vec![first];
        let mut automaton = Self { edges: Vec::new(), is_final: Vec::new() };
        while let Some((states, _)) = order.get(automaton.edges.len()).cloned() {
            let mut targets: BTreeMap<Element, Vec<usize>> = BTreeMap::new();
            for &state in &states {
                for &(label, to) in &nfa.edges[state] {
                    if let Some(element) = label {
                        targets.entry(element).or_default().push(to);
                    }
                }
            }
            let mut row = BTreeMap::new();
            for (element, to) in targets {
                let key = (nfa.closure(to), kind(element));
                let fresh = ids.len();
                let id = *ids.entry(key.clone()).or_insert(fresh);
                if id == fresh && fresh == order.len() {
                    order.push(key);
                }
                row.insert(element, id);
            }
            automaton.edges.push(row);
            automaton.is_final.push(states.binary_search(&end).is_ok());
        }
        automaton.is_final[0] = false;
        let kinds: Vec<u8> = order.iter().map(|(_, kind)| *kind).collect();
        automaton.minimized(&kinds)
    }

    fn minimized(self, kinds: &[u8]) -> Self {
        // The start keeps a kind of its own, so that it is merged with no state that is entered.
        let mut block: Vec<usize> = self
            .is_final
            .iter()
            .zip(kinds)
            .map(|(&is_final, &kind)| usize::from(kind) * 2 + usize::from(is_final))
            .collect();
        let mut n_blocks = 0;
        loop {
            let mut ids = FxHashMap::default();
            let refined: Vec<usize> = self
                .edges
                .iter()
                .enumerate()
                .map(|(state, row)| {
                    let edges: Vec<(Element, usize)> =
                        row.iter().map(|(&element, &to)| (element, block[to])).collect();
                    let fresh = ids.len();
                    *ids.entry((block[state], edges)).or_insert(fresh)
                })
                .collect();
            let is_stable = ids.len() == n_blocks;
            n_blocks = ids.len();
            block = refined;
            if is_stable {
                break;
            }
        }
        let mut minimal =
            Self { edges: vec![BTreeMap::new(); n_blocks], is_final: vec![false; n_blocks] };
        for (state, row) in self.edges.iter().enumerate() {
            minimal.is_final[block[state]] = self.is_final[state];
            minimal.edges[block[state]] =
                row.iter().map(|(&element, &to)| (element, block[to])).collect();
        }
        minimal
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn automaton(expression: &BodyExpression) -> BodyAutomaton {
        BodyAutomaton::new(expression, &|_| false, &|_| 0)
    }

    #[test]
    fn a_list_is_a_loop() {
        let (item, comma) = (Element(0), Element(1));
        let tail = BodyExpression::Sequence(vec![
            BodyExpression::Symbol(comma),
            BodyExpression::Symbol(item),
        ]);
        let list = BodyExpression::Sequence(vec![
            BodyExpression::Symbol(item),
            BodyExpression::Repeat(Box::new(tail)),
        ]);
        let automaton = automaton(&list);
        assert_eq!(automaton.edges.len(), 3);
        assert!(automaton.edges.iter().all(|row| row.values().all(|&to| to != 0)));
    }

    #[test]
    fn the_start_of_a_repetition_is_entered_by_no_edge() {
        let automaton =
            automaton(&BodyExpression::Repeat(Box::new(BodyExpression::Symbol(Element(0)))));
        assert_eq!(automaton.is_final, [false, true]);
        assert_eq!(automaton.edges[1][&Element(0)], 1);
    }
}
