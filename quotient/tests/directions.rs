//! The two directions beside each other: mirrored languages, and charts that do not grow with the
//! text.

use super::holes::{answers, engine, python};
use fim_lexer::{LineColumn, Symbol, TerminalId};
use fim_quotient::charts::{LeftChart, LeftCharts};
use fim_quotient::charts::{LineBreak, RightChart, RightCharts};
use fim_quotient::grammar::Rules;
use fim_quotient::{Engine, Language};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;

/// A language whose symbols read the same from both ends, and its mirror image.
fn both_ways() -> [Engine; 2] {
    let terminals = r#"[
        {"name": "NAME", "kind": "regex", "pattern": "[a-z]+"},
        {"name": "LET", "kind": "literal", "pattern": "let"},
        {"name": "TEL", "kind": "literal", "pattern": "tel"},
        {"name": "OPEN", "kind": "literal", "pattern": "("},
        {"name": "CLOSE", "kind": "literal", "pattern": ")"},
        {"name": "COMMA", "kind": "literal", "pattern": ","},
        {"name": "SPACE", "kind": "literal", "pattern": " "}
    ]"#;
    let forward = r#"[
        {"name": "file", "body": {"plus": "item"}},
        {"name": "item", "body": {"seq": ["LET", "NAME", {"opt": "call"}, "COMMA"]}},
        {"name": "call", "body": {"seq": ["NAME", "OPEN", {"opt": "list"}, "CLOSE"]}},
        {"name": "list", "body": {"seq": [{"alt": ["NAME", "call"]}, {"star": {"seq": ["COMMA", "call"]}}]}}
    ]"#;
    let backward = r#"[
        {"name": "file", "body": {"plus": "item"}},
        {"name": "item", "body": {"seq": ["COMMA", {"opt": "call"}, "NAME", "TEL"]}},
        {"name": "call", "body": {"seq": ["OPEN", {"opt": "list"}, "CLOSE", "NAME"]}},
        {"name": "list", "body": {"seq": [{"star": {"seq": ["call", "COMMA"]}}, {"alt": ["NAME", "call"]}]}}
    ]"#;
    [forward, backward].map(|rules| {
        engine(&format!(
            r#"{{"name": "mirror", "start": "file", "layout": "none", "ignore": ["SPACE"],
                "terminals": {terminals}, "rules": {rules}}}"#
        ))
    })
}

/// The text read from its end, brackets turned round.
fn mirrored(text: &str) -> String {
    let turned = |character| match character {
        '(' => ')',
        ')' => '(',
        other => other,
    };
    text.chars().rev().map(turned).collect()
}

/// What is said of the empty hole between two contexts.
fn verdict(engine: &Engine, left: &str, right: &str) -> Option<bool> {
    let recognizer = engine.recognizer(left.as_bytes(), right.as_bytes());
    recognizer.ok().map(|recognizer| recognizer.is_member())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2000,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_mirrored_hole_gets_the_same_verdict(
        pieces in vec(select(vec!["let a", "let b c(d),", "a(b, c(d))", "let ", "x", "(", ")", ",", " "]), 0..7),
        cut: prop::sample::Index,
    ) {
        let [forward, backward] = both_ways();
        let text = pieces.concat();
        let (left, right) = text.split_at(cut.index(text.len() + 1));
        // The brackets' names are swapped with their shapes, so that the rules can be read.
        let expected = verdict(&forward, left, right);
        prop_assert_eq!(verdict(&backward, &mirrored(right), &mirrored(left)), expected);
    }
}

/// Brackets around a cross: the rule reads the same from both ends.
fn crosses() -> Language {
    let engine = r#"{
        "name": "crosses", "start": "file", "layout": "none", "ignore": [],
        "terminals": [
            {"name": "OPEN", "kind": "literal", "pattern": "("},
            {"name": "CLOSE", "kind": "literal", "pattern": ")"},
            {"name": "CROSS", "kind": "literal", "pattern": "x"}
        ],
        "rules": [
            {"name": "file", "body": {"plus": "cross"}},
            {"name": "cross", "body": {"alt": ["CROSS", {"seq": ["OPEN", {"star": "cross"}, "CLOSE"]}]}}
        ]
    }"#;
    let description = fim_quotient::GrammarDescription::from_json(engine).expect("a description");
    Language::new(description).expect("a grammar")
}

/// The terminals of a text in which each character is one.
fn terminals(language: &Language, text: &str) -> Vec<TerminalId> {
    let known = &language.lexer.description.terminals;
    let terminal = |character: char| {
        let index = known.iter().position(|known| known.pattern == character.to_string());
        TerminalId(index.expect("a terminal") as u16)
    };
    text.chars().map(terminal).collect()
}

