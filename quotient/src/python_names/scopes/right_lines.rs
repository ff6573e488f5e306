//! The lines of a right context, whatever scopes they will be in: the names that they bind and use, and what they
//! demand of the suites around them.
//!
//! From its second line on, a right context consists of whole statements. Their columns decide which suites they
//! belong to: those up to the first line that stands further left belong to one suite, those from there on to one
//! around it, and so on.
//!
//! ```text
//! def f(rows):
//!     for row in rows:
//!         $0
//!         if row: break      column 8: it uses `row`, and demands a loop around it
//!     return total           column 4: it uses `total`, and demands a function
//! print(total)               column 0: it uses `total`, and demands nothing
//! ```
//!
//! Where the suites of the text in the hole do not meet the demands, the text is refused.

use smallvec::SmallVec;

use super::{Block, BlockKind, Scope, Scopes, is_async};
use crate::python_names::symbols::{CompilingReason, Name, NameSet, Query};

/// The statements of one suite.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::python_names) struct SuitePart {
    /// The column of its lines.
    pub(in crate::python_names) column: u32,
    pub(in crate::python_names) names: NameSet,
    /// The names that it uses, and those that functions in it use and do not bind.
    pub(in crate::python_names) uses: NameSet,
    pub(in crate::python_names) demands: Demands,
}

/// The names of a right context.
#[derive(Clone, PartialEq, Debug, Default)]
pub(in crate::python_names) struct RightNames {
    /// The suites, from the outermost inwards.
    pub(in crate::python_names) parts: SmallVec<[SuitePart; 4]>,
    /// The names that functions declare `global`.
    pub(in crate::python_names) globals: NameSet,
    /// All names that are bound anywhere in it, one set for each way in which it may be read.
    pub(in crate::python_names) anywhere: SmallVec<[NameSet; 1]>,
    /// The demands of its whole lines: of all but the rest of the one in which the hole ends.
    pub(in crate::python_names) behind: AllDemands,
    /// The names that its whole lines use, and those that functions in them use and do not bind, by column.
    pub(in crate::python_names) wanted: SmallVec<[(u32, NameSet); 4]>,
    /// The number of bytes of the whole lines, and of those in front of them.
    pub(in crate::python_names) n_whole: usize,
    pub(in crate::python_names) n_in_front: usize,
    /// Whether it may bind names that cannot be told.
    pub(in crate::python_names) is_open: bool,
    /// Whether it could not be read at all.
    pub(in crate::python_names) is_unread: bool,
    /// Whether it imports from `__future__`.
    pub(in crate::python_names) has_future: bool,
    /// Whether the rest of the line in which the hole ends needs a function or a loop around it.
    pub(in crate::python_names) has_needs_at_once: bool,
}

impl RightNames {
    /// The names of an unreadable right context, which may bind any.
    pub(in crate::python_names) fn unknown() -> Self {
        Self { is_open: true, is_unread: true, ..Self::default() }
    }

    /// The union of two ways of reading: it binds the names of both, and demands nothing if their whole lines differ.
    pub(in crate::python_names) fn or(mut self, other: Self) -> Self {
        let is_same = self.n_whole == other.n_whole;
        let other = other.without_demands();
        self.parts.extend(other.parts.into_iter().map(|part| SuitePart {
            // If the other way is right, its uses may be words in a string of this one.
            uses: NameSet::default(),
            ..part
        }));
        self.globals.add_all(&other.globals);
        self.anywhere.extend(other.anywhere);
        self.is_open |= other.is_open;
        self.has_needs_at_once |= other.has_needs_at_once;
        // In one of the two ways the import may be part of a string.
        self.has_future &= other.has_future;
        if is_same { self } else { self.without_demands() }
    }

    /// The same names without demands, since the code may be words of a comment.
    fn without_demands(mut self) -> Self {
        for part in &mut self.parts {
            part.demands.clear();
        }
        self.behind.clear();
        self.wanted.clear();
        self
    }

    /// Whether lines at these columns bind a name of the query.
    pub(super) fn binds(&self, query: Query<'_>, columns: &std::ops::Range<u32>) -> bool {
        self.parts.iter().any(|part| columns.contains(&part.column) && part.names.has(query))
            || columns.contains(&0) && self.globals.has(query)
    }

