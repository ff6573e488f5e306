//! In which surroundings a right context may begin.
//!
//! Outside f-strings, what stands around a cut does not change how the text behind it reads. In
//! an f-string it does, and the f-string may have begun in the left context or in the hole. The
//! surroundings that are possible are listed here; whether the text fits them is found out by
//! reading it.

use fim_lexer::fstring::{Context, FStringRules, Frame, FrameChange, Quote, Quotes, change_frames};
use fim_lexer::suffix::{Lexed, lex_symbol};

use crate::suffix_charts::{Frames, MAX_FSTRING_REST, Tables};

/// The surroundings in which `text` may begin, given those that the left context leaves open.
/// `field_starts` are the offsets at which clean reading may begin in a replacement field.
pub(crate) fn surroundings(
    tables: &Tables<'_>,
    text: &[u8],
    left: &Frames,
    field_starts: impl FnOnce() -> Vec<usize>,
) -> Vec<Frames> {
    let description = &tables.lexer.description;
    let mut found = match description.dialect.fstrings {
        _ if description.terminal("FSTRING_START").is_none() => vec![Frames::new()],
        FStringRules::Bounded => bounded(text),
        FStringRules::Free => free(tables, text, left, &field_starts()),
    };
    if !found.contains(left) {
        found.push(left.clone());
    }
    found
}

