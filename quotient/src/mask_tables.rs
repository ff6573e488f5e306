//! What the tokens of a vocabulary mean to the lexer of a language, for each state it can be in.
//!
//! Most raw states share most of what tokens mean in them: in the middle of a name, a token that
//! does not go on with the name finishes it and then means what it means between symbols. So a
//! [`Table`] is a tree of its own for the tokens that go on with the symbol in progress, and a
//! shared tree for the rest, by the first bytes that are left to it.

use std::sync::{Arc, Mutex};

use fim_lexer::fstring::FrameChange;
use fim_lexer::scanner::{EmissionId, RawState, StateKind};
use rustc_hash::FxHashMap;

use crate::engine::lock;
use crate::language::Language;
use crate::suffix_charts::Frames;
use crate::table_bytes::{from_bytes, to_bytes};
use crate::token_events::{ByteSet, Start, is_silent, known_frames_after, token_tree};
use crate::token_tree::TokenTree;
use crate::vocabulary::Vocabulary;

/// What tokens mean in one state of the lexer.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// The tokens that go on with the symbol in progress.
    pub(crate) own: Arc<TokenTree>,
    /// Those that finish it first: what it is (nothing, if it is skipped), and their tree.
    pub(crate) rest: Option<(Option<EmissionId>, Arc<TokenTree>)>,
}

/// All tables of a vocabulary and a language that have been asked for.
#[derive(Debug, Default)]
pub(crate) struct MaskTables {
    tables: Mutex<FxHashMap<Start, Table>>,
    trees: Mutex<FxHashMap<(Start, ByteSet), Arc<TokenTree>>>,
}

impl MaskTables {
    /// The table of a state, made on first use.
    pub(crate) fn table(
        &self,
        language: &Language,
        vocabulary: &Vocabulary,
        start: &Start,
    ) -> Table {
        if let Some(known) = lock(&self.tables).get(start) {
            return known.clone();
        }
        self.forget_much();
        let table = self.new_table(language, vocabulary, start);
        lock(&self.tables).insert(start.clone(), table.clone());
        table
    }

    /// Forgets what is known of states inside f-strings, if it is much: brackets and f-strings
    /// within f-strings have states without end.
    fn forget_much(&self) {
        let mut trees = lock(&self.trees);
        let is_inside = |start: &Start| !start.frames.is_empty();
        let inside = trees.iter().filter(|((start, _), _)| is_inside(start));
        if inside.map(|(_, tree)| tree.memory()).sum::<usize>() > MAX_BYTES_INSIDE {
            trees.retain(|(start, _), _| !is_inside(start));
            lock(&self.tables).retain(|start, _| !is_inside(start));
        }
    }

    fn new_table(&self, language: &Language, vocabulary: &Vocabulary, start: &Start) -> Table {
        let scanner = &language.lexer.scanner;
        let start = Start { raw: canonical(language, start), ..start.clone() };
        let goes_on = |raw: RawState| ByteSet::of(|byte| scanner.next(raw, byte) != RawState::DEAD);
        let own = goes_on(start.raw);
        let rest = rest(language, &start).and_then(|(emission, behind)| {
            let bytes = goes_on(behind.raw);
            let bytes = ByteSet::of(|byte| bytes.contains(byte) && !own.contains(byte));
            (!bytes.is_empty()).then(|| (emission, self.tree(language, vocabulary, behind, bytes)))
        });
        Table { own: self.tree(language, vocabulary, start, own), rest }
    }

    fn tree(
        &self,
        language: &Language,
        vocabulary: &Vocabulary,
        start: Start,
        first_bytes: ByteSet,
    ) -> Arc<TokenTree> {
        let key = (start, first_bytes);
        if let Some(known) = lock(&self.trees).get(&key) {
            return Arc::clone(known);
        }
        let tree = Arc::new(token_tree(language, vocabulary, &key.0, first_bytes));
        lock(&self.trees).insert(key, Arc::clone(&tree));
        tree
    }

