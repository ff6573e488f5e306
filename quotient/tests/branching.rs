//! Every short hole of small languages in which the same bytes are other symbols elsewhere: by what the parser can take, or by
//! where lines and texts begin.

use super::holes::engine;
use super::holes::exhaustive::{Lengths, check};

/// `/` divides, or begins `/a/` where a value may stand; `}` ends a record, or a field of a template.
const CONTEXTUAL: &str = r#"{
    "name": "contextual", "start": "file", "layout": "none",
    "terminals": [
        {"name": "NAME", "kind": "regex", "pattern": "a+"},
        {"name": "SLASH", "kind": "literal", "pattern": "/"},
        {"name": "PATTERN", "kind": "regex", "pattern": "/[a{}]+/"},
        {"name": "WHOLE", "kind": "regex", "pattern": "`[a/{}]*`"},
        {"name": "HEAD", "kind": "regex", "pattern": "`[a/{}]*\\$"},
        {"name": "MIDDLE", "kind": "regex", "pattern": "\\}[a/{}]*\\$"},
        {"name": "TAIL", "kind": "regex", "pattern": "\\}[a/{}]*`"},
        {"name": "LBRACE", "kind": "literal", "pattern": "{"},
        {"name": "RBRACE", "kind": "literal", "pattern": "}"},
        {"name": "BLANKS", "kind": "regex", "pattern": " +"},
        {"name": "COMMENT", "kind": "regex", "pattern": "//[^\n]*\n"}
    ],
    "ignore": ["BLANKS", "COMMENT"],
    "branching": {"contextual": [["PATTERN"], ["MIDDLE", "TAIL"]]},
    "rules": [
        {"name": "file", "body": "expression"},
        {"name": "expression", "body": {"seq": ["operand", {"star": {"seq": ["SLASH", "operand"]}}]}},
        {"name": "operand", "body": {"alt": [
            "NAME", "PATTERN", "WHOLE",
            {"seq": ["HEAD", "expression", {"star": {"seq": ["MIDDLE", "expression"]}}, "TAIL"]},
            {"seq": ["LBRACE", {"opt": "expression"}, "RBRACE"]}
        ]}}
    ]
}"#;

/// What is left of a text behind white space and comments.
fn skipped(text: &[u8]) -> Option<&[u8]> {
    let mut rest = text;
    loop {
        rest = match rest {
            [b' ', behind @ ..] => behind,
            [b'/', b'/', behind @ ..] => {
                &behind[behind.iter().position(|&byte| byte == b'\n')? + 1..]
            }
            _ => return Some(rest),
        };
    }
}

fn behind_expression(text: &[u8]) -> Option<&[u8]> {
    let mut rest = behind_operand(text)?;
    while let [b'/', behind @ ..] = rest {
        rest = behind_operand(behind)?;
    }
    Some(rest)
}

/// The text behind characters of which all but the last are these.
fn behind_all<'a>(text: &'a [u8], is_in: &[u8], ends: &[u8]) -> Option<(u8, &'a [u8])> {
    let end = text.iter().position(|byte| !is_in.contains(byte))?;
    ends.contains(&text[end]).then(|| (text[end], &text[end + 1..]))
}

fn behind_operand(text: &[u8]) -> Option<&[u8]> {
    let rest = match skipped(text)? {
        [b'a', behind @ ..] => {
            &behind[behind.iter().position(|&byte| byte != b'a').unwrap_or(behind.len())..]
        }
        [b'/', behind @ ..] => {
            let (_, rest) = behind_all(behind, b"a{}", b"/")?;
            (rest.len() + 1 < behind.len()).then_some(rest)?
        }
        [b'{', behind @ ..] => match skipped(behind)? {
            [b'}', behind @ ..] => behind,
            behind => behind_expression(behind)?.strip_prefix(b"}")?,
        },
        [b'`', behind @ ..] => {
            let (mut end, mut rest) = behind_all(behind, b"a/{}", b"$`")?;
            while end == b'$' {
                rest = behind_expression(rest)?.strip_prefix(b"}")?;
                (end, rest) = behind_all(rest, b"a/{}", b"$`")?;
            }
            rest
        }
        _ => return None,
    };
    skipped(rest)
}

