//! The walk that finds a mask: the tokens of a vocabulary that may come next, all at once.
//!
//! A mask walks the tree of events (`token_events`) of the state that the lexer is in. Each event that the parser
//! allows leads to a chart; behind it, tokens are allowed by groups: if their symbol in progress can become one that
//! is alive there, or if the right context goes on with it. The mask is exact: a token's bit is set if and only if
//! the token could be read (`Recognizer::advance`).

mod guesses;
mod readings;

use fim_lexer::Column;
use fim_lexer::frames::{FrameChange, MAX_BRACKETS, change_frames};
use fim_lexer::layout::Indents;
use fim_lexer::lexer::{LexState, Symbol};
use fim_lexer::scanner::{EmissionId, RawState, StateKind};
use rustc_hash::FxHashMap;

use self::readings::{mask_of_readings, taken_alike};
use super::token_events::{Event, Start};
use super::token_tree::TokenTree;
use super::vocabulary::Vocabulary;
use crate::charts::{LeftChart, Taken};

use crate::hole::{LivenessIdx, OpenHole, Place};
use crate::right_context::{OpenFrames, as_read};

/// Writes the mask of a place, as far as the grammar decides it.
pub(crate) fn grammar_mask(
    hole: &mut OpenHole<'_>,
    place: &Place,
    vocabulary: &Vocabulary,
    mask: &mut [u32],
) {
    if let Some(known) = hole.known_mask(vocabulary.fingerprint(), place) {
        mask.copy_from_slice(known);
        if !place.begun.is_empty() {
            // The name in progress decides whether the text may end with it.
            mark_ends(vocabulary, hole.is_member(place), mask);
        }
        return;
    }
    mask.fill(0);
    if place.other.is_some() {
        return mask_of_readings(hole, place, vocabulary, mask);
    }
    hole.forget_much();
    mark_ends(vocabulary, hole.is_member(place), mask);
    let mut walk = Walk::new(hole.reborrow(), place);
    if place.lexed.name.is_some() {
        let all = vocabulary.entries(0).start..vocabulary.entries(255).end;
        walk.read_each(vocabulary, place, all, mask);
        return;
    }
    walk.walk(vocabulary, place, mask);
    if walk.is_guessed {
        walk.check_guesses(vocabulary, place, mask);
    }
    if walk.n_nodes >= MIN_NODES_KEPT {
        let is_spelled = walk.is_spelled || walk.is_guessed;
        hole.keep_mask(vocabulary.fingerprint(), place, is_spelled, mask);
    }
}

/// Sets or clears the bits of the tokens that end a text.
fn mark_ends(vocabulary: &Vocabulary, may_end: bool, mask: &mut [u32]) {
    for id in vocabulary.ends() {
        let (word, bit) = (id.index() / 32, 1 << (id.0 % 32));
        mask[word] = if may_end { mask[word] | bit } else { mask[word] & !bit };
    }
}

impl Walk<'_> {
    /// Adds the tokens that may come, by their tables.
    fn walk(&mut self, vocabulary: &Vocabulary, place: &Place, mask: &mut [u32]) {
        let language = self.hole.language();
        let lexed = &place.lexed;
        let start = Start {
            raw: lexed.raw,
            frames: as_read(&lexed.frames),
            is_line_start: lexed.is_line_start,
        };
        let table = vocabulary.tables(language).table(&start);
        let first = self.first_spot(place);
        self.add(&table.own, Spot { is_begun: !place.begun.is_empty(), ..first }, mask);
        if let Some((emission, tree)) = &table.rest {
            let behind = match emission {
                Some(emission) => self.behind_begun(first, place, *emission),
                None => Some(first),
            };
            if let Some(behind) = behind {
                self.add(tree, behind, mask);
            }
        }
    }
}

/// The least number of nodes of a mask that is kept: smaller ones are found again as fast as they are looked up.
const MIN_NODES_KEPT: usize = 64;

/// The spot where a walk stands: the parts of the lexer's state that events change. Frames and suites are kept aside.
#[derive(Clone, Copy, Debug)]
struct Spot {
    chart: LeftChart,
    /// The number of the chart's liveness.
    live: LivenessIdx,
    is_line_start: bool,
    column: Column,
    joined_column: Option<Column>,
    frames: u32,
    indents: u32,
    /// Whether the name in progress at the place goes on.
    is_begun: bool,
}

struct Walk<'a> {
    hole: OpenHole<'a>,
    frames: Vec<OpenFrames>,
    indents: Vec<Indents>,
    scratch: LexState,
    /// The name in progress at the place, if names matter.
    begun: &'a [u8],
    /// The branches that the parser takes at forks: each fork is asked about several.
    taken: FxHashMap<(LeftChart, RawState), Taken>,
    /// The number of nodes visited.
    n_nodes: usize,
    /// Whether names of unknown text count as the right ones; else only tokens that are right whatever the names are.
    is_generous: bool,
    /// Whether any token depends on that.
    is_guessed: bool,
    /// Whether any token depends on the spelling of the name in progress.
    is_spelled: bool,
}

