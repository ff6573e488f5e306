//! Names that exist: what a hole's text may use, bind and return, beyond what the grammar says.
//!
//! The reader (`names/reader.rs`) knows what each name is there for: most are decided by the symbol behind
//! them. Both contexts are read for what they bind (`left_context.rs`, `right_context.rs`), by scope and, on
//! the right, by the column that decides whose it is (`right.rs`); a document keeps what it has read of them
//! (`kept.rs`). A use is refused if it is proven that nothing binds it: no
//! scope around it, no builtin, no later line where that counts, no comprehension that may still come.
//! While a name is being written, a visible name must begin like that, or a keyword that may come there.
//!
//! Doubt means yes: `from x import *`, `exec`, names that the left context uses without binding them, names
//! with letters beyond ASCII.
//!
//! Reading order: `kinds`, `name_set`, `builtins`, `scopes`, `demands`, `right`, `frames`, `reader`, `visible`, `roles`,
//! `uses`, `statements`, `brackets`, `compiling`, `declarations`, `comprehensions`, `stars`, `patterns`,
//! `left_context`, `right_context`, `kept`.

mod brackets;
mod builtins;
mod compiling;
mod comprehensions;
mod declarations;
mod demands;
mod doubt;
mod frames;
mod kept;
mod kinds;
mod left_context;
mod name_set;
mod patterns;
mod quiet;
mod reader;
mod right;
mod right_context;
mod roles;
mod scopes;
mod shared;
mod stars;
mod statements;
mod uses;
mod visible;
mod walruses;
mod words;

use std::sync::Arc;

use fim_lexer::lexer::{LexState, Symbol};
use fim_lexer::{Lexer, TerminalId};
use smallvec::SmallVec;

pub use self::compiling::Reason;
use self::declarations::FEATURES;
pub(crate) use self::kept::KeptNames;
use self::kinds::{Kind, Kinds};
use self::left_context::Tables;
use self::name_set::{Name, Query};
pub(crate) use self::reader::Wrong;
use self::reader::{Mode, Reader, Role, Waiting};
use self::scopes::Surroundings;
pub(crate) use self::words::Verdict;
use crate::charts::{LeftChart, LeftCharts};
use crate::grammar::{IMPOSSIBLE, Language};
use crate::hole::{Hole, Place};

/// What a language says about names.
#[derive(Debug)]
pub(crate) struct NameRules {
    kinds: Kinds,
    builtins: Arc<[Name]>,
    has_late_annotations: bool,
    /// What may make a name that is not visible one that is bound.
    walrus: Option<TerminalId>,
    assign: Option<TerminalId>,
    name: Option<TerminalId>,
}

impl NameRules {
    /// The rules of a version of Python; none are known of other languages.
    pub(crate) fn new(name: &str, version: Option<&str>, lexer: &Lexer) -> Option<Self> {
        let version = version.filter(|_| name == "python")?;
        let terminal = |name| lexer.description.terminal(name);
        Some(Self {
            kinds: Kinds::new(lexer),
            builtins: builtins::builtins(version),
            has_late_annotations: builtins::is_at_least(version, "3.14"),
            walrus: terminal(":="),
            assign: terminal("="),
            name: terminal("NAME"),
        })
    }
}

/// What stands around a hole: in front of it, at its beginning already, and behind it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contexts<'a> {
    pub(crate) left: &'a [u8],
    pub(crate) begun: &'a [u8],
    pub(crate) right: &'a [u8],
}

/// The names at a place in a hole.
#[derive(Clone, Debug)]
pub(crate) struct NamesAt {
    rules: Arc<NameRules>,
    around: Arc<Surroundings>,
    reader: Arc<Reader>,
    /// The symbol in progress, if it may be a name.
    symbol: SmallVec<[u8; 24]>,
    symbol_start: i64,
    n_read: i64,
    /// What is wrong with the right context's lines whatever the text is.
    old_fault: Option<Reason>,
}

/// Nobody writes longer names; of strings that begin with a letter no more is kept.
const MAX_NAME: usize = 1 << 10;

/// So many names are tried to end one that was begun.
const MAX_VISIBLE: usize = 8;

