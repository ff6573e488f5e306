//! Mask tables as bytes, for a cache outside this crate.
//!
//! The form is words of 32 bits, little-endian: a header that names the contents (format, vocabulary, lexer) and a
//! checksum, then the trees. Bytes that are torn, of another version or of other contents are refused as a whole.

use fim_lexer::scanner::{EmissionId, RawState};

use super::byte_set::ByteSet;
use super::token_events::{Event, Space, SpaceIdx, Start};
use super::token_tree::{Group, GroupPart, Node, TokenSet, TokenTree};
use super::vocabulary::TokenId;
use crate::caches::{Fingerprint, Hasher};

/// A tree with the key that it is found by.
pub(crate) type KeyedTree = ((Start, ByteSet), TokenTree);

/// The number of the format, which counts up with every change of the form or of the meaning of trees.
const FORMAT: u32 = 0x4d53_0002;

const N_HEADER: usize = 13;

/// The bytes of trees that begin outside f-strings; others are left out.
pub(crate) fn to_bytes<'a>(
    name: (Fingerprint, Fingerprint),
    trees: impl Iterator<Item = (&'a (Start, ByteSet), &'a TokenTree)>,
) -> Vec<u8> {
    let mut words = vec![0; N_HEADER];
    for ((start, first_bytes), tree) in trees.filter(|((start, _), _)| start.frames.is_empty()) {
        words.extend([u32::from(start.raw.0), u32::from(start.is_line_start)]);
        words.extend(first_bytes.0.iter().flat_map(|&half| [half as u32, (half >> 32) as u32]));
        write_tree(tree, &mut words);
    }
    let header = header(name, &words[N_HEADER..]);
    words[..N_HEADER].copy_from_slice(&header);
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The trees in some bytes, if these are whole and have this name.
pub(crate) fn from_bytes(name: (Fingerprint, Fingerprint), bytes: &[u8]) -> Option<Vec<KeyedTree>> {
    let (words, rest) = (bytes.chunks_exact(4), bytes.chunks_exact(4).remainder());
    let words: Vec<u32> =
        words.map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
    let (found, trees) = words.split_at_checked(N_HEADER)?;
    if !rest.is_empty() || found != header(name, trees) {
        return None;
    }
    let mut words = WordReader { rest: trees };
    let mut trees = Vec::new();
    while !words.rest.is_empty() {
        let raw = RawState(words.next()? as u16);
        let is_line_start = words.next()? != 0;
        let mut halves = [0; 4];
        for half in &mut halves {
            *half = u64::from(words.next()?) | u64::from(words.next()?) << 32;
        }
        let start = Start { raw, frames: Default::default(), is_line_start };
        trees.push(((start, ByteSet(halves)), words.tree()?));
    }
    Some(trees)
}

fn header((vocabulary, lexer): (Fingerprint, Fingerprint), trees: &[u32]) -> [u32; N_HEADER] {
    let mut hasher = Hasher::new();
    for pair in trees.chunks(2) {
        hasher.write_number(
            u64::from(pair[0]) | pair.get(1).map_or(0, |&word| u64::from(word) << 32),
        );
    }
    hasher.write_number(trees.len() as u64);
    let mut header = [FORMAT; N_HEADER];
    for (index, Fingerprint(number)) in [vocabulary, lexer, hasher.finish()].into_iter().enumerate()
    {
        for part in 0..4 {
            header[1 + index * 4 + part] = (number >> (32 * part)) as u32;
        }
    }
    header
}

fn write_tree(tree: &TokenTree, words: &mut Vec<u32>) {
    let lengths = [
        tree.n_words,
        tree.nodes.len(),
        tree.groups.len(),
        tree.parts.len(),
        tree.spaces.len(),
        tree.ids.len(),
        tree.masks.len(),
    ];
    words.extend(lengths.map(|length| length as u32));
    for node in &tree.nodes {
        words.extend([event_word(node.event), node.end, node.groups_end]);
    }
    for group in &tree.groups {
        words.extend([u32::from(group.raw.0), group.parts_end]);
        words.extend(set_words(group.tokens));
    }
    for part in &tree.parts {
        words.push(u32::from(part.raw.0));
        words.extend(set_words(part.tokens));
    }
    for space in &tree.spaces {
        words.extend([u32::from(space.is_whole), space.text.len() as u32]);
        words.extend(space.text.iter().map(|&byte| u32::from(byte)));
    }
    words.extend(tree.ids.iter().map(|id| id.0));
    words.extend_from_slice(&tree.masks);
}

/// The kind of an event is its lowest three bits.
fn event_word(event: Option<Event>) -> u32 {
    match event {
        None => 0,
        Some(Event::Emit(EmissionId(id))) => u32::from(id) << 3 | 1,
        Some(Event::Break) => 2,
        Some(Event::Begin(SpaceIdx(space))) => space << 3 | 3,
        Some(Event::Join(SpaceIdx(space))) => space << 3 | 4,
        Some(Event::Choose(fork, branch)) => u32::from(branch) << 19 | u32::from(fork.0) << 3 | 5,
    }
}

fn set_words(tokens: TokenSet) -> [u32; 2] {
    match tokens {
        TokenSet::Ids(first, end) => [first, end],
        TokenSet::Mask(first) => [u32::MAX, first],
    }
}

struct WordReader<'a> {
    rest: &'a [u32],
}

