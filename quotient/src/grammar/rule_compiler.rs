//! From a description's rules to small automata: names become numbers, and rules that would promise what
//! cannot be are refused.

use fim_lexer::Lexer;
use rustc_hash::FxHashMap;

use super::body::{BodyAutomaton, BodyExpression, Element};
use super::description::{Body, GrammarDescription, GrammarError, unknown_shared};

/// A description on its way to automata: names resolved to numbers.
pub(crate) struct Compiler {
    pub(crate) n_terminals: usize,
    pub(crate) names: Vec<String>,
    bodies: Vec<BodyExpression>,
    pub(crate) start: Element,
    pub(crate) is_nullable: Vec<bool>,
    /// For each element whether it ends a line (or suite), where that is known.
    pub(crate) ends_line: Vec<Option<bool>>,
}

impl Compiler {
    /// Resolves the names of a description.
    pub(crate) fn new(description: &GrammarDescription) -> Result<Self, GrammarError> {
        let n_terminals = description.lexical.n_terminals();
        let mut names = vec!["<root>".to_owned()];
        names.extend(description.rules.iter().map(|rule| rule.name.clone()));
        // Of two of one name the first counts, and rules come before terminals.
        let mut elements: FxHashMap<&str, Element> = FxHashMap::default();
        let rules = description.rules.iter().zip(n_terminals + 1..);
        let terminals = description.lexical.names().zip(0..);
        for (name, index) in rules.map(|(rule, index)| (&*rule.name, index)).chain(terminals) {
            elements.entry(name).or_insert(Element(index as u16));
        }
        let element = |name: &str| {
            let found = elements.get(name).copied();
            found
                .ok_or_else(|| GrammarError::new(format!("no rule or terminal is called {name:?}")))
        };
        let start = element(&description.start)?;
        let mut bodies = vec![BodyExpression::Symbol(start)];
        for rule in &description.rules {
            bodies.push(expression(&rule.body, &element)?);
        }
        let mut compiler = Self {
            n_terminals,
            is_nullable: vec![false; names.len()],
            ends_line: Vec::new(),
            names,
            bodies,
            start,
        };
        compiler.find_nullable();
        Ok(compiler)
    }

    fn find_nullable(&mut self) {
        loop {
            let found: Vec<bool> = self
                .bodies
                .iter()
                .map(|body| body.is_nullable(&|child| self.may_be_empty(child)))
                .collect();
            if found == self.is_nullable {
                return;
            }
            self.is_nullable = found;
        }
    }

    fn may_be_empty(&self, element: Element) -> bool {
        usize::from(element.0)
            .checked_sub(self.n_terminals)
            .is_some_and(|index| self.is_nullable[index])
    }

    /// Refuses rules that no text matches: each would make the engine promise what cannot be.
    pub(crate) fn check_productive(&mut self) -> Result<(), GrammarError> {
        let mut is_productive = vec![false; self.bodies.len()];
        loop {
            let found: Vec<bool> = self
                .bodies
                .iter()
                .map(|body| {
                    productive(body, &|Element(element)| {
                        usize::from(element)
                            .checked_sub(self.n_terminals)
                            .is_none_or(|index| is_productive[index])
                    })
                })
                .collect();
            if found == is_productive {
                break;
            }
            is_productive = found;
        }
        // If the root is not, a rule below it is not, which says more.
        match is_productive.iter().rposition(|&is_productive| !is_productive) {
            Some(index) => {
                Err(GrammarError::new(format!("no text matches rule {:?}", self.names[index])))
            }
            None => Ok(()),
        }
    }

    /// The bodies as automata.
    pub(crate) fn automata(&mut self, lexer: &Lexer) -> Result<Vec<BodyAutomaton>, GrammarError> {
        self.find_line_ends(lexer)?;
        let is_nullable = |element: Element| self.may_be_empty(element);
        let kind = |Element(element): Element| match self.ends_line[usize::from(element)] {
            Some(true) => 1,
            _ => 0,
        };
        Ok(self.bodies.iter().map(|body| BodyAutomaton::new(body, &is_nullable, &kind)).collect())
    }

