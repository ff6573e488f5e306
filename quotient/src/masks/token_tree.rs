//! The tree of event sequences of a vocabulary, laid out for one pass.
//!
//! Nodes stand in preorder, each with the end of its subtree, so that a mask is a loop over an array that jumps over
//! subtrees which the parser does not allow. A node has the tokens that end there, in [`Group`]s by the symbols that
//! the one in progress can still become, since these decide about the tokens.

use fim_lexer::scanner::{RawState, StateKind};
use rustc_hash::FxHashMap;

use super::token_events::{Event, Space};
use super::vocabulary::TokenId;
use crate::grammar::Language;

/// The tree of the tokens' events.
#[derive(Debug)]
pub(crate) struct TokenTree {
    pub(crate) nodes: Vec<Node>,
    pub(crate) groups: Vec<Group>,
    pub(crate) parts: Vec<GroupPart>,
    pub(crate) spaces: Vec<Space>,
    /// The tokens of small sets, side by side.
    pub(crate) ids: Vec<TokenId>,
    /// Large sets, as masks of `n_words` words.
    pub(crate) masks: Vec<u32>,
    pub(crate) n_words: usize,
}

/// A node: an event behind those of the nodes around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// The event; `None` for the root.
    pub(crate) event: Option<Event>,
    /// The index of the node behind this one's subtree.
    pub(crate) end: u32,
    /// The end of this node's groups, which begin where those of the node before end.
    pub(crate) groups_end: u32,
}

/// Tokens that end at a node in raw states that can become the same symbols.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    /// One of the raw states.
    pub(crate) raw: RawState,
    pub(crate) tokens: TokenSet,
    /// The end of this group's parts, which begin where those of the group before end.
    pub(crate) parts_end: u32,
}

/// Those tokens of a group that end in one raw state. A group with one raw state has no parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroupPart {
    pub(crate) raw: RawState,
    pub(crate) tokens: TokenSet,
}

/// A set of tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TokenSet {
    /// A range of ids.
    Ids(u32, u32),
    /// A mask, by the index of its first word.
    Mask(u32),
}

impl TokenTree {
    /// Adds a set of tokens to a mask.
    #[inline]
    pub(crate) fn add_to(&self, mask: &mut [u32], tokens: TokenSet) {
        match tokens {
            TokenSet::Ids(first, end) => {
                for id in &self.ids[first as usize..end as usize] {
                    mask[id.index() / 32] |= 1 << (id.0 % 32);
                }
            }
            TokenSet::Mask(first) => {
                let found = &self.masks[first as usize..first as usize + self.n_words];
                for (word, &found) in mask.iter_mut().zip(found) {
                    *word |= found;
                }
            }
        }
    }

    /// Bytes held.
    pub(crate) fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.groups.capacity() * size_of::<Group>()
            + self.parts.capacity() * size_of::<GroupPart>()
            + (self.ids.capacity() + self.masks.capacity()) * 4
            + self.spaces.iter().map(|space| space.text.capacity() + 32).sum::<usize>()
    }
}

/// A tree in the making.
pub(crate) struct TreeBuilder {
    children: FxHashMap<(u32, Event), u32>,
    events: Vec<(u32, Option<Event>)>,
    tokens: FxHashMap<(u32, RawState), u32>,
    sets: Vec<(u32, RawState, Vec<TokenId>)>,
    last: Option<(u32, RawState, u32)>,
}

impl Default for TreeBuilder {
    fn default() -> Self {
        Self {
            children: FxHashMap::default(),
            events: vec![(0, None)],
            tokens: FxHashMap::default(),
            sets: Vec::new(),
            last: None,
        }
    }
}

impl TreeBuilder {
    /// The node behind one more event.
    pub(crate) fn child(&mut self, node: u32, event: Event) -> u32 {
        let events = &mut self.events;
        *self.children.entry((node, event)).or_insert_with(|| {
            events.push((node, Some(event)));
            events.len() as u32 - 1
        })
    }

    /// Adds tokens that end at a node.
    pub(crate) fn add_tokens(&mut self, node: u32, raw: RawState, ids: &[TokenId]) {
        let set = match self.last {
            Some((last_node, last_raw, set)) if (last_node, last_raw) == (node, raw) => set,
            _ => {
                let sets = &mut self.sets;
                *self.tokens.entry((node, raw)).or_insert_with(|| {
                    sets.push((node, raw, Vec::new()));
                    sets.len() as u32 - 1
                })
            }
        };
        self.last = Some((node, raw, set));
        self.sets[set as usize].2.extend_from_slice(ids);
    }

