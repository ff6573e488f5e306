//! The tokens of a language model, as bytes, in an order in which common beginnings are shared.
//!
//! Tokens are sorted by their bytes, so that those with a common beginning stand together: of each token, only the
//! bytes that differ from the token before have to be read. That is a walk over the prefix tree of the vocabulary
//! without the tree.

use std::sync::{Arc, Mutex, OnceLock};

use rustc_hash::FxHashMap;

use super::byte_set::ByteSet;
use super::mask_tables::{MaskTables, TablesOf};
use super::words::Words;
use crate::caches::{Fingerprint, Hasher};
use crate::grammar::Language;

/// The number by which a model knows a token.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TokenId(pub u32);

impl TokenId {
    /// The id as a number into tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The content of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Token<'a> {
    /// Text.
    Text(&'a [u8]),
    /// The end of a sequence, which may stand where the text may end.
    End,
    /// No text, which may stand nowhere. Tokens without a byte, which would bring nothing on, count as such.
    Special,
}

/// The tokens of a model.
#[derive(Debug)]
pub struct Vocabulary {
    bytes: Vec<u8>,
    /// The offset of each entry in `bytes`; entries are sorted by their bytes.
    begins: Vec<u32>,
    ids: Vec<TokenId>,
    /// The number of bytes that each entry has in common with the one before.
    shared: Vec<u16>,
    /// The branch of each entry: from it on, those that share its first byte that the entry before does not have.
    branches: Vec<VocabularyBranch>,
    /// The first entry with each first byte; one more at the end.
    by_first_byte: Vec<u32>,
    /// For each token its entry, or one of the marks below.
    entry_of: Vec<u32>,
    ends: Vec<TokenId>,
    /// The bytes that occur in tokens.
    written: ByteSet,
    fingerprint: Fingerprint,
    tables: Mutex<FxHashMap<Fingerprint, Arc<MaskTables>>>,
    /// The tokens by words, sorted when names are first asked for.
    words: OnceLock<Words>,
}

/// Neighbouring entries with a common beginning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VocabularyBranch {
    /// The index of the first entry behind them.
    pub(crate) end: u32,
    /// The bytes of these entries behind the common beginning.
    pub(crate) rest: ByteSet,
    /// Whether these bytes surely are whole characters.
    pub(crate) is_text: bool,
}

const END: u32 = u32::MAX;
const SPECIAL: u32 = u32::MAX - 1;

/// The length of the longest token: longer ones count as special, as no text of a program needs them.
const MAX_LENGTH: usize = u16::MAX as usize;

impl Vocabulary {
    /// The vocabulary of `tokens`, by their ids. Those in `ends` end a sequence; those in
    /// `special` are no text. Ids out of range are ignored.
    pub fn new(tokens: &[impl AsRef<[u8]>], ends: &[TokenId], special: &[TokenId]) -> Self {
        let mut entry_of = vec![0; tokens.len()];
        for (mark, marked) in [(SPECIAL, special), (END, ends)] {
            for id in marked.iter().filter(|id| id.index() < tokens.len()) {
                entry_of[id.index()] = mark;
            }
        }
        for (entry, token) in entry_of.iter_mut().zip(tokens) {
            if *entry == 0 && !(1..=MAX_LENGTH).contains(&token.as_ref().len()) {
                *entry = SPECIAL;
            }
        }
        let mut ids: Vec<TokenId> =
            (0..tokens.len() as u32).map(TokenId).filter(|id| entry_of[id.index()] == 0).collect();
        ids.sort_by_key(|id| tokens[id.index()].as_ref());
        let mut vocabulary = Self {
            bytes: Vec::with_capacity(ids.iter().map(|id| tokens[id.index()].as_ref().len()).sum()),
            begins: Vec::with_capacity(ids.len() + 1),
            shared: Vec::with_capacity(ids.len()),
            branches: Vec::new(),
            by_first_byte: Vec::with_capacity(257),
            ends: (0..tokens.len() as u32)
                .map(TokenId)
                .filter(|id| entry_of[id.index()] == END)
                .collect(),
            written: ByteSet::default(),
            fingerprint: fingerprint(tokens, &entry_of),
            tables: Mutex::default(),
            words: OnceLock::new(),
            ids: Vec::new(),
            entry_of,
        };
        let mut before: &[u8] = &[];
        for (entry, id) in ids.iter().enumerate() {
            let token = tokens[id.index()].as_ref();
            vocabulary.entry_of[id.index()] = entry as u32;
            vocabulary.begins.push(vocabulary.bytes.len() as u32);
            vocabulary.bytes.extend_from_slice(token);
            vocabulary.shared.push(n_shared(before, token) as u16);
            while vocabulary.by_first_byte.len() <= usize::from(token[0]) {
                vocabulary.by_first_byte.push(entry as u32);
            }
            before = token;
        }
        vocabulary.begins.push(vocabulary.bytes.len() as u32);
        vocabulary.by_first_byte.resize(257, ids.len() as u32);
        vocabulary.ids = ids;
        vocabulary.branches = vocabulary.new_branches();
        let mut is_written = [false; 256];
        vocabulary.bytes.iter().for_each(|&byte| is_written[usize::from(byte)] = true);
        vocabulary.written = ByteSet::of(|byte| is_written[usize::from(byte)]);
        vocabulary
    }

