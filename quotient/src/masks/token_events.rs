//! Events: the effects of tokens on a lexer in a given state, as far as the state alone decides them.
//!
//! This is GreatGramma's token spanner (Park et al., *Flexible and Efficient Grammar-Constrained Decoding*: realizable
//! terminal sequences), with Python's layout: a token finishes some symbols, ends lines and begins lines, and leaves
//! the lexer in some raw state. These [`Event`]s do not depend on the parser, nor on columns, open
//! suites and brackets, so they are found once for each raw state and vocabulary. Tokens with the
//! same events and the same raw state at their end behave alike everywhere: a mask asks once for
//! all of them.
//!
//! ```text
//! token "):\n        x" behind a name, so in the state "in a NAME":
//! NAME finished, `)` finished, `:` finished, line break, line begins 8 columns on; in a NAME
//! ```
//!
//! Sequences of events form a tree, in which a mask visits the nodes that the parser allows.

mod ways;

use std::ops::Range;

use fim_lexer::frames::{Frame, FrameChange, change_frames};
use fim_lexer::names::NamePrefix;
use fim_lexer::scanner::{Emission, EmissionId, RawState, Scanner, StateKind};
use fim_lexer::{Column, JoinedIndentation, TerminalId};
use rustc_hash::FxHashMap;

use super::byte_set::ByteSet;
use super::staying::Staying;
use super::token_tree::{TokenTree, TreeBuilder};
use super::vocabulary::Vocabulary;
use crate::grammar::{Language, Rules};
use crate::right_context::OpenFrames;

/// An effect of a token that concerns the parser, columns or brackets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Event {
    /// A symbol ends.
    Emit(EmissionId),
    /// A line ends, unless brackets are open.
    Break,
    /// A symbol begins behind this white space, which matters where a line begins.
    Begin(SpaceIdx),
    /// A backslash follows this white space, which matters where a line begins.
    Join(SpaceIdx),
    /// The parser takes the branch of this number, at this fork and at others where it has the same choice.
    Choose(RawState, u8),
}

/// The index of some white space in a [`TokenTree`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct SpaceIdx(pub(crate) u32);

/// White space at the beginning of a line.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Space {
    /// Whether the line began in the token; else the white space in front of the token counts, too.
    pub(crate) is_whole: bool,
    /// The white space in the token.
    pub(crate) text: Vec<u8>,
}

impl Space {
    /// The column behind the white space, where `column` is the one in front of the token.
    pub(crate) fn behind(&self, column: Column) -> Column {
        let first = if self.is_whole { Column::ZERO } else { column };
        self.text.iter().fold(first, |column, &byte| column.after(byte))
    }
}

/// The lexer's state in which the reading of tokens starts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Start {
    /// The raw state.
    pub(crate) raw: RawState,
    /// The frames from the outermost f-string on. Outside f-strings, brackets do not change how texts read.
    pub(crate) frames: OpenFrames,
    /// Whether the line has no symbol yet.
    pub(crate) is_line_start: bool,
}

/// The events of all tokens with certain first bytes.
pub(crate) fn token_tree(
    language: &Language,
    vocabulary: &Vocabulary,
    start: &Start,
    first_bytes: ByteSet,
) -> TokenTree {
    let lexer = &language.lexer;
    let mut reader = TokenReader {
        scanner: &lexer.scanner,
        rules: &language.rules,
        n_terminals: lexer.description.n_terminals(),
        has_lines: lexer.layout().is_some(),
        joining: lexer.description.dialect.joined_indentation,
        empty_name: lexer.empty_name(),
        tree: TreeBuilder::default(),
        frames: vec![start.frames.clone()],
        spaces: vec![
            Space { is_whole: false, text: Vec::new() },
            Space { is_whole: true, text: Vec::new() },
        ],
        longer_spaces: FxHashMap::default(),
        frames_after: FxHashMap::default(),
        alike: FxHashMap::default(),
        others: Vec::new(),
        staying: Staying::default(),
    };
    let first = Cursor {
        raw: start.raw,
        node: 0,
        frames: 0,
        space: SpaceIdx(0),
        is_line_start: start.is_line_start,
        name: None,
        last: None,
        other: None,
    };
    for byte in (0..=255).filter(|&byte| first_bytes.contains(byte)) {
        reader.read_entries(vocabulary, first, vocabulary.entries(byte));
    }
    reader.tree.finish(language, reader.spaces, vocabulary.n_tokens())
}

