//! How deep a right context nests: whether CPython keeps as many suites and brackets open as a hole has on both sides.
//!
//! What is open on the left is known when a hole is asked. What the right context brings on top of that is found once, for each
//! root, and where a root leaves open which f-strings end, for each place where one may.

use std::sync::Arc;

use fim_lexer::lexer::LexState;
use rustc_hash::FxHashMap;

use super::{Root, RootIdx};
use crate::grammar::Tables;
use crate::right_context::{Depth, Depths, OpenFrames, outside};

/// This many brackets and f-strings, one in the other, CPython allows of any kind.
const MANY_FRAMES: usize = 140;

/// How deep the suites and the f-strings of a right context nest.
#[derive(Clone, Debug, Default)]
pub(super) struct NestingBehind {
    /// For each root, how deep the suites nest behind it.
    of_roots: Vec<Depths>,
    /// The same for the places where f-strings may end, where a root leaves that open.
    of_places: FxHashMap<usize, Option<Arc<Depth>>>,
    /// The most brackets and f-strings that the text opens anywhere in f-strings, one in the other.
    pub(super) height: usize,
}

impl NestingBehind {
    /// Adds the next root's.
    pub(super) fn add(&mut self, depths: Depths) {
        self.of_roots.push(depths);
    }

    /// Whether it must be known of the places where f-strings may end.
    pub(super) fn is_open(&self) -> bool {
        self.of_roots.contains(&Depths::Several)
    }

    pub(super) fn know_places(&mut self, of_places: FxHashMap<usize, Option<Arc<Depth>>>) {
        self.of_places = of_places;
    }

    /// Whether CPython keeps as many suites and brackets open as there are if `text` goes on behind this root: those
    /// around it, on top of those that it brings.
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
