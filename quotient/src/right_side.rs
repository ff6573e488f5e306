//! All that a hole needs to know of its right context, whatever the left one is.
//!
//! A right context reads differently from different raw states of the lexer, but the states
//! collapse into a few [`Root`]s: where clean reading begins, and which symbol straddles the cut.
//! From each root's backward chart the instances of rules that are open to the left are followed
//! up to the whole file. An [`Instance`] says in which states its body can leave into the right
//! context, at once or by way of an open child: this is the right-open half of the middle
//! grammar, shared by all left contexts.

use std::sync::Arc;

use fim_lexer::fstring::{Frame, FrameChange, Quotes, change_frames};
use fim_lexer::lexer::LexState;
use fim_lexer::scanner::{EmissionId, RawState, StateKind};
use fim_lexer::suffix::{Junction, Leading, junction, leading};
use fim_lexer::{Column, Columns};
use rustc_hash::FxHashMap;

use crate::costs::IMPOSSIBLE;
use crate::depth::Depth;
use crate::right::{RightChart, RightCharts, RightItem};
use crate::rules::{BodyState, Nonterminal};
use crate::suffix_charts::{Frames, Inside, NothingFits, SuffixCharts, Tables};
use crate::surroundings::surroundings;

/// How a right context is taken up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Entrance {
    /// In the middle of a line, with a symbol that begins at this offset or later.
    Middle(u32),
    /// The first symbol of a line begins behind this offset, its white space in front of it.
    LineStart(u32),
    /// A line begins at this offset.
    Line(u32),
    /// This symbol ends at this offset and began in front of the right context.
    Straddle(EmissionId, u32),
}

/// An entrance together with the f-strings around it (an index into [`RightSide::frames`]) and the
/// clean state there, which in them knows the quotes just read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Root {
    pub(crate) entrance: Entrance,
    pub(crate) frames: u16,
    pub(crate) clean: RawState,
}

/// The index of a root that something can be in front of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct RootIdx(pub(crate) u16);

/// The index of an instance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct InstanceIdx(pub(crate) u32);

/// What the text in front of a right context must do to enter it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// The symbol that is complete at the cut and not yet read.
    pub(crate) complete: Option<EmissionId>,
    /// Where reading goes on.
    pub(crate) root: Root,
}

/// Into what a body leaves.
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
    /// Where its suite may stand: its own column if the right part lies inside its suite, else
    /// the column of the suite around it.
    pub(crate) columns: Columns,
    /// Whether the right part lies inside the rule's own suite.
    pub(crate) is_in_suite: bool,
    /// The states in which the body may leave, and into what.
    pub(crate) exits: Vec<(BodyState, Exit)>,
    /// The cost of writing it from its start up to the right context.
    pub(crate) cost: u32,
    end: RightChart,
}

/// The right-open half of the middle grammar.
#[derive(Clone, Debug)]
pub(crate) struct RightSide {
    /// The right context, with the line break that ends its last line.
    pub(crate) text: Arc<[u8]>,
    /// How many bytes of the text are the right context's own.
    n_own: usize,
    /// What the left context leaves open, as far as it changes how a text reads.
    left_frames: Frames,
    pub(crate) frames: Vec<Frames>,
    pub(crate) roots: Vec<Root>,
    root_of: FxHashMap<Root, RootIdx>,
    /// For each root, how deep the suites nest behind it.
    depths: Vec<Option<Arc<Depth>>>,
    pub(crate) instances: Vec<Instance>,
    /// The instances of the whole file.
    pub(crate) wholes: Vec<InstanceIdx>,
    /// For each straddling root, the raw states in which the cut may lie, as bits.
    entered_from: Vec<Vec<u64>>,
    /// The raw states that lead to those within the symbol.
    leading_to: Vec<Vec<u64>>,
}

