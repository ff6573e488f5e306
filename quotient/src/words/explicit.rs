//! The grammar of the texts that fit a hole, written out.
//!
//! The engine never builds it: it answers from charts. Here it is written for people, in the notation of the paper's
//! figure 2 with one addition. `Call!2` is the missing rest of a `Call` that began in the left context (the number
//! tells places apart, from the outside in); `Call~1` is a `Call` up to the place where the right context goes on
//! with it; `Call!2~1` is open on both sides. `$` stands for the right context itself. A rule that leaves its own
//! suite to the right context is followed by the columns of that suite, as in `block~2 {column > 4}`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::spelling::{SpellingExpression, paths};
use crate::charts::{KnownName, LeftChart, LeftItem, Marks};
use crate::grammar::{BodyState, EdgeLabel, Nonterminal};
use crate::hole::{OpenHole, Place};
use crate::right_side::{Exit, InstanceIdx};

/// A nonterminal of the hole's grammar.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Name {
    /// A rule that is open on both sides.
    Both(LeftChart, InstanceIdx),
    /// The rest of a rule that began in the left context.
    Left(Nonterminal, LeftChart),
    /// A rule up to the right context.
    Right(InstanceIdx),
}

/// A rule that began in the left context: its own items with their charts, and its open children.
#[derive(Default)]
struct Open {
    items: BTreeSet<(LeftChart, LeftItem)>,
    /// The open children: the state behind each, the state in front of it, and the child.
    children: BTreeSet<(BodyState, BodyState, Nonterminal, LeftChart)>,
}

struct Printer<'a> {
    hole: OpenHole<'a>,
    open: BTreeMap<(Nonterminal, LeftChart), Open>,
    rules: BTreeMap<Name, Vec<SpellingExpression>>,
    todo: Vec<Name>,
}

/// The grammar of the texts that fit behind `place`, the symbol in progress taken as finished.
pub(crate) fn explicit_grammar(hole: &mut OpenHole<'_>, place: &Place) -> String {
    let charts: Vec<LeftChart> = place
        .readings()
        .map(|place| {
            let accepted = hole.language().lexer.scanner.accept(place.lexed.raw);
            let ended =
                accepted.and_then(|emission| place.chart_ended(&mut hole.parsing, emission));
            ended.unwrap_or(place.chart)
        })
        .collect();
    let mut printer = Printer {
        hole: hole.reborrow(),
        open: BTreeMap::new(),
        rules: BTreeMap::new(),
        todo: Vec::new(),
    };
    charts.into_iter().for_each(|chart| printer.open_left(chart));
    printer.print()
}