/// What a name in progress may become that is none.
const WORDS: [&[u8]; 12] = [
    b"None", b"True", b"False", b"lambda", b"not ", b"pass", b"def ", b"class ", b"for ",
    b"while ", b"with ", b"import ",
];

/// What ends a name, or leaves what follows to a comment.
const MARKS: [&[u8]; 6] = [b" ", b"#", b".", b",", b"\n", b"("];

/// So much of the right context is read for the sake of names that wait for it.
const MAX_REST: usize = 1 << 17;

impl NamesAt {
    /// The names at a place in a hole behind `begun`, which is read as a part of the left context. `kept` is
    /// what is known of both contexts, and `known` are names of elsewhere.
    pub(crate) fn new(
        language: &Language,
        rules: &Arc<NameRules>,
        contexts: &Contexts<'_>,
        kept: &mut KeptNames,
        lexed: &LexState,
        known: &[Vec<u8>],
    ) -> Self {
        let mut known: Vec<Name> = known.iter().map(|name| name.as_slice().into()).collect();
        known.sort_unstable();
        let mut around = Surroundings {
            builtins: Arc::clone(&rules.builtins),
            known: known.into(),
            right: Arc::default(),
        };
        let tables = Tables { lexer: &language.lexer, kinds: &rules.kinds, around: &around };
        let names = kept.right(&tables, contexts.right, lexed);
        let (mut reader, symbol) = kept.left(&tables, contexts, rules.has_late_annotations, lexed);
        around.right = Arc::new(names);
        reader.mode = Mode::Hole;
        reader.judged_from = 0;
        reader.freeze();
        let symbol_start = -(symbol.len() as i64);
        let symbol = begun_name(&symbol);
        if !symbol.is_empty() && reader.sees(Query::Prefix(&symbol), &around) {
            // A half name that no visible one begins like is beyond judgement: it is its author's.
            reader.judged_from = symbol_start;
        }
        let fault = reader.scopes.fault(&around.right.behind);
        // The lines behind a header are in no suite yet.
        let old_fault = fault.filter(|_| reader.coming.is_none()).map(|(_, reason)| reason);
        Self {
            old_fault,
            rules: Arc::clone(rules),
            around: Arc::new(around),
            reader: Arc::new(reader),
            symbol,
            symbol_start,
            n_read: 0,
        }
    }

    /// Reads text that the grammar allows. `lexed` is where the lexer stands in front of it.
    pub(crate) fn read(
        &mut self,
        language: &Language,
        lexed: &LexState,
        text: &[u8],
    ) -> Result<(), Wrong> {
        let mut lexed = lexed.clone();
        for &byte in text {
            self.read_byte(language, &mut lexed, byte)?;
        }
        Ok(())
    }

    /// Reads a byte; the lexer's refusal is nobody's fault here.
    fn read_byte(
        &mut self,
        language: &Language,
        lexed: &mut LexState,
        byte: u8,
    ) -> Result<bool, Wrong> {
        let scanner = &language.lexer.scanner;
        let before = lexed.raw;
        let mut symbols: SmallVec<[Symbol; 4]> = SmallVec::new();
        let is_read = language.lexer.feed(lexed, byte, &mut |symbol| {
            symbols.push(symbol);
            true
        });
        for symbol in symbols {
            let kind = self.rules.kinds.of(symbol.terminal);
            let column = symbol.column.map(|column| column.wide);
            let reader = Arc::make_mut(&mut self.reader);
            let (start, text) = if is_layout(kind) {
                (self.n_read, &[][..])
            } else {
                (self.symbol_start, &self.symbol[..])
            };
            reader.symbol(kind, text, start, column, &self.around)?;
        }
        let is_begin = scanner.kind(before).is_clean()
            || scanner.next(before, byte) == fim_lexer::RawState::DEAD;
        if scanner.kind(lexed.raw).is_in_symbol() {
            if is_begin {
                self.symbol.clear();
                self.symbol_start = self.n_read;
            }
            let is_name = match is_begin {
                true => begins_name(byte) || self.reader.reads_strings(),
                false => !self.symbol.is_empty(),
            };
            if is_name && self.symbol.len() < MAX_NAME {
                self.symbol.push(byte);
            }
        } else {
            self.symbol.clear();
        }
        self.n_read += 1;
        Ok(is_read)
    }

