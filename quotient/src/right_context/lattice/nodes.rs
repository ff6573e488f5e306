//! A text read from a place in a mode: the next symbol there, and where the mode is left.
//!
//! A mode's own text reads alike until it is left, whatever is around. So each pair of a place and a
//! mode is a [`Node`] that is read once: it leads to the node behind its symbol, or, where the symbol
//! opens something, to the node inside and from there to the one behind what closes it. CPython's limits on
//! what is open at once are not asked here, where it is unknown what is around: the user of a node knows it.

use std::hash::{Hash, Hasher};

use fim_lexer::TerminalId;
use fim_lexer::frames::{Frame, FrameChange, change_frames_at_any_depth};
use fim_lexer::scanner::{EmissionId, RawState};
use fim_lexer::suffix::{Lexed, lex_symbol};
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxHasher;

use super::fronts::Front;
use crate::grammar::Tables;
use crate::right_context::modes::{OpenFrames, canonical};

/// A place, by its distance from the end of the text, and the mode there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Key {
    pub(super) distance: u32,
    pub(super) frame: Frame,
    pub(super) clean: RawState,
}

/// The number of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct NodeIdx(u32);

impl NodeIdx {
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The step of the symbol at a node.
#[derive(Clone, Copy, Debug)]
enum Next {
    /// There is no symbol, so nothing follows.
    Dead,
    /// It leads on in its mode.
    Same(EmissionId, NodeIdx),
    /// It opens something, by the frame that it adds.
    Open(EmissionId, Frame, NodeIdx),
    /// It leaves the mode.
    Leave(Leaving),
}

/// Where a mode is left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaving {
    /// The node of the symbol that leaves it.
    pub(super) node: NodeIdx,
    pub(super) emission: EmissionId,
    /// The distance behind the symbol.
    pub(super) distance: u32,
    /// The innermost frame in front of it. A specification may have become one behind a field.
    pub(super) frame: Frame,
    /// How many frames are opened on the way there, at most.
    pub(super) height: u32,
}

/// A place in a mode, as far as it has been read.
#[derive(Clone, Debug)]
struct Node {
    key: Key,
    next: Option<Next>,
    /// Where the mode is left from here on; the inner `None`: the text cannot be read so far.
    leaving: Option<Option<Leaving>>,
    /// The chart in front, which needs the charts behind the mode.
    front: Option<Option<Front>>,
}

/// More frames than CPython keeps open are not looked into.
const MAX_HEIGHT: u32 = 1_000;

/// All that has been read. Nodes lead to each other by number: a text of 1,000 bytes may have 40,000 of them, and
/// to look each up where it is asked took most of the time.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes {
    nodes: Vec<Node>,
    index: HashTable<(Key, NodeIdx)>,
}

impl Nodes {
    /// The node of a key, which need not have been read.
    pub(super) fn number(&mut self, key: Key) -> NodeIdx {
        let fresh = NodeIdx(self.nodes.len() as u32);
        let is_same = |&(known, _): &(Key, NodeIdx)| known == key;
        match self.index.entry(hash(key), is_same, |&(key, _)| hash(key)) {
            Entry::Occupied(entry) => entry.get().1,
            Entry::Vacant(entry) => {
                entry.insert((key, fresh));
                self.nodes.push(Node { key, next: None, leaving: None, front: None });
                fresh
            }
        }
    }

    /// The node of a key that has one.
    pub(super) fn known_node(&self, key: Key) -> Option<NodeIdx> {
        self.index.find(hash(key), |&(known, _)| known == key).map(|&(_, node)| node)
    }

