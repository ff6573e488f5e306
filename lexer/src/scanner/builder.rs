//! The builder of the table from a description: which modes there are, and which patterns each of them reads.

use rustc_hash::FxHashMap;

use super::automaton::{ByteAutomaton, DEAD, byte_classes, representatives};
use super::mode::Mode;
use super::wide_blanks::{EmissionKind, Torn, take_along};
use super::{Emission, EmissionId, Fork, RawState, Scanner, Starts, StateKind};
use crate::description::{
    Branching, Layout, LexicalDescription, LexiconError, PatternKind, TerminalDescription,
    TerminalId,
};
use crate::frames::{FrameChange, literal};

pub(super) struct Builder<'a> {
    pub(super) description: &'a LexicalDescription,
    /// The successors of each state. This is the largest of all tables here, so it is as narrow as can be.
    pub(super) rows: Vec<[RawState; 256]>,
    pub(super) accept: Vec<Option<EmissionId>>,
    pub(super) kind: Vec<StateKind>,
    pub(super) restart: Vec<RawState>,
    pub(super) emissions: Vec<Emission>,
    pub(super) starts: Starts,
    pub(super) first_fork: usize,
    pub(super) forks: Vec<Fork>,
    pub(super) insertions: Vec<Vec<TerminalId>>,
    pub(super) before_end: [Option<TerminalId>; 2],
    pub(super) torn: Vec<Torn<RawState>>,
}

/// A pattern with its emission.
#[derive(Clone)]
pub(super) struct Entry {
    pub(super) pattern: String,
    pub(super) emission: Emission,
    /// The way in which its text is skipped, if it is.
    pub(super) kind: EmissionKind,
}

impl Entry {
    /// A pattern whose text the parser sees, or a layout skips.
    pub(super) fn visible(pattern: String, emission: Emission) -> Self {
        Self { pattern, emission, kind: EmissionKind::Symbol }
    }
}

/// The terminal of errors, which no rule uses: the text is dead as soon as this is the longest match.
pub(super) const ERROR: TerminalId = TerminalId(u16::MAX);

impl<'a> Builder<'a> {
    pub(super) fn new(description: &'a LexicalDescription) -> Self {
        Self {
            description,
            rows: vec![[RawState::DEAD; 256]],
            accept: vec![None],
            kind: vec![StateKind::Dead],
            restart: vec![RawState::DEAD],
            emissions: Vec::new(),
            starts: Starts::default(),
            first_fork: usize::MAX,
            forks: Vec::new(),
            insertions: Vec::new(),
            before_end: [None; 2],
            torn: Vec::new(),
        }
    }

    pub(super) fn add_modes(&mut self) -> Result<(), LexiconError> {
        if let Some(branching) = &self.description.branching {
            if self.description.layout != Layout::None {
                return Err(LexiconError::new(
                    "a layout and symbols that are inserted do not go together",
                ));
            }
            if self.description.frames.is_some() {
                return Err(LexiconError::new(
                    "declared strings with fields and texts that the parser decides about do not go together",
                ));
            }
            return self.add_branching_modes(branching);
        }
        let mut code = self.code_entries()?;
        if self.description.layout == Layout::Python {
            code.push(comment());
        }
        if let Some(frames) = &self.description.frames {
            return self.add_framed_modes(frames, code);
        }
        let mode = self.mode(code)?;
        self.starts.code[0] = self.add(&self.with_layout(mode))?;
        Ok(())
    }

    /// The grammar's terminals; of two that match the same text, the first in this order wins.
    fn code_entries(&self) -> Result<Vec<Entry>, LexiconError> {
        let terminals = self.ordered_terminals().into_iter();
        terminals.map(|(index, terminal)| self.code_entry(index, terminal)).collect()
    }

