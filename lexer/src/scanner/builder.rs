//! From a description to the table: which modes there are, and which patterns each of them reads.

use rustc_hash::FxHashMap;

use super::automaton::{ByteAutomaton, DEAD, byte_classes, representatives};
use super::mode::{Mode, QuoteRun};
use super::wide_blanks::{Kind, take_along};
use super::{Emission, EmissionId, Fork, RawState, Scanner, Starts, StateKind};
use crate::description::{
    Branching, Layout, LexicalDescription, LexiconError, PatternKind, TerminalDescription,
    TerminalId,
};
use crate::python::fstring::{
    self, Context, FStringRules, FrameChange, Part, PartPattern, Quote, Quotes,
};

pub(super) struct Builder<'a> {
    pub(super) description: &'a LexicalDescription,
    /// The successors of each state: of all tables in here the largest, so it is as narrow as can be.
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
}

/// A pattern with what it means.
#[derive(Clone)]
pub(super) struct Entry {
    pub(super) pattern: String,
    pub(super) emission: Emission,
    /// Whether it is skipped, and how.
    pub(super) kind: Kind,
}

impl Entry {
    /// A part of Python's strings or its layout.
    fn of_python(pattern: String, emission: Emission) -> Self {
        Self { pattern, emission, kind: Kind::Symbol }
    }
}

