//! The smallest automaton that accepts what another one accepts.
//!
//! Key idea (Hopcroft, with rows in place of single letters): blocks of states that seem equal are split until no
//! block has states that lead to different ones. When a block is split its greatest part keeps the number (the dead
//! state's, where that is in it), and only states that lead into the others are looked at again. A keyword whose
//! letters may be escapes is a chain of a hundred states: looking at all states once for each of its links made up a
//! third of the time of loading JavaScript's grammar.

use rustc_hash::FxHashMap;

use super::automaton::DEAD;

/// The automaton's states by their numbers, 0 the dead one, each with a target for each class of bytes.
pub(super) struct Rows<'a> {
    /// One row behind the other.
    pub(super) targets: &'a [u32],
    pub(super) n_classes: usize,
}

impl Rows<'_> {
    pub(super) fn n_states(&self) -> usize {
        self.targets.len() / self.n_classes
    }

    pub(super) fn row(&self, state: usize) -> &[u32] {
        &self.targets[state * self.n_classes..][..self.n_classes]
    }
}

/// The states that lead to each state.
pub(super) struct Sources {
    first: Vec<u32>,
    sources: Vec<u32>,
}

impl Sources {
    pub(super) fn new(rows: &Rows<'_>) -> Self {
        let n_states = rows.n_states();
        let mut first = vec![0_u32; n_states + 1];
        let edges = || {
            (0..n_states).flat_map(|state| {
                // Neighbouring classes mostly lead to one target.
                let row = rows.row(state);
                let is_new = |&(class, &target): &(usize, &u32)| {
                    target != DEAD && (class == 0 || row[class - 1] != target)
                };
                row.iter()
                    .enumerate()
                    .filter(is_new)
                    .map(move |(_, &target)| (state as u32, target as usize))
            })
        };
        edges().for_each(|(_, target)| first[target + 1] += 1);
        for state in 0..n_states {
            first[state + 1] += first[state];
        }
        let mut sources = vec![0; first[n_states] as usize];
        let mut next = first.clone();
        for (source, target) in edges() {
            sources[next[target] as usize] = source;
            next[target] += 1;
        }
        Self { first, sources }
    }

    pub(super) fn of(&self, state: usize) -> &[u32] {
        &self.sources[self.first[state] as usize..self.first[state + 1] as usize]
    }
}

/// The block of each state: equivalent states share one. Blocks are numbered by their first states. `colour` tells
/// states apart in advance, by the patterns that they accept.
pub(super) fn blocks(rows: &Rows<'_>, sources: &Sources, colour: &[u32]) -> Vec<u32> {
    let n_states = rows.n_states();
    let mut blocks = Blocks::by(colour);
    let mut is_due = vec![true; n_states];
    let mut due: Vec<u32> = (0..n_states as u32).collect();
    while !due.is_empty() {
        let mut moved = blocks.split(rows, &due);
        due.iter().for_each(|&state| is_due[state as usize] = false);
        due.clear();
        for state in moved.drain(..) {
            for &source in sources.of(state as usize) {
                if !std::mem::replace(&mut is_due[source as usize], true) {
                    due.push(source);
                }
            }
        }
    }
    numbered(&blocks.of)
}

struct Blocks {
    of: Vec<u32>,
    members: Vec<Vec<u32>>,
}

impl Blocks {
    fn by(colour: &[u32]) -> Self {
        let of = numbered(colour);
        let mut members = vec![Vec::new(); of.iter().max().map_or(0, |&most| most as usize + 1)];
        for (state, &block) in of.iter().enumerate() {
            members[block as usize].push(state as u32);
        }
        Self { of, members }
    }

