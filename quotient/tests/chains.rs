//! Chains that nest to the right cost what they are long, wherever the hole is: counted in work, not in time.
//!
//! A chain is links, something innermost, and what closes each link. Two lengths are compared: what is asked of a hole in a
//! chain four times as long may cost five times as much, and not the sixteen that looking at each link again would.

use fim_quotient::{Engine, GrammarDescription, Language, Vocabulary};

/// What a chain is in, what it consists of, and what closes it.
struct Chain {
    language: &'static str,
    front: &'static str,
    links: &'static [&'static str],
    innermost: &'static str,
    closing: &'static str,
    behind: &'static str,
}

const fn chain(
    language: &'static str,
    [front, innermost, behind]: [&'static str; 3],
    links: &'static [&'static str],
) -> Chain {
    Chain { language, front, links, innermost, closing: "", behind }
}

const JAVA_STATEMENT: [&str; 3] = ["class A{void f(){", "c();", "}}"];
const JAVA_EXPRESSION: [&str; 3] = ["class A{F x=", "c", ";}"];
const STATEMENT: [&str; 3] = ["", ";", ""];
const EXPRESSION: [&str; 3] = ["x=", "c", ";"];

/// Chains by themselves, and any two that may stand in each other mixed, link by link.
const CHAINS: &[Chain] = &[
    chain("java", JAVA_STATEMENT, &["if(a)b();else "]),
    chain("java", JAVA_STATEMENT, &["if(a)"]),
    chain("java", JAVA_STATEMENT, &["if(a)b();else ", "if(a)"]),
    chain("java", JAVA_EXPRESSION, &["a?b:"]),
    chain("java", JAVA_EXPRESSION, &["a->"]),
    chain("java", JAVA_EXPRESSION, &["a?b:", "a->"]),
    chain("java", JAVA_EXPRESSION, &["a=", "(b)->"]),
    chain("javascript", STATEMENT, &["if(a);else "]),
    chain("javascript", STATEMENT, &["if(a)b\nelse ", "while(a)"]),
    chain("javascript", STATEMENT, &["if(a);else ", "if(a)"]),
    chain("javascript", EXPRESSION, &["a?b:"]),
    chain("javascript", EXPRESSION, &["a=>"]),
    chain("javascript", EXPRESSION, &["a="]),
    chain("javascript", EXPRESSION, &["a?b:", "a=>"]),
    chain("javascript", EXPRESSION, &["a=>", "a="]),
    chain("javascript", EXPRESSION, &["a?b:", "a="]),
    chain("typescript", STATEMENT, &["if(a);else "]),
    chain("typescript", STATEMENT, &["if(a);else ", "if(a)"]),
    chain("typescript", EXPRESSION, &["a?b:"]),
    chain("typescript", EXPRESSION, &["a=>"]),
    chain("typescript", EXPRESSION, &["a?b:", "a=>"]),
    chain("typescript", EXPRESSION, &["a?(b):c=>"]),
    chain("typescript", EXPRESSION, &["a?(b):c=>", "a?b:"]),
    chain("typescript", EXPRESSION, &["a?(b):c=>", "d=>"]),
    chain("go", ["package p;func f(){", "{}", ";}"], &["if a{}else "]),
    chain("python-3.14", ["x=", "c", "\n"], &["a if b else "]),
    chain("python-3.14", ["x=", "c", "\n"], &["lambda:"]),
    chain("python-3.14", ["x=", "c", "\n"], &["not "]),
    chain("python-3.14", ["x=", "c", "\n"], &["a if b else ", "lambda:"]),
];

/// What closes nests: each link brings its own end.
const NESTS: &[Chain] = &[
    Chain { closing: "}", ..chain("javascript", EXPRESSION, &["{a:"]) },
    Chain { closing: "}", ..chain("javascript", EXPRESSION, &["a=>{"]) },
    Chain { closing: ")", ..chain("typescript", EXPRESSION, &["f("]) },
    Chain { closing: "]", ..chain("json", ["", "1", ""], &["["]) },
];

struct Engines(Vec<(&'static str, Engine)>);

impl Engines {
    fn get(&mut self, name: &'static str) -> &Engine {
        if self.0.iter().all(|(known, _)| *known != name) {
            let path = format!("{}/grammars/{name}.json", env!("CARGO_MANIFEST_DIR"));
            let description = std::fs::read_to_string(path).expect("a compiled grammar");
            let description = GrammarDescription::from_json(&description).expect("a description");
            self.0.push((name, Engine::new(Language::new(description).expect("a grammar"))));
        }
        &self.0.iter().find(|(known, _)| *known == name).expect("it was put there").1
    }
}

fn vocabulary() -> Vocabulary {
    let bytes = (0..=u8::MAX).map(|byte| vec![byte]);
    let words = ["else", "=>", "a", "->", "){", "}}", ": "].map(|word| word.as_bytes().to_vec());
    Vocabulary::new(&bytes.chain(words).collect::<Vec<_>>(), &[], &[])
}

/// What is asked of a hole with this many links in front of it and behind it: the work of all of it.
fn work(engine: &Engine, vocabulary: &Vocabulary, chain: &Chain, n: [usize; 2]) -> u64 {
    let links = |range: std::ops::Range<usize>| -> String {
        range.map(|index| chain.links[index % chain.links.len()]).collect()
    };
    let n_links = n[0] + n[1];
    let left = format!("{}{}", chain.front, links(0..n[0]));
    let closing = chain.closing.repeat(n_links);
    let right = format!("{}{}{closing}{}", links(n[0]..n_links), chain.innermost, chain.behind);
    let cut = left.len();
    let mut document = engine.document((left + &right).into_bytes());
    let recognizer = document.recognizer(cut, cut);
    let mut recognizer = recognizer.unwrap_or_else(|error| panic!("{:?}: {error}", chain.links));
    assert!(recognizer.is_member(), "{:?}", chain.links);
    let mut mask = vec![0; vocabulary.n_words()];
    recognizer.mask(vocabulary, &mut mask);
    // Behind something written that cannot stay alone a text is looked for.
    if recognizer.advance(b"(") {
        assert!(recognizer.witness().is_some(), "{:?}", chain.links);
        recognizer.mask(vocabulary, &mut mask);
    }
    recognizer.work()
}

/// Checks that a chain four times as long costs at most five times as much, on both sides of the hole and in its middle.
fn check(chains: &[Chain]) {
    let (mut engines, vocabulary) = (Engines(Vec::new()), vocabulary());
    for chain in chains {
        let engine = engines.get(chain.language);
        for [front, behind] in [[60_usize, 0], [0, 60], [30, 30]] {
            let work = |factor| work(engine, &vocabulary, chain, [front * factor, behind * factor]);
            let (short, long) = (work(1), work(4));
            assert!(
                long <= 5 * short,
                "{} {:?}, {front} links in front and {behind} behind: {short}, four times as long {long}",
                chain.language,
                chain.links
            );
        }
    }
}

#[test]
fn chains_to_the_right_cost_what_they_are_long() {
    check(CHAINS);
}

#[test]
fn nests_cost_what_they_are_deep() {
    check(NESTS);
}

#[test]
fn a_right_context_of_many_closing_braces_is_read() {
    let mut engines = Engines(Vec::new());
    let engine = engines.get("javascript");
    let n = 3_000;
    let mut hole = engine.recognizer(b"", "}".repeat(n).as_bytes()).expect("it is read");
    assert!(!hole.is_member());
    assert!(hole.advance(format!("x={}", "{a:".repeat(n)).as_bytes()));
    assert!(hole.advance(b"1") && hole.is_member());
}
