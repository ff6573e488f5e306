//! From Python 3.12 on: the f-strings that a right context may begin in.
//!
//! f-strings nest like brackets, so what is around a cut is a stack of [`Layer`]s, each of them an
//! f-string and a place in it: its literal text, a field with some open brackets, a specification.
//! The text shows the innermost layer first. Where its f-string ends, the field around it goes on,
//! and so outward: layers are worked out from the inside, each from the offsets at which the one
//! inside it may end, and only stacks in which the text can be read are kept.
//!
//! ```text
//! f'{f"{a|}"}'
//!         ^^ ends the inner field and the inner f-string
//!           ^^ the outer ones
//! ```

mod reader;

use fim_lexer::RawState;
use fim_lexer::fstring::{Context, FStringRules, Frame, Quotes};
use fim_lexer::suffix::Junction;
use rustc_hash::FxHashMap;

use self::reader::{ANY, Reader, Resumption, Starts};
use crate::suffix_charts::{Frames, MAX_FSTRING_REST, Tables};
use crate::surroundings::MAX_FIELD_BRACKETS;

/// The most stacks of layers that are tried. A text with quotes and braces everywhere can be read
/// in many ways, of which the shallow ones come first.
const MAX_STACKS: usize = 1_000;

/// The most surroundings that are tried beside what the left context leaves open: stacks may stand
/// in each place of code there.
const MAX_SURROUNDINGS: usize = 2_000;

/// How many specifications may be around a field, each in a field of the one before.
const MAX_SPECIFICATIONS: usize = 2;

/// What a text may begin in: the layers that the left context leaves open, as far as the hole
/// does not end them, and layers that begin in the hole.
pub(crate) fn free(
    tables: &Tables<'_>,
    text: &[u8],
    left: &Frames,
    fates_of: impl FnMut(RawState) -> Vec<Junction>,
) -> Vec<Frames> {
    let mut reader = Reader::new(tables, near(text));
    let prefixes = (0..=left.len()).map(|length| Frames::from_slice(&left[..length]));
    let mut found: Vec<Frames> = prefixes.collect();
    let most = found.len() + MAX_SURROUNDINGS;
    for stack in stacks(&mut reader, left, fates_of) {
        for length in (0..=left.len()).rev() {
            let (around, open) = left.split_at(length);
            // An f-string that the left context has opened may end anywhere behind the text.
            let is_open = open.first() == stack.frames.first();
            let is_in_code = around.last().is_none_or(|frame| frame.is_code());
            if is_open || (is_in_code && !stack.ends.is_empty()) {
                found.push([around, &stack.frames].concat().into());
            }
            if found.len() == most {
                return found;
            }
        }
    }
    found
}

/// The surroundings of which [`free`] tries only one among those that read the text alike: the f-strings
/// that begin in the hole, but for the innermost, are not raw where that makes no difference.
pub(crate) fn representative(text: &[u8], left: &Frames, frames: Frames) -> Frames {
    let is_text = |frame: &Frame| matches!(frame, Frame::Text(_));
    let n_alike = frames.iter().zip(left).take_while(|(frame, left)| frame == left).count();
    let known = frames.iter().enumerate().skip(n_alike).find(|(_, frame)| is_text(frame));
    let (Some((first, _)), Some(innermost)) = (known, frames.iter().rposition(is_text)) else {
        return frames;
    };
    let mut frames = frames;
    if first < innermost && reads_alike_raw(near(text)) {
        frames[first..innermost].iter_mut().for_each(|frame| *frame = frame.not_raw());
    }
    frames
}

/// Whether f-strings that end in a text read it alike, raw or not.
fn reads_alike_raw(text: &[u8]) -> bool {
    !text.contains(&b'\\')
}

fn near(text: &[u8]) -> &[u8] {
    &text[..text.len().min(MAX_FSTRING_REST)]
}

/// Layers, one inside the other, and the offsets at which the outermost f-string may end.
struct Layer {
    frames: Frames,
    ends: Vec<usize>,
}

/// All stacks of layers, those of few layers first.
fn stacks(
    reader: &mut Reader<'_>,
    left: &Frames,
    fates_of: impl FnMut(RawState) -> Vec<Junction>,
) -> Vec<Layer> {
    let mut found = innermost(reader, left, fates_of);
    let mut next = 0;
    let mut outer_layers: FxHashMap<usize, Vec<Layer>> = FxHashMap::default();
    while next < found.len() && found.len() < MAX_STACKS {
        let ends = found[next].ends.clone();
        let mut grown: FxHashMap<Frames, Vec<usize>> = FxHashMap::default();
        let mut order = Vec::new();
        for end in ends {
            let outer = outer_layers.entry(end).or_insert_with(|| outer(reader, left, end));
            for layer in outer {
                let frames: Frames = [&layer.frames[..], &found[next].frames].concat().into();
                let known = grown.entry(frames.clone()).or_insert_with(|| {
                    order.push(frames);
                    Vec::new()
                });
                known.extend(&layer.ends);
            }
        }
        found.extend(order.into_iter().map(|frames| {
            let ends = grown.remove(&frames).map(sorted).unwrap_or_default();
            Layer { frames, ends }
        }));
        next += 1;
    }
    found
}

