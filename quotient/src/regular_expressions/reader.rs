//! The reader of a pattern: its characters, its place there, and the names so far.

use super::PatternMode;
use super::names::{Alphabet, is_name_part};

/// A fault of a pattern: a sentence.
pub(super) type PatternFault = &'static str;

/// Where a group stands: each disjunction around it, by number, and in which of its alternatives.
pub(super) type Path = Vec<(usize, usize)>;

pub(super) struct PatternReader {
    pub(super) mode: PatternMode,
    /// Code points with `u` and `v`, else halves of UTF-16.
    text: Vec<u32>,
    pub(super) at: usize,
    pub(super) n_groups: usize,
    pub(super) has_names: bool,
    pub(super) named: Vec<(Vec<u32>, Path)>,
    pub(super) references: Vec<Vec<u32>>,
    /// How many classes are around.
    pub(super) depth: usize,
}

impl PatternReader {
    pub(super) fn new(pattern: &str, mode: PatternMode) -> Self {
        let text: Vec<u32> = match mode {
            PatternMode::Old => pattern.encode_utf16().map(u32::from).collect(),
            PatternMode::Unicode | PatternMode::Sets => pattern.chars().map(u32::from).collect(),
        };
        let (n_groups, has_names) = groups(&text);
        let (named, references) = (Vec::new(), Vec::new());
        Self { mode, text, at: 0, n_groups, has_names, named, references, depth: 0 }
    }

    pub(super) fn is_unicode(&self) -> bool {
        self.mode != PatternMode::Old
    }

    /// The character `n_behind` places behind the next one, if it is of ASCII or there at all.
    pub(super) fn ahead(&self, n_behind: usize) -> Option<char> {
        let code = *self.text.get(self.at + n_behind)?;
        // A code that is no character is no sign of a pattern's either.
        Some(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.ahead(0)
    }

    pub(super) fn code(&mut self) -> Option<u32> {
        let code = *self.text.get(self.at)?;
        self.at += 1;
        Some(code)
    }

    pub(super) fn eat(&mut self, sign: char) -> bool {
        let is_it = self.peek() == Some(sign);
        self.at += usize::from(is_it);
        is_it
    }

    pub(super) fn eat_all(&mut self, signs: &str) -> bool {
        let is_it = signs.chars().enumerate().all(|(index, sign)| self.ahead(index) == Some(sign));
        if is_it {
            self.at += signs.len();
        }
        is_it
    }

    /// Digits of base sixteen, exactly `n_digits` of them or none.
    pub(super) fn hexadecimals(&mut self, n_digits: usize) -> Option<u32> {
        let digits = (0..n_digits).map(|index| self.ahead(index)?.to_digit(16));
        let found = digits.collect::<Option<Vec<u32>>>()?;
        self.at += n_digits;
        Some(found.iter().fold(0, |value, digit| value * 16 + digit))
    }

    /// The code behind `\u`.
    pub(super) fn unicode_escape(&mut self, is_unicode: bool) -> Option<u32> {
        let start = self.at;
        if is_unicode && self.eat('{') {
            let mut value = 0;
            while let Some(digit) = self.peek().and_then(|sign| sign.to_digit(16)) {
                value = (value * 16 + digit).min(0x0011_0000);
                self.at += 1;
            }
            let is_whole = self.at > start + 1 && value < 0x0011_0000 && self.eat('}');
            if !is_whole {
                self.at = start;
            }
            return is_whole.then_some(value);
        }
        let first = self.hexadecimals(4)?;
        let behind = self.at;
        if is_unicode && (0xd800..0xdc00).contains(&first) && self.eat_all("\\u") {
            let second = self.hexadecimals(4).filter(|code| (0xdc00..0xe000).contains(code));
            if let Some(second) = second {
                return Some(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00));
            }
            self.at = behind;
        }
        Some(first)
    }

    /// A character of a name, two halves taken for one.
    fn whole_code(&mut self) -> Option<u32> {
        let first = self.code()?;
        let second = self.text.get(self.at).copied();
        match second {
            Some(second) if (0xd800..0xdc00).contains(&first) && second >> 10 == 0xdc00 >> 10 => {
                self.at += 1;
                Some(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00))
            }
            _ => Some(first),
        }
    }

    /// The name of a group, behind its `<`.
    pub(super) fn group_name(&mut self) -> Result<Vec<u32>, PatternFault> {
        let mut found = Vec::new();
        loop {
            let code = match self.whole_code() {
                Some(0x3e) if !found.is_empty() => return Ok(found),
                Some(0x5c) if self.eat('u') => self.unicode_escape(true),
                code => code.filter(|&code| code != 0x5c),
            };
            let is_part = |code: &u32| is_name_part(*code, found.is_empty(), Alphabet::Newest);
            found.push(code.filter(is_part).ok_or("a group has no such name")?);
        }
    }
}

/// How many groups of a pattern are counted, and whether any has a name.
fn groups(text: &[u32]) -> (usize, bool) {
    let sign = |at: usize| text.get(at).copied().and_then(char::from_u32);
    let (mut n_groups, mut has_names, mut at, mut is_in_class) = (0, false, 0, false);
    while at < text.len() {
        match sign(at) {
            Some('\\') => at += 1,
            Some('[') => is_in_class = true,
            Some(']') => is_in_class = false,
            Some('(') if !is_in_class => {
                let is_plain = sign(at + 1) != Some('?');
                let is_named = !is_plain
                    && sign(at + 2) == Some('<')
                    && !matches!(sign(at + 3), Some('=' | '!'));
                n_groups += usize::from(is_plain || is_named);
                has_names |= is_named;
            }
            _ => {}
        }
        at += 1;
    }
    (n_groups, has_names)
}
