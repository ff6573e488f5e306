//! The right side: all facts about a right context that a hole needs, whatever its left context is.
//!
//! A right context reads differently from different raw states of the lexer, but the states collapse into a few
//! [`Root`]s: where clean reading begins, and which symbol straddles the cut. From each root's backward chart the
//! instances of rules that are open to the left are followed up to the whole file. An [`Instance`] says in which
//! states its body can leave into the right context, at once or by way of an open child. This is the right-open half
//! of the grammar of the missing texts (the paper's quotient), shared by all left contexts.

mod adjacent;
mod beginnings;
mod candidates;
mod entrances;
mod exits;
mod frontiers;
mod halves;
mod instances;
mod junctions;
mod nesting;

use std::sync::Arc;

use fim_lexer::lexer::LexState;
use fim_lexer::scanner::{EmissionId, RawState};
use rustc_hash::FxHashMap;

use self::adjacent::keep_adjacent;
use self::candidates::EnteredFrom;
use self::entrances::contains;
pub(crate) use self::entrances::{
    Entrance, Half, Root, Ways, bytes_of_quotes, bytes_of_quotes_begun,
};
use self::exits::Exits;
pub(crate) use self::halves::Beginning;
use self::junctions::Junctions;
use self::nesting::NestingBehind;
use crate::charts::{Marks, RightChart, RightCharts, RightItem, SpellingIdx, Spellings};
use crate::grammar::{Language, Nonterminal, Origin, OriginSets, Tables, sets_of};
use crate::right_context::{Budget, Depths, NothingFits, OpenFrames, SuffixCharts, TooCostly};

/// The index of a root in front of which some text is possible.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct RootIdx(pub(crate) u16);

/// The index of an instance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct InstanceIdx(pub(crate) u32);

/// An exit: the way on which the body of a rule crosses into the right context.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// Into the right context itself.
    Root(RootIdx),
    /// Into a child that is open to the right.
    Child(InstanceIdx),
}

/// A rule whose end lies in the right context, and whose beginning does not.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    pub(crate) nonterminal: Nonterminal,
    /// The marks that fit: the rule's own if its right part is inside its suite or behind its name, else those
    /// around.
    pub(crate) marks: Marks,
    /// Whether the right part lies inside the rule's own suite, or behind its own name.
    pub(crate) is_marked: bool,
    /// The extra cost of the rule's name over the shortest one, if the right context repeats that name.
    pub(crate) naming: u32,
    /// The cost of writing the rule from its start up to the right context.
    pub(crate) cost: u32,
    end: RightChart,
}

/// The reason why a right context cannot be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unusable {
    /// No text can stand in front of it.
    NothingFits(NothingFits),
    /// Reading it would cost too much, so nothing is known.
    TooCostly,
}

impl From<NothingFits> for Unusable {
    fn from(error: NothingFits) -> Self {
        Self::NothingFits(error)
    }
}

impl From<TooCostly> for Unusable {
    fn from(TooCostly: TooCostly) -> Self {
        Self::TooCostly
    }
}

/// The right-open half of the grammar of the missing texts.
#[derive(Clone, Debug)]
pub(crate) struct RightSide {
    /// The right context, with the line break that ends its last line.
    pub(crate) text: Arc<[u8]>,
    /// The number of bytes of the text that are the right context's own.
    n_own: usize,
    pub(crate) roots: Vec<Root>,
    root_of: FxHashMap<Root, RootIdx>,
    nesting: NestingBehind,
    pub(crate) instances: Vec<Instance>,
    exits: Exits,
    /// The instances of the whole file.
    pub(crate) wholes: Vec<InstanceIdx>,
    /// For each straddling root, the raw states in which the cut may lie, as bits.
    entered_from: Vec<Vec<u64>>,
    /// For each root, the raw states from which one of `entered_from` can be reached within the symbol.
    leading_to: Vec<Vec<u64>>,
    /// For each root the cost of entering it behind a symbol that does not straddle the cut into it.
    entry_costs: Vec<u32>,
    /// For each root the width of the right context's own white space in front of its first line.
    own_white: Vec<u32>,
    junctions: Arc<Junctions>,
    spellings: Spellings,
    /// The roots that need a certain half of a name in front of the cut.
    halved: Vec<RootIdx>,
    /// The names that rules must have which are open in front of the right context.
    pub(crate) needed: Vec<SpellingIdx>,
}

impl RightSide {
    /// Reads a right context. `text` is the context with the line break that may be missing at its end; the first
    /// `n_own` bytes are its own. Only these `ways` lead into it.
    pub(crate) fn new(
        tables: &Tables<'_>,
        charts: &mut RightCharts,
        suffix: &mut SuffixCharts,
        text: Arc<[u8]>,
        n_own: usize,
        ways: &Ways,
    ) -> Result<Self, Unusable> {
        let mut budget = Budget::of(text.len());
        Self::within_budget(tables, charts, suffix, (text, n_own), ways, &mut budget)
    }

