//! Every short hole of small languages in which symbols may be left out or stand beside line breaks alone, against readers
//! that do as real ones do: they ask for the next symbol when they know what they want, and insert one when they have no
//! way on.

use super::holes::engine;
use super::holes::exhaustive::{Lengths, check};

/// Statements end with `;`, or at the end of a line where nothing can go on: `a`, `a(a)`, `!a`, `a!` (no line break in
/// front of this `!`), `r` with or without a value on its line, `t` with one; or anywhere behind `d()`.
const OMITTED: &str = r#"{
    "name": "omitted", "start": "file", "layout": "none",
    "terminals": [
        {"name": "RETURN", "kind": "literal", "pattern": "r"},
        {"name": "THROW", "kind": "literal", "pattern": "t"},
        {"name": "DO", "kind": "literal", "pattern": "d"},
        {"name": "NAME", "kind": "regex", "pattern": "a+"},
        {"name": "SEMICOLON", "kind": "literal", "pattern": ";"},
        {"name": "LPAR", "kind": "literal", "pattern": "("},
        {"name": "RPAR", "kind": "literal", "pattern": ")"},
        {"name": "LBRACE", "kind": "literal", "pattern": "{"},
        {"name": "RBRACE", "kind": "literal", "pattern": "}"},
        {"name": "BANG", "kind": "literal", "pattern": "!"},
        {"name": "BLANKS", "kind": "regex", "pattern": " +"},
        {"name": "LINE_END", "kind": "literal", "pattern": "\n"},
        {"name": "COMMENT", "kind": "regex", "pattern": "/[^\n/]*/"},
        {"name": "LONG_COMMENT", "kind": "regex", "pattern": "/[^/]*\n[^/]*/"}
    ],
    "ignore": ["BLANKS", "LINE_END", "COMMENT", "LONG_COMMENT"],
    "declared": ["END", "END_OF_POSTFIX", "END_OF_DO", "NO_BREAK"],
    "branching": {
        "line_breaks": ["LINE_END", "LONG_COMMENT"],
        "unbroken": ["NO_BREAK"],
        "inserted": [
            {"name": "END", "when": "behind_break", "except": ["LPAR", "SEMICOLON"]},
            {"name": "END", "when": "always", "before": ["RBRACE", "$END"]},
            {"name": "END_OF_POSTFIX", "when": "behind_break", "except": ["SEMICOLON"]},
            {"name": "END_OF_POSTFIX", "when": "always", "before": ["RBRACE", "$END"]},
            {"name": "END_OF_DO", "when": "always", "except": ["SEMICOLON"]}
        ]
    },
    "rules": [
        {"name": "file", "body": {"star": "statement"}},
        {"name": "statement", "body": {"alt": [
            {"seq": ["plain", "end"]},
            {"seq": ["postfix", "end_of_postfix"]},
            {"seq": ["RETURN", "end_of_postfix"]},
            {"seq": [{"alt": ["RETURN", "THROW"]}, "NO_BREAK",
                     {"alt": [{"seq": ["plain", "end"]}, {"seq": ["postfix", "end_of_postfix"]}]}]},
            {"seq": ["LBRACE", {"star": "statement"}, "RBRACE"]},
            {"seq": ["DO", "LPAR", "RPAR", {"alt": ["SEMICOLON", "END_OF_DO"]}]},
            "SEMICOLON"
        ]}},
        {"name": "end", "body": {"alt": ["SEMICOLON", "END"]}},
        {"name": "end_of_postfix", "body": {"alt": ["SEMICOLON", "END_OF_POSTFIX"]}},
        {"name": "plain", "body": {"seq": [{"star": "BANG"}, "primary"]}},
        {"name": "postfix", "body": {"seq": [{"star": "BANG"}, "primary", "NO_BREAK", "BANG"]}},
        {"name": "primary", "body": {"seq": [
            {"alt": ["NAME", {"seq": ["LPAR", "expression", "RPAR"]}]},
            {"star": {"seq": ["LPAR", {"opt": "expression"}, "RPAR"]}}
        ]}},
        {"name": "expression", "body": {"alt": ["plain", "postfix"]}}
    ]
}"#;

/// A symbol's first byte (0 at the end), and whether a line break is in front of it.
type Symbol = (u8, bool);

fn symbols(text: &[u8]) -> Option<Vec<Symbol>> {
    let mut found = Vec::new();
    let (mut rest, mut is_behind_break) = (text, true);
    while let [first, behind @ ..] = rest {
        rest = behind;
        match first {
            b' ' => continue,
            b'\n' => {
                is_behind_break = true;
                continue;
            }
            b'/' => {
                let end = rest.iter().position(|&byte| byte == b'/')?;
                is_behind_break |= rest[..end].contains(&b'\n');
                rest = &rest[end + 1..];
                continue;
            }
            b'a' => {
                let end = rest.iter().position(|&byte| byte != b'a').unwrap_or(rest.len());
                rest = &rest[end..];
            }
            _ => {}
        }
        found.push((*first, std::mem::take(&mut is_behind_break)));
    }
    found.push((0, is_behind_break));
    Some(found)
}

/// A reader that inserts an end where what comes next is not allowed.
struct Reader<'a>(&'a [Symbol]);