    /// Makes the tables of all states outside f-strings, in threads. There are some hundred; those
    /// inside f-strings are many more, and few of them are ever met.
    pub(crate) fn prepare(&self, language: &Language, vocabulary: &Vocabulary) {
        let work = Mutex::new(common_starts(language).into_iter());
        let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            let run = || {
                loop {
                    // The lock must be free again while a table is made.
                    let next = lock(&work).next();
                    let Some(start) = next else { return };
                    self.table(language, vocabulary, &start);
                }
            };
            for _ in 1..n_threads {
                scope.spawn(run);
            }
            run();
        });
    }

    /// What has been made, as bytes for [`Self::add`].
    pub(crate) fn bytes(&self, language: &Language, vocabulary: &Vocabulary) -> Vec<u8> {
        let trees = lock(&self.trees);
        let name = (vocabulary.fingerprint(), language.fingerprint());
        to_bytes(name, trees.iter().map(|(key, tree)| (key, &**tree)))
    }

    /// Adds what [`Self::bytes`] gave; false if these are not such bytes.
    pub(crate) fn add(&self, language: &Language, vocabulary: &Vocabulary, bytes: &[u8]) -> bool {
        let name = (vocabulary.fingerprint(), language.fingerprint());
        let Some(found) = from_bytes(name, bytes) else { return false };
        let mut trees = lock(&self.trees);
        for (key, tree) in found {
            trees.entry(key).or_insert_with(|| Arc::new(tree));
        }
        true
    }

    /// Bytes held, roughly.
    pub(crate) fn memory(&self) -> usize {
        lock(&self.trees).values().map(|tree| tree.memory()).sum()
    }
}

/// The most bytes for states inside f-strings; outside, there are some hundred states.
const MAX_BYTES_INSIDE: usize = 32 << 20;

/// The states outside f-strings.
fn common_starts(language: &Language) -> Vec<Start> {
    let scanner = &language.lexer.scanner;
    let has_lines = language.lexer.layout().is_some();
    let states = scanner.mode(scanner.start(None));
    // In the name of a character tables are not asked.
    let states = states.filter(|&raw| scanner.kind(raw) != StateKind::CharacterName);
    let starts = states.flat_map(|raw| {
        let may_begin_line = has_lines && !scanner.kind(raw).is_in_symbol();
        let is_line_start = [false, true].into_iter().take(1 + usize::from(may_begin_line));
        is_line_start.map(move |is_line_start| Start { raw, frames: Frames::new(), is_line_start })
    });
    starts.collect()
}

/// The state that a symbol leaves the lexer in which ends where `start` is, and what it is.
fn rest(language: &Language, start: &Start) -> Option<(Option<EmissionId>, Start)> {
    let scanner = &language.lexer.scanner;
    let id = scanner.accept(start.raw)?;
    let emission = scanner.emission(id);
    let n_terminals = language.lexer.description.n_terminals();
    if emission.symbols.iter().any(|terminal| terminal.index() >= n_terminals) {
        return None;
    }
    let frames = known_frames_after(&start.frames, emission.change)?;
    let raw = match emission.change {
        FrameChange::Keep => scanner.restart(start.raw),
        _ => scanner.start(frames.last().copied()),
    };
    let behind = Start { raw, frames, is_line_start: start.is_line_start };
    Some(((!is_silent(emission)).then_some(id), behind))
}

/// Of raw states that cannot be told apart by what follows, the same one. Between symbols there
/// are several, which differ in what stands in front of them.
fn canonical(language: &Language, start: &Start) -> RawState {
    let scanner = &language.lexer.scanner;
    let clean = scanner.start(start.frames.last().copied());
    let goes_on_alike = |&byte: &u8| scanner.next(start.raw, byte) == scanner.next(clean, byte);
    let is_alike =
        scanner.kind(start.raw).is_clean() && scanner.alphabet().iter().all(goes_on_alike);
    if is_alike { clean } else { start.raw }
}
