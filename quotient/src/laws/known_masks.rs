//! Caches of masks with names: the last masks, the outlines that masks are filled from, and the tokens that are
//! beginnings of visible names.
//!
//! A program that writes goes back, forks and asks again: the last masks are for that. Places of one shape differ in
//! their visible names only; their outline is the part of the mask that they share.

use std::sync::Arc;

use super::name_law::NameLaw;
use crate::caches::Fingerprint;
use crate::hole::Place;
use crate::masks::{TokenId, Vocabulary};

/// The number of masks that are kept for a hole.
const MAX_MASKS: usize = 16;

/// The number of outlines that are kept, of two masks each: one and a half megabytes with 150,000 tokens.
const MAX_OUTLINES: usize = 40;

/// The number of places whose visible names are kept.
const MAX_VISIBLE: usize = 16;

/// The caches of a hole's masks with names.
#[derive(Debug)]
pub(super) struct NamedMasks<Names> {
    masks: Ring<NamedMask<Names>, MAX_MASKS>,
    outlines: Ring<KnownOutline<Names>, MAX_OUTLINES>,
    visible: Ring<VisibleTokens<Names>, MAX_VISIBLE>,
}

impl<Names> Default for NamedMasks<Names> {
    fn default() -> Self {
        Self { masks: Ring::default(), outlines: Ring::default(), visible: Ring::default() }
    }
}

/// The last values of a kind; once all are there, a new one replaces the oldest.
#[derive(Debug)]
struct Ring<Value, const MAX: usize> {
    values: Vec<Value>,
    /// The index of the oldest value, once all are there.
    oldest: usize,
}

impl<Value, const MAX: usize> Default for Ring<Value, MAX> {
    fn default() -> Self {
        Self { values: Vec::new(), oldest: 0 }
    }
}

impl<Value, const MAX: usize> Ring<Value, MAX> {
    /// Adds a value. Its index.
    fn add(&mut self, value: Value) -> usize {
        if self.values.len() < MAX {
            self.values.push(value);
            return self.values.len() - 1;
        }
        let index = self.oldest;
        self.values[index] = value;
        self.oldest = (index + 1) % MAX;
        index
    }
}

#[derive(Debug)]
struct NamedMask<Names> {
    vocabulary: Fingerprint,
    place: Place,
    names: Names,
    words: Box<[u32]>,
}

#[derive(Debug)]
struct KnownOutline<Names> {
    vocabulary: Fingerprint,
    shape: Fingerprint,
    place: Place,
    names: Names,
    outline: Arc<Outline>,
}

/// The outline of a mask: the part that places of one shape share.
#[derive(Debug)]
pub(super) struct Outline {
    /// The grammar's mask.
    pub(super) grammar: Box<[u32]>,
    /// The mask of tokens that may come whatever names are visible, and of those that must be read each time.
    pub(super) base: Box<[u32]>,
    /// The numbers of word groups of which the beginnings of visible names may come, each with its slot.
    pub(super) slots: Vec<(u32, Slot)>,
    /// Whether a string or a comment is in progress, in which all words may come.
    pub(super) is_in_text: bool,
    /// Whether more than the shape decides, so that the outline holds for one place alone.
    pub(super) is_of_one_place: bool,
}

/// The visible names where the word of a group stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Slot {
    /// The names that are visible at the place.
    Same,
    /// Other names: the signs in front of the word change the visible ones.
    Others,
}

/// The visible names of a place, and for groups of words the tokens that one of them begins with.
#[derive(Debug)]
struct VisibleTokens<Names> {
    vocabulary: Fingerprint,
    print: Fingerprint,
    names: Names,
    /// The visible names, sorted.
    visible: Arc<[Box<[u8]>]>,
    /// Whether all names are visible.
    is_all: bool,
    groups: Vec<Option<Arc<[TokenId]>>>,
    /// A place with fewer visible names, if one was known.
    before: Option<Before>,
}

/// A place with fewer visible names. Written text binds name by name, so most visible names were visible before.
#[derive(Debug)]
struct Before {
    groups: Vec<Option<Arc<[TokenId]>>>,
    /// The names that are not visible there.
    added: Vec<Box<[u8]>>,
}

impl<Names: NameLaw> NamedMasks<Names> {
    /// The mask of a place, if it is known.
    pub(super) fn get(
        &self,
        vocabulary: Fingerprint,
        place: &Place,
        names: &Names,
    ) -> Option<&[u32]> {
        let is_it = |known: &&NamedMask<Names>| {
            known.names.is_same(names) && known.vocabulary == vocabulary && known.place == *place
        };
        self.masks.values.iter().find(is_it).map(|known| &*known.words)
    }

    /// Keeps the mask of a place.
    pub(super) fn keep(
        &mut self,
        vocabulary: Fingerprint,
        place: &Place,
        names: &Names,
        words: &[u32],
    ) {
        let (place, names) = (place.clone(), names.clone());
        self.masks.add(NamedMask { vocabulary, place, names, words: words.into() });
    }

