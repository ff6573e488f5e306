//! The tokens of a vocabulary by the word that they end with, so that a law of names judges many at once.
//!
//! Most tokens are a word behind nothing or a space. Such a token may come if a word may stand there, which all of
//! them have in common, and if a visible name begins like the word. So the visible names are looked up among the
//! tokens, and not the tokens among the names.

use std::sync::{Arc, Mutex};

use rustc_hash::FxHashMap;

use super::non_names::NonNameWords;
use super::vocabulary::{TokenId, Vocabulary};
use crate::caches::{Fingerprint, lock};

/// The tokens of a vocabulary that are text, each in one of these lists.
#[derive(Debug)]
pub(crate) struct Words {
    /// Groups of tokens that are a word behind signs, one for each sequence of signs.
    pub(crate) groups: Vec<WordGroup>,
    /// Tokens of digits, which go on with a word as others do.
    pub(crate) digits: WordGroup,
    /// The entries of tokens without any letter or star that do not begin with a digit.
    pub(crate) signs: Entries,
    /// All other entries without names, in two lists: those that may end a string or a comment, or begin a field in
    /// it, and those that cannot.
    pub(crate) endings: Entries,
    pub(crate) others: Entries,
    /// The other entries that use names, and of which `tails` do not tell enough.
    pub(crate) named: Entries,
    /// The lengths of words in `signs`, `endings` and `others` that are underscores.
    pub(crate) tails: Vec<usize>,
}

/// A set of entries, by their bits in a mask.
#[derive(Debug)]
pub(crate) struct Entries(Bits);

/// Tokens that begin with the same signs and go on with a word, to their end.
#[derive(Debug)]
pub(crate) struct WordGroup {
    pub(crate) lead: Box<[u8]>,
    /// The entries, in the order of their bytes.
    pub(crate) entries: Vec<u32>,
    /// The bits of all entries, and of those whose words are not ASCII.
    bits: Entries,
    foreign: Bits,
    /// For each name the tokens that are beginnings of it.
    beginnings: Mutex<Beginnings>,
    /// For each language the entries that may become a keyword or a string's prefix.
    non_names: Mutex<Vec<(Fingerprint, Arc<[u32]>)>>,
}

/// The words of a mask that are not zero, with their indices.
type Bits = Vec<(u32, u32)>;

/// For each name the tokens that are beginnings of it.
type Beginnings = FxHashMap<Box<[u8]>, Arc<[TokenId]>>;

/// The most names whose beginnings are remembered; then all are forgotten.
const MAX_NAMES: usize = 1 << 13;

impl Words {
    pub(crate) fn new(vocabulary: &Vocabulary) -> Self {
        let mut groups: FxHashMap<&[u8], Vec<u32>> = FxHashMap::default();
        let [mut digits, mut signs, mut endings, mut others, mut named] = [const { Vec::new() }; 5];
        let mut tails = Vec::new();
        let all = vocabulary.entries(0).start..vocabulary.entries(255).end;
        for entry in all {
            let token = vocabulary.entry(entry);
            let n_lead = token.iter().rposition(|&byte| !is_of_word(byte)).map_or(0, |at| at + 1);
            let (lead, word) = token.split_at(n_lead);
            let is_sign = |&byte: &u8| !begins_word(byte) && byte != b'*';
            let list = if word.first().is_some_and(|&byte| begins_word(byte))
                && !lead.iter().any(|&byte| is_of_word(byte))
            {
                groups.entry(lead).or_default()
            } else if token.iter().all(u8::is_ascii_digit) {
                &mut digits
            } else if uses_names(token) {
                &mut named
            } else {
                let lengths = token.split(|&byte| !is_of_word(byte)).map(<[u8]>::len);
                tails.extend(lengths.filter(|_| token.is_ascii() && token.contains(&b'_')));
                if token.iter().all(is_sign) {
                    &mut signs
                } else if may_end_text(token) {
                    &mut endings
                } else {
                    &mut others
                }
            };
            list.push(entry as u32);
        }
        let mut groups: Vec<_> = groups
            .into_iter()
            .map(|(lead, entries)| WordGroup::new(vocabulary, lead, entries))
            .collect();
        groups.sort_unstable_by(|one, other| one.lead.cmp(&other.lead));
        tails.sort_unstable();
        tails.dedup();
        tails.retain(|&length| length > 0);
        let digits = WordGroup::new(vocabulary, b"", digits);
        let [signs, endings, others, named] = [signs, endings, others, named]
            .map(|entries| Entries(bits_of(vocabulary, entries.into_iter())));
        Self { groups, digits, signs, endings, others, named, tails }
    }