    /// Finds for each rule whether its last terminal is one of the layout's. A rule with both
    /// kinds of endings is refused: where a line starts must follow from the body state.
    fn find_line_ends(&mut self, lexer: &Lexer) -> Result<(), GrammarError> {
        let n_elements = self.n_terminals + self.bodies.len();
        let mut ends: Vec<[bool; 2]> = vec![[false; 2]; n_elements];
        for (terminal, known) in ends.iter_mut().enumerate().take(self.n_terminals) {
            let is_layout = lexer.layout().is_some_and(|layout| {
                [layout.newline, layout.indent, layout.dedent]
                    .iter()
                    .any(|candidate| candidate.index() == terminal)
            });
            known[usize::from(is_layout)] = true;
        }
        loop {
            let before = ends.clone();
            for (index, body) in self.bodies.iter().enumerate() {
                let last = last_kinds(body, &ends, &|child| self.may_be_empty(child));
                let known = &mut ends[self.n_terminals + index];
                *known = [known[0] | last[0], known[1] | last[1]];
            }
            if ends == before {
                break;
            }
        }
        if let Some(mixed) = ends.iter().position(|kinds| kinds == &[true, true]) {
            return Err(GrammarError::new(format!(
                "rule {:?} ends a line in one alternative and not in another",
                self.names[mixed - self.n_terminals]
            )));
        }
        self.ends_line = ends
            .iter()
            .map(|kinds| match kinds {
                [false, false] => None,
                [_, ends_line] => Some(*ends_line),
            })
            .collect();
        Ok(())
    }
}

fn expression(
    body: &Body,
    element: &impl Fn(&str) -> Result<Element, GrammarError>,
) -> Result<BodyExpression, GrammarError> {
    let all = |bodies: &[Body]| {
        bodies.iter().map(|body| expression(body, element)).collect::<Result<Vec<_>, _>>()
    };
    Ok(match body {
        Body::Symbol(name) => BodyExpression::Symbol(element(name)?),
        Body::Seq { seq } => BodyExpression::Sequence(all(seq)?),
        Body::Alt { alt } => BodyExpression::Choice(all(alt)?),
        Body::Opt { opt } => expression(opt, element)?.optional(),
        Body::Star { star } => BodyExpression::Repeat(Box::new(expression(star, element)?)),
        Body::Plus { plus } => {
            let part = expression(plus, element)?;
            BodyExpression::Sequence(vec![part.clone(), BodyExpression::Repeat(Box::new(part))])
        }
        Body::Shared { shared } => return Err(unknown_shared(*shared)),
    })
}

fn productive(body: &BodyExpression, is_productive: &impl Fn(Element) -> bool) -> bool {
    match body {
        BodyExpression::Symbol(element) => is_productive(*element),
        BodyExpression::Sequence(parts) => parts.iter().all(|part| productive(part, is_productive)),
        BodyExpression::Choice(parts) => parts.iter().any(|part| productive(part, is_productive)),
        BodyExpression::Repeat(_) => true,
    }
}

/// The kinds of the last terminals of a body: not the end of a line, the end of a line.
fn last_kinds(
    body: &BodyExpression,
    ends: &[[bool; 2]],
    is_nullable: &impl Fn(Element) -> bool,
) -> [bool; 2] {
    match body {
        BodyExpression::Symbol(Element(element)) => ends[usize::from(*element)],
        BodyExpression::Sequence(parts) => {
            let mut found = [false; 2];
            for part in parts.iter().rev() {
                let kinds = last_kinds(part, ends, is_nullable);
                found = [found[0] | kinds[0], found[1] | kinds[1]];
                if !part.is_nullable(is_nullable) {
                    break;
                }
            }
            found
        }
        BodyExpression::Choice(parts) => parts.iter().fold([false; 2], |found, part| {
            let kinds = last_kinds(part, ends, is_nullable);
            [found[0] | kinds[0], found[1] | kinds[1]]
        }),
        BodyExpression::Repeat(part) => last_kinds(part, ends, is_nullable),
    }
}