    /// Lays the tree out. Raw states that can become the same symbols share a group.
    pub(crate) fn finish(
        self,
        language: &Language,
        spaces: Vec<Space>,
        n_tokens: usize,
    ) -> TokenTree {
        let mut children: Vec<Vec<u32>> = vec![Vec::new(); self.events.len()];
        for (node, &(parent, _)) in self.events.iter().enumerate().skip(1) {
            children[parent as usize].push(node as u32);
        }
        let mut sets_at: Vec<Vec<(RawState, Vec<TokenId>)>> = vec![Vec::new(); self.events.len()];
        for (node, raw, ids) in self.sets {
            sets_at[node as usize].push((raw, ids));
        }
        let mut tree = TokenTree {
            nodes: Vec::with_capacity(self.events.len()),
            groups: Vec::new(),
            parts: Vec::new(),
            spaces,
            ids: Vec::new(),
            masks: Vec::new(),
            n_words: n_tokens.div_ceil(32),
        };
        let mut todo = vec![(0, false)];
        let mut places = vec![0; self.events.len()];
        while let Some((node, is_done)) = todo.pop() {
            if is_done {
                tree.nodes[places[node as usize]].end = tree.nodes.len() as u32;
                continue;
            }
            places[node as usize] = tree.nodes.len();
            tree.add_groups(std::mem::take(&mut sets_at[node as usize]), language, n_tokens);
            let event = self.events[node as usize].1;
            let groups_end = tree.groups.len() as u32;
            tree.nodes.push(Node { event, end: 0, groups_end });
            todo.push((node, true));
            todo.extend(children[node as usize].iter().rev().map(|&child| (child, false)));
        }
        tree
    }
}

impl TokenTree {
    fn add_groups(
        &mut self,
        sets: Vec<(RawState, Vec<TokenId>)>,
        language: &Language,
        n_tokens: usize,
    ) {
        let mut sets = sets;
        // The key that decides about a raw state: the chart alone decides unless a symbol is in progress.
        let key = |raw: RawState| match language.lexer.scanner.kind(raw) {
            StateKind::Symbol | StateKind::CharacterName => (2, language.reach.words(raw)),
            StateKind::Comment => (1, &[][..]),
            _ => (0, &[][..]),
        };
        sets.sort_unstable_by(|(left, _), (right, _)| {
            key(*left).cmp(&key(*right)).then(left.cmp(right))
        });
        for same in sets.chunk_by(|(left, _), (right, _)| key(*left) == key(*right)) {
            let n_same: usize = same.iter().map(|(_, ids)| ids.len()).sum();
            let is_mask = n_same > n_tokens / IDS_PER_MASK;
            let all = self.ids.len() as u32;
            let mut parts = Vec::new();
            for (raw, ids) in same {
                let first = self.ids.len() as u32;
                let tokens = if ids.len() > n_tokens / IDS_PER_MASK {
                    self.add_mask(ids.iter().copied())
                } else {
                    self.ids.extend_from_slice(ids);
                    TokenSet::Ids(first, self.ids.len() as u32)
                };
                parts.push(GroupPart { raw: *raw, tokens });
            }
            let tokens = match parts[..] {
                [GroupPart { tokens, .. }] => tokens,
                _ if is_mask => self.add_mask(same.iter().flat_map(|(_, ids)| ids.iter().copied())),
                _ => TokenSet::Ids(all, self.ids.len() as u32),
            };
            if parts.len() > 1 {
                self.parts.extend(parts);
            }
            let parts_end = self.parts.len() as u32;
            self.groups.push(Group { raw: same[0].0, tokens, parts_end });
        }
    }

    fn add_mask(&mut self, ids: impl Iterator<Item = TokenId>) -> TokenSet {
        let first = self.masks.len();
        self.masks.resize(first + self.n_words, 0);
        for id in ids {
            self.masks[first + id.index() / 32] |= 1 << (id.0 % 32);
        }
        TokenSet::Mask(first as u32)
    }

    /// The groups of a node.
    #[inline]
    pub(crate) fn groups(&self, node: usize) -> std::ops::Range<usize> {
        let first = if node == 0 { 0 } else { self.nodes[node - 1].groups_end };
        first as usize..self.nodes[node].groups_end as usize
    }

    /// The parts of a group.
    #[inline]
    pub(crate) fn parts(&self, group: usize) -> &[GroupPart] {
        let first = if group == 0 { 0 } else { self.groups[group - 1].parts_end };
        &self.parts[first as usize..self.groups[group].parts_end as usize]
    }
}

/// The size of the sets that are kept as masks: more than one token in this many. Adding a mask, 64 tokens at a time,
/// is then faster than adding the tokens.
const IDS_PER_MASK: usize = 64;
