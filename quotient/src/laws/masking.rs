//! The tokens that a law of names refuses, of those that the grammar lets through.
//!
//! Reading each token would cost a hundred times as much as the grammar's mask. Nearly all tokens are words behind a
//! few signs, or signs alone: of words only the visible names are looked up (`masks/words.rs`), and at most places no
//! sign can be refused. All other tokens are read. The part of a mask that does not depend on the visible names is
//! worked out once for all places of a shape: an outline, which is filled with the names.

use fim_lexer::RawState;
use fim_lexer::scanner::StateKind;

use super::known_masks::{NamedMasks, Outline, Slot};
use super::name_law::{NameLaw, Verdict, behind};
use crate::grammar::Language;
use crate::hole::{OpenHole, Place};
use crate::masks::{Token, TokenId, Vocabulary, WordGroup, may_end_text};

/// Puts a token's bit back, as it was in the original.
fn restore(original: &[u32], mask: &mut [u32], id: TokenId) {
    mask[id.index() / 32] |= original[id.index() / 32] & (1 << (id.0 % 32));
}

/// Puts the bits of a group's tokens back, as they were in the original: of the given tokens, or else of all.
fn restore_all(group: &WordGroup, tokens: Option<&[TokenId]>, original: &[u32], mask: &mut [u32]) {
    match tokens {
        Some(tokens) => tokens.iter().for_each(|&id| restore(original, mask, id)),
        None => group.restore(original, mask),
    }
}

fn is_set(mask: &[u32], id: TokenId) -> bool {
    mask[id.index() / 32] & (1 << (id.0 % 32)) != 0
}

fn clear(mask: &mut [u32], id: TokenId) {
    mask[id.index() / 32] &= !(1 << (id.0 % 32));
}

/// Takes the tokens that end a text from a mask where `is_wrong` holds, which is asked only if the mask has one.
pub(crate) fn clear_ends(
    vocabulary: &Vocabulary,
    mask: &mut [u32],
    is_wrong: impl FnOnce() -> bool,
) {
    let ends = vocabulary.ends();
    if ends.iter().any(|&id| is_set(mask, id)) && is_wrong() {
        ends.iter().for_each(|&id| clear(mask, id));
    }
}

/// A place behind the one of the mask, with the names there.
pub(super) struct PlaceOfNames<Names> {
    pub(super) place: Place,
    pub(super) names: Names,
}

impl<Names: NameLaw> PlaceOfNames<Names> {
    /// The word in progress, if it may become a name.
    fn word(&self, language: &Language) -> Option<&[u8]> {
        self.names.begun_word(language, self.place.lexed.raw)
    }

    /// A letter that stands for a word whose letters are unknown.
    fn probe(&self) -> &[u8] {
        self.names.non_names().probe()
    }
}

/// The result of reading bytes.
enum Trial<Names> {
    Spot(PlaceOfNames<Names>),
    /// The grammar cannot read the bytes, or not without ending at a dead state.
    Unreadable,
    /// The law refuses the bytes, whatever follows.
    Refused,
}

pub(super) struct Judge<'a> {
    pub(super) hole: OpenHole<'a>,
    pub(super) vocabulary: &'a Vocabulary,
    /// Whether a word was met that must go on into the right context: then the visible names decide.
    pub(super) is_of_one_place: bool,
}

/// The verdict on the tokens of a group.
#[expect(clippy::large_enum_variant, reason = "it is taken apart where it is made")]
enum GroupVerdict<Names> {
    /// All may come.
    Allowed,
    /// The law refuses all, whatever follows.
    Refused,
    /// Each token must be read.
    Unknown,
    /// The beginnings of visible names may come. The places: behind the signs, and behind a letter after them.
    Visible(PlaceOfNames<Names>, PlaceOfNames<Names>),
}

