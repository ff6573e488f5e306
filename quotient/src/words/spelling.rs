//! Paths through a body, written as regular expressions.
//!
//! States are eliminated one by one, as textbooks do it; bodies are small. The result is for people, so alternatives
//! are merged and optional parts are shown as such.

use std::collections::BTreeMap;
use std::fmt;

use crate::grammar::{BodyState, EdgeLabel, Rules};

/// A regular expression over names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SpellingExpression {
    Empty,
    Name(String),
    Sequence(Vec<SpellingExpression>),
    Choice(Vec<SpellingExpression>),
    Repeat(Box<SpellingExpression>),
}

impl SpellingExpression {
    /// This expression followed by the next one.
    pub(crate) fn then(self, next: Self) -> Self {
        match (self, next) {
            (Self::Empty, other) | (other, Self::Empty) => other,
            (Self::Sequence(mut parts), Self::Sequence(more)) => {
                parts.extend(more);
                Self::Sequence(parts)
            }
            (Self::Sequence(mut parts), last) => {
                parts.push(last);
                Self::Sequence(parts)
            }
            (first, Self::Sequence(parts)) => Self::Sequence([vec![first], parts].concat()),
            (first, last) => Self::Sequence(vec![first, last]),
        }
    }

    /// This expression or the other one.
    pub(crate) fn or(self, other: Self) -> Self {
        let mut choices = match self {
            Self::Choice(choices) => choices,
            one => vec![one],
        };
        let more = match other {
            Self::Choice(choices) => choices,
            one => vec![one],
        };
        for choice in more {
            if !choices.contains(&choice) {
                choices.push(choice);
            }
        }
        if choices.len() == 1 { choices.remove(0) } else { Self::Choice(choices) }
    }

    fn n_names(&self) -> usize {
        match self {
            Self::Empty => 0,
            Self::Name(_) => 1,
            Self::Sequence(parts) | Self::Choice(parts) => parts.iter().map(Self::n_names).sum(),
            Self::Repeat(inner) => inner.n_names(),
        }
    }

    fn repeated(self) -> Self {
        match self {
            Self::Empty => Self::Empty,
            other => Self::Repeat(Box::new(other)),
        }
    }

    fn write(&self, formatter: &mut fmt::Formatter<'_>, is_part: bool) -> fmt::Result {
        match self {
            Self::Empty => Ok(()),
            Self::Name(name) => formatter.write_str(name),
            Self::Sequence(parts) => {
                let mut parts = parts.iter().peekable();
                while let Some(part) = parts.next() {
                    part.write(formatter, true)?;
                    if parts
                        .next_if(|next| matches!(next, Self::Repeat(inner) if **inner == *part))
                        .is_some()
                    {
                        formatter.write_str("+")?;
                    }
                    if parts.peek().is_some() {
                        formatter.write_str(" ")?;
                    }
                }
                Ok(())
            }
            Self::Choice(choices) => write_choice(formatter, choices, is_part),
            Self::Repeat(inner) if matches!(**inner, Self::Name(_)) => {
                inner.write(formatter, true)?;
                formatter.write_str("*")
            }
            Self::Repeat(inner) => {
                formatter.write_str("(")?;
                inner.write(formatter, false)?;
                formatter.write_str(")*")
            }
        }
    }
}

fn write_choice(
    formatter: &mut fmt::Formatter<'_>,
    choices: &[SpellingExpression],
    is_part: bool,
) -> fmt::Result {
    let is_optional = choices.contains(&SpellingExpression::Empty);
    let (open, close) = match (is_optional, is_part) {
        (true, _) => ("[", "]"),
        (false, true) => ("(", ")"),
        (false, false) => ("", ""),
    };
    formatter.write_str(open)?;
    let shown = choices.iter().filter(|choice| **choice != SpellingExpression::Empty);
    for (index, choice) in shown.enumerate() {
        if index > 0 {
            formatter.write_str(" | ")?;
        }
        choice.write(formatter, false)?;
    }
    formatter.write_str(close)
}

impl fmt::Display for SpellingExpression {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(formatter, false)
    }
}

/// The most names in one expression: longer ones are left out, as people do not read them.
const MAX_NAMES: usize = 60;

/// All paths from a state to one of the others; `None` if there is none. If there are too many, the rule's name
/// alone.
pub(crate) fn paths(
    rules: &Rules,
    name: &impl Fn(EdgeLabel) -> String,
    from: BodyState,
    to: &[BodyState],
) -> Option<SpellingExpression> {
    const START: usize = usize::MAX - 1;
    const END: usize = usize::MAX;
    let mut edges: BTreeMap<(usize, usize), SpellingExpression> = BTreeMap::new();
    edges.insert((START, from.index()), SpellingExpression::Empty);
    for state in to {
        edges.insert((state.index(), END), SpellingExpression::Empty);
    }
    let mut inner = Vec::new();
    let mut todo = vec![from];
    while let Some(state) = todo.pop() {
        if inner.contains(&state) {
            continue;
        }
        inner.push(state);
        for &(symbol, behind) in rules.edges(state) {
            add(
                &mut edges,
                (state.index(), behind.index()),
                SpellingExpression::Name(name(symbol)),
            );
            todo.push(behind);
        }
    }
    inner.sort_unstable();
    for state in inner.into_iter().map(BodyState::index).rev() {
        eliminate(&mut edges, state);
        if edges.values().any(|spelling| spelling.n_names() > MAX_NAMES) {
            let rule = rules.name(rules.owner(from));
            return Some(SpellingExpression::Name(format!("<more of {rule}>")));
        }
    }
    edges.remove(&(START, END))
}

fn add(
    edges: &mut BTreeMap<(usize, usize), SpellingExpression>,
    key: (usize, usize),
    spelling: SpellingExpression,
) {
    let known = edges.remove(&key);
    edges.insert(
        key,
        match known {
            Some(known) => known.or(spelling),
            None => spelling,
        },
    );
}

fn eliminate(edges: &mut BTreeMap<(usize, usize), SpellingExpression>, state: usize) {
    let round = edges
        .remove(&(state, state))
        .map_or(SpellingExpression::Empty, SpellingExpression::repeated);
    let touching = |key: &(usize, usize)| key.0 == state || key.1 == state;
    let keys: Vec<(usize, usize)> = edges.keys().copied().filter(touching).collect();
    let removed: Vec<((usize, usize), SpellingExpression)> =
        keys.into_iter().filter_map(|key| edges.remove_entry(&key)).collect();
    for ((source, _), before) in removed.iter().filter(|((_, to), _)| *to == state) {
        for ((_, target), behind) in removed.iter().filter(|((from, _), _)| *from == state) {
            let through = before.clone().then(round.clone()).then(behind.clone());
            add(edges, (*source, *target), through);
        }
    }
}