    /// Whether the symbol in progress can become one that may stand there: a name that is visible or may be
    /// bound, or no name.
    pub(crate) fn check_begun(
        &self,
        language: &Language,
        left: &mut LeftCharts,
        hole: &mut Hole,
        place: &Place,
    ) -> Result<(), Wrong> {
        let raw = place.lexed.raw;
        let is_in_symbol = language.lexer.scanner.kind(raw).is_in_symbol();
        if self.reader.has_open_questions() && is_in_symbol {
            self.check_next(language, left, hole, place)?;
        }
        if let Some(waiting) = self.reader.waiting.as_ref().filter(|_| !is_in_symbol) {
            self.check_waiting(language, left, hole, place, waiting)?;
        }
        if !self.symbol.first().is_some_and(|&byte| begins_name(byte)) || !is_in_symbol {
            return Ok(());
        }
        let rules = &self.rules;
        if self.symbol_start < self.reader.judged_from
            || self.may_begin(language, left, hole, place)
        {
            return Ok(());
        }
        let is_no_name = language.reach.emissions(raw).any(|emission| {
            let (kinds, _) = rules.kinds.of_emission(emission);
            kinds.iter().all(|&kind| kind != Kind::Name)
                && place
                    .chart_behind(language, left, emission)
                    .is_some_and(|chart| hole.cost(language, left, chart) < IMPOSSIBLE)
        });
        if is_no_name {
            return Ok(());
        }
        Err(Wrong {
            name: self.symbol.to_vec(),
            start: self.symbol_start,
            reason: Reason::Undefined,
        })
    }

    /// Checks whether what waits for the next symbol can bear any that the symbol in progress may become: `)`
    /// is one as soon as it is there.
    fn check_next(
        &self,
        language: &Language,
        left: &mut LeftCharts,
        hole: &mut Hole,
        place: &Place,
    ) -> Result<(), Wrong> {
        let rules = &self.rules;
        let mut found = Ok(());
        for emission in language.reach.emissions(place.lexed.raw) {
            let (kinds, _) = rules.kinds.of_emission(emission);
            let chart = place.chart_behind(language, left, emission);
            if chart.is_none_or(|chart| hole.cost(language, left, chart) >= IMPOSSIBLE) {
                continue;
            }
            if kinds.contains(&Kind::Name) {
                // Only a beginning is known of it.
                return Ok(());
            }
            let mut reader = Reader::clone(&self.reader);
            let mut read = kinds.iter().map(|&kind| {
                reader.symbol(kind, &self.symbol, self.symbol_start, None, &self.around)
            });
            match read.find_map(Result::err) {
                None => return Ok(()),
                Some(wrong) => found = Err(wrong),
            }
        }
        found
    }

    /// Whether a name may begin like the symbol in progress.
    fn may_begin(
        &self,
        language: &Language,
        left: &mut LeftCharts,
        hole: &mut Hole,
        place: &Place,
    ) -> bool {
        let role = self.reader.role(&self.symbol);
        if !role.is_use()
            || !self.symbol.is_ascii()
            || self.reader.sees(Query::Prefix(&self.symbol), &self.around)
            || self.reader.rescuers(self.reader.frames.len()) != 0
        {
            return true;
        }
        let name = self.rules.name.map(|terminal| Symbol { terminal, column: None });
        let behind = name.and_then(|name| left.step(&language.rules, place.chart, name));
        behind.is_some_and(|chart| self.may_be_bound(language, left, hole, chart, role))
    }

    /// Whether `:=` or, for arguments, `=` may come behind a name.
    fn may_be_bound(
        &self,
        language: &Language,
        left: &mut LeftCharts,
        hole: &mut Hole,
        chart: LeftChart,
        role: Role,
    ) -> bool {
        let rules = &self.rules;
        // In a call, `=` is more likely to come than `:=`; both must be asked for.
        let terminals = match role {
            Role::Argument => [rules.assign, rules.walrus],
            Role::UseOrWalrus => [rules.walrus, None],
            _ => [None, None],
        };
        terminals.into_iter().flatten().any(|terminal| {
            let symbol = Symbol { terminal, column: None };
            let behind = left.step(&language.rules, chart, symbol);
            behind.is_some_and(|chart| hole.cost(language, left, chart) < IMPOSSIBLE)
        })
    }

