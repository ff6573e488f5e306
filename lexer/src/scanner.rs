//! All modes joined into one table of raw states.
//!
//! A raw state says everything about the symbol in progress and nothing about what surrounds it:
//! columns, indentation and open brackets live in [`crate::lexer::LexState`]. One step is one
//! look-up; where it fails, the symbol before it ends, if it may (maximal munch with commitment:
//! `0or 1` is an error in Python because `0o` had begun).
//!
//! Python's code modes have a few states beside those of the terminals' automaton: the places
//! after a line break (`\r` may still be followed by its `\n`) and in a backslash continuation.

use regex_automata::util::primitives::StateID;
use rustc_hash::FxHashMap;

use crate::automaton::{ByteAutomaton, DEAD, byte_classes, representatives};
use crate::description::{
    Layout, LexicalDescription, LexiconError, PatternKind, TerminalDescription, TerminalId,
};
use crate::fstring::{
    self, Context, FStringRules, Frame, FrameChange, Part, PartPattern, Quote, Quotes,
};

/// A state of the scanner; 0 is dead.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RawState(pub u16);

impl RawState {
    /// No text can follow.
    pub const DEAD: Self = Self(0);

    /// The index as a number into tables.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// What a raw state is in the middle of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StateKind {
    /// Nothing can follow.
    Dead,
    /// A symbol may begin here.
    Clean,
    /// Behind `\n`, which ended a line.
    LineFeed,
    /// Behind `\r`, which ended a line; a `\n` would belong to it.
    CarriageReturn,
    /// Behind `\r\n`.
    CarriageReturnLineFeed,
    /// Behind a backslash outside strings.
    Backslash,
    /// Behind a backslash and `\r`.
    BackslashCarriageReturn,
    /// Behind a line break that a backslash joined.
    Continuation,
    /// The same behind `\r\n`, which may end a text up to 3.11: CPython added a line break.
    ContinuationOfTwo,
    /// In a comment.
    Comment,
    /// In a symbol.
    Symbol,
    /// In a symbol, in the name of a character: behind `\\N{` and in front of `}`.
    CharacterName,
}

impl StateKind {
    /// Whether a symbol may begin here.
    pub fn is_clean(self) -> bool {
        !matches!(self, Self::Dead | Self::Backslash | Self::Comment) && !self.is_in_symbol()
    }

    /// Whether a symbol is in progress that the parser will see.
    pub fn is_in_symbol(self) -> bool {
        matches!(self, Self::Symbol | Self::CharacterName)
    }
}

/// An index into the scanner's emissions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct EmissionId(pub u16);

/// What a finished symbol is to the parser.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Emission {
    /// The parser's symbols: none for what is skipped, two for `1if`.
    pub symbols: Vec<TerminalId>,
    /// Its effect on the frames.
    pub change: FrameChange,
}

/// The table of raw states.
#[derive(Debug)]
pub struct Scanner {
    next: Vec<u16>,
    class_of_byte: [u8; 256],
    representatives: Vec<u8>,
    n_classes: usize,
    accept: Vec<Option<EmissionId>>,
    kind: Vec<StateKind>,
    restart: Vec<RawState>,
    emissions: Vec<Emission>,
    starts: Starts,
}

/// Where each mode begins.
#[derive(Debug, Default)]
struct Starts {
    code: [u16; Quotes::COUNT],
    field: [u16; Quotes::COUNT],
    text: FxHashMap<u8, u16>,
    specification: FxHashMap<u8, u16>,
    later_specification: FxHashMap<u8, u16>,
    converted: u16,
    /// For the start of each mode, where its states end; they begin with the mode's lowest state.
    ranges: FxHashMap<u16, std::ops::Range<u16>>,
}

impl Scanner {
    /// Compiles a description.
    pub fn new(description: &LexicalDescription) -> Result<Self, LexiconError> {
        if description.n_terminals() > usize::from(u16::MAX) / 2 {
            return Err(LexiconError::new("too many terminals"));
        }
        let mut builder = Builder::new(description);
        builder.add_modes()?;
        builder.finish()
    }

