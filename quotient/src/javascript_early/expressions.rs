//! Expressions.

use super::reader::{Expression, Function, Reader};
use super::tokens::{ScriptToken, Unread};
use super::words::plain;

/// Signs between operands, `in` and `instanceof` aside.
const BINARY: [&str; 24] = [
    "==", "!=", "===", "!==", "<", ">", "<=", ">=", "&&", "||", "??", "<<", ">>", ">>>", "+", "-",
    "*", "/", "%", "&", "|", "^", "**", ",",
];

const ASSIGNMENTS: [&str; 15] = [
    "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "**=", "<<=", ">>=", ">>>=", "&&=", "||=",
    "??=",
];

impl Reader<'_> {
    /// An expression, commas included.
    pub(super) fn expression(&mut self) -> Result<Expression, Unread> {
        let mut found = self.assignment()?;
        while self.eat(",")? {
            found = Expression::Other;
            self.assignment()?;
        }
        Ok(found)
    }

    /// Reads where `in` is an operator.
    pub(super) fn with_in<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Unread>,
    ) -> Result<T, Unread> {
        let before = std::mem::replace(&mut self.has_in, true);
        let was_in_condition = std::mem::take(&mut self.is_in_condition);
        let n_lists = std::mem::take(&mut self.n_lists_without_in);
        let found = read(self);
        (self.has_in, self.is_in_condition) = (before, was_in_condition);
        self.n_lists_without_in = n_lists;
        found
    }

    /// Reads lists and values of parameters; `in` is an operator there, in TypeScript only if it is one around them.
    pub(super) fn in_list<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Unread>,
    ) -> Result<T, Unread> {
        if self.has_in || !self.dialect.has_types {
            return self.with_in(read);
        }
        self.n_lists_without_in += 1;
        let found = read(self);
        self.n_lists_without_in -= 1;
        found
    }

    pub(super) fn assignment(&mut self) -> Result<Expression, Unread> {
        self.deeper(|reader| reader.assignment_here())
    }

    fn assignment_here(&mut self) -> Result<Expression, Unread> {
        if self.is_word("yield") && (self.function().is_generator || self.is_in_front_of_value()?) {
            return self.yielded();
        }
        let start = self.tokens.start;
        if self.dialect.has_types
            && let Some(arrow) = self.typed_arrow()?
        {
            return Ok(arrow);
        }
        let is_async = self.is_word("async") && {
            let behind = self.peek()?;
            !behind.is_behind_line
                && behind.token == ScriptToken::Word
                && !behind.is_word("function")
                && !behind.is_word("in")
                && !behind.is_word("of")
                && !behind.is_word("instanceof")
        };
        if is_async {
            self.next()?;
            let (name, at) = (plain(self.tokens.written_text()), self.tokens.start);
            self.next()?;
            return self.arrow(
                &[Expression::Name { name, at, is_in_parentheses: false }],
                true,
                start,
            );
        }
        let left = self.conditional()?;
        if self.is("=>") && !self.tokens.is_behind_line {
            let members = match left {
                Expression::Parentheses(members) => members,
                other => vec![other],
            };
            return self.arrow(&members, false, start);
        }
        if self.eat("=")? {
            if matches!(left, Expression::Row(..)) {
                self.forgive_proto(start);
            }
            self.assign(&left);
            self.assignment()?;
            // A target with a default, if a pattern is around.
            return Ok(match left {
                Expression::Name { .. } => Expression::Row(vec![left], start),
                left => left,
            });
        }
        if let ScriptToken::Sign(sign) = self.tokens.token
            && ASSIGNMENTS.contains(&sign)
        {
            self.next()?;
            self.assign(&left);
            self.assignment()?;
            return Ok(Expression::Other);
        }
        Ok(left)
    }

    fn yielded(&mut self) -> Result<Expression, Unread> {
        self.last_yield = Some(self.tokens.start);
        self.next()?;
        if self.tokens.is_behind_line {
            return Ok(Expression::Other);
        }
        let ends = [")", "]", "}", ",", ";", ":"].iter().any(|sign| self.is(sign))
            || self.is_word("in")
            || self.is_word("of")
            || self.tokens.token == ScriptToken::End;
        if self.eat("*")? || !ends {
            self.assignment()?;
        }
        Ok(Expression::Other)
    }

    /// An arrow function behind its parameters.
    fn arrow(
        &mut self,
        parameters: &[Expression],
        is_async: bool,
        start: usize,
    ) -> Result<Expression, Unread> {
        self.expect("=>")?;
        let is_behind = |at: Option<usize>| at.is_some_and(|at| at >= start);
        if is_behind(self.last_yield) {
            self.fault(start, b"yield", "`{}` does not fit parameters");
        }
        if is_behind(self.last_await) {
            self.fault(start, b"await", "`{}` does not fit parameters");
        }
        let inside = self.function().arrow(is_async);
        let mut names = Vec::new();
        for parameter in parameters {
            self.bind(parameter, &mut names);
        }
        if self.goal == super::reader::Goal::Wrapped && is_async {
            for (name, at) in &names {
                if name == b"await" {
                    self.fault(*at, name, "`{}` is no name in this code");
                }
            }
        }
        let is_simple = parameters.iter().all(|one| matches!(one, Expression::Name { .. }));
        self.body(inside, None, &names, is_simple, true, true)?;
        Ok(Expression::Other)
    }

    fn conditional(&mut self) -> Result<Expression, Unread> {
        let mut found = self.unary()?;
        loop {
            if self.casts()? {
                found = Expression::Other;
                continue;
            }
            let is_operator = match self.tokens.token {
                ScriptToken::Sign(sign) => sign != "," && BINARY.contains(&sign),
                _ if self.is_word("in") => self.has_in || self.n_lists_without_in > 0,
                _ => self.is_word("instanceof"),
            };
            if !is_operator {
                break;
            }
            if self.is_word("in") && !self.has_in {
                self.fault(self.tokens.start, b"in", "`{}` is no operator in the head of a loop");
            }
            self.next()?;
            found = Expression::Other;
            self.unary()?;
        }
        if self.is("?") {
            self.next()?;
            self.with_in(|reader| {
                reader.is_in_condition = true;
                reader.assignment()
            })?;
            self.expect(":")?;
            self.assignment()?;
            return Ok(Expression::Other);
        }
        Ok(found)
    }

    fn unary(&mut self) -> Result<Expression, Unread> {
        self.deeper(|reader| reader.unary_here())
    }

    fn unary_here(&mut self) -> Result<Expression, Unread> {
        let at = self.tokens.start;
        if self.is("++") || self.is("--") {
            self.next()?;
            let target = self.unary()?;
            self.assign(&target);
            return Ok(Expression::Other);
        }
        if ["+", "-", "!", "~"].iter().any(|sign| self.is(sign)) {
            self.next()?;
            self.unary()?;
            return Ok(Expression::Other);
        }
        if self.is_word("typeof") || self.is_word("void") {
            self.next()?;
            self.unary()?;
            return Ok(Expression::Other);
        }
        if self.dialect.has_types && !self.dialect.has_elements && self.is("<") {
            // `<a>b`
            self.tokens.skip_angles(false)?;
            self.unary()?;
            return Ok(Expression::Other);
        }
        if self.eat_word("delete")? {
            match self.unary()? {
                Expression::Name { name, .. } if self.is_strict => {
                    self.fault(at, &name, "`{}` is not deleted in strict code");
                }
                Expression::Parentheses(members) if self.is_strict => {
                    if let [Expression::Name { name, .. }] = &members[..] {
                        self.fault(at, name, "`{}` is not deleted in strict code");
                    }
                }
                Expression::PrivateMember => {
                    self.fault(at, b"delete", "`{}` does not fit private names");
                }
                _ => {}
            }
            return Ok(Expression::Other);
        }
        if self.is_word("await") && (self.function().is_async || self.is_in_front_of_value()?) {
            self.last_await = Some(at);
            self.waits();
            self.next()?;
            self.unary()?;
            return Ok(Expression::Other);
        }
        if self.tokens.token == ScriptToken::Private {
            // `#x in y`
            self.use_private();
            self.next()?;
            return if self.is_word("in") { Ok(Expression::Other) } else { Err(Unread) };
        }
        let target = self.left_hand()?;
        if (self.is("++") || self.is("--")) && !self.tokens.is_behind_line {
            self.next()?;
            self.assign(&target);
            return Ok(Expression::Other);
        }
        Ok(target)
    }

    /// Whether a word or a literal is behind the word in its line: TypeScript's parser awaits it and yields it then,
    /// whatever the function around is.
    fn is_in_front_of_value(&self) -> Result<bool, Unread> {
        let behind = self.peek()?;
        let is_value =
            matches!(behind.token, ScriptToken::Word | ScriptToken::Number | ScriptToken::Text);
        Ok(self.dialect.has_types && is_value && !behind.is_behind_line)
    }

    pub(super) fn use_private(&mut self) {
        let (name, at) = (plain(&self.tokens.written_text()[1..]), self.tokens.start);
        match self.privates.last_mut() {
            Some(privates) => privates.used.push((name, at)),
            None => self.fault(at, &name, "no class around declares `#{}`"),
        }
    }

    /// Calls and members.
    pub(super) fn left_hand(&mut self) -> Result<Expression, Unread> {
        let start = self.tokens.start;
        let is_async = self.is_word("async");
        let mut found = self.primary()?;
        loop {
            if self.eat(".")? || self.is("?.") {
                let is_optional = self.eat("?.")?;
                if is_optional && self.dialect.has_types && self.is("<") {
                    self.tokens.skip_angles(false)?;
                }
                if is_optional
                    && (self.is("(")
                        || self.is("[")
                        || matches!(self.tokens.token, ScriptToken::Template(_)))
                {
                    found = Expression::Other;
                    continue;
                }
                found = match self.tokens.token {
                    ScriptToken::Private => {
                        self.use_private();
                        Expression::PrivateMember
                    }
                    ScriptToken::Word => Expression::Other,
                    _ => return Err(Unread),
                };
                self.next()?;
            } else if self.is("[") {
                self.next()?;
                self.with_in(Self::expression)?;
                self.expect("]")?;
                found = Expression::Other;
            } else if self.is("(") {
                let is_arrow = is_async
                    && matches!(&found, Expression::Name { name, is_in_parentheses: false, .. } if name == b"async")
                    && !self.tokens.is_behind_line;
                let arguments = self.with_in(|reader| reader.members("(", ")"))?;
                if is_arrow && self.is("=>") && !self.tokens.is_behind_line {
                    return self.arrow(&arguments, true, start);
                }
                found = Expression::Other;
            } else if matches!(self.tokens.token, ScriptToken::Template(_)) {
                self.template(true)?;
                found = Expression::Other;
            } else if self.dialect.has_types && self.is("!") && !self.tokens.is_behind_line {
                self.next()?;
            } else if self.dialect.has_types
                && (self.is("<") || self.is("<<"))
                && self.tokens.skip_type_arguments()
            {
                found = Expression::Other;
            } else {
                return Ok(found);
            }
        }
    }

    /// The members in brackets, between commas; one that is left out is nothing.
    pub(super) fn members(&mut self, open: &str, close: &str) -> Result<Vec<Expression>, Unread> {
        self.expect(open)?;
        let mut found = Vec::new();
        while !self.eat(close)? {
            if self.eat(",")? {
                continue;
            }
            if self.eat("...")? {
                found.push(match self.assignment()? {
                    Expression::Name { name, at, .. } => Expression::Row(
                        vec![Expression::Name { name, at, is_in_parentheses: false }],
                        at,
                    ),
                    other => other,
                });
            } else {
                let member = self.assignment()?;
                found.push(member);
            }
            if !self.is(close) {
                self.expect(",")?;
            }
        }
        Ok(found)
    }
}

/// A function of its own.
pub(super) fn plain_function() -> Function {
    Function { has_target: true, returns: true, ..Function::default() }
}

/// A method.
pub(super) fn method(has_super: bool, has_super_call: bool) -> Function {
    Function { has_super, has_super_call, ..plain_function() }
}

/// Whether a text has an escape of octal digits, or one of `\8` and `\9`.
pub(super) fn has_octal(written: &[u8]) -> bool {
    let mut at = 0;
    while at + 1 < written.len() {
        if written[at] == b'\\' {
            let digit = written[at + 1];
            let is_null = digit == b'0' && !written.get(at + 2).is_some_and(u8::is_ascii_digit);
            if digit.is_ascii_digit() && !is_null {
                return true;
            }
            at += 1;
        }
        at += 1;
    }
    false
}
