//! Witnesses with names: texts that make the whole file parse and use only names that exist.
//!
//! The grammar's shortest text knows no names: it writes `a` where any name would do. Here a visible name replaces
//! it, and names that wait are bound: `for x in ...` behind `[x`, ` = ...` behind a name at the beginning of a
//! statement. The search also adds headers of the functions and loops that the lines behind need
//! (`headers.rs`), a name that the right context ends, and calls that end and begin anew where keywords are
//! repeated (`calls.rs`). Each text is tried, so only those are given that the law lets through. The search
//! is short; where it fails, the grammar's text has to do.

mod attempts;
mod calls;
mod headers;

use std::collections::VecDeque;

use crate::hole::{OpenHole, Place};
use crate::laws::behind;
use crate::masks::is_of_word;
use crate::python_names::names_at::NamesAt;
use crate::witness::shortest_witness;

/// The most additions for the sake of names.
const MAX_ADDED: usize = 3;

/// The most names that are tried where any would do.
const MAX_VALUES: usize = 4;

/// The most texts with an insertion into the grammar's witness.
const MAX_INSERTED: usize = 36;

/// The most texts that are looked at before the grammar's has to do.
const MAX_LOOKED_AT: usize = 160;

/// A text that has been begun for the sake of names, and the place where it leads.
#[derive(Clone)]
struct Begun {
    text: Vec<u8>,
    place: Place,
    names: NamesAt,
    n_added: usize,
}

/// The search for a text.
pub(super) struct Search;

impl Search {
    /// The grammar's witness behind a place, with names that exist as far as they are found.
    pub(super) fn witness(
        &self,
        hole: &mut OpenHole<'_>,
        place: &Place,
        names: &NamesAt,
    ) -> Option<Vec<u8>> {
        let (place, names) = (place.clone(), names.clone());
        let mut waiting = VecDeque::from([Begun { text: Vec::new(), place, names, n_added: 0 }]);
        let mut n_looked_at = 0;
        while let Some(begun) = waiting.pop_front() {
            n_looked_at += 1;
            let mut values = begun.names.visible_names(b"");
            values.truncate(MAX_VALUES);
            values.push(b"id".to_vec());
            let value = values[0].clone();
            if let Some(rest) = self.rest_behind(hole, &begun, &values) {
                return Some([begun.text, rest].concat());
            }
            if begun.n_added == MAX_ADDED || n_looked_at + waiting.len() > MAX_LOOKED_AT {
                continue;
            }
            waiting.extend(self.with_headers(hole, &begun, &value));
            waiting.extend(self.with_suite(hole, &begun));
            let right = &hole.right().text;
            for added in begun.names.ways_on(&value, right, begun_word(right)) {
                waiting.extend(self.begun_with(hole, &begun, &added));
            }
        }
        None
    }

    /// The grammar's witness behind the text that was begun, if it does with other names.
    fn rest_behind(
        &self,
        hole: &mut OpenHole<'_>,
        begun: &Begun,
        values: &[Vec<u8>],
    ) -> Option<Vec<u8>> {
        let plain = shortest_witness(hole, &begun.place)?;
        let named = with_name(&plain, &values[0]);
        let number = with_name(&plain, b"0");
        let insertions = begun.names.insertions(&values[0]);
        let inserted = insertions.iter().flat_map(|added| {
            [&named, &number, &plain].into_iter().flat_map(|text| with_inserted(text, added))
        });
        let mut texts = vec![
            plain.clone(),
            named.clone(),
            number.clone(),
            with_last_name(&plain, b"0"),
            with_import(&plain, begun.names.importable_name()),
            with_import(&named, begun.names.importable_name()),
        ];
        texts.extend(values[1..].iter().map(|value| with_name(&plain, value)));
        let word = begun_word(&hole.right().text);
        let in_front = match &plain[..] {
            [] => begun.names.word_in_progress(),
            plain => {
                &plain[plain.iter().rposition(|&byte| !is_of_word(byte)).map_or(0, |at| at + 1)..]
            }
        };
        let words = begun.names.words_around(in_front, word);
        texts.extend(words.iter().map(|middle| [&plain[..], middle].concat()));
        texts.extend(with_word_begun(&named, word));
        texts.extend(inserted.take(MAX_INSERTED));
        texts.dedup();
        let found =
            texts.into_iter().find(|text| self.is_whole(hole, &begun.place, &begun.names, text));
        found.or_else(|| self.with_calls_anew(hole, begun, &plain, (&values[0], &words)))
    }

