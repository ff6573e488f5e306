//! Every short hole of three languages that no one speaks, with fields in their strings: what their grammars declare
//! is all that the lexer knows of them.

use super::holes::engine;
use super::holes::exhaustive::{Lengths, check};

const FREE: &str = include_str!("grammars/free.json");
const LINED: &str = include_str!("grammars/lined.json");
const BOUNDED: &str = include_str!("grammars/bounded.json");

/// What is left of a text behind an expression whose fields hold what code holds: between lines also blanks,
/// comments and, where `is_inside` holds, line breaks.
fn behind_free(text: &[u8], is_inside: bool) -> Option<&[u8]> {
    match unbroken(text, is_inside) {
        [b'a', behind @ ..] => Some(behind_names(behind)),
        [b'{', behind @ ..] => behind_closer(behind_free(behind, true)?),
        [b'$', b'"', behind @ ..] => behind_free_text(behind),
        _ => None,
    }
}

fn unbroken(mut text: &[u8], is_inside: bool) -> &[u8] {
    loop {
        text = match text {
            [b' ', behind @ ..] => behind,
            [b'#', behind @ ..] => {
                let end = behind.iter().position(|&byte| byte == b'\n');
                &behind[end.unwrap_or(behind.len())..]
            }
            [b'\n', behind @ ..] if is_inside => behind,
            _ => return text,
        }
    }
}

fn behind_names(mut text: &[u8]) -> &[u8] {
    while let [b'a', behind @ ..] = text {
        text = behind;
    }
    text
}

fn behind_closer(text: &[u8]) -> Option<&[u8]> {
    unbroken(text, true).strip_prefix(b"}")
}

fn behind_free_text(mut text: &[u8]) -> Option<&[u8]> {
    loop {
        text = match text {
            [b'"', behind @ ..] => return Some(behind),
            [b'{', b'{', behind @ ..] | [b'}', b'}', behind @ ..] => behind,
            [b'{', behind @ ..] => behind_free_field(behind)?,
            [] | [b'}' | b'\n', ..] => return None,
            [_, behind @ ..] => behind,
        }
    }
}

fn behind_free_field(text: &[u8]) -> Option<&[u8]> {
    let behind = unbroken(behind_free(text, true)?, true);
    match behind {
        [b'}', behind @ ..] => Some(behind),
        [b':', behind @ ..] => behind_specification(behind),
        _ => None,
    }
}

fn behind_specification(mut text: &[u8]) -> Option<&[u8]> {
    loop {
        text = match text {
            [b'}', behind @ ..] => return Some(behind),
            [b'{', behind @ ..] => behind_free_field(behind)?,
            [] | [b'"' | b'\n', ..] => return None,
            [_, behind @ ..] => behind,
        }
    }
}

#[test]
fn fields_that_hold_what_code_holds() {
    let free = engine(FREE);
    let is_sentence = |text: &[u8]| behind_free(text, false).is_some_and(<[u8]>::is_empty);
    // One for the depth that fits into it, one for what is in specifications.
    let lengths = Lengths { sentence: 8, context: 3, middle: 2 };
    check(&free, b"$\"{}a", lengths, &is_sentence);
    let lengths = Lengths { sentence: 7, context: 2, middle: 3 };
    check(&free, b"$\"{}a:", lengths, &is_sentence);
}

/// Whether a text is a file of lines, each an expression; the last may lack its break.
fn is_file(mut text: &[u8]) -> bool {
    loop {
        text = match unbroken(text, false) {
            [] => return true,
            [b'\n', behind @ ..] => behind,
            // No line is indented.
            _ if text.starts_with(b" ") => return false,
            _ => match behind_free(text, false).map(|behind| unbroken(behind, false)) {
                Some([]) => return true,
                Some([b'\n', behind @ ..]) => behind,
                _ => return false,
            },
        }
    }
}

#[test]
fn fields_between_lines() {
    let lined = engine(LINED);
    let lengths = Lengths { sentence: 8, context: 3, middle: 1 };
    check(&lined, b"$\"{}a\n", lengths, &is_file);
}

/// What is left of a text behind an expression that must not hold these quotes.
fn behind_bounded<'a>(text: &'a [u8], around: &[u8]) -> Option<&'a [u8]> {
    match text {
        [b'a', behind @ ..] => Some(behind_names(behind)),
        [prefix @ (b'@' | b'%'), quote @ (b'\'' | b'|'), behind @ ..]
            if !around.contains(quote) =>
        {
            behind_bounded_text(behind, *prefix == b'%', *quote, around)
        }
        _ => None,
    }
}

fn behind_bounded_text<'a>(
    mut text: &'a [u8],
    is_raw: bool,
    quote: u8,
    around: &[u8],
) -> Option<&'a [u8]> {
    let inside = [around, &[quote]].concat();
    let is_escape = |byte: u8| byte == b'^' && (!is_raw || !around.is_empty());
    loop {
        text = match text {
            [first, behind @ ..] if *first == quote => return Some(behind),
            [first, ..] if around.contains(first) => return None,
            [b'\n', ..] if inside.contains(&b'\'') => return None,
            [b'#', b'{', behind @ ..] => behind_bounded(behind, &inside)?.strip_prefix(b"}")?,
            [first, b'\'' | b'|' | b'^' | b'#' | b'\n', behind @ ..]
                if is_escape(*first) && around.is_empty() =>
            {
                behind
            }
            [first, ..] if is_escape(*first) => return None,
            [] => return None,
            [_, behind @ ..] => behind,
        }
    }
}

#[test]
fn fields_without_the_quotes_around_them() {
    let bounded = engine(BOUNDED);
    let is_sentence = |text: &[u8]| behind_bounded(text, b"").is_some_and(<[u8]>::is_empty);
    let lengths = Lengths { sentence: 7, context: 2, middle: 2 };
    check(&bounded, b"@'|#{}a", lengths, &is_sentence);
    let lengths = Lengths { sentence: 7, context: 3, middle: 2 };
    check(&bounded, b"@%'^|\n", lengths, &is_sentence);
}

#[test]
fn a_right_context_reads_on_behind_long_strings() {
    let bounded = engine(BOUNDED);
    let fields = "#{@|a|} ".repeat(300);
    let recognizer = bounded.recognizer(b"@'#{", format!("}} {fields}'").as_bytes()).unwrap();
    for (middle, is_member) in [("a", true), ("@|#{a}|", true), ("@|", false), ("@'", false)] {
        let mut fork = recognizer.clone();
        let is_read = fork.advance(middle.as_bytes());
        assert_eq!(is_read && fork.is_member(), is_member, "{middle}");
    }
}
