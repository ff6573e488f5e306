//! Liveness: all symbols that may follow a chart in front of a right context. A symbol is *alive* if some text behind
//! it makes the whole file parse. In the examples `|` is the hole.
//!
//! [`Hole::cost`] answers for a chart that exists. A mask asks about all symbols that may come next, and most of the
//! charts behind them will never be made. From the terminals that may come (`terminals.rs`) follow the lexer's
//! emissions that may; those of several symbols and of names are decided apart (`late.rs`). All are kept for each
//! chart.
//!
//! ```text
//! f(a|)      alive: `,`, an operator, a dot, `(`, `)` (as in `f(a)()`), and so on; `:` is not
//! f(|b)      alive besides: all that a `b` may follow, and a name, which goes on with `b`
//! ```
//!
//! So a mask asks for a bit where it would have made a chart. That takes more at a chart that is met only once.

mod late;
mod terminals;

use fim_lexer::TerminalId;
use fim_lexer::scanner::EmissionId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{Hole, Onward};
use crate::charts::{LeftChart, Parsing, Spelling};
use crate::grammar::{IMPOSSIBLE, Rules};
use crate::right_side::{Exit, RootIdx};

/// Terminals or emissions, as bits.
type Bits = SmallVec<[u64; 8]>;

/// The emissions, terminals and roots that are alive behind a chart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Liveness {
    /// Whether any text fits.
    pub(crate) is_live: bool,
    /// Whether a line may end behind the chart.
    pub(crate) is_line_end: bool,
    /// The emissions behind which some text fits, limits of brackets aside.
    emissions: Bits,
    /// Emissions that may be alive, too: deciding takes charts, and most masks do not ask.
    undecided: Bits,
    /// Whether no mask has asked about `undecided` yet.
    is_open: bool,
    /// The terminals that do not end a suite and are alive.
    terminals: SmallVec<[u64; 4]>,
    /// The terminals that are alive behind an inserted symbol that only ever stands between others of a rule, such as
    /// JavaScript's "a line break may not come here".
    behind_marks: SmallVec<[u64; 4]>,
    /// The emissions that are alive whatever their text is, where the text matters: where a repeated name may stand.
    pub(crate) spelled: Option<Box<[u64]>>,
    /// The roots that the chart meets.
    pub(crate) roots: SmallVec<[RootIdx; 2]>,
}

/// The number of a chart's liveness, until [`Hole::forget_much`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LivenessIdx(u32);

/// The liveness of charts.
#[derive(Debug, Default)]
pub(crate) struct LivenessOfCharts {
    index: FxHashMap<LeftChart, LivenessIdx>,
    /// The terminals that may come behind charts in front of which a symbol was inserted.
    terminals: FxHashMap<LeftChart, SmallVec<[u64; 4]>>,
    found: Vec<Liveness>,
}

/// The most charts that are remembered; then all are forgotten.
const MAX_CHARTS: usize = 1 << 16;

impl Hole {
    /// The number of the liveness of a chart, computed on first use.
    #[inline]
    pub(super) fn learn(&mut self, parsing: &mut Parsing<'_>, chart: LeftChart) -> LivenessIdx {
        if let Some(&known) = self.liveness.index.get(&chart) {
            return known;
        }
        let found = self.liveness(parsing, chart);
        let fresh = LivenessIdx(self.liveness.found.len() as u32);
        self.liveness.index.insert(chart, fresh);
        self.liveness.found.push(found);
        fresh
    }

    /// Whether one of these emissions is alive, where the liveness of the chart is known.
    #[inline]
    pub(super) fn is_any_live(
        &mut self,
        parsing: &mut Parsing<'_>,
        at: (LeftChart, LivenessIdx),
        emissions: &[u64],
    ) -> bool {
        let known = self.known_liveness(at.1);
        meet(&known.emissions, emissions)
            || meet(&known.undecided, emissions) && self.is_any_late(parsing, at, emissions)
    }

    /// Whether an emission is alive.
    pub(super) fn is_emission_live(
        &mut self,
        parsing: &mut Parsing<'_>,
        chart: LeftChart,
        emission: EmissionId,
    ) -> bool {
        let known = self.learn(parsing, chart);
        self.is_emission_live_at(parsing, (chart, known), emission)
    }

    /// Whether an emission is alive, where the liveness of the chart is known.
    #[inline]
    pub(super) fn is_emission_live_at(
        &mut self,
        parsing: &mut Parsing<'_>,
        at: (LeftChart, LivenessIdx),
        emission: EmissionId,
    ) -> bool {
        let (known, index) = (self.known_liveness(at.1), usize::from(emission.0));
        if has_bit(&known.emissions, index) {
            return true;
        }
        if !has_bit(&known.undecided, index) {
            return false;
        }
        let mut wanted: Bits = SmallVec::from_elem(0, known.emissions.len());
        wanted[index / 64] |= 1 << (index % 64);
        self.is_any_late(parsing, at, &wanted)
    }

    /// The liveness of this number.
    #[inline]
    pub(super) fn known_liveness(&self, LivenessIdx(index): LivenessIdx) -> &Liveness {
        &self.liveness.found[index as usize]
    }