impl Reader<'_> {
    fn next(&self) -> Symbol {
        self.0[0]
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.next().0 == byte).then(|| self.0 = &self.0[1..])
    }

    fn statements(&mut self) -> Option<()> {
        while !matches!(self.next().0, 0 | b'}') {
            self.statement()?;
        }
        Some(())
    }

    fn statement(&mut self) -> Option<()> {
        match self.next().0 {
            b';' => return self.take(b';'),
            b'{' => {
                self.take(b'{')?;
                self.statements()?;
                return self.take(b'}');
            }
            b'd' => {
                b"d()".iter().try_for_each(|&byte| self.take(byte))?;
                return self.take(b';').or(Some(()));
            }
            b'r' => {
                self.take(b'r')?;
                if matches!(self.next(), (b'a' | b'(' | b'!', false)) {
                    self.expression()?;
                }
            }
            b't' => {
                self.take(b't')?;
                if self.next().1 {
                    return None;
                }
                self.expression()?;
            }
            _ => self.expression()?,
        }
        match self.next() {
            (b';', _) => self.take(b';'),
            (0 | b'}', _) | (_, true) => Some(()),
            _ => None,
        }
    }

    fn expression(&mut self) -> Option<()> {
        while self.take(b'!').is_some() {}
        match self.take(b'(') {
            Some(()) => {
                self.expression()?;
                self.take(b')')?;
            }
            None => self.take(b'a')?,
        }
        while self.take(b'(').is_some() {
            if self.take(b')').is_none() {
                self.expression()?;
                self.take(b')')?;
            }
        }
        if self.next() == (b'!', false) {
            self.take(b'!')?;
        }
        Some(())
    }
}

fn is_file(text: &[u8]) -> bool {
    let Some(symbols) = symbols(text) else { return false };
    let mut reader = Reader(&symbols);
    reader.statements().is_some() && reader.next().0 == 0
}

#[test]
fn symbols_that_a_writer_may_leave_out() {
    let engine = engine(OMITTED);
    let lengths = Lengths { sentence: 7, context: 2, middle: 2 };
    check(&engine, b"a!(\n;)", lengths, &is_file);
    check(&engine, b"ar\n}{;", lengths, &is_file);
    check(&engine, b"t\na{} ", lengths, &is_file);
    check(&engine, b"rta\n!/", lengths, &is_file);
    check(&engine, b"d()a;", lengths, &is_file);
    let deeper = Lengths { sentence: 8, context: 3, middle: 1 };
    check(&engine, b"a\n(;", deeper, &is_file);
    check(&engine, b"t\n!a", deeper, &is_file);
}

/// Behind a name there is `!` in the next line, or `(` in its own.
const BROKEN: &str = r#"{
    "name": "broken", "start": "file", "layout": "none",
    "terminals": [
        {"name": "NAME", "kind": "regex", "pattern": "a+"},
        {"name": "SEMICOLON", "kind": "literal", "pattern": ";"},
        {"name": "LPAR", "kind": "literal", "pattern": "("},
        {"name": "BANG", "kind": "literal", "pattern": "!"},
        {"name": "BLANKS", "kind": "regex", "pattern": " +"},
        {"name": "LINE_END", "kind": "literal", "pattern": "\n"},
        {"name": "COMMENT", "kind": "regex", "pattern": "/[^\n/]*/"},
        {"name": "LONG_COMMENT", "kind": "regex", "pattern": "/[^/]*\n[^/]*/"}
    ],
    "ignore": ["BLANKS", "LINE_END", "COMMENT", "LONG_COMMENT"],
    "declared": ["END", "NO_BREAK", "BREAK"],
    "branching": {
        "line_breaks": ["LINE_END", "LONG_COMMENT"],
        "unbroken": ["NO_BREAK"],
        "broken": ["BREAK"],
        "inserted": [
            {"name": "END", "when": "behind_break", "except": ["BANG", "SEMICOLON"]},
            {"name": "END", "when": "always", "before": ["$END"]}
        ]
    },
    "rules": [
        {"name": "file", "body": {"star": "statement"}},
        {"name": "statement", "body": {"seq": [
            "NAME",
            {"opt": {"alt": [{"seq": ["BREAK", "BANG"]}, {"seq": ["NO_BREAK", "LPAR"]}]}},
            {"alt": ["SEMICOLON", "END"]}
        ]}}
    ]
}"#;

fn is_broken_as_wanted(text: &[u8]) -> bool {
    let Some(symbols) = symbols(text) else { return false };
    let mut rest = &symbols[..];
    while let [(b'a', _), behind @ ..] = rest {
        rest = match behind {
            [(b'!', true) | (b'(', false), behind @ ..] => behind,
            _ => behind,
        };
        rest = match rest {
            [(b';', _), behind @ ..] => behind,
            [(0, _), ..] | [(b'a' | b'(', true), ..] => rest,
            _ => return false,
        };
    }
    matches!(rest, [(0, _)])
}

#[test]
fn symbols_behind_a_line_break_alone() {
    let engine = engine(BROKEN);
    let lengths = Lengths { sentence: 7, context: 2, middle: 2 };
    check(&engine, b"a!\n(; ", lengths, &is_broken_as_wanted);
    check(&engine, b"a!\n/;", lengths, &is_broken_as_wanted);
    let deeper = Lengths { sentence: 8, context: 3, middle: 1 };
    check(&engine, b"a!\n(", deeper, &is_broken_as_wanted);
}