    /// Adds the names for which [`Self::binds`] holds.
    pub(super) fn add_bound<'a>(
        &'a self,
        columns: &std::ops::Range<u32>,
        found: &mut Vec<&'a [u8]>,
    ) {
        let own = self.parts.iter().filter(|part| columns.contains(&part.column));
        found.extend(own.flat_map(|part| part.names.iter()).map(|name| &**name));
        if columns.contains(&0) {
            found.extend(self.globals.iter().map(|name| &**name));
        }
    }

    /// Whether a function in it declares a name `global`: the function's binding is then no local one.
    pub(in crate::python_names) fn declares(&self, query: Query<'_>) -> bool {
        self.globals.has(query)
    }

    /// Whether anything in it binds a name, in whatever scope.
    pub(super) fn binds_anywhere(&self, name: &[u8]) -> bool {
        self.anywhere.iter().any(|names| names.has(Query::Name(name)))
    }

    /// Prepares the names for being copied often.
    pub(in crate::python_names) fn freeze(&mut self) {
        for part in &mut self.parts {
            part.names.sort();
            part.uses.sort();
        }
        self.anywhere.iter_mut().for_each(NameSet::sort);
    }
}

/// The needs of a part of a right context for the scope that it will be in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::python_names) struct Needs {
    pub(in crate::python_names) function: bool,
    pub(in crate::python_names) async_function: bool,
    pub(in crate::python_names) a_loop: bool,
    pub(in crate::python_names) yields: bool,
    /// Whether it has a `yield from`, which an asynchronous function must not have.
    pub(in crate::python_names) yields_from: bool,
    pub(in crate::python_names) returns_value: bool,
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
pub(in crate::python_names) enum Begins {
    #[default]
    Nothing,
    /// The handlers of a `try`.
    Except,
    /// The cases of a `match`.
    Case,
}

/// The demands of lines at one column, and of the suites in them that have no scope of their own.
#[derive(Clone, PartialEq, Debug, Default)]
pub(in crate::python_names) struct Demands {
    pub(in crate::python_names) needs: Needs,
    /// The names that they declare `global` or `nonlocal`.
    pub(in crate::python_names) declared: SmallVec<[Name; 1]>,
    /// The names that they declare `nonlocal`.
    pub(in crate::python_names) nonlocals: SmallVec<[Name; 1]>,
    /// Whether the lines should be in a function: they declare names `nonlocal`, or bind such names of lines further
    /// in.
    pub(in crate::python_names) is_of_function: bool,
    pub(in crate::python_names) begins: Begins,
}

impl Demands {
    /// Removes all that does not pass out of a function or a class.
    pub(in crate::python_names) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Adds the demands of a suite.
    pub(in crate::python_names) fn take_in(&mut self, suite: Self) {
        self.needs.join(suite.needs);
        self.declared.extend(suite.declared);
        self.nonlocals.extend(suite.nonlocals);
    }

    /// Adds the demands of a line in front.
    pub(in crate::python_names) fn join(&mut self, line: &Self) {
        self.needs.join(line.needs);
        self.declared.extend(line.declared.iter().cloned());
        self.nonlocals.extend(line.nonlocals.iter().cloned());
        self.begins = line.begins;
    }

    /// The needs of the lines, and those that they should have met.
    pub(in crate::python_names) fn preferred_needs(&self) -> Needs {
        Needs { function: self.needs.function || self.is_of_function, ..self.needs }
    }
}

/// The demands of whole lines, from the outermost suite inwards, with their columns.
pub(super) type AllDemands = SmallVec<[(u32, Demands); 4]>;

impl Scopes {
    /// Whether lines may stand in the open suites: their `return`s in functions, their `break`s in loops.
    pub(in crate::python_names) fn allow_lines(&self, all: &AllDemands) -> bool {
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
    pub(in crate::python_names) fn headers_for(
        &self,
        all: &AllDemands,
        front: u32,
    ) -> Option<Vec<&'static [u8]>> {
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
    pub(in crate::python_names) fn fault(
        &self,
        all: &AllDemands,
    ) -> Option<(Name, CompilingReason)> {
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
pub(in crate::python_names) fn headers(needs: Needs) -> impl Iterator<Item = &'static [u8]> {
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
