//! Repeated names ([`crate::grammar`]'s `Same`) as numbers. Such a name must be a rule's, as a constructor's must be
//! its class's: charts carry the rule's name as a mark ([`super::marks`]), and the items of a right context say which
//! name they need. On the left a name may still be in progress; a right context may begin in the middle of one.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{Arc, Mutex};

use super::marks::{Mark, Marks};
use crate::caches::lock;

/// The text of a name, as far as the caller knows it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Spelling<'a> {
    /// The text is this.
    Whole(&'a [u8]),
    /// The text begins like this, and may go on.
    Begun(&'a [u8]),
    /// The text begins like this, and goes on.
    Longer(&'a [u8]),
    /// The text may be any that fits.
    Open,
    /// The text is no known name.
    Unlike,
}

/// The names that rules have and need, numbered. Both directions share the numbers.
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

/// A name as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum KnownName {
    /// The whole name.
    Whole(Arc<[u8]>),
    /// A name that begins like this, and may go on.
    Begun(Arc<[u8]>),
    /// A name that ends like this, with more in front.
    Ending(Arc<[u8]>),
    /// A name that begins like no numbered one.
    Fresh,
    /// A name that no rule needs.
    Unlike,
}

const WHOLE: u32 = 0;
const BEGUN: u32 = 1;
const ENDING: u32 = 2;
const OTHER: u32 = 3;
const UNLIKE: SpellingIdx = SpellingIdx::of(0, OTHER);
const FRESH: SpellingIdx = SpellingIdx::of(1, OTHER);
/// The number of an unknown name, which may be any.
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
    /// The number of a whole name.
    pub(crate) fn whole(&self, text: &[u8]) -> SpellingIdx {
        SpellingIdx::of(lock(&self.0).number(text), WHOLE)
    }

    /// The number of a name that ends like this, with more in front.
    pub(crate) fn ending(&self, text: &[u8]) -> SpellingIdx {
        SpellingIdx::of(lock(&self.0).number(text), ENDING)
    }

    /// The number of a name as far as it is known. All that begin like no numbered name have one number.
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

    /// The name of this number, as far as it is known.
    pub(crate) fn name(&self, name: SpellingIdx) -> KnownName {
        lock(&self.0).name(name)
    }

    /// Whether a rule with `mark` may be one that the right context needs. Of a name on the left perhaps only the
    /// beginning is known, and of one on the right only the end.
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

    /// Whether a name with this spelling may repeat the name that is a mark.
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
            // A rule's name that is not known yet has not been written, so text behind it is only a mask's guess.
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
        // A need for a whole name and a need for a name's end are never the same.
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
