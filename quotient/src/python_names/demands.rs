//! The demands of the whole lines behind a hole on the suites around them: a function for their `return`s, a loop for
//! their `break`s, no handler in front of them that takes all.

use smallvec::SmallVec;

use super::name_set::{Name, Query};
use super::scopes::{Block, BlockKind, Scope, Scopes, is_async};
use super::violations::CompilingReason;

/// The needs of a part of a right context for the scope that it will be in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Needs {
    pub(super) function: bool,
    pub(super) async_function: bool,
    pub(super) a_loop: bool,
    pub(super) yields: bool,
    /// Whether it has a `yield from`, which an asynchronous function must not have.
    pub(super) yields_from: bool,
    pub(super) returns_value: bool,
}

impl Needs {
    /// Adds the needs of another part.
    pub(super) fn join(&mut self, other: Self) {
        self.function |= other.function;
        self.async_function |= other.async_function;
        self.a_loop |= other.a_loop;
        self.yields |= other.yields;
        self.yields_from |= other.yields_from;
        self.returns_value |= other.returns_value;
    }
}

/// The statement that the first of some lines continues.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Begins {
    #[default]
    Nothing,
    /// The handlers of a `try`.
    Except,
    /// The cases of a `match`.
    Case,
}

/// The demands of lines at one column, and of the suites in them that have no scope of their own.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Demands {
    pub(super) needs: Needs,
    /// The names that they declare `global` or `nonlocal`.
    pub(super) declared: SmallVec<[Name; 1]>,
    /// The names that they declare `nonlocal`.
    pub(super) nonlocals: SmallVec<[Name; 1]>,
    /// Whether the lines should be in a function: they declare names `nonlocal`, or bind such names of lines further
    /// in.
    pub(super) is_of_function: bool,
    pub(super) begins: Begins,
}

impl Demands {
    /// Removes all that does not pass out of a function or a class.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Adds the demands of a suite.
    pub(super) fn take_in(&mut self, suite: Self) {
        self.needs.join(suite.needs);
        self.declared.extend(suite.declared);
        self.nonlocals.extend(suite.nonlocals);
    }

    /// Adds the demands of a line in front.
    pub(super) fn join(&mut self, line: &Self) {
        self.needs.join(line.needs);
        self.declared.extend(line.declared.iter().cloned());
        self.nonlocals.extend(line.nonlocals.iter().cloned());
        self.begins = line.begins;
    }

    /// The needs of the lines, and those that they should have met.
    pub(super) fn preferred_needs(&self) -> Needs {
        Needs { function: self.needs.function || self.is_of_function, ..self.needs }
    }
}

/// The demands of whole lines, from the outermost suite inwards, with their columns.
pub(super) type AllDemands = SmallVec<[(u32, Demands); 4]>;

impl Scopes {
    /// Whether lines may stand in the open suites: their `return`s in functions, their `break`s in loops.
    pub(super) fn allow_lines(&self, all: &AllDemands) -> bool {
        // A suite that stands in the line of its header has no column, and ends in front of these lines.
        let innermost = self.blocks.iter().rev().find_map(|block| block.column);
        let mut known =
            all.iter().filter(|(column, _)| innermost.is_some_and(|own| *column <= own));
        known.all(|(column, demands)| self.lacking(*column, demands.needs) == Needs::default())
            && !self.has_async_conflict(all)
    }

    /// Whether an asynchronous function has lines that it must not have: `yield from`, or `yield` and a returned
    /// value.
    fn has_async_conflict(&self, all: &AllDemands) -> bool {
        let mut block_end = self.blocks.len();
        self.scopes.iter().rev().any(|scope| {
            let block = self.blocks[..block_end].iter().rposition(Block::has_scope).unwrap_or(0);
            let columns = self.columns(block, block_end);
            block_end = block;
            let mut needs = scope.needs;
            for (_, demands) in all.iter().filter(|(column, _)| columns.contains(column)) {
                needs.join(demands.needs);
            }
            is_async(scope) && (needs.yields_from || needs.yields && needs.returns_value)
        })
    }

