//! The nesting depth of a right context: whether CPython allows the open suites and brackets of both sides.
//!
//! The open suites and brackets of the left are known when a hole is asked. Those that the right context opens on top
//! of them are found once for each root, and where a root leaves open which f-strings end, for each place where one
//! may.

use std::sync::Arc;

use fim_lexer::lexer::LexState;
use rustc_hash::FxHashMap;

use super::{Root, RootIdx};
use crate::grammar::Tables;
use crate::right_context::{Depth, Depths, OpenFrames, outside};

/// The number of brackets and f-strings, one in the other, that CPython allows whatever their kinds are.
const MANY_FRAMES: usize = 140;

/// The depths to which suites and f-strings nest in a right context.
#[derive(Clone, Debug, Default)]
pub(super) struct NestingBehind {
    /// For each root the depth of the suites behind it.
    of_roots: Vec<Depths>,
    /// For each place where f-strings may end, the depth of the suites behind it, where a root leaves that open.
    of_places: FxHashMap<usize, Option<Arc<Depth>>>,
    /// The greatest number of brackets and f-strings, one in the other, that the text opens anywhere in f-strings.
    pub(super) height: usize,
}

impl NestingBehind {
    /// Adds the depths of the next root.
    pub(super) fn add(&mut self, depths: Depths) {
        self.of_roots.push(depths);
    }

    /// Whether the depths behind the places where f-strings may end are needed.
    pub(super) fn is_open(&self) -> bool {
        self.of_roots.contains(&Depths::Several)
    }

    pub(super) fn know_places(&mut self, of_places: FxHashMap<usize, Option<Arc<Depth>>>) {
        self.of_places = of_places;
    }

    /// Whether CPython allows all suites and brackets that are open if `text` goes on behind this root: those around
    /// it, and those that it opens.
    pub(super) fn fits(
        &self,
        tables: &Tables<'_>,
        text: &[u8],
        (index, root): (RootIdx, Root),
        lexed: &LexState,
        frames: &OpenFrames,
    ) -> bool {
        let depths = &self.of_roots[usize::from(index.0)];
        let Root { entrance, mode, .. } = root;
        let is_shallow = frames.len() + self.height <= MANY_FRAMES;
        let depth = match depths {
            Depths::One(depth) if mode.frame.is_none() || is_shallow => depth,
            _ => match outside(tables, text, entrance.at(), mode, frames) {
                None => return false,
                Some(at) => match depths {
                    Depths::One(depth) => depth,
                    Depths::Several => match self.of_places.get(&at) {
                        None => return false,
                        Some(depth) => depth,
                    },
                },
            },
        };
        depth.as_ref().is_none_or(|depth| depth.fits(&lexed.indents))
    }
}