    /// The group of this number; the digits' is the last one.
    pub(crate) fn group(&self, index: usize) -> &WordGroup {
        self.groups.get(index).unwrap_or(&self.digits)
    }

    /// Bytes held, without remembered names.
    pub(crate) fn memory(&self) -> usize {
        let groups = self.groups.iter().chain([&self.digits]);
        let of_groups = groups.map(|group| group.entries.len() + 2 * group.bits.0.len());
        let rest = [&self.signs, &self.endings, &self.others, &self.named];
        let n_words = 2 * rest.iter().map(|entries| entries.0.len()).sum::<usize>();
        (of_groups.sum::<usize>() + n_words) * size_of::<u32>()
    }
}

impl Entries {
    /// The entries that a mask has, in the order of their bytes.
    pub(crate) fn in_mask(&self, vocabulary: &Vocabulary, mask: &[u32]) -> Vec<u32> {
        let mut found = Vec::new();
        for &(word, bits) in &self.0 {
            let mut bits = bits & mask[word as usize];
            while bits != 0 {
                let id = TokenId(32 * word + bits.trailing_zeros());
                found.push(vocabulary.entry_of(id));
                bits &= bits - 1;
            }
        }
        found.sort_unstable();
        found
    }
}

impl WordGroup {
    fn new(vocabulary: &Vocabulary, lead: &[u8], entries: Vec<u32>) -> Self {
        let word = |entry: &u32| &vocabulary.entry(*entry as usize)[lead.len()..];
        let foreign = entries.iter().copied().filter(|entry| !word(entry).is_ascii());
        let foreign = bits_of(vocabulary, foreign);
        let bits = Entries(bits_of(vocabulary, entries.iter().copied()));
        Self {
            lead: lead.into(),
            entries,
            bits,
            foreign,
            beginnings: Mutex::default(),
            non_names: Mutex::default(),
        }
    }

    /// The entries whose words may become a keyword of a language, or stand in front of a quote.
    pub(crate) fn non_names(&self, vocabulary: &Vocabulary, words: &NonNameWords) -> Arc<[u32]> {
        let mut known = lock(&self.non_names);
        if let Some((_, entries)) = known.iter().find(|(print, _)| *print == words.fingerprint()) {
            return Arc::clone(entries);
        }
        let mut found: Vec<u32> = words
            .texts()
            .flat_map(|text| self.beginnings_of(vocabulary, &text, 0))
            .map(|id| vocabulary.entry_of(id))
            .collect();
        found.sort_unstable();
        found.dedup();
        let entries: Arc<[u32]> = found.into();
        known.push((words.fingerprint(), Arc::clone(&entries)));
        entries
    }

    /// Whether a mask has one of the tokens.
    pub(crate) fn is_in(&self, mask: &[u32]) -> bool {
        self.bits.0.iter().any(|&(word, bits)| mask[word as usize] & bits != 0)
    }

    /// The entries that a mask has, in the order of their bytes.
    pub(crate) fn in_mask(&self, vocabulary: &Vocabulary, mask: &[u32]) -> Vec<u32> {
        self.bits.in_mask(vocabulary, mask)
    }

    /// Puts all tokens back into a mask, as they were in the original.
    pub(crate) fn restore(&self, original: &[u32], mask: &mut [u32]) {
        for &(word, bits) in &self.bits.0 {
            mask[word as usize] |= original[word as usize] & bits;
        }
    }

    /// Takes all tokens out of a mask.
    pub(crate) fn clear(&self, mask: &mut [u32]) {
        for &(word, bits) in &self.bits.0 {
            mask[word as usize] &= !bits;
        }
    }

    /// Puts the tokens back into a mask whose words are not ASCII, as they were in the original.
    pub(crate) fn restore_foreign(&self, original: &[u32], mask: &mut [u32]) {
        for &(word, bits) in &self.foreign {
            mask[word as usize] |= original[word as usize] & bits;
        }
    }

    /// Calls `found` with each token whose word is a beginning of one of the names.
    pub(crate) fn for_beginnings(
        &self,
        vocabulary: &Vocabulary,
        names: &[Box<[u8]>],
        mut found: impl FnMut(TokenId),
    ) {
        let mut known = lock(&self.beginnings);
        if known.len() > MAX_NAMES {
            known.clear();
        }
        for name in names {
            if let Some(ids) = known.get(name) {
                ids.iter().copied().for_each(&mut found);
                continue;
            }
            let ids = self.beginnings_of(vocabulary, name, 0);
            ids.iter().copied().for_each(&mut found);
            known.insert(name.clone(), ids.into());
        }
    }

