//! In which surroundings a right context may begin.
//!
//! Outside f-strings, what stands around a cut does not change how the text behind it reads. In
//! an f-string it does, and the f-string may have begun in the left context or in the hole. The
//! surroundings that are possible are listed here; whether the text fits them is found out by
//! reading it.

use fim_lexer::RawState;
use fim_lexer::fstring::{Context, FStringRules, Frame, Quote, Quotes};
use fim_lexer::suffix::Junction;

use crate::fstring_layers::free;
use crate::suffix_charts::{Frames, MAX_FSTRING_REST, Tables};

/// The surroundings in which `text` may begin, given those that the left context leaves open.
/// `fates_of` gives what becomes of the states of the mode that begins in a state.
pub(crate) fn surroundings(
    tables: &Tables<'_>,
    text: &[u8],
    left: &Frames,
    fates_of: impl FnMut(RawState) -> Vec<Junction>,
) -> Vec<Frames> {
    let description = &tables.lexer.description;
    let mut found = match description.dialect.fstrings {
        _ if description.terminal("FSTRING_START").is_none() => vec![Frames::new()],
        FStringRules::Bounded => bounded(text, left),
        FStringRules::Free => free(tables, text, left, fates_of),
    };
    if !found.contains(left) {
        found.push(left.clone());
    }
    found
}

/// Up to Python 3.11: an f-string ends with its quotes, whatever is in between, so few can be
/// open in front of a text. One that the left context leaves open may end anywhere.
fn bounded(text: &[u8], left: &Frames) -> Vec<Frames> {
    let mut candidates = vec![Frames::new()];
    let near = &text[..text.len().min(MAX_FSTRING_REST)];
    add_fstrings(&mut candidates, near, &[], 0, Quotes::NONE, left);
    candidates
}

/// Adds all places inside the f-strings that may begin directly in `around`, and in the f-strings
/// inside of those. `text` is what the f-string around has of the right context, where `n_closers`
/// brackets close what is open around the place.
fn add_fstrings(
    candidates: &mut Vec<Frames>,
    text: &[u8],
    around: &[Frame],
    n_closers: usize,
    outer: Quotes,
    left: &Frames,
) {
    for context in Context::all(FStringRules::Bounded).filter(|context| context.outer == outer) {
        let is_open = left.contains(&Frame::Text(context));
        let end = until_quote(text, context.quote);
        let Some(inside) = end.or(is_open.then_some(text)) else { continue };
        let first_end = text.iter().position(|&byte| byte == context.quote.byte());
        let behind = &text[first_end.unwrap_or(text.len())..];
        if !is_open && closers(behind) < n_closers {
            continue;
        }
        let fstring = [around, &[Frame::Text(context)]].concat();
        add_fstring_candidates(candidates, inside, &fstring, context);
        // An f-string in a field ends in front of what closes the field.
        let n_unmatched = n_unmatched_closers(inside);
        let n_closers = |n_brackets| if is_open { 0 } else { n_brackets };
        let mut place = [&fstring[..], &[Frame::Field(context)]].concat();
        for n_brackets in 0..=n_unmatched.min(MAX_BRACKETS_AROUND_FSTRING) {
            let n_closers = n_closers(n_brackets + 1);
            add_fstrings(candidates, inside, &place, n_closers, context.inner(), left);
            place.push(Frame::Bracket(0, context.inner()));
        }
        let place =
            [&fstring[..], &[Frame::Specification(context), Frame::Field(context)]].concat();
        add_fstrings(candidates, inside, &place, n_closers(2), context.inner(), left);
    }
}

fn closers(text: &[u8]) -> usize {
    text.iter().filter(|byte| matches!(byte, b')' | b']' | b'}')).count()
}

/// Adds all places inside one f-string, where `inside` is the text up to its end.
fn add_fstring_candidates(
    candidates: &mut Vec<Frames>,
    inside: &[u8],
    around: &[Frame],
    context: Context,
) {
    let mut add = |frames: &[Frame]| {
        let mut all = Frames::from_slice(around);
        all.extend_from_slice(frames);
        candidates.push(all);
    };
    add(&[]);
    if !inside.contains(&b'}') {
        return;
    }
    let specification = Frame::Specification(context);
    // The closer of the field itself is one of them.
    let n_brackets = closers(inside).min(FEW_BRACKETS).max(n_unmatched_closers(inside)) - 1;
    let n_brackets = n_brackets.min(MAX_FIELD_BRACKETS);
    let brackets = vec![Frame::Bracket(0, context.inner()); n_brackets];
    for outer in [&[][..], &[specification][..]] {
        for inner in [Frame::Field(context), Frame::Converted(context), specification] {
            add(&[outer, &[inner]].concat());
        }
        for n_brackets in 1..=brackets.len() {
            add(&[outer, &[Frame::Field(context)], &brackets[..n_brackets]].concat());
        }
    }
}

/// The deepest nesting of brackets in a replacement field around a cut that is looked for.
pub(crate) const MAX_FIELD_BRACKETS: usize = 60;

/// The most brackets between a field and an f-string in it, both begun in the hole.
const MAX_BRACKETS_AROUND_FSTRING: usize = 4;

/// So many brackets are looked for wherever there are as many closers. More are rare, and looked
/// for where closers outnumber openers: brackets in strings count as well then.
const FEW_BRACKETS: usize = 8;

/// By how many the closers outnumber the openers in front of some place.
fn n_unmatched_closers(text: &[u8]) -> usize {
    let mut balance = 0_isize;
    let mut most = 0;
    for byte in text {
        match byte {
            b')' | b']' | b'}' => balance += 1,
            b'(' | b'[' | b'{' => balance -= 1,
            _ => {}
        }
        most = most.max(balance);
    }
    most.unsigned_abs()
}

/// The text up to the first quote that could end an f-string, if there is one.
fn until_quote(text: &[u8], quote: Quote) -> Option<&[u8]> {
    let needle = quote.text().as_bytes();
    let end = if quote.is_triple() {
        text.windows(3).position(|window| window == needle)
    } else {
        // A backslash, perhaps in front of the text, lets a string go on in the next line.
        let mut previous = b'\\';
        let line = text.iter().position(|&byte| {
            let is_break = matches!(byte, b'\n' | b'\r') && previous != b'\\';
            let is_second_half = byte == b'\n' && previous == b'\r';
            if !(matches!(byte, b'\n' | b'\r') && previous == b'\\') || byte == b'\n' {
                previous = byte;
            } else {
                // Behind a backslash and `\r`, a `\n` belongs to the same break.
                previous = b'\\';
            }
            is_break && !is_second_half
        });
        let line = &text[..line.unwrap_or(text.len())];
        line.iter().rposition(|&byte| byte == needle[0])
    };
    // Three quotes may themselves be cut in half.
    let half = quote.is_triple() && text.first() == needle.first();
    end.or(half.then_some(0)).map(|end| &text[..end])
}