impl<'a> WordReader<'a> {
    fn next(&mut self) -> Option<u32> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    fn take(&mut self, n_words: u32) -> Option<&'a [u32]> {
        let (taken, rest) = self.rest.split_at_checked(n_words as usize)?;
        self.rest = rest;
        Some(taken)
    }

    fn tree(&mut self) -> Option<TokenTree> {
        let &[n_words, nodes, groups, parts, spaces, ids, masks] = self.take(7)? else {
            return None;
        };
        let nodes = self.take(nodes.checked_mul(3)?)?.chunks_exact(3);
        let nodes = nodes
            .map(|node| Some(Node { event: event(node[0])?, end: node[1], groups_end: node[2] }));
        let nodes = nodes.collect::<Option<_>>()?;
        let groups = self.take(groups.checked_mul(4)?)?.chunks_exact(4).map(|group| Group {
            raw: RawState(group[0] as u16),
            tokens: set(group[2], group[3]),
            parts_end: group[1],
        });
        let parts = self
            .take(parts.checked_mul(3)?)?
            .chunks_exact(3)
            .map(|part| GroupPart { raw: RawState(part[0] as u16), tokens: set(part[1], part[2]) });
        Some(TokenTree {
            nodes,
            groups: groups.collect(),
            parts: parts.collect(),
            spaces: (0..spaces).map(|_| self.space()).collect::<Option<_>>()?,
            ids: self.take(ids)?.iter().map(|&id| TokenId(id)).collect(),
            masks: self.take(masks)?.to_vec(),
            n_words: n_words as usize,
        })
    }

    fn space(&mut self) -> Option<Space> {
        let (is_whole, length) = (self.next()? != 0, self.next()?);
        let text = self.take(length)?.iter().map(|&byte| byte as u8).collect();
        Some(Space { is_whole, text })
    }
}

fn event(word: u32) -> Option<Option<Event>> {
    let number = word >> 3;
    Some(match word & 7 {
        0 => None,
        1 => Some(Event::Emit(EmissionId(number as u16))),
        2 => Some(Event::Break),
        3 => Some(Event::Begin(SpaceIdx(number))),
        4 => Some(Event::Join(SpaceIdx(number))),
        5 => Some(Event::Choose(RawState(number as u16), (number >> 16) as u8)),
        _ => return None,
    })
}

fn set(first: u32, second: u32) -> TokenSet {
    if first == u32::MAX { TokenSet::Mask(second) } else { TokenSet::Ids(first, second) }
}
