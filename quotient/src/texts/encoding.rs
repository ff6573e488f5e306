//! The encoding of contexts that are given as bytes: their text, or the reason why they are none.
//!
//! A source file may declare its encoding: by a byte order mark, or by a comment in its first two lines (PEP 263).
//! The engine reads UTF-8 and nothing else, so a file that declares another encoding is refused before it is read, as
//! are bytes that are no text: a verdict on them would not be CPython's.
//!
//! ```text
//! # -*- coding: latin-1 -*-
//!               ^ the caller has to decode this file
//! ```

use std::fmt;

/// The byte order mark in UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The most bytes that a character has behind its first one.
const MAX_BEHIND_FIRST: usize = 3;

/// The reason why bytes cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EncodingError {
    /// A comment declares this encoding.
    Declared(String),
    /// The byte order mark is not in the left context, or not all of it.
    CutMark,
    /// The bytes are no UTF-8, in one of the contexts.
    NoText {
        /// Whether they are in the right context.
        is_right: bool,
        /// The offset of the first wrong byte in that context.
        offset: usize,
    },
}

impl fmt::Display for EncodingError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Declared(name) => {
                write!(
                    formatter,
                    "the text declares the encoding {name}; decode it, and give it as str"
                )
            }
            Self::CutMark => write!(
                formatter,
                "the byte order mark must be in the left context, and the hole behind it"
            ),
            Self::NoText { is_right, offset } => {
                let side = if *is_right { "right" } else { "left" };
                write!(formatter, "the {side} context is not UTF-8 at offset {offset}")
            }
        }
    }
}

impl std::error::Error for EncodingError {}

/// The length of the byte order mark that `left` begins with.
pub fn mark_length(left: &[u8]) -> usize {
    if left.starts_with(MARK) { MARK.len() } else { 0 }
}

/// Checks that these bytes are a hole's contexts in UTF-8, of which the hole may cut a character. With
/// `has_declarations`, comments may declare another encoding.
pub fn check(left: &[u8], right: &[u8], has_declarations: bool) -> Result<(), EncodingError> {
    let n_mark = left.iter().zip(MARK).take_while(|(byte, mark)| byte == mark).count();
    let is_cut = n_mark < MARK.len() && n_mark == left.len();
    // An empty left context cuts the mark only if there is one.
    if is_cut && (n_mark > 0 || right.starts_with(MARK)) {
        return Err(EncodingError::CutMark);
    }
    let left_text = &left[mark_length(left)..];
    // A line break that the hole cuts is one break, as long as no text is written in it.
    let behind_break = right.strip_prefix(b"\n").filter(|_| left.ends_with(b"\r"));
    let declared = || {
        declaration(left_text, right)
            .or_else(|| declaration(left_text, behind_break.unwrap_or_default()))
    };
    // The declaration is checked first: it says why bytes are no UTF-8.
    if let Some(name) = has_declarations.then(declared).flatten().filter(|name| !is_utf_8(name)) {
        return Err(EncodingError::Declared(name));
    }
    if let Some(offset) = first_error(left, true) {
        return Err(EncodingError::NoText { is_right: false, offset });
    }
    let is_behind = |byte: &&u8| **byte & 0xc0 == 0x80;
    let n_cut = right.iter().take(MAX_BEHIND_FIRST).take_while(is_behind).count();
    match first_error(&right[n_cut..], false) {
        Some(offset) => Err(EncodingError::NoText { is_right: true, offset: offset + n_cut }),
        None => Ok(()),
    }
}

/// The offset where bytes cease to be UTF-8; with `may_be_cut`, the last character need not be whole.
fn first_error(bytes: &[u8], may_be_cut: bool) -> Option<usize> {
    let error = std::str::from_utf8(bytes).err()?;
    let is_cut = error.error_len().is_none();
    (!(is_cut && may_be_cut)).then(|| error.valid_up_to())
}

/// The encoding that a comment in the first two lines declares. In the line of the hole it is looked for on either
/// side and across the hole, as the text that will be typed there is unknown.
fn declaration(left: &[u8], right: &[u8]) -> Option<String> {
    let mut n_left = 0;
    for (line, is_whole) in lines(left).take(2) {
        n_left += 1;
        if !is_whole {
            let (rest, _) = lines(right).next().unwrap_or_default();
            if let Some(name) = declared_in(&[line, rest].concat()) {
                return Some(name);
            }
        }
        if let Some(name) = declared_in(line) {
            return Some(name);
        }
        if !is_blank(line) {
            return None;
        }
    }
    lines(right).take(2 - n_left).find_map(|(line, _)| declared_in(line)).or_else(|| {
        // The rest of the first line does not count as a line of its own.
        let is_begun = n_left == 1 && !left.ends_with(b"\n") && !left.ends_with(b"\r");
        let (second, _) = lines(right).nth(1).filter(|_| is_begun)?;
        declared_in(second)
    })
}

/// The lines of a text, each with whether it has an end. An empty rest behind the last line's end is no line.
fn lines(text: &[u8]) -> impl Iterator<Item = (&[u8], bool)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let Some(end) = end else { return Some((std::mem::take(&mut rest), false)) };
        let n_break = if rest[end..].starts_with(b"\r\n") { 2 } else { 1 };
        let line = &rest[..end];
        rest = &rest[end + n_break..];
        Some((line, true))
    })
}

/// Whether a line has no more than a comment, so that the next one may declare an encoding.
fn is_blank(line: &[u8]) -> bool {
    let first = line.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\x0c'));
    first.is_none_or(|&byte| byte == b'#')
}

