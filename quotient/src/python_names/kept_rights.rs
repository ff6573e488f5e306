//! What a document keeps of the names from its lines on to the end.
//!
//! An edit changes what stands behind all lines in front of it, and mostly not what that means for them: where a
//! line that stands right in front of the edit is read as it was before, all lines that were put together with
//! it are known again.

use std::collections::{BTreeMap, HashSet};

use super::left_context::ReadingTables;
use super::right::RightNames;
use super::right_context::keep_suffix;

/// What is known of a right context that begins where a line does.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Suffix {
    /// It cannot be read like that.
    Dead,
    /// It closes brackets that were opened in front of it. Behind the last one there are so many bytes; all in
    /// front of that stands in brackets.
    Closes(usize),
    Names {
        names: Box<RightNames>,
        /// It was put together with what is known of so many bytes at the end.
        with: usize,
    },
}

/// By their lengths.
pub(super) type Suffixes = BTreeMap<usize, Suffix>;

/// What has been read from some lines on.
#[derive(Debug, Default)]
pub(super) struct KeptRights {
    pub(super) known: Suffixes,
    /// What was known before an edit further behind, the longest first, each made of what those say that it was put
    /// together with.
    stale: Vec<Stale>,
}

#[derive(Debug)]
struct Stale {
    /// How long it is now.
    length: usize,
    names: Box<RightNames>,
    /// How long that is now which it was put together with, if no edit was in front of that.
    with: Option<usize>,
}

impl KeptRights {
    pub(super) fn len(&self) -> usize {
        self.known.len() + self.stale.len()
    }

    /// Of so many lines it is known.
    #[cfg(test)]
    pub(super) fn n_known(&self) -> usize {
        self.known.len()
    }

    /// Follows an edit that puts so many bytes in front of `n_behind`, for others that began `length` in front
    /// of the end.
    pub(super) fn edit(&mut self, length: usize, n_behind: usize, n_new: usize) {
        let now = |old: usize| (old > length).then(|| old - length + n_new + n_behind);
        self.stale.retain_mut(|stale| {
            if stale.length <= n_behind {
                return true;
            }
            stale.with = stale.with.and_then(now);
            now(stale.length).map(|now| stale.length = now).is_some()
        });
        let in_front = self.known.split_off(&(n_behind + 1));
        let n_before = self.stale.len();
        for (old, suffix) in in_front {
            if let (Some(length), Suffix::Names { names, with }) = (now(old), suffix) {
                self.stale.push(Stale { length, names, with: now(with) });
            }
        }
        if self.stale.len() > n_before {
            self.stale.sort_by_key(|stale| std::cmp::Reverse(stale.length));
        }
    }

    /// Finds out what of a right context is as it was before the edits in it.
    pub(super) fn renew(&mut self, tables: &ReadingTables<'_>, text: &[u8]) {
        while self.stale.last().is_some_and(|last| last.length <= text.len()) {
            let Some(Stale { length, names: mut before, .. }) = self.stale.pop() else { break };
            if !self.known.contains_key(&length) {
                keep_suffix(tables, &text[text.len() - length..], &mut self.known);
            }
            before.n_whole = length;
            let found = self.known.get(&length);
            let is_same = matches!(found, Some(Suffix::Names { names, .. }) if *names == before);
            if is_same {
                self.know_what_was_put_together_with(length);
            } else {
                // What was put together with it is to be read anew.
                for stale in self.stale.iter_mut().filter(|stale| stale.with == Some(length)) {
                    stale.with = None;
                }
            }
        }
    }

    fn know_what_was_put_together_with(&mut self, length: usize) {
        let mut same = HashSet::from([length]);
        let mut others = Vec::new();
        for mut stale in std::mem::take(&mut self.stale).into_iter().rev() {
            match stale.with.filter(|with| same.contains(with)) {
                Some(with) => {
                    same.insert(stale.length);
                    stale.names.n_whole = stale.length;
                    self.known.insert(stale.length, Suffix::Names { names: stale.names, with });
                }
                None => others.push(stale),
            }
        }
        others.reverse();
        self.stale = others;
    }
}
