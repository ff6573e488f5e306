//! The names that a text binds which need be no program: a part of a file that is set aside or not looked at.

use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::left_context::{LineStart, ReadingTables, read_left};
use super::name_set::Name;
use super::{NameRules, Surroundings};
use crate::grammar::Language;

impl NameRules {
    /// The names that a text binds for other parts of the file: all but those of functions and classes that have
    /// ended. None if that cannot be told: it may bind any, or its brackets and strings do not end.
    pub(super) fn bound_in(&self, language: &Language, text: &[u8]) -> Option<Vec<Name>> {
        let around = Surroundings {
            builtins: self.builtins.clone(),
            turns: self.turns,
            known: [].into(),
            right: Arc::default(),
        };
        let tables = ReadingTables { lexer: &language.lexer, kinds: &self.kinds, around: &around };
        let first = LineStart::first(self.annotations);
        let whole = [text, b"\n"].concat();
        let to_the_end = |_, _: &LineStart| ControlFlow::<Infallible>::Continue(());
        let ControlFlow::Continue((reader, _)) =
            read_left(&tables, &whole, first, &language.lexer.start(), to_the_end);
        let scopes = &reader.scopes;
        let mut open = scopes.scopes.iter();
        if !reader.frames.is_empty() || scopes.is_unread || open.any(|scope| scope.is_open) {
            return None;
        }
        // A header at the text's end has parameters for the lines behind.
        let coming = reader.suite.coming().and_then(|coming| coming.scope.as_ref());
        let own =
            scopes.scopes.iter().chain(coming).flat_map(|scope| {
                scope.own.iter().chain(&scope.bound_later).chain(&scope.annotated)
            });
        let mut found: Vec<Name> = own.chain(scopes.globals.iter()).cloned().collect();
        found.sort_unstable();
        found.dedup();
        Some(found)
    }
}
