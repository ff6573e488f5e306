//! What the whole lines behind a hole demand of the suites around them: a function for their `return`s, a loop
//! for their `break`s, nothing in front of a handler that takes all.

use smallvec::SmallVec;

use super::compiling::{CompilingReason, Needs, is_async};
use super::name_set::{Name, Query};
use super::scopes::{Block, Scope, Scopes};

/// What the first of some lines continues.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Begins {
    #[default]
    Nothing,
    /// The handlers of a `try`.
    Except,
    /// The cases of a `match`.
    Case,
}

/// What lines of one column demand, those of the suites in them that have no scope of their own included.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Demands {
    pub(super) needs: Needs,
    /// What they declare `global` or `nonlocal`.
    pub(super) declared: SmallVec<[Name; 1]>,
    /// What they declare `nonlocal`.
    pub(super) nonlocals: SmallVec<[Name; 1]>,
    /// Whether they should be a function's: they declare names `nonlocal`, or bind what lines further in declare so.
    pub(super) is_of_function: bool,
    pub(super) begins: Begins,
}

impl Demands {
    /// What remains of them outside of a function or a class.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Adds those of a suite.
    pub(super) fn take_in(&mut self, suite: Self) {
        self.needs.join(suite.needs);
        self.declared.extend(suite.declared);
        self.nonlocals.extend(suite.nonlocals);
    }

    /// Adds those of a line in front.
    pub(super) fn join(&mut self, line: &Self) {
        self.needs.join(line.needs);
        self.declared.extend(line.declared.iter().cloned());
        self.nonlocals.extend(line.nonlocals.iter().cloned());
        self.begins = line.begins;
    }

    /// What they need, and what they should have.
    pub(super) fn wishes(&self) -> Needs {
        Needs { function: self.needs.function || self.is_of_function, ..self.needs }
    }
}

/// What whole lines demand, from the outermost suite inwards, with their columns.
pub(super) type AllDemands = SmallVec<[(u32, Demands); 4]>;

impl Scopes {
    /// Whether lines may stand in the suites that are open: their `return`s in functions, their `break`s in
    /// loops.
    pub(super) fn bear(&self, all: &AllDemands) -> bool {
        // A suite that stands in the line of its header has no column, and ends in front of these lines.
        let innermost = self.blocks.iter().rev().find_map(|block| block.column);
        let mut known =
            all.iter().filter(|(column, _)| innermost.is_some_and(|own| *column <= own));
        known.all(|(column, demands)| self.lacking(*column, demands.needs) == Needs::default())
            && !self.mixes(all)
    }

    /// Whether an asynchronous function has lines that it must not have: `yield from`, or a `yield` beside a `return`
    /// with a value.
    fn mixes(&self, all: &AllDemands) -> bool {
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

    /// What lines at a column need that the suites around them do not give.
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

    /// What headers begin with that would do for lines behind, in a line at some column in front of them. What the
    /// outermost of them lacks comes first, a function in front of a loop; none where it is too late for that. Where
    /// they lack nothing, all that those further in need: the line may begin a suite that has not got it.
    pub(super) fn headers_for(&self, all: &AllDemands, front: u32) -> Option<Vec<&'static [u8]>> {
        // No header has lines of the outermost column in its suite.
        let inner = || all.iter().filter(|(column, _)| *column > 0);
        let mut lacking = inner()
            .map(|(column, demands)| (*column, self.lacking(front.min(*column), demands.wishes())));
        match lacking.find(|(_, lacking)| *lacking != Needs::default()) {
            Some((column, _)) if column <= front => None,
            Some((_, lacking)) => {
                let is_in_function = !lacking.function && !lacking.async_function;
                let first = Needs { a_loop: lacking.a_loop && is_in_function, ..lacking };
                Some(headers(first).collect())
            }
            None => {
                let further_in = inner().filter(|(column, _)| *column > front);
                Some(further_in.flat_map(|(_, demands)| headers(demands.wishes())).collect())
            }
        }
    }

    /// What makes lines wrong whatever they need: a handler behind one that takes all, a declaration behind what
    /// it is about.
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
    /// Whether it is a function's that has used a name, which must not be declared in it any more.
    fn has_used(&self, name: &Name) -> bool {
        let query = Query::Name(name);
        self.is_function()
            && !self.declared.contains(name)
            && !self.nonlocals.contains(name)
            && (self.own.has(query) || self.reads.has(query))
    }
}

/// What the headers begin with of the suites that are needed.
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
    own.into_iter().any(|block| block.kind == super::scopes::BlockKind::Loop)
}
