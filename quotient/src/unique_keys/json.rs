//! The reader of JSON: which keys the open objects have.

use std::sync::Arc;

use fim_lexer::{Lexer, TerminalId};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::key_text::keys;
use super::{Key, twice, twice_behind};
use crate::laws::{SymbolFault, SymbolLaw, read_alone};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum JsonKind {
    Text,
    Colon,
    Comma,
    OpenBrace,
    OpenSquare,
    Close,
    Other,
}

impl JsonKind {
    fn of(terminal: &str) -> Self {
        match terminal {
            "STRING" => Self::Text,
            ":" => Self::Colon,
            "," => Self::Comma,
            "{" => Self::OpenBrace,
            "[" => Self::OpenSquare,
            "}" | "]" => Self::Close,
            _ => Self::Other,
        }
    }
}

/// A frame that is open.
#[derive(Clone, Debug)]
enum JsonFrame {
    Array,
    Object(Object),
}

/// The keys that an object has from its left context, and from the hole's text.
#[derive(Clone, Default, Debug)]
struct Object {
    old: Arc<FxHashSet<Key>>,
    new: Arc<FxHashSet<Key>>,
    /// Whether the right context has opened it: then it is its author's.
    is_of_right: bool,
}

/// A right context from a byte on: the keys of the objects that are open in front of it, the innermost first.
#[derive(Debug)]
struct Levels {
    from: usize,
    keys: Vec<FxHashSet<Key>>,
}

/// The readings of a right context: from where a text, a word or nothing ends in it.
#[derive(Debug, Default)]
pub(super) struct Right {
    readings: Vec<Levels>,
    /// The keys of the outermost object, however it is read.
    outermost: FxHashSet<Key>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum JsonPart {
    Left,
    Hole,
    Right,
    /// A right context that is read alone.
    Alone,
}

/// The state of the law behind a text.
#[derive(Clone, Debug)]
pub(super) struct Json {
    kinds: Arc<[JsonKind]>,
    frames: SmallVec<[JsonFrame; 4]>,
    expects_key: bool,
    part: JsonPart,
    right: Arc<Right>,
    /// In a right context that is read alone: the last text, which `:` makes a key, and the keys by level.
    last: Option<Key>,
    levels: Vec<FxHashSet<Key>>,
}

impl Json {
    pub(super) fn new(lexer: &Lexer) -> Self {
        Self {
            kinds: lexer.description.names().map(JsonKind::of).collect(),
            frames: SmallVec::new(),
            expects_key: false,
            part: JsonPart::Left,
            right: Arc::default(),
            last: None,
            levels: Vec::new(),
        }
    }

    /// Whether a key may come into the innermost object, from where it does.
    fn add(&mut self, key: Key) -> Result<(), SymbolFault> {
        let is_outermost = self.frames.len() == 1;
        let Some(JsonFrame::Object(object)) = self.frames.last_mut() else { return Ok(()) };
        let is_there = match self.part {
            JsonPart::Left | JsonPart::Alone => {
                Arc::make_mut(&mut object.old).insert(Key::clone(&key));
                false
            }
            JsonPart::Hole => {
                let is_known = object.old.contains(&key)
                    || is_outermost && self.right.outermost.contains(&key);
                !Arc::make_mut(&mut object.new).insert(Key::clone(&key)) || is_known
            }
            JsonPart::Right => !object.is_of_right && object.new.contains(&key),
        };
        if is_there { Err(twice(&[key])) } else { Ok(()) }
    }

    /// Notes a symbol of a right context that is read alone.
    fn list(&mut self, kind: JsonKind, text: &[u8]) {
        match kind {
            JsonKind::Text => self.last = keys(text).pop(),
            JsonKind::Colon if self.frames.is_empty() => {
                let (last, level) = (self.last.take(), self.levels.last_mut());
                if let (Some(key), Some(level)) = (last, level) {
                    level.insert(key);
                }
            }
            JsonKind::OpenBrace | JsonKind::OpenSquare => self.frames.push(JsonFrame::Array),
            JsonKind::Close if self.frames.pop().is_none() => {
                self.levels.push(FxHashSet::default())
            }
            _ => {}
        }
    }
}

impl SymbolLaw for Json {
    type Right = Right;

