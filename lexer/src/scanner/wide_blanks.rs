//! Blanks of several bytes right behind a symbol that could go on with their first bytes.
//!
//! ```text
//! x·+ y        `·` is U+00A0, in bytes C2 A0; `xª` would be a name, and ª is C2 AA
//!  ^ behind C2 the name may go on or be complete
//! ```
//!
//! Key idea: the automaton reads such a character in two ways at once, as a part of the symbol and as a blank behind
//! it. If it turns out to be a blank, the symbol takes it along, so reading never goes back. A state of the pair says
//! which symbol waits, so keywords and names have states of their own here.
//!
//! Line ends such as U+2028 are not taken along, since other symbols may come behind a symbol and a line end than
//! behind the symbol. The symbol ends in front of the line end's last byte, with half a character in it that is not
//! its own (it is *torn*), and reading goes on in the middle of the line end:
//!
//! ```text
//! x⏎y               `⏎` is U+2028, in bytes E2 80 A8
//!   ^ behind E2 80 the name may go on, end in a blank, or have ended in front of a line end
//! ```
//!
//! Where the parser lets text begin with a blank (JSX), a symbol must stand in front that does not go on with
//! letters (`>`, `}`).

use rustc_hash::FxHashMap;

use super::automaton::{ByteAutomaton, DEAD};

/// The use of a pattern's text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EmissionKind {
    /// The parser sees it.
    Symbol,
    /// The text is skipped, and no line ends in it.
    Blank,
    /// The text is skipped, and the next symbol stands behind a line break.
    LineEnd,
}

/// The first bytes of a character, read both as a part of the symbol and as a blank behind it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct HalfBlank {
    /// The state of the symbol that goes on; it may be dead.
    symbol: u32,
    /// The state of the blank.
    blank: u32,
    /// The number of bytes that the character lacks.
    n_left: u8,
    /// The pattern of the symbol if it does not go on.
    accept: u16,
}

/// A state in the middle of a character that may yet be a line end: the symbol in front of it would have ended.
#[derive(Clone, Debug)]
pub(super) struct Torn<State> {
    pub(super) state: State,
    /// The pattern of the symbol, or its emission.
    pub(super) accept: u16,
    /// The bytes of the character.
    pub(super) begun: Vec<u8>,
}

/// Lets wide blanks and line ends come behind every symbol that could go on with their first bytes. `kinds` has the
/// patterns' kinds. The torn states among those that are added.
pub(super) fn take_along(automaton: &mut ByteAutomaton, kinds: &[EmissionKind]) -> Vec<Torn<u32>> {
    let mut pairs = Pairs {
        automaton,
        kinds,
        halves: FxHashMap::default(),
        leading: FxHashMap::default(),
        waiting: Vec::new(),
        ends: FxHashMap::default(),
        torn: Vec::new(),
    };
    let leads: Vec<(u8, u8)> =
        (0xc2..=0xf4).map(|byte| (byte, n_left(byte))).filter(|&lead| pairs.begins(lead)).collect();
    for state in 1..pairs.automaton.next.len() {
        let Some(accept) = pairs.automaton.accept[state] else { continue };
        if kinds[usize::from(accept)] != EmissionKind::Symbol {
            continue;
        }
        for &(byte, n_left) in &leads {
            let symbol = pairs.automaton.next[state][usize::from(byte)];
            if symbol != DEAD {
                let blank = pairs.first(byte);
                let half = pairs.half(HalfBlank { symbol, blank, n_left, accept }, vec![byte]);
                pairs.automaton.next[state][usize::from(byte)] = half;
            }
        }
    }
    while let Some((half, state, begun)) = pairs.waiting.pop() {
        pairs.automaton.next[state as usize] = pairs.row(half, state, &begun);
    }
    pairs.torn
}

/// The number of bytes that a character lacks behind its first.
fn n_left(lead: u8) -> u8 {
    match lead {
        0xf0.. => 3,
        0xe0.. => 2,
        _ => 1,
    }
}

/// The bytes that may continue a character.
fn continuations() -> std::ops::RangeInclusive<u8> {
    0x80..=0xbf
}

/// The automaton, with all that is noted while states are added.
struct Pairs<'a> {
    automaton: &'a mut ByteAutomaton,
    kinds: &'a [EmissionKind],
    halves: FxHashMap<HalfBlank, u32>,
    /// For a state and the number of bytes that a character lacks there, whether it may be a blank: most are asked
    /// often.
    leading: FxHashMap<(u32, u8), bool>,
    /// The added states whose rows are not known yet, with bytes of a character that lead there.
    waiting: Vec<(HalfBlank, u32, Vec<u8>)>,
    /// For each symbol's pattern, the state behind it and a blank.
    ends: FxHashMap<u16, u32>,
    torn: Vec<Torn<u32>>,
}

