//! What a law is that is told the lexer's symbols one after the other, in languages without forks.

use std::fmt::Debug;
use std::sync::Arc;

use fim_lexer::{Lexer, TerminalId};

use super::law::Reason;

/// What is wrong, and what it is called.
#[derive(Debug)]
pub(crate) struct SymbolFault {
    pub(crate) name: Vec<u8>,
    pub(crate) reason: Reason,
}

/// What a law knows behind some symbols. Copies are cheap.
pub(crate) trait SymbolLaw: Clone + Debug + Send + Sync + 'static {
    /// What is known of a right context whatever stands in front of it.
    type Right: Debug + Send + Sync;

    /// Whether the text of a symbol that begins here matters.
    fn wants_text(&self) -> bool;

    /// Reads a symbol; `text` is empty where none was wanted. In contexts nothing is wrong.
    fn symbol(&mut self, terminal: TerminalId, text: &[u8]) -> Result<(), SymbolFault>;

    /// Checks the text of a symbol in progress.
    fn check_begun(&self, _begun: &[u8]) -> Result<(), SymbolFault> {
        Ok(())
    }

    /// The class of a symbol in progress, by its text: which tokens are harmless behind it.
    fn harm(&self, begun: &[u8]) -> u8;

    /// Whether a token is harmless in that class, and need not be read.
    fn is_harmless(harm: u8, token: &[u8]) -> bool;

    /// Reads a right context alone.
    fn read_right(&self, lexer: &Lexer, right: &[u8]) -> Self::Right;

    /// The left context ends here, and the hole begins: between two symbols, or within one.
    fn begin_hole(&mut self, right: &Arc<Self::Right>, is_between: bool);

    /// The right context begins with the next symbol.
    fn end_hole(&mut self);

    /// What the right context says from a byte on at which no symbol is in progress, if that is known here.
    fn rest(&mut self, offset: usize) -> Option<Result<(), SymbolFault>>;

    /// Texts that may keep what follows from being wrong.
    fn ways_on(&self) -> Vec<Vec<u8>>;
}
