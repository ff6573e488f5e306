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
    let inside = |text, context: Context| {
        let is_open = left.contains(&Frame::Text(context));
        until_quote(text, context.quote).or(is_open.then_some(text))
    };
    let contexts: Vec<Context> = Context::all(FStringRules::Bounded).collect();
    for &context in contexts.iter().filter(|context| context.outer == Quotes::NONE) {
        let Some(around) = inside(near, context) else { continue };
        let outer = [Frame::Text(context)];
        add_fstring_candidates(&mut candidates, around, &outer, context);
        for &inner in contexts.iter().filter(|inner| inner.outer == context.inner()) {
            let Some(within) = inside(around, inner) else { continue };
            let (text, field) = (Frame::Text(context), Frame::Field(context));
            let specification = Frame::Specification(context);
            for place in [&[text, field][..], &[text, specification, field]] {
                let outer = [place, &[Frame::Text(inner)]].concat();
                add_fstring_candidates(&mut candidates, within, &outer, inner);
            }
        }
    }
    candidates
}

/// All places inside one f-string, where `inside` is the text up to the f-string's end.
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
    let closers = inside.iter().filter(|byte| matches!(byte, b')' | b']' | b'}')).count();
    // The closer of the field itself is one of them.
    let brackets = vec![Frame::Bracket(0, context.inner()); closers.min(MAX_FIELD_BRACKETS) - 1];
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
pub(crate) const MAX_FIELD_BRACKETS: usize = 8;

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
