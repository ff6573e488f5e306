//! The names of characters, for `"\N{EM DASH}"`.
//!
//! CPython looks names up while it parses, so a text with a wrong one is no program. A name in
//! progress is the range of sorted names that it is a prefix of. Each version of Python has the
//! names of its Unicode; no name was ever taken back.

use std::sync::OnceLock;

/// The brace in front of a name.
pub const OPENING: u8 = b'{';

/// The brace behind a name.
pub const CLOSING: u8 = b'}';

/// The versions of Unicode that Pythons come with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum UnicodeVersion {
    /// 12.1, of Python 3.8.
    V12,
    /// 13.0, of Python 3.9 and 3.10.
    V13,
    /// 14.0, of Python 3.11.
    V14,
    /// 15.0, of Python 3.12.
    V15,
    /// 15.1, of Python 3.13.
    V15_1,
    /// 16.0, of Python 3.14.
    V16,
    /// 17.0, of Python 3.15.
    V17,
}

impl UnicodeVersion {
    /// Whether CPython has names by rule in the same table as others: then their letters may be of either case, and
    /// their numbers have no zero in front.
    fn has_regular_rules(self) -> bool {
        self >= Self::V15_1
    }
}

/// The names that each version added; lines such as `NUSHU CHARACTER-1B170..1B2FB` stand for many names.
const LISTED: [(UnicodeVersion, &str); 7] = [
    (UnicodeVersion::V12, include_str!("../../data/character-names-12.txt")),
    (UnicodeVersion::V13, include_str!("../../data/character-names-13.txt")),
    (UnicodeVersion::V14, include_str!("../../data/character-names-14.txt")),
    (UnicodeVersion::V15, include_str!("../../data/character-names-15.txt")),
    (UnicodeVersion::V15_1, include_str!("../../data/character-names-15.1.txt")),
    (UnicodeVersion::V16, include_str!("../../data/character-names-16.txt")),
    (UnicodeVersion::V17, include_str!("../../data/character-names-17.txt")),
];

/// Ranges of the ideographs that are named by their numbers, and the version that brought them.
const IDEOGRAPHS: [(u32, u32, UnicodeVersion); 20] = [
    (0x3400, 0x4db5, UnicodeVersion::V12),
    (0x4db6, 0x4dbf, UnicodeVersion::V13),
    (0x4e00, 0x9fef, UnicodeVersion::V12),
    (0x9ff0, 0x9ffc, UnicodeVersion::V13),
    (0x9ffd, 0x9fff, UnicodeVersion::V14),
    (0x20000, 0x2a6d6, UnicodeVersion::V12),
    (0x2a6d7, 0x2a6dd, UnicodeVersion::V13),
    (0x2a6de, 0x2a6df, UnicodeVersion::V14),
    (0x2a700, 0x2b734, UnicodeVersion::V12),
    (0x2b735, 0x2b738, UnicodeVersion::V14),
    (0x2b739, 0x2b739, UnicodeVersion::V15),
    (0x2b73a, 0x2b73f, UnicodeVersion::V17),
    (0x2b740, 0x2b81d, UnicodeVersion::V12),
    (0x2b820, 0x2cea1, UnicodeVersion::V12),
    (0x2cea2, 0x2cead, UnicodeVersion::V17),
    (0x2ceb0, 0x2ebe0, UnicodeVersion::V12),
    (0x2ebf0, 0x2ee5d, UnicodeVersion::V15_1),
    (0x30000, 0x3134a, UnicodeVersion::V13),
    (0x31350, 0x323af, UnicodeVersion::V15),
    (0x323b0, 0x33479, UnicodeVersion::V17),
];

/// Numbers without a character that Python 3.8 takes for ideographs.
const IDEOGRAPHS_BY_MISTAKE: (u32, u32) = (0x2ebe1, 0x2ebef);

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

/// The prefix of a name in progress.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NamePrefix {
    unicode: UnicodeVersion,
    first: u32,
    behind: u32,
    length: u8,
    has_lower_case: bool,
}

/// The bytes of names, and of the brace behind one.
pub fn name_bytes() -> impl Iterator<Item = u8> {
    (b'A'..=b'Z').chain(b'0'..=b'9').chain(*b"- }")
}

impl NamePrefix {
    /// The empty prefix.
    pub fn empty(unicode: UnicodeVersion) -> Self {
        let behind = names(unicode).len() as u32;
        Self { unicode, first: 0, behind, length: 0, has_lower_case: false }
    }

    /// The prefix with one more byte; `None` if no name goes on like this.
    pub fn after(self, byte: u8) -> Option<Self> {
        let upper = byte.to_ascii_uppercase();
        let length = usize::from(self.length);
        let range = self.range();
        let at = |name: &str| name.as_bytes().get(length).copied();
        let first = range.partition_point(|name| at(name) < Some(upper));
        let n_equal = range[first..].partition_point(|name| at(name) == Some(upper));
        let further = Self {
            first: self.first + first as u32,
            behind: self.first + (first + n_equal) as u32,
            length: self.length + 1,
            has_lower_case: self.has_lower_case | (upper != byte),
            ..self
        };
        // "\N{CJK UNIFIe": all names that begin like this follow a rule, and those are in capitals.
        further.range().iter().any(|name| further.may_be(name)).then_some(further)
    }

    /// Whether the prefix is a whole name.
    pub fn is_complete(self) -> bool {
        let first = &self.range()[0];
        first.len() == usize::from(self.length) && self.may_be(first)
    }