    pub(super) fn ordered_terminals(&self) -> Vec<(usize, &'a TerminalDescription)> {
        let mut terminals: Vec<(usize, &TerminalDescription)> =
            self.description.terminals.iter().enumerate().collect();
        terminals.sort_by_key(|(index, terminal)| {
            (terminal.kind != PatternKind::Literal, -terminal.priority, *index)
        });
        terminals
    }

    pub(super) fn code_entry(
        &self,
        index: usize,
        terminal: &TerminalDescription,
    ) -> Result<Entry, LexiconError> {
        let pattern = match terminal.kind {
            PatternKind::Literal => literal(&terminal.pattern),
            PatternKind::Regex => terminal.pattern.clone(),
        };
        let pattern = match &terminal.flags {
            Some(flags) if !flags.is_empty() => format!("(?{flags}:{pattern})"),
            _ => pattern,
        };
        let symbols = if self.description.ignore.contains(&terminal.name) {
            Vec::new()
        } else if let Some(names) = &terminal.emits {
            names.iter().map(|name| self.terminal(name)).collect::<Result<_, _>>()?
        } else {
            vec![TerminalId(index as u16)]
        };
        let change = match (self.description.layout, &self.description.frames) {
            (Layout::Python, _) => bracket_change(&terminal.pattern),
            (Layout::None, Some(frames)) => frames.bracket_change(&terminal.pattern),
            (Layout::None, None) => FrameChange::Keep,
        };
        let holds_break = |branching: &Branching| branching.line_breaks.contains(&terminal.name);
        let kind = match &self.description.branching {
            _ if !symbols.is_empty() => EmissionKind::Symbol,
            Some(branching) if holds_break(branching) => EmissionKind::LineEnd,
            _ => EmissionKind::Blank,
        };
        Ok(Entry { pattern, emission: Emission::of(symbols, change), kind })
    }

    pub(super) fn terminal(&self, name: &str) -> Result<TerminalId, LexiconError> {
        self.description
            .terminal(name)
            .ok_or_else(|| LexiconError::new(format!("no terminal is called {name:?}")))
    }

    pub(super) fn mode(&mut self, entries: Vec<Entry>) -> Result<Mode, LexiconError> {
        Ok(self.modes(vec![entries])?.remove(0))
    }

    /// The modes of several lists of entries, which may have patterns in common.
    pub(super) fn modes(&mut self, lists: Vec<Vec<Entry>>) -> Result<Vec<Mode>, LexiconError> {
        let mut patterns: Vec<String> = Vec::new();
        let mut index_of: FxHashMap<String, usize> = FxHashMap::default();
        let mut index = |pattern: &String| {
            *index_of.entry(pattern.clone()).or_insert_with(|| {
                patterns.push(pattern.clone());
                patterns.len() - 1
            })
        };
        let selections: Vec<Vec<usize>> = lists
            .iter()
            .map(|entries| entries.iter().map(|entry| index(&entry.pattern)).collect())
            .collect();
        let automata = ByteAutomaton::of_selections(&patterns, &selections)?;
        automata
            .into_iter()
            .zip(lists)
            .map(|(found, entries)| self.finish_mode(found, entries))
            .collect()
    }

    fn finish_mode(
        &mut self,
        mut automaton: ByteAutomaton,
        entries: Vec<Entry>,
    ) -> Result<Mode, LexiconError> {
        if automaton.accept[automaton.start as usize].is_some() {
            return Err(LexiconError::new("a terminal matches the empty text"));
        }
        let mut torn = Vec::new();
        if self.description.layout == Layout::None {
            let kinds: Vec<EmissionKind> = entries.iter().map(|entry| entry.kind).collect();
            torn = take_along(&mut automaton, &kinds);
        }
        let emissions = entries.into_iter().map(|entry| self.emission_id(entry.emission)).collect();
        let kind = vec![StateKind::Symbol; automaton.next.len()];
        let mut mode = Mode { start: automaton.start, automaton, emissions, kind, torn };
        if self.description.branching.is_none() {
            mode.mark_names();
        }
        mode.push_start();
        Ok(mode)
    }