impl RightSide {
    /// Reads a right context. `text` is the context with the line break that may be missing at its
    /// end; the first `n_own` bytes are its own. `left_frames` are the brackets and f-strings that
    /// the left context leaves open.
    pub(crate) fn new(
        tables: &Tables<'_>,
        charts: &mut RightCharts,
        suffix: &mut SuffixCharts,
        text: Arc<[u8]>,
        n_own: usize,
        left_frames: &[Frame],
    ) -> Result<Self, NothingFits> {
        let mut side = Self {
            text,
            n_own,
            left_frames: canonical(left_frames),
            frames: vec![Frames::new()],
            roots: Vec::new(),
            root_of: FxHashMap::default(),
            depths: Vec::new(),
            instances: Vec::new(),
            wholes: Vec::new(),
            entered_from: Vec::new(),
            leading_to: Vec::new(),
        };
        let mut frontiers = Vec::new();
        let mut failures = Vec::new();
        let candidates = side.candidates(tables);
        for (root, states) in candidates {
            match side.frontier(tables, charts, suffix, root) {
                Ok((items, depth)) if !items.is_empty() => {
                    side.root_of.insert(root, RootIdx(side.roots.len() as u16));
                    side.roots.push(root);
                    side.depths.push(depth);
                    side.leading_to.push(tables.reach.states_leading_to(states.iter().copied()));
                    side.entered_from.push(tables.reach.set_of_states(states.into_iter()));
                    frontiers.push(items);
                }
                Ok(_) => {}
                Err(error) => failures.push((root, error)),
            }
        }
        side.open_instances(tables, charts, &frontiers);
        side.find_costs(tables);
        if side.wholes.is_empty() { Err(most_telling(&failures)) } else { Ok(side) }
    }

    /// This right side without one of its roots.
    pub(crate) fn without(&self, tables: &Tables<'_>, root: RootIdx) -> Self {
        let mut side = self.clone();
        for instance in &mut side.instances {
            instance.exits.retain(|&(_, exit)| exit != Exit::Root(root));
            instance.cost = IMPOSSIBLE;
        }
        side.find_costs(tables);
        side
    }

    /// The viable root of this key.
    pub(crate) fn root(&self, root: Root) -> Option<RootIdx> {
        self.root_of.get(&root).copied()
    }

    /// Whether the suites behind this root, on top of those that are open, are not too many.
    pub(crate) fn nests(&self, root: RootIdx, indents: &[Column]) -> bool {
        self.depths[usize::from(root.0)].as_ref().is_none_or(|depth| depth.fits(indents))
    }

    /// Whether from `state` a state is reached, within the symbol, that enters this root.
    pub(crate) fn is_led_to(&self, root: RootIdx, state: RawState) -> bool {
        contains(&self.leading_to[usize::from(root.0)], state)
    }

    /// The shortest text that brings the symbol in progress to where this root is entered.
    pub(crate) fn shortest_entry(
        &self,
        tables: &Tables<'_>,
        lexed: &LexState,
        root: RootIdx,
    ) -> Option<Vec<u8>> {
        let wanted = self.roots[usize::from(root.0)];
        let entered_from = &self.entered_from[usize::from(root.0)];
        let mut lexed = lexed.clone();
        tables.reach.shortest_text(
            lexed.raw,
            |state| self.is_led_to(root, state),
            |state| {
                // The bits are the states of all surroundings; where they may differ is asked.
                contains(entered_from, state) && {
                    lexed.raw = state;
                    let entry = self.entry(tables, &lexed);
                    entry.is_some_and(|entry| entry.complete.is_none() && entry.root == wanted)
                }
            },
        )
    }

    pub(crate) fn instance(&self, index: InstanceIdx) -> &Instance {
        &self.instances[index.0 as usize]
    }

    /// How the right context is entered from a state of the lexer.
    pub(crate) fn entry(&self, tables: &Tables<'_>, lexed: &LexState) -> Option<Entry> {
        if !self.may_join(tables.lexer.scanner.kind(lexed.raw)) {
            return None;
        }
        let frames = canonical(&lexed.frames);
        let found = junction(tables.lexer, &self.text, lexed.raw, lexed.name)?;
        let entrance = self.entrance(found, lexed.is_line_start)?;
        let (frames, clean) = behind(tables, &frames, found)?;
        let frames = self.frames.iter().position(|known| *known == frames)? as u16;
        let complete = match found {
            Junction::Complete { emission, .. } => Some(emission),
            _ => None,
        };
        Some(Entry { complete, root: Root { entrance, frames, clean } })
    }