impl<'a> Walk<'a> {
    fn new(hole: OpenHole<'a>, place: &'a Place) -> Self {
        Self {
            hole,
            frames: vec![place.lexed.frames.clone()],
            indents: vec![place.lexed.indents.clone()],
            scratch: place.lexed.clone(),
            begun: &place.begun,
            taken: FxHashMap::default(),
            n_nodes: 0,
            is_generous: true,
            is_guessed: false,
            is_spelled: false,
        }
    }

    fn first_spot(&mut self, place: &Place) -> Spot {
        Spot {
            chart: place.chart,
            live: self.hole.learn(place.chart),
            is_line_start: place.lexed.is_line_start,
            column: place.lexed.column,
            joined_column: place.lexed.joined_column,
            frames: 0,
            indents: 0,
            is_begun: false,
        }
    }

    /// Adds the tokens of a tree that may come at a spot.
    fn add(&mut self, tree: &TokenTree, first: Spot, mask: &mut [u32]) {
        let mut around: Vec<(usize, Spot)> = Vec::new();
        let mut index = 0;
        while let Some(node) = tree.nodes.get(index) {
            while around.last().is_some_and(|&(end, _)| end <= index) {
                around.pop();
            }
            self.n_nodes += 1;
            let spot = around.last().map_or(first, |&(_, spot)| spot);
            let behind = match node.event {
                None => self.hole.known_liveness(spot.live).is_live.then_some(spot),
                Some(event) => self.behind(tree, spot, event),
            };
            let Some(behind) = behind else {
                index = node.end as usize;
                continue;
            };
            self.add_groups(tree, index, behind, mask);
            index += 1;
            if node.end as usize > index {
                around.push((node.end as usize, behind));
            }
        }
    }

    fn add_groups(&mut self, tree: &TokenTree, node: usize, spot: Spot, mask: &mut [u32]) {
        for group in tree.groups(node) {
            let found = &tree.groups[group];
            if self.is_group_live(found.raw, spot) {
                tree.add_to(mask, found.tokens);
                continue;
            }
            let liveness = self.hole.known_liveness(spot.live);
            if liveness.roots.is_empty() {
                continue;
            }
            let parts = tree.parts(group);
            if parts.is_empty() && self.is_taken_up(found.raw, spot) {
                tree.add_to(mask, found.tokens);
            }
            for part in parts {
                if self.is_taken_up(part.raw, spot) {
                    tree.add_to(mask, part.tokens);
                }
            }
        }
    }

    /// Whether a symbol that the one in progress can become is alive; `Hole::is_completable` without the right
    /// context's straddling symbol.
    fn is_group_live(&mut self, raw: RawState, spot: Spot) -> bool {
        match self.hole.language().lexer.scanner.kind(raw) {
            StateKind::Symbol | StateKind::CharacterName => {
                let frames = &self.frames[spot.frames as usize];
                if frames.len() >= MAX_BRACKETS {
                    return self.is_symbol_live(raw, spot);
                }
                let words = self.hole.language().reach.words(raw);
                let at = (spot.chart, spot.live);
                let is_possible = self.hole.is_any_live(at, words);
                let liveness = self.hole.known_liveness(spot.live);
                let Some(spelled) = &liveness.spelled else { return is_possible };
                let is_sure = spelled.iter().zip(words).any(|(live, word)| live & word != 0);
                if is_sure || !self.is_generous {
                    return is_sure;
                }
                self.is_guessed |= is_possible;
                is_possible
            }
            StateKind::Comment
                if !spot.is_line_start && self.frames[spot.frames as usize].is_empty() =>
            {
                self.hole.known_liveness(spot.live).is_line_end
            }
            _ => true,
        }
    }

    /// Whether such a symbol is alive where no more brackets may be opened.
    fn is_symbol_live(&mut self, raw: RawState, spot: Spot) -> bool {
        let lexed = LexState {
            raw,
            frames: self.frames[spot.frames as usize].clone(),
            ..self.scratch.clone()
        };
        let place = Place::new(lexed, spot.chart);
        self.hole.symbol_is_completable(&place)
    }

    /// Whether the right context goes on with the symbol in progress.
    fn is_taken_up(&mut self, raw: RawState, spot: Spot) -> bool {
        match self.hole.language().lexer.scanner.kind(raw) {
            StateKind::Symbol | StateKind::CharacterName | StateKind::Comment => {
                let liveness = self.hole.known_liveness(spot.live);
                let right = &self.hole.right();
                let mut roots =
                    liveness.roots.iter().filter(|&&root| right.can_reach_entry(root, raw));
                let Some(&first) = roots.next() else { return false };
                if !right.is_halved(first) || roots.any(|&root| !right.is_halved(root)) {
                    return true;
                }
                self.is_guessed = true;
                self.is_generous
            }
            _ => false,
        }
    }