    /// Checks whether a name that has ended, and that nothing binds, can still be bound by the next symbol.
    fn check_waiting(
        &self,
        language: &Language,
        left: &mut LeftCharts,
        hole: &mut Hole,
        place: &Place,
        waiting: &Waiting,
    ) -> Result<(), Wrong> {
        if !waiting.role.is_use()
            || !waiting.is_judged
            || !waiting.name.is_ascii()
            || self.reader.sees(Query::Name(&waiting.name), &self.around)
            || self.reader.rescuers(waiting.depth) != 0
            || self.may_be_bound(language, left, hole, place.chart, waiting.role)
        {
            return Ok(());
        }
        Err(Wrong { name: waiting.name.to_vec(), start: waiting.start, reason: Reason::Undefined })
    }

    /// Checks whether the text may end here, as far as names are concerned. `right` is the right context with the
    /// line break at its end: as much of it is read as what waits for it needs.
    pub(crate) fn check_end(
        &self,
        language: &Language,
        lexed: &LexState,
        right: &[u8],
    ) -> Result<(), Wrong> {
        let mut rest = self.clone();
        Arc::make_mut(&mut rest.reader).judged_until = self.n_read;
        let mut lexed = lexed.clone();
        for (index, &byte) in right.iter().enumerate() {
            let is_in_symbol = language.lexer.scanner.kind(lexed.raw).is_in_symbol()
                && rest.symbol_start < self.n_read;
            if is_in_symbol && index > self.around.right.n_in_front {
                // The text has begun a string that goes on: what was taken for lines is none.
                return Ok(());
            }
            if !(is_in_symbol || rest.waits_for_rest(self.n_read)) || index == MAX_REST {
                break;
            }
            if !is_in_symbol {
                Arc::make_mut(&mut rest.reader).mode = Mode::Rest;
            }
            let is_read = rest.read_byte(language, &mut lexed, byte);
            if !is_read.map_err(|wrong| self.of_rest(wrong))? {
                // A line that stands nowhere: the grammar's business.
                break;
            }
        }
        let scopes = &rest.reader.scopes;
        let start = self.n_read;
        if !scopes.bear(&self.around.right.behind) {
            return Err(Wrong { name: Vec::new(), start, reason: Reason::Rest });
        }
        match scopes.fault(&self.around.right.behind) {
            Some((name, reason)) if self.old_fault != Some(reason) => {
                Err(Wrong { name: name.to_vec(), start, reason })
            }
            _ => Ok(()),
        }
    }

    /// Whether more of the right context, which begins at `start`, has to be read before it is known whether the
    /// text may end there.
    fn waits_for_rest(&self, start: i64) -> bool {
        let reader = &self.reader;
        let right = &self.around.right;
        let has_begun = reader.at >= start;
        let is_at_line_end = has_begun && reader.is_at_line_end();
        let has_suite = || {
            let innermost = reader.scopes.blocks.last().and_then(|block| block.column);
            right
                .behind
                .last()
                .is_some_and(|(column, _)| innermost.is_some_and(|own| own < *column))
        };
        let has_declared = || right.behind.iter().any(|(_, demands)| !demands.declared.is_empty());
        reader.has_open_questions()
            || reader.coming.is_some()
            || !has_begun
            || !is_at_line_end
                && (right.has_needs_at_once
                    || reader.is_of_future()
                    || has_suite()
                    || has_declared())
    }

    /// What is wrong with the right context is that the text leaves it without its function or loop.
    fn of_rest(&self, wrong: Wrong) -> Wrong {
        let is_left = matches!(
            wrong.reason,
            Reason::OutsideFunction | Reason::OutsideAsync | Reason::OutsideLoop
        );
        if is_left && wrong.start >= self.n_read {
            return Wrong { name: Vec::new(), start: self.n_read, reason: Reason::Rest };
        }
        wrong
    }

