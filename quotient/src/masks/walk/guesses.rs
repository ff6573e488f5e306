//! Repeated names in a mask: names whose texts matter.
//!
//! The tables know symbols and not their texts. Of the name in progress at the place, the walk knows the beginning,
//! and all of it where a token ends it first. Of other names in a token it knows nothing, so it guesses: once that
//! each is the right one, once that none is. Where both walks agree, they are right; the other tokens are read.

use fim_lexer::TerminalId;
use fim_lexer::scanner::EmissionId;

use super::{Spot, Walk};
use crate::charts::{LeftChart, Spelling};
use crate::hole::Place;
use crate::masks::vocabulary::{TokenId, Vocabulary};

impl Walk<'_> {
    /// The spot behind the symbol in progress at the place, which ends as it stands.
    pub(super) fn behind_begun(
        &mut self,
        spot: Spot,
        place: &Place,
        id: EmissionId,
    ) -> Option<Spot> {
        let rules = self.hole.parsing.rules();
        match *self.hole.language().lexer.scanner.emission(id).steps() {
            [name] if self.hole.parsing.left.minds_spelling(rules, spot.chart, name) => {
                self.is_spelled = true;
                let chart = place.chart_ended(&mut self.hole.parsing, id)?;
                self.live_at(chart, spot)
            }
            _ => self.behind_symbol(spot, id),
        }
    }

    /// The chart behind a name whose text matters, and of which only the beginning is known.
    pub(super) fn chart_behind_name(&mut self, spot: Spot, name: TerminalId) -> Option<LeftChart> {
        let (rules, chart) = (self.hole.parsing.rules(), spot.chart);
        let unlike = self.hole.parsing.left.step_spelled(rules, chart, name, Spelling::Unlike);
        let spelling = if spot.is_begun { Spelling::Longer(self.begun) } else { Spelling::Open };
        let open = self.hole.parsing.left.step_spelled(rules, chart, name, spelling);
        self.is_spelled |= spot.is_begun;
        self.is_guessed |= open != unlike;
        if self.is_generous { open } else { unlike }
    }

    /// Settles the guesses. All tokens have been added that may be right. Those that are right whatever the texts are
    /// stay; the others are read.
    pub(super) fn check_guesses(
        &mut self,
        vocabulary: &Vocabulary,
        place: &Place,
        mask: &mut [u32],
    ) {
        let mut sure = vec![0; mask.len()];
        for id in vocabulary.ends() {
            sure[id.index() / 32] |= mask[id.index() / 32] & 1 << (id.0 % 32);
        }
        self.is_generous = false;
        self.walk(vocabulary, place, &mut sure);
        let mut guessed: Vec<usize> = Vec::new();
        for (word, (all, sure)) in mask.iter_mut().zip(&sure).enumerate() {
            let mut rest = *all & !sure;
            while rest != 0 {
                let id = TokenId(word as u32 * 32 + rest.trailing_zeros());
                guessed.push(vocabulary.entry_of(id) as usize);
                rest &= rest - 1;
            }
            *all = *sure;
        }
        guessed.sort_unstable();
        self.read_each(vocabulary, place, guessed, mask);
    }

    /// Reads tokens from a place, in their order, sharing common beginnings; the tables stand for this. In the name
    /// of a character, of which hardly any tokens can be a part, all tokens are read.
    pub(super) fn read_each(
        &mut self,
        vocabulary: &Vocabulary,
        place: &Place,
        entries: impl IntoIterator<Item = usize>,
        mask: &mut [u32],
    ) {
        let mut behind = vec![place.clone()];
        let mut before: &[u8] = &[];
        for entry in entries {
            let token = vocabulary.entry(entry);
            let n_shared = before.iter().zip(token).take_while(|(one, other)| one == other).count();
            before = token;
            if n_shared >= behind.len() {
                continue;
            }
            behind.truncate(n_shared + 1);
            let is_read = token[n_shared..].iter().all(|&byte| {
                let mut place = behind[behind.len() - 1].clone();
                let is_read = self.hole.read(&mut place, &[byte]) == 1;
                if is_read {
                    behind.push(place);
                }
                is_read
            });
            let last = &behind[behind.len() - 1];
            if is_read && self.hole.is_completable(last) {
                let id = vocabulary.id(entry);
                mask[id.index() / 32] |= 1 << (id.0 % 32);
            }
        }
    }
}