impl Printer<'_> {
    /// Follows the left spine from the chart's items outward.
    fn open_left(&mut self, chart: LeftChart) {
        let rules = self.hole.parsing.rules();
        let mut todo = Vec::new();
        for &item in self.hole.parsing.items(chart) {
            let key = (rules.owner(item.state), item.origin);
            self.open.entry(key).or_default().items.insert((chart, item));
            todo.push(key);
        }
        let mut seen = BTreeSet::new();
        while let Some((child, origin)) = todo.pop() {
            if !seen.insert((child, origin)) {
                continue;
            }
            for parent in self.waiting(origin, child) {
                let (before, item) = parent;
                let key = (rules.owner(item.state), item.origin);
                let open = self.open.entry(key).or_default();
                open.children.insert((item.state, before, child, origin));
                todo.push(key);
            }
        }
    }

    /// The items of a chart that wait for a child, moved behind it, with the states in front of it.
    fn waiting(&self, origin: LeftChart, child: Nonterminal) -> Vec<(BodyState, LeftItem)> {
        let rules = self.hole.parsing.rules();
        let mut found = Vec::new();
        for item in self.hole.parsing.items(origin) {
            if let Some(state) = rules.nonterminal_step(item.state, child) {
                found.push((item.state, LeftItem { state, origin: item.origin }));
            }
        }
        for &(parent, state) in rules.begun_by_nonterminal(child) {
            if self.hole.parsing.left.predicts(origin, parent) {
                found.push((rules.start(parent), LeftItem { state, origin }));
            }
        }
        found
    }

    fn print(mut self) -> String {
        let wholes: Vec<Name> = self
            .hole
            .right()
            .wholes
            .iter()
            .map(|&instance| Name::Both(LeftChart::FIRST, instance))
            .collect();
        self.todo.extend(&wholes);
        while let Some(name) = self.todo.pop() {
            if !self.rules.contains_key(&name) {
                let alternatives = self.alternatives(name);
                self.rules.insert(name, alternatives);
            }
        }
        self.trim();
        let mut text = String::new();
        for (name, alternatives) in &self.rules {
            if alternatives.is_empty() {
                continue;
            }
            let arrow = if wholes.contains(name) { "=>" } else { "->" };
            let mut shown: Vec<String> = Vec::new();
            for spelling in alternatives {
                let alternative = match spelling {
                    SpellingExpression::Empty => "nothing".to_owned(),
                    other => other.to_string(),
                };
                if !shown.contains(&alternative) {
                    shown.push(alternative);
                }
            }
            let left = format!("{}{}", self.spoken(*name), self.needed_mark(*name));
            let _ = writeln!(text, "{left} {arrow} {}", shown.join("\n    | "));
        }
        text
    }

    fn alternatives(&mut self, name: Name) -> Vec<SpellingExpression> {
        match name {
            Name::Right(instance) => {
                let start = self.hole.parsing.rules().start(self.instance_of(instance));
                let exits = self.hole.right().exits(instance).to_vec();
                exits
                    .into_iter()
                    .filter_map(|(state, exit)| {
                        let path = self.between(start, &[state])?;
                        Some(path.then(self.exit(exit)))
                    })
                    .collect()
            }
            Name::Left(nonterminal, origin) => {
                let finals = self.hole.parsing.rules().finals(nonterminal).to_vec();
                let mut found = Vec::new();
                for (state, before) in self.continuations(nonterminal, origin) {
                    if let Some(path) = self.between(state, &finals) {
                        found.push(before.then(path));
                    }
                }
                found
            }
            Name::Both(origin, instance) => self.bridges(origin, instance),
        }
    }

    /// The places where an open rule may go on, each with the text that must be written in front.
    fn continuations(
        &mut self,
        nonterminal: Nonterminal,
        origin: LeftChart,
    ) -> Vec<(BodyState, SpellingExpression)> {
        let Some(open) = self.open.get(&(nonterminal, origin)) else { return Vec::new() };
        let items = open.items.iter().map(|(_, item)| (item.state, SpellingExpression::Empty));
        let mut found: Vec<(BodyState, SpellingExpression)> = items.collect();
        let children: Vec<_> = open.children.iter().copied().collect();
        for (behind, _, child, child_origin) in children {
            let name = self.reference(Name::Left(child, child_origin));
            found.push((behind, name));
        }
        found
    }

    fn bridges(&mut self, origin: LeftChart, instance: InstanceIdx) -> Vec<SpellingExpression> {
        let nonterminal = self.instance_of(instance);
        let exits = self.hole.right().exits(instance).to_vec();
        let mut found = Vec::new();
        for (state, before) in self.continuations(nonterminal, origin) {
            for &(leaves, exit) in &exits {
                if let Some(path) = self.between(state, &[leaves]) {
                    found.push(before.clone().then(path).then(self.exit(exit)));
                }
            }
        }
        let children: Vec<_> = self
            .open
            .get(&(nonterminal, origin))
            .map(|open| open.children.iter().copied().collect())
            .unwrap_or_default();
        for (_, before, child, child_origin) in children {
            for &(leaves, exit) in &exits {
                if let Exit::Child(inner) = exit
                    && leaves == before
                    && self.instance_of(inner) == child
                {
                    found.push(self.reference(Name::Both(child_origin, inner)));
                }
            }
        }
        found
    }

    /// Drops alternatives that can never end, and then the rules that nothing uses any more.
    fn trim(&mut self) {
        loop {
            let empty: Vec<String> = self
                .rules
                .iter()
                .filter(|(_, alternatives)| alternatives.is_empty())
                .map(|(name, _)| self.spoken(*name))
                .collect();
            let mut n_dropped = 0;
            for alternatives in self.rules.values_mut() {
                let before = alternatives.len();
                alternatives.retain(|spelling| !empty.iter().any(|name| mentions(spelling, name)));
                n_dropped += before - alternatives.len();
            }
            if n_dropped == 0 {
                return;
            }
        }
    }

    fn instance_of(&self, instance: InstanceIdx) -> Nonterminal {
        self.hole.right().instance(instance).nonterminal
    }

    fn between(&self, from: BodyState, to: &[BodyState]) -> Option<SpellingExpression> {
        paths(self.hole.parsing.rules(), &|symbol| self.symbol(symbol), from, to)
    }

    fn symbol(&self, symbol: EdgeLabel) -> String {
        match symbol {
            EdgeLabel::Terminal(terminal) => {
                let description = &self.hole.language().lexer.description;
                match description.terminals.get(terminal.index()) {
                    Some(found) if found.kind == fim_lexer::PatternKind::Literal => {
                        format!("{:?}", found.pattern)
                    }
                    Some(found) => found.name.clone(),
                    None => {
                        let declared = terminal.index() - description.terminals.len();
                        description.declared[declared].clone()
                    }
                }
            }
            EdgeLabel::Nonterminal(child) => self.hole.parsing.rules().name(child).to_owned(),
        }
    }

    fn exit(&mut self, exit: Exit) -> SpellingExpression {
        match exit {
            Exit::Root(_) => SpellingExpression::Name("$".to_owned()),
            Exit::Child(child) => self.reference(Name::Right(child)),
        }
    }

    fn reference(&mut self, name: Name) -> SpellingExpression {
        self.todo.push(name);
        SpellingExpression::Name(self.spoken(name))
    }

    /// The mark that a right-open rule must have: the columns of its suite, or its name.
    fn needed_mark(&self, name: Name) -> String {
        let (Name::Right(instance) | Name::Both(_, instance)) = name else { return String::new() };
        let shown = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
        match self.hole.right().instance(instance).own_marks() {
            Marks::Columns(columns) => match (columns.least.wide, columns.greatest.wide) {
                (0, u32::MAX) => String::new(),
                (least, u32::MAX) => format!(" {{column >= {least}}}"),
                (least, greatest) if least == greatest => format!(" {{column = {least}}}"),
                (least, greatest) => format!(" {{{least} <= column <= {greatest}}}"),
            },
            Marks::Name(name) => match self.hole.parsing.left.spellings.name(name) {
                KnownName::Whole(name) => format!(" {{name = {}}}", shown(&name)),
                KnownName::Ending(end) => format!(" {{name = ...{}}}", shown(&end)),
                _ => String::new(),
            },
        }
    }

    fn spoken(&self, name: Name) -> String {
        let rules = self.hole.parsing.rules();
        let place = |origin: LeftChart| {
            let origins: BTreeSet<LeftChart> =
                self.open.keys().map(|&(_, origin)| origin).collect();
            origins.iter().position(|&known| known == origin).unwrap_or_default()
        };
        match name {
            Name::Both(origin, instance) => format!(
                "{}!{}~{}",
                rules.name(self.instance_of(instance)),
                place(origin),
                instance.0
            ),
            Name::Left(nonterminal, origin) => {
                format!("{}!{}", rules.name(nonterminal), place(origin))
            }
            Name::Right(instance) => {
                format!("{}~{}", rules.name(self.instance_of(instance)), instance.0)
            }
        }
    }
}

fn mentions(spelling: &SpellingExpression, name: &str) -> bool {
    match spelling {
        SpellingExpression::Empty => false,
        SpellingExpression::Name(known) => known == name,
        SpellingExpression::Sequence(parts) | SpellingExpression::Choice(parts) => {
            parts.iter().any(|part| mentions(part, name))
        }
        SpellingExpression::Repeat(inner) => mentions(inner, name),
    }
}
