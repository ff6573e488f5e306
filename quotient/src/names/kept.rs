//! What a document keeps of both contexts' names: the left one's by the offsets of lines, the right one's by
//! their distance from the end. So to know the names around a hole costs what was edited, and the way that
//! the cursor has moved.

use fim_lexer::lexer::LexState;

use super::Contexts;
use super::left_context::{LineStart, Tables, read_left};
use super::reader::Reader;
use super::right::RightNames;
use super::right_context::{STRIDE, Suffixes, read_right};

/// What is known of a document's names.
#[derive(Debug, Default)]
pub(crate) struct KeptNames {
    /// In the order of their offsets.
    lefts: Vec<(usize, LineStart)>,
    rights: Suffixes,
}

/// What is kept of a line takes, by and large.
const BYTES_PER_LINE: usize = 2 << 10;

impl KeptNames {
    /// Follows an edit: what stands behind `start` is another text, up to so many bytes in front of the end.
    pub(crate) fn forget(&mut self, start: usize, n_behind: usize) {
        // A line that begins at `start` may not begin there any more: `\r` and `\n` are one line break.
        let kept = self.lefts.partition_point(|&(offset, _)| offset < start);
        self.lefts.truncate(kept);
        drop(self.rights.split_off(&(n_behind + 1)));
    }

    /// Bytes, roughly.
    pub(crate) fn memory(&self) -> usize {
        (self.lefts.len() + self.rights.len()) * BYTES_PER_LINE
    }

    /// The reader behind the left context and what is begun, and the symbol in progress.
    pub(super) fn left(
        &mut self,
        tables: &Tables<'_>,
        contexts: &Contexts<'_>,
        has_late_annotations: bool,
        lexed: &LexState,
    ) -> (Reader, Vec<u8>) {
        let Contexts { left, begun, .. } = contexts;
        let kept = self.lefts.partition_point(|&(offset, _)| offset <= left.len());
        let (from, line) = match kept.checked_sub(1) {
            Some(index) => self.lefts[index].clone(),
            None => (0, LineStart::first(has_late_annotations)),
        };
        let mut next = from + STRIDE;
        let is_last = kept == self.lefts.len();
        let text = [&left[from..], begun].concat();
        let (reader, start) = read_left(tables, &text, line, lexed, |at, line| {
            let offset = from + at;
            if is_last && offset >= next && offset < left.len() && line.is_small() {
                self.lefts.push((offset, line.clone()));
                next = offset + STRIDE;
            }
        });
        (reader, text[start..].to_vec())
    }

    /// The names of the right context, for a hole that ends where the lexer is in `lexed`.
    pub(super) fn right(
        &mut self,
        tables: &Tables<'_>,
        text: &[u8],
        lexed: &LexState,
    ) -> RightNames {
        read_right(tables, text, lexed, &mut self.rights)
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::{Index, select};
    use proptest::test_runner::RngSeed;

    use std::sync::{Arc, OnceLock};

    use super::*;
    use crate::grammar::{GrammarDescription, Language};
    use crate::names::NameRules;
    use crate::recognizer::Engine;

    /// Pieces of texts in which names are bound and used in all kinds of places.
    const PIECES: &[&str] = &[
        "import os, sys as s\n",
        "from __future__ import annotations\n",
        "def outer(a, *b):\n    global g\n    g = a\n",
        "    def inner(c=os):\n        return c, missing\n    yield b\n",
        "class C(Base):\n    x: int = 3\n    def m(self): return self.x, used\n",
        "for i in items:\n    if i: break\n    k = i\nelse:\n    pass\n",
        "try:\n    t = 1\nexcept E as e:\n    print(e)\n",
        "match v:\n    case [p, *q] if p: r = p\n    case _: pass\n",
        "with open(f) as h, (yield) as j:\n    z = [w for w in h]\n",
        "s = \"\"\"a b\nc = d\n\"\"\"\n",
        "long = [\n    one, two,\n    three(four=five),\n]\n",
        "x = 'half",
        "call(a, (\n",
        "b))\n",
        "    deeper = 1\n",
        "\r\n",
        "\r",
        "# a comment\n\n",
        "lam = lambda u: u + v\n",
        "\t",
        "case = 3; type = 4\n",
        "async def co():\n    return 1\n    await x\n",
    ];

    /// What both contexts' names are, in a form that does not depend on how they came about.
    fn seen(
        engine: &Engine,
        kept: &mut KeptNames,
        text: &[u8],
        hole: (usize, usize),
        begun: &[u8],
    ) -> String {
        let language = engine.language();
        let rules = NameRules::new("python", language.version.as_deref(), &language.lexer);
        let rules = Arc::new(rules.expect("Python has names"));
        let contexts = Contexts { left: &text[..hole.0], begun, right: &text[hole.1..] };
        let mut lexed = language.lexer.start();
        for &byte in contexts.left.iter().chain(begun) {
            if !language.lexer.feed(&mut lexed, byte, &mut |_| true) {
                break;
            }
        }
        let names = super::super::NamesAt::new(language, &rules, &contexts, kept, &lexed, &[]);
        format!("{:?}", (&names.around, &names.reader, &names.symbol, names.symbol_start))
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            rng_seed: RngSeed::Fixed(7),
            failure_persistence: None,
            max_shrink_iters: 200,
            ..ProptestConfig::with_cases(400)
        })]

        #[test]
        fn what_is_kept_is_what_would_be_read(
            pieces in vec(select(PIECES), 5..100),
            edits in vec((any::<Index>(), 0..40_usize, select(PIECES), any::<Index>()), 1..6),
        ) {
            let engine = ENGINE.get_or_init(|| Engine::new(python()));
            let mut text = pieces.concat().into_bytes();
            let mut kept = KeptNames::default();
            for (start, length, new, cursor) in edits {
                let start = start.index(text.len() + 1);
                let stop = (start + length).min(text.len());
                text.splice(start..stop, new.bytes());
                kept.forget(start, text.len() - start - new.len());
                for (hole, begun) in [
                    ((start + new.len(), start + new.len()), &b""[..]),
                    ((cursor.index(text.len() + 1), text.len()), &b"begun = be"[..]),
                ] {
                    let fresh = seen(engine, &mut KeptNames::default(), &text, hole, begun);
                    prop_assert_eq!(seen(engine, &mut kept, &text, hole, begun), fresh);
                }
            }
        }
    }

    static ENGINE: OnceLock<Engine> = OnceLock::new();

    fn python() -> Language {
        let description = include_str!("../../grammars/python-3.11.json");
        let description = GrammarDescription::from_json(description).expect("a description");
        Language::new(description).expect("a grammar")
    }
}
