//! The junctions of the symbol in progress with the right context, each found once.
//!
//! A string that straddles the cut may end megabytes further on. Typing in it stays in few raw states, so each of
//! them is run to the symbol's end once.
//!
//! In the paper: the junction of figures 7 and 8.

use std::sync::Mutex;

use fim_lexer::Lexer;
use fim_lexer::lexer::LexState;
use fim_lexer::scanner::RawState;
use fim_lexer::suffix::{Junction, junction};
use rustc_hash::FxHashMap;

use crate::caches::lock;

/// The junctions of the raw states that were asked about.
#[derive(Debug, Default)]
pub(super) struct Junctions {
    known: Mutex<FxHashMap<RawState, Option<Junction>>>,
}

impl Junctions {
    /// The junction of the symbol in progress with `text`. In a character's name, which is short, it also depends on
    /// the part of the name that was read, and is not kept.
    pub(super) fn of(&self, lexer: &Lexer, text: &[u8], lexed: &LexState) -> Option<Junction> {
        if lexed.name.is_some() {
            return junction(lexer, text, lexed.raw, lexed.name);
        }
        *lock(&self.known)
            .entry(lexed.raw)
            .or_insert_with(|| junction(lexer, text, lexed.raw, None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::{GrammarDescription, Language};

    #[test]
    fn a_symbol_is_run_to_its_end_once() {
        let grammar = include_str!("../../grammars/python-3.14.json");
        let language = Language::new(GrammarDescription::from_json(grammar).unwrap()).unwrap();
        let lexer = &language.lexer;
        let behind = |text: &str| {
            let mut lexed = lexer.start();
            assert!(text.bytes().all(|byte| lexer.feed(&mut lexed, byte, &mut |_| true)), "{text}");
            lexed
        };
        let junctions = Junctions::default();
        let long = "b".repeat(1000) + "'\n";
        let found = junctions.of(lexer, long.as_bytes(), &behind("'a"));
        assert_eq!(found.map(Junction::at), Some(1001));
        // No caller asks about another text; here it shows that the text is not read again.
        for (typed, at) in [("'a", Some(1001)), ("'aaaa", Some(1001)), ("\"a", None)] {
            let found = junctions.of(lexer, b"c", &behind(typed));
            assert_eq!(found.map(Junction::at), at, "{typed}");
        }
        let name = junctions.of(lexer, b"M DASH}'", &behind("'\\N{E"));
        assert_eq!(name.map(Junction::at), Some(8));
        assert_eq!(junctions.of(lexer, b"M DASH}'", &behind("'\\N{")), None);
    }
}