    /// The tokens whose word is a beginning of the rest of a name, from a byte on.
    pub(crate) fn beginnings_of(
        &self,
        vocabulary: &Vocabulary,
        name: &[u8],
        from: usize,
    ) -> Vec<TokenId> {
        let rest = &name[from..];
        let word = |entry: u32| &vocabulary.entry(entry as usize)[self.lead.len()..];
        let mut entries = &self.entries[..];
        let mut found = Vec::new();
        for length in 1..=rest.len() {
            let begun = &rest[..length];
            let first = entries.partition_point(|&entry| word(entry) < begun);
            let n_same = entries[first..].partition_point(|&entry| word(entry).starts_with(begun));
            entries = &entries[first..first + n_same];
            if entries.is_empty() {
                break;
            }
            let whole = entries.iter().take_while(|&&entry| word(entry) == begun);
            found.extend(whole.map(|&entry| vocabulary.id(entry as usize)));
        }
        found
    }
}

fn bits_of(vocabulary: &Vocabulary, entries: impl Iterator<Item = u32>) -> Bits {
    let mut bits: FxHashMap<u32, u32> = FxHashMap::default();
    for entry in entries {
        let id = vocabulary.id(entry as usize);
        *bits.entry(id.0 / 32).or_default() |= 1 << (id.0 % 32);
    }
    let mut bits: Bits = bits.into_iter().collect();
    bits.sort_unstable();
    bits
}

/// Whether a token that contains signs has words that are not all underscores, keywords or numbers, or may hold an
/// annotation that is a string.
fn uses_names(token: &[u8]) -> bool {
    let is_name = |word: &[u8]| {
        let is_number = word.iter().all(u8::is_ascii_digit);
        word.is_ascii() && word.iter().any(|&byte| byte != b'_') && !is_number
    };
    let mut words = token.split(|&byte| !is_of_word(byte));
    let begins_type = |pair: &[u8]| matches!(pair, b"->" | b":'" | b":\"" | b": ");
    words.any(is_name)
        || token.first().is_some_and(u8::is_ascii_digit)
        || token.contains(&b'_')
            && token.windows(2).any(begins_type)
            && token.iter().any(|byte| matches!(byte, b'"' | b'\''))
}

/// Whether a token may end a string or a comment, or begin a field in it.
pub(crate) fn may_end_text(token: &[u8]) -> bool {
    token.iter().any(|byte| matches!(byte, b'"' | b'\'' | b'\n' | b'\r' | b'{' | b'}' | b'\\'))
}

pub(crate) fn begins_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80
}

pub(crate) fn is_of_word(byte: u8) -> bool {
    begins_word(byte) || byte.is_ascii_digit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginnings_of_a_name_are_found() {
        let tokens = [
            "p", "pr", "print", "prin", " pr", "print", "px", "é", "(", "*(", "a(", "if", "__\"",
            "(_\n", ": '_'", "12",
        ];
        let vocabulary = Vocabulary::new(&tokens, &[], &[]);
        let words = Words::new(&vocabulary);
        let group = words.groups.iter().find(|group| group.lead.is_empty()).expect("words");
        let mut found = Vec::new();
        for _ in 0..2 {
            found.clear();
            group.for_beginnings(&vocabulary, &[b"print"[..].into()], |id| found.push(id.0));
            assert_eq!(found, [0, 1, 3, 2, 5], "first looked up, then remembered");
        }
        let rest = group.beginnings_of(&vocabulary, b"sprint", 1);
        assert_eq!(rest.len(), 5);
        let non_names = NonNameWords::new([&b"pass"[..], b"if"].map(Box::from), Vec::new());
        for _ in 0..2 {
            let counts = [group.foreign.len(), group.non_names(&vocabulary, &non_names).len()];
            assert_eq!(counts, [1, 2], "é; p may become pass, if is one");
        }
        let all = [u32::MAX];
        let of = |entries: &Entries| {
            let found = entries.in_mask(&vocabulary, &all);
            found.iter().map(|&entry| vocabulary.id(entry as usize).0).collect::<Vec<_>>()
        };
        assert_eq!((of(&words.signs), of(&words.others)), (vec![8], vec![9]));
        assert_eq!((of(&words.named), of(&words.endings)), (vec![14, 10], vec![13, 12]));
        assert_eq!(words.tails, [1, 2]);
        assert_eq!(words.digits.entries.len(), 1);
    }
}