/// The lexer's state behind the bytes of a token that were read.
#[derive(Clone, Copy)]
struct Cursor {
    raw: RawState,
    /// The node of the events so far.
    node: u32,
    /// The index of the frames, as far as these are known.
    frames: u32,
    /// The white space behind which no symbol has begun yet.
    space: SpaceIdx,
    /// Whether the line may have no symbol yet.
    is_line_start: bool,
    /// The part of a character's name that was read.
    name: Option<NamePrefix>,
    /// The last symbol that the token has finished, if any.
    last: Option<TerminalId>,
    /// The next of the other cursors, where a token reads in several ways: an index into [`TokenReader::others`].
    other: Option<u32>,
}

struct TokenReader<'a> {
    scanner: &'a Scanner,
    rules: &'a Rules,
    n_terminals: usize,
    has_lines: bool,
    joining: JoinedIndentation,
    empty_name: NamePrefix,
    tree: TreeBuilder,
    frames: Vec<OpenFrames>,
    spaces: Vec<Space>,
    longer_spaces: FxHashMap<(SpaceIdx, u8), SpaceIdx>,
    frames_after: FxHashMap<(u32, EmissionId), Option<u32>>,
    /// For each fork the first one where the parser has the same choice.
    alike: FxHashMap<RawState, RawState>,
    /// The other cursors of those that have some.
    others: Vec<Cursor>,
    /// The bytes that leave the lexer as it is.
    staying: Staying,
}

/// The empty white space of a line that began in the token.
const FRESH_LINE: SpaceIdx = SpaceIdx(1);

