//! The names at a place in a hole, and the law's answers about it.
//!
//! [`NamesAt`] has what is around the place, the reader behind the text up to it, and the symbol in progress. It judges
//! the text that leads there (`judging`), says which places have equal masks (`place_shape`), and which names the lines
//! behind the hole still lack (`wanted_names`).

mod judging;
mod place_shape;
mod wanted_names;

use std::sync::Arc;

use fim_lexer::lexer::{LexState, Symbol};
use smallvec::SmallVec;

use crate::grammar::Language;
use crate::laws::Contexts;
use crate::python_names::contexts::{KeptNames, ReadingTables};
use crate::python_names::reader::NamesReader;
use crate::python_names::scopes::Surroundings;
use crate::python_names::symbols::{
    CompilingReason, Name, NameRules, NameViolation, Query, SymbolKind,
};

/// The names at a place in a hole.
#[derive(Clone, Debug)]
pub(super) struct NamesAt {
    pub(super) rules: Arc<NameRules>,
    pub(super) around: Arc<Surroundings>,
    pub(super) reader: Arc<NamesReader>,
    /// The text of the symbol in progress, if it may be a name.
    pub(super) symbol: SmallVec<[u8; 24]>,
    pub(super) symbol_start: i64,
    pub(super) n_read: i64,
    /// A fault of the right context's lines that they have whatever the text is.
    old_fault: Option<CompilingReason>,
}

/// The most bytes of a name that are kept. Programs have no longer names; strings that begin with a letter are cut.
const MAX_NAME: usize = 1 << 10;

impl NamesAt {
    /// The names at a place in a hole behind `begun`, which is read as a part of the left context. `kept` has the
    /// names of both contexts as far as they were read, and `known` are names from other files.
    pub(super) fn new(
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
    pub(super) fn read(
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

pub(super) fn begins_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80
}

/// The text of a symbol in progress, if it may be a name.
fn begun_name(symbol: &[u8]) -> SmallVec<[u8; 24]> {
    match symbol.first() {
        Some(&byte) if begins_name(byte) && symbol.len() < MAX_NAME => symbol.into(),
        _ => SmallVec::new(),
    }
}