    /// Whether a backslash may be in progress in front of the right context: not if the line break
    /// that it joins, or the line behind that, is only there because we added it.
    fn may_join(&self, kind: StateKind) -> bool {
        match kind {
            StateKind::Backslash => self.n_own != 1 || self.text[0] != b'\n',
            StateKind::Continuation | StateKind::BackslashCarriageReturn => self.n_own > 0,
            _ => true,
        }
    }

    /// The column of the line that the cut is in the leading white space of, if the cut is there.
    pub(crate) fn line_column(&self, entrance: Entrance, lexed: &LexState) -> Option<Column> {
        let Entrance::LineStart(at) = entrance else { return None };
        match leading(&self.text, at as usize, lexed.column, lexed.joined_column) {
            Leading::Symbol { column, .. } => Some(column),
            _ => None,
        }
    }

    fn entrance(&self, found: Junction, is_line_start: bool) -> Option<Entrance> {
        match found {
            Junction::Straddling { emission, at, .. } => {
                Some(Entrance::Straddle(emission, at as u32))
            }
            Junction::Complete { .. } => Some(Entrance::Middle(0)),
            Junction::Clean { at, .. } if !is_line_start => Some(Entrance::Middle(at as u32)),
            Junction::Clean { at, is_line_start: true, .. } => Some(Entrance::Line(at as u32)),
            Junction::Clean { at, .. } => match leading(&self.text, at, Column::ZERO, 0) {
                Leading::Symbol { .. } => Some(Entrance::LineStart(at as u32)),
                Leading::LineEnd(next) => Some(Entrance::Line(next as u32)),
                Leading::TextEnd => Some(Entrance::Line(self.text.len() as u32)),
                Leading::Dead => None,
            },
        }
    }

    /// All roots that any raw state leads to, each with the raw states that enter it in the
    /// middle of a symbol.
    fn candidates(&mut self, tables: &Tables<'_>) -> Vec<(Root, Vec<RawState>)> {
        let mut found: FxHashMap<Root, Vec<RawState>> = FxHashMap::default();
        // What becomes of a mode's states is the same in all surroundings.
        let mut fates: FxHashMap<RawState, Vec<(Junction, Vec<RawState>)>> = FxHashMap::default();
        let fates_of = |start: RawState| {
            let fates = fates.entry(start).or_insert_with(|| self.junctions(tables, start));
            fates.iter().map(|(junction, _)| *junction).collect()
        };
        for frames in surroundings(tables, &self.text, &self.left_frames, fates_of) {
            let start = tables.lexer.scanner.start(frames.last().copied());
            let fates = fates.entry(start).or_insert_with(|| self.junctions(tables, start));
            for (junction, states) in &*fates {
                self.add_candidates(tables, &frames, *junction, states, &mut found);
            }
        }
        let mut candidates: Vec<_> = found.into_iter().collect();
        candidates.sort_unstable_by_key(|(root, _)| *root);
        candidates
    }

