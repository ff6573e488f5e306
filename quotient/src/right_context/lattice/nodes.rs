//! A text read from a place in a mode: the next symbol there, and where the mode is left.
//!
//! Whatever is around the mode, its own text reads alike until it is left. So each pair of a place and a
//! mode is a [`Node`] that is read once: it leads to the node behind its symbol, or, where the symbol
//! opens something, to the node inside and from there to the one behind what closes it. CPython's limits on
//! what is open at once are not asked here, where nobody knows what is around: who uses a node knows it.

use fim_lexer::TerminalId;
use fim_lexer::fstring::{Frame, FrameChange, change_frames_at_any_depth};
use fim_lexer::scanner::{EmissionId, RawState};
use fim_lexer::suffix::{Lexed, lex_symbol};
use rustc_hash::FxHashMap;

use super::fronts::Front;
use crate::grammar::Tables;
use crate::right_context::modes::{Frames, canonical};

/// A place, by its distance from the end of the text, and the mode there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Key {
    pub(super) distance: u32,
    pub(super) frame: Frame,
    pub(super) clean: RawState,
}

/// What the symbol at a node does.
#[derive(Clone, Copy, Debug)]
enum Next {
    /// It is none.
    Dead,
    /// It leads on in the same mode.
    Same(EmissionId, Key),
    /// It opens something, by the frame that it adds.
    Open(EmissionId, Frame, Key),
    /// It leaves the mode.
    Leave(Leaving),
}

/// Where a mode is left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaving {
    pub(super) emission: EmissionId,
    /// The distance behind the symbol.
    pub(super) distance: u32,
    /// The innermost frame in front of it. A specification may have become one behind a field.
    pub(super) frame: Frame,
    /// How many frames are opened on the way there, at most.
    pub(super) height: u32,
}

/// What is known of a place in a mode.
#[derive(Clone, Debug)]
pub(super) struct Node {
    next: Next,
    /// Where the mode is left from here on; the inner `None`: the text cannot be read so far.
    leaving: Option<Option<Leaving>>,
    /// The chart in front, which needs what is behind the mode.
    pub(super) front: Option<Option<Front>>,
}

/// More frames than CPython keeps open are not looked into.
const MAX_HEIGHT: u32 = 1_000;

/// All that has been read.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes {
    pub(super) known: FxHashMap<Key, Node>,
}

impl Nodes {
    fn node(&mut self, tables: &Tables<'_>, text: &[u8], key: Key) -> &mut Node {
        self.known.entry(key).or_insert_with(|| Node {
            next: next(tables, text, key),
            leaving: None,
            front: None,
        })
    }

    /// Bytes held, roughly.
    pub(super) fn memory(&self) -> usize {
        self.known.capacity() * (size_of::<Key>() + size_of::<Node>() + 1)
    }

    /// Remembers what is in front of a node that has been read.
    pub(super) fn set_front(&mut self, key: Key, front: Option<Front>) {
        if let Some(node) = self.known.get_mut(&key) {
            node.front = Some(front);
        }
    }

    /// Where the mode of a node is left, if it is.
    pub(super) fn leaving(
        &mut self,
        tables: &Tables<'_>,
        text: &[u8],
        key: Key,
    ) -> Option<Leaving> {
        let mut todo = vec![key];
        while let Some(&key) = todo.last() {
            match self.find_leaving(tables, text, key) {
                Ok(found) => {
                    self.node(tables, text, key).leaving = Some(found);
                    todo.pop();
                }
                Err(first) => todo.push(first),
            }
        }
        self.known[&key].leaving.flatten()
    }

