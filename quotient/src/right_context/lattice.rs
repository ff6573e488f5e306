//! A right context that may begin in f-strings, read in all ways at once.
//!
//! Outside f-strings, the text around a cut does not change how the text behind it reads. In them it
//! does, and the f-strings may have begun in the left context or in the hole. How many there are, one in
//! the other, and with which quotes, is unknown; but the text reads by the innermost frame alone
//! ([`SurroundingMode`]) until that ends. So instead of trying what may be around the cut, one case after the other,
//! pairs of a place and a mode are read, each once ([`nodes`]), and where a mode ends, reading goes on in
//! each of those that may be around it ([`behind`]). The text in front of such a place is parsed
//! backward once for all of them: its chart is the union of theirs ([`fronts`]).
//!
//! ```text
//! f'{f"{a|}"}'
//!         ^ a field ends: behind it is text in ', ", ''' or """, or a specification
//!          ^ an f-string in " ends: behind it is a field, a bracket in one, or code outside
//! ```
//!
//! A union promises no more than its parts: that brackets match and f-strings end as they began is the
//! rules' concern, which have a beginning and an end for each way to quote.
//!
//! In the paper: regular languages as input, section IV.A, for the strings with fields that a text may begin in.

mod fronts;
mod nodes;

use fim_lexer::frames::change_frames;
use fim_lexer::suffix::{Lexed, lex_symbol};

use self::fronts::Around;
pub(crate) use self::fronts::{Depths, Front};
use self::nodes::{Key, Nodes, behind_symbol};
use super::modes::{OpenFrames, SurroundingMode};
use crate::grammar::Tables;

/// The lattice of a text in f-strings, by distances from its end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lattice {
    nodes: Nodes,
    around: Around,
    /// The most frames that the text opens anywhere, one in the other.
    height: u32,
}

impl Lattice {
    /// Forgets the nodes and fronts farther from the end than `distance`.
    pub(crate) fn truncate(&mut self, distance: usize) {
        self.nodes.truncate(distance);
    }

    /// Bytes held, roughly.
    pub(crate) fn memory(&self) -> usize {
        self.nodes.memory()
    }

    /// The most frames that the text opens anywhere, one in the other.
    pub(crate) fn height(&self) -> usize {
        self.height as usize
    }
}

/// Where the f-strings around a place end, all of them: where the text goes on outside. `None` if it
/// cannot be read so far, also because too many brackets would be open.
pub(crate) fn outside(
    tables: &Tables<'_>,
    text: &[u8],
    at: usize,
    mode: SurroundingMode,
    frames: &[fim_lexer::frames::Frame],
) -> Option<usize> {
    let scanner = &tables.lexer.scanner;
    let mut frames = OpenFrames::from_slice(frames);
    let (mut at, mut raw) = (at, mode.clean);
    while frames.iter().any(|frame| !frame.is_bracket()) {
        match lex_symbol(tables.lexer, text, at, raw) {
            Lexed::End | Lexed::Dead => return None,
            Lexed::LineBreak { end } => {
                at = end;
                raw = scanner.start(frames.last().copied());
            }
            Lexed::Symbol { emission, end, restart, .. } => {
                at = end;
                let before = frames.last().copied();
                let change = scanner.emission(emission).change;
                if !change_frames(&mut frames, change) {
                    return None;
                }
                raw = behind_symbol(tables, change, before, &frames, restart);
            }
        }
    }
    Some(at)
}
