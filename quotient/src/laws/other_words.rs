//! A witness with other words: a grammar's own witness has the shortest ones, and a law may refuse these.
//!
//! ```text
//! const a = 1; const | = 2;      `a` is there already, and `b` is not
//! ```

use super::law::HeldLaw;

use crate::hole::{OpenHole, Place};

/// The words that are tried in the place of each word of one letter.
const WORDS: [&[u8]; 6] = [b"b", b"c", b"d", b"aa", b"ab", b"a_name"];

/// A text that makes the whole file fit grammar and law, if the grammar's witness does so with other words.
pub(crate) fn with_other_words(
    held: &dyn HeldLaw,
    hole: &mut OpenHole<'_>,
    place: &Place,
    plain: &[u8],
) -> Option<Vec<u8>> {
    let language = hole.language();
    WORDS.iter().map(|word| with_word(plain, word)).filter(|text| text != plain).find(|text| {
        let mut whole = place.clone();
        hole.read(&mut whole, text) == text.len()
            && hole.is_completable(&whole)
            && hole.is_member(&whole)
            && held.behind(hole, place, &whole, text).is_ok_and(|further| {
                further.check_end(language, &whole.lexed, &hole.right().text).is_ok()
            })
    })
}

/// The text with another word in place of those that are empty, one letter or one digit.
pub(super) fn with_word(text: &[u8], word: &[u8]) -> Vec<u8> {
    if word.is_empty() {
        return text.to_vec();
    }
    let is_part = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric());
    let mut written = Vec::with_capacity(text.len());
    for (index, &byte) in text.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| text.get(before));
        let is_word = byte.is_ascii_alphanumeric()
            && !is_part(before)
            && !is_part(text.get(index + 1))
            && !matches!(before, Some(b'=' | b':'));
        let is_empty = byte == b'"' && before == Some(&b'"');
        if is_empty || is_word {
            written.extend_from_slice(word);
        }
        if !is_word {
            written.push(byte);
        }
    }
    written
}
