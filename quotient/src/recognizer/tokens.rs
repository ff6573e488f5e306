//! Single tokens: reading them, trying candidates, taking them back, and writing text that leaves no choice.

use super::Recognizer;
use crate::hole::Place;
use crate::masks::{Token, TokenId, Vocabulary};

impl Recognizer {
    /// The first token of `candidates` that may come next.
    pub fn first_allowed(
        &self,
        vocabulary: &Vocabulary,
        candidates: &[TokenId],
    ) -> Option<TokenId> {
        self.session.ask(&self.hole, |hole| {
            candidates.iter().copied().find(|&id| match vocabulary.token(id) {
                Some(Token::Text(text)) => {
                    let mut place = self.place.clone();
                    hole.read(&mut place, text) == text.len()
                        && hole.is_completable(&place)
                        && self
                            .law
                            .as_ref()
                            .is_none_or(|law| law.behind(hole, &self.place, &place, text).is_ok())
                }
                Some(Token::End) => hole.is_member(&self.place) && self.law_lets_end(hole),
                Some(Token::Special) | None => false,
            })
        })
    }

    /// Reads a token, if it may come next. A token that ends the sequence leaves the recognizer as it is.
    pub fn advance_token(&mut self, vocabulary: &Vocabulary, id: TokenId) -> bool {
        match vocabulary.token(id) {
            Some(Token::Text(text)) => self.advance(text),
            Some(Token::End) => {
                let is_member = self.is_member();
                if is_member {
                    self.history.push(self.place.clone(), self.law.clone());
                }
                is_member
            }
            Some(Token::Special) | None => false,
        }
    }

    /// Takes the last `n_steps` texts or tokens back. False, and nothing happens, if there were fewer.
    pub fn rollback(&mut self, n_steps: usize) -> bool {
        if n_steps == 0 {
            return true;
        }
        let Some((place, law, history)) = self.history.ago(n_steps) else { return false };
        self.place = place;
        self.law = law;
        self.history = history;
        true
    }

    /// The text that must come next, as far as `vocabulary` can write: empty at a choice, or where the text may end.
    pub fn forced_text(&self, vocabulary: &Vocabulary) -> Vec<u8> {
        let text = self.session.ask(&self.hole, |hole| {
            let mut place = self.place.clone();
            let mut text = Vec::new();
            while text.len() < MAX_FORCED && !hole.is_member(&place) {
                let mut only: Option<(u8, Place)> = None;
                for byte in (0..=255).filter(|&byte| vocabulary.can_write(byte)) {
                    let mut behind = place.clone();
                    let is_possible =
                        hole.read(&mut behind, &[byte]) == 1 && hole.is_completable(&behind);
                    if is_possible && only.replace((byte, behind)).is_some() {
                        return text;
                    }
                }
                let Some((byte, behind)) = only else { break };
                text.push(byte);
                place = behind;
            }
            text
        });
        complete_characters(text)
    }
}

/// The most bytes of a forced text: one without an end would never be returned.
const MAX_FORCED: usize = 1 << 12;

/// The text without the beginning of a character at its end.
fn complete_characters(text: Vec<u8>) -> Vec<u8> {
    let mut text = text;
    if let Err(error) = std::str::from_utf8(&text)
        && error.error_len().is_none()
    {
        text.truncate(error.valid_up_to());
    }
    text
}
