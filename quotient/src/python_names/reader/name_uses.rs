//! Uses of names: the names that are visible where one is used, and what a use says about the text around it.
//!
//! ```text
//! print(rows)                  `rows` must be visible, or a `for` in these brackets has to bind it
//! print(rows); global rows     refused in a function: a declaration comes in front of all uses of its name
//! exec(code)                   binds whatever it likes here, as does `from a import *`
//! exec(code, space)            does so elsewhere, as does `return exec` in a function
//! globals()[a] = b             binds what cannot be told; `'a' in globals()` only asks
//! ```
//!
//! The last three are doubt: code that binds names which cannot be told. In a context with such code, all names are
//! visible.

use super::NamesReader;
use super::comprehensions::Obligation;
use super::frames::{OpenConstruct, Phase};
use super::open_statement::Statement;
use super::waiting_names::WaitingName;
use crate::python_names::scopes::{Runs, Scope, ScopeKind, Surroundings};
use crate::python_names::symbols::{
    CompilingReason, Name, NameViolation, Query, SymbolKind, has_sorted, wrong,
};

/// The last part of code that may bind any name, as far as the reader has met it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::python_names) enum Doubt {
    Nothing,
    /// The symbol in front of the last one is `in`.
    BehindIn,
    /// The name that has just been used is `exec`.
    BehindExec,
}

impl Doubt {
    pub(in crate::python_names) fn is_behind_exec(self) -> bool {
        self == Self::BehindExec
    }

    /// Notes the symbol in front of the one that is read next.
    pub(super) fn follow(&mut self, before: SymbolKind) {
        *self = match self {
            _ if before == SymbolKind::In => Self::BehindIn,
            Self::BehindExec => Self::BehindExec,
            Self::Nothing | Self::BehindIn => Self::Nothing,
        };
    }

    /// Whether the bracket that opens may be that of a call of `exec`.
    pub(super) fn take_exec(&mut self) -> bool {
        let is_exec = self.is_behind_exec();
        if is_exec {
            *self = Self::Nothing;
        }
        is_exec
    }
}

impl NamesReader {
    /// Whether a name of the query is visible here.
    pub(in crate::python_names) fn sees(&self, query: Query<'_>, around: &Surroundings) -> bool {
        self.frames.iter().any(|frame| frame.binds(query))
            || self.statement.header().type_parameters.iter().any(|name| query.is_met_by(name))
            || self.late_walruses().any(|name| query.is_met_by(name))
            || self.scopes.sees(query, around, self.runs())
    }

    /// The visible names, or enough that one begins like each visible beginning; None if all names are visible.
    pub(in crate::python_names) fn visible<'a>(
        &'a self,
        around: &'a Surroundings,
    ) -> Option<Vec<&'a [u8]>> {
        let mut found = Vec::with_capacity(around.builtins.len() + 64);
        found.extend(self.frames.iter().flat_map(|frame| frame.visible()).map(|name| &**name));
        found.extend(self.statement.header().type_parameters.iter().map(|name| &**name));
        found.extend(self.late_walruses().map(|name| &**name));
        self.scopes.add_visible(around, self.runs(), &mut found).then_some(found)
    }

    /// The names of `:=` that are bound by the time that the code here runs, if that is later.
    pub(in crate::python_names) fn late_walruses(&self) -> impl Iterator<Item = &Name> {
        let walruses = self.waiting.walruses.iter();
        let is_late = walruses.len() > 0 && self.runs_late();
        walruses.filter(move |_| is_late).map(|walrus| &walrus.name)
    }

    /// The time at which the code here runs.
    fn runs(&self) -> Runs {
        if self.runs_late() { self.runs_later() } else { Runs::AtOnce }
    }

    /// The time at which the code here runs if it is later than the lines around it.
    pub(super) fn runs_later(&self) -> Runs {
        match self.statement.kind() {
            Statement::Definition | Statement::Returns => Runs::LaterInHeader,
            _ => Runs::Later,
        }
    }

    /// Whether the code here runs later than the lines around it.
    pub(in crate::python_names) fn runs_late(&self) -> bool {
        self.frames.iter().any(|frame| frame.phase == Phase::Body)
            || self.is_in_late_type()
            || (self.annotations.are_late() || self.scopes.innermost().is_function())
                && self.is_in_annotation()
    }
}

impl NamesReader {
    /// Notes the use of a name in a context.
    pub(super) fn note_use(&mut self, name: &[u8], around: &Surroundings) {
        self.note_doubt(name);
        self.note_read(name);
        let is_at_once = !self.runs_late() && !self.scopes.scopes.iter().any(Scope::is_function);
        let scopes = &mut self.scopes;
        let query = Query::Name(name);
        if !has_sorted(&around.builtins, query) && !scopes.bound_anywhere.has(query) {
            let name = name.into();
            scopes.unresolved.add(&name);
            if is_at_once {
                scopes.used_at_once.add(&name);
            }
        }
    }