    /// What becomes of all raw states of a mode, states with the same fate together.
    fn junctions(&self, tables: &Tables<'_>, start: RawState) -> Vec<(Junction, Vec<RawState>)> {
        let text = &*self.text;
        let scanner = &tables.lexer.scanner;
        let mut fates: FxHashMap<Junction, Vec<RawState>> = FxHashMap::default();
        let mut add = |junction: Junction, states: &[RawState]| {
            fates.entry(junction).or_default().extend_from_slice(states);
        };
        let mut groups: FxHashMap<RawState, Vec<RawState>> = FxHashMap::default();
        for state in scanner.mode(start) {
            match scanner.kind(state) {
                StateKind::Symbol | StateKind::CharacterName | StateKind::Comment => {
                    groups.insert(state, vec![state]);
                }
                kind => {
                    let found = junction(tables.lexer, text, state, None);
                    if let Some(found) = found.filter(|_| self.may_join(kind)) {
                        add(found, &[state]);
                    }
                }
            }
        }
        let mut at = 0;
        while !groups.is_empty() {
            let mut merged: FxHashMap<RawState, Vec<RawState>> = FxHashMap::default();
            for (state, origins) in groups {
                let next = text.get(at).map_or(RawState::DEAD, |&byte| scanner.next(state, byte));
                if next != RawState::DEAD {
                    merged.entry(next).or_default().extend(origins);
                } else if let Some(found) = Junction::end_of_symbol(scanner, state, at) {
                    add(found, &origins);
                }
            }
            at += 1;
            at += n_idle_bytes(tables, text, at, &merged);
            groups = merged;
        }
        fates.into_iter().collect()
    }

    fn add_candidates(
        &mut self,
        tables: &Tables<'_>,
        frames: &Frames,
        junction: Junction,
        states: &[RawState],
        found: &mut FxHashMap<Root, Vec<RawState>>,
    ) {
        let has_lines = tables.lexer.layout().is_some() && frames.is_empty();
        let Some((frames, clean)) = behind(tables, frames, junction) else { return };
        let frames = self.frames_index(frames);
        for is_line_start in [false, true] {
            if is_line_start && !(has_lines && matches!(junction, Junction::Clean { .. })) {
                continue;
            }
            if let Some(entrance) = self.entrance(junction, is_line_start) {
                let known = found.entry(Root { entrance, frames, clean }).or_default();
                if !matches!(junction, Junction::Complete { .. }) {
                    known.extend_from_slice(states);
                }
            }
        }
    }

    fn frames_index(&mut self, frames: Frames) -> u16 {
        let index = self.frames.iter().position(|known| *known == frames);
        index.unwrap_or_else(|| {
            self.frames.push(frames);
            self.frames.len() - 1
        }) as u16
    }

    /// The items from whose states on the rest is in the right context, and how deep that nests.
    fn frontier(
        &self,
        tables: &Tables<'_>,
        charts: &mut RightCharts,
        suffix: &mut SuffixCharts,
        root: Root,
    ) -> Result<(Vec<RightItem>, Option<Arc<Depth>>), NothingFits> {
        let rules = tables.rules;
        let text = &self.text;
        match root.entrance {
            Entrance::Line(at) => {
                let (chart, depth) = suffix.line_start(tables, charts, text, at as usize)?;
                let items = charts.items(chart);
                Ok((items.filter(|item| rules.is_line_start(item.state)).collect(), depth))
            }
            Entrance::Middle(at) => {
                let at = at as usize;
                let (chart, depth) =
                    suffix.middle_of_line(tables, charts, text, at, self.inside(root))?;
                let items = charts.items(chart);
                Ok((items.filter(|item| !rules.is_line_start(item.state)).collect(), depth))
            }
            Entrance::LineStart(at) => {
                let at = at as usize;
                let Leading::Symbol { column, .. } = leading(text, at, Column::ZERO, 0) else {
                    return Err(NothingFits { offset: at });
                };
                // The text in front may have fixed the column by a backslash, at 1 or more.
                let least = Column { wide: column.wide.min(1), narrow: column.narrow.min(1) };
                let (chart, depth) =
                    suffix.middle_of_line(tables, charts, text, at, self.inside(root))?;
                // Behind a joined line break it has, and then both counts are the same; unless the
                // backslash stood at column 0, which CPython takes for no column at all.
                let is_joined = at > 0;
                let items = charts.items(chart).filter(|item| rules.is_line_start(item.state));
                let items = items.flat_map(|item| {
                    let mut found = item.columns.and(Columns::at_least(least));
                    let mut as_written = None;
                    if is_joined {
                        found = found.and_then(Columns::with_equal_counts);
                        as_written = item.columns.and(Columns::exactly(column));
                    }
                    let columns = found.into_iter().chain(as_written);
                    columns.map(move |columns| RightItem { columns, ..item })
                });
                Ok((items.collect(), depth))
            }
            Entrance::Straddle(emission, at) => {
                let at = at as usize;
                let (mut chart, depth) =
                    suffix.middle_of_line(tables, charts, text, at, self.inside(root))?;
                for &terminal in tables.lexer.scanner.emission(emission).symbols.iter().rev() {
                    let found = charts.step(rules, chart, terminal, None);
                    chart = found.ok_or(NothingFits { offset: 0 })?;
                }
                Ok((charts.items(chart).collect(), depth))
            }
        }
    }

