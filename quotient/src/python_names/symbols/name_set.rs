//! Sets of names that are cheap to copy and can be asked by prefix.

use std::fmt;
use std::sync::Arc;

use smallvec::SmallVec;

use crate::caches::Hasher;

/// A name: the bytes of an identifier.
pub(in crate::python_names) type Name = Arc<[u8]>;

/// Names that have been added one after the other.
///
/// Most of them lie in sorted layers that copies share, so that a set that grows name by name can be
/// kept in all its sizes: a layer is merged with the next one only if that is not twice as long.
#[derive(Clone, Default)]
pub(in crate::python_names) struct NameSet {
    /// The sorted layers, the longest one first.
    layers: SmallVec<[Arc<[Name]>; 2]>,
    added: Vec<Name>,
    /// The sum of the names' hashes.
    sum: u128,
}

/// The most names that are looked through one after the other before they are sorted in.
const MAX_ADDED: usize = 32;

/// A question about a set.
#[derive(Clone, Copy, Debug)]
pub(in crate::python_names) enum Query<'a> {
    /// Whether it has this name.
    Name(&'a [u8]),
    /// Whether it has a name that begins like this.
    Prefix(&'a [u8]),
}

impl Query<'_> {
    /// Whether a name answers the query.
    pub(in crate::python_names) fn is_met_by(self, name: &[u8]) -> bool {
        match self {
            Self::Name(asked) => name == asked,
            Self::Prefix(prefix) => name.starts_with(prefix),
        }
    }
}

impl NameSet {
    pub(in crate::python_names) fn has(&self, query: Query<'_>) -> bool {
        self.added.iter().any(|name| query.is_met_by(name))
            || self.layers.iter().any(|names| has_sorted(names, query))
    }

    pub(in crate::python_names) fn add(&mut self, name: &Name) {
        if self.has(Query::Name(name)) {
            return;
        }
        self.added.push(Arc::clone(name));
        self.sum = self.sum.wrapping_add(hash(name));
        if self.added.len() > MAX_ADDED {
            self.sort();
        }
    }

    /// Adds the names of another set, which is the smaller one.
    pub(in crate::python_names) fn add_all(&mut self, other: &Self) {
        if self.is_empty() {
            self.clone_from(other);
        } else {
            other.iter().for_each(|name| self.add(name));
        }
    }

    pub(in crate::python_names) fn remove(&mut self, name: &[u8]) {
        self.retain(|kept| kept != name);
    }

    /// Keeps the names for which `is_kept` holds.
    pub(in crate::python_names) fn retain(&mut self, mut is_kept: impl FnMut(&[u8]) -> bool) {
        let mut removed: u128 = 0;
        let mut is_kept = |name: &Name| {
            let is_kept = is_kept(name);
            if !is_kept {
                removed = removed.wrapping_add(hash(name));
            }
            is_kept
        };
        self.added.retain(&mut is_kept);
        for layer in &mut self.layers {
            let kept: Vec<Name> = layer.iter().filter(|name| is_kept(name)).cloned().collect();
            if kept.len() < layer.len() {
                *layer = kept.into();
            }
        }
        self.layers.retain(|layer| !layer.is_empty());
        self.sum = self.sum.wrapping_sub(removed);
    }

    /// A number that tells sets of different names apart.
    pub(in crate::python_names) fn sum(&self) -> u128 {
        self.sum
    }

    pub(in crate::python_names) fn iter(&self) -> impl Iterator<Item = &Name> {
        self.layers.iter().flat_map(|names| names.iter()).chain(&self.added)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.layers.is_empty() && self.added.is_empty()
    }

    /// Sorts the added names in.
    pub(in crate::python_names) fn sort(&mut self) {
        if self.added.is_empty() {
            return;
        }
        let mut names = std::mem::take(&mut self.added);
        while self.layers.last().is_some_and(|last| last.len() < 2 * names.len()) {
            names.extend(self.layers.pop().iter().flat_map(|last| last.iter().cloned()));
        }
        names.sort_unstable();
        self.layers.push(names.into());
    }
}

impl PartialEq for NameSet {
    fn eq(&self, other: &Self) -> bool {
        self.sum == other.sum
    }
}

fn hash(name: &[u8]) -> u128 {
    let mut hasher = Hasher::new();
    hasher.write_number(name.len() as u64);
    hasher.write(name);
    hasher.finish().0
}

impl fmt::Debug for NameSet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names: Vec<_> = self.iter().map(|name| String::from_utf8_lossy(name)).collect();
        names.sort_unstable();
        formatter.debug_set().entries(names).finish()
    }
}

/// Whether one of some sorted names answers the query.
pub(in crate::python_names) fn has_sorted<Text: AsRef<[u8]>>(
    names: &[Text],
    query: Query<'_>,
) -> bool {
    let (Query::Name(asked) | Query::Prefix(asked)) = query;
    let place = names.partition_point(|name| name.as_ref() < asked);
    names.get(place).is_some_and(|name| query.is_met_by(name.as_ref()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_that_grows_has_what_was_added() {
        let name =
            |number: usize| -> Name { format!("n{}", number * 7919 % 1000).as_bytes().into() };
        let mut set = NameSet::default();
        let mut kept = Vec::new();
        for number in 0..1000 {
            set.add(&name(number));
            kept.push(set.clone());
        }
        for (number, set) in kept.iter().enumerate() {
            assert!(set.has(Query::Name(&name(number))));
            assert!(number == 999 || !set.has(Query::Name(&name(number + 1))));
            assert_eq!(set.iter().count(), number + 1);
        }
        set.retain(|name| name.ends_with(b"1"));
        assert_eq!(set.iter().count(), 100);
        assert!(set.has(Query::Prefix(b"n99")) && !set.has(Query::Name(b"n990")));
        assert!(set.layers.len() < 8, "layers are merged");
        let mut other = NameSet::default();
        (0..1000)
            .rev()
            .map(name)
            .filter(|name| name.ends_with(b"1"))
            .for_each(|name| other.add(&name));
        assert_eq!(set.sum(), other.sum(), "however it came about");
    }
}
