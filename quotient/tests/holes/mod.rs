//! What must hold of every hole, whatever the texts are: shared by the tests and the fuzz target.
//!
//! No law here needs another parser. The strongest compares the engine with itself: a text is a
//! program or not, wherever it is cut into what is left of the hole, in it and right of it, and
//! each cut divides the work differently between the two directions.
#![allow(dead_code, reason = "each test uses its part")]

pub(crate) mod exhaustive;

use std::sync::OnceLock;

use fim_quotient::{Engine, GrammarDescription, Language, NoCompletion, Recognizer, Side};

/// A language from its compiled description.
pub(crate) fn engine(description: &str) -> Engine {
    let description = GrammarDescription::from_json(description).expect("a grammar description");
    Engine::new(Language::new(description).expect("a grammar that compiles"))
}

/// Python 3.11.
pub(crate) fn python() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(|| engine(include_str!("../../grammars/python-3.11.json")))
}

/// JSON.
pub(crate) fn json() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(|| engine(include_str!("../../grammars/json.json")))
}

/// The pocket calculator.
pub(crate) fn calculator() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(|| engine(include_str!("../../grammars/calculator.json")))
}

/// What the engine says of a text in a hole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// Nothing fits the hole at all.
    NoHole(NoCompletion),
    /// The hole can be filled, but not with a text that begins like this.
    Refused,
    /// The text can be completed.
    Completable {
        /// Whether it is complete.
        is_member: bool,
    },
}

/// Reads `middle` in the hole in one piece and in single bytes, and checks every state on the
/// way.
pub(crate) fn check_hole(engine: &Engine, left: &[u8], middle: &[u8], right: &[u8]) -> Verdict {
    let mut recognizer = match engine.recognizer(left, right) {
        Ok(recognizer) => recognizer,
        Err(reason) => {
            check_reason(reason, left, right);
            return Verdict::NoHole(reason);
        }
    };
    let mut in_one_piece = recognizer.clone();
    let is_completable = in_one_piece.advance(middle);
    check_witness(&recognizer);
    for (index, &byte) in middle.iter().enumerate() {
        let before = recognizer.clone();
        if !recognizer.advance(&[byte]) {
            assert!(!is_completable, "refused at byte {index}, but accepted in one piece");
            assert_eq!(answers(&recognizer), answers(&before), "a refusal leaves a trace");
            return Verdict::Refused;
        }
        check_witness(&recognizer);
    }
    assert!(is_completable, "accepted byte by byte, but refused in one piece");
    assert_eq!(answers(&recognizer), answers(&in_one_piece), "byte by byte, and in one piece");
    Verdict::Completable { is_member: recognizer.is_member() }
}

/// Everything that a user can ask.
pub(crate) fn answers(recognizer: &Recognizer) -> (bool, Option<Vec<u8>>, String) {
    let words = recognizer.explanation().words(recognizer.engine().language());
    (recognizer.is_member(), recognizer.witness(), words)
}

fn check_reason(reason: NoCompletion, left: &[u8], right: &[u8]) {
    match reason.side {
        Side::Left => assert!(reason.offset < left.len(), "{reason:?} of {}", left.len()),
        Side::Right => assert!(reason.offset <= right.len(), "{reason:?} of {}", right.len()),
        Side::Unread => assert!(left.len() + right.len() > 1_000, "{reason:?}"),
        Side::Both => assert_eq!(reason.offset, left.len()),
    }
}

/// The witness is the proof that a text can be completed: it must itself be accepted, and be empty
/// exactly if nothing is missing.
pub(crate) fn check_witness(recognizer: &Recognizer) {
    let Some(witness) = recognizer.witness() else { panic!("no witness") };
    assert_eq!(witness.is_empty(), recognizer.is_member(), "the witness is {:?}", shown(&witness));
    let mut fork = recognizer.clone();
    assert!(fork.advance(&witness), "refuses its witness {:?}", shown(&witness));
    assert!(fork.is_member(), "incomplete behind its witness {:?}", shown(&witness));
}

/// Whether a right context begins with a whole character, as all do that come from Python texts.
/// There is no witness yet that ends with the first half of a character.
pub(crate) fn begins_whole(right: &[u8]) -> bool {
    right.first().is_none_or(|&byte| byte & 0xc0 != 0x80)
}

/// Whether a text is a sentence of the language, read from its beginning alone.
pub(crate) fn is_sentence(engine: &Engine, text: &[u8]) -> bool {
    engine.recognizer(text, b"").is_ok_and(|recognizer| recognizer.is_member())
}

/// A text is a sentence or not, wherever the (empty) hole is.
pub(crate) fn check_cuts(engine: &Engine, text: &[u8], cuts: impl IntoIterator<Item = usize>) {
    let expected = is_sentence(engine, text);
    for cut in cuts {
        let (left, right) = text.split_at(cut);
        let found = engine.recognizer(left, right).is_ok_and(|recognizer| recognizer.is_member());
        assert_eq!(found, expected, "cut as {:?} {:?}", shown(left), shown(right));
    }
}

/// A document answers as a recognizer that was made for this very hole.
pub(crate) fn check_document(
    engine: &Engine,
    document: &mut fim_quotient::Document,
    start: usize,
    stop: usize,
) {
    let text = document.text().to_vec();
    let fresh = engine.recognizer(&text[..start], &text[stop..]);
    let kept = document.recognizer(start, stop);
    match (fresh, kept) {
        (Ok(fresh), Ok(kept)) => {
            assert_eq!(answers(&kept), answers(&fresh), "{:?} {start} {stop}", shown(&text));
        }
        (fresh, kept) => {
            // Of several errors in a right context, what is remembered decides which one is named.
            let side = |made: Result<Recognizer, NoCompletion>| made.err().map(|error| error.side);
            assert_eq!(side(kept), side(fresh), "{:?} {start} {stop}", shown(&text));
        }
    }
}

/// Bytes as a person wants to read them in a failure.
pub(crate) fn shown(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}

/// Everything that must hold of one input of the fuzzer: `left 0xff middle 0xff right`.
pub(crate) fn check_case(engine: &Engine, case: &[u8]) {
    let mut parts = case.splitn(3, |&byte| byte == 0xff);
    let mut part = || parts.next().unwrap_or_default();
    let (left, middle, right) = (part(), part(), part());
    if !begins_whole(right) {
        return;
    }
    check_hole(engine, left, middle, right);
    let text = [left, middle, right].concat();
    let (start, stop) = (left.len(), left.len() + middle.len());
    check_cuts(engine, &text, [0, start / 2, start, stop, stop + right.len() / 2, text.len()]);
    let mut document = engine.document(text);
    check_document(engine, &mut document, start, stop);
    check_document(engine, &mut document, start / 2, start);
    document.edit(start, stop, b"");
    check_document(engine, &mut document, start, start);
    document.edit(start / 2, start, middle);
    check_document(engine, &mut document, start / 2, start / 2 + middle.len());
}