    pub(super) fn emission_id(&mut self, emission: Emission) -> EmissionId {
        let index = self.emissions.iter().position(|known| *known == emission);
        let index = index.unwrap_or_else(|| {
            self.emissions.push(emission);
            self.emissions.len() - 1
        });
        EmissionId(index as u16)
    }

    /// Appends the states of a mode. Its start.
    pub(super) fn add(&mut self, mode: &Mode) -> Result<u16, LexiconError> {
        let first = self.rows.len();
        let offset = first as u32 - 1;
        let moved = |state: u32| match state {
            DEAD => RawState::DEAD,
            state => narrow(state + offset),
        };
        for state in 1..mode.automaton.next.len() {
            self.rows.push(mode.automaton.next[state].map(moved));
            self.accept.push(mode.accept(state as u32));
            self.kind.push(mode.kind[state]);
            self.restart.push(moved(mode.start));
        }
        self.torn.extend(mode.torn.iter().map(|torn| mode.torn_in_table(torn, moved(torn.state))));
        self.name_mode(moved(mode.start).0, first)
    }

    /// Remembers that the states from `first` on are the mode that begins in `start`.
    pub(super) fn name_mode(&mut self, start: u16, first: usize) -> Result<u16, LexiconError> {
        self.fits_in_table()?;
        self.starts.ranges.insert(start, first as u16..self.rows.len() as u16);
        Ok(start)
    }

    pub(super) fn fits_in_table(&self) -> Result<(), LexiconError> {
        if self.rows.len() > usize::from(u16::MAX) {
            return Err(LexiconError::new("the terminals need more than 65,000 states"));
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<Scanner, LexiconError> {
        if self.description.layout == Layout::Python {
            // CPython refuses sources with null bytes, comments and strings included.
            for row in &mut self.rows {
                row[0] = RawState::DEAD;
            }
        }
        let mut is_branch = vec![false; self.rows.len()];
        for branch in self.forks.iter().flat_map(|fork| &fork.branches) {
            is_branch[branch.state.index()] = true;
        }
        let takes_break = self.bytes_with_breaks();
        let class_of_byte = byte_classes(&self.rows);
        let bytes = representatives(&class_of_byte);
        let mut next = vec![0; bytes.len() * self.rows.len()];
        for (state, row) in self.rows.iter().enumerate() {
            for (class, &byte) in bytes.iter().enumerate() {
                next[class * self.rows.len() + state] = row[byte].0;
            }
        }
        Ok(Scanner {
            next,
            class_of_byte,
            representatives: bytes.iter().map(|&byte| byte as u8).collect(),
            accept: self.accept,
            kind: self.kind,
            restart: self.restart,
            emissions: self.emissions,
            starts: self.starts,
            first_fork: self.first_fork,
            forks: self.forks,
            is_branch,
            n_terminals: self.description.n_terminals(),
            insertions: self.insertions,
            before_end: self.before_end,
            torn: self.torn.into_iter().map(|torn| (torn.state, EmissionId(torn.accept))).collect(),
            first_held: usize::MAX,
            takes_break,
        })
    }
}

/// The number of a state in the table; [`Builder::fits_in_table`] reports those that are too high.
pub(super) fn narrow(state: u32) -> RawState {
    RawState(state as u16)
}

fn comment() -> Entry {
    let skip = Emission::of(Vec::new(), FrameChange::Keep);
    Entry::visible(r"#[^\r\n\x00]*".into(), skip)
}

fn bracket_change(pattern: &str) -> FrameChange {
    match pattern {
        "(" => FrameChange::Open(b')'),
        "[" => FrameChange::Open(b']'),
        "{" => FrameChange::Open(b'}'),
        ")" | "]" | "}" => FrameChange::Close(pattern.as_bytes()[0]),
        _ => FrameChange::Keep,
    }
}