    /// The shortest text that completes the prefix to a name.
    pub fn shortest_rest(self) -> Option<&'static str> {
        let names = self.range().iter().filter(|name| self.may_be(name));
        names.min_by_key(|name| name.len()).map(|name| &name[usize::from(self.length)..])
    }

    /// Whether the letters read so far have the case that this name needs.
    fn may_be(self, name: &str) -> bool {
        !self.has_lower_case || self.unicode.has_regular_rules() || !is_by_rule(name)
    }

    fn range(self) -> &'static [Box<str>] {
        &names(self.unicode)[self.first as usize..self.behind as usize]
    }
}

/// Whether a text is the name of a character.
pub fn is_name(unicode: UnicodeVersion, text: &[u8]) -> bool {
    let mut bytes = text.iter();
    let prefix = bytes.try_fold(NamePrefix::empty(unicode), |prefix, &byte| prefix.after(byte));
    prefix.is_some_and(NamePrefix::is_complete)
}

fn is_by_rule(name: &str) -> bool {
    name.starts_with("CJK UNIFIED IDEOGRAPH-") || name.starts_with("HANGUL SYLLABLE ")
}

/// All names of a version, sorted. Made when the first name is read: most texts have none.
fn names(unicode: UnicodeVersion) -> &'static [Box<str>] {
    static NAMES: [OnceLock<Vec<Box<str>>>; 7] = [const { OnceLock::new() }; 7];
    NAMES[unicode as usize].get_or_init(|| {
        let mut names = Vec::new();
        for (_, listed) in LISTED.iter().filter(|(since, _)| *since <= unicode) {
            listed.lines().for_each(|line| add_listed(&mut names, line));
        }
        add_ideographs(&mut names, unicode);
        add_syllables(&mut names);
        names.sort_unstable();
        names.dedup();
        names
    })
}

fn add_listed(names: &mut Vec<Box<str>>, line: &str) {
    let range = line.split_once("..").and_then(|(first, last)| {
        let (family, first) = first.rsplit_once('-')?;
        let number = |digits| u32::from_str_radix(digits, 16).ok();
        Some((family, number(first)?..=number(last)?))
    });
    match range {
        Some((family, mut codes)) => {
            names.extend(codes.by_ref().map(|code| format!("{family}-{code:04X}").into()));
        }
        None => names.push(line.into()),
    }
}

fn add_ideographs(names: &mut Vec<Box<str>>, unicode: UnicodeVersion) {
    let known = IDEOGRAPHS.iter().filter(|(_, _, since)| *since <= unicode);
    let mut ranges: Vec<(u32, u32)> = known.map(|&(first, last, _)| (first, last)).collect();
    if unicode == UnicodeVersion::V12 {
        ranges.push(IDEOGRAPHS_BY_MISTAKE);
    }
    for (first, last) in ranges {
        for code in first..=last {
            names.push(format!("CJK UNIFIED IDEOGRAPH-{code:04X}").into());
            if code < 0x10000 && !unicode.has_regular_rules() {
                names.push(format!("CJK UNIFIED IDEOGRAPH-{code:05X}").into());
            }
        }
    }
}

fn add_syllables(names: &mut Vec<Box<str>>) {
    for leading in LEADING {
        for vowel in VOWELS {
            let syllables = TRAILING
                .map(|trailing| format!("HANGUL SYLLABLE {leading}{vowel}{trailing}").into());
            names.extend(syllables);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(unicode: UnicodeVersion, text: &str, expected: bool) {
        assert_eq!(is_name(unicode, text.as_bytes()), expected, "{text} in {unicode:?}");
    }

    #[test]
    fn names_aliases_and_rules_are_known() {
        for (unicode, _) in LISTED {
            for name in
                ["EM DASH", "em dash", "LF", "CJK UNIFIED IDEOGRAPH-4E00", "HANGUL SYLLABLE GA"]
            {
                check(unicode, name, true);
            }
            for text in ["", "EM DAS", "EM DASH ", "NO SUCH NAME", "NUSHU CHARACTER-1B170..1B2FB"] {
                check(unicode, text, false);
            }
            check(unicode, "NUSHU CHARACTER-1B2FB", true);
        }
    }

    #[test]
    fn a_version_has_the_names_of_its_unicode() {
        check(UnicodeVersion::V13, "MELTING FACE", false);
        check(UnicodeVersion::V14, "MELTING FACE", true);
        check(UnicodeVersion::V14, "PINK HEART", false);
        check(UnicodeVersion::V15, "PINK HEART", true);
        check(UnicodeVersion::V15, "TANGUT IDEOGRAPH-17000", false);
        check(UnicodeVersion::V15_1, "TANGUT IDEOGRAPH-17000", true);
        check(UnicodeVersion::V15_1, "CJK UNIFIED IDEOGRAPH-2EBF0", true);
        check(UnicodeVersion::V15_1, "FINGERPRINT", false);
        check(UnicodeVersion::V16, "FINGERPRINT", true);
        check(UnicodeVersion::V12, "CJK UNIFIED IDEOGRAPH-2EBEF", true);
        check(UnicodeVersion::V13, "CJK UNIFIED IDEOGRAPH-2EBEF", false);
    }

    #[test]
    fn names_by_rule_became_regular() {
        for (unicode, _) in LISTED {
            let is_regular = unicode >= UnicodeVersion::V15_1;
            check(unicode, "hangul syllable ga", is_regular);
            check(unicode, "CJK UNIFIED IDEOGRAPH-4e00", is_regular);
            check(unicode, "CJK UNIFIED IDEOGRAPH-04E00", !is_regular);
        }
    }

    #[test]
    fn a_prefix_knows_how_it_ends() {
        let empty = NamePrefix::empty(UnicodeVersion::V14);
        let prefix = b"EM DAS".iter().try_fold(empty, |prefix, &byte| prefix.after(byte));
        assert_eq!(prefix.and_then(NamePrefix::shortest_rest), Some("H"));
        assert_eq!(empty.shortest_rest().map(str::len), Some(2));
    }
}
