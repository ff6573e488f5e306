//! The reader of JavaScript: its state at a place, and the faults that it finds.

use rustc_hash::FxHashMap;

use super::Fault;
use super::scopes::{Declared, ScopeKind, Scopes};
use super::tokens::{ScriptToken, Tokens, Unread};
use crate::regular_expressions::Alphabet;

/// The goal of a reading: the kind that a text is read as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Goal {
    Module,
    /// A text that Node wraps into a function: a script that may return.
    Wrapped,
}

/// The dialect of JavaScript that a text is read in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ScriptDialect {
    /// TypeScript.
    pub(super) has_types: bool,
    /// JSX.
    pub(super) has_elements: bool,
}

impl ScriptDialect {
    /// The alphabet of its names.
    pub(super) fn alphabet(self) -> Alphabet {
        if self.has_types { Alphabet::Typed } else { Alphabet::Newest }
    }
}

/// The function around a place.
#[derive(Clone, Default, Debug)]
pub(super) struct Function {
    pub(super) is_async: bool,
    pub(super) is_generator: bool,
    /// Whether `super.x` and `super()` may stand here, `new.target`, and `return`.
    pub(super) has_super: bool,
    pub(super) has_super_call: bool,
    pub(super) has_target: bool,
    pub(super) returns: bool,
    /// Whether `arguments` may not, nor `await`.
    pub(super) is_field: bool,
    pub(super) is_static_block: bool,
    pub(super) labels: Vec<Label>,
    /// How many loops are around, and how many of what `break` leaves.
    pub(super) n_loops: usize,
    pub(super) n_breakable: usize,
}