    /// How many nodes there are, a measure of work.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Bytes held, roughly.
    pub(super) fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.index.capacity() * (size_of::<(Key, NodeIdx)>() + 1)
    }

    /// Forgets the nodes farther from the end than `distance`. Kept nodes lead to nodes nearer to the end.
    pub(super) fn truncate(&mut self, distance: usize) {
        let is_kept = |node: &Node| node.key.distance as usize <= distance;
        let mut n_kept = 0;
        let number = |node: &Node| {
            let number = NodeIdx(n_kept);
            n_kept += u32::from(is_kept(node));
            number
        };
        let moved: Vec<NodeIdx> = self.nodes.iter().map(number).collect();
        self.nodes.retain(is_kept);
        for node in &mut self.nodes {
            if let Some(Next::Same(_, behind) | Next::Open(_, _, behind)) = &mut node.next {
                *behind = moved[behind.index()];
            }
        }
        self.index.retain(|(key, node)| {
            *node = moved[node.index()];
            key.distance as usize <= distance
        });
    }

    /// The front of a node, if it is known; the inner `None`: nothing can be in front.
    pub(super) fn front(&self, node: NodeIdx) -> Option<&Option<Front>> {
        self.nodes[node.index()].front.as_ref()
    }

    /// Remembers the front of a node.
    pub(super) fn set_front(&mut self, node: NodeIdx, front: Option<Front>) {
        self.nodes[node.index()].front = Some(front);
    }

    /// Where the mode of a node is left, if it is.
    pub(super) fn leaving(
        &mut self,
        tables: &Tables<'_>,
        text: &[u8],
        node: NodeIdx,
    ) -> Option<Leaving> {
        let mut todo = vec![node];
        while let Some(&node) = todo.last() {
            match self.find_leaving(tables, text, node) {
                Ok(found) => {
                    self.nodes[node.index()].leaving = Some(found);
                    todo.pop();
                }
                Err(first) => todo.push(first),
            }
        }
        self.nodes[node.index()].leaving.flatten()
    }

    /// Where the mode of a node is left, or the node of which that must be known first.
    fn find_leaving(
        &mut self,
        tables: &Tables<'_>,
        text: &[u8],
        node: NodeIdx,
    ) -> Result<Option<Leaving>, NodeIdx> {
        if let Some(known) = self.nodes[node.index()].leaving {
            return Ok(known);
        }
        match self.next(tables, text, node) {
            Next::Dead => Ok(None),
            Next::Leave(leaving) => Ok(Some(leaving)),
            Next::Same(emission, behind) => self.onward(tables, text, emission, behind),
            Next::Open(emission, opened, inside) => {
                let around = self.nodes[node.index()].key.frame;
                match self.closing(tables, text, around, emission, opened, inside)? {
                    None => Ok(None),
                    Some((closed, behind)) => {
                        let found = self.onward(tables, text, closed.emission, behind)?;
                        Ok(found.map(|leaving| Leaving {
                            height: leaving.height.max(closed.height),
                            ..leaving
                        }))
                    }
                }
            }
        }
    }

    /// Where the mode of `behind` is left, if it may follow this symbol.
    fn onward(
        &mut self,
        tables: &Tables<'_>,
        text: &[u8],
        emission: EmissionId,
        behind: NodeIdx,
    ) -> Result<Option<Leaving>, NodeIdx> {
        if !self.may_follow(tables, text, emission, behind) {
            return Ok(None);
        }
        self.nodes[behind.index()].leaving.ok_or(behind)
    }

    /// Whether the symbol at a node may stand behind this one.
    fn may_follow(
        &mut self,
        tables: &Tables<'_>,
        text: &[u8],
        emission: EmissionId,
        behind: NodeIdx,
    ) -> bool {
        let scanner = &tables.lexer.scanner;
        let second = match self.next(tables, text, behind) {
            Next::Dead => return false,
            Next::Same(second, _) | Next::Open(second, ..) => second,
            Next::Leave(leaving) => leaving.emission,
        };
        let last = scanner.emission(emission).symbols.last().copied();
        let first = scanner.emission(second).symbols.first().copied();
        let [Some(last), Some(first)]: [Option<TerminalId>; 2] = [last, first] else { return true };
        tables.rules.may_follow(last, first)
    }

    /// How what a symbol opened in the frame `around` is closed, and the node behind that.
    fn closing(
        &mut self,
        tables: &Tables<'_>,
        text: &[u8],
        around: Frame,
        opening: EmissionId,
        opened: Frame,
        inside: NodeIdx,
    ) -> Result<Option<(Leaving, NodeIdx)>, NodeIdx> {
        let scanner = &tables.lexer.scanner;
        let mut frames = OpenFrames::from_slice(&[around, opened]);
        let (mut inside, mut emission, mut height) = (inside, opening, 0);
        loop {
            let found = self.onward(tables, text, emission, inside)?;
            let Some(leaving) = found else { return Ok(None) };
            height = leaving.height.max(height);
            let before = frames.last().copied();
            let change = scanner.emission(leaving.emission).change;
            // A specification behind a field is no other place than one in front of it, to what opened it.
            if !change_frames_at_any_depth(&mut frames, change) || height + 1 > MAX_HEIGHT {
                return Ok(None);
            }
            let after = frames.last().copied().expect("the mode's own frame is never closed here");
            let clean = scanner.behind(change, before, Some(after));
            let behind =
                Key { distance: leaving.distance, frame: canonical(tables.lexer, after), clean };
            let behind = self.number(behind);
            if frames.len() == 1 {
                return Ok(Some((Leaving { height: height + 1, ..leaving }, behind)));
            }
            (inside, emission) = (behind, leaving.emission);
        }
    }

    /// The symbols from a node to the next one in the same mode, and that one; or the symbol that leaves it.
    pub(super) fn step(
        &mut self,
        tables: &Tables<'_>,
        text: &[u8],
        node: NodeIdx,
        symbols: &mut Vec<EmissionId>,
    ) -> Result<NodeIdx, Leaving> {
        match self.next(tables, text, node) {
            Next::Same(emission, behind) => {
                symbols.push(emission);
                Ok(behind)
            }
            Next::Leave(leaving) => Err(leaving),
            Next::Dead => unreachable!("only nodes from which the mode is left are walked"),
            Next::Open(emission, opened, inside) => {
                symbols.push(emission);
                let mut frames =
                    OpenFrames::from_slice(&[self.nodes[node.index()].key.frame, opened]);
                let inside = self.nodes[inside.index()].key;
                let mut at = text.len() - inside.distance as usize;
                let mut raw = inside.clean;
                let scanner = &tables.lexer.scanner;
                while frames.len() > 1 {
                    match lex_symbol(tables.lexer, text, at, raw) {
                        Lexed::LineBreak { end } => {
                            at = end;
                            raw = scanner.start(frames.last().copied());
                        }
                        Lexed::Symbol { emission, end, restart, .. } => {
                            symbols.push(emission);
                            at = end;
                            let before = frames.last().copied();
                            let change = scanner.emission(emission).change;
                            let is_closed = change_frames_at_any_depth(&mut frames, change);
                            debug_assert!(is_closed, "what is left has been read before");
                            raw = behind_symbol(tables, change, before, &frames, restart);
                        }
                        Lexed::End | Lexed::Dead => unreachable!("it has been read before"),
                    }
                }
                let frame = frames.last().copied().expect("the mode's own frame");
                let distance = (text.len() - at) as u32;
                Ok(self.number(Key { distance, frame: canonical(tables.lexer, frame), clean: raw }))
            }
        }
    }

    /// The step of the symbol at a node.
    fn next(&mut self, tables: &Tables<'_>, text: &[u8], node: NodeIdx) -> Next {
        let Node { key, next, .. } = self.nodes[node.index()];
        if let Some(known) = next {
            return known;
        }
        let scanner = &tables.lexer.scanner;
        let mut at = text.len() - key.distance as usize;
        let mut raw = key.clean;
        let found = loop {
            match lex_symbol(tables.lexer, text, at, raw) {
                Lexed::End | Lexed::Dead => break Next::Dead,
                Lexed::LineBreak { end } => {
                    at = end;
                    raw = scanner.start(Some(key.frame));
                }
                Lexed::Symbol { emission, end, restart, .. } => {
                    break self.act(tables, node, emission, (text.len() - end) as u32, restart);
                }
            }
        };
        self.nodes[node.index()].next = Some(found);
        found
    }

    fn act(
        &mut self,
        tables: &Tables<'_>,
        node: NodeIdx,
        emission: EmissionId,
        distance: u32,
        restart: RawState,
    ) -> Next {
        let key = self.nodes[node.index()].key;
        let scanner = &tables.lexer.scanner;
        let change = scanner.emission(emission).change;
        let mut frames = OpenFrames::from_slice(&[key.frame]);
        if !change_frames_at_any_depth(&mut frames, change) {
            return Next::Dead;
        }
        let after = frames.last().copied();
        let clean = behind_symbol(tables, change, Some(key.frame), &frames, restart);
        match (frames.len(), after) {
            (1, Some(after)) if after == key.frame => {
                Next::Same(emission, self.number(Key { distance, frame: after, clean }))
            }
            (2, Some(opened)) => {
                let inside = Key { distance, frame: canonical(tables.lexer, opened), clean };
                Next::Open(emission, opened, self.number(inside))
            }
            _ => Next::Leave(Leaving { node, emission, distance, frame: key.frame, height: 0 }),
        }
    }
}

/// A hash by which the modes of one place lie near each other: they are asked for together.
fn hash(key: Key) -> u64 {
    const NEAR: u64 = 0x7f;
    let (mut place, mut mode) = (FxHasher::default(), FxHasher::default());
    place.write_u32(key.distance);
    (key.frame, key.clean).hash(&mut mode);
    let (place, mode) = (place.finish(), mode.finish());
    // A table finds its buckets by the lowest bits, and tells what is in them apart by the highest seven.
    ((place & !NEAR) | (mode & NEAR)) ^ ((mode >> 7) << 57)
}

/// Where reading goes on behind a symbol.
pub(super) fn behind_symbol(
    tables: &Tables<'_>,
    change: FrameChange,
    before: Option<Frame>,
    frames: &[Frame],
    restart: RawState,
) -> RawState {
    match change {
        FrameChange::Keep => restart,
        _ => tables.lexer.scanner.behind(change, before, frames.last().copied()),
    }
}