/// Up to Python 3.11: an f-string ends with its quotes, whatever is in between, so few can be
/// open in front of a text.
fn bounded(text: &[u8]) -> Vec<Frames> {
    let mut candidates = vec![Frames::new()];
    let contexts: Vec<Context> = Context::all(FStringRules::Bounded).collect();
    for &context in contexts.iter().filter(|context| context.outer == Quotes::NONE) {
        let Some(inside) = until_quote(text, context.quote) else { continue };
        let outer = [Frame::Text(context)];
        add_fstring_candidates(&mut candidates, inside, &outer, context);
        for &inner in contexts.iter().filter(|inner| inner.outer == context.inner()) {
            let Some(inside) = until_quote(inside, inner.quote) else { continue };
            let (text, field) = (Frame::Text(context), Frame::Field(context));
            let specification = Frame::Specification(context);
            for around in [&[text, field][..], &[text, specification, field]] {
                let outer = [around, &[Frame::Text(inner)]].concat();
                add_fstring_candidates(&mut candidates, inside, &outer, inner);
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
const MAX_FIELD_BRACKETS: usize = 8;

/// The text up to the first quote that could end an f-string, if there is one.
fn until_quote(text: &[u8], quote: Quote) -> Option<&[u8]> {
    let needle = quote.text().as_bytes();
    let text = &text[..text.len().min(MAX_FSTRING_REST)];
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

/// From Python 3.12 on: f-strings nest like brackets. The hole may end frames of the left
/// context, and begin one f-string inside any of those that are left.
fn free(tables: &Tables<'_>, text: &[u8], left: &Frames, starts: &[usize]) -> Vec<Frames> {
    let n_brackets = possible_brackets(tables, text, starts);
    let mut found = vec![Frames::new()];
    for length in 0..=left.len() {
        let outer = &left[..length];
        match outer.last() {
            Some(Frame::Field(context) | Frame::Converted(context)) => {
                let around = &outer[..length - 1];
                add_fields(&mut found, around, *context, &n_brackets);
            }
            Some(Frame::Specification(context)) => {
                found.push(Frames::from_slice(outer));
                add_fields(&mut found, outer, *context, &n_brackets);
            }
            Some(_) => found.push(Frames::from_slice(outer)),
            None => {}
        }
        let is_code = !matches!(
            outer.last(),
            Some(Frame::Text(_) | Frame::Specification(_) | Frame::Converted(_))
        );
        if is_code {
            for context in Context::all(FStringRules::Free) {
                add_fstring(&mut found, text, outer, context, &n_brackets);
            }
            add_nested(&mut found, tables, text, outer, &n_brackets);
        }
    }
    found
}

/// One f-string inside a field of another, both begun in the hole and ended in the text.
fn add_nested(
    found: &mut Vec<Frames>,
    tables: &Tables<'_>,
    text: &[u8],
    outer: &[Frame],
    n_brackets: &[usize],
) {
    let rest = &text[..text.len().min(MAX_FSTRING_REST)];
    if !rest.contains(&b'}') {
        return;
    }
    for inner in Context::all(FStringRules::Free) {
        let mut places: Vec<Frames> = Vec::new();
        add_fstring(&mut places, text, &[], inner, n_brackets);
        for place in places {
            let Some(behind) = end_of_fstring(tables, rest, &place) else { continue };
            let n_outer = possible_brackets(tables, &rest[behind..], &[0]);
            for context in Context::all(FStringRules::Free) {
                let is_ended = rest[behind..].contains(&context.quote.byte());
                for &n_open in n_outer.iter().filter(|_| is_ended) {
                    let mut around =
                        [outer, &[Frame::Text(context), Frame::Field(context)]].concat();
                    around.resize(around.len() + n_open, Frame::Bracket(0, context.inner()));
                    found.push([&around[..], &place[..]].concat().into());
                }
            }
        }
    }
}

/// Where the outermost of these frames ends, if the text can be read as begun inside them.
fn end_of_fstring(tables: &Tables<'_>, text: &[u8], frames: &Frames) -> Option<usize> {
    let scanner = &tables.lexer.scanner;
    let mut frames = frames.clone();
    let mut position = 0;
    while !frames.is_empty() {
        let raw = scanner.start(frames.last().copied());
        match lex_symbol(tables.lexer, text, position, raw) {
            Lexed::End | Lexed::Dead => return None,
            Lexed::LineBreak { end } => position = end,
            Lexed::Symbol { emission, end, .. } => {
                position = end;
                if !change_frames(&mut frames, scanner.emission(emission).change) {
                    return None;
                }
            }
        }
    }
    Some(position)
}

fn add_fstring(
    found: &mut Vec<Frames>,
    text: &[u8],
    outer: &[Frame],
    context: Context,
    n_brackets: &[usize],
) {
    let rest = &text[..text.len().min(MAX_FSTRING_REST)];
    if !rest.contains(&context.quote.byte()) {
        return;
    }
    let inside = [outer, &[Frame::Text(context)]].concat();
    found.push(Frames::from_slice(&inside));
    if rest.contains(&b'}') {
        add_fields(found, &inside, context, n_brackets);
        let specification = [&inside[..], &[Frame::Specification(context)]].concat();
        add_fields(found, &specification, context, n_brackets);
    }
}

/// A field directly inside `around`: its code, what follows a conversion, its specification.
fn add_fields(found: &mut Vec<Frames>, around: &[Frame], context: Context, n_brackets: &[usize]) {
    let mut add = |frames: &[Frame]| found.push([around, frames].concat().into());
    add(&[Frame::Converted(context)]);
    add(&[Frame::Specification(context)]);
    for &n_open in n_brackets {
        let mut code = vec![Frame::Field(context)];
        code.resize(1 + n_open, Frame::Bracket(0, context.inner()));
        add(&code);
    }
}

/// How many brackets may be open in a field that the text begins in. Which f-string it is does
/// not matter before the field ends, so this is found out once for all of them. `starts` are the
/// offsets at which clean reading may begin.
fn possible_brackets(tables: &Tables<'_>, text: &[u8], starts: &[usize]) -> Vec<usize> {
    let rest = &text[..text.len().min(MAX_FSTRING_REST)];
    let mut found: Vec<usize> = Vec::new();
    if !rest.contains(&b'}') {
        return found;
    }
    for &from in starts.iter().filter(|&&from| from <= rest.len()) {
        for n_open in 0..=n_unmatched_closers(tables, rest, from).min(MAX_FIELD_BRACKETS) {
            if !found.contains(&n_open) && may_end_field(tables, rest, from, n_open) {
                found.push(n_open);
            }
        }
    }
    found
}

/// The number of brackets that close behind `from` and were opened in front of it.
fn n_unmatched_closers(tables: &Tables<'_>, text: &[u8], from: usize) -> usize {
    let scanner = &tables.lexer.scanner;
    let mut frames = Frames::new();
    let mut n_unmatched = 0;
    let mut position = from;
    let mut raw = scanner.start(None);
    loop {
        match lex_symbol(tables.lexer, text, position, raw) {
            Lexed::End | Lexed::Dead => return n_unmatched,
            Lexed::LineBreak { end } => position = end,
            Lexed::Symbol { emission, end, .. } => {
                position = end;
                let change = scanner.emission(emission).change;
                if frames.is_empty() && matches!(change, FrameChange::Close(_)) {
                    n_unmatched += 1;
                } else if !change_frames(&mut frames, change) {
                    return n_unmatched;
                }
            }
        }
        raw = scanner.start(frames.last().copied());
    }
}

/// Whether a field with some open brackets may end behind `from`.
fn may_end_field(tables: &Tables<'_>, text: &[u8], from: usize, n_open: usize) -> bool {
    let context = Context { quote: Quote::TripleDouble, is_raw: false, outer: Quotes::FREE };
    let scanner = &tables.lexer.scanner;
    let mut frames = Frames::from_slice(&[Frame::Text(context), Frame::Field(context)]);
    frames.resize(2 + n_open, Frame::Bracket(0, Quotes::FREE));
    let mut position = from;
    let mut raw = scanner.start(frames.last().copied());
    loop {
        match lex_symbol(tables.lexer, text, position, raw) {
            Lexed::End | Lexed::Dead => return false,
            Lexed::LineBreak { end } => position = end,
            Lexed::Symbol { emission, end, .. } => {
                position = end;
                let change = scanner.emission(emission).change;
                if !change_frames(&mut frames, change) {
                    return false;
                }
                let is_specification =
                    frames.len() == 2 && matches!(frames[1], Frame::Specification(_));
                if frames.len() == 1 || is_specification {
                    // A specification reads differently in each f-string; a brace must end it.
                    return frames.len() == 1 || text[position..].contains(&b'}');
                }
            }
        }
        raw = scanner.start(frames.last().copied());
    }
}