    /// The same, with what is left of a budget.
    fn within_budget(
        tables: &Tables<'_>,
        charts: &mut RightCharts,
        suffix: &mut SuffixCharts,
        (text, n_own): (Arc<[u8]>, usize),
        ways: &Ways,
        budget: &mut Budget,
    ) -> Result<Self, Unusable> {
        let mut side = Self {
            text,
            n_own,
            roots: Vec::new(),
            root_of: FxHashMap::default(),
            nesting: NestingBehind::default(),
            instances: Vec::new(),
            exits: Exits::default(),
            wholes: Vec::new(),
            entered_from: Vec::new(),
            leading_to: Vec::new(),
            entry_costs: Vec::new(),
            own_white: Vec::new(),
            junctions: Arc::default(),
            spellings: charts.spellings.clone(),
            halved: Vec::new(),
            needed: Vec::new(),
        };
        let mut frontiers = Vec::new();
        let mut failures = Vec::new();
        let mut candidates = side.candidates(tables);
        candidates.retain(|(root, _)| ways.may_take(&side.text, root.entrance));
        side.read_in_fstrings(tables, charts, suffix, &candidates, budget)?;
        for (root, EnteredFrom { within, complete }) in candidates {
            let n_items = charts.n_items();
            let frontier = side.frontier(tables, charts, suffix, root);
            let halves = side.halves(tables, charts, suffix, root, &within);
            budget.spend(charts.n_items() - n_items)?;
            let mut halves = halves.into_iter().peekable();
            match frontier {
                Ok((items, depth)) if !items.is_empty() => {
                    side.add_root(
                        tables,
                        root,
                        (items, depth),
                        (&within, &complete),
                        &mut frontiers,
                    );
                    if !side.root_of.contains_key(&root) && halves.peek().is_none() {
                        failures.push((root, NothingFits { offset: root.entrance.at() }));
                    }
                }
                Ok(_) => {}
                Err(_) if halves.peek().is_some() => {}
                Err(error) => failures.push((root, error)),
            }
            for (half, items, depth) in halves {
                let found = (items, depth);
                side.add_root(tables, half, found, (&within, &complete), &mut frontiers);
            }
        }
        if side.nesting.is_open() {
            side.nesting.know_places(suffix.lines.depths_behind(&side.text));
        }
        side.open_instances(tables, charts, &frontiers, budget)?;
        side.find_needed(tables);
        side.find_costs(tables);
        if side.wholes.is_empty() {
            return Err(most_telling(&failures).into());
        }
        if !side.has_room(tables) {
            return Err(NothingFits { offset: 0 }.into());
        }
        Ok(side)
    }

    /// This right side without one of its roots.
    pub(crate) fn without(&self, tables: &Tables<'_>, root: RootIdx) -> Self {
        let mut side = self.clone();
        side.exits.forget(root);
        side.find_costs(tables);
        side
    }

    /// Adds a root with these items, unless none of them can have a symbol in front of it that leads to the root.
    fn add_root(
        &mut self,
        tables: &Tables<'_>,
        root: Root,
        (mut items, depth): (Vec<RightItem>, Depths),
        (within, complete): (&[Arc<Origin>], &[EmissionId]),
        frontiers: &mut Vec<Vec<RightItem>>,
    ) {
        let OriginSets { states, leading_to } = sets_of(tables.reach, within);
        keep_adjacent(tables, &mut items, &leading_to, complete);
        if items.is_empty() {
            return;
        }
        let index = RootIdx(self.roots.len() as u16);
        if root.half != Half::Any {
            self.halved.push(index);
        }
        self.root_of.insert(root, index);
        self.roots.push(root);
        self.nesting.add(depth);
        self.entry_costs.push(self.entry_cost(tables, root, within));
        self.own_white.push(self.white_behind(tables.lexer, root.entrance));
        self.leading_to.push(leading_to);
        self.entered_from.push(states);
        frontiers.push(items);
    }

    /// The viable root of this key.
    pub(crate) fn root(&self, root: Root) -> Option<RootIdx> {
        self.root_of.get(&root).copied()
    }

    /// Reads on in f-strings, from where candidates begin in them.
    fn read_in_fstrings(
        &mut self,
        tables: &Tables<'_>,
        charts: &mut RightCharts,
        suffix: &mut SuffixCharts,
        candidates: &[(Root, EnteredFrom)],
        budget: &mut Budget,
    ) -> Result<(), TooCostly> {
        let starts = candidates.iter().map(|(root, _)| (root.entrance.at(), root.mode));
        let SuffixCharts { lines, lattice } = suffix;
        let read = lattice.read(tables, charts, lines, &self.text, starts, budget);
        self.nesting.height = lattice.height();
        read
    }

    /// Whether CPython allows all suites and brackets that are open if the text goes on behind this root: those
    /// around it, and those that it opens.
    pub(crate) fn nests(
        &self,
        tables: &Tables<'_>,
        root: RootIdx,
        lexed: &LexState,
        frames: &OpenFrames,
    ) -> bool {
        let own = (root, self.roots[usize::from(root.0)]);
        self.nesting.fits(tables, &self.text, own, lexed, frames)
    }

