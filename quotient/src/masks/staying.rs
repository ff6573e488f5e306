//! Staying bytes, which leave the lexer as it is: letters in names, strings and comments, as most tokens have.

use fim_lexer::scanner::{RawState, Scanner, StateKind};
use regex_syntax::utf8::{Utf8Sequence, Utf8Sequences};
use rustc_hash::FxHashMap;

use super::byte_set::ByteSet;

/// The staying bytes of states inside symbols.
#[derive(Default)]
pub(super) struct Staying {
    known: FxHashMap<RawState, ByteSet>,
    /// The last question and its answer.
    last: Option<(RawState, ByteSet)>,
}

impl Staying {
    /// The staying bytes of a state; none where it is not inside a symbol.
    #[inline]
    pub(super) fn bytes(&mut self, scanner: &Scanner, raw: RawState) -> ByteSet {
        match self.last {
            Some((last, bytes)) if last == raw => bytes,
            _ => {
                let bytes = *self.known.entry(raw).or_insert_with(|| staying_bytes(scanner, raw));
                self.last = Some((raw, bytes));
                bytes
            }
        }
    }
}

/// The bytes that lead from a state inside a symbol back to it; beyond ASCII, if all whole characters do.
fn staying_bytes(scanner: &Scanner, raw: RawState) -> ByteSet {
    let is_inside = |raw| matches!(scanner.kind(raw), StateKind::Symbol | StateKind::Comment);
    if !is_inside(raw) {
        return ByteSet::default();
    }
    let ascii = ByteSet::of(|byte| byte.is_ascii() && scanner.next(raw, byte) == raw);
    if ascii.is_empty() {
        return ascii;
    }
    let stay = |sequence: &Utf8Sequence| {
        let mut states = vec![raw];
        for range in sequence {
            let bytes = range.start..=range.end;
            let next = |&state: &RawState| bytes.clone().map(move |byte| scanner.next(state, byte));
            states = states.iter().flat_map(next).collect();
            states.sort_unstable();
            states.dedup();
            if !states.iter().all(|&state| is_inside(state)) {
                return false;
            }
        }
        states == [raw]
    };
    let beyond = Utf8Sequences::new('\u{80}', char::MAX).all(|sequence| stay(&sequence));
    ByteSet::of(|byte| ascii.contains(byte) || beyond && !byte.is_ascii())
}
