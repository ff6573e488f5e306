//! Python's law: the names that a hole's text may use and bind, and more that its compiler refuses though the grammar
//! lets it through.
//!
//! The reader (`reader.rs`) knows the role of each name, which mostly the symbol behind it decides. Both contexts are
//! read for the names that they bind (`left_context.rs`, `right_context.rs`), by scope and, on the right, by the
//! column that decides which scope a line belongs to (`right_names.rs`); a document keeps the names (`kept_names.rs`). A
//! use is refused if it is proven that nothing binds it: no scope around it, no builtin, no later line where that
//! counts, no comprehension that may still come. While a name is being written, a visible name must begin like it, or
//! a keyword that may come there.
//!
//! Doubt means yes: `from x import *`, `exec`, names that the left context uses without binding them, names
//! with letters beyond ASCII.
//!
//! Reading order: `shared_value`, `symbol_kinds`, `name_set`, `violations`, `versions`, `scopes`, `demands`, `right_names`,
//! `text_part`, `frames`, `open_statement`, `waiting_names`, `reader`, `visible_names`, `name_roles`, `name_uses`,
//! `statements`, `brackets`, `compiler_refusals`, `imports`, `annotations`, `comprehensions`, `rows`, `left_context`,
//! `right_context`, `kept_names`; then the law's answers: `name_judging`, `word_verdicts`, `place_shape`,
//! `witness_attempts`, `wanted_names`, `witness_headers`, `witness_calls`, `witnesses`; and as a law: `held`.

mod annotations;
mod brackets;
mod compiler_refusals;
mod comprehensions;
mod demands;
mod frames;
mod held;
mod imports;
mod kept_names;
mod left_context;
mod name_judging;
mod name_roles;
mod name_set;
mod name_uses;
mod open_statement;
mod place_shape;
mod reader;
mod right_context;
mod right_names;
mod rows;
mod scopes;
mod shared_value;
mod statements;
mod symbol_kinds;
mod text_part;
mod versions;
mod violations;
mod visible_names;
mod waiting_names;
mod wanted_names;
mod witness_attempts;
mod witness_calls;
mod witness_headers;
mod witnesses;
mod word_verdicts;

use std::sync::Arc;

use fim_lexer::lexer::{LexState, Symbol};
use smallvec::SmallVec;

use self::kept_names::KeptNames;
use self::left_context::ReadingTables;
use self::name_set::{Name, Query};
use self::reader::NamesReader;
use self::scopes::Surroundings;
use self::symbol_kinds::SymbolKind;
use self::versions::NameRules;
use self::violations::{CompilingReason, NameViolation};
use crate::grammar::Language;
use crate::laws::Contexts;

pub(crate) use self::held::law;

/// The names at a place in a hole.
#[derive(Clone, Debug)]
struct NamesAt {
    rules: Arc<NameRules>,
    around: Arc<Surroundings>,
    reader: Arc<NamesReader>,
    /// The text of the symbol in progress, if it may be a name.
    symbol: SmallVec<[u8; 24]>,
    symbol_start: i64,
    n_read: i64,
    /// A fault of the right context's lines that they have whatever the text is.
    old_fault: Option<CompilingReason>,
}

/// The most bytes of a name that are kept. Programs have no longer names; strings that begin with a letter are cut.
const MAX_NAME: usize = 1 << 10;

impl NamesAt {
    /// The names at a place in a hole behind `begun`, which is read as a part of the left context. `kept` has the
    /// names of both contexts as far as they were read, and `known` are names from other files.
    fn new(
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
            turns: rules.turns,
            known: known.into(),
            right: Arc::default(),
        };
        let tables = ReadingTables { lexer: &language.lexer, kinds: &rules.kinds, around: &around };
        let names = kept.right(&tables, contexts.right, lexed);
        let (mut reader, symbol) = kept.left(&tables, contexts, rules.annotations, lexed);
        around.right = Arc::new(names);
        reader.begin_hole(0);
        reader.freeze();
        let symbol_start = -(symbol.len() as i64);
        let symbol = begun_name(&symbol);
        if !symbol.is_empty() && reader.sees(Query::Prefix(&symbol), &around) {
            // A half name that no visible name begins like is not judged: it is its author's.
            reader.begin_hole(symbol_start);
        }
        let fault = reader.scopes.fault(&around.right.behind);
        // The lines behind a header are in no suite yet.
        let old_fault = fault.filter(|_| !reader.suite.is_coming()).map(|(_, reason)| reason);
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
    fn read(
        &mut self,
        language: &Language,
        lexed: &LexState,
        text: &[u8],
    ) -> Result<(), NameViolation> {
        let mut lexed = lexed.clone();
        for &byte in text {
            self.read_byte(language, &mut lexed, byte)?;
        }
        Ok(())
    }

    /// Reads a byte. False if the lexer refuses it, which is no fault of names.
    fn read_byte(
        &mut self,
        language: &Language,
        lexed: &mut LexState,
        byte: u8,
    ) -> Result<bool, NameViolation> {
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
}

/// Whether a symbol is made by the layout: the reader gets it without a text.
fn is_layout(kind: SymbolKind) -> bool {
    matches!(kind, SymbolKind::Newline | SymbolKind::Indent | SymbolKind::Dedent)
}

fn begins_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80
}

/// The text of a symbol in progress, if it may be a name.
fn begun_name(symbol: &[u8]) -> SmallVec<[u8; 24]> {
    match symbol.first() {
        Some(&byte) if begins_name(byte) && symbol.len() < MAX_NAME => symbol.into(),
        _ => SmallVec::new(),
    }
}