    /// The state after one more byte of the same symbol.
    #[inline]
    pub fn next(&self, state: RawState, byte: u8) -> RawState {
        let class = usize::from(self.class_of_byte[usize::from(byte)]);
        RawState(self.next[state.index() * self.n_classes + class])
    }

    /// What a symbol that ends here is.
    #[inline]
    pub fn accept(&self, state: RawState) -> Option<EmissionId> {
        self.accept[state.index()]
    }

    /// What this state is in the middle of.
    #[inline]
    pub fn kind(&self, state: RawState) -> StateKind {
        self.kind[state.index()]
    }

    /// Where reading goes on after a symbol that ends here and leaves the frames as they are.
    #[inline]
    pub fn restart(&self, state: RawState) -> RawState {
        self.restart[state.index()]
    }

    /// What a finished symbol is to the parser.
    pub fn emission(&self, id: EmissionId) -> &Emission {
        &self.emissions[usize::from(id.0)]
    }

    /// The number of emissions.
    pub fn n_emissions(&self) -> usize {
        self.emissions.len()
    }

    /// All emissions, by their ids.
    pub fn emissions(&self) -> &[Emission] {
        &self.emissions
    }

    /// All states but the dead one.
    pub fn states(&self) -> impl Iterator<Item = RawState> + use<> {
        (1..self.kind.len() as u16).map(RawState)
    }

    /// The number of states, the dead one included.
    pub fn n_states(&self) -> usize {
        self.kind.len()
    }

    /// One byte for each class of bytes that no state tells apart, the shortest way to try all.
    pub fn alphabet(&self) -> &[u8] {
        &self.representatives
    }

    /// For each byte its class: bytes of a class are not told apart by any state.
    pub fn byte_classes(&self) -> &[u8; 256] {
        &self.class_of_byte
    }

    /// Where a symbol begins inside this frame.
    pub fn start(&self, frame: Option<Frame>) -> RawState {
        RawState(match frame {
            None => self.starts.code[0],
            Some(Frame::Bracket(_, quotes)) => self.starts.code[quotes.index()],
            Some(Frame::Field(context)) => self.starts.field[context.inner().index()],
            Some(Frame::Converted(_)) => self.starts.converted,
            Some(Frame::Text(context)) => self.starts.text[&context.index()],
            Some(Frame::Specification(context)) => self.starts.specification[&context.index()],
            Some(Frame::LaterSpecification(context)) => {
                self.starts.later_specification[&context.index()]
            }
        })
    }
}

impl Scanner {
    /// All states of the mode that begins in `start`.
    pub fn mode(&self, start: RawState) -> impl Iterator<Item = RawState> + use<> {
        self.starts.ranges[&start.0].clone().map(RawState)
    }
}

struct Builder<'a> {
    description: &'a LexicalDescription,
    rows: Vec<[u32; 256]>,
    accept: Vec<Option<EmissionId>>,
    kind: Vec<StateKind>,
    restart: Vec<u32>,
    emissions: Vec<Emission>,
    starts: Starts,
}

/// A pattern with what it means.
struct Entry {
    pattern: String,
    emission: Emission,
}

/// A mode before it joins the table: an automaton with named clean states.
struct Mode {
    automaton: ByteAutomaton,
    emissions: Vec<EmissionId>,
    kind: Vec<StateKind>,
    start: u32,
}

/// No rule uses it: the text is dead as soon as this is the longest match.
const ERROR: TerminalId = TerminalId(u16::MAX);

impl<'a> Builder<'a> {
    fn new(description: &'a LexicalDescription) -> Self {
        Self {
            description,
            rows: vec![[DEAD; 256]],
            accept: vec![None],
            kind: vec![StateKind::Dead],
            restart: vec![DEAD],
            emissions: Vec::new(),
            starts: Starts::default(),
        }
    }

