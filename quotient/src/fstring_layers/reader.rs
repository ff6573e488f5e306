//! Reads a text as if it began in an f-string: where what is around it would go on, and where it would end.
//!
//! What is asked here is asked of one place at a time, and only of what the text shows; which places are
//! inside which is put together in [`super`].

use std::ops::Range;

use fim_lexer::fstring::{Context, Frame, FrameChange, Quote, Quotes, change_frames};
use fim_lexer::suffix::{Junction, Lexed, lex_symbol};
use rustc_hash::FxHashMap;

use super::{brackets_in, sorted};
use crate::suffix_charts::{Frames, Tables};

/// Code reads alike in all f-strings; this one stands for them.
pub(super) const ANY: Context =
    Context { quote: Quote::TripleDouble, is_raw: false, outer: Quotes::FREE };

/// The offsets at which reading goes on behind a symbol that the cut is in.
#[derive(Default)]
pub(super) struct Starts {
    /// In the same mode.
    pub(super) clean: Vec<usize>,
    /// Behind a conversion.
    pub(super) converted: Vec<usize>,
    /// Behind a line break that ended a specification.
    pub(super) broken: Vec<usize>,
    /// Behind the f-string.
    pub(super) ended: Vec<usize>,
}

/// How an f-string goes on behind a field, or behind its code.
#[derive(Clone, Copy)]
pub(super) enum Resumption {
    /// With what is around the field.
    Text(usize),
    /// With a specification.
    Specification(usize),
    /// With a specification that had a field before.
    LaterSpecification(usize),
}

