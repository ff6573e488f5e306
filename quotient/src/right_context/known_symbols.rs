//! Charts in front of the symbols of a text in a language without lines, by their distances from its end.
//!
//! A right context is read from many places: behind whatever symbol the text in front of it left open. Clean
//! reading from different places soon meets, and from there on it is the same. So is reading after an edit, which
//! lies farther left.

use std::ops::Range;

use fim_lexer::RawState;
use fim_lexer::frames::{FrameChange, change_frames};
use fim_lexer::scanner::EmissionId;
use fim_lexer::suffix::{Lexed, lex_symbol};
use rustc_hash::FxHashMap;

use super::line_charts::{NothingFits, n_blanks};
use super::modes::OpenFrames;
use crate::charts::{RightChart, RightCharts};
use crate::grammar::Tables;

/// The bytes from one kept place to the next, counted from the end: places in between are soon read.
const STRIDE: u32 = 4;

/// Where a symbol may begin: a distance from the end, and the clean state there.
type SuffixPlace = (u32, RawState);

/// The charts in front of places, or how far from the end the symbol is that nothing fits in front of.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownSymbols {
    known: FxHashMap<SuffixPlace, Result<RightChart, u32>>,
}

impl KnownSymbols {
    /// Forgets the charts farther from the end than `distance`.
    pub(super) fn truncate(&mut self, distance: usize) {
        self.known.retain(|&(known, _), _| known as usize <= distance);
    }

    /// Bytes held, roughly.
    pub(super) fn memory(&self) -> usize {
        self.known.capacity() * (size_of::<(SuffixPlace, Result<RightChart, u32>)>() + 1)
    }

    /// The chart in front of `at`, where reading begins in `clean`.
    pub(super) fn read(
        &mut self,
        tables: &Tables<'_>,
        charts: &mut RightCharts,
        text: &[u8],
        at: usize,
        clean: RawState,
    ) -> Result<RightChart, NothingFits> {
        let distance = |offset: usize| (text.len() - offset) as u32;
        let scanner = &tables.lexer.scanner;
        let mut symbols: Vec<(Option<SuffixPlace>, EmissionId, Range<usize>)> = Vec::new();
        let (mut position, mut raw) = (at, clean);
        // From the outermost string with fields on: outside, brackets do not change how a text reads.
        let mut frames = OpenFrames::new();
        let mut found = loop {
            let place = (distance(position), raw);
            let place = (frames.is_empty() && place.0 % STRIDE == 0).then_some(place);
            if let Some(&known) = place.and_then(|place| self.known.get(&place)) {
                break known;
            }
            match lex_symbol(tables.lexer, text, position, raw) {
                Lexed::End if frames.is_empty() => break Ok(RightChart::LAST),
                Lexed::End | Lexed::Dead | Lexed::LineBreak { .. } => {
                    break Err(distance(position + n_blanks(&text[position..])));
                }
                Lexed::Symbol { emission, start, end, restart } => {
                    symbols.push((place, emission, start..end));
                    (position, raw) = (end, restart);
                    let change = scanner.emission(emission).change;
                    let is_begin = matches!(change, FrameChange::BeginText(_));
                    if change == FrameChange::Keep || (frames.is_empty() && !is_begin) {
                        continue;
                    }
                    let before = frames.last().copied();
                    if !change_frames(&mut frames, change) {
                        break Err(distance(start));
                    }
                    raw = scanner.behind(change, before, frames.last().copied());
                }
            }
        };
        for (place, emission, range) in symbols.into_iter().rev() {
            let terminals = &scanner.emission(emission).symbols;
            found = found.and_then(|chart| {
                let (start, spelled) = (range.start, &text[range]);
                let step = |chart, &terminal: &_| {
                    charts.step_spelled(tables.rules, chart, terminal, spelled)
                };
                terminals.iter().rev().try_fold(chart, step).ok_or(distance(start))
            });
            if let Some(place) = place {
                self.known.insert(place, found);
            }
        }
        found.map_err(|error| NothingFits { offset: text.len() - error as usize })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::{GrammarDescription, Language};

    const TEXT: &str = "package p\n\nvar a = \"b\" /* c */\nfunc f(d int) { return d / 2 }\n";

    fn language() -> Language {
        let text = include_str!("../../grammars/go.json");
        Language::new(GrammarDescription::from_json(text).unwrap()).unwrap()
    }

    fn read(
        language: &Language,
        charts: &mut RightCharts,
        known: &mut KnownSymbols,
        text: &str,
        at: usize,
    ) -> Result<RightChart, NothingFits> {
        let clean = language.lexer.scanner.start(None);
        known.read(&language.tables(), charts, text.as_bytes(), at, clean)
    }

    #[test]
    fn what_is_known_changes_nothing() {
        let language = language();
        let mut charts = RightCharts::new(&language.rules);
        let mut known = KnownSymbols::default();
        // Behind an edit farther left, and in a text that something is wrong with.
        for text in [TEXT.to_owned(), format!("{TEXT}var\n)"), format!("// new\n{TEXT}var\n)")] {
            if !text.starts_with("//") {
                known = KnownSymbols::default();
            }
            for at in (0..=text.len()).rev().chain(0..=text.len()) {
                let found = read(&language, &mut charts, &mut known, &text, at);
                let mut fresh = KnownSymbols::default();
                assert_eq!(found, read(&language, &mut charts, &mut fresh, &text, at), "{at}");
            }
        }
    }

    #[test]
    fn an_edit_forgets_what_is_in_front_of_it() {
        let language = language();
        let mut charts = RightCharts::new(&language.rules);
        let mut known = KnownSymbols::default();
        assert!(read(&language, &mut charts, &mut known, TEXT, 0).is_ok());
        let (all, distance) = (known.known.len(), TEXT.len() / 2);
        known.truncate(distance);
        assert!(!known.known.is_empty() && known.known.len() < all);
        assert!(known.known.keys().all(|place| place.0 as usize <= distance));
    }

    #[test]
    fn a_long_text_is_not_read_again_from_elsewhere() {
        let language = language();
        let mut charts = RightCharts::new(&language.rules);
        let mut known = KnownSymbols::default();
        let text = format!("package p\n{}", "var a = b\n".repeat(1000));
        assert!(read(&language, &mut charts, &mut known, &text, 0).is_ok());
        let n_known = known.known.len();
        for at in [3, 8, 9, 13, 16] {
            let _ = read(&language, &mut charts, &mut known, &text, at);
        }
        assert!(known.known.len() <= n_known + 10, "{} {n_known}", known.known.len());
    }
}