    /// The spot at another chart, unless no text fits there.
    fn live_at(&mut self, chart: LeftChart, spot: Spot) -> Option<Spot> {
        let live = self.hole.learn(chart);
        self.hole.known_liveness(live).is_live.then_some(Spot { chart, live, ..spot })
    }

    /// The spot behind an event, unless no text fits there.
    fn behind(&mut self, tree: &TokenTree, spot: Spot, event: Event) -> Option<Spot> {
        match event {
            Event::Emit(emission) => self.behind_symbol(spot, emission),
            Event::Break => self.behind_line(spot),
            Event::Choose(fork, branch) => {
                let parsing = &mut self.hole.parsing;
                let known = self.taken.entry((spot.chart, fork));
                let taken = known.or_insert_with(|| taken_alike(parsing, spot.chart, fork));
                taken.contains(&branch).then_some(spot)
            }
            Event::Begin(space) if spot.is_line_start => {
                let space = &tree.spaces[space.0 as usize];
                let column = space.behind(spot.column);
                let joined_column = spot.joined_column.filter(|_| !space.is_whole);
                self.behind_indentation(Spot { column, joined_column, ..spot })
            }
            Event::Join(space) if spot.is_line_start => {
                let space = &tree.spaces[space.0 as usize];
                let column = space.behind(spot.column);
                if let Some(joined) = self.hole.language().lexer.layout()?.joined {
                    let joined = Symbol { terminal: joined, column: None };
                    let spot = self.behind_indentation(Spot { column, ..spot })?;
                    let chart = self.hole.parsing.step(spot.chart, joined)?;
                    return self.live_at(chart, spot);
                }
                let indents = &self.indents[spot.indents as usize];
                let joined_column = spot.joined_column.filter(|_| !space.is_whole);
                let joined_column = joined_column
                    .or_else(|| self.hole.language().lexer.fixed_column(column, indents));
                Some(Spot { column, joined_column, ..spot })
            }
            Event::Begin(_) | Event::Join(_) => Some(spot),
        }
    }

    fn behind_symbol(&mut self, spot: Spot, id: EmissionId) -> Option<Spot> {
        let at = (spot.chart, spot.live);
        if !self.hole.is_emission_live_at(at, id) {
            return None;
        }
        let emission = self.hole.language().lexer.scanner.emission(id);
        let rules = self.hole.parsing.rules();
        let chart = match *emission.steps() {
            [name] if self.hole.parsing.left.minds_spelling(rules, spot.chart, name) => {
                self.chart_behind_name(spot, name)?
            }
            _ => self.hole.parsing.left.all_steps(rules, spot.chart, emission.steps())?,
        };
        let mut frames = spot.frames;
        if emission.change != FrameChange::Keep {
            let mut changed = self.frames[frames as usize].clone();
            if !change_frames(&mut changed, emission.change) {
                return None;
            }
            self.frames.push(changed);
            frames = self.frames.len() as u32 - 1;
        }
        self.live_at(chart, Spot { frames, is_begun: false, ..spot })
    }

    fn behind_line(&mut self, spot: Spot) -> Option<Spot> {
        if !self.frames[spot.frames as usize].is_empty() {
            return Some(spot);
        }
        let mut chart = spot.chart;
        if !spot.is_line_start {
            let layout = self.hole.language().lexer.layout()?;
            let newline = Symbol { terminal: layout.newline, column: None };
            chart = self.hole.parsing.step(chart, newline)?;
        }
        let behind =
            Spot { is_line_start: true, column: Column::ZERO, joined_column: None, ..spot };
        self.live_at(chart, behind)
    }

    fn behind_indentation(&mut self, spot: Spot) -> Option<Spot> {
        let indents = &self.indents[spot.indents as usize];
        let n_suites = indents.len();
        self.scratch.indents.clone_from(indents);
        self.scratch.column = spot.column;
        self.scratch.joined_column = spot.joined_column;
        let column = self.scratch.line_column();
        let mut chart = spot.chart;
        let (left, language) = (&mut *self.hole.parsing.left, self.hole.parsing.language);
        let mut sink = |symbol: Symbol| match left.step(&language.rules, chart, symbol) {
            Some(next) => {
                chart = next;
                true
            }
            None => false,
        };
        if !language.lexer.begin_line(&mut self.scratch, column, &mut sink) {
            return None;
        }
        let mut indents = spot.indents;
        if self.scratch.indents.len() != n_suites {
            self.indents.push(self.scratch.indents.clone());
            indents = self.indents.len() as u32 - 1;
        }
        self.live_at(chart, Spot { indents, is_line_start: false, ..spot })
    }
}