    fn new_branches(&self) -> Vec<VocabularyBranch> {
        let n_entries = self.ids.len();
        let mut branches: Vec<VocabularyBranch> = Vec::with_capacity(n_entries);
        for entry in 0..n_entries {
            // A token that occurs twice has no byte of its own the second time.
            let rest = self.entry(entry).get(self.n_shared(entry) + 1..).unwrap_or_default();
            let is_text = std::str::from_utf8(rest).is_ok();
            branches.push(VocabularyBranch { end: n_entries as u32, rest: rest.into(), is_text });
        }
        // From the last entry on, the entries behind one are joined to it while they share its first own byte, and
        // bring those that they have joined themselves.
        for entry in (0..n_entries).rev() {
            let own = self.n_shared(entry);
            let mut branch = branches[entry];
            let mut next = entry + 1;
            while next < n_entries && self.n_shared(next) > own {
                let joined = branches[next];
                let text = self.entry(next);
                let between = &text[own + 1..text.len().min(self.n_shared(next) + 1)];
                branch.rest = branch.rest | joined.rest | between.into();
                branch.is_text &= joined.is_text && std::str::from_utf8(between).is_ok();
                next = joined.end as usize;
            }
            branch.end = next as u32;
            branches[entry] = branch;
        }
        branches
    }

    /// The number of tokens, special ones included.
    pub fn n_tokens(&self) -> usize {
        self.entry_of.len()
    }

    /// The number of 32-bit words of a mask.
    pub fn n_words(&self) -> usize {
        self.n_tokens().div_ceil(32)
    }

