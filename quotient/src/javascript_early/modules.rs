//! Imports and exports.

use super::reader::{Goal, Reader};
use super::scopes::Declared;
use super::tokens::{ScriptToken, Unread};
use super::words::{has_half_pair, key_name, plain};

impl Reader<'_> {
    pub(super) fn import(&mut self) -> Result<(), Unread> {
        self.is_module |= self.n_namespaces == 0;
        self.stands_in_module()?;
        self.check_block(b"import");
        self.next()?;
        if self.tokens.token == ScriptToken::Text {
            return self.source();
        }
        if self.is_type_word()? {
            self.next()?;
        }
        let how = if self.dialect.has_types { Declared::Imported } else { Declared::Lexical };
        if self.tokens.token == ScriptToken::Word {
            if self.dialect.has_types && self.peek()?.is_sign("=") {
                return self.import_equals();
            }
            let (name, at) = self.name()?;
            self.declare(&name, how, at);
            if !self.eat(",")? {
                self.expect_word("from")?;
                return self.source();
            }
        }
        if self.eat("*")? {
            self.expect_word("as")?;
            let (name, at) = self.name()?;
            self.declare(&name, how, at);
        } else {
            self.expect("{")?;
            while !self.eat("}")? {
                if self.is_type_word()? {
                    self.next()?;
                }
                let is_text = self.tokens.token == ScriptToken::Text;
                let (name, at) = self.exported_name()?;
                if self.eat_word("as")? {
                    let (name, at) = self.name()?;
                    self.declare(&name, how, at);
                } else if is_text {
                    return Err(Unread);
                } else {
                    self.check_name(&name, at);
                    self.declare(&name, how, at);
                }
                if !self.is("}") {
                    self.expect(",")?;
                }
            }
        }
        self.expect_word("from")?;
        self.source()
    }

    /// Where something is imported from, with its attributes.
    fn source(&mut self) -> Result<(), Unread> {
        if self.tokens.token != ScriptToken::Text {
            return Err(Unread);
        }
        self.next()?;
        if self.eat_word("with")? || self.dialect.has_types && self.eat_word("assert")? {
            self.expect("{")?;
            let mut keys = Vec::new();
            while !self.eat("}")? {
                let (key, at) = self.key_in_list()?;
                if keys.contains(&key) {
                    self.fault(at, &key, "`{}` is there twice");
                }
                keys.push(key);
                self.expect(":")?;
                self.next()?;
                if !self.is("}") {
                    self.expect(",")?;
                }
            }
        }
        self.semicolon()
    }

    pub(super) fn export(&mut self) -> Result<(), Unread> {
        self.is_module |= self.n_namespaces == 0;
        self.stands_in_module()?;
        self.check_block(b"export");
        self.next()?;
        let at = self.tokens.start;
        if self.dialect.has_types && self.typed_export()? {
            return Ok(());
        }
        if self.is_type_word()? {
            self.next()?;
        }
        if self.eat("*")? {
            if self.eat_word("as")? {
                let (name, at) = self.exported_name()?;
                self.export_name(name, at);
            }
            self.expect_word("from")?;
            return self.source();
        }
        if self.eat("{")? {
            return self.export_list();
        }
        if self.eat_word("default")? {
            let behind = self.peek()?;
            if self.dialect.has_types
                && self.is_word("interface")
                && behind.token == ScriptToken::Word
            {
                return self.statement(true);
            }
            let is_async =
                self.is_word("async") && behind.is_word("function") && !behind.is_behind_line;
            if is_async {
                self.next()?;
            }
            if is_async || self.is_word("function") {
                if self.function_declaration(is_async)? {
                    self.export_name(b"default".to_vec(), at);
                }
                return Ok(());
            }
            self.export_name(b"default".to_vec(), at);
            let is_abstract = self.dialect.has_types
                && self.is_word("abstract")
                && behind.is_word("class")
                && !behind.is_behind_line;
            if self.is_word("class") || self.is("@") || is_abstract {
                return self.class(true);
            }
            self.assignment()?;
            return self.semicolon();
        }
        let start = self.tokens.start;
        match self.tokens.written_text() {
            b"var" | b"let" | b"const" => {
                let how = if self.is_word("var") { Declared::Variable } else { Declared::Lexical };
                self.next()?;
                loop {
                    for (name, at) in self.binding(how)? {
                        self.export_name(name, at);
                    }
                    if self.eat("=")? {
                        self.assignment()?;
                    }
                    if !self.eat(",")? {
                        return self.semicolon();
                    }
                }
            }
            b"function" | b"async" | b"class" | b"@" => {
                let mut tokens = self.tokens.clone();
                while tokens.token != ScriptToken::End && tokens.start - start < 4096 {
                    let is_head =
                        ["async", "function", "class"].iter().any(|word| tokens.is_word(word));
                    if !is_head && tokens.token == ScriptToken::Word {
                        break;
                    }
                    if tokens.is_sign("@") {
                        return Err(Unread);
                    }
                    tokens.next()?;
                }
                let name = plain(tokens.written_text());
                if !self.dialect.has_types {
                    self.export_name(name, tokens.start);
                }
                self.statement(true)
            }
            _ => Err(Unread),
        }
    }

    /// Imports and exports are read as a module's, or as a namespace's.
    fn stands_in_module(&self) -> Result<(), Unread> {
        if self.goal == Goal::Module || self.n_namespaces > 0 { Ok(()) } else { Err(Unread) }
    }

    /// Refuses a word in a block or a function; of imports and exports JavaScript's grammar does so itself.
    pub(super) fn check_block(&mut self, word: &[u8]) {
        if !self.scopes.is_outermost() {
            self.fault(self.tokens.start, word, "`{}` stands in a block");
        }
    }

    fn exported_name(&mut self) -> Result<(Vec<u8>, usize), Unread> {
        let written = self.tokens.written_text();
        let (name, at) = self.key_in_list()?;
        if has_half_pair(written) {
            self.fault(at, &name, "`{}` has half of a pair of letters");
        }
        Ok((name, at))
    }

    /// A word or a string.
    fn key_in_list(&mut self) -> Result<(Vec<u8>, usize), Unread> {
        if !matches!(self.tokens.token, ScriptToken::Word | ScriptToken::Text) {
            return Err(Unread);
        }
        let name = key_name(self.tokens.token, self.tokens.written_text());
        let at = self.tokens.start;
        self.next()?;
        Ok((name, at))
    }

    fn export_list(&mut self) -> Result<(), Unread> {
        let mut own = Vec::new();
        while !self.eat("}")? {
            if self.is_type_word()? {
                self.next()?;
            }
            let is_text = self.tokens.token == ScriptToken::Text;
            let (name, at) = self.exported_name()?;
            own.push((name.clone(), at, is_text));
            let (name, at) = if self.eat_word("as")? { self.exported_name()? } else { (name, at) };
            self.export_name(name, at);
            if !self.is("}") {
                self.expect(",")?;
            }
        }
        if self.eat_word("from")? {
            return self.source();
        }
        for (name, at, is_text) in own {
            if is_text {
                self.fault(at, &name, "`{}` is no name that is exported");
            } else {
                self.check_name(&name, at);
                self.wanted.push((name, at));
            }
        }
        self.semicolon()
    }

    fn export_name(&mut self, name: Vec<u8>, at: usize) {
        if self.exported.contains_key(&name) {
            self.fault(at, &name, "`{}` is exported already");
        }
        self.exported.insert(name, at);
    }
}
