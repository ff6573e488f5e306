//! Texts and the symbols that they are read as.
//!
//! The terminals are those of the Python grammar. In the expected lists a symbol stands for itself
//! if its terminal is a literal, else the terminal's name does; an INDENT shows its column.

use fim_lexer::suffix::{Lexed, lex_symbol};
use fim_lexer::{Dialect, Lexer, LexicalDescription, Symbol, TerminalId};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::RngSeed;
use std::sync::OnceLock;

fn python() -> &'static Lexer {
    static LEXER: OnceLock<Lexer> = OnceLock::new();
    LEXER.get_or_init(|| {
        let grammar = include_str!("../../quotient/grammars/python-3.11.json");
        let mut description: LexicalDescription =
            serde_json::from_str(grammar).expect("a grammar description");
        description.dialect = Dialect::of_version("3.11");
        Lexer::new(description).expect("terminals that compile")
    })
}

/// The symbols of a text with a line break behind it, or how many bytes could be read.
fn symbols(text: &str) -> Result<Vec<Symbol>, usize> {
    let mut found = Vec::new();
    let mut state = python().start();
    for (index, byte) in text.bytes().chain(*b"\n").enumerate() {
        let is_read = python().feed(&mut state, byte, &mut |symbol| {
            found.push(symbol);
            true
        });
        if !is_read {
            return Err(index);
        }
    }
    Ok(found)
}