/// No rule uses it: the text is dead as soon as this is the longest match.
const ERROR: TerminalId = TerminalId(u16::MAX);

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
        }
    }

    pub(super) fn add_modes(&mut self) -> Result<(), LexiconError> {
        if let Some(branching) = &self.description.branching {
            if self.description.layout != Layout::None {
                return Err(LexiconError::new(
                    "a layout and symbols that are inserted do not go together",
                ));
            }
            return self.add_branching_modes(branching);
        }
        let code = self.code_entries()?;
        if self.description.layout == Layout::None {
            let mode = self.mode(code)?;
            self.starts.code[0] = self.add(&mode)?;
            return Ok(());
        }
        let has_fstrings = self.description.has_any(fstring::FSTRING_START);
        let rules = self.description.dialect.fstrings;
        let mut beginnings = if has_fstrings { fstring::beginnings(rules) } else { Vec::new() };
        if self.description.has_any(fstring::TSTRING_START) {
            beginnings.extend(fstring::template_beginnings());
        }
        let may_end_joined = self.description.dialect.may_end_joined;
        let mut entries = self.part_entries(beginnings)?;
        entries.extend(code);
        entries.push(comment());
        if !has_fstrings {
            let code = self.mode(entries)?.with_line_breaks(may_end_joined);
            self.starts.code[0] = self.add(&code)?;
            return Ok(());
        }
        let field_entries = self.field_entries(&entries)?;
        if self.description.dialect.has_breaks_behind_specifications {
            entries.extend(self.part_entries(vec![fstring::conversion_in_code()])?);
        }
        let mut modes = self.modes(vec![entries, field_entries])?.into_iter();
        let mut next_mode = || {
            let mode = modes.next().expect("as many modes as lists");
            mode.with_line_breaks(may_end_joined)
        };
        let (code, field) = (next_mode(), next_mode());
        self.starts.code[0] = self.add(&code)?;
        self.add_fstring_modes(&code, &field)
    }

    fn add_fstring_modes(&mut self, code: &Mode, field: &Mode) -> Result<(), LexiconError> {
        let dialect = self.description.dialect;
        let rules = dialect.fstrings;
        if rules == FStringRules::Free {
            self.starts.code[Quotes::FREE.index()] = self.starts.code[0];
            self.starts.field[Quotes::FREE.index()] = self.add(field)?;
        } else {
            for quotes in Quotes::all_bounded() {
                self.starts.code[quotes.index()] = self.add_restricted(code, quotes)?;
                self.starts.field[quotes.index()] = self.add_restricted(field, quotes)?;
            }
        }
        let has_risks = self.description.has_any(fstring::RISKY_MIDDLE);
        for context in Context::all(rules) {
            let entries = self.part_entries(fstring::text(context, has_risks))?;
            let text = self.mode(entries)?;
            let start = self.add(&text)?;
            self.starts.text.insert(context.index(), start);
            let start = self.add_specification(context, false)?;
            self.starts.specification.insert(context.index(), start);
            if rules == FStringRules::Free {
                let start = self.add_specification(context, true)?;
                self.starts.later_specification.insert(context.index(), start);
            }
        }
        let may_end_joined = dialect.may_end_joined;
        let mut entries = self.part_entries(fstring::converted())?;
        let converted = match rules {
            FStringRules::Bounded => self.mode(entries)?,
            FStringRules::Free => {
                entries.push(comment());
                self.mode(entries)?.with_line_breaks(may_end_joined)
            }
        };
        self.starts.converted = self.add(&converted)?;
        if dialect.has_breaks_behind_specifications {
            let mut entries = self.part_entries(fstring::broken_specification())?;
            let is_brace = |entry: &Entry| entry.emission.change == FrameChange::Open(b'}');
            entries.extend(self.code_entries()?.into_iter().filter(is_brace));
            entries.push(comment());
            let broken = self.mode(entries)?.with_line_breaks(may_end_joined);
            self.starts.broken = self.add(&broken)?;
        }
        Ok(())
    }

    fn add_specification(
        &mut self,
        context: Context,
        is_behind_field: bool,
    ) -> Result<u16, LexiconError> {
        let patterns = fstring::specification(context, self.description.dialect, is_behind_field);
        let entries = self.part_entries(patterns)?;
        let mode = self.mode(entries)?;
        self.add(&mode)
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
        let change = if self.description.layout == Layout::Python {
            bracket_change(&terminal.pattern)
        } else {
            FrameChange::Keep
        };
        let holds_break = |branching: &Branching| branching.line_breaks.contains(&terminal.name);
        let kind = match &self.description.branching {
            _ if !symbols.is_empty() => Kind::Symbol,
            Some(branching) if holds_break(branching) => Kind::LineEnd,
            _ => Kind::Blank,
        };
        Ok(Entry { pattern, emission: Emission::of(symbols, change), kind })
    }

    /// Like code, but what ends a field at its own level is a part of the f-string there.
    fn field_entries(&self, code: &[Entry]) -> Result<Vec<Entry>, LexiconError> {
        let replaced = [literal("}"), literal(":"), literal("="), literal(":=")];
        let mut entries =
            self.part_entries(fstring::field_ends(self.description.dialect.fstrings))?;
        entries.extend(code.iter().filter(|entry| !replaced.contains(&entry.pattern)).map(
            |entry| {
                let mut entry = entry.clone();
                // f"{lambda x: x}"
                //            ^ begins the format specification, so that no lambda is ever complete
                if entry.pattern == "lambda" {
                    entry.emission = Emission::of(vec![ERROR], entry.emission.change);
                }
                entry
            },
        ));
        Ok(entries)
    }

    fn part_entries(&self, patterns: Vec<PartPattern>) -> Result<Vec<Entry>, LexiconError> {
        patterns
            .into_iter()
            .map(|pattern| {
                let symbols = match pattern.parts {
                    None => vec![ERROR],
                    Some(parts) => {
                        parts.into_iter().map(|part| self.part(part)).collect::<Result<_, _>>()?
                    }
                };
                let emission = Emission::of(symbols, pattern.change);
                Ok(Entry::of_python(pattern.pattern, emission))
            })
            .collect()
    }

    fn part(&self, part: Part) -> Result<TerminalId, LexiconError> {
        self.terminal(&part.name())
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
        if self.description.layout == Layout::None {
            let kinds: Vec<Kind> = entries.iter().map(|entry| entry.kind).collect();
            take_along(&mut automaton, &kinds);
        }
        let emissions = entries.into_iter().map(|entry| self.emission_id(entry.emission)).collect();
        let kind = vec![StateKind::Symbol; automaton.next.len()];
        let mut mode = Mode { start: automaton.start, automaton, emissions, kind };
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

    /// Appends the states of a mode and gives its start.
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
        self.name_mode(moved(mode.start).0, first)
    }

    /// Appends what is left of a code mode inside f-strings with these quotes: the product with
    /// the automaton that watches for their ends. Three quotes in a row may be spread over two
    /// symbols, so the run of quotes read last survives the end of a symbol.
    fn add_restricted(&mut self, mode: &Mode, quotes: Quotes) -> Result<u16, LexiconError> {
        type Watched = (u32, QuoteRun);
        let mut ids: FxHashMap<Watched, RawState> = FxHashMap::default();
        let mut order: Vec<Watched> = Vec::new();
        let offset = self.rows.len() as u32;
        let mut id_of = |watched: Watched, order: &mut Vec<Watched>| {
            *ids.entry(watched).or_insert_with(|| {
                order.push(watched);
                narrow(offset + order.len() as u32 - 1)
            })
        };
        let start = id_of((mode.start, QuoteRun::default()), &mut order);
        let mut index = 0;
        while let Some(&(state, run)) = order.get(index) {
            index += 1;
            let mut row = [RawState::DEAD; 256];
            // Most bytes lead where the byte in front of them leads.
            let mut last = None;
            for byte in 0..=255_u8 {
                let target = mode.automaton.next[state as usize][usize::from(byte)];
                if target == DEAD || mode.kind[target as usize] == StateKind::Comment {
                    continue;
                }
                if let Some(run) = run.after(byte, quotes) {
                    let id = match last {
                        Some((watched, id)) if watched == (target, run) => id,
                        _ => id_of((target, run), &mut order),
                    };
                    row[usize::from(byte)] = id;
                    last = Some(((target, run), id));
                }
            }
            self.rows.push(row);
            self.accept.push(mode.accept(state));
            self.kind.push(mode.kind[state as usize]);
            self.restart.push(id_of((mode.start, run), &mut order));
        }
        for quote in [Quote::Single, Quote::Double] {
            if let Some(&behind) = ids.get(&(mode.start, QuoteRun::one(quote))) {
                self.starts.behind_quote.insert((start.0, quote.byte()), behind.0);
            }
        }
        self.name_mode(start.0, offset as usize)
    }

    /// Remembers that the states from `first` on are the mode that begins in `start`.
    fn name_mode(&mut self, start: u16, first: usize) -> Result<u16, LexiconError> {
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
            first_held: usize::MAX,
        })
    }
}

/// The number of a state in the table; [`Builder::fits_in_table`] tells of those that are too high.
pub(super) fn narrow(state: u32) -> RawState {
    RawState(state as u16)
}

fn comment() -> Entry {
    let skip = Emission::of(Vec::new(), FrameChange::Keep);
    Entry::of_python(r"#[^\r\n\x00]*".into(), skip)
}

/// A regular expression for this very text.
fn literal(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len() + 2);
    for character in text.chars() {
        if r"\.+*?()|[]{}^$#&-~".contains(character) {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern
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
