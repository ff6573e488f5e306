//! Laws that read the lexer's symbols one after the other, in languages without forks.
//!
//! Such a law is exact where a text may end: it reads the right context up to a place from which on its verdict is
//! known. Before, it refuses texts that nothing behind them can put right. A mask reads only the tokens that the law
//! does not call harmless.

use std::sync::{Arc, Mutex};

use fim_lexer::lexer::{LexState, Symbol};
use fim_lexer::{Lexer, RawState, TerminalId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::law::{HeldLaw, Violation};
use super::masking::clear_ends;
use super::other_words::with_word;
use super::symbol_law::{SymbolFault, SymbolLaw};
use crate::caches::{Fingerprint, lock};
use crate::grammar::Language;
use crate::hole::{OpenHole, Place};
use crate::masks::{Vocabulary, is_of_word};
use crate::witness::shortest_witness;

/// For each vocabulary and class of harm, the entries that may do harm.
pub(super) type Harmful = Mutex<FxHashMap<(Fingerprint, u8), Arc<[u32]>>>;

/// A law that reads symbols, at a place.
#[derive(Clone, Debug)]
pub(super) struct BySymbols<Known> {
    pub(super) law: Known,
    /// The text of the symbol in progress, if the text matters.
    pub(super) symbol: SmallVec<[u8; 24]>,
    pub(super) symbol_start: i64,
    /// The offset where the last symbol began that may be a name.
    pub(super) name_start: i64,
    pub(super) n_read: i64,
    /// Whether the law has read the symbol in progress already, as no byte can go on with it.
    pub(super) is_symbol_read: bool,
    harmful: Arc<Harmful>,
}

impl<Known: SymbolLaw> BySymbols<Known> {
    pub(super) fn new(law: Known, harmful: Arc<Harmful>) -> Self {
        Self {
            law,
            symbol: SmallVec::new(),
            symbol_start: 0,
            name_start: 0,
            n_read: 0,
            is_symbol_read: false,
            harmful,
        }
    }

    /// The entries of tokens that may do harm here.
    fn harmful(&self, vocabulary: &Vocabulary) -> Arc<[u32]> {
        let harm = self.law.harm(&self.symbol);
        let mut known = lock(&self.harmful);
        let entries = known.entry((vocabulary.fingerprint(), harm)).or_insert_with(|| {
            let all = vocabulary.entries(0).start..vocabulary.entries(255).end;
            let is_harmful = |entry: &usize| !Known::is_harmless(harm, vocabulary.entry(*entry));
            all.filter(is_harmful).map(|entry| entry as u32).collect()
        });
        Arc::clone(entries)
    }

    pub(super) fn read_bytes(
        &mut self,
        lexer: &Lexer,
        lexed: &mut LexState,
        text: &[u8],
    ) -> Result<(), Violation> {
        text.iter().try_for_each(|&byte| self.read_byte(lexer, lexed, byte))
    }

    fn read_byte(
        &mut self,
        lexer: &Lexer,
        lexed: &mut LexState,
        byte: u8,
    ) -> Result<(), Violation> {
        let scanner = &lexer.scanner;
        let before = lexed.raw;
        let mut symbols: SmallVec<[Symbol; 4]> = SmallVec::new();
        lexer.feed(lexed, byte, &mut |symbol| {
            symbols.push(symbol);
            true
        });
        if !std::mem::take(&mut self.is_symbol_read) {
            self.read_symbols(symbols.iter().map(|symbol| symbol.terminal))?;
        }
        let is_begin =
            scanner.kind(before).is_clean() || scanner.next(before, byte) == RawState::DEAD;
        if scanner.kind(lexed.raw).is_in_symbol() {
            if is_begin {
                self.symbol.clear();
                self.symbol_start = self.n_read;
                if is_of_word(byte) || matches!(byte, b'"' | b'\'' | b'-') {
                    self.name_start = self.n_read;
                }
            }
            if self.law.wants_text() {
                self.symbol.push(byte);
            }
        } else {
            self.symbol.clear();
        }
        self.n_read += 1;
        self.law.check_begun(&self.symbol).map_err(|fault| self.violation(fault))?;
        if is_ended(lexer, lexed.raw) {
            self.read_ended_symbol(lexer, lexed.raw)?;
            self.is_symbol_read = true;
        }
        Ok(())
    }

    /// Lets the law read symbols, of which the first one has been in progress.
    fn read_symbols(&mut self, symbols: impl Iterator<Item = TerminalId>) -> Result<(), Violation> {
        for (index, terminal) in symbols.enumerate() {
            let text = if index == 0 { &self.symbol[..] } else { &[] };
            let read = self.law.symbol(terminal, text);
            read.map_err(|fault| self.violation(fault))?;
        }
        Ok(())
    }

    /// The violation by the symbol in progress, or by the name in front of a sign.
    fn violation(&self, SymbolFault { name, reason }: SymbolFault) -> Violation {
        Violation { name, start: self.name_start, reason }
    }

    fn read_ended_symbol(&mut self, lexer: &Lexer, raw: RawState) -> Result<(), Violation> {
        let emission = lexer.scanner.accept(raw).map(|id| lexer.scanner.emission(id));
        self.read_symbols(
            emission.into_iter().flat_map(|emission| emission.steps().iter().copied()),
        )
    }

    /// Checks whether the right context may follow.
    fn check(&self, lexer: &Lexer, lexed: &LexState, right: &[u8]) -> Result<(), Violation> {
        let mut rest = self.clone();
        let mut lexed = lexed.clone();
        // A symbol that has begun in the hole belongs to the hole.
        let mut is_behind = false;
        for (offset, &byte) in right.iter().enumerate() {
            let is_between = rest.is_symbol_read || lexer.scanner.kind(lexed.raw).is_clean();
            if !is_behind && (is_between || rest.symbol_start >= self.n_read) {
                rest.law.end_hole();
                is_behind = true;
            }
            if is_between && let Some(said) = rest.law.rest(offset) {
                return said.map_err(|fault| self.at_end_of_hole(self.violation(fault)));
            }
            let read = rest.read_byte(lexer, &mut lexed, byte);
            read.map_err(|wrong| self.at_end_of_hole(wrong))?;
        }
        if rest.is_symbol_read {
            return Ok(());
        }
        rest.read_ended_symbol(lexer, lexed.raw).map_err(|wrong| self.at_end_of_hole(wrong))
    }

    /// A violation behind the hole counts at the hole's end.
    fn at_end_of_hole(&self, wrong: Violation) -> Violation {
        Violation { start: wrong.start.max(self.n_read), ..wrong }
    }
}

/// Reads a text alone from a byte on, in front of which no symbol is in progress. Calls `each` where symbols may
/// begin. False if the text cannot be read to its end.
pub(crate) fn read_alone<Known: SymbolLaw>(
    law: &mut Known,
    lexer: &Lexer,
    text: &[u8],
    from: usize,
    mut each: impl FnMut(&mut Known, usize),
) -> bool {
    let mut lexed = lexer.start();
    let mut reader = BySymbols::new(law.clone(), Arc::default());
    for (index, &byte) in text[from..].iter().enumerate() {
        if reader.is_symbol_read || lexer.scanner.kind(lexed.raw).is_clean() {
            each(&mut reader.law, from + index);
        }
        let is_read = reader.read_byte(lexer, &mut lexed, byte).is_ok();
        if !is_read || lexed.raw == RawState::DEAD {
            return false;
        }
    }
    let is_whole = reader.is_symbol_read
        || !lexer.scanner.kind(lexed.raw).is_in_symbol()
        || lexer.scanner.accept(lexed.raw).is_some()
            && reader.read_ended_symbol(lexer, lexed.raw).is_ok();
    *law = reader.law;
    is_whole
}

/// Whether the symbol in progress has ended: it is complete, and no byte goes on with it.
fn is_ended(lexer: &Lexer, raw: RawState) -> bool {
    let scanner = &lexer.scanner;
    scanner.kind(raw).is_in_symbol()
        && scanner.accept(raw).is_some()
        && scanner.alphabet().iter().all(|&byte| scanner.next(raw, byte) == RawState::DEAD)
}

impl<Known: SymbolLaw> HeldLaw for BySymbols<Known> {
    fn boxed_clone(&self) -> Box<dyn HeldLaw> {
        Box::new(self.clone())
    }

    fn behind(
        &self,
        hole: &mut OpenHole<'_>,
        place: &Place,
        _further: &Place,
        text: &[u8],
    ) -> Result<Box<dyn HeldLaw>, Violation> {
        let mut further = self.clone();
        further.read_bytes(&hole.language().lexer, &mut place.lexed.clone(), text)?;
        Ok(Box::new(further))
    }

    fn check_end(
        &self,
        language: &Language,
        lexed: &LexState,
        right: &[u8],
    ) -> Result<(), Violation> {
        self.check(&language.lexer, lexed, right)
    }

    fn n_read(&self) -> i64 {
        self.n_read
    }

    fn narrow(
        &self,
        hole: &mut OpenHole<'_>,
        place: &Place,
        vocabulary: &Vocabulary,
        mask: &mut [u32],
    ) {
        let lexer = &hole.language().lexer;
        let is_set = |mask: &[u32], index: usize| mask[index / 32] & (1 << (index % 32)) != 0;
        let mut behind: Vec<(LexState, Self)> = Vec::new();
        let mut last: &[u8] = b"";
        let mut n_wrong = usize::MAX;
        for &entry in self.harmful(vocabulary).iter() {
            let (index, token) =
                (vocabulary.id(entry as usize).index(), vocabulary.entry(entry as usize));
            if !is_set(mask, index) {
                continue;
            }
            let n_shared = last.iter().zip(token).take_while(|(one, other)| one == other).count();
            last = token;
            if n_shared < n_wrong {
                n_wrong = usize::MAX;
                behind.truncate(n_shared);
                while behind.len() < token.len() {
                    let (lexed, held) =
                        behind.last().map_or((&place.lexed, self), |(lexed, held)| (lexed, held));
                    let (mut lexed, mut held) = (lexed.clone(), held.clone());
                    if held.read_byte(lexer, &mut lexed, token[behind.len()]).is_err() {
                        n_wrong = behind.len() + 1;
                        break;
                    }
                    behind.push((lexed, held));
                }
            }
            if n_wrong < usize::MAX {
                mask[index / 32] &= !(1 << (index % 32));
            }
        }
        clear_ends(vocabulary, mask, || {
            self.check(lexer, &place.lexed, &hole.right().text).is_err()
        });
    }

    fn witness(&self, hole: &mut OpenHole<'_>, place: &Place) -> Option<Vec<u8>> {
        let lexer = &hole.language().lexer;
        for front in [vec![Vec::new()], self.law.ways_on()].concat() {
            let mut further = place.clone();
            let is_read = hole.read(&mut further, &front) == front.len();
            if !is_read || !hole.is_completable(&further) {
                continue;
            }
            let Some(plain) = shortest_witness(hole, &further) else { continue };
            for name in KEYS {
                let text = [&front[..], &with_word(&plain, name)].concat();
                let mut whole = place.clone();
                let mut held = self.clone();
                let fits = hole.read(&mut whole, &text) == text.len()
                    && hole.is_completable(&whole)
                    && hole.is_member(&whole);
                let is_right = fits
                    && held.read_bytes(lexer, &mut place.lexed.clone(), &text).is_ok()
                    && held.check(lexer, &whole.lexed, &hole.right().text).is_ok();
                if is_right {
                    return Some(text);
                }
            }
        }
        None
    }
}

/// The keys that a witness is tried with.
const KEYS: [&[u8]; 6] = [b"", b"a", b"b", b"c", b"aa", b"key-of-its-own"];
