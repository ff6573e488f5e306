//! The laws of holes on random texts: pieces of programs in any order, and any bytes at all.
//!
//! The seeds are fixed, so that a run says the same twice; `PROPTEST_CASES` asks for more cases.

use super::holes::{
    answers, begins_whole, calculator, check_cuts, check_document, check_hole, json, python,
};
use fim_quotient::{Document, Engine};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::RngSeed;

/// Pieces that make sense next to each other often enough, and often enough do not.
const PYTHON_PIECES: &[&str] = &[
    "if a:\n    b\n",
    "else:\n  c\n",
    "def f(a, /, *b, c=1):\n    return a\n",
    "class C(B):\n\tx: int = 1\n",
    "try:\n  a\nexcept B as c:\n  d\n",
    "match a:\n case [b, *_] if c: d\n",
    "@d\nasync def f(): await g\n",
    "x = [y for y in z if not y]\n",
    "f'a{b!r:>{c}}d'",
    "f\"{', '.join(f'{a}' for a in b)}\"",
    "'''a\nb'''",
    "rb'\\x'",
    "'\\N{DIGIT ONE}'",
    "while a: pass\n",
    "import a.b as c\n",
    "for a in b:",
    "lambda a, *b: c",
    "x = ",
    "not in ",
    "0x1f",
    "1.5j",
    "\n",
    "\n ",
    "\n    ",
    "\n\t",
    "\r\n",
    "\r",
    "\\\n",
    "# é\n",
    " ",
    "\x0c",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ":",
    ",",
    ":=",
    "**",
    "'",
    "\"",
    "'''",
    "f'",
    "f\"{",
    "if",
    "é",
];

const JSON_PIECES: &[&str] = &[
    "{\"a\": 1}",
    "[1, -2.5e3]",
    "\"\\u00e9\\n\"",
    "true",
    "null",
    "fal",
    "se",
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "\\",
    "0",
    "1",
    ".",
    "-",
    "e",
    " ",
    "\n",
    "é",
];

const CALCULATOR_PIECES: &[&str] = &[
    "f(a, b)(c)",
    "(1 + 2)",
    "3.5",
    "a",
    "b_1",
    "1",
    ".",
    "(",
    ")",
    ",",
    "+",
    "-",
    "*",
    "/",
    "^",
    " ",
];

fn config() -> ProptestConfig {
    ProptestConfig {
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn text(pieces: &'static [&'static str], n_pieces: usize) -> impl Strategy<Value = String> {
    vec(select(pieces), 0..=n_pieces).prop_map(|pieces| pieces.concat())
}

/// The offsets of two indices in a text, in order. A character may be cut in half.
fn range(text: &[u8], first: Index, second: Index) -> (usize, usize) {
    let (first, second) = (first.index(text.len() + 1), second.index(text.len() + 1));
    (first.min(second), first.max(second))
}

/// Checks the hole between two places of a text, with the text that is there.
fn check_range(engine: &Engine, text: &[u8], first: Index, second: Index) {
    let (start, stop) = range(text, first, second);
    check_hole(engine, &text[..start], &text[start..stop], &text[stop..]);
}

/// An edit: where, and what takes the place of it.
type Edit = (Index, Index, String);

fn edits(pieces: &'static [&'static str]) -> impl Strategy<Value = Vec<Edit>> {
    vec((any::<Index>(), any::<Index>(), text(pieces, 2)), 1..6)
}

/// After each edit, the holes behind it, in front of it and where it was are as if made afresh.
fn check_edits(engine: &Engine, text: String, edits: &[Edit]) {
    let mut document: Document = engine.document(text.into_bytes());
    for (first, second, new) in edits {
        let (start, stop) = range(document.text(), *first, *second);
        check_document(engine, &mut document, start, stop);
        document.edit(start, stop, new.as_bytes());
        let end = document.text().len();
        let behind = start + new.len();
        for (start, stop) in
            [(start, behind), (behind, behind), (0, start), (behind, end), (end, end)]
        {
            check_document(engine, &mut document, start, stop);
        }
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn python_holes(text in text(PYTHON_PIECES, 6), first: Index, second: Index) {
        check_range(python(), text.as_bytes(), first, second);
    }

    #[test]
    fn json_holes(text in text(JSON_PIECES, 8), first: Index, second: Index) {
        check_range(json(), text.as_bytes(), first, second);
    }

    #[test]
    fn calculator_holes(text in text(CALCULATOR_PIECES, 8), first: Index, second: Index) {
        check_range(calculator(), text.as_bytes(), first, second);
    }

    #[test]
    fn python_cuts(text in text(PYTHON_PIECES, 5)) {
        check_cuts(python(), text.as_bytes(), 0..=text.len());
    }

    #[test]
    fn json_cuts(text in text(JSON_PIECES, 8)) {
        check_cuts(json(), text.as_bytes(), 0..=text.len());
    }

    #[test]
    fn python_documents(text in text(PYTHON_PIECES, 12), edits in edits(PYTHON_PIECES)) {
        check_edits(python(), text, &edits);
    }

    #[test]
    fn json_documents(text in text(JSON_PIECES, 12), edits in edits(JSON_PIECES)) {
        check_edits(json(), text, &edits);
    }

    #[test]
    fn any_bytes(
        left in vec(any::<u8>(), 0..6),
        middle in vec(any::<u8>(), 0..4),
        right in vec(any::<u8>(), 0..6).prop_filter("half a character", |right| begins_whole(right)),
    ) {
        check_hole(python(), &left, &middle, &right);
        check_hole(json(), &left, &middle, &right);
    }

    #[test]
    fn any_bytes_between_pieces(
        left in text(PYTHON_PIECES, 3),
        middle in vec(any::<u8>(), 0..4),
        right in text(PYTHON_PIECES, 3),
    ) {
        check_hole(python(), left.as_bytes(), &middle, right.as_bytes());
    }

    #[test]
    fn forks_do_not_know_of_each_other(
        text in text(PYTHON_PIECES, 6),
        first: Index,
        second: Index,
        other in text(PYTHON_PIECES, 2),
    ) {
        let text = text.as_bytes();
        let (start, stop) = range(text, first, second);
        let Ok(mut recognizer) = python().recognizer(&text[..start], &text[stop..]) else {
            return Ok(());
        };
        let mut fork = recognizer.clone();
        let before = answers(&recognizer);
        let is_read = fork.advance(other.as_bytes());
        prop_assert_eq!(&answers(&recognizer), &before);
        let behind = answers(&fork);
        recognizer.advance(&text[start..stop]);
        prop_assert_eq!(&answers(&fork), &behind);
        prop_assert!(is_read || behind == before);
    }
}
