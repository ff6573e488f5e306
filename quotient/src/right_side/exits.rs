//! The exits of all instances, kept twice: those of each instance side by side, and the instances around each exit.
//!
//! ```text
//! {}{}{}{}       read in TypeScript with nothing in front: `class extends class extends class {} {} {}` may end in each block,
//!                and so each has 14 instances with 58 exits
//! ```
//!
//! Instances are followed one exit at a time, from the roots up, so that what is around an exit is found in one piece.
//! It is only noted down, and put in order by instances once all are there. With a list of its own for each instance, and
//! another table of what is around each for the costs, 10,000 such blocks took a fifth longer.

use std::ops::Range;

use super::{Exit, InstanceIdx, RootIdx};
use crate::grammar::BodyState;

/// An instance around an exit, with the state from which its body leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Around {
    pub(super) instance: InstanceIdx,
    pub(super) state: BodyState,
}

/// The exits of all instances.
#[derive(Clone, Debug, Default)]
pub(super) struct Exits {
    /// The instances around the roots, around the first instance, the second one, and so on.
    around: Vec<Around>,
    /// For each exit the place in `around` where its own begin: first the roots, then the instances.
    first_around: Vec<u32>,
    n_roots: u32,
    /// The exits of the first instance, the second one, and so on.
    exits: Vec<(BodyState, Exit)>,
    /// For each instance the place in `exits` where its own begin, and the place where the last one's end.
    first_exit: Vec<u32>,
    following: Following,
}

/// What is known while instances are being followed.
#[derive(Clone, Debug, Default)]
struct Following {
    /// For each state the last exit from it.
    exits: Vec<Option<Exit>>,
    /// For each instance the place behind its last one in `around`.
    behind: Vec<u32>,
    /// For each place in `around` the one behind the instance's place before that.
    before: Vec<u32>,
}

impl Exits {
    /// No exits yet, for bodies with so many states.
    pub(super) fn new(n_states: usize) -> Self {
        let following = Following { exits: vec![None; n_states], ..Following::default() };
        Self { following, ..Self::default() }
    }

    /// Begins with the instances around this exit: of the roots in their order, then of the instances in theirs.
    pub(super) fn begin(&mut self, exit: Exit) {
        self.first_around.push(self.around.len() as u32);
        if let Exit::Root(_) = exit {
            self.n_roots += 1;
        }
    }

    /// Notes that the body of an instance may leave from a state into the exit that was begun with last.
    #[inline]
    pub(super) fn add(&mut self, instance: InstanceIdx, state: BodyState, exit: Exit) {
        let Following { exits, behind, before } = &mut self.following;
        let index = instance.0 as usize;
        if behind.len() <= index {
            behind.resize(index + 1, 0);
        }
        // Mostly a state has one instance only around an exit.
        if exits[usize::from(state.0)].replace(exit) == Some(exit) {
            let first = self.first_around.last().copied().unwrap_or_default();
            let mut next = behind[index];
            while next > first {
                if self.around[next as usize - 1].state == state {
                    return;
                }
                next = before[next as usize - 1];
            }
        }
        before.push(behind[index]);
        self.around.push(Around { instance, state });
        behind[index] = self.around.len() as u32;
    }

    /// Puts the exits in order by instances, once all instances have been followed.
    pub(super) fn sort(&mut self, n_instances: usize) {
        self.following = Following::default();
        self.first_around.push(self.around.len() as u32);
        let mut first = vec![0_u32; n_instances + 2];
        for around in &self.around {
            first[around.instance.0 as usize + 2] += 1;
        }
        for index in 2..first.len() {
            first[index] += first[index - 1];
        }
        let nothing = (BodyState::NONE, Exit::Root(RootIdx(0)));
        self.exits = vec![nothing; self.around.len()];
        for place in 0..self.first_around.len() - 1 {
            let exit = self.exit_at(place as u32);
            for around in &self.around[self.range(place)] {
                let next = &mut first[around.instance.0 as usize + 1];
                self.exits[*next as usize] = (around.state, exit);
                *next += 1;
            }
        }
        first.pop();
        self.first_exit = first;
    }

    fn exit_at(&self, place: u32) -> Exit {
        match place.checked_sub(self.n_roots) {
            None => Exit::Root(RootIdx(place as u16)),
            Some(instance) => Exit::Child(InstanceIdx(instance)),
        }
    }

    fn range(&self, place: usize) -> Range<usize> {
        self.first_around[place] as usize..self.first_around[place + 1] as usize
    }

    /// The number of all exits.
    pub(super) fn len(&self) -> usize {
        self.around.len()
    }

    /// The exits of an instance.
    #[inline]
    pub(super) fn of(&self, InstanceIdx(instance): InstanceIdx) -> &[(BodyState, Exit)] {
        let first = self.first_exit[instance as usize] as usize;
        &self.exits[first..self.first_exit[instance as usize + 1] as usize]
    }

    /// The instances around an exit.
    #[inline]
    pub(super) fn around(&self, exit: Exit) -> &[Around] {
        let place = match exit {
            Exit::Root(root) => usize::from(root.0),
            Exit::Child(InstanceIdx(instance)) => (self.n_roots + instance) as usize,
        };
        &self.around[self.range(place)]
    }

    /// Forgets the exits into a root.
    pub(super) fn forget(&mut self, root: RootIdx) {
        let n_instances = self.first_exit.len() - 1;
        let range = self.range(usize::from(root.0));
        for first in &mut self.first_around[usize::from(root.0) + 1..] {
            *first -= range.len() as u32;
        }
        self.around.drain(range);
        self.first_around.pop();
        self.sort(n_instances);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exits_are_found_by_instances_and_instances_by_exits() {
        let (root, other) = (Exit::Root(RootIdx(0)), Exit::Root(RootIdx(1)));
        let [outer, inner] = [InstanceIdx(1), InstanceIdx(0)];
        let child = Exit::Child(inner);
        let mut exits = Exits::new(9);
        exits.begin(root);
        exits.add(inner, BodyState(3), root);
        exits.add(outer, BodyState(3), root);
        exits.add(inner, BodyState(3), root);
        exits.begin(other);
        exits.add(inner, BodyState(4), other);
        exits.begin(child);
        exits.add(outer, BodyState(5), child);
        exits.begin(Exit::Child(outer));
        exits.sort(2);
        assert_eq!(exits.of(inner), [(BodyState(3), root), (BodyState(4), other)]);
        assert_eq!(exits.of(outer), [(BodyState(3), root), (BodyState(5), child)]);
        let around = |instance, state| Around { instance, state: BodyState(state) };
        assert_eq!(exits.around(root), [around(inner, 3), around(outer, 3)]);
        assert_eq!(exits.around(child), [around(outer, 5)]);
        assert_eq!(exits.around(Exit::Child(outer)), []);
        exits.forget(RootIdx(0));
        assert_eq!((exits.of(inner), exits.around(root)), (&[(BodyState(4), other)][..], &[][..]));
        assert_eq!(exits.of(outer), [(BodyState(5), child)]);
        assert_eq!((exits.around(child), exits.len()), (&[around(outer, 5)][..], 2));
    }
}