impl Pairs<'_> {
    fn step(&self, state: u32, byte: u8) -> u32 {
        self.automaton.next[state as usize][usize::from(byte)]
    }

    /// The state of a symbol that has only this byte.
    fn first(&self, byte: u8) -> u32 {
        self.step(self.automaton.start, byte)
    }

    /// Whether a wide blank or a line end begins with this byte.
    fn begins(&mut self, (byte, n_left): (u8, u8)) -> bool {
        self.leads_to_blank(self.first(byte), n_left)
    }

    /// Whether a character that is in this state and lacks `n_left` bytes may become a blank or a line end.
    fn leads_to_blank(&mut self, state: u32, n_left: u8) -> bool {
        if n_left == 0 {
            return self.is_skipped(state, EmissionKind::Blank)
                || self.is_skipped(state, EmissionKind::LineEnd);
        }
        if state == DEAD {
            return false;
        }
        if let Some(&known) = self.leading.get(&(state, n_left)) {
            return known;
        }
        let mut bytes = continuations();
        let found = bytes.any(|byte| self.leads_to_blank(self.step(state, byte), n_left - 1));
        self.leading.insert((state, n_left), found);
        found
    }

    /// Whether this state is behind skipped text of this kind, and everything may come there that may come elsewhere.
    fn is_skipped(&self, state: u32, kind: EmissionKind) -> bool {
        let Some(accept) = self.automaton.accept[state as usize] else { return false };
        let next = &self.automaton.next;
        let start = &next[self.automaton.start as usize];
        let mut steps = next[state as usize].iter().zip(start);
        self.kinds[usize::from(accept)] == kind
            && steps.all(|(&target, &begun)| target == DEAD || target == begun)
    }

    fn half(&mut self, half: HalfBlank, begun: Vec<u8>) -> u32 {
        if let Some(&known) = self.halves.get(&half) {
            return known;
        }
        let state = self.push(None);
        self.halves.insert(half, state);
        self.waiting.push((half, state, begun));
        state
    }

    fn push(&mut self, accept: Option<u16>) -> u32 {
        self.automaton.next.push([DEAD; 256]);
        self.automaton.accept.push(accept);
        self.automaton.next.len() as u32 - 1
    }

    /// The row of a half-read character, whose state and bytes these are.
    fn row(&mut self, half: HalfBlank, state: u32, begun: &[u8]) -> [u32; 256] {
        let mut row = [DEAD; 256];
        let n_left = half.n_left - 1;
        let mut may_tear = false;
        for byte in continuations() {
            let symbol = self.step(half.symbol, byte);
            let blank = self.step(half.blank, byte);
            row[usize::from(byte)] = match n_left {
                0 if symbol != DEAD => symbol,
                0 => {
                    may_tear |= self.is_skipped(blank, EmissionKind::LineEnd);
                    self.end(half.accept, blank)
                }
                _ if self.leads_to_blank(blank, n_left) => {
                    let begun = [begun, &[byte]].concat();
                    self.half(HalfBlank { symbol, blank, n_left, accept: half.accept }, begun)
                }
                _ => symbol,
            };
        }
        if may_tear {
            self.torn.push(Torn { state, accept: half.accept, begun: begun.to_vec() });
        }
        row
    }

    /// The state behind a symbol and a blank; the dead one if the character is none.
    fn end(&mut self, accept: u16, blank: u32) -> u32 {
        if !self.is_skipped(blank, EmissionKind::Blank) {
            return DEAD;
        }
        if let Some(&known) = self.ends.get(&accept) {
            return known;
        }
        let state = self.push(Some(accept));
        self.ends.insert(accept, state);
        state
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATTERNS: [&str; 4] = ["if", r"\p{L}+", r"\x{a0}|\x{3000}", r"\x{2028}"];
    const KINDS: [EmissionKind; 4] =
        [EmissionKind::Symbol, EmissionKind::Symbol, EmissionKind::Blank, EmissionKind::LineEnd];

    /// The pattern that a text begins with, and the number of bytes that it takes.
    fn check(text: &str, expected: Option<(u16, usize)>) {
        let all = (0..PATTERNS.len()).collect();
        let patterns = PATTERNS.map(String::from);
        let mut automaton = ByteAutomaton::of_selections(&patterns, &[all]).unwrap().remove(0);
        take_along(&mut automaton, &KINDS);
        let mut state = automaton.start;
        let mut n_read = 0;
        for byte in text.bytes() {
            let next = automaton.next[state as usize][usize::from(byte)];
            if next == DEAD {
                break;
            }
            state = next;
            n_read += 1;
        }
        let accept = automaton.accept[state as usize];
        let found = accept.map(|pattern| (pattern, n_read));
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn a_symbol_takes_along_a_blank_that_it_could_have_gone_on_with() {
        check("ab\u{a0}c", Some((1, 4)));
        check("if\u{a0}", Some((0, 4)));
        check("if\u{3000}\u{3000}", Some((0, 5)));
        check("é\u{a0}\u{a0}", Some((1, 4)));
        check("if\u{2028}a", None);
    }

    #[test]
    fn a_symbol_ends_in_front_of_a_line_end() {
        let patterns = PATTERNS.map(String::from);
        let selection = [(0..PATTERNS.len()).collect()];
        let mut automaton = ByteAutomaton::of_selections(&patterns, &selection).unwrap().remove(0);
        let torn = take_along(&mut automaton, &KINDS);
        for (text, accept) in [("ab\u{2028}", 1), ("if\u{2028}", 0), ("é\u{2028}", 1)] {
            let (half, last) = text.as_bytes().split_at(text.len() - 1);
            let step = |state: u32, byte: &u8| automaton.next[state as usize][usize::from(*byte)];
            let state = half.iter().fold(automaton.start, step);
            assert_eq!(step(state, &last[0]), DEAD, "{text:?}");
            assert_eq!(automaton.accept[state as usize], None, "{text:?}");
            let found = torn.iter().find(|torn| torn.state == state).expect("it is torn");
            assert_eq!((found.accept, &*found.begun), (accept, &b"\xe2\x80"[..]), "{text:?}");
        }
    }

    #[test]
    fn what_goes_on_with_it_does() {
        check("ifª", Some((1, 4)));
        check("if。", None);
        check("if々\u{a0}", Some((1, 7)));
        check("a\u{20}", Some((1, 1)));
    }

    #[test]
    fn what_is_skipped_stands_alone() {
        check("\u{a0}\u{a0}", Some((2, 2)));
        check("\u{2028}\u{a0}", Some((3, 3)));
    }
}
