//! Parameters and bodies of functions, and classes.

use super::expressions::{has_octal, method, plain_function};
use super::reader::{Expression, Function, PrivateKind, Privates, Reader, plain};
use super::scopes::{Declared, ScopeKind};
use super::tokens::{Token, Unread};

type Names = Vec<(Vec<u8>, usize)>;

impl Reader<'_> {
    /// The parameters of a function that has begun, and its body.
    pub(super) fn parameters_and_body(
        &mut self,
        function: Function,
        name: Option<(Vec<u8>, usize)>,
    ) -> Result<bool, Unread> {
        self.function_of(function, name, false)
    }

    /// An arrow function whose parameters stand in brackets, from there on.
    pub(super) fn arrow_with_types(&mut self, function: Function) -> Result<(), Unread> {
        self.function_of(function, None, true).map(|_| ())
    }

    fn function_of(
        &mut self,
        function: Function,
        name: Option<(Vec<u8>, usize)>,
        is_arrow: bool,
    ) -> Result<bool, Unread> {
        if self.dialect.has_types && self.is("<") {
            self.tokens.skip_angles(false)?;
        }
        let (outer_yield, outer_await) = (self.last_yield.take(), self.last_await.take());
        self.functions.push(function.clone());
        self.scopes.open(ScopeKind::Function);
        self.expect("(")?;
        let mut names = Names::new();
        let mut is_simple = true;
        while !self.eat(")")? {
            self.parameter_modifiers()?;
            is_simple &= self.tokens.token == Token::Word;
            let is_rest = self.eat("...")?;
            if self.dialect.has_types && self.is_word("this") {
                self.next()?;
            } else {
                self.with_in(|reader| reader.pattern(&mut names))?;
            }
            self.annotation()?;
            if self.eat("=")? {
                is_simple = false;
                self.with_in(Self::assignment)?;
            }
            if !self.is(")") && !is_rest {
                self.expect(",")?;
            }
        }
        for (at, word) in [(self.last_yield, &b"yield"[..]), (self.last_await, b"await")] {
            if let Some(at) = at {
                self.fault(at, word, "`{}` does not fit parameters");
            }
        }
        self.scopes.close();
        self.functions.pop();
        (self.last_yield, self.last_await) = (outer_yield, outer_await);
        self.annotation()?;
        if is_arrow {
            self.expect("=>")?;
        } else if self.dialect.has_types && !self.is("{") {
            self.semicolon()?;
            return Ok(false);
        }
        let is_unique = function.has_super || is_arrow || self.dialect.has_types;
        self.body(function, name, &names, is_simple, is_unique, is_arrow)?;
        Ok(true)
    }

    /// A pattern that binds names.
    pub(super) fn pattern(&mut self, names: &mut Names) -> Result<(), Unread> {
        self.deeper(|reader| reader.pattern_here(names))
    }

    fn pattern_here(&mut self, names: &mut Names) -> Result<(), Unread> {
        if self.eat("[")? {
            while !self.eat("]")? {
                if self.eat(",")? {
                    continue;
                }
                self.eat("...")?;
                self.pattern_with_default(names)?;
                if !self.is("]") {
                    self.expect(",")?;
                }
            }
            return Ok(());
        }
        if !self.eat("{")? {
            let name = self.name()?;
            names.push(name);
            return Ok(());
        }
        while !self.eat("}")? {
            if self.eat("...")? {
                self.pattern(names)?;
            } else {
                let is_name = self.tokens.token == Token::Word;
                let (name, at) = (plain(self.tokens.written()), self.tokens.start);
                self.key()?;
                if self.eat(":")? {
                    self.pattern_with_default(names)?;
                } else if is_name {
                    self.check_name(&name, at);
                    names.push((name, at));
                    if self.eat("=")? {
                        self.assignment()?;
                    }
                } else {
                    return Err(Unread);
                }
            }
            if !self.is("}") {
                self.expect(",")?;
            }
        }
        Ok(())
    }

    fn pattern_with_default(&mut self, names: &mut Names) -> Result<(), Unread> {
        self.pattern(names)?;
        if self.eat("=")? {
            self.assignment()?;
        }
        Ok(())
    }

    /// The body of a function whose parameters bind these names.
    pub(super) fn body(
        &mut self,
        function: Function,
        name: Option<(Vec<u8>, usize)>,
        names: &[(Vec<u8>, usize)],
        is_simple: bool,
        is_unique: bool,
        is_arrow: bool,
    ) -> Result<(), Unread> {
        let was_strict = self.is_strict;
        let outer = (self.last_yield.take(), self.last_await.take());
        self.functions.push(function);
        self.scopes.open(ScopeKind::Function);
        if is_arrow && !self.is("{") {
            self.parameters(names, true);
            self.assignment()?;
        } else {
            self.expect("{")?;
            let had_in = std::mem::replace(&mut self.has_in, true);
            let was_in_condition = std::mem::take(&mut self.is_in_condition);
            let at = self.directives()?;
            if let Some(at) = at.filter(|_| !is_simple) {
                self.fault(at, b"use strict", "`{}` does not fit these parameters");
            }
            if self.is_strict && !was_strict {
                for (word, at) in name.iter().chain(names) {
                    self.check_name(word, *at);
                }
            }
            if let Some((word, at)) = name.filter(|_| self.is_strict) {
                self.check_target(&word, at);
            }
            self.parameters(names, is_unique || self.is_strict || !is_simple);
            while !self.is("}") {
                self.statement(true)?;
            }
            (self.has_in, self.is_in_condition) = (had_in, was_in_condition);
            // What follows is read as the outer code is.
            self.is_strict = was_strict;
            self.next()?;
        }
        self.is_strict = was_strict;
        self.scopes.close();
        self.functions.pop();
        (self.last_yield, self.last_await) = outer;
        Ok(())
    }

    fn parameters(&mut self, names: &[(Vec<u8>, usize)], is_unique: bool) {
        for (index, (name, at)) in names.iter().enumerate() {
            if is_unique && names[..index].iter().any(|(other, _)| other == name) {
                self.fault(*at, name, "the parameter `{}` is repeated");
            }
            self.declare(name, Declared::Variable, *at);
        }
    }

    /// Texts that begin a body; where the one stands that makes it strict.
    pub(super) fn directives(&mut self) -> Result<Option<usize>, Unread> {
        let mut found = None;
        let mut octal = None;
        while self.tokens.token == Token::Text {
            let behind = self.peek()?;
            let is_whole = [";", "}"].iter().any(|sign| behind.is_sign(sign))
                || behind.token == Token::End
                || behind.is_behind_line && begins_statement(behind.token, behind.written());
            if !is_whole {
                break;
            }
            let (written, at) = (self.tokens.written(), self.tokens.start);
            if has_octal(written) {
                octal = Some(at);
            }
            if matches!(written, b"'use strict'" | b"\"use strict\"") {
                self.is_strict = true;
                found = Some(at);
            }
            self.next()?;
            self.eat(";")?;
        }
        if let Some(at) = octal.filter(|_| self.is_strict) {
            self.fault(at, b"", "strict code has no octal escapes");
        }
        Ok(found)
    }

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
        if self.tokens.token == Token::Word && !is_headless {
            let (name, at) = self.name()?;
            if is_declaration {
                self.declare(&name, Declared::Lexical, at);
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
        let written = self.tokens.written();
        let name = match self.tokens.token {
            Token::Text => written[1..written.len() - 1].to_vec(),
            Token::Word => plain(written),
            _ => Vec::new(),
        };
        let is_text = self.tokens.token == Token::Text;
        let is_private = self.tokens.token == Token::Private;
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
            // What has no body says types alone, and is said again.
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
        let is_named = !is_text || name == b"constructor" || name == b"prototype";
        if is_named && (name == b"constructor" || is_static && name == b"prototype") {
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

    /// The names of a pattern of a declaration.
    pub(super) fn binding(&mut self, how: Declared) -> Result<Names, Unread> {
        let mut names = Names::new();
        self.pattern(&mut names)?;
        self.annotation()?;
        for (name, at) in &names {
            self.declare(name, how, *at);
        }
        Ok(names)
    }

    /// An expression that stands for the head of a loop, as a target.
    pub(super) fn loop_target(&mut self, target: &Expression) {
        self.assign(target);
    }
}

/// Whether a token at the beginning of a line begins a statement, and does not go on with a text.
fn begins_statement(token: Token, written: &[u8]) -> bool {
    match token {
        Token::Word => !matches!(written, b"in" | b"instanceof"),
        Token::Sign(sign) => matches!(sign, "{" | "@" | "++" | "--" | "!" | "~" | ";" | "}"),
        Token::Template(_) => false,
        _ => true,
    }
}
