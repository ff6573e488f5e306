//! The names of both contexts, and what a document keeps of them, so that finding the names around a hole costs no
//! more than the edit and the cursor's way.
//!
//! The left context is read forward, and kept by the offsets of its lines (`left_context`). The right context's lines
//! are read forward, too, but put together from the end, since what stands in front of them is unknown
//! (`right_context`); they are kept by their distance from the end (`suffixes`). An edit in one place makes neither
//! forget what it does not change:
//!
//! ```text
//! import os              known: the edit is behind it
//! rows = os.listdir()    edited
//! print(rows)            read again; if the reader is then what it was before the edit,
//! print(os)              ... all lines from here on are known again
//! ```

mod left_context;
mod right_context;
mod suffixes;

use std::ops::ControlFlow;

use fim_lexer::lexer::LexState;

use self::left_context::{KeptLefts, LineStart, read_left};
use self::right_context::{STRIDE, read_right};
use self::suffixes::KeptRights;
use crate::laws::Contexts;
use crate::python_names::reader::NamesReader;
use crate::python_names::scopes::RightNames;
use crate::python_names::symbols::Annotations;

pub(super) use self::left_context::ReadingTables;

/// The kept names of a document.
#[derive(Debug, Default)]
pub(super) struct KeptNames {
    lefts: KeptLefts,
    rights: KeptRights,
}

/// The number of bytes that a kept line takes, by and large.
const BYTES_PER_LINE: usize = 2 << 10;

impl KeptNames {
    /// Follows an edit that puts `n_new` bytes between two offsets of a text, which has `n_behind` bytes behind them.
    pub(super) fn edit(&mut self, start: usize, stop: usize, n_new: usize, n_behind: usize) {
        self.lefts.edit(start, stop, n_new);
        self.rights.edit(stop - start + n_behind, n_behind, n_new);
    }

    /// Bytes held, roughly.
    pub(super) fn memory(&self) -> usize {
        (self.lefts.len() + self.rights.len()) * BYTES_PER_LINE
    }

    /// The reader behind the left context and the text that is begun, and the symbol in progress.
    pub(super) fn left(
        &mut self,
        tables: &ReadingTables<'_>,
        contexts: &Contexts<'_>,
        annotations: Annotations,
        lexed: &LexState,
    ) -> (NamesReader, Vec<u8>) {
        let Contexts { left, begun, .. } = contexts;
        loop {
            let (last, is_last) = self.lefts.last_until(left.len());
            let (from, line) = last.cloned().unwrap_or_else(|| (0, LineStart::first(annotations)));
            let mut next = from + STRIDE;
            let text = [&left[from..], begun].concat();
            let read = read_left(tables, &text, line, lexed, |at, line| {
                let offset = from + at;
                if !is_last || offset >= left.len() {
                    return ControlFlow::Continue(());
                }
                if self.lefts.meets(offset, line) {
                    return ControlFlow::Break(());
                }
                if offset >= next && line.is_small() {
                    self.lefts.push(offset, line.clone());
                    next = offset + STRIDE;
                }
                ControlFlow::Continue(())
            });
            if let ControlFlow::Continue((reader, start)) = read {
                return (reader, text[start..].to_vec());
            }
        }
    }