    fn add_modes(&mut self) -> Result<(), LexiconError> {
        let code = self.code_entries()?;
        if self.description.layout == Layout::None {
            let mode = self.mode(code)?;
            self.starts.code[0] = self.add(&mode)?;
            return Ok(());
        }
        let has_fstrings = self.description.terminal(Part::NAMES[0].1).is_some();
        let rules = self.description.dialect.fstrings;
        let mut beginnings = if has_fstrings { fstring::beginnings(rules) } else { Vec::new() };
        if self.description.terminal("TSTRING_START").is_some() {
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
        for context in Context::all(rules) {
            let entries = self.part_entries(fstring::text(context))?;
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
        let mut terminals: Vec<(usize, &TerminalDescription)> =
            self.description.terminals.iter().enumerate().collect();
        terminals.sort_by_key(|(index, terminal)| {
            (terminal.kind != PatternKind::Literal, -terminal.priority, *index)
        });
        terminals.into_iter().map(|(index, terminal)| self.code_entry(index, terminal)).collect()
    }

    fn code_entry(
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
        Ok(Entry { pattern, emission: Emission { symbols, change } })
    }

    /// Like code, but what ends a field at its own level is a part of the f-string there.
    fn field_entries(&self, code: &[Entry]) -> Result<Vec<Entry>, LexiconError> {
        let replaced = [literal("}"), literal(":"), literal("="), literal(":=")];
        let mut entries =
            self.part_entries(fstring::field_ends(self.description.dialect.fstrings))?;
        entries.extend(code.iter().filter(|entry| !replaced.contains(&entry.pattern)).map(
            |entry| {
                let mut entry =
                    Entry { pattern: entry.pattern.clone(), emission: entry.emission.clone() };
                // f"{lambda x: x}"
                //            ^ begins the format specification, so that no lambda is ever complete
                if entry.pattern == "lambda" {
                    entry.emission.symbols = vec![ERROR];
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
                let emission = Emission { symbols, change: pattern.change };
                Ok(Entry { pattern: pattern.pattern, emission })
            })
            .collect()
    }

    fn part(&self, part: Part) -> Result<TerminalId, LexiconError> {
        let (_, name) = Part::NAMES[part as usize];
        self.terminal(name)
    }

    fn terminal(&self, name: &str) -> Result<TerminalId, LexiconError> {
        self.description
            .terminal(name)
            .ok_or_else(|| LexiconError::new(format!("no terminal is called {name:?}")))
    }

    fn mode(&mut self, entries: Vec<Entry>) -> Result<Mode, LexiconError> {
        Ok(self.modes(vec![entries])?.remove(0))
    }

    /// The modes of several lists of entries, which may have patterns in common.
    fn modes(&mut self, lists: Vec<Vec<Entry>>) -> Result<Vec<Mode>, LexiconError> {
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
        automaton: ByteAutomaton,
        entries: Vec<Entry>,
    ) -> Result<Mode, LexiconError> {
        if automaton.accept[automaton.start as usize].is_some() {
            return Err(LexiconError::new("a terminal matches the empty text"));
        }
        let emissions = entries.into_iter().map(|entry| self.emission_id(entry.emission)).collect();
        let kind = vec![StateKind::Symbol; automaton.next.len()];
        let mut mode = Mode { start: automaton.start, automaton, emissions, kind };
        mode.mark_names();
        mode.push_start();
        Ok(mode)
    }

    fn emission_id(&mut self, emission: Emission) -> EmissionId {
        let index = self.emissions.iter().position(|known| *known == emission);
        let index = index.unwrap_or_else(|| {
            self.emissions.push(emission);
            self.emissions.len() - 1
        });
        EmissionId(index as u16)
    }

    /// Appends the states of a mode and gives its start.
    fn add(&mut self, mode: &Mode) -> Result<u16, LexiconError> {
        let first = self.rows.len();
        let offset = first as u32 - 1;
        let moved = |state: u32| if state == DEAD { DEAD } else { state + offset };
        for state in 1..mode.automaton.next.len() {
            self.rows.push(mode.automaton.next[state].map(moved));
            self.accept.push(mode.accept(state as u32));
            self.kind.push(mode.kind[state]);
            self.restart.push(moved(mode.start));
        }
        self.name_mode(moved(mode.start), first)
    }

    /// Appends what is left of a code mode inside f-strings with these quotes: the product with
    /// the automaton that watches for their ends. Three quotes in a row may be spread over two
    /// symbols, so the run of quotes read last survives the end of a symbol.
    fn add_restricted(&mut self, mode: &Mode, quotes: Quotes) -> Result<u16, LexiconError> {
        type Watched = (u32, QuoteRun);
        let mut ids: FxHashMap<Watched, u32> = FxHashMap::default();
        let mut order: Vec<Watched> = Vec::new();
        let offset = self.rows.len() as u32;
        let mut id_of = |watched: Watched, order: &mut Vec<Watched>| {
            *ids.entry(watched).or_insert_with(|| {
                order.push(watched);
                offset + order.len() as u32 - 1
            })
        };
        let start = id_of((mode.start, QuoteRun::default()), &mut order);
        let mut index = 0;
        while let Some(&(state, run)) = order.get(index) {
            index += 1;
            let mut row = [DEAD; 256];
            for byte in 0..=255_u8 {
                let target = mode.automaton.next[state as usize][usize::from(byte)];
                if target == DEAD || mode.kind[target as usize] == StateKind::Comment {
                    continue;
                }
                if let Some(run) = run.after(byte, quotes) {
                    row[usize::from(byte)] = id_of((target, run), &mut order);
                }
            }
            self.rows.push(row);
            self.accept.push(mode.accept(state));
            self.kind.push(mode.kind[state as usize]);
            self.restart.push(id_of((mode.start, run), &mut order));
        }
        self.name_mode(start, offset as usize)
    }

    /// Remembers that the states from `first` on are the mode that begins in `start`.
    fn name_mode(&mut self, start: u32, first: usize) -> Result<u16, LexiconError> {
        if self.rows.len() > usize::from(u16::MAX) {
            return Err(LexiconError::new("the terminals need more than 65,000 states"));
        }
        let start = start as u16;
        self.starts.ranges.insert(start, first as u16..self.rows.len() as u16);
        Ok(start)
    }

    fn finish(mut self) -> Result<Scanner, LexiconError> {
        if self.description.layout == Layout::Python {
            // CPython refuses sources with null bytes, comments and strings included.
            for row in &mut self.rows {
                row[0] = DEAD;
            }
        }
        let class_of_byte = byte_classes(&self.rows);
        let bytes = representatives(&class_of_byte);
        let narrow = |state: u32| state as u16;
        let next = self.rows.iter().flat_map(|row| bytes.iter().map(|&byte| narrow(row[byte])));
        Ok(Scanner {
            next: next.collect(),
            class_of_byte,
            n_classes: bytes.len(),
            representatives: bytes.iter().map(|&byte| byte as u8).collect(),
            accept: self.accept,
            kind: self.kind,
            restart: self.restart.into_iter().map(|state| RawState(narrow(state))).collect(),
            emissions: self.emissions,
            starts: self.starts,
        })
    }
}

impl Mode {
    fn push(&mut self, row: [u32; 256], kind: StateKind) -> u32 {
        self.automaton.next.push(row);
        self.automaton.accept.push(None);
        self.kind.push(kind);
        self.automaton.next.len() as u32 - 1
    }

    /// Adds the clean state in which the mode begins. The automaton's own start, unless a symbol
    /// such as `a*b` leads back to it, is no place that a text gets to: it loses its edges, lest
    /// every first symbol of a right context seem to go on from there.
    fn push_start(&mut self) {
        let start = self.start;
        let row = self.automaton.next[start as usize];
        self.start = self.push(row, StateKind::Clean);
        let inner = &self.automaton.next[..self.start as usize];
        if !inner.iter().flatten().any(|&target| target == start) {
            self.automaton.next[start as usize] = [DEAD; 256];
        }
    }

    /// Finds the states in which a character's name is read: in literal text, and in strings.
    fn mark_names(&mut self) {
        for opening in ["\\N{", "'\\N{", "\"\\N{", "'''\\N{", "\"\"\"\\N{"] {
            let next = &self.automaton.next;
            let step = |state: u32, byte: u8| next[state as usize][usize::from(byte)];
            let mut todo = vec![opening.bytes().fold(self.start, step)];
            while let Some(state) = todo.pop() {
                if state == DEAD || self.kind[state as usize] == StateKind::CharacterName {
                    continue;
                }
                self.kind[state as usize] = StateKind::CharacterName;
                todo.extend((0..=255).filter(|&byte| byte != b'}').map(|byte| step(state, byte)));
            }
        }
    }

    fn accept(&self, state: u32) -> Option<EmissionId> {
        self.automaton.accept[state as usize].map(|pattern| self.emissions[usize::from(pattern)])
    }

    /// Adds white space, line breaks, backslash continuations, and the knowledge which states
    /// are comments. Behind a backslash and CR LF a text may end only where `may_end_joined` says so.
    fn with_line_breaks(mut self, may_end_joined: bool) -> Self {
        let row = self.automaton.next[self.start as usize];
        let start = self.start as usize;
        let line_feed = self.push(row, StateKind::LineFeed);
        let carriage_return = self.push(row, StateKind::CarriageReturn);
        let both = self.push(row, StateKind::CarriageReturnLineFeed);
        let continuation = self.push(row, StateKind::Continuation);
        let continuation_of_two = self.push(row, StateKind::ContinuationOfTwo);
        let backslash = self.push([DEAD; 256], StateKind::Backslash);
        let backslash_return = self.push(row, StateKind::BackslashCarriageReturn);
        let clean = [
            start,
            line_feed as usize,
            carriage_return as usize,
            both as usize,
            continuation as usize,
            continuation_of_two as usize,
            backslash_return as usize,
        ];
        for state in clean {
            let row = &mut self.automaton.next[state];
            for byte in [b' ', b'\t', b'\x0c'] {
                row[usize::from(byte)] = self.start;
            }
            row[usize::from(b'\n')] = line_feed;
            row[usize::from(b'\r')] = carriage_return;
            row[usize::from(b'\\')] = backslash;
        }
        self.automaton.next[carriage_return as usize][usize::from(b'\n')] = both;
        self.automaton.next[backslash_return as usize][usize::from(b'\n')] =
            if may_end_joined { continuation_of_two } else { continuation };
        self.automaton.next[backslash as usize][usize::from(b'\n')] = continuation;
        self.automaton.next[backslash as usize][usize::from(b'\r')] = backslash_return;
        let mut todo = vec![self.automaton.next[start][usize::from(b'#')]];
        while let Some(state) = todo.pop() {
            if state != DEAD && self.kind[state as usize] == StateKind::Symbol {
                self.kind[state as usize] = StateKind::Comment;
                todo.extend(self.automaton.next[state as usize]);
            }
        }
        self
    }
}

/// How many equal quotes were read last, of a kind that ends an f-string when it is three.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
struct QuoteRun {
    byte: u8,
    length: u8,
}

impl QuoteRun {
    /// The run after one more byte, unless the byte is ruled out by the f-strings around it.
    fn after(self, byte: u8, quotes: Quotes) -> Option<Self> {
        if byte == b'\\' {
            return None;
        }
        if quotes.forbid_line_breaks() && (byte == b'\n' || byte == b'\r') {
            return None;
        }
        if Quote::ALL
            .iter()
            .any(|&quote| !quote.is_triple() && quote.byte() == byte && quotes.contains(quote))
        {
            return None;
        }
        let is_watched =
            |quote: &Quote| quote.is_triple() && quote.byte() == byte && quotes.contains(*quote);
        if !Quote::ALL.iter().any(is_watched) {
            return Some(Self::default());
        }
        let length = if self.byte == byte { self.length + 1 } else { 1 };
        (length < 3).then_some(Self { byte, length })
    }
}

fn comment() -> Entry {
    let skip = Emission { symbols: Vec::new(), change: FrameChange::Keep };
    Entry { pattern: r"#[^\r\n\x00]*".into(), emission: skip }
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

// The table is indexed with 16 bits; the automata that it is built from use regex-automata's ids.
const _: () = assert!(StateID::LIMIT >= u16::MAX as usize);