impl Function {
    /// An arrow function inside this one: `super`, `new.target` and `arguments` are those around it.
    pub(super) fn arrow(&self, is_async: bool) -> Self {
        Self {
            is_async,
            is_generator: false,
            returns: true,
            labels: Vec::new(),
            n_loops: 0,
            n_breakable: 0,
            is_static_block: false,
            ..self.clone()
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Label {
    pub(super) name: Vec<u8>,
    pub(super) is_loop: bool,
}

/// The private names of a class: those that it declares, and those that are used and not declared yet.
#[derive(Default, Debug)]
pub(super) struct Privates {
    pub(super) declared: FxHashMap<Vec<u8>, PrivateKind>,
    pub(super) used: Vec<(Vec<u8>, usize)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PrivateKind {
    Getter {
        is_static: bool,
    },
    Setter {
        is_static: bool,
    },
    /// Of a method without a body.
    Typed,
    Whole,
}

/// The form of an expression, as far as it may turn out to be a target or parameters.
#[derive(Clone, Debug)]
pub(super) enum Expression {
    Name {
        name: Vec<u8>,
        at: usize,
        is_in_parentheses: bool,
    },
    /// Members of a row or of an object, values with a default by their target.
    Row(Vec<Expression>, usize),
    Parentheses(Vec<Expression>),
    /// `#x` behind a dot.
    PrivateMember,
    Other,
}

/// Deeper texts are not read.
const MAX_DEPTH: usize = 120;

pub(super) struct Reader<'a> {
    pub(super) tokens: Tokens<'a>,
    pub(super) goal: Goal,
    pub(super) dialect: ScriptDialect,
    pub(super) is_strict: bool,
    pub(super) functions: Vec<Function>,
    pub(super) scopes: Scopes,
    pub(super) privates: Vec<Privates>,
    pub(super) faults: Vec<Fault>,
    /// Objects that have `__proto__` twice, by where they begin: patterns may.
    pub(super) twice_proto: Vec<(usize, usize)>,
    /// Where the last `yield` and `await` stood, which parameters may not have.
    pub(super) last_yield: Option<usize>,
    pub(super) last_await: Option<usize>,
    pub(super) exported: FxHashMap<Vec<u8>, usize>,
    /// Names that are exported, and must be declared in the end.
    pub(super) wanted: Vec<(Vec<u8>, usize)>,
    pub(super) has_in: bool,
    /// Lists in the head of a `for`, in which TypeScript has no `in` either.
    pub(super) n_lists_without_in: usize,
    /// Whether a colon may be that of `a ? b : c`.
    pub(super) is_in_condition: bool,
    /// Namespaces import and export, and so do modules that are declared.
    pub(super) n_namespaces: usize,
    /// Whether it is a module for sure: it imports, exports, or waits outside of functions.
    pub(super) is_module: bool,
    /// Whether something is called `await`, as in scripts.
    pub(super) has_await_as_name: bool,
    /// Whether `declare` is around, so that nothing has a value.
    pub(super) is_declared: bool,
    /// Whether the innermost namespace, or what is in it, has declared more than types.
    pub(super) has_values: bool,
    depth: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        text: &'a [u8],
        goal: Goal,
        dialect: ScriptDialect,
        has_old_comments: bool,
    ) -> Result<Self, Unread> {
        let mut scopes = Scopes::default();
        scopes.open(if goal == Goal::Module { ScopeKind::Module } else { ScopeKind::Function });
        let is_wrapped = goal == Goal::Wrapped;
        let top = Function {
            is_async: !is_wrapped,
            // TypeScript knows of no function around a file.
            has_target: is_wrapped && !dialect.has_types,
            returns: is_wrapped && !dialect.has_types,
            ..Function::default()
        };
        Ok(Self {
            tokens: Tokens::new(text, has_old_comments)?,
            goal,
            dialect,
            is_strict: !is_wrapped,
            functions: vec![top],
            scopes,
            privates: Vec::new(),
            faults: Vec::new(),
            twice_proto: Vec::new(),
            last_yield: None,
            last_await: None,
            exported: FxHashMap::default(),
            wanted: Vec::new(),
            has_in: true,
            n_lists_without_in: 0,
            is_in_condition: false,
            n_namespaces: 0,
            is_module: false,
            has_await_as_name: false,
            is_declared: false,
            has_values: false,
            depth: 0,
        })
    }

    /// Passes by code that only modules and functions have; outside of functions it makes JavaScript a module.
    pub(super) fn waits(&mut self) {
        self.is_module |= self.functions.len() == 1 && !self.dialect.has_types;
    }

    pub(super) fn function(&self) -> &Function {
        self.functions.last().expect("the text's own function")
    }

    pub(super) fn function_mut(&mut self) -> &mut Function {
        self.functions.last_mut().expect("the text's own function")
    }

    pub(super) fn fault(&mut self, at: usize, name: &[u8], reason: &'static str) {
        self.faults.push(Fault { at, other: None, name: name.to_vec(), reason });
    }

    /// Whether it is a script for sure, if it can be read as no module.
    pub(super) fn is_script(&self) -> bool {
        self.has_await_as_name || self.tokens.last_old_comment.is_some()
    }

    /// The faults of a module, with those of comments as in HTML, which modules have none of.
    pub(super) fn faults_with_old_comment(mut self) -> Vec<Fault> {
        if let Some(at) = self.tokens.last_old_comment {
            let sign = &self.tokens.text[at..];
            let length = if sign.starts_with(b"<") { 4 } else { 3 };
            self.fault(at, &sign[..length], "modules have no comments that begin with `{}`");
        }
        self.faults
    }

    /// Reads something that may hold others of its kind.
    pub(super) fn deeper<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Unread>,
    ) -> Result<T, Unread> {
        if self.depth == MAX_DEPTH {
            return Err(Unread);
        }
        self.depth += 1;
        let found = read(self);
        self.depth -= 1;
        found
    }

    pub(super) fn next(&mut self) -> Result<(), Unread> {
        self.check_escapes();
        self.tokens.next()
    }

    pub(super) fn is(&self, sign: &str) -> bool {
        self.tokens.is_sign(sign)
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        self.tokens.is_word(word)
    }

    /// Passes over a sign, if it is next.
    pub(super) fn eat(&mut self, sign: &str) -> Result<bool, Unread> {
        let is_it = self.is(sign);
        if is_it {
            self.next()?;
        }
        Ok(is_it)
    }

    pub(super) fn eat_word(&mut self, word: &str) -> Result<bool, Unread> {
        let is_it = self.is_word(word);
        if is_it {
            self.next()?;
        }
        Ok(is_it)
    }

    pub(super) fn expect(&mut self, sign: &str) -> Result<(), Unread> {
        if self.eat(sign)? { Ok(()) } else { Err(Unread) }
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Result<(), Unread> {
        if self.eat_word(word)? { Ok(()) } else { Err(Unread) }
    }

    /// A semicolon, or where one may be left out.
    pub(super) fn semicolon(&mut self) -> Result<(), Unread> {
        let may_be_left_out =
            self.tokens.token == ScriptToken::End || self.is("}") || self.tokens.is_behind_line;
        if self.eat(";")? || may_be_left_out { Ok(()) } else { Err(Unread) }
    }

    pub(super) fn peek(&self) -> Result<Tokens<'a>, Unread> {
        let mut tokens = self.tokens.clone();
        tokens.next()?;
        Ok(tokens)
    }

    pub(super) fn declare(&mut self, name: &[u8], how: Declared, at: usize) {
        if matches!(how, Declared::Lexical | Declared::Class) && name == b"let" {
            self.fault(at, name, "`let` declares no `{}`");
        }
        if how != Declared::Imported {
            self.check_target(name, at);
        }
        self.has_values |= how.is_value();
        let found = self.scopes.declare(name, how, at);
        self.faults.extend(found);
    }

    /// Forgets what is wrong with objects that turn out to be patterns, from a byte on.
    pub(super) fn forgive_proto(&mut self, from: usize) {
        let until = self.tokens.last_end;
        self.twice_proto.retain(|&(start, _)| start < from || start >= until);
    }

    /// Checks the targets of a pattern that an expression turns out to be, or gathers the names that it binds.
    pub(super) fn bind(&mut self, pattern: &Expression, found: &mut Vec<(Vec<u8>, usize)>) {
        match pattern {
            Expression::Name { name, at, .. } => found.push((name.clone(), *at)),
            Expression::Row(members, at) => {
                self.forgive_proto(*at);
                members.iter().for_each(|member| self.bind(member, found));
            }
            Expression::Parentheses(members) => {
                members.iter().for_each(|member| self.bind(member, found));
            }
            Expression::PrivateMember | Expression::Other => {}
        }
    }

    pub(super) fn assign(&mut self, pattern: &Expression) {
        let mut names = Vec::new();
        self.bind(pattern, &mut names);
        for (name, at) in names {
            self.check_target(&name, at);
        }
    }
}