    /// The names of the right context, for a hole that ends where the lexer is in `lexed`.
    pub(super) fn right(
        &mut self,
        tables: &ReadingTables<'_>,
        text: &[u8],
        lexed: &LexState,
    ) -> RightNames {
        self.rights.renew(tables, text);
        read_right(tables, text, lexed, &mut self.rights.known)
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::{Index, select};
    use proptest::test_runner::RngSeed;

    use std::ops::Range;
    use std::sync::{Arc, OnceLock};

    use super::*;
    use crate::grammar::{GrammarDescription, Language};
    use crate::python_names::names_at::NamesAt;
    use crate::python_names::symbols::NameRules;
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

    /// The names of both contexts, in a form that does not depend on how they were read.
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
        let names = NamesAt::new(language, &rules, &contexts, kept, &lexed, &[]);
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
            pieces in vec(select(PIECES), 5..200),
            edits in vec((any::<Index>(), 0..40_usize, select(PIECES), any::<Index>()), 1..6),
            undone in any::<[bool; 6]>(),
        ) {
            let engine = ENGINE.get_or_init(|| Engine::new(python()));
            let mut text = pieces.concat().into_bytes();
            let mut kept = KeptNames::default();
            for ((start, length, new, cursor), is_undone) in edits.into_iter().zip(undone) {
                let start = start.index(text.len() + 1);
                let stop = (start + length).min(text.len());
                let old = text[start..stop].to_vec();
                replace(&mut kept, &mut text, start..stop, new.as_bytes());
                let behind = start + new.len();
                let mut holes = vec![(behind, behind, "")];
                if is_undone {
                    replace(&mut kept, &mut text, start..behind, &old);
                } else {
                    let cursor = cursor.index(text.len() + 1);
                    holes.push((cursor, text.len(), "begun = be"));
                }
                let cursor = cursor.index(text.len() + 1);
                holes.push((cursor, cursor, ""));
                for (start, stop, begun) in holes.into_iter().filter(|hole| hole.0 <= text.len()) {
                    let hole = (start, stop);
                    let fresh = seen(engine, &mut KeptNames::default(), &text, hole, begun.as_bytes());
                    prop_assert_eq!(seen(engine, &mut kept, &text, hole, begun.as_bytes()), fresh);
                }
            }
        }
    }

    /// Edits a text together with its kept names.
    fn replace(kept: &mut KeptNames, text: &mut Vec<u8>, place: Range<usize>, new: &[u8]) {
        kept.edit(place.start, place.end, new.len(), text.len() - place.end);
        text.splice(place, new.iter().copied());
    }

    #[test]
    fn what_is_read_again_as_it_was_is_known_to_the_end() {
        let engine = ENGINE.get_or_init(|| Engine::new(python()));
        let before = PIECES[..6].concat().repeat(100).into_bytes();
        let mut text = before.clone();
        let mut kept = KeptNames::default();
        let end = (text.len(), text.len());
        let first = seen(engine, &mut kept, &text, end, b"");
        let n_known = kept.lefts.n_known();
        assert!(n_known > 20);
        replace(&mut kept, &mut text, 30..31, b"another");
        replace(&mut kept, &mut text, 30..37, &before[30..31]);
        assert_eq!(kept.lefts.n_known(), 0);
        // Only the first lines are read.
        let found = seen(engine, &mut kept, &text, (2000, 2000), b"");
        assert_eq!(kept.lefts.n_known(), n_known);
        assert_eq!(found, seen(engine, &mut KeptNames::default(), &text, (2000, 2000), b""));
        assert_eq!(seen(engine, &mut kept, &text, end, b""), first);
    }

    #[test]
    fn what_is_read_again_as_it_was_is_known_from_the_beginning() {
        let engine = ENGINE.get_or_init(|| Engine::new(python()));
        let before = PIECES[..6].concat().repeat(100).into_bytes();
        let mut text = before.clone();
        let mut kept = KeptNames::default();
        let first = seen(engine, &mut kept, &text, (0, 0), b"");
        let n_known = kept.rights.n_known();
        assert!(n_known > 20);
        let end = text.len() - 30;
        replace(&mut kept, &mut text, end..end + 1, b"another");
        replace(&mut kept, &mut text, end..end + 7, &before[end..=end]);
        assert_eq!(kept.rights.n_known(), 0);
        // Only the last lines are read.
        let hole = (end - 2000, end - 2000);
        let found = seen(engine, &mut kept, &text, hole, b"");
        assert!(kept.rights.n_known() >= n_known);
        assert_eq!(found, seen(engine, &mut KeptNames::default(), &text, hole, b""));
        assert_eq!(seen(engine, &mut kept, &text, (0, 0), b""), first);
    }

    #[test]
    fn what_was_known_behind_two_edits_is_read_behind_the_second() {
        let engine = ENGINE.get_or_init(|| Engine::new(python()));
        let mut text = PIECES[..6].concat().repeat(100).into_bytes();
        let mut kept = KeptNames::default();
        let hole = |text: &Vec<u8>| (text.len(), text.len());
        seen(engine, &mut kept, &text, hole(&text), b"");
        let n_known = kept.lefts.n_known();
        let middle =
            text[..text.len() / 2].iter().rposition(|&byte| byte == b'\n').unwrap_or(0) + 1;
        replace(&mut kept, &mut text, middle..middle, b"new = 1\n");
        replace(&mut kept, &mut text, 30..30, b"x");
        replace(&mut kept, &mut text, 30..31, b"");
        assert_eq!(
            seen(engine, &mut kept, &text, hole(&text), b""),
            seen(engine, &mut KeptNames::default(), &text, hole(&text), b""),
        );
        assert!(kept.lefts.n_known().abs_diff(n_known) <= 1);
    }

    #[test]
    fn what_is_put_together_with_what_changed_is_not_known() {
        let engine = ENGINE.get_or_init(|| Engine::new(python()));
        let mut text = PIECES[..6].concat().repeat(100).into_bytes();
        let mut kept = KeptNames::default();
        seen(engine, &mut kept, &text, (0, 0), b"");
        // The text behind the middle changes for good, and is read only there; later the very end changes, twice.
        let end = text.len();
        replace(&mut kept, &mut text, end..end, b"new = 1\n");
        seen(engine, &mut kept, &text, (end / 2, end / 2), b"");
        replace(&mut kept, &mut text, end - 30..end - 30, b"x");
        replace(&mut kept, &mut text, end - 30..end - 29, b"");
        for at in [end / 2, 0] {
            assert_eq!(
                seen(engine, &mut kept, &text, (at, at), b""),
                seen(engine, &mut KeptNames::default(), &text, (at, at), b""),
            );
        }
    }

    #[test]
    fn what_an_edit_parts_is_not_put_together_again() {
        let engine = ENGINE.get_or_init(|| Engine::new(python()));
        let mut text = PIECES[..6].concat().repeat(100).into_bytes();
        let mut kept = KeptNames::default();
        seen(engine, &mut kept, &text, (0, 0), b"");
        let end = text.len();
        let middle = text[..end / 2].iter().rposition(|&byte| byte == b'\n').unwrap_or(0) + 1;
        replace(&mut kept, &mut text, end - 30..end - 30, b"x");
        replace(&mut kept, &mut text, middle..middle, b"new = 1\n");
        let at = text.len() - 31;
        replace(&mut kept, &mut text, at..at + 1, b"");
        assert_eq!(
            seen(engine, &mut kept, &text, (0, 0), b""),
            seen(engine, &mut KeptNames::default(), &text, (0, 0), b""),
        );
    }

    static ENGINE: OnceLock<Engine> = OnceLock::new();

    fn python() -> Language {
        let description = include_str!("../../grammars/python-3.11.json");
        let description = GrammarDescription::from_json(description).expect("a description");
        Language::new(description).expect("a grammar")
    }
}