    /// Whether from `state` a state is reached, within the symbol, that enters this root.
    pub(crate) fn can_reach_entry(&self, root: RootIdx, state: RawState) -> bool {
        contains(&self.leading_to[usize::from(root.0)], state)
    }

    pub(crate) fn instance(&self, index: InstanceIdx) -> &Instance {
        &self.instances[index.0 as usize]
    }
}

/// The text with the line break that CPython adds in languages with lines: when the last line lacks one, and up to
/// 3.11 once more behind `\r\n` (whose second half `\n` alone may be).
pub(crate) fn ended_text(language: &Language, text: &[u8]) -> Arc<[u8]> {
    let is_ended = matches!(text.last(), Some(b'\n' | b'\r'));
    let is_pair = text.ends_with(b"\r\n") || text == b"\n";
    let is_ended_twice = is_pair && language.lexer.description.dialect.may_end_joined;
    if language.lexer.layout().is_none() || (is_ended && !is_ended_twice) {
        return text.into();
    }
    let mut ended = Vec::with_capacity(text.len() + 1);
    ended.extend_from_slice(text);
    ended.push(b'\n');
    ended.into()
}

/// The error that a person would see: that of reading cleanly from the cut, else the furthest one.
fn most_telling(failures: &[(Root, NothingFits)]) -> NothingFits {
    let is_clean =
        |root: &Root| root.mode.frame.is_none() && !matches!(root.entrance, Entrance::Straddle(..));
    let clean = failures.iter().filter(|(root, _)| is_clean(root)).map(|(_, error)| error.offset);
    let offset = clean.max().or_else(|| failures.iter().map(|(_, error)| error.offset).max());
    NothingFits { offset: offset.unwrap_or(0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::GrammarDescription;

    const OLD: &str = include_str!("../grammars/python-3.8.json");
    const NEW: &str = include_str!("../grammars/python-3.14.json");

    /// Texts that a search for high costs has found, in the version where they cost most.
    const COSTLY: [(&str, [(&str, usize); 3]); 2] = [
        (OLD, [("}'", 500), ("}'}\"", 250), (")r}r}'", 166)]),
        (NEW, [("}}'", 333), ("}'}\"", 250), ("rrr}}})", 140)]),
    ];

    #[test]
    fn what_is_given_up_leaves_nothing_wrong_behind() {
        for (grammar, texts) in COSTLY {
            let language = Language::new(GrammarDescription::from_json(grammar).unwrap()).unwrap();
            for (piece, n_times) in texts {
                let text: Arc<[u8]> = (piece.repeat(n_times) + "\n").into_bytes().into();
                let read =
                    |charts: &mut RightCharts, suffix: &mut SuffixCharts, budget: &mut Budget| {
                        let text = Arc::clone(&text);
                        let n_own = text.len();
                        let (tables, read) = (language.tables(), (text, n_own));
                        RightSide::within_budget(&tables, charts, suffix, read, &Ways::All, budget)
                    };
                let (mut charts, mut suffix) =
                    (RightCharts::new(&language.rules), SuffixCharts::default());
                let mut tenth = Budget::of(0).part(10);
                let fresh =
                    read(&mut charts, &mut suffix, &mut tenth).expect("far within the budget");
                let (mut charts, mut suffix) =
                    (RightCharts::new(&language.rules), SuffixCharts::default());
                for part in [10_000, 1_000, 300] {
                    let mut little = Budget::of(0).part(part);
                    if let Err(error) = read(&mut charts, &mut suffix, &mut little) {
                        assert_eq!(error, Unusable::TooCostly, "{piece:?}");
                    }
                }
                let later = read(&mut charts, &mut suffix, &mut Budget::of(0)).expect("enough");
                assert_eq!(later.roots, fresh.roots, "{piece:?}");
                assert_eq!(later.instances.len(), fresh.instances.len(), "{piece:?}");
                let cost = |side: &RightSide| {
                    side.wholes.iter().map(|&whole| side.instance(whole).cost).min()
                };
                assert_eq!(cost(&later), cost(&fresh), "{piece:?}");
            }
        }
    }

    #[test]
    fn a_small_budget_is_soon_spent() {
        let language = Language::new(GrammarDescription::from_json(OLD).unwrap()).unwrap();
        let (mut charts, mut suffix) = (RightCharts::new(&language.rules), SuffixCharts::default());
        let text: Arc<[u8]> = ("}'".repeat(500) + "\n").into_bytes().into();
        let mut little = Budget::of(0).part(10_000);
        let n_own = text.len();
        let read = RightSide::within_budget(
            &language.tables(),
            &mut charts,
            &mut suffix,
            (text, n_own),
            &Ways::All,
            &mut little,
        );
        let refusal = read.map(|_| ()).unwrap_err();
        assert_eq!(refusal, Unusable::TooCostly);
    }
}
