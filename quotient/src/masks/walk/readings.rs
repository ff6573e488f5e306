//! Masks where the text, or a token, reads in several ways.

use fim_lexer::scanner::RawState;

use super::grammar_mask;
use crate::charts::{LeftChart, Parsing, Taken};

use crate::hole::{OpenHole, Place};
use crate::masks::vocabulary::Vocabulary;

/// The union of the masks of all readings of the text.
pub(super) fn mask_of_readings(
    hole: &mut OpenHole<'_>,
    place: &Place,
    vocabulary: &Vocabulary,
    mask: &mut [u32],
) {
    let mut of_one = vec![0; mask.len()];
    for reading in place.readings() {
        let alone = Place { other: None, ..reading.clone() };
        grammar_mask(hole, &alone, vocabulary, &mut of_one);
        mask.iter_mut().zip(&of_one).for_each(|(word, more)| *word |= more);
    }
}

/// The branches that are taken at a fork, or at one of the forks where the parser has the same choice.
pub(super) fn taken_alike(parsing: &mut Parsing<'_>, chart: LeftChart, fork: RawState) -> Taken {
    let language = parsing.language;
    let scanner = &language.lexer.scanner;
    let Some(fork) = scanner.fork(fork) else { return Taken::from_slice(&[0]) };
    let alike = scanner.forks().iter().filter(|other| other.is_chosen_like(fork));
    let otherwise = alike.flat_map(|fork| language.reach.emissions(fork.otherwise));
    parsing.taken_branches(chart, fork, otherwise)
}