#[test]
fn symbols_that_are_read_only_where_the_parser_can_take_them() {
    let engine = engine(CONTEXTUAL);
    let is_sentence = |text: &[u8]| behind_expression(text).is_some_and(<[u8]>::is_empty);
    let lengths = Lengths { sentence: 7, context: 2, middle: 2 };
    check(&engine, b"a/`$}{", lengths, &is_sentence);
    check(&engine, b"a/`$} ", lengths, &is_sentence);
    check(&engine, b"a/{}\n ", lengths, &is_sentence);
    let deeper = Lengths { sentence: 8, context: 3, middle: 1 };
    check(&engine, b"a`$}", deeper, &is_sentence);
    check(&engine, b"a/}`", deeper, &is_sentence);
    check(&engine, b"/{}a", deeper, &is_sentence);
}

/// Comments that only a line begins with (`-!...`), and one that only the text begins with (`#...`).
const BEGINNINGS: &str = r##"{
    "name": "beginnings", "start": "file", "layout": "none",
    "terminals": [
        {"name": "NAME", "kind": "regex", "pattern": "#?a"},
        {"name": "MINUS", "kind": "literal", "pattern": "-"},
        {"name": "SEMICOLON", "kind": "literal", "pattern": ";"},
        {"name": "BLANKS", "kind": "regex", "pattern": " +"},
        {"name": "LINE_END", "kind": "literal", "pattern": "\n"},
        {"name": "CLOSE", "kind": "regex", "pattern": "-![^\n]*"},
        {"name": "BANG", "kind": "regex", "pattern": "#![^\n]*"}
    ],
    "ignore": ["BLANKS", "LINE_END", "CLOSE", "BANG"],
    "declared": ["END"],
    "branching": {
        "line_breaks": ["LINE_END", "BANG", "CLOSE"],
        "line_start": ["CLOSE"],
        "text_start": ["BANG"],
        "inserted": [
            {"name": "END", "when": "behind_break", "except": ["SEMICOLON", "MINUS"]},
            {"name": "END", "when": "always", "before": ["$END"]}
        ]
    },
    "rules": [
        {"name": "file", "body": {"star": {"seq": ["difference", {"alt": ["SEMICOLON", "END"]}]}}},
        {"name": "difference", "body": {"seq": ["NAME", {"star": {"seq": ["MINUS", "NAME"]}}]}}
    ]
}"##;

fn is_file_of_differences(text: &[u8]) -> bool {
    // First bytes, and whether a line break is in front.
    let mut symbols: Vec<(u8, bool)> = Vec::new();
    let mut at = 0;
    let mut is_behind_break = true;
    while let Some(&byte) = text.get(at) {
        let line_end = text[at..]
            .iter()
            .position(|&byte| byte == b'\n')
            .map_or(text.len(), |length| at + length);
        match byte {
            b' ' => at += 1,
            b'\n' => {
                is_behind_break = true;
                at += 1;
            }
            b'-' if is_behind_break && text.get(at + 1) == Some(&b'!') => at = line_end,
            b'#' if at == 0 && text.get(1) == Some(&b'!') => at = line_end,
            b'#' if text.get(at + 1) == Some(&b'a') => {
                symbols.push((b'a', std::mem::take(&mut is_behind_break)));
                at += 2;
            }
            b'a' | b'-' | b';' => {
                symbols.push((byte, std::mem::take(&mut is_behind_break)));
                at += 1;
            }
            _ => return false,
        }
    }
    let mut wants_name = true;
    let mut is_empty = true;
    for (symbol, is_behind_break) in symbols {
        match (symbol, wants_name) {
            (b'a', true) => wants_name = false,
            (b'a', false) if is_behind_break => {}
            (b'-', false) => wants_name = true,
            (b';', false) => {
                (wants_name, is_empty) = (true, true);
                continue;
            }
            _ => return false,
        }
        is_empty = false;
    }
    is_empty || !wants_name
}

#[test]
fn what_only_lines_or_texts_begin_with() {
    let engine = engine(BEGINNINGS);
    let lengths = Lengths { sentence: 7, context: 2, middle: 2 };
    check(&engine, b"a#!-\n;", lengths, &is_file_of_differences);
    check(&engine, b"a#!-\n ", lengths, &is_file_of_differences);
    let deeper = Lengths { sentence: 8, context: 3, middle: 1 };
    check(&engine, b"a-\n!", deeper, &is_file_of_differences);
    check(&engine, b"#!\na", deeper, &is_file_of_differences);
}