/// The layers that the cut may be directly inside of.
fn innermost(
    reader: &mut Reader<'_>,
    left: &Frames,
    mut fates_of: impl FnMut(RawState) -> Vec<Junction>,
) -> Vec<Layer> {
    let mut found = Vec::new();
    let mut starts_in = |reader: &mut Reader<'_>, frame: Frame| {
        let fates = fates_of(reader.tables.lexer.scanner.start(Some(frame)));
        reader.starts(&fates)
    };
    let field = starts_in(reader, Frame::Field(ANY));
    let code = starts_in(reader, Frame::Bracket(0, Quotes::FREE));
    let broken = match reader.has_breaks() {
        true => starts_in(reader, Frame::BrokenSpecification(ANY)),
        false => Starts::default(),
    };
    let converted = starts_in(reader, Frame::Converted(ANY));
    let mut fields = reader.fields(&field.clean, 0..1);
    fields.extend(reader.fields(&code.clean, 1..MAX_FIELD_BRACKETS + 1));
    if let Some((_, resumptions)) = fields.iter_mut().find(|(n_brackets, _)| *n_brackets == 0) {
        resumptions.extend(reader.behind_conversions(&field.converted));
    }
    let behind_conversion = reader.behind_conversions(&converted.clean);
    let mut behind_breaks = reader.behind_breaks(&broken.clean, 0..1);
    behind_breaks.extend(reader.behind_breaks(&code.clean, 1..MAX_FIELD_BRACKETS + 1));
    for context in Context::all(FStringRules::Free) {
        let text = starts_in(reader, Frame::Text(context));
        let ends = text.clean.iter().filter_map(|&at| reader.text_end(context, at));
        let ends = sorted(ends.chain(text.ended).collect());
        add(&mut found, left, Layer { frames: Frames::from_slice(&[Frame::Text(context)]), ends });
        add_places(
            &mut found,
            reader,
            left,
            context,
            &[Frame::Converted(context)],
            &behind_conversion,
        );
        for (n_brackets, resumptions) in &fields {
            let place = brackets_in(Frame::Field(context), *n_brackets);
            add_places(&mut found, reader, left, context, &place, resumptions);
        }
        add_places_behind_breaks(&mut found, reader, left, context, &behind_breaks);
        for (frame, resume) in [
            (Frame::Specification(context), Resumption::Specification as fn(usize) -> Resumption),
            (Frame::LaterSpecification(context), Resumption::LaterSpecification),
        ] {
            let starts = starts_in(reader, frame);
            let mut resumptions: Vec<Resumption> = starts.clean.into_iter().map(resume).collect();
            let broken = reader.behind_breaks(&starts.broken, 0..1);
            resumptions.extend(broken.into_iter().flat_map(|(_, resumptions)| resumptions));
            add_places(&mut found, reader, left, context, &[frame], &resumptions);
        }
    }
    found
}

/// The layers around an f-string that ends at `end`.
fn outer(reader: &mut Reader<'_>, left: &Frames, end: usize) -> Vec<Layer> {
    let mut found = Vec::new();
    let fields = reader.fields(&[end], 0..MAX_FIELD_BRACKETS + 1);
    let behind_breaks = reader.behind_breaks(&[end], 1..MAX_FIELD_BRACKETS + 1);
    let may_be_raw = !reads_alike_raw(reader.text);
    let is_tried =
        |context: &Context| !context.is_raw || may_be_raw || left.contains(&Frame::Text(*context));
    for context in Context::all(FStringRules::Free).filter(is_tried) {
        for (n_brackets, resumptions) in &fields {
            let place = brackets_in(Frame::Field(context), *n_brackets);
            add_places(&mut found, reader, left, context, &place, resumptions);
        }
        add_places_behind_breaks(&mut found, reader, left, context, &behind_breaks);
    }
    found
}

fn brackets_in(frame: Frame, n_brackets: usize) -> Frames {
    let mut frames = Frames::from_slice(&[frame]);
    frames.resize(1 + n_brackets, Frame::Bracket(0, Quotes::FREE));
    frames
}

/// Adds the places behind a line break that ends a specification. In three quotes, none does.
fn add_places_behind_breaks(
    found: &mut Vec<Layer>,
    reader: &mut Reader<'_>,
    left: &Frames,
    context: Context,
    places: &[(usize, Vec<Resumption>)],
) {
    if context.quote.is_triple() {
        return;
    }
    for (n_brackets, resumptions) in places {
        let place = brackets_in(Frame::BrokenSpecification(context), *n_brackets);
        add_places(found, reader, left, context, &place, resumptions);
    }
}

/// Adds a place directly in an f-string and in its specifications, where reading goes on like this
/// behind the place.
fn add_places(
    found: &mut Vec<Layer>,
    reader: &mut Reader<'_>,
    left: &Frames,
    context: Context,
    place: &[Frame],
    resumptions: &[Resumption],
) {
    for n_around in 0..=MAX_SPECIFICATIONS {
        let texts: Vec<usize> = resumptions
            .iter()
            .filter_map(|&resumption| reader.text_resumed(context, resumption, n_around))
            .collect();
        if texts.is_empty() {
            continue;
        }
        let mut frames = Frames::from_slice(&[Frame::Text(context)]);
        frames.resize(1 + n_around, Frame::LaterSpecification(context));
        frames.extend_from_slice(place);
        let ends = texts.into_iter().filter_map(|at| reader.text_end(context, at)).collect();
        add(found, left, Layer { frames, ends: sorted(ends) });
    }
}

/// Adds a layer if its f-string ends, or has begun in the left context.
fn add(found: &mut Vec<Layer>, left: &Frames, layer: Layer) {
    if !layer.ends.is_empty() || left.contains(&layer.frames[0]) {
        found.push(layer);
    }
}

fn sorted(mut offsets: Vec<usize>) -> Vec<usize> {
    offsets.sort_unstable();
    offsets.dedup();
    offsets
}
