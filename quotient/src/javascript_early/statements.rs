//! Statements.

use super::expressions::plain_function;
use super::reader::{Function, Label, Reader};
use super::scopes::{Declared, ScopeKind};
use super::tokens::{ScriptToken, Unread};
use super::words::plain;

impl Reader<'_> {
    /// A whole text.
    pub(super) fn program(&mut self) -> Result<(), Unread> {
        self.directives()?;
        while self.tokens.token != ScriptToken::End {
            self.statement(true)?;
        }
        for (name, at) in std::mem::take(&mut self.wanted) {
            if !self.scopes.has_at_top(&name) {
                self.fault(at, &name, "`{}` is exported and declared nowhere");
            }
        }
        for (_, at) in std::mem::take(&mut self.twice_proto) {
            self.fault(at, b"__proto__", "`{}` is there twice");
        }
        Ok(())
    }

    /// A statement; a declaration only in a list of them.
    pub(super) fn statement(&mut self, may_declare: bool) -> Result<(), Unread> {
        self.deeper(|reader| reader.statement_here(may_declare, true))
    }

    /// The body of a loop, of `if` and the like: a statement that is no declaration.
    fn inner(&mut self) -> Result<(), Unread> {
        self.deeper(|reader| reader.statement_here(false, false))
    }

    fn statement_here(&mut self, may_declare: bool, may_be_function: bool) -> Result<(), Unread> {
        let at = self.tokens.start;
        if self.eat(";")? {
            return Ok(());
        }
        if self.is("{") {
            return self.block();
        }
        if self.is("@") {
            self.decorators()?;
            return if self.is_word("export") { self.export() } else { self.class(true) };
        }
        if self.tokens.token != ScriptToken::Word {
            self.expression()?;
            return self.semicolon();
        }
        if self.dialect.has_types && self.typed_statement()? {
            return Ok(());
        }
        match self.tokens.written_text() {
            b"var" => {
                self.variables(Declared::Variable)?;
                self.semicolon()
            }
            b"const" => {
                self.variables(Declared::Lexical)?;
                self.semicolon()
            }
            b"let" if self.begins_let(may_declare)? => {
                self.variables(Declared::Lexical)?;
                self.semicolon()
            }
            b"function" => {
                if !may_declare && self.is_strict {
                    self.fault(at, b"function", "`{}` stands in a block in strict code");
                } else if !may_be_function {
                    return self.inner_function();
                }
                self.function_declaration(false).map(|_| ())
            }
            b"async" => {
                let behind = self.peek()?;
                if behind.is_word("function") && !behind.is_behind_line {
                    self.next()?;
                    return self.function_declaration(true).map(|_| ());
                }
                self.labelled_or_expression()
            }
            b"class" => self.class(true),
            b"if" => {
                self.condition()?;
                self.inner()?;
                if self.eat_word("else")? {
                    self.inner()?;
                }
                Ok(())
            }
            b"for" => self.for_loop(),
            b"while" => {
                self.condition()?;
                self.loop_body()
            }
            b"do" => {
                self.next()?;
                self.loop_body()?;
                self.condition_of("while")?;
                self.eat(";")?;
                Ok(())
            }
            b"continue" => self.jump(true),
            b"break" => self.jump(false),
            b"return" => {
                if !self.function().returns {
                    self.fault(at, b"return", "`{}` stands outside of functions");
                }
                self.next()?;
                if !self.is(";")
                    && !self.is("}")
                    && !self.tokens.is_behind_line
                    && self.tokens.token != ScriptToken::End
                {
                    self.expression()?;
                }
                self.semicolon()
            }
            b"with" => {
                if self.is_strict {
                    self.fault(at, b"with", "strict code has no `{}`");
                }
                self.condition()?;
                self.inner()
            }
            b"switch" => self.switch(),
            b"throw" => {
                self.next()?;
                self.expression()?;
                self.semicolon()
            }
            b"try" => self.try_statement(),
            b"debugger" => {
                self.next()?;
                self.semicolon()
            }
            b"import" => {
                let behind = self.peek()?;
                if behind.is_sign("(") || behind.is_sign(".") {
                    self.expression()?;
                    return self.semicolon();
                }
                self.import()
            }
            b"export" => self.export(),
            _ => self.labelled_or_expression(),
        }
    }

    fn begins_let(&self, may_declare: bool) -> Result<bool, Unread> {
        let behind = self.peek()?;
        if behind.is_sign("[") {
            return Ok(true);
        }
        if !may_declare {
            // A name, then.
            return Ok(false);
        }
        Ok(behind.is_sign("{")
            || behind.token == ScriptToken::Word
                && !matches!(behind.written_text(), b"in" | b"instanceof"))
    }

    fn labelled_or_expression(&mut self) -> Result<(), Unread> {
        if !self.peek()?.is_sign(":") {
            self.expression()?;
            return self.semicolon();
        }
        let (name, at) = self.name()?;
        self.expect(":")?;
        if self.function().labels.iter().any(|label| label.name == name) {
            self.fault(at, &name, "the label `{}` is there already");
        }
        let mut behind = self.tokens.clone();
        // Labels of a label's statement are its own.
        while behind.token == ScriptToken::Word {
            let mut colon = behind.clone();
            colon.next()?;
            if !colon.is_sign(":") {
                break;
            }
            colon.next()?;
            behind = colon;
        }
        let is_loop = ["for", "while", "do"].iter().any(|word| behind.is_word(word));
        self.function_mut().labels.push(Label { name, is_loop });
        if self.is_word("function") && self.is_strict {
            self.fault(at, b"function", "strict code labels no `{}`");
        }
        let read = self.statement(false);
        self.function_mut().labels.pop();
        read
    }

    fn block(&mut self) -> Result<(), Unread> {
        self.scopes.open(ScopeKind::Block);
        self.statements()?;
        self.scopes.close();
        Ok(())
    }

    fn statements(&mut self) -> Result<(), Unread> {
        self.expect("{")?;
        while !self.eat("}")? {
            self.statement(true)?;
        }
        Ok(())
    }

    /// Variables; whether one has a value.
    pub(super) fn variables(&mut self, how: Declared) -> Result<bool, Unread> {
        self.next()?;
        let mut has_value = false;
        loop {
            self.binding(how)?;
            if self.eat("=")? {
                has_value = true;
                self.assignment()?;
            }
            if !self.eat(",")? {
                return Ok(has_value);
            }
        }
    }

    /// A function that is the body of an `if` alone: as in a block of its own.
    fn inner_function(&mut self) -> Result<(), Unread> {
        self.scopes.open(ScopeKind::Block);
        self.function_declaration(false)?;
        self.scopes.close();
        Ok(())
    }

    /// A function; whether it has a body, without which it says types alone.
    pub(super) fn function_declaration(&mut self, is_async: bool) -> Result<bool, Unread> {
        self.expect_word("function")?;
        let is_generator = self.eat("*")?;
        let name = if self.tokens.token == ScriptToken::Word { Some(self.name()?) } else { None };
        let function = Function { is_async, is_generator, ..plain_function() };
        let has_body = self.parameters_and_body(function, name.clone())?;
        if let Some((name, at)) = &name {
            let is_lexical = self.is_strict || is_async || is_generator;
            let how = match is_lexical {
                _ if !has_body => Declared::Signature,
                _ if self.dialect.has_types => Declared::Implemented,
                true if self.scopes.has_functions_as_variables() => Declared::Variable,
                true => Declared::Lexical,
                false => Declared::Function,
            };
            self.declare(name, how, *at);
        }
        Ok(has_body)
    }

    fn condition(&mut self) -> Result<(), Unread> {
        self.next()?;
        self.expect("(")?;
        self.expression()?;
        self.expect(")")
    }

    fn condition_of(&mut self, word: &str) -> Result<(), Unread> {
        if self.is_word(word) { self.condition() } else { Err(Unread) }
    }

    fn loop_body(&mut self) -> Result<(), Unread> {
        let function = self.function_mut();
        function.n_loops += 1;
        function.n_breakable += 1;
        let read = self.inner();
        let function = self.function_mut();
        function.n_loops -= 1;
        function.n_breakable -= 1;
        read
    }

    fn for_loop(&mut self) -> Result<(), Unread> {
        self.next()?;
        if self.is_word("await") {
            if !self.function().is_async && !self.dialect.has_types {
                return Err(Unread);
            }
            self.waits();
            self.next()?;
        }
        self.expect("(")?;
        self.scopes.open(ScopeKind::Block);
        let had_in = std::mem::replace(&mut self.has_in, false);
        let (mut has_value, at) = (false, self.tokens.start);
        if !self.is(";") {
            let is_let = self.is_word("let") && self.begins_let(true)?;
            if self.is_word("var") {
                has_value = self.variables(Declared::Variable)?;
            } else if self.is_word("const") || is_let {
                has_value = self.variables(Declared::Lexical)?;
            } else if self.begins_using(true)? {
                self.eat_word("await")?;
                has_value = self.variables(Declared::Lexical)?;
            } else {
                let target = self.expression()?;
                if self.is_word("of") || self.is_word("in") {
                    self.loop_target(&target);
                }
            }
        }
        self.has_in = had_in;
        if self.eat_word("of")? {
            self.with_in(Self::assignment)?;
        } else if self.eat_word("in")? {
            if has_value && (self.is_strict || self.dialect.has_types) {
                self.fault(at, b"in", "what goes through keys by `{}` has a value already");
            }
            self.with_in(Self::expression)?;
        } else {
            self.expect(";")?;
            if !self.is(";") {
                self.with_in(Self::expression)?;
            }
            self.expect(";")?;
            if !self.is(")") {
                self.with_in(Self::expression)?;
            }
        }
        self.expect(")")?;
        self.loop_body()?;
        self.scopes.close();
        Ok(())
    }

    fn jump(&mut self, is_continue: bool) -> Result<(), Unread> {
        let at = self.tokens.start;
        let word: &[u8] = if is_continue { b"continue" } else { b"break" };
        self.next()?;
        if self.tokens.token == ScriptToken::Word && !self.tokens.is_behind_line {
            let name = plain(self.tokens.written_text());
            let label = self.function().labels.iter().rev().find(|label| label.name == name);
            if label.is_none_or(|label| is_continue && !label.is_loop) {
                self.fault(at, &name, "no label `{}` is around that may be meant");
            }
            self.next()?;
        } else {
            let function = self.function();
            let n_around = if is_continue { function.n_loops } else { function.n_breakable };
            if n_around == 0 {
                self.fault(at, word, "`{}` stands outside of loops");
            }
        }
        self.semicolon()
    }

    fn switch(&mut self) -> Result<(), Unread> {
        self.condition()?;
        self.expect("{")?;
        self.scopes.open(ScopeKind::Block);
        self.function_mut().n_breakable += 1;
        while !self.eat("}")? {
            if self.eat_word("case")? {
                self.expression()?;
                self.expect(":")?;
            } else if self.eat_word("default")? {
                self.expect(":")?;
            } else {
                self.statement(true)?;
            }
        }
        self.function_mut().n_breakable -= 1;
        self.scopes.close();
        Ok(())
    }

    fn try_statement(&mut self) -> Result<(), Unread> {
        self.next()?;
        self.block()?;
        if self.eat_word("catch")? {
            self.scopes.open(ScopeKind::Block);
            if self.eat("(")? {
                let is_name = self.tokens.token == ScriptToken::Word;
                self.binding(if is_name { Declared::Caught } else { Declared::Lexical })?;
                self.expect(")")?;
            }
            self.statements()?;
            self.scopes.close();
        }
        if self.eat_word("finally")? {
            self.block()?;
        }
        Ok(())
    }
}