impl TokenReader<'_> {
    /// Reads neighbouring entries; a common beginning is read once. Most tokens are letters in the middle of a name,
    /// a string or a comment, which change nothing: those are not read at all.
    fn read_entries(&mut self, vocabulary: &Vocabulary, first: Cursor, entries: Range<usize>) {
        let mut behind = vec![first];
        let mut next = entries.start;
        while next < entries.end {
            let entry = next;
            next += 1;
            let n_shared = if entry == entries.start { 0 } else { vocabulary.n_shared(entry) };
            if n_shared >= behind.len() {
                continue;
            }
            behind.truncate(n_shared + 1);
            let token = vocabulary.entry(entry);
            let branch = vocabulary.branch(entry);
            let mut cursor = Some(behind[n_shared]);
            for (index, &byte) in token.iter().enumerate().skip(n_shared) {
                cursor = cursor.and_then(|cursor| self.after(cursor, byte));
                let Some(cursor) = cursor else {
                    if index == n_shared {
                        next = branch.end as usize;
                    }
                    break;
                };
                // If the token has others behind it, they have no more than its first byte in common.
                let is_branch = index == n_shared && (branch.is_text || branch.rest.is_ascii());
                let is_alone = branch.end as usize == next;
                if (is_branch || is_alone && std::str::from_utf8(&token[index + 1..]).is_ok())
                    && branch.rest.is_subset(self.staying(cursor))
                {
                    next = branch.end as usize;
                    break;
                }
                behind.push(cursor);
            }
            while let Some(Cursor { node, raw, other, .. }) = cursor {
                self.tree.add_tokens(node, raw, vocabulary.ids(entry..next));
                cursor = other.map(|other| self.others[other as usize]);
            }
        }
    }

    /// The bytes that leave the cursor as it is; those beyond ASCII, if whole characters do.
    #[inline]
    fn staying(&mut self, cursor: Cursor) -> ByteSet {
        if cursor.other.is_some() || cursor.name.is_some() {
            return ByteSet::default();
        }
        self.staying.bytes(self.scanner, cursor.raw)
    }

    /// The cursor behind one more byte: [`Lexer::read`](fim_lexer::Lexer::read), with events instead of effects.
    #[inline]
    fn after_one(&mut self, cursor: Cursor, byte: u8) -> Option<Cursor> {
        let mut cursor = cursor;
        let scanner = self.scanner;
        let mut raw = scanner.next(cursor.raw, byte);
        let mut is_begin = scanner.kind(cursor.raw).is_clean();
        if raw == RawState::DEAD {
            self.finish_symbol(&mut cursor)?;
            raw = scanner.next(cursor.raw, byte);
            is_begin = true;
        }
        cursor.raw = raw;
        let kind = scanner.kind(raw);
        if cursor.name.is_some() || kind == StateKind::CharacterName {
            return self.after_in_name(cursor, kind, byte);
        }
        match kind {
            StateKind::Dead => return None,
            StateKind::Fork => return self.branch_cursor(cursor, raw),
            StateKind::Symbol if is_begin && cursor.is_line_start => {
                cursor.node = self.tree.child(cursor.node, Event::Begin(cursor.space));
                cursor.is_line_start = false;
            }
            StateKind::LineFeed | StateKind::CarriageReturn => self.end_line(&mut cursor),
            StateKind::Clean if cursor.is_line_start => {
                cursor.space = self.longer_space(cursor.space, byte);
            }
            StateKind::Backslash if cursor.is_line_start => self.join_lines(&mut cursor),
            _ => {}
        }
        Some(cursor)
    }

    fn join_lines(&mut self, cursor: &mut Cursor) {
        cursor.node = self.tree.child(cursor.node, Event::Join(cursor.space));
        cursor.space = SpaceIdx(0);
        cursor.is_line_start = self.joining != JoinedIndentation::BeginsLine;
    }

    fn after_in_name(&self, cursor: Cursor, kind: StateKind, byte: u8) -> Option<Cursor> {
        let name = match cursor.name {
            None => Some(self.empty_name),
            Some(name) if kind == StateKind::CharacterName => Some(name.after(byte)?),
            Some(name) => {
                if cursor.raw == RawState::DEAD || !name.is_complete() {
                    return None;
                }
                None
            }
        };
        Some(Cursor { name, ..cursor })
    }

    fn finish_symbol(&mut self, cursor: &mut Cursor) -> Option<()> {
        let id = self.scanner.ended_emission(cursor.raw)?;
        let emission = self.scanner.emission(id);
        if emission.symbols.iter().any(|terminal| terminal.index() >= self.n_terminals) {
            return None;
        }
        if !self.may_follow(cursor.last, id) {
            return None;
        }
        cursor.last = emission.symbols.last().copied().or(cursor.last);
        if !is_silent(emission) {
            cursor.node = self.tree.child(cursor.node, Event::Emit(id));
        }
        if emission.change == FrameChange::Keep {
            cursor.raw = self.scanner.restart(cursor.raw);
            return Some(());
        }
        let before = self.frames[cursor.frames as usize].last().copied();
        cursor.frames = self.frames_behind(cursor.frames, id)?;
        let after = self.frames[cursor.frames as usize].last().copied();
        cursor.raw = self.scanner.behind(emission.change, before, after);
        Some(())
    }

    /// Whether the emission may stand behind the last symbol in any text. Where the parser takes part, a token is
    /// read in all ways at once, and each byte may fork again: `-----` had 2^5 ways, of which few occur in texts.
    fn may_follow(&self, last: Option<TerminalId>, id: EmissionId) -> bool {
        last.is_none_or(|last| self.rules.may_be_emitted_behind(last, id))
    }

    fn frames_behind(&mut self, frames: u32, id: EmissionId) -> Option<u32> {
        if let Some(&known) = self.frames_after.get(&(frames, id)) {
            return known;
        }
        let change = self.scanner.emission(id).change;
        let after = known_frames_after(&self.frames[frames as usize], change).map(|after| {
            let index = self.frames.iter().position(|known| *known == after);
            index.unwrap_or_else(|| {
                self.frames.push(after);
                self.frames.len() - 1
            }) as u32
        });
        self.frames_after.insert((frames, id), after);
        after
    }

    /// Ends a line. Inside brackets a line break means nothing. Outside, a second one ends a blank line.
    fn end_line(&mut self, cursor: &mut Cursor) {
        if !self.frames[cursor.frames as usize].is_empty() || !self.has_lines {
            return;
        }
        if !cursor.is_line_start {
            cursor.node = self.tree.child(cursor.node, Event::Break);
            cursor.is_line_start = true;
        }
        cursor.space = FRESH_LINE;
    }

    fn longer_space(&mut self, space: SpaceIdx, byte: u8) -> SpaceIdx {
        let spaces = &mut self.spaces;
        *self.longer_spaces.entry((space, byte)).or_insert_with(|| {
            let mut longer = spaces[space.0 as usize].clone();
            longer.text.push(byte);
            spaces.push(longer);
            SpaceIdx(spaces.len() as u32 - 1)
        })
    }
}

/// Whether a symbol means nothing to parser and brackets: a comment, white space.
pub(crate) fn is_silent(emission: &Emission) -> bool {
    emission.symbols.is_empty() && emission.change == FrameChange::Keep
}

/// The known frames behind a symbol. There may be unknown brackets around them.
pub(crate) fn known_frames_after(frames: &[Frame], change: FrameChange) -> Option<OpenFrames> {
    let mut after = OpenFrames::from_slice(frames);
    if frames.is_empty() && matches!(change, FrameChange::Close(_)) {
        return Some(after);
    }
    change_frames(&mut after, change).then_some(after)
}
