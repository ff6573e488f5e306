//! Every short hole of three small languages, against all their short sentences.

use super::holes::exhaustive::{Lengths, check};
use super::holes::{calculator, engine, json};

#[test]
fn json_sentences() {
    let is_sentence = |text: &[u8]| serde_json::from_slice::<serde_json::Value>(text).is_ok();
    let lengths = Lengths { sentence: 6, context: 2, middle: 3 };
    check(json(), b"[]{}:,\"0-", lengths, &is_sentence);
}

/// What is left of a text behind the calculator expression that it begins with.
fn behind_expression(text: &[u8]) -> Option<&[u8]> {
    let mut rest = behind_operand(text)?;
    while let [b'+' | b'-' | b'*' | b'/' | b'^', behind @ ..] = rest {
        rest = behind_operand(behind)?;
    }
    Some(rest)
}

fn behind_operand(text: &[u8]) -> Option<&[u8]> {
    let is_in_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut rest = match text {
        [b'-', behind @ ..] => return behind_operand(behind),
        [b'(', behind @ ..] => behind_expression(behind)?.strip_prefix(b")")?,
        [b'0'..=b'9', ..] => behind_number(text)?,
        [first, ..] if is_in_name(*first) => behind_all(text, is_in_name),
        _ => return None,
    };
    while let [b'(', behind @ ..] = rest {
        rest = behind_arguments(behind)?;
    }
    Some(rest)
}

fn behind_number(text: &[u8]) -> Option<&[u8]> {
    let is_digit = |byte: u8| byte.is_ascii_digit();
    match behind_all(text, is_digit) {
        [b'.', behind @ ..] => {
            behind.first()?.is_ascii_digit().then(|| behind_all(behind, is_digit))
        }
        rest => Some(rest),
    }
}

fn behind_arguments(text: &[u8]) -> Option<&[u8]> {
    if let [b')', behind @ ..] = text {
        return Some(behind);
    }
    let mut rest = behind_expression(text)?;
    while let [b',', behind @ ..] = rest {
        rest = behind_expression(behind)?;
    }
    rest.strip_prefix(b")")
}

fn behind_all(text: &[u8], is_in: impl Fn(u8) -> bool) -> &[u8] {
    let end = text.iter().position(|&byte| !is_in(byte));
    &text[end.unwrap_or(text.len())..]
}

#[test]
fn calculator_sentences() {
    let is_sentence = |text: &[u8]| behind_expression(text).is_some_and(<[u8]>::is_empty);
    let lengths = Lengths { sentence: 6, context: 2, middle: 3 };
    check(calculator(), b"a1.(),-+", lengths, &is_sentence);
}

/// A layout language: a line is `a` or the head `i:` of a suite.
const SUITES: &str = r#"{
    "name": "suites", "start": "file", "layout": "python", "ignore": [],
    "declared": ["NEWLINE", "INDENT", "DEDENT"],
    "terminals": [
        {"name": "NAME", "kind": "literal", "pattern": "a"},
        {"name": "IF", "kind": "literal", "pattern": "i"},
        {"name": "COLON", "kind": "literal", "pattern": ":"}
    ],
    "rules": [
        {"name": "file", "body": {"star": "statement"}},
        {"name": "statement", "body": {"alt": [
            {"seq": ["NAME", "NEWLINE"]},
            {"seq": ["IF", "COLON", "NEWLINE", "INDENT", {"plus": "statement"}, "DEDENT"]}
        ]}}
    ]
}"#;

/// The column and the symbols of each line, blank ones left out, lines joined by a backslash:
/// then the column in front of the first backslash counts, unless it is 0. `None`: the last line
/// is joined to nothing.
fn lines_of_suites(text: &[u8]) -> Option<Vec<(usize, Vec<u8>)>> {
    let mut lines = Vec::new();
    let mut column = 0;
    let mut joined_column = 0;
    let mut symbols = Vec::new();
    let mut physical = text.split(|&byte| byte == b'\n').peekable();
    while let Some(line) = physical.next() {
        let code = line.split(|&byte| byte == b'#').next().unwrap_or_default();
        let is_leading = symbols.is_empty();
        if is_leading {
            column += code.iter().take_while(|&&byte| byte == b' ').count();
        }
        symbols.extend(code.iter().filter(|&&byte| byte != b' '));
        if line.ends_with(b"\\") && line.len() == code.len() {
            symbols.pop();
            if symbols.is_empty() && joined_column == 0 {
                joined_column = column;
            }
            let next = physical.peek()?;
            if next.is_empty() && physical.clone().nth(1).is_none() {
                return None;
            }
            continue;
        }
        if !symbols.is_empty() {
            let column = if joined_column > 0 { joined_column } else { column };
            lines.push((column, std::mem::take(&mut symbols)));
        }
        (column, joined_column) = (0, 0);
    }
    Some(lines)
}

/// Whether a text without tabs is a file of suites: its lines one after the other, with the
/// columns of the suites around them.
fn is_file_of_suites(text: &[u8]) -> bool {
    let Some(lines) = lines_of_suites(text) else { return false };
    let mut columns = vec![0];
    let mut is_head = false;
    for (column, symbols) in lines {
        if is_head != (column > columns[columns.len() - 1]) {
            return false;
        }
        if is_head {
            columns.push(column);
        }
        while columns.last() > Some(&column) {
            columns.pop();
        }
        if columns.last() != Some(&column) {
            return false;
        }
        is_head = match &symbols[..] {
            b"a" => false,
            b"i:" => true,
            _ => return false,
        };
    }
    !is_head
}

#[test]
fn files_of_suites() {
    let suites = engine(SUITES);
    let lengths = Lengths { sentence: 9, context: 4, middle: 2 };
    check(&suites, b"ai:\n ", lengths, &is_file_of_suites);
}
