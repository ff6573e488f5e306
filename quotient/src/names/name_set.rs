//! Sets of names that are cheap to copy and can be asked by prefix.

use std::sync::Arc;

/// A name: the bytes of an identifier.
pub(super) type Name = Arc<[u8]>;

/// Names that have been added one after the other. Most of them lie in a sorted part that copies share.
#[derive(Clone, Debug, Default)]
pub(super) struct NameSet {
    sorted: Option<Arc<[Name]>>,
    added: Vec<Name>,
}

/// So many names are looked through one after the other before they are sorted in.
const MAX_ADDED: usize = 32;

/// What is asked of a set.
#[derive(Clone, Copy, Debug)]
pub(super) enum Query<'a> {
    /// Whether it has this name.
    Name(&'a [u8]),
    /// Whether it has a name that begins like this.
    Prefix(&'a [u8]),
}

impl Query<'_> {
    /// Whether a name is what is asked for.
    pub(super) fn is_met_by(self, name: &[u8]) -> bool {
        match self {
            Self::Name(asked) => name == asked,
            Self::Prefix(prefix) => name.starts_with(prefix),
        }
    }
}

impl NameSet {
    /// The set of these names.
    pub(super) fn of(names: impl IntoIterator<Item = Name>) -> Self {
        let mut set = Self { sorted: None, added: names.into_iter().collect() };
        set.sort();
        set
    }

    pub(super) fn has(&self, query: Query<'_>) -> bool {
        self.added.iter().any(|name| query.is_met_by(name))
            || self.sorted.as_ref().is_some_and(|names| has_sorted(names, query))
    }

    pub(super) fn add(&mut self, name: &Name) {
        if self.has(Query::Name(name)) {
            return;
        }
        self.added.push(Arc::clone(name));
        if self.added.len() > MAX_ADDED {
            self.sort();
        }
    }

    pub(super) fn remove(&mut self, name: &[u8]) {
        self.added.retain(|added| &**added != name);
        if let Some(sorted) = &self.sorted
            && has_sorted(sorted, Query::Name(name))
        {
            self.sorted = Some(sorted.iter().filter(|kept| &***kept != name).cloned().collect());
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Name> {
        self.sorted.iter().flat_map(|names| names.iter()).chain(&self.added)
    }

    /// Sorts all names in.
    pub(super) fn sort(&mut self) {
        if self.added.is_empty() {
            return;
        }
        let mut names: Vec<Name> =
            self.sorted.iter().flat_map(|names| names.iter()).cloned().collect();
        names.append(&mut self.added);
        names.sort_unstable();
        names.dedup();
        self.sorted = Some(names.into());
    }
}

/// Whether one of some sorted names is asked for.
pub(super) fn has_sorted<Text: AsRef<[u8]>>(names: &[Text], query: Query<'_>) -> bool {
    let (Query::Name(asked) | Query::Prefix(asked)) = query;
    let place = names.partition_point(|name| name.as_ref() < asked);
    names.get(place).is_some_and(|name| query.is_met_by(name.as_ref()))
}