    /// Forgets the liveness of charts if there are many. Not to be called within a walk.
    pub(super) fn forget_much(&mut self) {
        if self.liveness.found.len() > MAX_CHARTS {
            self.liveness = LivenessOfCharts::default();
        }
    }

    /// The liveness of a chart, from scratch.
    fn liveness(&mut self, parsing: &mut Parsing<'_>, chart: LeftChart) -> Liveness {
        let language = parsing.language;
        if !self.has_way(parsing, chart) {
            return Liveness::default();
        }
        let sets = &language.emission_sets;
        let terminals = self.live_terminals(parsing, chart);
        let mut emissions: Bits = SmallVec::from_slice(&sets.silent);
        sets.add_of(&with_written_names(&language.rules, &terminals), &mut emissions);
        let mut behind_marks = SmallVec::new();
        for insertion in sets.insertable_symbols().iter().filter(|insertion| insertion.is_between) {
            let live = self.live_behind_mark(parsing, chart, insertion.symbol);
            insertion.add_of(&live, &mut emissions);
            join(&mut behind_marks, &live);
        }
        let roots = self.met_roots(parsing, chart);
        let is_line_end = language
            .lexer
            .layout()
            .is_some_and(|layout| self.is_sequence_live(parsing, chart, &[layout.newline]));
        let undecided =
            sets.late.iter().zip(&emissions).map(|(late, known)| late & !known).collect();
        let mut found = Liveness {
            is_live: true,
            is_line_end,
            emissions,
            undecided,
            is_open: true,
            terminals,
            behind_marks,
            spelled: None,
            roots,
        };
        self.add_breaks(language, &mut found);
        let minding = minding(parsing, chart);
        if !minding.is_empty() || language.lexer.scanner.held_emissions().next().is_some() {
            self.decide_all(parsing, chart, &mut found);
        }
        if !minding.is_empty() {
            found.spelled = Some(self.spelled_emissions(parsing, chart, &minding, &found));
        }
        found
    }

    /// Those alive emissions that are so whatever their text is. The spelling of the terminals in `minding` matters.
    fn spelled_emissions(
        &mut self,
        parsing: &mut Parsing<'_>,
        chart: LeftChart,
        minding: &[TerminalId],
        Liveness { terminals, emissions, .. }: &Liveness,
    ) -> Box<[u64]> {
        let rules = parsing.rules();
        let may_be_first = rules.first_name().is_some_and(|name| has_bit(terminals, name.index()));
        let mut is_first_live = None;
        let mut found: Box<[u64]> = emissions.as_slice().into();
        for (index, emission) in parsing.language.lexer.scanner.emissions().iter().enumerate() {
            let [name] = emission.symbols[..] else { continue };
            if !minding.contains(&name) || has_bit(terminals, name.index()) {
                continue;
            }
            let is_live = may_be_first
                && *is_first_live.get_or_insert_with(|| {
                    let behind = parsing.left.step_spelled(rules, chart, name, Spelling::Unlike);
                    behind.is_some_and(|behind| self.cost(parsing, behind) < IMPOSSIBLE)
                });
            if !is_live {
                found[index / 64] &= !(1 << (index % 64));
            }
        }
        found
    }

    /// The roots for which [`Hole::meets`] holds.
    fn met_roots(&mut self, parsing: &Parsing<'_>, chart: LeftChart) -> SmallVec<[RootIdx; 2]> {
        let mut found = SmallVec::new();
        for &item in parsing.items(chart) {
            let nonterminal = parsing.rules().owner(item.state);
            let onward = self.onward(parsing, item.origin);
            let Some(onward) = Onward::find(&onward, nonterminal) else { continue };
            for &instance in &onward.instances {
                for &(state, exit) in self.right.exits(instance) {
                    let Exit::Root(root) = exit else { continue };
                    if state == item.state
                        && !found.contains(&root)
                        && self.fits(parsing, chart, item, instance)
                    {
                        found.push(root);
                    }
                }
            }
        }
        found
    }
}

/// The terminals, with those that names are written as if a repeated name may come.
fn with_written_names(rules: &Rules, terminals: &[u64]) -> SmallVec<[u64; 4]> {
    let mut found = SmallVec::from_slice(terminals);
    rules.add_written_names(&mut found);
    found
}

/// The terminals whose spelling matters behind a chart.
fn minding(parsing: &mut Parsing<'_>, chart: LeftChart) -> SmallVec<[TerminalId; 8]> {
    let rules = parsing.rules();
    if !rules.said_names().any(|name| parsing.left.may_come(rules, chart, name)) {
        return SmallVec::new();
    }
    let written = rules.written_names().iter().copied();
    written.filter(|&name| parsing.left.minds_spelling(rules, chart, name)).collect()
}

/// Whether two sets have a member in common.
#[inline]
fn meet(one: &[u64], other: &[u64]) -> bool {
    one.iter().zip(other).any(|(one, other)| one & other != 0)
}

/// Adds a set to another one, which may have fewer words.
fn join(set: &mut SmallVec<[u64; 4]>, more: &[u64]) {
    if set.len() < more.len() {
        set.resize(more.len(), 0);
    }
    for (word, &more) in set.iter_mut().zip(more) {
        *word |= more;
    }
}

fn has_bit(set: &[u64], index: usize) -> bool {
    set.get(index / 64).is_some_and(|word| word & (1 << (index % 64)) != 0)
}