    /// The outline of a place's shape, if it is known.
    pub(super) fn outline(
        &self,
        vocabulary: Fingerprint,
        shape: Fingerprint,
        place: &Place,
        names: &Names,
    ) -> Option<Arc<Outline>> {
        let is_it = |known: &&KnownOutline<Names>| {
            known.shape == shape
                && known.vocabulary == vocabulary
                && known.place == *place
                && known.names.has_contexts_of(names)
        };
        self.outlines.values.iter().find(is_it).map(|known| Arc::clone(&known.outline))
    }

    /// Keeps the outline of a place's shape.
    pub(super) fn keep_outline(
        &mut self,
        vocabulary: Fingerprint,
        shape: Fingerprint,
        place: &Place,
        names: &Names,
        outline: &Arc<Outline>,
    ) {
        let (place, names, outline) = (place.clone(), names.clone(), Arc::clone(outline));
        self.outlines.add(KnownOutline { vocabulary, shape, place, names, outline });
    }

    /// The names that are visible at a place, sorted; an empty list if all names are.
    pub(super) fn visible(
        &mut self,
        vocabulary: &Vocabulary,
        print: Fingerprint,
        names: &Names,
    ) -> Arc<[Box<[u8]>]> {
        let index = self.visible_index(vocabulary, print, names);
        Arc::clone(&self.visible.values[index].visible)
    }

    /// The tokens of a group whose word is a beginning of a name that is visible at a place; None if all names are.
    pub(super) fn tokens(
        &mut self,
        vocabulary: &Vocabulary,
        print: Fingerprint,
        names: &Names,
        group: u32,
    ) -> Option<Arc<[TokenId]>> {
        let index = self.visible_index(vocabulary, print, names);
        let known = &mut self.visible.values[index];
        if known.is_all {
            return None;
        }
        let group = group as usize;
        if known.groups.len() <= group {
            known.groups.resize(group + 1, None);
        }
        let before = known.before.as_ref().and_then(|Before { groups, added }| {
            let tokens = groups.get(group)?.as_ref()?;
            Some((Arc::clone(tokens), &added[..]))
        });
        let tokens = known.groups[group].get_or_insert_with(|| {
            let group = vocabulary.words().group(group);
            let (mut found, names) = match before {
                Some((tokens, [])) => return tokens,
                Some((tokens, added)) => (tokens.to_vec(), added),
                None => (Vec::new(), &known.visible[..]),
            };
            group.for_beginnings(vocabulary, names, |id| found.push(id));
            found.sort_unstable();
            found.dedup();
            found.into()
        });
        Some(Arc::clone(tokens))
    }

    fn visible_index(
        &mut self,
        vocabulary: &Vocabulary,
        print: Fingerprint,
        names: &Names,
    ) -> usize {
        let fingerprint = vocabulary.fingerprint();
        let known = self.visible.values.iter().position(|known| {
            known.print == print
                && known.vocabulary == fingerprint
                && known.names.has_contexts_of(names)
        });
        known.unwrap_or_else(|| {
            let visible = names.visible();
            let is_all = visible.is_none();
            let visible = visible.unwrap_or_default().into_iter();
            let mut visible: Vec<Box<[u8]>> = visible.map(Box::from).collect();
            visible.sort_unstable();
            visible.dedup();
            let others = self.visible.values.iter().filter(|known| known.vocabulary == fingerprint);
            let less = others.filter_map(|known| Some((known, added(&known.visible, &visible)?)));
            let before = less.min_by_key(|(_, added)| added.len());
            let before =
                before.map(|(known, added)| Before { groups: known.groups.clone(), added });
            self.visible.add(VisibleTokens {
                vocabulary: fingerprint,
                print,
                names: names.clone(),
                visible: visible.into(),
                is_all,
                groups: Vec::new(),
                before,
            })
        })
    }
}

/// The names of a sorted list that `before` lacks; None if `before` has others.
fn added(before: &[Box<[u8]>], names: &[Box<[u8]>]) -> Option<Vec<Box<[u8]>>> {
    let n_added = names.len().checked_sub(before.len())?;
    let mut rest = before.iter().peekable();
    let new = names.iter().filter(|name| rest.next_if_eq(name).is_none());
    let found: Vec<_> = new.take(n_added + 1).cloned().collect();
    (found.len() == n_added).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &[&str], names: &[&str], expected: Option<&[&str]>) {
        let list = |names: &[&str]| -> Vec<Box<[u8]>> {
            names.iter().map(|name| name.as_bytes().into()).collect()
        };
        assert_eq!(added(&list(before), &list(names)), expected.map(list));
    }

    #[test]
    fn what_is_added_is_told_where_nothing_is_missing() {
        check(&[], &["a"], Some(&["a"]));
        check(&["b"], &["a", "b", "c"], Some(&["a", "c"]));
        check(&["a", "b"], &["a", "b"], Some(&[]));
        check(&["a", "b"], &["a", "c"], None);
        check(&["a", "b"], &["a", "c", "d"], None);
        check(&["a", "b", "c"], &["a", "b"], None);
    }
}
