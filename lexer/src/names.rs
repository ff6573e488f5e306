//! The names of characters, for `"\N{EM DASH}"`.
//!
//! CPython looks names up while it parses, so a text with a wrong one is no program. A name in
//! progress is the range of sorted names that it is a prefix of.

use std::sync::OnceLock;

const LISTED: &str = include_str!("../data/character-names-14.txt");

/// Ranges of the ideographs that are named by their numbers, in Unicode 14.
const IDEOGRAPHS: [(u32, u32); 8] = [
    (0x3400, 0x4dbf),
    (0x4e00, 0x9fff),
    (0x20000, 0x2a6df),
    (0x2a700, 0x2b738),
    (0x2b740, 0x2b81d),
    (0x2b820, 0x2cea1),
    (0x2ceb0, 0x2ebe0),
    (0x30000, 0x3134a),
];

const LEADING: [&str; 19] = [
    "G", "GG", "N", "D", "DD", "R", "M", "B", "BB", "S", "SS", "", "J", "JJ", "C", "K", "T", "P",
    "H",
];
const VOWELS: [&str; 21] = [
    "A", "AE", "YA", "YAE", "EO", "E", "YEO", "YE", "O", "WA", "WAE", "OE", "YO", "U", "WEO", "WE",
    "WI", "YU", "EU", "YI", "I",
];
const TRAILING: [&str; 28] = [
    "", "G", "GG", "GS", "N", "NJ", "NH", "D", "L", "LG", "LM", "LB", "LS", "LT", "LP", "LH", "M",
    "B", "BS", "S", "SS", "NG", "J", "C", "K", "T", "P", "H",
];

/// A name in progress.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NamePrefix {
    first: u32,
    behind: u32,
    length: u8,
    has_lower_case: bool,
}

impl NamePrefix {
    /// Nothing of a name.
    pub fn empty() -> Self {
        Self { first: 0, behind: names().len() as u32, length: 0, has_lower_case: false }
    }

    /// One more byte of the name; `None` if no name goes on like this.
    pub fn after(self, byte: u8) -> Option<Self> {
        let upper = byte.to_ascii_uppercase();
        let length = usize::from(self.length);
        let range = self.range();
        let at = |name: &str| name.as_bytes().get(length).copied();
        let first = range.partition_point(|name| at(name) < Some(upper));
        let n_equal = range[first..].partition_point(|name| at(name) == Some(upper));
        (n_equal > 0).then(|| Self {
            first: self.first + first as u32,
            behind: self.first + (first + n_equal) as u32,
            length: self.length + 1,
            has_lower_case: self.has_lower_case | (upper != byte),
        })
    }

    /// Whether this is a name. Names that follow a rule must be in upper case.
    pub fn is_complete(self) -> bool {
        let first = &self.range()[0];
        first.len() == usize::from(self.length) && !(self.has_lower_case && is_by_rule(first))
    }

    /// The shortest text that makes this a name.
    pub fn shortest_rest(self) -> Option<&'static str> {
        let names = self.range().iter();
        names
            .filter(|name| !(self.has_lower_case && is_by_rule(name)))
            .min_by_key(|name| name.len())
            .map(|name| &name[usize::from(self.length)..])
    }

    fn range(self) -> &'static [Box<str>] {
        &names()[self.first as usize..self.behind as usize]
    }
}

/// Whether a text is the name of a character.
pub fn is_name(text: &[u8]) -> bool {
    let prefix = text.iter().try_fold(NamePrefix::empty(), |prefix, &byte| prefix.after(byte));
    prefix.is_some_and(NamePrefix::is_complete)
}

fn is_by_rule(name: &str) -> bool {
    name.starts_with("CJK UNIFIED IDEOGRAPH-") || name.starts_with("HANGUL SYLLABLE ")
}

/// All names, sorted. Made when the first name is read: most texts have none.
fn names() -> &'static [Box<str>] {
    static NAMES: OnceLock<Vec<Box<str>>> = OnceLock::new();
    NAMES.get_or_init(|| {
        let mut names: Vec<Box<str>> = LISTED.lines().map(Into::into).collect();
        for (first, last) in IDEOGRAPHS {
            for code in first..=last {
                names.push(format!("CJK UNIFIED IDEOGRAPH-{code:04X}").into());
                if code < 0x10000 {
                    // CPython takes a fifth digit in front.
                    names.push(format!("CJK UNIFIED IDEOGRAPH-{code:05X}").into());
                }
            }
        }
        for leading in LEADING {
            for vowel in VOWELS {
                let syllables = TRAILING
                    .map(|trailing| format!("HANGUL SYLLABLE {leading}{vowel}{trailing}").into());
                names.extend(syllables);
            }
        }
        names.sort_unstable();
        names.dedup();
        names
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_aliases_and_rules_are_known() {
        for name in ["EM DASH", "em dash", "LF", "CJK UNIFIED IDEOGRAPH-4E00", "HANGUL SYLLABLE GA"]
        {
            assert!(is_name(name.as_bytes()), "{name}");
        }
        for text in ["", "EM", "EM DASH ", "hangul syllable ga", "NO SUCH NAME"] {
            assert!(!is_name(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn a_prefix_knows_how_it_ends() {
        let prefix =
            b"EM DAS".iter().try_fold(NamePrefix::empty(), |prefix, &byte| prefix.after(byte));
        assert_eq!(prefix.and_then(NamePrefix::shortest_rest), Some("H"));
        assert_eq!(NamePrefix::empty().shortest_rest().map(str::len), Some(2));
    }
}
