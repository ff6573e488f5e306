//! The contexts of a document's holes, as a law reads them that reads symbols.

use std::sync::Arc;

use fim_lexer::lexer::LexState;

use super::by_symbols::{BySymbols, Harmful};
use super::law::{Contexts, ContextsRead, HeldLaw, Law};
use super::symbol_law::SymbolLaw;
use crate::grammar::Language;

/// A language's law that reads symbols, in its state in front of all text.
#[derive(Debug)]
pub(crate) struct LawOfSymbols<Known> {
    first: Known,
    harmful: Arc<Harmful>,
}

impl<Known> LawOfSymbols<Known> {
    pub(crate) fn new(first: Known) -> Self {
        Self { first, harmful: Arc::default() }
    }
}

impl<Known: SymbolLaw> Law for LawOfSymbols<Known> {
    fn contexts(self: Arc<Self>) -> Box<dyn ContextsRead> {
        let first = BySymbols::new(self.first.clone(), Arc::clone(&self.harmful));
        Box::new(SymbolContexts { first, line: None, right: None })
    }
}

/// The parts of a document's contexts that were read already.
#[derive(Debug)]
struct SymbolContexts<Known: SymbolLaw> {
    first: BySymbols<Known>,
    /// The last left context up to its last line, with the states of the lexer and of the law there.
    line: Option<(Vec<u8>, LexState, BySymbols<Known>)>,
    right: Option<(Vec<u8>, Arc<Known::Right>)>,
}

impl<Known: SymbolLaw> ContextsRead for SymbolContexts<Known> {
    fn law_at(
        &mut self,
        language: &Language,
        contexts: &Contexts<'_>,
        _lexed: &LexState,
        _known: &[Vec<u8>],
    ) -> Box<dyn HeldLaw> {
        let text = [contexts.left, contexts.begun].concat();
        let line = self.line.take().filter(|(known, ..)| text.starts_with(known));
        let (known, mut lexed, mut held) =
            line.unwrap_or_else(|| (Vec::new(), language.lexer.start(), self.first.clone()));
        let line_start = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let line_start = line_start.max(known.len());
        // A violation in a context is its author's, so the law ignores it.
        let _ = held.read_bytes(&language.lexer, &mut lexed, &text[known.len()..line_start]);
        self.line = Some((text[..line_start].to_vec(), lexed.clone(), held.clone()));
        let _ = held.read_bytes(&language.lexer, &mut lexed, &text[line_start..]);
        if self.right.as_ref().is_none_or(|(known, _)| known != contexts.right) {
            let read = held.law.read_right(&language.lexer, contexts.right);
            self.right = Some((contexts.right.to_vec(), Arc::new(read)));
        }
        if let Some((_, right)) = &self.right {
            let is_between =
                held.is_symbol_read || language.lexer.scanner.kind(lexed.raw).is_clean();
            held.law.begin_hole(right, is_between);
        }
        held.n_read = 0;
        held.symbol_start = -(held.symbol.len() as i64);
        held.name_start = held.symbol_start;
        Box::new(held)
    }

    fn memory(&self) -> usize {
        let line = self.line.as_ref().map_or(0, |(text, ..)| text.len());
        line + self.right.as_ref().map_or(0, |(text, _)| text.len())
    }
}
