//! Which tokens names are against, of those that the grammar lets through.
//!
//! Reading each token would cost a hundred times what the grammar's mask does. Nearly all of them are words
//! behind a few signs, or signs alone: of words only the visible names are looked up
//! (`masks/words.rs`), and most places are such that no sign can be wrong (`names/quiet.rs`). The rest is read,
//! and whatever is not certain.

use fim_lexer::RawState;
use fim_lexer::scanner::StateKind;

use super::Recognizer;
use super::named::names_behind;
use crate::caches::lock;
use crate::charts::LeftCharts;
use crate::grammar::Language;
use crate::hole::{Hole, Place};
use crate::masks::{KEYWORDS, PREFIXES, Token, TokenId, Vocabulary, WordGroup, may_end_text};
use crate::names::{NamesAt, Verdict};

impl Recognizer {
    /// Clears the bits of tokens in a mask that names are against.
    pub(crate) fn keep_names(
        &self,
        left: &mut LeftCharts,
        hole: &mut Hole,
        vocabulary: &Vocabulary,
        mask: &mut [u32],
    ) {
        let Some(names) = &self.names else { return };
        if vocabulary.ends().iter().any(|&id| is_set(mask, id)) && !self.names_may_end(hole) {
            vocabulary.ends().iter().for_each(|&id| clear(mask, id));
        }
        let language = self.session.language();
        let mut judge = Judge { language, left, hole, vocabulary };
        let here = Spot { place: self.place.clone(), names: names.clone() };
        let words = vocabulary.words();
        let is_in_text = judge.is_in_text(&here);
        for group in &words.groups {
            if (!is_in_text || may_end_text(&group.lead)) && group.is_in(mask) {
                judge.keep_group(&here, group, mask);
            }
        }
        judge.keep_signs(&here, mask, is_in_text);
        judge.keep_read(&here, &words.endings, mask, |_| true);
        if !is_in_text {
            judge.keep_read(&here, &words.others, mask, |_| true);
        }
        lock(&self.named_masks).keep(vocabulary.fingerprint(), &self.place, names, mask);
    }

    /// Writes the mask of the place, if names are looked at and it is known.
    pub(crate) fn known_named_mask(&self, vocabulary: &Vocabulary, mask: &mut [u32]) -> bool {
        let Some(names) = &self.names else { return false };
        let known = lock(&self.named_masks);
        let found = known.get(vocabulary.fingerprint(), &self.place, names);
        found.is_some_and(|words| {
            mask.copy_from_slice(words);
            true
        })
    }
}

fn is_set(mask: &[u32], id: TokenId) -> bool {
    mask[id.index() / 32] & (1 << (id.0 % 32)) != 0
}

fn clear(mask: &mut [u32], id: TokenId) {
    mask[id.index() / 32] &= !(1 << (id.0 % 32));
}

/// Somewhere behind the place of the mask.
struct Spot {
    place: Place,
    names: NamesAt,
}

impl Spot {
    /// The word in progress, if it may become a name.
    fn word(&self, language: &Language) -> Option<&[u8]> {
        self.names.begun_word(language, self.place.lexed.raw)
    }
}

/// What comes of reading bytes.
#[expect(clippy::large_enum_variant, reason = "it is taken apart where it is made")]
enum Read {
    Spot(Spot),
    /// The grammar cannot read them, or not as they are.
    No,
    /// Names are against them, whatever follows.
    Wrong,
}

struct Judge<'a> {
    language: &'a Language,
    left: &'a mut LeftCharts,
    hole: &'a mut Hole,
    vocabulary: &'a Vocabulary,
}

/// What a word is tried with: it begins no keyword, number or prefix of a string.
const PROBE: &[u8] = b"q";

/// Of fewer tokens each is looked up.
const MIN_LOOKED_UP: usize = 64;