/// The numbers of items after each symbol from the left.
fn left_counts(language: &Language, text: &str) -> Vec<usize> {
    let (rules, mut charts) = (&language.rules, LeftCharts::new(&language.rules));
    let mut chart = LeftChart::FIRST;
    let step = |terminal| {
        chart = charts.step(rules, chart, Symbol { terminal, column: None }).expect("a beginning");
        charts.items(chart).len()
    };
    terminals(language, text).into_iter().map(step).collect()
}

/// The numbers of items before each symbol from the right.
fn right_counts(language: &Language, text: &str) -> Vec<usize> {
    let (rules, mut charts) = (&language.rules, RightCharts::new(&language.rules));
    let mut chart = RightChart::LAST;
    let step = |terminal| {
        chart = charts.step(rules, chart, terminal, None).expect("an end");
        charts.items(rules, chart).count()
    };
    terminals(language, text).into_iter().rev().map(step).collect()
}

#[test]
fn mirrored_programs_have_mirrored_numbers_of_items() {
    let language = crosses();
    for text in ["x", "(x)", "((x)x()x)", "x(x)((()))", "((((((x))))))xx"] {
        assert_eq!(
            left_counts(&language, text),
            right_counts(&language, &mirrored(text)),
            "{text}"
        );
    }
}

/// The number of left charts behind a text.
fn n_left_charts(language: &Language, text: &str) -> usize {
    let mut charts = LeftCharts::new(&language.rules);
    let mut chart = LeftChart::FIRST;
    let mut state = language.lexer.start();
    for byte in text.bytes() {
        let is_read = language.lexer.feed(&mut state, byte, &mut |symbol| {
            let next = charts.step(&language.rules, chart, symbol);
            chart = next.unwrap_or(chart);
            next.is_some()
        });
        assert!(is_read, "{text}");
    }
    charts.n_charts()
}

/// The number of right charts in front of the lines of a module without suites.
fn n_right_charts(language: &Language, text: &str) -> usize {
    let rules: &Rules = &language.rules;
    let layout = language.lexer.layout().expect("Python's layout");
    let column = fim_lexer::Column::ZERO;
    let mut charts = RightCharts::new(rules);
    let mut chart = RightChart::LAST;
    let line_break = LineBreak { first: Some(column), second: LineColumn::At(column) };
    for line in text.lines().rev() {
        chart = charts.newline(rules, layout, chart, line_break).expect("an end of a line");
        let mut symbols = Vec::new();
        let mut state = language.lexer.start();
        for byte in line.bytes().chain(*b"\n") {
            language.lexer.feed(&mut state, byte, &mut |symbol| {
                symbols.push(symbol.terminal);
                true
            });
        }
        symbols.pop();
        for (index, terminal) in symbols.into_iter().enumerate().rev() {
            chart = charts
                .step(rules, chart, terminal, (index == 0).then_some(LineColumn::At(column)))
                .expect("an end");
        }
    }
    charts.n_charts()
}

#[test]
fn equal_statements_need_no_further_charts() {
    let language = python().language();
    for statement in ["x = f(a, [b])\n", "while a: b += c; pass\n", "f'{a!r:>{b}}'\n"] {
        let (few, many) = (statement.repeat(10), statement.repeat(1000));
        assert_eq!(n_left_charts(language, &few), n_left_charts(language, &many), "{statement}");
        assert_eq!(n_right_charts(language, &few), n_right_charts(language, &many), "{statement}");
    }
    let suite = "def f(a):\n    if a:\n        return [a]\n\n";
    assert_eq!(
        n_left_charts(language, &suite.repeat(10)),
        n_left_charts(language, &suite.repeat(1000))
    );
}

#[test]
fn further_clauses_of_a_statement_need_no_more_than_their_lines() {
    let statements = [("if a:\n  b\n", "elif c:\n  d\n"), ("try:\n  b\n", "except c:\n  d\n")];
    for (header, clause) in statements {
        let memory = |n_clauses: usize| {
            let text = format!("{header}{}", clause.repeat(n_clauses));
            let mut document = python().document(text.into_bytes());
            assert!(document.recognizer(0, 0).is_ok_and(|recognizer| recognizer.is_member()));
            document.memory()
        };
        assert!(memory(1000) < 10 * memory(100), "{clause}");
    }
}

#[test]
fn a_document_needs_no_further_charts_when_the_cursor_moves() {
    let text = "def f(a):\n    if a:\n        return [a]\n\n".repeat(100);
    let mut document = python().document(text.clone().into_bytes());
    let all = document.recognizer(0, 0).map(|recognizer| answers(&recognizer));
    assert_eq!(all.map(|(is_member, ..)| is_member), Ok(true));
    let offsets = || (0..text.len()).rev().step_by(41);
    let visit = |document: &mut fim_quotient::Document| {
        for offset in offsets() {
            assert!(
                document.recognizer(offset, offset).is_ok_and(|recognizer| recognizer.is_member())
            );
        }
    };
    visit(&mut document);
    let memory = document.memory();
    visit(&mut document);
    assert_eq!(document.memory(), memory);
}
