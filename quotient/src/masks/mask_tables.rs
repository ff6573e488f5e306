//! Mask tables: the meaning of a vocabulary's tokens to the lexer of a language, for each state of the lexer.
//!
//! The meanings of most tokens are shared by most raw states: in the middle of a name, a token that does not go on
//! with the name finishes it and then has the meaning that it has between symbols. So a [`MaskTable`] is a tree of
//! its own for the tokens that go on with the symbol in progress, and a shared tree for the rest, by the first bytes
//! that are left to it.

use std::sync::{Arc, Mutex};

use fim_lexer::frames::{FrameChange, change_frames};
use fim_lexer::scanner::{EmissionId, RawState, StateKind};
use rustc_hash::{FxHashMap, FxHashSet};

use super::byte_set::ByteSet;
use super::table_bytes::{from_bytes, to_bytes};
use super::token_events::{Start, is_silent, known_frames_after, token_tree};
use super::token_tree::TokenTree;
use super::vocabulary::Vocabulary;
use crate::caches::{Fingerprint, lock};
use crate::grammar::Language;
use crate::right_context::OpenFrames;

/// The meaning of tokens in one state of the lexer.
#[derive(Clone, Debug)]
pub(crate) struct MaskTable {
    /// The tokens that go on with the symbol in progress.
    pub(crate) own: Arc<TokenTree>,
    /// The tokens that finish the symbol first: its emission (None if it is skipped), and their tree.
    pub(crate) rest: Option<(Option<EmissionId>, Arc<TokenTree>)>,
}

/// The tables of a vocabulary and a language, which are made when they are asked for.
pub(crate) struct TablesOf<'a> {
    pub(super) vocabulary: &'a Vocabulary,
    pub(super) language: &'a Language,
    pub(super) known: Arc<MaskTables>,
}

/// The tables that have been asked for.
#[derive(Debug, Default)]
pub(crate) struct MaskTables {
    tables: Mutex<FxHashMap<Start, MaskTable>>,
    trees: Mutex<FxHashMap<TreeKey, Arc<TokenTree>>>,
    /// The keys of trees that were made ahead, which are kept.
    prepared: Mutex<FxHashSet<TreeKey>>,
}

/// The state in which a tree's tokens are read, and their first bytes.
type TreeKey = (Start, ByteSet);

impl MaskTables {
    /// Forgets the trees of states inside f-strings that were made on demand, if they are large: brackets and
    /// f-strings within f-strings have states without end.
    fn forget_much(&self) {
        let (mut trees, prepared) = (lock(&self.trees), lock(&self.prepared));
        let is_found = |key: &TreeKey| !key.0.frames.is_empty() && !prepared.contains(key);
        let found = trees.iter().filter(|(key, _)| is_found(key));
        if found.map(|(_, tree)| tree.memory()).sum::<usize>() > MAX_BYTES_INSIDE {
            trees.retain(|key, _| !is_found(key));
            // Tables are put together again from the trees that are left.
            lock(&self.tables).retain(|start, _| start.frames.is_empty());
        }
    }

    /// Keeps all trees made so far from being forgotten.
    fn keep_trees(&self) {
        let trees = lock(&self.trees);
        lock(&self.prepared).extend(trees.keys().cloned());
    }

    /// Bytes held, roughly.
    pub(crate) fn memory(&self) -> usize {
        lock(&self.trees).values().map(|tree| tree.memory()).sum()
    }
}

/// The most bytes of trees for states inside f-strings; outside, there are some hundred states.
const MAX_BYTES_INSIDE: usize = 32 << 20;

impl TablesOf<'_> {
    /// The table of a state, made on first use.
    pub(crate) fn table(&self, start: &Start) -> MaskTable {
        if let Some(known) = lock(&self.known.tables).get(start) {
            return known.clone();
        }
        self.known.forget_much();
        self.add_table(start)
    }

    fn add_table(&self, start: &Start) -> MaskTable {
        let table = self.new_table(start);
        lock(&self.known.tables).insert(start.clone(), table.clone());
        table
    }

    fn new_table(&self, start: &Start) -> MaskTable {
        let scanner = &self.language.lexer.scanner;
        let start = Start { raw: self.canonical_state(start), ..start.clone() };
        let goes_on = |raw: RawState| ByteSet::of(|byte| scanner.next(raw, byte) != RawState::DEAD);
        let own = goes_on(start.raw);
        let rest = self.ended_symbol(&start).and_then(|(emission, behind)| {
            let bytes = goes_on(behind.raw);
            let bytes = ByteSet::of(|byte| bytes.contains(byte) && !own.contains(byte));
            (!bytes.is_empty()).then(|| (emission, self.tree(behind, bytes)))
        });
        MaskTable { own: self.tree(start, own), rest }
    }

    fn tree(&self, start: Start, first_bytes: ByteSet) -> Arc<TokenTree> {
        let key = (start, first_bytes);
        if let Some(known) = lock(&self.known.trees).get(&key) {
            return Arc::clone(known);
        }
        let tree = Arc::new(token_tree(self.language, self.vocabulary, &key.0, first_bytes));
        lock(&self.known.trees).insert(key, Arc::clone(&tree));
        tree
    }

    /// Makes the tables of all states outside f-strings and of common ones inside, in threads. There
    /// are some hundred; inside f-strings in f-strings are many more, and few of them are ever met.
    pub(crate) fn prepare(&self) {
        let work = Mutex::new(self.common_starts().into_iter());
        let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            let run = || {
                loop {
                    // The lock must be free again while a table is made.
                    let next = lock(&work).next();
                    let Some(start) = next else { return };
                    self.add_table(&start);
                }
            };
            for _ in 1..n_threads {
                scope.spawn(run);
            }
            run();
        });
        self.known.keep_trees();
    }

    /// All trees made so far, as bytes for [`Self::add`].
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let trees = lock(&self.known.trees);
        to_bytes(self.fingerprints(), trees.iter().map(|(key, tree)| (key, &**tree)))
    }

    /// Adds the trees of [`Self::bytes`]; false if the bytes are not such trees.
    pub(crate) fn add(&self, bytes: &[u8]) -> bool {
        let Some(found) = from_bytes(self.fingerprints(), bytes) else { return false };
        let mut trees = lock(&self.known.trees);
        for (key, tree) in found {
            trees.entry(key).or_insert_with(|| Arc::new(tree));
        }
        drop(trees);
        self.known.keep_trees();
        true
    }

    fn fingerprints(&self) -> (Fingerprint, Fingerprint) {
        (self.vocabulary.fingerprint(), self.language.fingerprint())
    }
}