    fn inside(&self, root: Root) -> Inside {
        let frames = &self.frames[usize::from(root.frames)];
        let is_same = |pair: &(&Frame, &Frame)| pair.0 == pair.1;
        let n_known = frames.iter().zip(&self.left_frames).take_while(is_same).count();
        Inside { frames: frames.clone(), raw: root.clean, n_known }
    }

    /// Follows open instances from the frontiers up to the whole file.
    fn open_instances(
        &mut self,
        tables: &Tables<'_>,
        charts: &RightCharts,
        frontiers: &[Vec<RightItem>],
    ) {
        let rules = tables.rules;
        let mut index = FxHashMap::default();
        for (root, items) in frontiers.iter().enumerate() {
            for item in items {
                let exit = (item.state, Exit::Root(RootIdx(root as u16)));
                self.add_exit(tables, &mut index, item.end, item.columns, exit);
            }
        }
        let mut next = 0;
        while let Some(instance) = self.instances.get(next) {
            let child = InstanceIdx(next as u32);
            next += 1;
            let (nonterminal, end) = (instance.nonterminal, instance.end);
            let outside = if instance.is_in_suite {
                instance.columns.enclosing()
            } else {
                Some(instance.columns)
            };
            if nonterminal == Nonterminal::ROOT {
                self.wholes.push(child);
                continue;
            }
            let Some(outside) = outside else { continue };
            for waiting in charts.items(end) {
                let before = rules.before_nonterminal(waiting.state, nonterminal);
                let Some(columns) = waiting.columns.and(outside) else { continue };
                for &state in before {
                    let exit = (state, Exit::Child(child));
                    self.add_exit(tables, &mut index, waiting.end, columns, exit);
                }
            }
            for &(parent, state) in rules.ended_by_nonterminal(nonterminal) {
                if charts.predicts(end, parent) {
                    let exit = (state, Exit::Child(child));
                    self.add_exit(tables, &mut index, end, outside, exit);
                }
            }
        }
    }

    fn add_exit(
        &mut self,
        tables: &Tables<'_>,
        index: &mut FxHashMap<(Nonterminal, RightChart, Columns, bool), InstanceIdx>,
        end: RightChart,
        columns: Columns,
        exit: (BodyState, Exit),
    ) {
        let nonterminal = tables.rules.owner(exit.0);
        let is_in_suite = tables.rules.is_in_suite(exit.0);
        let fresh = InstanceIdx(self.instances.len() as u32);
        let found = *index.entry((nonterminal, end, columns, is_in_suite)).or_insert(fresh);
        if found == fresh {
            self.instances.push(Instance {
                nonterminal,
                columns,
                is_in_suite,
                exits: Vec::new(),
                cost: IMPOSSIBLE,
                end,
            });
        }
        let exits = &mut self.instances[found.0 as usize].exits;
        if !exits.contains(&exit) {
            exits.push(exit);
        }
    }

