//! The symbols of a text, and which of its line breaks end logical lines.
//!
//! A line break inside brackets is nothing. The number of brackets that are open around it follows from what
//! stands behind it: it is the number of closers to the right that nothing in between opens ([`line_ends`]).
//!
//! In the paper: brackets in the right context, section VI.C; here no branch is made for them.

use std::ops::Range;

use fim_lexer::frames::{FrameChange, MAX_BRACKETS, change_frames};
use fim_lexer::scanner::EmissionId;
use fim_lexer::suffix::{Leading, Lexed, leading, lex_symbol};
use fim_lexer::{Column, Lexer};

use super::NothingFits;
use crate::right_context::modes::OpenFrames;

/// A symbol or a line break of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineEntry {
    pub(super) start: u32,
    pub(super) end: u32,
    /// `None` for a line break.
    pub(super) emission: Option<EmissionId>,
    /// Whether this is outside the f-strings that begin in the text or around it.
    pub(super) is_outside: bool,
}

/// Lexes from `at` until the text ends or a line begins of which `known` tells what is there. It
/// is asked with where the line's white space begins, and where its first symbol does.
pub(super) fn lex_until_known<Known>(
    lexer: &Lexer,
    text: &[u8],
    at: usize,
    entries: &mut Vec<LineEntry>,
    known: impl Fn(usize, usize) -> Result<Option<Known>, NothingFits>,
) -> Result<Option<Known>, NothingFits> {
    let scanner = &lexer.scanner;
    let mut frames = OpenFrames::new();
    let mut raw = scanner.start(None);
    let mut position = at;
    let mut is_behind_break = false;
    loop {
        let is_outside = frames.is_empty();
        match lex_symbol(lexer, text, position, raw) {
            Lexed::End if is_outside => return Ok(None),
            Lexed::End => return Err(NothingFits { offset: position }),
            Lexed::Dead => {
                let n_blanks = if is_outside { n_blanks(&text[position..]) } else { 0 };
                return Err(NothingFits { offset: position + n_blanks });
            }
            Lexed::LineBreak { end } => {
                entries.push(LineEntry {
                    start: position as u32,
                    end: end as u32,
                    emission: None,
                    is_outside,
                });
                is_behind_break |= is_outside;
                position = end;
                raw = scanner.start(frames.last().copied());
            }
            Lexed::Symbol { emission, start, end, restart } => {
                if is_behind_break && is_outside {
                    let found = known(position, start)?;
                    if found.is_some() {
                        return Ok(found);
                    }
                    is_behind_break = false;
                }
                entries.push(LineEntry {
                    start: start as u32,
                    end: end as u32,
                    emission: Some(emission),
                    is_outside,
                });
                position = end;
                raw = restart;
                let change = scanner.emission(emission).change;
                let is_text = matches!(change, FrameChange::BeginText(..));
                if change == FrameChange::Keep || (is_outside && !is_text) {
                    continue;
                }
                let before = frames.last().copied();
                if !change_frames(&mut frames, change) {
                    return Err(NothingFits { offset: start });
                }
                raw = scanner.behind(change, before, frames.last().copied());
            }
        }
    }
}

/// The indices of the line breaks that end logical lines: those outside brackets.
pub(super) fn line_ends(
    lexer: &Lexer,
    entries: &[LineEntry],
    must_begin_outside: bool,
) -> Result<Vec<usize>, NothingFits> {
    let mut breaks = Vec::new();
    let mut depth = 0;
    for (index, entry) in entries.iter().enumerate().rev() {
        let Some(emission) = entry.emission else {
            if entry.is_outside && depth == 0 {
                breaks.push(index);
            }
            continue;
        };
        if !entry.is_outside {
            continue;
        }
        let offset = entry.start as usize;
        match lexer.scanner.emission(emission).change {
            FrameChange::Close(_) => {
                depth += 1;
                if depth > MAX_BRACKETS {
                    return Err(NothingFits { offset });
                }
            }
            FrameChange::Open(_) => {
                depth = depth.checked_sub(1).ok_or(NothingFits { offset })?;
            }
            _ => {}
        }
    }
    if must_begin_outside && depth > 0 {
        return Err(NothingFits { offset: entries[0].start as usize });
    }
    breaks.reverse();
    Ok(breaks)
}

/// The ranges of entries that are logical lines, without the breaks that end them. The first
/// range may be empty: then the text begins with the end of a line.
pub(super) fn logical_lines(
    lexer: &Lexer,
    text: &[u8],
    entries: &[LineEntry],
    breaks: &[usize],
) -> Vec<Range<usize>> {
    let mut lines = Vec::with_capacity(breaks.len() + 1);
    let mut begin = 0;
    for &end in breaks {
        // Behind the first line, a break without a symbol before it ends a blank line, unless the
        // line begins with a joined one and the version is 3.8.
        let is_blank = entries[begin..end].iter().all(|entry| entry.emission.is_none())
            && begins_blank(lexer, text, entries[begin].start as usize);
        if !is_blank || lines.is_empty() {
            lines.push(begin..end);
        }
        begin = end + 1;
    }
    if begin < entries.len() {
        lines.push(begin..entries.len());
    }
    lines
}

/// Whether no line begins in the white space at `at`.
fn begins_blank(lexer: &Lexer, text: &[u8], at: usize) -> bool {
    !matches!(leading(lexer, text, at, Column::ZERO, None), Leading::Symbol { .. })
}

/// The number of blanks that a text begins with.
pub(crate) fn n_blanks(text: &[u8]) -> usize {
    text.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\x0c')).count()
}