impl Judge<'_> {
    /// Adds the beginnings of visible names to an outline's mask; takes out refused tokens that are read each time.
    pub(super) fn fill<Names: NameLaw>(
        &mut self,
        place: &Place,
        names: &Names,
        outline: &Outline,
        known: &mut NamedMasks<Names>,
        mask: &mut [u32],
    ) {
        let (language, vocabulary) = (self.hole.language(), self.vocabulary);
        let grammar = &*outline.grammar;
        let may_end = |hole: &OpenHole<'_>| {
            names.check_end(language, &place.lexed, &hole.right().text).is_ok()
        };
        if vocabulary.ends().iter().any(|&id| is_set(grammar, id)) && !may_end(&self.hole) {
            vocabulary.ends().iter().for_each(|&id| clear(mask, id));
        }
        let words = vocabulary.words();
        let begun = names.begun_word(language, place.lexed.raw).unwrap_or_default();
        let print = names.visible_print();
        let here = || PlaceOfNames { place: place.clone(), names: names.clone() };
        for &(index, slot) in &outline.slots {
            let group = words.group(index as usize);
            if slot == Slot::Others {
                if let Some(probe) = self.probed(&here(), group) {
                    let print = probe.names.visible_print();
                    let tokens = known.tokens(vocabulary, print, &probe.names, index);
                    restore_all(group, tokens.as_deref(), grammar, mask);
                }
            } else if group.lead.is_empty() && !begun.is_empty() {
                let visible = known.visible(vocabulary, print, names);
                let first = visible.partition_point(|name| &**name < begun);
                for name in visible[first..].iter().take_while(|name| name.starts_with(begun)) {
                    let found = group.beginnings_of(vocabulary, name, begun.len());
                    found.into_iter().for_each(|id| restore(grammar, mask, id));
                }
            } else {
                let tokens = known.tokens(vocabulary, print, names, index);
                restore_all(group, tokens.as_deref(), grammar, mask);
            }
        }
        let named = words.named.in_mask(vocabulary, grammar);
        if !named.is_empty() {
            let is_asked = |token: &[u8]| !outline.is_in_text || may_end_text(token);
            self.keep_read(&here(), &named, mask, is_asked);
        }
    }

    fn read<Names: NameLaw>(&mut self, from: &PlaceOfNames<Names>, text: &[u8]) -> Trial<Names> {
        let mut place = from.place.clone();
        if self.hole.read(&mut place, text) < text.len() || place.lexed.raw == RawState::DEAD {
            return Trial::Unreadable;
        }
        let mut names = from.names.clone();
        match names.read(self.hole.language(), &from.place.lexed, text) {
            Ok(()) => Trial::Spot(PlaceOfNames { place, names }),
            Err(_) => Trial::Refused,
        }
    }

    /// Whether a string or a comment is in progress, in which all words may come.
    fn is_in_text<Names: NameLaw>(&mut self, here: &PlaceOfNames<Names>) -> bool {
        let kind = |place: &Place| self.hole.language().lexer.scanner.kind(place.lexed.raw);
        let is_begun = kind(&here.place).is_in_symbol() || kind(&here.place) == StateKind::Comment;
        is_begun
            && !here.names.waits()
            && here.word(self.hole.language()).is_none()
            && matches!(self.read(here, here.probe()), Trial::Spot(probe) if probe.word(self.hole.language()).is_none())
    }

    /// The outline of the masks of all places that have the shape of this one. `mask` is the grammar's.
    pub(super) fn outline<Names: NameLaw>(
        &mut self,
        here: &PlaceOfNames<Names>,
        mask: &[u32],
    ) -> Outline {
        let words = self.vocabulary.words();
        let (grammar, mut base) = (Box::from(mask), Box::<[u32]>::from(mask));
        let print = here.names.visible_print();
        let is_in_text = self.is_in_text(here);
        let is_in_word = here.word(self.hole.language()).is_some();
        let n_groups = words.groups.len() + usize::from(is_in_word);
        let mut slots = Vec::new();
        for index in 0..n_groups {
            let group = words.group(index);
            if is_in_text && !may_end_text(&group.lead) || !group.is_in(mask) {
                continue;
            }
            match self.group_verdict(here, group) {
                GroupVerdict::Allowed => {}
                GroupVerdict::Refused => group.clear(&mut base),
                GroupVerdict::Unknown => {
                    let entries = group.in_mask(self.vocabulary, mask);
                    self.keep_read(here, &entries, &mut base, |_| true);
                }
                GroupVerdict::Visible(front, probe) => {
                    group.clear(&mut base);
                    group.restore_foreign(mask, &mut base);
                    self.keep_keywords(&front, &probe, group, mask, &mut base);
                    let is_same = probe.names.visible_print() == print;
                    let slot = if is_same { Slot::Same } else { Slot::Others };
                    slots.push((index as u32, slot));
                }
            }
        }
        self.keep_signs(here, &mut base, is_in_text);
        let endings = words.endings.in_mask(self.vocabulary, mask);
        self.keep_read(here, &endings, &mut base, |_| true);
        if !is_in_text {
            let others = words.others.in_mask(self.vocabulary, mask);
            self.keep_read(here, &others, &mut base, |_| true);
        }
        Outline { grammar, base, slots, is_in_text, is_of_one_place: self.is_of_one_place }
    }

    /// The verdict on the tokens of a group.
    fn group_verdict<Names: NameLaw>(
        &mut self,
        here: &PlaceOfNames<Names>,
        group: &WordGroup,
    ) -> GroupVerdict<Names> {
        let front = match self.read(here, &group.lead) {
            Trial::Spot(front) => front,
            Trial::Unreadable => return GroupVerdict::Unknown,
            Trial::Refused => return GroupVerdict::Refused,
        };
        let probe = match self.read(&front, front.probe()) {
            Trial::Spot(probe) => probe,
            Trial::Unreadable => return GroupVerdict::Unknown,
            Trial::Refused => return GroupVerdict::Refused,
        };
        let Some((_, begun)) = probe.word(self.hole.language()).and_then(|word| word.split_last())
        else {
            // In a string or comment all words may come, if one may; but a string may rule out targets.
            return if probe.names.waits() { GroupVerdict::Unknown } else { GroupVerdict::Allowed };
        };
        if !begun.is_ascii() {
            return GroupVerdict::Allowed;
        }
        if !self.hole.symbol_is_completable(&probe.place) {
            return GroupVerdict::Unknown;
        }
        let is_all = probe.names.verdict(&mut self.hole, &probe.place) == Verdict::All
            || probe.names.sees_all();
        if is_all { GroupVerdict::Allowed } else { GroupVerdict::Visible(front, probe) }
    }

    /// The place behind a group's signs and a letter.
    fn probed<Names: NameLaw>(
        &mut self,
        here: &PlaceOfNames<Names>,
        group: &WordGroup,
    ) -> Option<PlaceOfNames<Names>> {
        let Trial::Spot(front) = self.read(here, &group.lead) else { return None };
        match self.read(&front, front.probe()) {
            Trial::Spot(probe) => Some(probe),
            Trial::Unreadable | Trial::Refused => None,
        }
    }

    /// Puts those tokens of a group back that may become a keyword or a string's prefix.
    fn keep_keywords<Names: NameLaw>(
        &mut self,
        front: &PlaceOfNames<Names>,
        probe: &PlaceOfNames<Names>,
        group: &WordGroup,
        original: &[u32],
        mask: &mut [u32],
    ) {
        let begun = probe.word(self.hole.language()).and_then(|word| word.split_last());
        let begun = begun.map_or(&b""[..], |(_, begun)| begun);
        let waits = probe.names.waits();
        let n_lead = group.lead.len();
        let scanner = &self.hole.language().lexer.scanner;
        let start = scanner.start(probe.place.lexed.frames.last().copied());
        let vocabulary = self.vocabulary;
        let mut try_word = |judge: &mut Self, word: &[u8], id: TokenId| {
            if !is_set(original, id) || is_set(mask, id) {
                return;
            }
            let raw =
                [begun, word].concat().iter().fold(start, |raw, &byte| scanner.next(raw, byte));
            let place = &probe.place;
            let may_be = probe.names.may_become_non_name(&mut judge.hole, place, raw);
            // A keyword has no effect before it has ended, unless names wait for it.
            if may_be && (!waits || judge.is_allowed(front, word)) {
                mask[id.index() / 32] |= 1 << (id.0 % 32);
            }
        };
        let non_names = probe.names.non_names();
        if begun.is_empty() {
            for &entry in group.non_names(vocabulary, non_names).iter() {
                let word = &vocabulary.entry(entry as usize)[n_lead..];
                try_word(self, word, vocabulary.id(entry as usize));
            }
            return;
        }
        let keywords = non_names.keywords().filter(|keyword| keyword.starts_with(begun));
        let mut texts: Vec<Vec<u8>> = keywords.map(<[u8]>::to_vec).collect();
        if let [first] = begun
            && non_names.prefixes().contains(first)
        {
            texts.extend(non_names.prefixes().iter().map(|&second| vec![*first, second]));
        }
        for text in texts {
            for id in group.beginnings_of(vocabulary, &text, begun.len()) {
                let Some(Token::Text(token)) = vocabulary.token(id) else { continue };
                try_word(self, &token[n_lead..], id);
            }
        }
    }

    /// Whether both the grammar and the law let a text come.
    fn is_allowed<Names: NameLaw>(&mut self, from: &PlaceOfNames<Names>, text: &[u8]) -> bool {
        let mut place = from.place.clone();
        self.hole.read(&mut place, text) == text.len()
            && behind(&from.names, &mut self.hole, &from.place, &place, text).is_ok()
    }

    /// Keeps those tokens without a letter that may come.
    fn keep_signs<Names: NameLaw>(
        &mut self,
        here: &PlaceOfNames<Names>,
        mask: &mut [u32],
        is_in_text: bool,
    ) {
        let words = self.vocabulary.words();
        let mut signs = words.signs.in_mask(self.vocabulary, mask);
        let is_in_word = here.word(self.hole.language()).is_some();
        if !is_in_word {
            // In a word, digits go on with it, as letters do.
            signs.extend(words.digits.in_mask(self.vocabulary, mask));
            signs.sort_unstable();
        }
        // A quote may turn a word into a string's prefix; all other signs end it.
        let goes_on = |token: &[u8]| matches!(token[0], b'"' | b'\'');
        match self.read(here, b" ") {
            Trial::Spot(behind) if behind.names.is_quiet() => {
                if is_in_word {
                    self.keep_read(here, &signs, mask, goes_on);
                } else if !here.names.is_quiet() {
                    self.keep_read(here, &signs, mask, |token| !is_in_text || may_end_text(token));
                }
            }
            _ => self.keep_read(here, &signs, mask, |token| !is_in_text || may_end_text(token)),
        }
    }

    /// Keeps tokens that may come: those that `is_asked` holds for are read, a common beginning only once.
    fn keep_read<Names: NameLaw>(
        &mut self,
        here: &PlaceOfNames<Names>,
        entries: &[u32],
        mask: &mut [u32],
        is_asked: impl Fn(&[u8]) -> bool,
    ) {
        let mut behind: Vec<PlaceOfNames<Names>> = Vec::new();
        // The last token that was read, and the length of its beginning that is refused whatever follows.
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
                    Trial::Spot(further) => behind.push(further),
                    Trial::Unreadable | Trial::Refused => {
                        n_wrong = behind.len() + 1;
                        break;
                    }
                }
            }
            let last = behind.last().filter(|_| n_wrong == usize::MAX);
            let is_fine = last.is_some_and(|PlaceOfNames { place, names }| {
                names.check_begun(&mut self.hole, place).is_ok()
            });
            self.is_of_one_place |= last.is_some_and(|spot| {
                spot.word(self.hole.language()).is_some()
                    && !self.hole.symbol_is_completable(&spot.place)
            });
            if !is_fine {
                clear(mask, id);
            }
        }
    }
}
