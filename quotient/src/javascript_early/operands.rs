//! Operands: literals, templates, objects, functions within expressions.

use super::expressions::{has_octal, method, plain_function};
use super::reader::{Expression, Function, Goal, Reader};
use super::tokens::{ScriptToken, Unread};
use super::words::{KEYWORDS, key_name, plain};
use crate::regular_expressions;

impl Reader<'_> {
    pub(super) fn template(&mut self, is_tagged: bool) -> Result<(), Unread> {
        loop {
            let ScriptToken::Template(is_last) = self.tokens.token else { return Err(Unread) };
            if !is_tagged {
                self.check_template();
            }
            self.next()?;
            if is_last {
                return Ok(());
            }
            self.with_in(Self::expression)?;
            if !self.is("}") {
                return Err(Unread);
            }
            self.tokens.reread_template()?;
        }
    }

    fn check_template(&mut self) {
        let at = self.tokens.start;
        if has_octal(self.tokens.written_text()) {
            self.fault(at, b"", "templates have no octal escapes");
        }
    }

    pub(super) fn primary(&mut self) -> Result<Expression, Unread> {
        let at = self.tokens.start;
        match self.tokens.token {
            ScriptToken::Number => {
                let written = self.tokens.written_text();
                let is_legacy =
                    written.len() > 1 && written[0] == b'0' && written[1].is_ascii_digit();
                if self.is_strict && is_legacy {
                    self.fault(at, written, "`{}` begins with a zero in strict code");
                }
                self.next()?;
            }
            ScriptToken::Text => {
                if self.is_strict && has_octal(self.tokens.written_text()) {
                    self.fault(at, b"", "strict code has no octal escapes");
                }
                self.next()?;
            }
            ScriptToken::Template(_) => self.template(false)?,
            ScriptToken::Sign("/" | "/=") => {
                let (pattern, flags) = self.tokens.reread_regex()?;
                if let Some(reason) = regular_expressions::fault(pattern, flags) {
                    self.fault(at, flags, reason);
                }
                self.next()?;
            }
            ScriptToken::Sign("(") => {
                let members = self.with_in(|reader| reader.members("(", ")"))?;
                return Ok(match &members[..] {
                    _ if self.is("=>") => Expression::Parentheses(members),
                    [Expression::Name { name, at, .. }] => {
                        let (name, at) = (name.clone(), *at);
                        Expression::Name { name, at, is_in_parentheses: true }
                    }
                    [Expression::PrivateMember] => Expression::PrivateMember,
                    _ => Expression::Other,
                });
            }
            ScriptToken::Sign("[") => {
                let members = self.in_list(|reader| reader.members("[", "]"))?;
                return Ok(Expression::Row(members, at));
            }
            ScriptToken::Sign("{") => return self.with_in(Self::object),
            ScriptToken::Sign("<") if self.dialect.has_elements => return self.element_operand(),
            ScriptToken::Sign("@") => {
                return self.with_in(|reader| reader.class(false)).map(|()| Expression::Other);
            }
            ScriptToken::Word => return self.word(),
            _ => return Err(Unread),
        }
        Ok(Expression::Other)
    }

    fn word(&mut self) -> Result<Expression, Unread> {
        let at = self.tokens.start;
        match self.tokens.written_text() {
            b"function" => {
                self.function_expression(false)?;
                return Ok(Expression::Other);
            }
            b"class" => {
                self.with_in(|reader| reader.class(false))?;
                return Ok(Expression::Other);
            }
            b"this" | b"null" | b"true" | b"false" => {
                self.next()?;
                return Ok(Expression::Other);
            }
            b"new" => {
                self.next()?;
                if self.eat(".")? {
                    self.expect_word("target")?;
                    if !self.function().has_target {
                        self.fault(at, b"new.target", "`{}` stands outside of functions");
                    }
                    return Ok(Expression::Other);
                }
                // The operand of `new`: its arguments are read as those of a call.
                self.unary_new()?;
                return Ok(Expression::Other);
            }
            b"super" => {
                self.next()?;
                let is_call = self.is("(");
                let (has_super, has_call) =
                    (self.function().has_super, self.function().has_super_call);
                if is_call && !has_call {
                    self.fault(
                        at,
                        b"super",
                        "`{}()` stands outside of a derived class's constructor",
                    );
                } else if !is_call && !has_super {
                    self.fault(at, b"super", "`{}` stands outside of methods");
                }
                return Ok(Expression::Other);
            }
            b"import" => {
                let behind = self.peek()?;
                self.next()?;
                if behind.is_sign(".") && self.peek()?.is_word("meta") && !self.dialect.has_types {
                    if self.goal == Goal::Wrapped {
                        return Err(Unread);
                    }
                    self.is_module = true;
                }
                return Ok(Expression::Other);
            }
            b"async" => {
                let behind = self.peek()?;
                if behind.is_word("function") && !behind.is_behind_line {
                    self.next()?;
                    self.function_expression(true)?;
                    return Ok(Expression::Other);
                }
            }
            _ => {}
        }
        let (name, at) = self.name()?;
        Ok(Expression::Name { name, at, is_in_parentheses: false })
    }

    fn unary_new(&mut self) -> Result<(), Unread> {
        self.deeper(|reader| reader.primary())?;
        Ok(())
    }

    fn object(&mut self) -> Result<Expression, Unread> {
        let start = self.tokens.start;
        self.expect("{")?;
        let mut members = Vec::new();
        let mut has_proto = false;
        while !self.eat("}")? {
            if self.eat("...")? {
                members.push(self.assignment()?);
            } else {
                let at = self.tokens.start;
                let key = key_name(self.tokens.token, self.tokens.written_text());
                let is_proto = key == b"__proto__";
                let (member, is_pair) = self.member()?;
                if is_proto && is_pair && std::mem::replace(&mut has_proto, true) {
                    self.twice_proto.push((start, at));
                }
                members.push(member);
            }
            if !self.is("}") {
                self.expect(",")?;
            }
        }
        Ok(Expression::Row(members, start))
    }

    /// A member of an object; whether it is a key with a value.
    fn member(&mut self) -> Result<(Expression, bool), Unread> {
        let (mut is_async, mut is_generator) = (false, false);
        for word in ["async", "get", "set"] {
            if self.is_word(word) {
                let behind = self.peek()?;
                let is_key = [",", "}", ":", "(", "="].iter().any(|sign| behind.is_sign(sign));
                if !is_key {
                    is_async = word == "async";
                    self.next()?;
                }
                break;
            }
        }
        if self.eat("*")? {
            is_generator = true;
        }
        let (is_word, at) = (self.tokens.token == ScriptToken::Word, self.tokens.start);
        let name = plain(self.tokens.written_text());
        self.key()?;
        if self.is("(") || self.dialect.has_types && self.is("<") {
            let method = Function { is_async, is_generator, ..method(true, false) };
            self.parameters_and_body(method, None)?;
            return Ok((Expression::Other, false));
        }
        if self.eat(":")? {
            return Ok((self.assignment()?, true));
        }
        if !is_word || KEYWORDS.contains(&&*name) {
            return Err(Unread);
        }
        self.check_name(&name, at);
        if self.eat("=")? {
            self.check_target(&name, at);
            self.assignment()?;
        }
        Ok((Expression::Name { name, at, is_in_parentheses: false }, false))
    }

    /// The name of a member.
    pub(super) fn key(&mut self) -> Result<(), Unread> {
        if self.eat("[")? {
            self.with_in(Self::assignment)?;
            return self.expect("]");
        }
        match self.tokens.token {
            ScriptToken::Word => self.next(),
            ScriptToken::Number | ScriptToken::Text => self.primary().map(|_| ()),
            ScriptToken::Private => {
                let name = self.tokens.written_text();
                self.fault(self.tokens.start, name, "only classes have `{}`");
                self.next()
            }
            _ => Err(Unread),
        }
    }

    fn function_expression(&mut self, is_async: bool) -> Result<(), Unread> {
        self.expect_word("function")?;
        let is_generator = self.eat("*")?;
        let function = Function { is_async, is_generator, ..plain_function() };
        let mut name = None;
        if self.tokens.token == ScriptToken::Word {
            let (word, at) = (plain(self.tokens.written_text()), self.tokens.start);
            self.functions.push(function.clone());
            self.check_name(&word, at);
            self.functions.pop();
            self.check_target(&word, at);
            self.next()?;
            name = Some((word, at));
        }
        self.parameters_and_body(function, name).map(|_| ())
    }
}