/// The encoding that a line declares: `coding`, a colon or an equals sign, and a name, in a comment.
fn declared_in(line: &[u8]) -> Option<String> {
    let comment = line.get(line.iter().position(|&byte| byte == b'#')?..)?;
    let behind_words =
        comment.windows(6).enumerate().filter(|(_, word)| word == b"coding").map(|(at, _)| at + 6);
    behind_words.filter(|_| is_blank(line)).find_map(|at| named_in(&comment[at..]))
}

/// The name behind `coding`, if that is followed by a colon or an equals sign.
fn named_in(text: &[u8]) -> Option<String> {
    let text = text.strip_prefix(b":").or_else(|| text.strip_prefix(b"="))?;
    let n_white = text.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let is_of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    let name: Vec<u8> = text[n_white..].iter().take_while(is_of_name).copied().collect();
    (!name.is_empty()).then(|| String::from_utf8_lossy(&name).into_owned())
}

/// Whether this is a name of UTF-8.
fn is_utf_8(name: &str) -> bool {
    let name = name.to_ascii_lowercase().replace('_', "-");
    matches!(&name[..], "utf-8" | "utf8" | "u8" | "utf" | "cp65001") || name.starts_with("utf-8-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declares(left: &[u8], right: &[u8], expected: Option<&str>) {
        let found = match check(left, right, true) {
            Ok(()) => None,
            Err(EncodingError::Declared(name)) => Some(name),
            Err(other) => panic!("{other}"),
        };
        let shown = String::from_utf8_lossy(left);
        assert_eq!(found.as_deref(), expected, "{shown:?} {:?}", String::from_utf8_lossy(right));
    }

    #[test]
    fn comments_in_the_first_two_lines_declare_encodings() {
        declares(b"# -*- coding: latin-1 -*-\n", b"", Some("latin-1"));
        declares(b"#coding=ascii\n", b"", Some("ascii"));
        declares(
            b"#!/bin/python\r\n \t\x0c# vim: set fileencoding=cp1252 :\r\n",
            b"",
            Some("cp1252"),
        );
        declares(b"#\r# coding: koi8-r\r", b"", Some("koi8-r"));
        declares(b"# coding: decoding: x\n", b"", Some("decoding"));
        declares(b"# coding: : coding: x\n", b"", Some("x"));
        for fine in [
            &b"# coding: utf-8\n# coding: latin-1\n"[..],
            b"# coding: UTF_8-unix\n",
            b"# coding: utf8\n",
            b"x\n# coding: latin-1\n",
            b"\n\n# coding: latin-1\n",
            b"x # coding: latin-1\n",
            b"# coding latin-1\n",
            b"# coding :latin-1\n",
        ] {
            declares(fine, b"", None);
        }
    }

    #[test]
    fn a_declaration_may_stand_on_both_sides_of_the_hole() {
        declares(b"", b"# coding: latin-1\n", Some("latin-1"));
        declares(b"# cod", b"ing: latin-1\n", Some("latin-1"));
        declares(b"# coding: latin-1", b"\n", Some("latin-1"));
        declares(b"#\n", b"# coding: latin-1\n", Some("latin-1"));
        declares(b"#", b"\n# coding: latin-1\n", Some("latin-1"));
        declares(b"#\n#\n", b"# coding: latin-1\n", None);
        declares(b"#\n#", b"\n# coding: latin-1\n", None);
        declares(b"x", b"\n# coding: latin-1\n", None);
        declares(b"", b"#\n# coding: latin-1\n", Some("latin-1"));
        declares(b"x\n", b"# coding: latin-1\n", None);
        declares(b"", b"#\n#\n# coding: latin-1\n", None);
        declares(b"\r", b"\n# coding: latin-1\n", Some("latin-1"));
        declares(b" #\r", b"\n# coding: latin-1\n", Some("latin-1"));
        declares(b"\r\n\r", b"\n# coding: latin-1\n", None);
        declares(b"\n", b"\n\n# coding: latin-1\n", None);
    }

    #[test]
    fn the_mark_is_in_front_of_the_hole() {
        assert_eq!(check(b"\xef\xbb\xbfx", b"", true), Ok(()));
        assert_eq!(check(b"'", b"\xef\xbb\xbf'", true), Ok(()), "a character like others");
        for n_left in 0..MARK.len() {
            let (left, right) = MARK.split_at(n_left);
            assert_eq!(check(left, right, true), Err(EncodingError::CutMark));
            assert_eq!(check(left, right, false), Err(EncodingError::CutMark));
        }
        assert_eq!(check(b"", b"", true), Ok(()));
        assert_eq!(mark_length(b"\xef\xbb\xbfx"), 3);
    }

    #[test]
    fn only_the_character_at_the_hole_may_be_cut() {
        let no_text = |is_right, offset| Err(EncodingError::NoText { is_right, offset });
        assert_eq!(check(b"'\xc3", b"\xa9'", true), Ok(()));
        assert_eq!(check(b"'\xf0\x9f", b"\x98\x80'", true), Ok(()));
        assert_eq!(check(b"'\xc3'", b"", true), no_text(false, 1));
        assert_eq!(check(b"\xef\xbb\xbf'\xff'", b"", true), no_text(false, 4));
        assert_eq!(check(b"", b"#\xe9\n", true), no_text(true, 1));
        assert_eq!(check(b"", b"'\xc3", true), no_text(true, 1));
        assert_eq!(check(b"'", b"\x80\x80\x80\x80'", true), no_text(true, 3));
    }
}