    /// Splits the blocks of the states that are due; gives the states that have another block now. Of a block, states
    /// that are not due are equal among themselves.
    fn split(&mut self, rows: &Rows<'_>, due: &[u32]) -> Vec<u32> {
        let mut due_of: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for &state in due {
            due_of.entry(self.of[state as usize]).or_default().push(state);
        }
        let mut touched: Vec<(u32, Vec<u32>)> = due_of.into_iter().collect();
        touched.sort_unstable_by_key(|&(block, _)| block);
        // All blocks are split by the blocks as they were before.
        let parts: Vec<(u32, Vec<Vec<u32>>)> = touched
            .into_iter()
            .filter(|(block, _)| self.members[*block as usize].len() > 1)
            .map(|(block, due)| (block, self.parts(rows, block, due)))
            .collect();
        let mut moved = Vec::new();
        for (block, mut parts) in parts {
            // The states that lead to the dead state are not kept, so its part keeps the number, too.
            let holds_dead = (self.of[DEAD as usize] == block)
                .then(|| parts.iter().position(|part| part.contains(&DEAD)))
                .flatten();
            let greatest = holds_dead.unwrap_or_else(|| {
                (0..parts.len()).max_by_key(|&part| parts[part].len()).unwrap_or(0)
            });
            self.members[block as usize] = parts.swap_remove(greatest);
            for part in parts {
                let fresh = self.members.len() as u32;
                part.iter().for_each(|&state| self.of[state as usize] = fresh);
                moved.extend_from_slice(&part);
                self.members.push(part);
            }
        }
        moved
    }

    /// The states of a block, by where they lead.
    fn parts(&self, rows: &Rows<'_>, block: u32, due: Vec<u32>) -> Vec<Vec<u32>> {
        let members = &self.members[block as usize];
        let mut ids: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
        let mut parts: Vec<Vec<u32>> = Vec::new();
        let mut targets = Vec::with_capacity(rows.n_classes);
        let mut put = |state: u32, parts: &mut Vec<Vec<u32>>| {
            targets.clear();
            let row = rows.row(state as usize);
            targets.extend(row.iter().map(|&target| self.of[target as usize]));
            let id = ids.get(&targets).copied().unwrap_or_else(|| {
                ids.insert(targets.clone(), parts.len());
                parts.push(Vec::new());
                parts.len() - 1
            });
            parts[id].push(state);
            id
        };
        let n_due = due.len();
        let is_due: rustc_hash::FxHashSet<u32> = if n_due < members.len() {
            due.iter().copied().collect()
        } else {
            rustc_hash::FxHashSet::default()
        };
        for state in due {
            put(state, &mut parts);
        }
        if n_due < members.len() {
            let mut others = members.iter().copied().filter(|state| !is_due.contains(state));
            if let Some(first) = others.next() {
                let id = put(first, &mut parts);
                parts[id].extend(others);
            }
        }
        parts
    }
}

/// The same division into blocks, numbered by their first members.
fn numbered(of: &[u32]) -> Vec<u32> {
    let mut ids: FxHashMap<u32, u32> = FxHashMap::default();
    of.iter()
        .map(|&one| {
            let fresh = ids.len() as u32;
            *ids.entry(one).or_insert(fresh)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(targets: &[u32], colour: &[u32], expected: &[u32]) {
        let rows = Rows { targets, n_classes: targets.len() / colour.len() };
        assert_eq!(blocks(&rows, &Sources::new(&rows), colour), expected);
    }

    #[test]
    fn states_that_do_the_same_are_one() {
        // Both 2 and 3 lead to the end, 4.
        check(&[0, 0, 2, 3, 4, 0, 4, 0, 0, 0], &[0, 0, 0, 0, 1], &[0, 1, 2, 2, 3]);
        check(&[0, 0, 2, 3, 4, 0, 0, 4, 0, 0], &[0, 0, 0, 0, 1], &[0, 1, 2, 3, 4]);
    }

    #[test]
    fn chains_are_told_apart_link_by_link() {
        let n_states: u32 = 500;
        let targets: Vec<u32> = (0..n_states)
            .map(|state| if state == 0 { 0 } else { (state + 1) % n_states })
            .collect();
        let mut colour = vec![0; n_states as usize];
        colour[n_states as usize - 1] = 1;
        let expected: Vec<u32> = (0..n_states).collect();
        check(&targets, &colour, &expected);
    }
}