    pub(super) fn use_name(
        &mut self,
        waiting: WaitingName,
        around: &Surroundings,
    ) -> Result<(), NameViolation> {
        let WaitingName { name, start, depth, is_judged, .. } = waiting;
        if !self.part.is_checked() {
            self.note_use(&name, around);
        }
        if !is_judged {
            return Ok(());
        }
        self.note_read(&name);
        // Names are compared in a normal form; names beyond ASCII count as known.
        if !name.is_ascii() || self.sees(Query::Name(&name), around) {
            return Ok(());
        }
        match self.rescuers(depth) {
            0 => Err(wrong(&name, start, CompilingReason::Undefined)),
            rescuers => {
                let reason = CompilingReason::Undefined;
                self.waiting.obligations.add(Obligation { name, start, rescuers, reason });
                Ok(())
            }
        }
    }
}

impl NamesReader {
    /// Notes the reading of a variable. A lambda or a comprehension reads in another scope.
    pub(super) fn note_read(&mut self, name: &[u8]) {
        if !self.scopes.innermost().is_function()
            || self.is_in_lambda()
            || self.is_in_late_annotation()
        {
            return;
        }
        for frame in self.frames.iter_mut().rev() {
            if frame.is_in_comprehension() {
                return;
            }
            if frame.may_comprehend && frame.clauses.n_fors == 0 {
                frame.clauses.reads.push(name.into());
                return;
            }
        }
        if !self.scopes.innermost().reads.has(Query::Name(name)) {
            self.scopes.innermost_mut().reads.add(&name.into());
        }
    }

    /// Checks a name that `global` or `nonlocal` declares.
    pub(super) fn check_declared(
        &self,
        name: &[u8],
        around: &Surroundings,
    ) -> Option<CompilingReason> {
        let scope = self.scopes.innermost();
        let is_in = |names: &[Name]| names.iter().any(|other| **other == *name);
        let is_known = scope.own.has(Query::Name(name)) || scope.reads.has(Query::Name(name));
        match self.statement.kind() {
            Statement::Global if scope.kind == ScopeKind::Module => None,
            Statement::Global => {
                (is_known || is_in(&scope.nonlocals)).then_some(CompilingReason::TooLate)
            }
            _ if scope.kind == ScopeKind::Module => Some(CompilingReason::NoNonlocal),
            _ if is_in(&scope.nonlocals) => None,
            _ if is_known || is_in(&scope.declared) => Some(CompilingReason::TooLate),
            // A method may rebind `__class__`, the name of its class.
            _ if name == b"__class__" => None,
            _ => (!self.scopes.is_bound_in_function(name, around))
                .then_some(CompilingReason::NoNonlocal),
        }
    }

    /// Checks a name that is annotated without brackets, which makes it the scope's own.
    pub(super) fn check_annotated(&self, candidate: &WaitingName) -> Result<(), NameViolation> {
        let scope = self.scopes.innermost();
        let is_declared = scope.kind != ScopeKind::Module
            && scope.declared.iter().chain(&scope.nonlocals).any(|name| *name == candidate.name);
        if self.part.is_hole() && is_declared && candidate.depth == 0 {
            return Err(wrong(&candidate.name, candidate.start, CompilingReason::TooLate));
        }
        Ok(())
    }

    /// Checks a name that is bound.
    pub(super) fn check_target(&self, name: &[u8], start: i64) -> Result<(), NameViolation> {
        if self.part.is_hole() && name == b"__debug__" {
            return Err(wrong(name, start, CompilingReason::Constant));
        }
        Ok(())
    }
}

impl NamesReader {
    /// Notes a use, in a context, of a name that may bind unknown ones.
    fn note_doubt(&mut self, name: &[u8]) {
        match name {
            b"globals" if self.doubt != Doubt::BehindIn => self.doubt_all(),
            b"exec" => self.doubt = Doubt::BehindExec,
            b"locals" | b"vars" if self.frames.iter().any(|frame| frame.is_exec) => {
                self.doubt_all();
            }
            _ => {}
        }
    }

    /// Notes an attribute: `IntEnum._convert_` puts its members into the module.
    pub(super) fn note_attribute(&mut self, name: &[u8]) {
        if name == b"_convert_" {
            self.doubt_all();
        }
    }

    /// Reads the symbol behind `exec`. If it does not call `exec`, other code may, and bind any name here. Where a
    /// function passes `exec` on, it is called among other code's own names.
    pub(super) fn follow_exec(&mut self, kind: SymbolKind) {
        if self.doubt.is_behind_exec() && kind != SymbolKind::OpenParen {
            self.doubt = Doubt::Nothing;
            let scope = self.scopes.innermost();
            if !(scope.is_function() || scope.needs.function) {
                self.doubt_all();
            }
        }
    }

    /// Ends the arguments of `exec`, the last of them with a comma or without.
    pub(super) fn end_exec(&mut self, frame: &OpenConstruct, has_last_comma: bool) {
        if frame.is_exec && frame.n_commas <= u8::from(has_last_comma) {
            self.doubt_all();
        }
    }

    /// Lets any name be bound where this is read.
    fn doubt_all(&mut self) {
        self.scopes.scopes[0].is_open = true;
    }
}