    /// Improves the instances' costs until nothing changes. Parents come behind their children
    /// except in cycles, so few rounds are needed.
    fn find_costs(&mut self, tables: &Tables<'_>) {
        let (rules, costs) = (tables.rules, tables.costs);
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for index in 0..self.instances.len() {
                let instance = &self.instances[index];
                let start = rules.start(instance.nonterminal);
                let exits = instance.exits.iter().map(|&(state, exit)| {
                    costs.between(rules, start, state).saturating_add(self.exit_cost(exit))
                });
                let cost = exits.min().unwrap_or(IMPOSSIBLE);
                if cost < instance.cost {
                    self.instances[index].cost = cost;
                    is_changed = true;
                }
            }
        }
    }

    /// The cost of writing what is missing behind an exit.
    pub(crate) fn exit_cost(&self, exit: Exit) -> u32 {
        match exit {
            Exit::Root(_) => 0,
            Exit::Child(child) => self.instance(child).cost,
        }
    }
}

fn contains(states: &[u64], state: RawState) -> bool {
    states[state.index() / 64] & (1 << (state.index() % 64)) != 0
}

/// The frames behind a junction, and the clean state there.
fn behind(tables: &Tables<'_>, frames: &Frames, junction: Junction) -> Option<(Frames, RawState)> {
    let scanner = &tables.lexer.scanner;
    let change =
        junction.emission().map_or(FrameChange::Keep, |emission| scanner.emission(emission).change);
    let frames = frames_after(frames, change)?;
    let restart = junction.restart();
    let is_kept = change == FrameChange::Keep && scanner.kind(restart) == StateKind::Clean;
    let clean =
        if is_kept && !frames.is_empty() { restart } else { scanner.start(frames.last().copied()) };
    Some((frames, clean))
}

/// Of the errors that each way of reading found, the one that a person would see: that of reading
/// cleanly from the cut, else the furthest.
fn most_telling(failures: &[(Root, NothingFits)]) -> NothingFits {
    let is_clean =
        |root: &Root| root.frames == 0 && !matches!(root.entrance, Entrance::Straddle(..));
    let clean = failures.iter().filter(|(root, _)| is_clean(root)).map(|(_, error)| error.offset);
    let offset = clean.max().or_else(|| failures.iter().map(|(_, error)| error.offset).max());
    NothingFits { offset: offset.unwrap_or(0) }
}

/// Frames from the outermost f-string on, brackets without their kind: all of the surroundings
/// that changes how a text reads. In a specification around a field it makes no difference whether
/// there was a field before.
pub(crate) fn canonical(frames: &[Frame]) -> Frames {
    let outermost = frames.iter().position(|frame| !frame.is_bracket());
    let inside = outermost.map_or(&frames[..0], |first| &frames[first..]);
    let mut frames: Frames = inside
        .iter()
        .map(|&frame| match frame {
            Frame::Bracket(_, quotes) => Frame::Bracket(0, quotes),
            other => other,
        })
        .collect();
    let n_around = frames.len().saturating_sub(1);
    for frame in &mut frames[..n_around] {
        match *frame {
            Frame::Specification(context) if context.outer == Quotes::FREE => {
                *frame = Frame::LaterSpecification(context);
            }
            _ => {}
        }
    }
    frames
}

/// The frames behind a symbol. Outside f-strings, brackets do not change how a text reads.
fn frames_after(frames: &Frames, change: FrameChange) -> Option<Frames> {
    let mut after = frames.clone();
    let is_bracket = matches!(change, FrameChange::Open(_) | FrameChange::Close(_));
    if frames.is_empty() && is_bracket {
        return Some(after);
    }
    if !change_frames(&mut after, change) {
        return None;
    }
    Some(canonical(&after))
}

/// The number of bytes from `at` on that change none of the states, such as the text of a long
/// string.
fn n_idle_bytes(
    tables: &Tables<'_>,
    text: &[u8],
    at: usize,
    groups: &FxHashMap<RawState, Vec<RawState>>,
) -> usize {
    let Some(rest) = text.get(at..).filter(|_| !groups.is_empty()) else { return 0 };
    let scanner = &tables.lexer.scanner;
    let is_idle = |byte: u8| groups.keys().all(|&state| scanner.next(state, byte) == state);
    let mut known = [None; 256];
    let n_idle = rest
        .iter()
        .position(|&byte| !*known[usize::from(byte)].get_or_insert_with(|| is_idle(byte)));
    n_idle.unwrap_or(rest.len())
}
