//! Every short hole of a small language, against all its short sentences.
//!
//! A refusal says that no text fits, which only a search can contradict. Here the search is
//! exhaustive: all texts over a small alphabet up to some length are judged by a reader that
//! knows nothing of holes, and no sentence among them may begin and end as a refused hole does.

use std::collections::HashSet;

use fim_quotient::{Engine, Recognizer};

use super::{check_witness, shown};

/// How far the search goes.
#[derive(Clone, Copy)]
pub(crate) struct Lengths {
    /// Of a whole sentence.
    pub(crate) sentence: usize,
    /// Of a left and of a right context.
    pub(crate) context: usize,
    /// Of a text in the hole.
    pub(crate) middle: usize,
}

/// All texts over an alphabet up to a length, the shorter ones first.
pub(crate) fn texts(alphabet: &[u8], length: usize) -> Vec<Vec<u8>> {
    let mut found = vec![Vec::new()];
    let mut first = 0;
    for _ in 0..length {
        let behind = found.len();
        for index in first..behind {
            for &byte in alphabet {
                let longer = [&found[index][..], &[byte]].concat();
                found.push(longer);
            }
        }
        first = behind;
    }
    found
}

struct Search<'a> {
    is_sentence: &'a dyn Fn(&[u8]) -> bool,
    alphabet: &'a [u8],
    n_middle: usize,
    /// How the sentences begin and end, in parts that do not overlap.
    ends: HashSet<(Vec<u8>, Vec<u8>)>,
    n_states: usize,
    n_refusals: usize,
}

/// Checks every hole between short contexts, and every short text in it.
pub(crate) fn check(
    engine: &Engine,
    alphabet: &[u8],
    lengths: Lengths,
    is_sentence: &dyn Fn(&[u8]) -> bool,
) {
    let mut ends = HashSet::new();
    for sentence in texts(alphabet, lengths.sentence).iter().filter(|text| is_sentence(text)) {
        for end in sentence.len().saturating_sub(lengths.context)..=sentence.len() {
            for begin in 0..=end.min(lengths.context + lengths.middle) {
                ends.insert((sentence[..begin].to_vec(), sentence[end..].to_vec()));
            }
        }
    }
    let n_middle = lengths.middle;
    let mut search = Search { is_sentence, alphabet, n_middle, ends, n_states: 0, n_refusals: 0 };
    let contexts = texts(alphabet, lengths.context);
    for left in &contexts {
        for right in &contexts {
            search.check_hole(engine, left, right);
        }
    }
    eprintln!("{} states, {} refusals", search.n_states, search.n_refusals);
    assert!(search.n_states > 1000 && search.n_refusals > 1000);
}

impl Search<'_> {
    fn check_hole(&mut self, engine: &Engine, left: &[u8], right: &[u8]) {
        match engine.recognizer(left, right) {
            Ok(recognizer) => self.check_state(&recognizer, left, right, self.n_middle),
            Err(_) => self.check_refusal(left, right),
        }
    }

    /// Checks what is said of `read`, the left context with what was typed, and goes on from it.
    fn check_state(&mut self, recognizer: &Recognizer, read: &[u8], right: &[u8], n_more: usize) {
        self.n_states += 1;
        let witness = recognizer.witness().expect("a witness");
        let whole = [read, &witness, right].concat();
        assert!(
            (self.is_sentence)(&whole),
            "{:?} {:?} {:?}",
            shown(read),
            shown(&witness),
            shown(right)
        );
        let is_member = (self.is_sentence)(&[read, right].concat());
        assert_eq!(recognizer.is_member(), is_member, "{:?} {:?}", shown(read), shown(right));
        check_witness(recognizer);
        if n_more == 0 {
            return;
        }
        for &byte in self.alphabet {
            let read = [read, &[byte]].concat();
            let mut next = recognizer.clone();
            if next.advance(&[byte]) {
                self.check_state(&next, &read, right, n_more - 1);
            } else {
                self.check_refusal(&read, right);
            }
        }
    }

    fn check_refusal(&mut self, read: &[u8], right: &[u8]) {
        self.n_refusals += 1;
        let fits = self.ends.contains(&(read.to_vec(), right.to_vec()));
        assert!(
            !fits,
            "refused, but some text fits between {:?} and {:?}",
            shown(read),
            shown(right)
        );
    }
}
