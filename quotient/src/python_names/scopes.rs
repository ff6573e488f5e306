//! The scopes and suites around a place, and the names that are visible there.
//!
//! A scope sees its own names that are bound in front of the place, those of the functions and of the module around
//! it, and the builtins. Code that runs later (the body of a function, seen from the scopes around it) sees names
//! bound behind it, too. A name that is bound further down in a loop is not there when the loop begins: hardly any
//! program uses it, and no linter lets it pass.
//!
//! The scopes say what is bound, `visible_names` asks them, from the innermost one outwards, and `right_lines` has what
//! the lines behind the hole add to them.

mod right_lines;
mod visible_names;

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use smallvec::SmallVec;

use crate::python_names::symbols::{Name, NameSet, Query, Turns};

pub(super) use self::right_lines::{Begins, Demands, Needs, RightNames, SuitePart, headers};
pub(super) use self::visible_names::Runs;

/// The construct that a scope belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ScopeKind {
    Module,
    Class,
    Function {
        is_async: bool,
    },
    /// A part of a right context: the hole decides its scope.
    Unknown,
}

/// The names of a scope.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Scope {
    pub(super) kind: ScopeKind,
    /// The names bound in front of the place.
    pub(super) own: NameSet,
    /// The type parameters, which the scopes inside see even if this one is a class.
    pub(super) type_parameters: SmallVec<[Name; 1]>,
    /// The names that it declares `global`.
    pub(super) declared: SmallVec<[Name; 1]>,
    /// The names that it declares `nonlocal`.
    pub(super) nonlocals: SmallVec<[Name; 1]>,
    /// The names that it annotates without binding them: they are its own nevertheless.
    pub(super) annotated: SmallVec<[Name; 1]>,
    /// The names that have been read in it, if it is a function's: they must not be declared any more.
    pub(super) reads: NameSet,
    /// The names that are bound when the suites around the place are done: those of classes.
    pub(super) bound_later: SmallVec<[Name; 1]>,
    /// Whether it may have names that cannot be told: `from x import *`, `exec`.
    pub(super) is_open: bool,
    /// The needs of its statements.
    pub(super) needs: Needs,
}

impl Scope {
    pub(super) fn new(kind: ScopeKind) -> Self {
        Self {
            kind,
            own: NameSet::default(),
            type_parameters: SmallVec::new(),
            declared: SmallVec::new(),
            nonlocals: SmallVec::new(),
            annotated: SmallVec::new(),
            reads: NameSet::default(),
            bound_later: SmallVec::new(),
            is_open: false,
            needs: Needs::default(),
        }
    }

    pub(super) fn is_function(&self) -> bool {
        matches!(self.kind, ScopeKind::Function { .. })
    }
}

/// Whether a scope is that of an asynchronous function.
pub(super) fn is_async(scope: &Scope) -> bool {
    scope.kind == ScopeKind::Function { is_async: true }
}

/// The construct that a suite belongs to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum BlockKind {
    /// The file, or the beginning of a part of a right context.
    Whole,
    Function,
    Class(Name),
    Loop,
    /// A handler, with the name that ends with it, unless that was bound before.
    Handler(Option<Name>),
    Match,
    /// A `try` or a `finally`.
    Try,
    Plain,
}

/// A suite that is open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Block {
    pub(super) kind: BlockKind,
    /// The column of its lines, with tab stops of eight; None for a suite in the line of its header.
    pub(super) column: Option<u32>,
    /// Whether a `case` or `except` in it takes all: none may follow.
    pub(super) takes_all: bool,
    /// Whether it is the suite of an `except*`, which must not be left.
    pub(super) is_group: bool,
}

impl Block {
    fn new(kind: BlockKind, column: Option<u32>) -> Self {
        Self { kind, column, takes_all: false, is_group: false }
    }

    pub(super) fn has_scope(&self) -> bool {
        matches!(self.kind, BlockKind::Whole | BlockKind::Function | BlockKind::Class(_))
    }
}

/// The names that exist beside those of the text.
#[derive(Clone, Debug)]
pub(super) struct Surroundings {
    pub(super) builtins: Arc<[Name]>,
    pub(super) turns: Turns,
    /// The names that the caller knows of, sorted.
    pub(super) known: Arc<[Name]>,
    pub(super) right: Arc<RightNames>,
}

/// The open scopes, from the module inwards, and the open suites.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Scopes {
    pub(super) scopes: Vec<Scope>,
    pub(super) blocks: Vec<Block>,
    /// Names that were used where nothing known binds them.
    pub(super) unresolved: NameSet,
    /// Those of the unresolved names that were used in lines that run at once, not in bodies of functions.
    pub(super) used_at_once: NameSet,
    /// Names that are bound anywhere in the context that is read.
    pub(super) bound_anywhere: NameSet,
    /// Whether a context is being read: the hole's bindings are in its scopes alone.
    pub(super) is_context: bool,
    /// Names that functions declare `global`.
    pub(super) globals: NameSet,
    /// Whether a context could not be read to its end.
    pub(super) is_unread: bool,
}

impl Scopes {
    pub(super) fn new(kind: ScopeKind, column: u32) -> Self {
        Self {
            scopes: vec![Scope::new(kind)],
            blocks: vec![Block::new(BlockKind::Whole, Some(column))],
            unresolved: NameSet::default(),
            used_at_once: NameSet::default(),
            bound_anywhere: NameSet::default(),
            is_context: true,
            globals: NameSet::default(),
            is_unread: false,
        }
    }

