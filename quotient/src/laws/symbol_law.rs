//! The interface of a law that reads the lexer's symbols one after the other, in languages without forks.

use std::fmt::Debug;
use std::sync::Arc;

use fim_lexer::{Lexer, TerminalId};

use super::law::Reason;

/// A symbol's violation of a law: its name and the reason.
#[derive(Debug)]
pub(crate) struct SymbolFault {
    pub(crate) name: Vec<u8>,
    pub(crate) reason: Reason,
}

/// The state of a law behind some symbols. Copies are cheap.
pub(crate) trait SymbolLaw: Clone + Debug + Send + Sync + 'static {
    /// The facts about a right context that hold whatever stands in front of it.
    type Right: Debug + Send + Sync;

    /// Whether the text of a symbol that begins here matters.
    fn wants_text(&self) -> bool;

    /// Reads a symbol; `text` is empty if it was not wanted. In contexts all symbols are allowed.
    fn symbol(&mut self, terminal: TerminalId, text: &[u8]) -> Result<(), SymbolFault>;

    /// Checks the text of a symbol in progress.
    fn check_begun(&self, _begun: &[u8]) -> Result<(), SymbolFault> {
        Ok(())
    }

    /// The class of harm of a symbol in progress, by its text: it decides which tokens are harmless behind it.
    fn harm(&self, begun: &[u8]) -> u8;

    /// Whether a token is harmless in a class of harm, and need not be read.
    fn is_harmless(harm: u8, token: &[u8]) -> bool;

    /// Reads a right context alone.
    fn read_right(&self, lexer: &Lexer, right: &[u8]) -> Self::Right;

    /// Begins the hole, since the left context ends here: between two symbols, or within one.
    fn begin_hole(&mut self, right: &Arc<Self::Right>, is_between: bool);

    /// Ends the hole: the next symbol begins in the right context.
    fn end_hole(&mut self);

    /// The verdict on the right context from a byte on at which no symbol is in progress, if it is known here.
    fn rest(&mut self, offset: usize) -> Option<Result<(), SymbolFault>>;

    /// Texts to try in front of a witness, which may keep the rest from being refused.
    fn ways_on(&self) -> Vec<Vec<u8>>;
}
