//! Texts about which the two directions once disagreed, each cut everywhere; and holes whose
//! witness was once missing.

use super::holes::{Verdict, check_cuts, check_hole, is_sentence, json, python, shown};
use fim_quotient::Engine;

/// Every cut of the text gives the same verdict.
fn check(text: &str, expected: bool) {
    assert_eq!(is_sentence(python(), text.as_bytes()), expected, "{text:?}");
    check_cuts(python(), text.as_bytes(), 0..=text.len());
}

/// The text in the hole at `$0` passes all laws, and is refused or can be completed.
fn check_filling(engine: &Engine, hole: &str, middle: &str, is_completable: bool) {
    let (left, right) = hole.split_once("$0").expect("a cursor");
    let verdict = check_hole(engine, left.as_bytes(), middle.as_bytes(), right.as_bytes());
    let found = matches!(verdict, Verdict::Completable { .. });
    assert_eq!(found, is_completable, "{:?} in {hole:?}", shown(middle.as_bytes()));
}

#[test]
fn comments_hold_text() {
    check("#a\0b", false);
    check("a\n#b\0\nc", false);
    check("#é\n", true);
    check_cuts(python(), b"# \xff\na", 0..=5);
    check_cuts(python(), b"a # \xff", 0..=5);
}

#[test]
fn a_backslash_joins_two_lines() {
    check("\\\n", false);
    check("\\\n\n", true);
    check("\\\r", false);
    check("\\\r\r", true);
    check("\\\r\n", true);
    check("x \\\r", false);
    check("x \\\n", false);
    check("x \\\r\n", true);
    check("x \\\r\r", true);
}

#[test]
fn an_fstring_goes_on_behind_an_escaped_line_break() {
    check("f'a\\\nb'", true);
    check("f'\\\n'", true);
    check("f'a\\\r\n{b}'", true);
    check("f'a\nb'", false);
}

#[test]
fn a_lambda_in_a_field_needs_brackets() {
    check_filling(python(), "x = f\"{$0}\"\n", "lambda", true);
    check_filling(python(), "x = f\"{$0}\"\n", "lambda x", false);
    check_filling(python(), "x = f\"{$0}\"\n", "(lambda x", true);
    check("f'{lambdas}'", true);
    check("f'{lambda x: x}'", false);
    check("f'{(lambda x: x)}'", true);
}

#[test]
fn brackets_of_both_sides_count_against_the_limit() {
    let nested = |n_left: usize, n_right: usize| {
        format!("x = {}$0{}\n", "(".repeat(n_left), ")".repeat(n_right))
    };
    check_filling(python(), &nested(199, 200), "(", true);
    check_filling(python(), &nested(200, 200), "(", false);
    check_filling(python(), &nested(190, 201), "(", true);
}

#[test]
fn a_symbol_in_progress_goes_on_into_the_right_context() {
    check_filling(json(), "tr$0e", "u", true);
    check_filling(json(), "[fa$0se]", "l", true);
    check_filling(json(), "[1.$02]", "", true);
}

#[test]
fn a_character_cut_in_half_is_completed_first() {
    for (left, typed) in
        [("# ", "\u{e9}"), ("a # ", "\u{20ac}"), ("(# ", "\u{1f600}"), ("'", "\u{20ac}")]
    {
        for end in 1..typed.len() {
            let half = &typed.as_bytes()[..end];
            let verdict = check_hole(python(), left.as_bytes(), half, b"");
            assert_eq!(verdict, Verdict::Completable { is_member: false }, "{left:?} {half:?}");
        }
    }
}