fn spelled(symbols: &[Symbol]) -> String {
    let description = &python().description;
    let names: Vec<&str> =
        description.names().map(|name| description.declared_name(name)).collect();
    let words = symbols.iter().map(|symbol| match symbol.column {
        Some(column) => format!("{}{}", names[symbol.terminal.index()], column.wide),
        None => names[symbol.terminal.index()].to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The text's symbols, whichever line ends it has.
fn check(text: &str, expected: &str) {
    for line_end in ["\n", "\r\n", "\r"] {
        let text = text.replace('\n', line_end);
        let found = symbols(&text).unwrap_or_else(|at| panic!("{text:?} is dead at {at}"));
        assert_eq!(spelled(&found), expected, "{text:?}");
    }
}

/// The text is dead from this byte on.
fn check_dead(text: &str, at: usize) {
    assert_eq!(symbols(text).map(|found| spelled(&found)), Err(at), "{text:?}");
}

#[test]
fn a_small_module() {
    check(
        "import os as o\nx = o.a[1:]",
        "import NAME as NAME NEWLINE NAME = NAME . NAME [ REAL : ] NEWLINE",
    );
    check("del x; pass", "del NAME ; pass NEWLINE");
    check("\n# nothing\n\nx # more\n   \n", "NAME NEWLINE");
}

#[test]
fn the_longest_symbol_wins_and_keywords_are_no_names() {
    check("a **= b // c", "NAME **= NAME // NAME NEWLINE");
    check("iff = if_", "NAME = NAME NEWLINE");
    check("x if y else z", "NAME if NAME else NAME NEWLINE");
    check("matches = match", "NAME = match NEWLINE");
    check("é = ñ2", "NAME = NAME NEWLINE");
}

#[test]
fn a_symbol_that_has_begun_must_be_finished() {
    // 0or 1
    //   ^ is no octal digit
    check_dead("0or 1", 2);
    check_dead("x = 1__0", 6);
    check_dead("x = 'a\n", 6);
    check_dead("x = $", 4);
    check_dead("x = \\ y", 5);
    check_dead("x = \"\\N{NO SUCH", 12);
}

#[test]
fn numbers_and_strings() {
    check("0x_1f + 1_0 + 1e-5 + .5j", "REAL + REAL + REAL + IMAGINARY NEWLINE");
    check("'a' \"b\" '''c\nd''' r'\\d'", "STRING STRING STRING STRING NEWLINE");
    check("b'a' Rb\"\\xff\" '\\N{EM DASH}'", "BYTES BYTES STRING NEWLINE");
    check("''''''", "STRING NEWLINE");
}

#[test]
fn suites_begin_and_end_by_columns() {
    check(
        "if a:\n  b\n  c\nd",
        "if NAME : NEWLINE INDENT2 NAME NEWLINE NAME NEWLINE DEDENT NAME NEWLINE",
    );
    check(
        "if a:\n if b:\n\t\tc\nd",
        "if NAME : NEWLINE INDENT1 if NAME : NEWLINE INDENT16 NAME NEWLINE DEDENT DEDENT NAME NEWLINE",
    );
    check("if a:\n\x0c  b\n  c", "if NAME : NEWLINE INDENT2 NAME NEWLINE NAME NEWLINE");
    // A line between two suites' columns is in neither.
    check_dead("if a:\n    b\n  c", 14);
    // A tab and eight spaces are not the same column, nor is a tab deeper than one space.
    check_dead("if a:\n\tb\n        c", 17);
    check_dead("if a:\n if b:\n\tc", 14);
}

#[test]
fn lines_are_joined_by_brackets_and_backslashes() {
    check("f(a,\n  b)\nc", "NAME ( NAME , NAME ) NEWLINE NAME NEWLINE");
    check("a \\\n  + b", "NAME + NAME NEWLINE");
    check("if a:\n  \\\n      b\n  c", "if NAME : NEWLINE INDENT2 NAME NEWLINE NAME NEWLINE");
    check_dead("f(a]", 4);
}

#[test]
fn f_strings_are_read_in_parts() {
    check(
        "f'a{b!r:>{c}}d'",
        "FSTRING_START FSTRING_MIDDLE FIELD_OPEN NAME FIELD_CONVERSION FIELD_COLON FSTRING_MIDDLE \
         FIELD_OPEN NAME FIELD_CLOSE FIELD_CLOSE FSTRING_MIDDLE FSTRING_END NEWLINE",
    );
    check(
        "f'' f\"{{}}\"",
        "FSTRING_START FSTRING_END FSTRING_START FSTRING_MIDDLE FSTRING_MIDDLE FSTRING_END NEWLINE",
    );
    check(
        "f'{a[0]=}'",
        "FSTRING_START FIELD_OPEN NAME [ REAL ] FIELD_EQUAL FIELD_CLOSE FSTRING_END NEWLINE",
    );
    check(
        "f\"{f'{a}'}\"",
        "FSTRING_START FIELD_OPEN FSTRING_START FIELD_OPEN NAME FIELD_CLOSE FSTRING_END FIELD_CLOSE \
         FSTRING_END NEWLINE",
    );
    // f'{'a'}'
    //    ^ ends the f-string up to 3.11, in the middle of a field
    check_dead("f'{'a'}'", 3);
    check_dead("f'{a#b}'", 4);
}

fn config() -> ProptestConfig {
    ProptestConfig {
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn text() -> impl Strategy<Value = String> {
    let pieces = vec![
        "a",
        "if",
        "1",
        "0x",
        "1.5e",
        "'b'",
        "f'{c",
        "}'",
        "f\"\"\"",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        ":",
        "=",
        "!r",
        "#d\n",
        "\n",
        "\n  ",
        "\n\t",
        "\\\n",
        "\r",
        " ",
        "\\N{DIGIT ",
        "ONE}",
        "é",
        "**",
    ];
    vec(select(pieces), 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(config())]

    /// A state is a value: what is read from a copy of it does not touch the original.
    #[test]
    fn rewinding_restores(text in text(), cut: Index, other in text()) {
        let cut = cut.index(text.len() + 1);
        let mut state = python().start();
        let read = |state: &mut _, bytes: &[u8]| {
            let mut found = Vec::new();
            let is_read = bytes.iter().all(|&byte| python().feed(state, byte, &mut |symbol| {
                found.push(symbol);
                true
            }));
            (is_read, found)
        };
        let (is_read, before) = read(&mut state, &text.as_bytes()[..cut]);
        prop_assume!(is_read);
        let mut aside = state.clone();
        read(&mut aside, other.as_bytes());
        let (is_read, behind) = read(&mut state, &[&text.as_bytes()[cut..], b"\n"].concat());
        let expected = symbols(&text);
        prop_assert_eq!(is_read, expected.is_ok());
        if let Ok(expected) = expected {
            prop_assert_eq!([before, behind].concat(), expected);
        }
    }

    /// Read as a right context, from the start of a line on, a text without f-strings has the same
    /// symbols.
    #[test]
    fn a_right_context_reads_the_same(text in text().prop_filter("f-strings", |text| !text.contains("f'") && !text.contains("f\""))) {
        let Ok(expected) = symbols(&text) else { return Ok(()) };
        let layout = python().layout().expect("Python's layout");
        let is_written = |terminal: TerminalId| {
            terminal != layout.newline && terminal != layout.indent && terminal != layout.dedent
        };
        let expected: Vec<TerminalId> =
            expected.iter().map(|symbol| symbol.terminal).filter(|&terminal| is_written(terminal)).collect();
        let text = [text.as_bytes(), b"\n"].concat();
        let mut found: Vec<TerminalId> = Vec::new();
        let mut at = 0;
        let mut raw = python().scanner.start(None);
        loop {
            match lex_symbol(python(), &text, at, raw) {
                Lexed::Symbol { emission, end, restart, .. } => {
                    found.extend(&python().scanner.emission(emission).symbols);
                    (at, raw) = (end, restart);
                }
                Lexed::LineBreak { end } => (at, raw) = (end, python().scanner.start(None)),
                Lexed::End => break,
                Lexed::Dead => prop_assert!(false, "dead at {}", at),
            }
        }
        prop_assert_eq!(found, expected);
    }
}
