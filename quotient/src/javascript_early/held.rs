//! The law as recognizers hold it.

use std::sync::{Arc, OnceLock};

use fim_lexer::lexer::LexState;

use super::escapes::name_escape_end;
use super::reader::ScriptDialect;
use super::{Fault, check};
use crate::grammar::Language;
use crate::hole::{OpenHole, Place};
use crate::laws::{Contexts, ContextsRead, HeldLaw, Law, Reason, Violation, clear_ends};
use crate::masks::Vocabulary;
use crate::regular_expressions;
use crate::witness::shortest_witness;

/// The law of JavaScript and TypeScript, with JSX or without; none of other languages.
pub(crate) fn law(language: &Language) -> Option<Arc<dyn Law>> {
    let (has_types, has_elements) = match &*language.name {
        "javascript" => (false, false),
        "javascriptreact" => (false, true),
        "typescript" => (true, false),
        "typescriptreact" => (true, true),
        _ => return None,
    };
    let dialect = ScriptDialect { has_types, has_elements };
    Some(Arc::new(EarlyErrors { dialect, literals: regular_expressions::law(language) }))
}

#[derive(Debug)]
struct EarlyErrors {
    dialect: ScriptDialect,
    /// The law of literals, for places where the reader does not know how to go on.
    literals: Option<Arc<dyn Law>>,
}

impl Law for EarlyErrors {
    fn contexts(self: Arc<Self>) -> Box<dyn ContextsRead> {
        Box::new(self)
    }
}

impl ContextsRead for Arc<EarlyErrors> {
    fn law_at(
        &mut self,
        language: &Language,
        contexts: &Contexts<'_>,
        lexed: &LexState,
        known: &[Vec<u8>],
    ) -> Box<dyn HeldLaw> {
        let literals = self.literals.as_ref().map(Arc::clone);
        let literals = literals.map(|law| law.contexts().law_at(language, contexts, lexed, known));
        let around = Around {
            dialect: self.dialect,
            left: [contexts.left, contexts.begun].concat(),
            right: contexts.right.to_vec(),
            old: OnceLock::new(),
        };
        Box::new(Held { around: Arc::new(around), text: Vec::new(), literals })
    }
}

/// The contexts of a hole.
#[derive(Debug)]
struct Around {
    dialect: ScriptDialect,
    left: Vec<u8>,
    right: Vec<u8>,
    /// The faults there whatever the hole's text is, as far as they are found.
    old: OnceLock<Vec<Fault>>,
}

/// Longer texts are not looked at: all of one is read for each place where it may end.
const MAX_TEXT: usize = 1 << 17;

/// The fillings that are tried in the hole to find the faults around it.
const FILLINGS: [&[u8]; 6] = [b"", b";", b"a", b"0;", b"a;", b"a()"];

impl Around {
    /// The text with something in the hole.
    fn with(&self, text: &[u8]) -> Vec<u8> {
        [&self.left, text, &self.right].concat()
    }

    /// The fault with a text in the hole that is none without it.
    fn fault(&self, text: &[u8]) -> Option<Fault> {
        if self.left.len() + text.len() + self.right.len() > MAX_TEXT {
            return None;
        }
        let hole = self.left.len()..self.left.len() + text.len();
        let is_own = |fault: &Fault| {
            let is_there = |at: usize| hole.contains(&at);
            is_there(fault.at) || fault.other.is_some_and(is_there)
        };
        let faults = check(&self.with(text), self.dialect);
        if let Some(own) = faults.iter().find(|fault| is_own(fault)) {
            return Some(own.clone());
        }
        if faults.is_empty() || self.left.is_empty() && self.right.is_empty() {
            return faults.into_iter().next();
        }
        let filled = |text: &&[u8]| check(&self.with(text), self.dialect);
        let old = self.old.get_or_init(|| FILLINGS.iter().flat_map(filled).collect());
        let is_old = |fault: &&Fault| {
            old.iter().any(|known| known.name == fault.name && known.reason == fault.reason)
        };
        faults.iter().find(|fault| !is_old(fault)).cloned()
    }
}

/// The law behind a text.
#[derive(Clone, Debug)]
struct Held {
    around: Arc<Around>,
    text: Vec<u8>,
    literals: Option<Box<dyn HeldLaw>>,
}

impl Held {
    fn check(&self, text: &[u8]) -> Result<(), Violation> {
        let Some(fault) = self.around.fault(text) else { return Ok(()) };
        let start = (fault.at as i64 - self.around.left.len() as i64).min(text.len() as i64);
        Err(Violation { name: fault.name, start, reason: Reason(fault.reason) })
    }
}

impl HeldLaw for Held {
    fn boxed_clone(&self) -> Box<dyn HeldLaw> {
        Box::new(self.clone())
    }

    fn behind(
        &self,
        hole: &mut OpenHole<'_>,
        place: &Place,
        further: &Place,
        text: &[u8],
    ) -> Result<Box<dyn HeldLaw>, Violation> {
        let behind = |law: &dyn HeldLaw| law.behind(hole, place, further, text);
        let literals = self.literals.as_deref().map(behind).transpose()?;
        let text = [&self.text[..], text].concat();
        Ok(Box::new(Self { around: Arc::clone(&self.around), text, literals }))
    }

    fn check_end(
        &self,
        language: &Language,
        lexed: &LexState,
        right: &[u8],
    ) -> Result<(), Violation> {
        if let Some(literals) = &self.literals {
            literals.check_end(language, lexed, right)?;
        }
        self.check(&self.text)
    }

    fn n_read(&self) -> i64 {
        self.text.len() as i64
    }

    fn narrow(
        &self,
        hole: &mut OpenHole<'_>,
        place: &Place,
        vocabulary: &Vocabulary,
        mask: &mut [u32],
    ) {
        let language = hole.language();
        let is_wrong = || self.check_end(language, &place.lexed, &hole.right().text).is_err();
        clear_ends(vocabulary, mask, is_wrong);
    }

    fn witness(&self, hole: &mut OpenHole<'_>, place: &Place) -> Option<Vec<u8>> {
        let plain = match &self.literals {
            Some(literals) => literals.witness(hole, place)?,
            None => shortest_witness(hole, place)?,
        };
        if self.check(&[&self.text[..], &plain].concat()).is_ok() {
            return Some(plain);
        }
        // The shortest end of an escape seldom says a letter that a name may have.
        let front = name_escape_end(
            &[&self.around.left[..], &self.text].concat(),
            self.around.dialect.alphabet(),
        )?;
        let mut further = place.clone();
        let is_read =
            hole.read(&mut further, &front) == front.len() && hole.is_completable(&further);
        let rest = is_read.then(|| shortest_witness(hole, &further))??;
        let text = [front, rest].concat();
        self.check(&[&self.text[..], &text].concat()).is_ok().then_some(text)
    }
}