    pub(super) fn innermost(&self) -> &Scope {
        self.scopes.last().expect("the file's scope is never closed")
    }

    pub(super) fn innermost_mut(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("the file's scope is never closed")
    }

    pub(super) fn bind(&mut self, name: &Name) {
        self.innermost_mut().own.add(name);
        self.note_bound(name);
    }

    /// Deletes a name, if the statement is sure to run: it stands in no branch.
    pub(super) fn delete(&mut self, name: &Name) {
        let is_sure = self.blocks.last().is_some_and(Block::has_scope);
        if is_sure {
            self.innermost_mut().own.remove(name);
        }
    }

    /// Notes a name that is only annotated. This makes it a function's own name.
    pub(super) fn annotate(&mut self, name: Name) {
        let scope = self.innermost_mut();
        if scope.is_function() {
            scope.reads.add(&name);
            scope.annotated.push(name);
        }
    }

    /// Notes that a name is bound somewhere.
    pub(super) fn note_bound(&mut self, name: &Name) {
        if self.is_context {
            self.bound_anywhere.add(name);
        }
    }

    /// Opens a suite, with its scope if it has one.
    pub(super) fn open(&mut self, kind: BlockKind, column: Option<u32>, scope: Option<Scope>) {
        self.blocks.push(Block::new(kind, column));
        self.scopes.extend(scope);
    }

    /// Closes the innermost suite. The outermost one stays open whatever happens.
    pub(super) fn close(&mut self) {
        if self.blocks.len() == 1 {
            return;
        }
        let Some(block) = self.blocks.pop() else { return };
        match block.kind {
            BlockKind::Function => drop(self.scopes.pop()),
            BlockKind::Class(name) => {
                self.scopes.pop();
                self.innermost_mut().bound_later.retain(|later| *later != name);
                self.bind(&name);
            }
            BlockKind::Handler(Some(name)) => self.innermost_mut().own.remove(&name),
            _ => {}
        }
    }

    /// Whether the place is in a loop of its own scope.
    pub(super) fn is_in_loop(&self) -> bool {
        let inside = self.blocks.iter().rev().take_while(|block| !block.has_scope());
        inside.into_iter().any(|block| block.kind == BlockKind::Loop)
    }

    /// Whether a `break`, a `continue` or, where loops are not looked at, a `return` would leave an `except*`.
    pub(super) fn would_leave_group(&self, ends_at_loop: bool) -> bool {
        let own = self.blocks.iter().rev().take_while(|block| {
            !(block.has_scope() || ends_at_loop && block.kind == BlockKind::Loop)
        });
        own.into_iter().any(|block| block.is_group)
    }

    /// Whether a function around the innermost scope binds a name, in front of the place or behind it.
    pub(super) fn is_bound_in_function(&self, name: &[u8], around: &Surroundings) -> bool {
        let query = Query::Name(name);
        let mut block_end = self.blocks.len();
        for (index, scope) in self.scopes.iter().enumerate().rev() {
            let block = self.blocks[..block_end].iter().rposition(Block::has_scope).unwrap_or(0);
            let columns = self.columns(block, block_end);
            block_end = block;
            if index + 1 == self.scopes.len() || !scope.is_function() {
                continue;
            }
            if scope.declared.iter().any(|declared| **declared == *name) {
                // This binding hides those of functions further out.
                break;
            }
            let is_own = scope.own.has(query) || scope.annotated.iter().any(|own| **own == *name);
            if is_own || around.right.binds(query, &columns) {
                return true;
            }
        }
        around.right.is_unread || self.is_unread
    }

    /// The needs of the lines of the right context that belong to the innermost scope.
    pub(super) fn needs_behind(&self, around: &Surroundings) -> Needs {
        let block = self.blocks.iter().rposition(Block::has_scope).unwrap_or(0);
        let columns = self.columns(block, self.blocks.len());
        let mut needs = Needs::default();
        for part in around.right.parts.iter().filter(|part| columns.contains(&part.column)) {
            needs.yields |= part.demands.needs.yields;
            needs.returns_value |= part.demands.needs.returns_value;
        }
        needs
    }

    /// The columns at which lines of the right context belong to the scope of `block`: from that of its
    /// suite to that of the next scope inside it.
    fn columns(&self, block: usize, block_end: usize) -> std::ops::Range<u32> {
        let first = self.blocks[block].column.unwrap_or(u32::MAX);
        let inner = self.blocks.get(block_end).and_then(|block| block.column);
        first..inner.unwrap_or(u32::MAX)
    }
}

/// A value that is shared until it is changed. Changing it copies it, if it is shared.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct CopyOnWrite<Value>(Arc<Value>);

impl<Value> CopyOnWrite<Value> {
    pub(super) fn new(value: Value) -> Self {
        Self(Arc::new(value))
    }
}

impl<Value: Clone> CopyOnWrite<Value> {
    pub(super) fn into_inner(self) -> Value {
        Arc::unwrap_or_clone(self.0)
    }
}

impl<Value> Deref for CopyOnWrite<Value> {
    type Target = Value;

    fn deref(&self) -> &Value {
        &self.0
    }
}

impl<Value: Clone> DerefMut for CopyOnWrite<Value> {
    fn deref_mut(&mut self) -> &mut Value {
        Arc::make_mut(&mut self.0)
    }
}