    /// The shortest visible names that begin like this, those of the text first.
    pub(crate) fn visible_names(&self, prefix: &[u8]) -> Vec<Vec<u8>> {
        let scopes = self.reader.scopes.scopes.iter().rev();
        let scopes = scopes.flat_map(|scope| scope.own.iter().chain(&scope.bound_later));
        let mut found: Vec<&Name> = scopes.filter(|name| name.starts_with(prefix)).collect();
        found.sort_by_key(|name| (name.starts_with(b"__"), name.len()));
        let behind = self.around.right.parts.iter().flat_map(|part| part.names.iter());
        found.extend(behind.filter(|name| !prefix.is_empty() && name.starts_with(prefix)));
        let builtins = self.around.builtins.iter().filter(|name| name.starts_with(prefix));
        found.extend(builtins.filter(|name| !prefix.is_empty() || ***name == *b"id"));
        found.extend(
            self.around.known.iter().filter(|name| !prefix.is_empty() && name.starts_with(prefix)),
        );
        let is_visible = |name: &&Name| self.reader.sees(Query::Name(name), &self.around);
        found.into_iter().filter(is_visible).take(MAX_VISIBLE).map(|name| name.to_vec()).collect()
    }

    /// Texts that bind what waits for it, end the name in progress, or keep it from becoming another one.
    pub(crate) fn ways_on(&self, value: &[u8]) -> Vec<Vec<u8>> {
        let mut found: Vec<Vec<u8>> = Vec::new();
        if self.symbol.first().is_some_and(|&byte| begins_name(byte)) {
            let names = self.visible_names(&self.symbol);
            let features = FEATURES.iter().filter(|_| self.reader.is_of_future());
            let words = names.iter().map(Vec::as_slice).chain(features.copied()).chain(WORDS);
            let rests = words.filter_map(|word| word.strip_prefix(&self.symbol[..]));
            found.extend(rests.filter(|rest| !rest.is_empty()).map(<[u8]>::to_vec));
            found.push([b" for ", &self.symbol[..], b" in ", value].concat());
        }
        for added in self.insertions(value) {
            found.push([value, &added].concat());
            found.push(added);
        }
        found.extend([[value, b" "].concat(), b"_".to_vec()]);
        found.extend(MARKS.map(<[u8]>::to_vec));
        if self.reader.is_of_future() {
            found.push(b"division".to_vec());
        }
        found
    }

    /// What an import may bring here.
    pub(crate) fn imported(&self) -> &'static [u8] {
        if self.reader.header.has_future { b"division" } else { b"a" }
    }

    /// Texts that bind what waits for it, somewhere behind what has been read.
    pub(crate) fn insertions(&self, value: &[u8]) -> Vec<Vec<u8>> {
        let mut unbound: Vec<&[u8]> = Vec::new();
        for name in self.reader.unbound() {
            let is_variable =
                name.first().is_some_and(|&byte| begins_name(byte)) && name != b"await";
            let name = if is_variable { name } else { b"_" };
            if !unbound.contains(&name) {
                unbound.push(name);
            }
        }
        let mut found = Vec::new();
        if !unbound.is_empty() {
            found.push([b" for ", &unbound.join(&b","[..])[..], b" in ", value].concat());
        }
        found.push([b" = ", value].concat());
        found
    }

    /// Where a wrong name began, in bytes in front of the end of what has been read.
    pub(crate) fn distance(&self, wrong: &Wrong) -> i64 {
        self.n_read - wrong.start
    }
}

/// What the reader is told of layout has no text.
fn is_layout(kind: Kind) -> bool {
    matches!(kind, Kind::Newline | Kind::Indent | Kind::Dedent)
}

fn begins_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80
}

/// A symbol in progress, if it may be a name.
fn begun_name(symbol: &[u8]) -> SmallVec<[u8; 24]> {
    match symbol.first() {
        Some(&byte) if begins_name(byte) && symbol.len() < MAX_NAME => symbol.into(),
        _ => SmallVec::new(),
    }
}
