//! Parameters and bodies of functions.

use super::expressions::has_octal;
use super::reader::{Expression, Function, Reader};
use super::scopes::{Declared, ScopeKind};
use super::tokens::{ScriptToken, Unread};
use super::words::plain;

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
            is_simple &= self.tokens.token == ScriptToken::Word;
            let is_rest = self.eat("...")?;
            if self.dialect.has_types && self.is_word("this") {
                self.next()?;
            } else {
                self.with_in(|reader| reader.pattern(&mut names))?;
            }
            self.annotation()?;
            if self.eat("=")? {
                is_simple = false;
                if is_arrow {
                    self.in_list(Self::assignment)?;
                } else {
                    self.with_in(Self::assignment)?;
                }
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
                let is_name = self.tokens.token == ScriptToken::Word;
                let (name, at) = (plain(self.tokens.written_text()), self.tokens.start);
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
            // The code behind it is read as the outer code is.
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
        while self.tokens.token == ScriptToken::Text {
            let behind = self.peek()?;
            let is_whole = [";", "}"].iter().any(|sign| behind.is_sign(sign))
                || behind.token == ScriptToken::End
                || behind.is_behind_line && begins_statement(behind.token, behind.written_text());
            if !is_whole {
                break;
            }
            let (written, at) = (self.tokens.written_text(), self.tokens.start);
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
fn begins_statement(token: ScriptToken, written: &[u8]) -> bool {
    match token {
        ScriptToken::Word => !matches!(written, b"in" | b"instanceof"),
        ScriptToken::Sign(sign) => matches!(sign, "{" | "@" | "++" | "--" | "!" | "~" | ";" | "}"),
        ScriptToken::Template(_) => false,
        _ => true,
    }
}
