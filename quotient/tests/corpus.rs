//! The corpus of `tests/corpus`, which the reference and the Python interface read as well.
//!
//! Each case is a hole in a Python file. Its verdicts were checked against CPython; here the engine
//! is checked against them, with the laws of every hole on top.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use super::holes::{Verdict, calculator, check_cuts, check_hole, is_sentence, json, python};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// A line of the corpus; its README says what the fields mean.
#[derive(Deserialize)]
struct Case {
    name: String,
    left: String,
    middle: String,
    right: String,
    member: bool,
    completable: bool,
    completion: Option<String>,
}

/// A text that CPython parses, or does not.
#[derive(Deserialize)]
struct Sentence {
    name: String,
    text: String,
    valid: bool,
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpus")
}

fn lines<T: DeserializeOwned>(path: &Path) -> Vec<T> {
    let text = fs::read_to_string(path).expect("a file of the corpus");
    let parsed = text.lines().map(|line| serde_json::from_str(line).expect("a line of the corpus"));
    parsed.collect()
}

fn cases() -> Vec<Case> {
    let listed =
        fs::read_dir(corpus()).expect("the corpus").map(|entry| entry.expect("a file").path());
    let mut files: Vec<PathBuf> = listed
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .collect();
    files.sort();
    files.iter().flat_map(|path| lines::<Case>(path)).collect()
}

/// Runs all cases, so that one failure does not hide the others.
fn for_each<T>(cases: Vec<T>, name: impl Fn(&T) -> String, check: impl Fn(&T)) {
    assert!(!cases.is_empty());
    let mut failed: Vec<String> = Vec::new();
    for case in &cases {
        if catch_unwind(AssertUnwindSafe(|| check(case))).is_err() {
            failed.push(name(case));
        }
    }
    assert!(failed.is_empty(), "{failed:?} of {} cases", cases.len());
}

#[test]
fn verdicts_are_those_of_the_corpus() {
    for_each(
        cases(),
        |case| case.name.clone(),
        |case| {
            let (left, right) = (case.left.as_bytes(), case.right.as_bytes());
            let verdict = check_hole(python(), left, case.middle.as_bytes(), right);
            match verdict {
                Verdict::Completable { is_member } => {
                    assert!(case.completable);
                    assert_eq!(is_member, case.member);
                }
                Verdict::Refused | Verdict::NoHole(_) => assert!(!case.completable, "{verdict:?}"),
            }
            if let Some(completion) = &case.completion {
                let whole = [case.middle.as_str(), completion].concat();
                let verdict = check_hole(python(), left, whole.as_bytes(), right);
                assert_eq!(verdict, Verdict::Completable { is_member: true });
            }
        },
    );
}

#[test]
fn verdicts_do_not_depend_on_the_cut() {
    for_each(
        cases(),
        |case| case.name.clone(),
        |case| {
            let text = [case.left.as_str(), &case.middle, &case.right].concat();
            assert_eq!(is_sentence(python(), text.as_bytes()), case.member);
            check_cuts(python(), text.as_bytes(), evenly(text.len()));
        },
    );
}

#[test]
fn the_grammar_accepts_what_cpython_parses() {
    let sentences: Vec<Sentence> = lines(&corpus().join("grammar/python-3.11.jsonl"));
    for_each(
        sentences,
        |sentence| sentence.name.clone(),
        |sentence| {
            assert_eq!(is_sentence(python(), sentence.text.as_bytes()), sentence.valid);
            check_cuts(python(), sentence.text.as_bytes(), evenly(sentence.text.len()));
        },
    );
}

/// Every cut of a short text, some of a long one.
fn evenly(length: usize) -> impl Iterator<Item = usize> {
    (0..=length).step_by(1 + length / 64)
}

/// Holes as `left <hole> right` of a text with one `$0`.
fn check(engine: &fim_quotient::Engine, hole: &str, middle: &str, expected: Option<bool>) {
    let (left, right) = hole.split_once("$0").expect("a cursor");
    let found = match check_hole(engine, left.as_bytes(), middle.as_bytes(), right.as_bytes()) {
        Verdict::Completable { is_member } => Some(is_member),
        Verdict::Refused | Verdict::NoHole(_) => None,
    };
    assert_eq!(found, expected, "{hole} with {middle:?}");
}

#[test]
fn json_holes() {
    check(json(), r#"{"a": $0}"#, "[1, 2", Some(false));
    check(json(), r#"{"a": $0}"#, "[1, 2]", Some(true));
    check(json(), r#"{"a": $0}"#, "]", None);
    check(json(), r#"{"a": $0}"#, "1}, {", None);
    check(json(), r#"{"a": $0}"#, r#"1, "b": {"#, Some(false));
    check(json(), r#"["a$0b", 1]"#, r#"", ""#, Some(true));
    check(json(), r#"["a$0b", 1]"#, "\n", None);
    check(json(), "[1$02]", "e", Some(true));
    check(json(), "[0$01]", "", Some(false));
    check(json(), "[0$01]", ".", Some(true));
    check(json(), "tr$0e", "u", Some(true));
    check(json(), "$0", "", Some(false));
}

#[test]
fn calculator_holes() {
    check(calculator(), "f($0) * 2", "a, g(b", Some(false));
    check(calculator(), "f($0) * 2", "a, g(b)", Some(true));
    check(calculator(), "f($0) * 2", "", Some(true));
    check(calculator(), "f($0) * 2", "a,", Some(false));
    check(calculator(), "f($0) * 2", ",", None);
    check(calculator(), "1$02", " ", Some(false));
    check(calculator(), "1$02", ".", Some(true));
    check(calculator(), "1$0a", "+", Some(true));
    check(calculator(), "1 2$0", "", None);
    check(calculator(), "1$0)", "", Some(false));
    check(calculator(), "1$0)", ")", None);
}