    /// The needs of lines at a column that the suites around them do not meet.
    fn lacking(&self, column: u32, needs: Needs) -> Needs {
        let inside =
            self.blocks.iter().take_while(|block| block.column.is_some_and(|open| open <= column));
        let blocks = &self.blocks[..inside.count()];
        let n_scopes = blocks.iter().filter(|block| block.has_scope()).count();
        let Some(scope) = n_scopes.checked_sub(1).and_then(|index| self.scopes.get(index)) else {
            return Needs::default();
        };
        Needs {
            function: needs.function && !scope.is_function(),
            async_function: needs.async_function && !is_async(scope),
            a_loop: needs.a_loop && !has_loop(blocks),
            ..Needs::default()
        }
    }

    /// The beginnings of headers that the lines behind need, for a line at column `front` in front of them. The needs
    /// that the outermost of them lacks come first, a function in front of a loop; None where it is too late for
    /// that. Where they lack nothing, the needs of all lines further in: the line may begin a suite that does not
    /// meet them.
    pub(super) fn headers_for(&self, all: &AllDemands, front: u32) -> Option<Vec<&'static [u8]>> {
        // No header has lines of the outermost column in its suite.
        let inner = || all.iter().filter(|(column, _)| *column > 0);
        let mut lacking = inner().map(|(column, demands)| {
            (*column, self.lacking(front.min(*column), demands.preferred_needs()))
        });
        match lacking.find(|(_, lacking)| *lacking != Needs::default()) {
            Some((column, _)) if column <= front => None,
            Some((_, lacking)) => {
                let is_in_function = !lacking.function && !lacking.async_function;
                let first = Needs { a_loop: lacking.a_loop && is_in_function, ..lacking };
                Some(headers(first).collect())
            }
            None => {
                let further_in = inner().filter(|(column, _)| *column > front);
                Some(
                    further_in
                        .flat_map(|(_, demands)| headers(demands.preferred_needs()))
                        .collect(),
                )
            }
        }
    }

    /// The fault of lines whatever they need: a handler behind one that takes all, a declaration behind a use.
    pub(super) fn fault(&self, all: &AllDemands) -> Option<(Name, CompilingReason)> {
        let takes_all = |column: u32| {
            let mut blocks = self.blocks.iter();
            blocks.any(|block| block.takes_all && block.column == Some(column))
        };
        for (column, demands) in all {
            let word: &[u8] = match demands.begins {
                Begins::Nothing => continue,
                Begins::Except => b"except",
                Begins::Case => b"case",
            };
            if takes_all(*column) {
                return Some((word.into(), CompilingReason::Unreachable));
            }
        }
        let mut block_end = self.blocks.len();
        for scope in self.scopes.iter().rev() {
            let block = self.blocks[..block_end].iter().rposition(Block::has_scope).unwrap_or(0);
            let columns = self.columns(block, block_end);
            block_end = block;
            let own = all.iter().filter(|(column, _)| columns.contains(column));
            let mut declared = own.flat_map(|(_, demands)| &demands.declared);
            if let Some(name) = declared.find(|name| scope.has_used(name)) {
                return Some((name.clone(), CompilingReason::TooLate));
            }
        }
        None
    }
}

impl Scope {
    /// Whether it is a function's scope and has used a name, which must not be declared in it any more.
    fn has_used(&self, name: &Name) -> bool {
        let query = Query::Name(name);
        self.is_function()
            && !self.declared.contains(name)
            && !self.nonlocals.contains(name)
            && (self.own.has(query) || self.reads.has(query))
    }
}

/// The beginnings of the headers of the suites that are needed.
pub(super) fn headers(needs: Needs) -> impl Iterator<Item = &'static [u8]> {
    let functions: &[&[u8]] = match needs {
        Needs { async_function: true, .. } => &[b"async def "],
        Needs { function: true, .. } => &[b"def "],
        _ => &[],
    };
    let loops: &[&[u8]] = if needs.a_loop { &[b"while ", b"for "] } else { &[] };
    functions.iter().chain(loops).copied()
}

fn has_loop(blocks: &[Block]) -> bool {
    let own = blocks.iter().rev().take_while(|block| !block.has_scope());
    own.into_iter().any(|block| block.kind == BlockKind::Loop)
}