    /// Where the mode of a node is left, or the node of which that must be known first.
    fn find_leaving(
        &mut self,
        tables: &Tables<'_>,
        text: &[u8],
        key: Key,
    ) -> Result<Option<Leaving>, Key> {
        let node = self.node(tables, text, key);
        if let Some(known) = node.leaving {
            return Ok(known);
        }
        match node.next {
            Next::Dead => Ok(None),
            Next::Leave(leaving) => Ok(Some(leaving)),
            Next::Same(emission, behind) => self.onward(tables, text, emission, behind),
            Next::Open(emission, opened, inside) => {
                match self.closing(tables, text, key, emission, opened, inside)? {
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
        behind: Key,
    ) -> Result<Option<Leaving>, Key> {
        if !self.may_follow(tables, text, emission, behind) {
            return Ok(None);
        }
        self.known[&behind].leaving.ok_or(behind)
    }

    /// Whether the symbol at a node may stand behind this one.
    fn may_follow(
        &mut self,
        tables: &Tables<'_>,
        text: &[u8],
        emission: EmissionId,
        behind: Key,
    ) -> bool {
        let scanner = &tables.lexer.scanner;
        let second = match self.node(tables, text, behind).next {
            Next::Dead => return false,
            Next::Same(second, _) | Next::Open(second, ..) => second,
            Next::Leave(leaving) => leaving.emission,
        };
        let last = scanner.emission(emission).symbols.last().copied();
        let first = scanner.emission(second).symbols.first().copied();
        let [Some(last), Some(first)]: [Option<TerminalId>; 2] = [last, first] else { return true };
        tables.rules.may_follow(last, first)
    }

    /// How what a symbol opened is closed, and the node behind that.
    fn closing(
        &mut self,
        tables: &Tables<'_>,
        text: &[u8],
        key: Key,
        opening: EmissionId,
        opened: Frame,
        inside: Key,
    ) -> Result<Option<(Leaving, Key)>, Key> {
        let scanner = &tables.lexer.scanner;
        let mut frames = Frames::from_slice(&[key.frame, opened]);
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
            let behind = Key { distance: leaving.distance, frame: canonical(after), clean };
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
        key: Key,
        symbols: &mut Vec<EmissionId>,
    ) -> Result<Key, Leaving> {
        match self.known[&key].next {
            Next::Same(emission, behind) => {
                symbols.push(emission);
                Ok(behind)
            }
            Next::Leave(leaving) => Err(leaving),
            Next::Dead => unreachable!("only nodes from which the mode is left are walked"),
            Next::Open(emission, opened, inside) => {
                symbols.push(emission);
                let mut frames = Frames::from_slice(&[key.frame, opened]);
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
                Ok(Key { distance: (text.len() - at) as u32, frame: canonical(frame), clean: raw })
            }
        }
    }
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

/// What the symbol at a node does.
fn next(tables: &Tables<'_>, text: &[u8], key: Key) -> Next {
    let scanner = &tables.lexer.scanner;
    let mut at = text.len() - key.distance as usize;
    let mut raw = key.clean;
    loop {
        match lex_symbol(tables.lexer, text, at, raw) {
            Lexed::End | Lexed::Dead => return Next::Dead,
            Lexed::LineBreak { end } => {
                at = end;
                raw = scanner.start(Some(key.frame));
            }
            Lexed::Symbol { emission, end, restart, .. } => {
                return act(tables, key, emission, (text.len() - end) as u32, restart);
            }
        }
    }
}

fn act(
    tables: &Tables<'_>,
    key: Key,
    emission: EmissionId,
    distance: u32,
    restart: RawState,
) -> Next {
    let scanner = &tables.lexer.scanner;
    let change = scanner.emission(emission).change;
    let mut frames = Frames::from_slice(&[key.frame]);
    if !change_frames_at_any_depth(&mut frames, change) {
        return Next::Dead;
    }
    let after = frames.last().copied();
    let clean = behind_symbol(tables, change, Some(key.frame), &frames, restart);
    match (frames.len(), after) {
        (1, Some(after)) if after == key.frame => {
            Next::Same(emission, Key { distance, frame: after, clean })
        }
        (2, Some(opened)) => {
            Next::Open(emission, opened, Key { distance, frame: canonical(opened), clean })
        }
        _ => Next::Leave(Leaving { emission, distance, frame: key.frame, height: 0 }),
    }
}
