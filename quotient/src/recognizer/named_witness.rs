//! A text that makes the whole fit and uses only names that exist.
//!
//! The grammar's shortest text knows no names: it writes `a` where any name would do. Here that is replaced
//! by a name that is visible, and what still waits to be bound is: `for x in ...` behind `[x`, ` = ...`
//! behind a name at the beginning of a statement. What comes of it is tried, so nothing is given that is
//! not let through. The search is short; where it fails, the grammar's text has to do.

use super::Recognizer;
use super::named::names_behind;
use crate::charts::Charts;
use crate::hole::{Hole, Place};
use crate::names::NamesAt;

/// How many things are added for the sake of names.
const MAX_ADDED: usize = 2;

impl Recognizer {
    /// The witness where names are looked at: the grammar's, with names that exist as far as they are found.
    pub(crate) fn named_witness(
        &self,
        charts: &mut Charts,
        hole: &mut Hole,
        names: &NamesAt,
    ) -> Option<Vec<u8>> {
        self.witness_behind(charts, hole, &self.place, names, MAX_ADDED)
    }

    fn witness_behind(
        &self,
        charts: &mut Charts,
        hole: &mut Hole,
        place: &Place,
        names: &NamesAt,
        n_added: usize,
    ) -> Option<Vec<u8>> {
        let plain = hole.witness(self.session.language(), charts, place)?;
        let value = names.visible_names(b"").into_iter().next().unwrap_or_else(|| b"id".to_vec());
        for text in [plain.clone(), with_name(&plain, &value), with_name(&plain, b"0")] {
            if self.is_whole(charts, hole, place, names, &text) {
                return Some(text);
            }
        }
        if n_added == 0 {
            return None;
        }
        for added in names.ways_on(&value) {
            let mut further = place.clone();
            let language = self.session.language();
            if further.read(language, &mut charts.left, &added) < added.len()
                || !hole.is_completable(language, &mut charts.left, &further)
            {
                continue;
            }
            let left = &mut charts.left;
            let Ok(behind) = names_behind(names, language, left, hole, place, &further, &added)
            else {
                continue;
            };
            if let Some(rest) = self.witness_behind(charts, hole, &further, &behind, n_added - 1) {
                return Some([added, rest].concat());
            }
        }
        None
    }

    fn is_whole(
        &self,
        charts: &mut Charts,
        hole: &mut Hole,
        place: &Place,
        names: &NamesAt,
        text: &[u8],
    ) -> bool {
        let language = self.session.language();
        let mut further = place.clone();
        if further.read(language, &mut charts.left, text) < text.len()
            || !hole.is_completable(language, &mut charts.left, &further)
            || !hole.is_member(language, &mut charts.left, &further)
        {
            return false;
        }
        let behind = names_behind(names, language, &mut charts.left, hole, place, &further, text);
        behind
            .is_ok_and(|names| names.check_end(language, &further.lexed, &hole.right.text).is_ok())
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_words_are_names() {
        assert_eq!(with_name(b"a.a(aa)", b"id"), b"id.id(aa)");
    }
}
