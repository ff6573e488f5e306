//! Names that are said again ([`crate::grammar`]'s `Same`), as numbers: charts carry what a rule is called as a mark
//! ([`super::marks`]), and the items of a right context say which name they need. On the left a name may still be in
//! progress; a right context may begin in the middle of one.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{Arc, Mutex};

use super::marks::{Mark, Marks};
use crate::caches::lock;

/// How the text of a name is known.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Spelling<'a> {
    /// It is this.
    Whole(&'a [u8]),
    /// It begins like this.
    Begun(&'a [u8]),
    /// It begins like this, and goes on.
    Longer(&'a [u8]),
    /// It may be whatever fits.
    Open,
    /// It is none that anybody knows.
    Unlike,
}

/// All names that matter, numbered. Those of both directions are the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spellings(Arc<Mutex<Numbers>>);

#[derive(Debug)]
struct Numbers {
    numbers: BTreeMap<Arc<[u8]>, u32>,
    texts: Vec<Arc<[u8]>>,
    n_bytes: usize,
}

/// The number of a name, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SpellingIdx(pub(super) u32);

/// What is known of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum KnownName {
    /// All of it.
    Whole(Arc<[u8]>),
    /// It begins like this, and may go on.
    Begun(Arc<[u8]>),
    /// It ends like this, and something is in front.
    Ending(Arc<[u8]>),
    /// It is one that has not been said yet.
    Fresh,
    /// It is none that anything needs.
    Unlike,
}

const WHOLE: u32 = 0;
const BEGUN: u32 = 1;
const ENDING: u32 = 2;
const OTHER: u32 = 3;
const UNLIKE: SpellingIdx = SpellingIdx::of(0, OTHER);
const FRESH: SpellingIdx = SpellingIdx::of(1, OTHER);
/// Any name at all.
const OPEN: SpellingIdx = SpellingIdx::of(0, BEGUN);

impl SpellingIdx {
    const fn of(text: u32, kind: u32) -> Self {
        Self(text << 2 | kind)
    }

    fn text(self) -> usize {
        (self.0 >> 2) as usize
    }

    fn kind(self) -> u32 {
        self.0 & 3
    }
}

impl Default for Numbers {
    fn default() -> Self {
        let nothing: Arc<[u8]> = Arc::default();
        Self {
            numbers: BTreeMap::from([(Arc::clone(&nothing), 0)]),
            texts: vec![nothing],
            n_bytes: 0,
        }
    }
}

impl Numbers {
    fn number(&mut self, text: &[u8]) -> u32 {
        if let Some(&known) = self.numbers.get(text) {
            return known;
        }
        let (fresh, text) = (self.texts.len() as u32, Arc::<[u8]>::from(text));
        self.numbers.insert(Arc::clone(&text), fresh);
        self.n_bytes += text.len() + 96;
        self.texts.push(text);
        fresh
    }

    /// Whether a name that has been numbered begins like this.
    fn begins_any(&self, text: &[u8]) -> bool {
        let from = (Bound::Included(text), Bound::Unbounded);
        self.numbers.range::<[u8], _>(from).next().is_some_and(|(next, _)| next.starts_with(text))
    }

    fn name(&self, name: SpellingIdx) -> KnownName {
        let text = || Arc::clone(&self.texts[name.text()]);
        match name.kind() {
            WHOLE => KnownName::Whole(text()),
            BEGUN => KnownName::Begun(text()),
            ENDING => KnownName::Ending(text()),
            _ if name == FRESH => KnownName::Fresh,
            _ => KnownName::Unlike,
        }
    }
}

impl Spellings {
    /// A name that is there as a whole.
    pub(crate) fn whole(&self, text: &[u8]) -> SpellingIdx {
        SpellingIdx::of(lock(&self.0).number(text), WHOLE)
    }

    /// A name that ends like this, something in front of it.
    pub(crate) fn ending(&self, text: &[u8]) -> SpellingIdx {
        SpellingIdx::of(lock(&self.0).number(text), ENDING)
    }

    /// A name as far as it is known. Those that begin like no other are all the same.
    pub(crate) fn number(&self, spelling: Spelling<'_>) -> SpellingIdx {
        let mut numbers = lock(&self.0);
        match spelling {
            Spelling::Whole(text) => SpellingIdx::of(numbers.number(text), WHOLE),
            Spelling::Begun(text) | Spelling::Longer(text) if numbers.begins_any(text) => {
                SpellingIdx::of(numbers.number(text), BEGUN)
            }
            Spelling::Begun(_) | Spelling::Longer(_) => FRESH,
            Spelling::Open => OPEN,
            Spelling::Unlike => UNLIKE,
        }
    }

    /// What is known of a name.
    pub(crate) fn name(&self, name: SpellingIdx) -> KnownName {
        lock(&self.0).name(name)
    }

    /// Whether a rule with a mark may be one of those that the right context needs. Of a name on the left no more may be
    /// known than how it begins, and of one on the right how it ends.
    #[inline]
    pub(crate) fn fits(&self, needed: Marks, mark: Mark) -> bool {
        match (needed, mark) {
            (Marks::Columns(columns), Mark::Column(column)) => columns.contains(column),
            (Marks::Name(needed), Mark::Name(name)) => self.may_become(needed, name),
            (needed, _) => needed == Marks::ALL,
        }
    }

    fn may_become(&self, needed: SpellingIdx, name: SpellingIdx) -> bool {
        if needed == name {
            return name.kind() == WHOLE;
        }
        let numbers = lock(&self.0);
        match (numbers.name(needed), numbers.name(name)) {
            (KnownName::Whole(whole), KnownName::Begun(begun)) => whole.starts_with(&begun),
            (KnownName::Ending(end), KnownName::Whole(whole)) => {
                end.len() < whole.len() && whole.ends_with(&end)
            }
            (KnownName::Ending(_), KnownName::Begun(_) | KnownName::Fresh) => true,
            _ => false,
        }
    }

    /// Whether the name that is a mark may be said again with this spelling.
    pub(crate) fn is_again(&self, mark: Mark, spelling: Spelling<'_>) -> bool {
        let Mark::Name(name) = mark else { return false };
        if matches!(spelling, Spelling::Unlike) || name == UNLIKE {
            return false;
        }
        match (lock(&self.0).name(name), spelling) {
            (KnownName::Whole(name), Spelling::Whole(text)) => *name == *text,
            (KnownName::Whole(name), Spelling::Begun(text)) => name.starts_with(text),
            (KnownName::Whole(name), Spelling::Longer(text)) => {
                name.len() > text.len() && name.starts_with(text)
            }
            (KnownName::Whole(_), Spelling::Open) => true,
            // A name that is not known yet has not been written, so nothing stands behind it but in a mask's guesses.
            (KnownName::Begun(_) | KnownName::Fresh, _) => true,
            _ => false,
        }
    }

    /// Bytes held, roughly.
    pub(crate) fn memory(&self) -> usize {
        lock(&self.0).n_bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_begun_may_become_what_is_needed() {
        let names = Spellings::default();
        let needed = |text: &[u8]| Marks::Name(names.whole(text));
        let fits = |needed, spelling| names.fits(needed, Mark::Name(names.number(spelling)));
        let (foo, foo_bar) = (needed(b"Foo"), needed(b"FooBar"));
        assert!(fits(foo, Spelling::Whole(b"Foo")) && !fits(foo, Spelling::Whole(b"Fo")));
        assert!(fits(foo, Spelling::Begun(b"Fo")) && fits(foo_bar, Spelling::Begun(b"Fo")));
        assert!(!fits(foo, Spelling::Begun(b"FooB")) && fits(foo_bar, Spelling::Begun(b"FooB")));
        assert!(!fits(foo, Spelling::Begun(b"G")) && fits(Marks::ALL, Spelling::Begun(b"G")));
        let begun = |text| names.number(Spelling::Begun(text));
        assert_eq!(begun(b"G"), begun(b"H"), "nothing tells them apart");
        assert!(fits(foo, Spelling::Open) && !fits(foo, Spelling::Unlike));
    }

    #[test]
    fn what_ends_in_the_right_context_has_something_in_front() {
        let names = Spellings::default();
        let needed = Marks::Name(names.ending(b"oo"));
        let fits = |spelling| names.fits(needed, Mark::Name(names.number(spelling)));
        assert!(fits(Spelling::Whole(b"Foo")));
        assert!(!fits(Spelling::Whole(b"oo")) && !fits(Spelling::Whole(b"Fo")));
        assert!(fits(Spelling::Begun(b"x")) && !fits(Spelling::Unlike));
        // One that is needed as a whole and one that only ends so are never the same need.
        assert_eq!(needed.and(Marks::Name(names.whole(b"Foo"))), None);
    }

    #[test]
    fn outside_of_all_rules_with_names_nothing_is_said_again() {
        let names = Spellings::default();
        assert!(!names.is_again(Mark::OUTERMOST, Spelling::Open));
        assert!(names.fits(Marks::ALL, Mark::OUTERMOST));
        assert!(!names.fits(Marks::Name(names.whole(b"Foo")), Mark::OUTERMOST));
    }
}