    fn wants_text(&self) -> bool {
        self.expects_key || self.part == JsonPart::Alone
    }

    fn symbol(&mut self, terminal: TerminalId, text: &[u8]) -> Result<(), SymbolFault> {
        let kind = self.kinds.get(terminal.index()).copied().unwrap_or(JsonKind::Other);
        if self.part == JsonPart::Alone {
            self.list(kind, text);
            return Ok(());
        }
        match kind {
            JsonKind::Text if self.expects_key => {
                self.expects_key = false;
                return keys(text).pop().map_or(Ok(()), |key| self.add(key));
            }
            JsonKind::OpenBrace => {
                let is_of_right = self.part == JsonPart::Right;
                self.frames.push(JsonFrame::Object(Object { is_of_right, ..Object::default() }));
                self.expects_key = true;
            }
            JsonKind::OpenSquare => self.frames.push(JsonFrame::Array),
            JsonKind::Close => {
                self.frames.pop();
                self.expects_key = false;
            }
            JsonKind::Comma => {
                self.expects_key = matches!(self.frames.last(), Some(JsonFrame::Object(_)))
            }
            _ => {}
        }
        Ok(())
    }

    fn harm(&self, _begun: &[u8]) -> u8 {
        b'"'
    }

    fn is_harmless(_harm: u8, token: &[u8]) -> bool {
        !token.contains(&b'"')
    }

    fn read_right(&self, lexer: &Lexer, right: &[u8]) -> Right {
        let quote = text_end(right);
        let is_of_word = |byte: &u8| byte.is_ascii_alphanumeric() || b".+-".contains(byte);
        let word = right.iter().position(|byte| !is_of_word(byte)).unwrap_or(right.len());
        let mut starts = vec![0, word];
        starts.extend(quote);
        // The hole's text may end behind a `\\` of a text.
        starts.extend(right.get(1..).and_then(text_end).map(|at| at + 1));
        starts.sort_unstable();
        starts.dedup();
        let read = |from: usize| {
            let mut alone = Self::new(lexer);
            alone.part = JsonPart::Alone;
            alone.levels.push(FxHashSet::default());
            let is_read = read_alone(&mut alone, lexer, right, from, |_, _| {});
            is_read.then_some(Levels { from, keys: alone.levels })
        };
        let readings: Vec<Levels> = starts.into_iter().filter_map(read).collect();
        let outermost = |levels: &Levels| {
            let index = levels.keys.len().checked_sub(2);
            index.map(|index| levels.keys[index].clone()).unwrap_or_default()
        };
        let mut all = readings.iter().map(outermost);
        let first = all.next().unwrap_or_default();
        let outermost = all.fold(first, |known, one| known.intersection(&one).cloned().collect());
        Right { readings, outermost }
    }

    fn begin_hole(&mut self, right: &Arc<Right>, _is_between: bool) {
        self.part = JsonPart::Hole;
        self.right = Arc::clone(right);
    }

    fn end_hole(&mut self) {
        self.part = JsonPart::Right;
    }

    fn rest(&mut self, offset: usize) -> Option<Result<(), SymbolFault>> {
        let reading = self.right.readings.iter().find(|reading| reading.from == offset)?;
        let is_there = |(frame, level): (&JsonFrame, &FxHashSet<Key>)| match frame {
            JsonFrame::Array => false,
            JsonFrame::Object(object) => {
                !object.is_of_right && object.new.iter().any(|key| level.contains(key))
            }
        };
        let mut pairs = self.frames.iter().rev().zip(&reading.keys);
        Some(if pairs.any(is_there) { Err(twice_behind()) } else { Ok(()) })
    }

    fn ways_on(&self) -> Vec<Vec<u8>> {
        [&b"b"[..], b"key-of-its-own"].map(<[u8]>::to_vec).into()
    }
}

/// Behind the quote that ends a text which has begun in front.
fn text_end(right: &[u8]) -> Option<usize> {
    let mut is_escaped = false;
    let is_quote = |byte: &u8| {
        let is_plain = !std::mem::take(&mut is_escaped);
        is_escaped = is_plain && *byte == b'\\';
        is_plain && *byte == b'"'
    };
    right.iter().position(is_quote).map(|at| at + 1)
}