impl Judge<'_> {
    fn read(&mut self, from: &Spot, text: &[u8]) -> Read {
        let mut place = from.place.clone();
        if place.read(self.language, self.left, text) < text.len()
            || place.lexed.raw == RawState::DEAD
        {
            return Read::No;
        }
        let mut names = from.names.clone();
        match names.read(self.language, &from.place.lexed, text) {
            Ok(()) => Read::Spot(Spot { place, names }),
            Err(_) => Read::Wrong,
        }
    }

    /// Whether a string or a comment is in progress, in which all words may come.
    fn is_in_text(&mut self, here: &Spot) -> bool {
        let kind = |place: &Place| self.language.lexer.scanner.kind(place.lexed.raw);
        let is_begun = kind(&here.place).is_in_symbol() || kind(&here.place) == StateKind::Comment;
        is_begun
            && !here.names.waits()
            && here.word(self.language).is_none()
            && matches!(self.read(here, PROBE), Read::Spot(probe) if probe.word(self.language).is_none())
    }

    /// Keeps those tokens of a group that may come.
    fn keep_group(&mut self, here: &Spot, group: &WordGroup, mask: &mut [u32]) {
        let front = match self.read(here, &group.lead) {
            Read::Spot(front) => front,
            Read::No => return self.keep_read(here, &group.entries, mask, |_| true),
            Read::Wrong => return group.clear(mask),
        };
        let probe = match self.read(&front, PROBE) {
            Read::Spot(probe) => probe,
            Read::No => return self.keep_read(here, &group.entries, mask, |_| true),
            Read::Wrong => return group.clear(mask),
        };
        let Some((_, begun)) = probe.word(self.language).and_then(|word| word.split_last()) else {
            // In a string or a comment all words may come, if one may: a string tells what a target is none of.
            if probe.names.waits() {
                self.keep_read(here, &group.entries, mask, |_| true);
            }
            return;
        };
        if !self.hole.symbol_is_completable(self.language, self.left, &probe.place) {
            return self.keep_read(here, &group.entries, mask, |_| true);
        }
        if probe.names.verdict(self.language, self.left, self.hole, &probe.place) == Verdict::All {
            return;
        }
        let Some(visible) = probe.names.visible() else { return };
        let original = mask.to_vec();
        group.clear(mask);
        group.restore_foreign(&original, mask);
        if !begun.is_ascii() {
            mask.copy_from_slice(&original);
            return;
        }
        let mut keep = |id: TokenId| {
            mask[id.index() / 32] |= original[id.index() / 32] & (1 << (id.0 % 32));
        };
        if begun.is_empty() && group.entries.len() >= MIN_LOOKED_UP {
            group.for_beginnings(self.vocabulary, &visible, keep);
        } else {
            let longer = visible.iter().filter(|name| name.starts_with(begun));
            for name in longer {
                let found = group.beginnings_of(self.vocabulary, name, begun.len());
                found.into_iter().for_each(&mut keep);
            }
        }
        self.keep_keywords(&front, &probe, begun, group, &original, mask);
    }

    /// Puts those tokens of a group back that may become what is no name.
    fn keep_keywords(
        &mut self,
        front: &Spot,
        probe: &Spot,
        begun: &[u8],
        group: &WordGroup,
        original: &[u32],
        mask: &mut [u32],
    ) {
        let n_lead = group.lead.len();
        let scanner = &self.language.lexer.scanner;
        let start = scanner.start(probe.place.lexed.frames.last().copied());
        let vocabulary = self.vocabulary;
        let mut try_word = |judge: &mut Self, word: &[u8], id: TokenId| {
            if !is_set(original, id) || is_set(mask, id) {
                return;
            }
            let raw =
                [begun, word].concat().iter().fold(start, |raw, &byte| scanner.next(raw, byte));
            let place = &probe.place;
            let may_be =
                probe.names.may_be_none(judge.language, judge.left, judge.hole, place, raw);
            if may_be && judge.is_fine(front, word) {
                mask[id.index() / 32] |= 1 << (id.0 % 32);
            }
        };
        if begun.is_empty() {
            for &entry in &group.keywords {
                let word = &vocabulary.entry(entry as usize)[n_lead..];
                try_word(self, word, vocabulary.id(entry as usize));
            }
            return;
        }
        let mut texts: Vec<Vec<u8>> = KEYWORDS
            .iter()
            .filter(|keyword| keyword.starts_with(begun))
            .map(|keyword| keyword.to_vec())
            .collect();
        if let [first] = begun
            && PREFIXES.contains(first)
        {
            texts.extend(PREFIXES.iter().map(|&second| vec![*first, second]));
        }
        for text in texts {
            for id in group.beginnings_of(vocabulary, &text, begun.len()) {
                let Some(Token::Text(token)) = vocabulary.token(id) else { continue };
                try_word(self, &token[n_lead..], id);
            }
        }
    }

    /// Whether a text may come that the grammar lets through.
    fn is_fine(&mut self, from: &Spot, text: &[u8]) -> bool {
        let mut place = from.place.clone();
        place.read(self.language, self.left, text) == text.len()
            && names_behind(
                &from.names,
                self.language,
                self.left,
                self.hole,
                &from.place,
                &place,
                text,
            )
            .is_ok()
    }

    /// Keeps those tokens without a letter that may come.
    fn keep_signs(&mut self, here: &Spot, mask: &mut [u32], is_in_text: bool) {
        let signs = &self.vocabulary.words().signs;
        let is_in_word = here.word(self.language).is_some();
        // A digit goes on with a word, and a quote may make it a string's; all else ends it.
        let goes_on = |token: &[u8]| matches!(token[0], b'0'..=b'9' | b'"' | b'\'');
        match self.read(here, b" ") {
            Read::Spot(behind) if behind.names.is_quiet() => {
                if is_in_word {
                    self.keep_read(here, signs, mask, goes_on);
                } else if !here.names.is_quiet() {
                    self.keep_read(here, signs, mask, |token| !is_in_text || may_end_text(token));
                }
            }
            _ => self.keep_read(here, signs, mask, |token| !is_in_text || may_end_text(token)),
        }
    }

    /// Keeps those of some tokens that may come: each is read, unless `is_asked` says that it is fine. What
    /// neighbours have in common is read once.
    fn keep_read(
        &mut self,
        here: &Spot,
        entries: &[u32],
        mask: &mut [u32],
        is_asked: impl Fn(&[u8]) -> bool,
    ) {
        let mut behind: Vec<Spot> = Vec::new();
        // The last token that was read, and how much of it is wrong whatever follows.
        let mut last: &[u8] = b"";
        let mut n_wrong = usize::MAX;
        let vocabulary = self.vocabulary;
        for &entry in entries {
            let (id, token) = (vocabulary.id(entry as usize), vocabulary.entry(entry as usize));
            if !is_set(mask, id) || !is_asked(token) {
                continue;
            }
            let n_shared = last.iter().zip(token).take_while(|(one, other)| one == other).count();
            if n_shared >= n_wrong {
                clear(mask, id);
                continue;
            }
            (last, n_wrong) = (token, usize::MAX);
            behind.truncate(n_shared);
            while behind.len() < token.len() {
                let from = behind.last().unwrap_or(here);
                match self.read(from, &token[behind.len()..=behind.len()]) {
                    Read::Spot(further) => behind.push(further),
                    Read::No | Read::Wrong => {
                        n_wrong = behind.len() + 1;
                        break;
                    }
                }
            }
            let is_fine = n_wrong == usize::MAX
                && behind.last().is_some_and(|Spot { place, names }| {
                    names.check_begun(self.language, self.left, self.hole, place).is_ok()
                });
            if !is_fine {
                clear(mask, id);
            }
        }
    }
}
