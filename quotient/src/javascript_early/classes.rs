//! Classes and their members.

use super::expressions::{method, plain_function};
use super::reader::{Function, PrivateKind, Privates, Reader};
use super::scopes::{Declared, ScopeKind};
use super::tokens::{ScriptToken, Unread};
use super::words::{key_name, plain};

impl Reader<'_> {
    /// A class; a declaration's name is one of the scope's.
    pub(super) fn class(&mut self, is_declaration: bool) -> Result<(), Unread> {
        self.deeper(|reader| reader.class_here(is_declaration))
    }

    fn class_here(&mut self, is_declaration: bool) -> Result<(), Unread> {
        self.decorators()?;
        let has_types = self.dialect.has_types;
        if has_types {
            self.eat_word("abstract")?;
        }
        self.expect_word("class")?;
        let was_strict = std::mem::replace(&mut self.is_strict, true);
        let is_headless = self.is_word("extends") || has_types && self.is_word("implements");
        if self.tokens.token == ScriptToken::Word && !is_headless {
            let (name, at) = self.name()?;
            if is_declaration {
                let how = match self.is_declared {
                    _ if !has_types => Declared::Lexical,
                    true => Declared::AmbientClass,
                    false => Declared::Class,
                };
                self.declare(&name, how, at);
            } else {
                self.check_target(&name, at);
            }
        }
        if has_types && self.is("<") {
            self.tokens.skip_angles(false)?;
        }
        let is_derived = self.eat_word("extends")?;
        if is_derived {
            self.left_hand()?;
            if has_types && self.is("<") {
                self.tokens.skip_angles(false)?;
            }
        }
        if has_types && self.eat_word("implements")? {
            self.types()?;
        }
        self.expect("{")?;
        self.privates.push(Privates::default());
        let mut has_constructor = false;
        while !self.is("}") {
            if !self.eat(";")? {
                self.class_member(is_derived, &mut has_constructor)?;
            }
        }
        self.is_strict = was_strict;
        self.next()?;
        let Some(Privates { declared, used }) = self.privates.pop() else { return Err(Unread) };
        for (name, at) in used {
            if declared.contains_key(&name) {
                continue;
            }
            match self.privates.last_mut() {
                Some(outer) => outer.used.push((name, at)),
                None => self.fault(at, &name, "no class around declares `#{}`"),
            }
        }
        Ok(())
    }

    pub(super) fn decorators(&mut self) -> Result<(), Unread> {
        while self.eat("@")? {
            self.left_hand()?;
        }
        Ok(())
    }

    fn class_member(&mut self, is_derived: bool, has_constructor: &mut bool) -> Result<(), Unread> {
        self.decorators()?;
        let ends: &[&str] = if self.dialect.has_types {
            &["(", "=", ";", "}", ":", "?", "!", "<"]
        } else {
            &["(", "=", ";", "}"]
        };
        let mut is_static = false;
        let (mut is_async, mut is_generator) = (false, false);
        let mut accessor: &[u8] = b"";
        if self.is_word("static") {
            let behind = self.peek()?;
            if behind.is_sign("{") {
                self.next()?;
                return self.static_block();
            }
            if !ends.iter().any(|sign| behind.is_sign(sign)) {
                is_static = true;
                self.next()?;
            }
        }
        if self.dialect.has_types {
            is_static |= self.member_modifiers()?;
            if self.index_signature()? {
                return Ok(());
            }
        }
        for word in ["async", "get", "set", "accessor"] {
            if self.is_word(word) {
                let behind = self.peek()?;
                let is_cut = behind.is_behind_line && (word == "async" || word == "accessor");
                let is_field = behind.is_behind_line && behind.is_sign("*");
                if !is_cut && !is_field && !ends.iter().any(|sign| behind.is_sign(sign)) {
                    is_async = word == "async";
                    accessor = if is_async { b"" } else { word.as_bytes() };
                    self.next()?;
                }
                break;
            }
        }
        if self.eat("*")? {
            is_generator = true;
        }
        let at = self.tokens.start;
        let written = self.tokens.written_text();
        let name = key_name(self.tokens.token, written);
        let is_private = self.tokens.token == ScriptToken::Private;
        let private = is_private.then(|| plain(&written[1..]));
        if is_private {
            self.next()?;
        } else {
            self.key()?;
        }
        let kind = match accessor {
            b"get" => PrivateKind::Getter { is_static },
            b"set" => PrivateKind::Setter { is_static },
            _ => PrivateKind::Whole,
        };
        self.optional_mark()?;
        if self.is("(") || self.dialect.has_types && self.is("<") {
            let is_constructor = !is_static && name == b"constructor";
            let is_special = is_async || is_generator || !accessor.is_empty();
            let has_call = is_constructor && is_derived && !is_special;
            let method = Function { is_async, is_generator, ..method(true, has_call) };
            // A method without a body says types alone, and is declared again.
            if !self.parameters_and_body(method, None)? {
                if let Some(private) = private {
                    self.declare_private_type(private);
                }
                return Ok(());
            }
            if let Some(private) = private {
                self.declare_private(private, kind, at);
            }
            if is_constructor && is_special {
                self.fault(at, &name, "a class's `{}` is a plain method");
            } else if is_constructor && std::mem::replace(has_constructor, true) {
                self.fault(at, &name, "the class has a `{}` already");
            }
            if is_static && name == b"prototype" {
                self.fault(at, &name, "a class has no static `{}` of its own");
            }
            return Ok(());
        }
        if let Some(private) = private {
            self.declare_private(private, kind, at);
        }
        self.annotation()?;
        if name == b"constructor" || is_static && name == b"prototype" {
            self.fault(at, &name, "a class has no field `{}`");
        }
        if self.eat("=")? {
            let field = Function {
                has_super: true,
                has_target: true,
                is_field: true,
                ..Function::default()
            };
            self.functions.push(field);
            self.scopes.open(ScopeKind::Function);
            self.with_in(Self::assignment)?;
            self.scopes.close();
            self.functions.pop();
        }
        self.semicolon()
    }

    fn static_block(&mut self) -> Result<(), Unread> {
        let block =
            Function { has_super: true, is_static_block: true, returns: false, ..plain_function() };
        let outer = (self.last_yield.take(), self.last_await.take());
        self.functions.push(block);
        self.scopes.open(ScopeKind::Function);
        self.expect("{")?;
        let had_in = std::mem::replace(&mut self.has_in, true);
        while !self.is("}") {
            self.statement(true)?;
        }
        self.has_in = had_in;
        self.scopes.close();
        self.functions.pop();
        (self.last_yield, self.last_await) = outer;
        self.next()
    }

    fn declare_private(&mut self, name: Vec<u8>, kind: PrivateKind, at: usize) {
        if name == b"constructor" {
            self.fault(at, &name, "no private name is `#{}`");
        }
        let Some(privates) = self.privates.last_mut() else { return };
        let known = privates.declared.get(&name).copied();
        let is_pair = match (known, kind) {
            (None | Some(PrivateKind::Typed), _) => true,
            (Some(PrivateKind::Getter { is_static }), PrivateKind::Setter { is_static: other })
            | (Some(PrivateKind::Setter { is_static }), PrivateKind::Getter { is_static: other }) => {
                is_static == other
            }
            _ => false,
        };
        let is_new = known.is_none_or(|known| known == PrivateKind::Typed);
        let kind = if is_new { kind } else { PrivateKind::Whole };
        privates.declared.insert(name.clone(), kind);
        if !is_pair {
            self.fault(at, &name, "`#{}` has been declared already");
        }
    }

    /// A method that has no body here: it is declared where that is.
    fn declare_private_type(&mut self, name: Vec<u8>) {
        if let Some(privates) = self.privates.last_mut() {
            privates.declared.entry(name).or_insert(PrivateKind::Typed);
        }
    }
}