    /// The content of a token; `None` if there is none of this id.
    pub fn token(&self, id: TokenId) -> Option<Token<'_>> {
        Some(match *self.entry_of.get(id.index())? {
            END => Token::End,
            SPECIAL => Token::Special,
            entry => Token::Text(self.entry(entry as usize)),
        })
    }

    /// The tokens that end a sequence.
    pub fn ends(&self) -> &[TokenId] {
        &self.ends
    }

    /// A number that tells vocabularies of different content apart.
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// The bytes of a token, by its index in the order.
    #[inline]
    pub(crate) fn entry(&self, entry: usize) -> &[u8] {
        &self.bytes[self.begins[entry] as usize..self.begins[entry + 1] as usize]
    }

    /// The number of bytes that an entry has in common with the one before.
    #[inline]
    pub(crate) fn n_shared(&self, entry: usize) -> usize {
        usize::from(self.shared[entry])
    }

    /// The entries from this one on that share its first byte that the entry before does not have.
    #[inline]
    pub(crate) fn branch(&self, entry: usize) -> VocabularyBranch {
        self.branches[entry]
    }

    /// The id of an entry.
    #[inline]
    pub(crate) fn id(&self, entry: usize) -> TokenId {
        self.ids[entry]
    }

    /// The entry of a token that is text.
    pub(crate) fn entry_of(&self, id: TokenId) -> u32 {
        self.entry_of[id.index()]
    }

    /// The ids of neighbouring entries.
    #[inline]
    pub(crate) fn ids(&self, entries: std::ops::Range<usize>) -> &[TokenId] {
        &self.ids[entries]
    }

    /// The entries that begin with a byte.
    pub(crate) fn entries(&self, first_byte: u8) -> std::ops::Range<usize> {
        let first = usize::from(first_byte);
        self.by_first_byte[first] as usize..self.by_first_byte[first + 1] as usize
    }

    /// Whether this byte occurs in any token.
    pub(crate) fn can_write(&self, byte: u8) -> bool {
        self.written.contains(byte)
    }

    /// The mask tables for a language.
    pub(crate) fn tables<'a>(&'a self, language: &'a Language) -> TablesOf<'a> {
        let mut known = crate::caches::lock(&self.tables);
        let known = Arc::clone(known.entry(language.fingerprint()).or_default());
        TablesOf { vocabulary: self, language, known }
    }

    /// The tokens by the word that they end with.
    pub(crate) fn words(&self) -> &Words {
        self.words.get_or_init(|| Words::new(self))
    }

    /// Makes the mask tables for a language, for all states but unusual ones. Otherwise they are made on demand.
    pub fn prepare(&self, language: &Language) {
        self.tables(language).prepare();
        // Without this the first mask with names would sort the tokens: 20 ms of 150,000.
        self.words();
    }

    /// The mask tables made so far for a language, as bytes.
    pub fn prepared_tables(&self, language: &Language) -> Vec<u8> {
        self.tables(language).bytes()
    }

    /// Adds the tables of [`Self::prepared_tables`]; false if they are not whole, or of another vocabulary or
    /// language.
    pub fn add_prepared(&self, language: &Language, bytes: &[u8]) -> bool {
        let is_added = self.tables(language).add(bytes);
        if is_added {
            self.words();
        }
        is_added
    }

    /// Bytes held, those of tables for languages included, roughly.
    pub fn memory(&self) -> usize {
        let tables = crate::caches::lock(&self.tables);
        let own = self.bytes.capacity()
            + (self.begins.capacity() + self.ids.capacity() + self.entry_of.capacity()) * 4
            + self.shared.capacity() * 2
            + self.branches.capacity() * size_of::<VocabularyBranch>();
        let words = self.words.get().map_or(0, Words::memory);
        own + words + tables.values().map(|tables| tables.memory()).sum::<usize>()
    }
}

fn n_shared(left: &[u8], right: &[u8]) -> usize {
    left.iter().zip(right).take_while(|(left, right)| left == right).count()
}

fn fingerprint(tokens: &[impl AsRef<[u8]>], entry_of: &[u32]) -> Fingerprint {
    let mut hasher = Hasher::new();
    for (token, &entry) in tokens.iter().zip(entry_of) {
        hasher.write_number(u64::from(entry));
        // A token that is no text has no bytes that count.
        let text = if entry == 0 { token.as_ref() } else { &[] };
        hasher.write_number(text.len() as u64);
        hasher.write(text);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_sorted_and_found_by_their_first_byte() {
        let tokens = ["b", "ab", "", "a", "<end>", "ab"];
        let vocabulary = Vocabulary::new(&tokens, &[TokenId(4)], &[]);
        let of_a: Vec<_> = vocabulary.entries(b'a').map(|entry| vocabulary.id(entry).0).collect();
        assert_eq!(of_a, [3, 1, 5]);
        assert_eq!(vocabulary.entries(b'c').len(), 0);
        assert_eq!((vocabulary.n_shared(1), vocabulary.n_shared(2)), (1, 2));
        assert_eq!(vocabulary.token(TokenId(2)), Some(Token::Special));
        assert_eq!(vocabulary.token(TokenId(4)), Some(Token::End));
        assert_eq!(vocabulary.token(TokenId(6)), None);
    }
    #[test]
    fn a_branch_reaches_as_far_as_a_first_byte_is_shared() {
        let tokens: [&[u8]; 6] = [b"a", b"ab", b"ab", b"abc\xc3", b"ad", b"b"];
        let vocabulary = Vocabulary::new(&tokens, &[], &[]);
        let branch = |entry| {
            let VocabularyBranch { end, rest, is_text } = vocabulary.branch(entry);
            let bytes = (0..=255).filter(|&byte| rest.contains(byte)).collect::<Vec<u8>>();
            (end, bytes, is_text)
        };
        assert_eq!(branch(0), (5, b"bcd\xc3".to_vec(), false));
        assert_eq!(branch(1), (4, b"c\xc3".to_vec(), false));
        assert_eq!(branch(2), (3, vec![], true));
        assert_eq!(branch(4), (5, vec![], true));
    }
}