/// The states that tables are made for.
impl TablesOf<'_> {
    /// The states outside f-strings, and the first ones in the text, a field, brackets of a field or the
    /// specification of an f-string that is in no other f-string.
    fn common_starts(&self) -> Vec<Start> {
        let scanner = &self.language.lexer.scanner;
        let has_lines = self.language.lexer.layout().is_some();
        // In the name of a character, masks do without tables.
        let is_asked = |raw: &RawState| scanner.kind(*raw) != StateKind::CharacterName;
        let outside = scanner.mode(scanner.start(None)).filter(is_asked).flat_map(|raw| {
            let may_begin_line = has_lines && !scanner.kind(raw).is_in_symbol();
            let is_line_start = [false, true].into_iter().take(1 + usize::from(may_begin_line));
            is_line_start.map(move |is_line_start| Start {
                raw,
                frames: OpenFrames::new(),
                is_line_start,
            })
        });
        let inside = self.common_frames().into_iter().flat_map(|frames| {
            let start = scanner.start(frames.last().copied());
            let behind_one = scanner.alphabet().iter().map(|&byte| scanner.next(start, byte));
            let states: FxHashSet<RawState> = behind_one.chain([start]).collect();
            let is_met = |raw: &RawState| *raw != RawState::DEAD && is_asked(raw);
            let start = |raw| Start { raw, frames: frames.clone(), is_line_start: false };
            states.into_iter().filter(is_met).map(start).collect::<Vec<_>>()
        });
        outside.chain(inside).collect()
    }

    /// The frames of an f-string in no other f-string, of the kinds that programs are full of.
    fn common_frames(&self) -> FxHashSet<OpenFrames> {
        let behind = |frames: &OpenFrames, changes: &[FrameChange]| {
            let mut frames = frames.clone();
            changes.iter().all(|&change| change_frames(&mut frames, change)).then_some(frames)
        };
        let Some(strings) = &self.language.lexer.description.frames else {
            return FxHashSet::default();
        };
        let emissions = self.language.lexer.scanner.emissions().iter();
        let changes = emissions.map(|emission| emission.change);
        let is_common = |change: &FrameChange| match change {
            FrameChange::BeginText(beginning) => {
                let quoting = beginning.quoting;
                !quoting.is_raw && !strings.is_rare(quoting.quote)
            }
            _ => false,
        };
        let texts = changes
            .filter(is_common)
            .filter_map(|beginning| behind(&OpenFrames::new(), &[beginning]));
        let places: [&[FrameChange]; 4] = [
            &[],
            &[FrameChange::BeginField],
            &[FrameChange::BeginField, FrameChange::Open(0)],
            &[FrameChange::BeginField, FrameChange::BeginSpecification],
        ];
        texts.flat_map(|text| places.map(|changes| behind(&text, changes))).flatten().collect()
    }

    /// The emission of the symbol that ends in `start`, and the state that it leaves the lexer in.
    fn ended_symbol(&self, start: &Start) -> Option<(Option<EmissionId>, Start)> {
        let scanner = &self.language.lexer.scanner;
        let id = scanner.ended_emission(start.raw)?;
        let emission = scanner.emission(id);
        let n_terminals = self.language.lexer.description.n_terminals();
        if emission.symbols.iter().any(|terminal| terminal.index() >= n_terminals) {
            return None;
        }
        let frames = known_frames_after(&start.frames, emission.change)?;
        let raw = match emission.change {
            FrameChange::Keep => scanner.restart(start.raw),
            change => scanner.behind(change, start.frames.last().copied(), frames.last().copied()),
        };
        let behind = Start { raw, frames, is_line_start: start.is_line_start };
        Some(((!is_silent(emission)).then_some(id), behind))
    }

    /// One state for all raw states with the same symbols behind them. Between symbols there are several, which
    /// differ in the text in front of them.
    fn canonical_state(&self, start: &Start) -> RawState {
        let scanner = &self.language.lexer.scanner;
        let clean = scanner.start(start.frames.last().copied());
        let goes_on_alike = |&byte: &u8| scanner.next(start.raw, byte) == scanner.next(clean, byte);
        let is_alike =
            scanner.kind(start.raw).is_clean() && scanner.alphabet().iter().all(goes_on_alike);
        if is_alike { clean } else { start.raw }
    }
}
