//! The words of a language that are no names: the keywords that its grammar spells out, and the prefixes of strings.

use fim_lexer::{Lexer, PatternKind, RawState, TerminalId};

use super::words::begins_word;
use crate::caches::{Fingerprint, Hasher};

/// The keywords and prefixes of strings that words may become instead of names.
#[derive(Debug)]
pub(crate) struct NonNameWords {
    /// The keywords, sorted.
    keywords: Vec<Box<[u8]>>,
    /// The letters of which one or two may stand in front of a quote.
    prefixes: Vec<u8>,
    /// A letter that begins no keyword or prefix.
    probe: [u8; 1],
    fingerprint: Fingerprint,
}

impl NonNameWords {
    pub(crate) fn new(keywords: impl IntoIterator<Item = Box<[u8]>>, prefixes: Vec<u8>) -> Self {
        let mut keywords: Vec<Box<[u8]>> = keywords.into_iter().collect();
        keywords.sort_unstable();
        keywords.dedup();
        let begins_one = |letter: &u8| {
            prefixes.contains(letter) || keywords.iter().any(|word| word.first() == Some(letter))
        };
        let probe = (b'a'..=b'z').rev().find(|letter| !begins_one(letter)).unwrap_or(b'_');
        let mut hasher = Hasher::new();
        for word in keywords.iter().map(|word| &**word).chain([&prefixes[..]]) {
            hasher.write_number(word.len() as u64);
            hasher.write(word);
        }
        Self { keywords, prefixes, probe: [probe], fingerprint: hasher.finish() }
    }

    /// The words of a grammar. `is_name` tells the terminals that may be names although they are spelt out.
    pub(crate) fn of(lexer: &Lexer, is_name: impl Fn(TerminalId) -> bool) -> Self {
        let terminals = lexer.description.terminals.iter().zip(0..);
        let words = terminals.filter(|(terminal, index)| {
            terminal.kind == PatternKind::Literal
                && terminal.pattern.bytes().next().is_some_and(begins_word)
                && !is_name(TerminalId(*index))
        });
        let words = words.map(|(terminal, _)| terminal.pattern.as_bytes().into());
        Self::new(words, prefixes(lexer))
    }

    pub(crate) fn keywords(&self) -> impl Iterator<Item = &[u8]> {
        self.keywords.iter().map(|word| &**word)
    }

    pub(crate) fn prefixes(&self) -> &[u8] {
        &self.prefixes
    }

    /// A letter that begins no keyword, number or prefix of a string.
    pub(crate) fn probe(&self) -> &[u8] {
        &self.probe
    }

    pub(crate) fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// All keywords, and the pairs of letters that may stand in front of a quote.
    pub(super) fn texts(&self) -> impl Iterator<Item = Vec<u8>> {
        let prefixes = self.prefixes.iter();
        let pairs = prefixes
            .flat_map(|&first| self.prefixes.iter().map(move |&second| vec![first, second]));
        self.keywords().map(<[u8]>::to_vec).chain(pairs)
    }
}

/// The letters of which one or two may stand in front of a quote.
fn prefixes(lexer: &Lexer) -> Vec<u8> {
    let scanner = &lexer.scanner;
    let letters = || (b'A'..=b'Z').chain(b'a'..=b'z');
    let begins_text = |raw: RawState| {
        [b'"', b'\''].iter().any(|&quote| scanner.next(raw, quote) != RawState::DEAD)
    };
    let behind = |text: &[u8]| {
        text.iter().fold(scanner.start(None), |raw, &byte| match raw {
            RawState::DEAD => raw,
            raw => scanner.next(raw, byte),
        })
    };
    let is_prefix = |letter: &u8| {
        begins_text(behind(&[*letter]))
            || letters().any(|other| {
                begins_text(behind(&[*letter, other])) || begins_text(behind(&[other, *letter]))
            })
    };
    letters().filter(is_prefix).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::{GrammarDescription, Language};

    #[test]
    fn what_is_no_name_in_python_comes_from_its_grammar() {
        let check = |description: &str, expected: &str| {
            let description = GrammarDescription::from_json(description).expect("a description");
            let language = Language::new(description).expect("a grammar");
            let non_names = NonNameWords::of(&language.lexer, |_| false);
            assert_eq!(String::from_utf8_lossy(non_names.prefixes()), expected);
            let words: Vec<_> = non_names.keywords().map(String::from_utf8_lossy).collect();
            assert!(["and", "lambda", "yield"].iter().all(|word| words.contains(&(*word).into())));
            assert!(
                words.iter().all(|word| word
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
            );
            assert_eq!(non_names.probe(), b"z");
        };
        check(include_str!("../../grammars/python-3.8.json"), "BFRUbfru");
        check(include_str!("../../grammars/python-3.14.json"), "BFRTUbfrtu");
    }
}