    /// The text with a suite that begins in the next line, for the line that the hole ends in.
    fn with_suite(&self, hole: &mut OpenHole<'_>, begun: &Begun) -> Option<Begun> {
        let column = begun.place.lexed.indents.last().map_or(0, |column| column.wide as usize);
        let header = [b"\n", &vec![b' '; column][..], b"if 0:\n"].concat();
        self.begun_with(hole, begun, &header)
    }

    /// The text with more added to it, if that may come.
    fn begun_with(&self, hole: &mut OpenHole<'_>, begun: &Begun, added: &[u8]) -> Option<Begun> {
        let mut place = begun.place.clone();
        if hole.read(&mut place, added) < added.len() || !hole.is_completable(&place) {
            return None;
        }
        let names = behind(&begun.names, hole, &begun.place, &place, added).ok()?;
        let text = [&begun.text, added].concat();
        Some(Begun { text, place, names, n_added: begun.n_added + 1 })
    }

    /// Whether a text behind a place makes the whole file parse, with names that exist.
    fn is_whole(
        &self,
        hole: &mut OpenHole<'_>,
        place: &Place,
        names: &NamesAt,
        text: &[u8],
    ) -> bool {
        let mut further = place.clone();
        if hole.read(&mut further, text) < text.len()
            || !hole.is_completable(&further)
            || !hole.is_member(&further)
        {
            return false;
        }
        let names = behind(names, hole, place, &further, text);
        names.is_ok_and(|names| {
            names.check_end(hole.language(), &further.lexed, &hole.right().text).is_ok()
        })
    }
}

/// The rest of a name or keyword that a right context begins with.
fn begun_word(right: &[u8]) -> &[u8] {
    let length = right.iter().position(|byte| !is_of_word(*byte)).unwrap_or(right.len());
    &right[..length]
}

/// Texts that end so that the right context's first word becomes a name: an attribute, or one bound in front.
fn with_word_begun(text: &[u8], word: &[u8]) -> Vec<Vec<u8>> {
    if word.is_empty() {
        return Vec::new();
    }
    let front = text.strip_suffix(b"id").unwrap_or(text);
    let bound = [b"(a", word, b":=0)and a"].concat();
    [&b"id."[..], &bound].iter().map(|end| [front, end].concat()).collect()
}

/// A text with another name in the place of each `a` that is a word of its own.
fn with_name(text: &[u8], name: &[u8]) -> Vec<u8> {
    let is_part =
        |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let mut written = Vec::with_capacity(text.len());
    for (index, &byte) in text.iter().enumerate() {
        let is_word = byte == b'a'
            && !is_part(index.checked_sub(1).and_then(|before| text.get(before)))
            && !is_part(text.get(index + 1));
        if is_word {
            written.extend_from_slice(name);
        } else {
            written.push(byte);
        }
    }
    written
}

/// The text with the name that it imports: not every place may import all.
fn with_import(text: &[u8], name: &[u8]) -> Vec<u8> {
    let Some(at) = text.iter().position(|&byte| byte == b'*') else { return text.to_vec() };
    [&text[..at], b" ", name, &text[at + 1..]].concat()
}

/// The text with other words in the place of the last `a` that is a word of its own.
fn with_last_name(text: &[u8], name: &[u8]) -> Vec<u8> {
    let marked = with_name(text, b"\0");
    let Some(last) = marked.iter().rposition(|&byte| byte == 0) else { return text.to_vec() };
    let before = marked[..last].iter().map(|&byte| if byte == 0 { b'a' } else { byte });
    before.chain(name.iter().copied()).chain(marked[last + 1..].iter().copied()).collect()
}

/// The texts with `added` in front of or behind a bracket that closes, or at the end.
fn with_inserted(text: &[u8], added: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let is_closer = |byte: Option<&u8>| byte.is_some_and(|byte| matches!(byte, b')' | b']' | b'}'));
    let is_place = move |&at: &usize| {
        at == text.len() || is_closer(text.get(at)) || at > 0 && is_closer(text.get(at - 1))
    };
    (0..=text.len()).filter(is_place).map(|at| [&text[..at], added, &text[at..]].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_words_are_names() {
        assert_eq!(with_name(b"a.a(aa)", b"id"), b"id.id(aa)");
        assert_eq!(with_last_name(b"def a():a", b"0"), b"def a():0");
    }
}