/// Reads the text as if it began in some frames.
pub(super) struct Reader<'a> {
    pub(super) tables: &'a Tables<'a>,
    pub(super) text: &'a [u8],
    /// Where the innermost frame, a text or a specification, ends when it is read from an offset.
    ends: FxHashMap<(Frame, usize), Option<usize>>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(tables: &'a Tables<'a>, text: &'a [u8]) -> Self {
        Self { tables, text, ends: FxHashMap::default() }
    }

    pub(super) fn starts(&mut self, fates: &[Junction]) -> Starts {
        let mut starts = Starts { clean: vec![0], ..Starts::default() };
        for fate in fates {
            let Junction::Straddling { emission, at, .. } = *fate else {
                // A symbol that is complete at the cut leads to another place, read from there.
                starts.clean.push(fate.at());
                continue;
            };
            match self.tables.lexer.scanner.emission(emission).change {
                FrameChange::Keep => starts.clean.push(at),
                FrameChange::EndText => starts.ended.push(at),
                FrameChange::Convert => starts.converted.push(at),
                FrameChange::EndSpecification => starts.broken.push(at),
                FrameChange::BeginText(quote, is_raw, _) => {
                    let context = Context { quote, is_raw, outer: Quotes::FREE };
                    starts.clean.extend(self.text_end(context, at));
                }
                _ => {}
            }
        }
        let is_near = |offset: &usize| *offset <= self.text.len();
        let Starts { clean, converted, broken, ended } = &mut starts;
        for offsets in [clean, converted, broken, ended] {
            *offsets = sorted(std::mem::take(offsets).into_iter().filter(is_near).collect());
        }
        starts
    }

    /// For each number of open brackets with which a field may end, how reading goes on behind it.
    pub(super) fn fields(
        &self,
        starts: &[usize],
        allowed: Range<usize>,
    ) -> Vec<(usize, Vec<Resumption>)> {
        self.behind_brackets(Frame::Field(ANY), starts, allowed)
    }

    /// The same behind a line break that ends a specification, in the version where one does.
    pub(super) fn behind_breaks(
        &self,
        starts: &[usize],
        allowed: Range<usize>,
    ) -> Vec<(usize, Vec<Resumption>)> {
        match self.has_breaks() {
            true => self.behind_brackets(Frame::BrokenSpecification(ANY), starts, allowed),
            false => Vec::new(),
        }
    }

    pub(super) fn has_breaks(&self) -> bool {
        self.tables.lexer.description.dialect.has_breaks_behind_specifications
    }

    fn behind_brackets(
        &self,
        around: Frame,
        starts: &[usize],
        allowed: Range<usize>,
    ) -> Vec<(usize, Vec<Resumption>)> {
        let mut found: Vec<(usize, Vec<Resumption>)> = Vec::new();
        for &from in starts {
            let n_unmatched = self.n_unmatched_closers(from);
            for n_brackets in allowed.clone().take_while(|&n_brackets| n_brackets <= n_unmatched) {
                let place = brackets_in(around, n_brackets);
                let Some(resumption) = self.behind_code(&place, from) else { continue };
                match found.iter_mut().find(|(known, _)| *known == n_brackets) {
                    Some((_, resumptions)) => resumptions.push(resumption),
                    None => found.push((n_brackets, vec![resumption])),
                }
            }
        }
        found
    }

    pub(super) fn behind_conversions(&self, starts: &[usize]) -> Vec<Resumption> {
        let behind = |&from: &usize| self.behind_code(&[Frame::Converted(ANY)], from);
        starts.iter().filter_map(behind).collect()
    }

    /// How an f-string goes on behind a field that `place` is in.
    fn behind_code(&self, place: &[Frame], from: usize) -> Option<Resumption> {
        let mut frames = Frames::from_slice(&[Frame::Text(ANY)]);
        frames.extend_from_slice(place);
        let is_left = |frames: &Frames| {
            frames.len() == 1 || matches!(frames[..], [_, Frame::Specification(_)])
        };
        let at = self.read(&mut frames, from, is_left)?;
        Some(if frames.len() == 1 { Resumption::Text(at) } else { Resumption::Specification(at) })
    }

    /// Where the literal text goes on, behind `n_around` specifications.
    pub(super) fn text_resumed(
        &mut self,
        context: Context,
        resumption: Resumption,
        n_around: usize,
    ) -> Option<usize> {
        let mut at = match resumption {
            Resumption::Text(at) => at,
            Resumption::Specification(at) => self.end(Frame::Specification(context), at)?,
            Resumption::LaterSpecification(at) => {
                self.end(Frame::LaterSpecification(context), at)?
            }
        };
        for _ in 0..n_around {
            at = self.end(Frame::LaterSpecification(context), at)?;
        }
        Some(at)
    }

    pub(super) fn text_end(&mut self, context: Context, from: usize) -> Option<usize> {
        self.end(Frame::Text(context), from)
    }

    /// Where a text or a specification ends that is read from an offset on.
    fn end(&mut self, frame: Frame, from: usize) -> Option<usize> {
        if let Some(&known) = self.ends.get(&(frame, from)) {
            return known;
        }
        let mut frames = Frames::from_slice(&[frame]);
        let end = self.read(&mut frames, from, |frames| frames.is_empty());
        self.ends.insert((frame, from), end);
        end
    }

    /// Reads until the frames are as wished; `None` if the text cannot be read so far.
    fn read(
        &self,
        frames: &mut Frames,
        from: usize,
        is_done: impl Fn(&Frames) -> bool,
    ) -> Option<usize> {
        let scanner = &self.tables.lexer.scanner;
        let mut position = from;
        while !is_done(frames) {
            let raw = scanner.start(frames.last().copied());
            match lex_symbol(self.tables.lexer, self.text, position, raw) {
                Lexed::End | Lexed::Dead => return None,
                Lexed::LineBreak { end } => position = end,
                Lexed::Symbol { emission, end, .. } => {
                    position = end;
                    if !change_frames(frames, scanner.emission(emission).change) {
                        return None;
                    }
                }
            }
        }
        Some(position)
    }

    /// The number of brackets that close behind `from` and were opened in front of it.
    fn n_unmatched_closers(&self, from: usize) -> usize {
        let scanner = &self.tables.lexer.scanner;
        let mut frames = Frames::new();
        let mut n_unmatched = 0;
        let mut position = from;
        loop {
            let raw = scanner.start(frames.last().copied());
            match lex_symbol(self.tables.lexer, self.text, position, raw) {
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
        }
    }
}
