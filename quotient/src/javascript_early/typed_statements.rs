//! TypeScript's additions to statements: declarations of types, enumerations, namespaces, and `declare`.
//!
//! Types are names beside values, and nothing is asked about them but that an exported one is there.

use super::reader::{Function, Reader};
use super::scopes::{Declared, ScopeKind};
use super::tokens::{ScriptToken, Unread};
use super::words::plain;

impl Reader<'_> {
    /// A statement that JavaScript has not, if one begins here.
    pub(super) fn typed_statement(&mut self) -> Result<bool, Unread> {
        let behind = self.peek()?;
        let is_name = behind.token == ScriptToken::Word
            && !behind.is_behind_line
            && !matches!(
                behind.written_text(),
                b"in" | b"instanceof" | b"of" | b"as" | b"satisfies"
            );
        match self.tokens.written_text() {
            b"interface" if is_name => self.interface()?,
            b"type" if is_name => self.type_alias()?,
            b"namespace" | b"module" if is_name => self.namespace()?,
            b"module" if behind.token == ScriptToken::Text && !behind.is_behind_line => {
                self.namespace()?;
            }
            b"global" if behind.is_sign("{") => self.namespace()?,
            b"enum" => self.enumeration(Declared::Enumeration)?,
            b"const" if behind.is_word("enum") => {
                self.next()?;
                self.enumeration(Declared::ConstEnumeration)?;
            }
            b"declare" if is_name => {
                self.next()?;
                let was_declared = std::mem::replace(&mut self.is_declared, true);
                self.statement(true)?;
                self.is_declared = was_declared;
            }
            b"abstract" if is_name && behind.is_word("class") => {
                self.next()?;
                self.class(true)?;
            }
            b"using" | b"await" if self.begins_using(false)? => {
                self.eat_word("await")?;
                self.variables(Declared::Lexical)?;
                self.semicolon()?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Whether `using` or `await using` declares here: a name or a pattern is behind it in the line. In the head of a `for`,
    /// `using of` does so where a value, a type or a semicolon is behind.
    pub(super) fn begins_using(&self, is_head: bool) -> Result<bool, Unread> {
        let mut tokens = self.tokens.clone();
        let is_awaited = tokens.is_word("await");
        if is_awaited {
            tokens.next()?;
        }
        if !self.dialect.has_types || !tokens.is_word("using") {
            return Ok(false);
        }
        tokens.next()?;
        if tokens.is_behind_line || tokens.token != ScriptToken::Word {
            return Ok(!tokens.is_behind_line && tokens.is_sign("{"));
        }
        let may_be_name = match tokens.written_text() {
            b"in" | b"instanceof" => return Ok(false),
            b"of" => !is_head || is_awaited,
            b"as" | b"satisfies" => false,
            _ => true,
        };
        tokens.next()?;
        Ok(may_be_name || ["=", ":", ";"].iter().any(|sign| tokens.is_sign(sign)))
    }

    fn type_name(&mut self) -> Result<(Vec<u8>, usize), Unread> {
        if self.tokens.token != ScriptToken::Word {
            return Err(Unread);
        }
        let (name, at) = (plain(self.tokens.written_text()), self.tokens.start);
        self.next()?;
        Ok((name, at))
    }

    /// Types may have names that no value has.
    fn declare_type(&mut self, how: Declared) -> Result<(), Unread> {
        let (name, at) = self.type_name()?;
        let found = self.scopes.declare(&name, how, at);
        self.faults.extend(found);
        Ok(())
    }

    fn interface(&mut self) -> Result<(), Unread> {
        self.next()?;
        self.declare_type(Declared::Interface)?;
        if self.is("<") {
            self.tokens.skip_angles(false)?;
        }
        if self.eat_word("extends")? {
            self.types()?;
        }
        if !self.is("{") {
            return Err(Unread);
        }
        self.tokens.skip_brackets()
    }

    /// Types with commas between them.
    pub(super) fn types(&mut self) -> Result<(), Unread> {
        loop {
            self.tokens.skip_type()?;
            if !self.eat(",")? {
                return Ok(());
            }
        }
    }

    fn type_alias(&mut self) -> Result<(), Unread> {
        self.next()?;
        self.declare_type(Declared::Alias)?;
        if self.is("<") {
            self.tokens.skip_angles(false)?;
        }
        self.expect("=")?;
        self.tokens.skip_type()?;
        self.semicolon()
    }

    fn enumeration(&mut self, how: Declared) -> Result<(), Unread> {
        self.next()?;
        let (name, at) = self.name()?;
        self.declare(&name, how, at);
        self.expect("{")?;
        while !self.eat("}")? {
            self.key()?;
            if self.eat("=")? {
                self.with_in(Self::assignment)?;
            }
            if !self.is("}") {
                self.expect(",")?;
            }
        }
        Ok(())
    }

    /// A namespace or a module, with its own names and exports.
    fn namespace(&mut self) -> Result<(), Unread> {
        let is_global = self.is_word("global");
        self.check_block(if is_global { b"global" } else { b"namespace" });
        self.next()?;
        let mut named = None;
        if self.tokens.token == ScriptToken::Text {
            self.next()?;
        } else if !is_global {
            named = Some(self.type_name()?);
            while self.eat(".")? {
                self.next()?;
            }
        }
        if !self.is("{") {
            return self.semicolon();
        }
        let had_values = std::mem::replace(&mut self.has_values, false);
        self.functions.push(Function::default());
        self.scopes.open(ScopeKind::Namespace);
        let exported = std::mem::take(&mut self.exported);
        let wanted = std::mem::take(&mut self.wanted);
        self.n_namespaces += 1;
        self.expect("{")?;
        while !self.is("}") {
            self.statement(true)?;
        }
        self.n_namespaces -= 1;
        (self.exported, self.wanted) = (exported, wanted);
        self.scopes.close();
        self.functions.pop();
        if let Some((name, at)) = named {
            let how = if self.has_values { Declared::Namespace } else { Declared::Type };
            let found = self.scopes.declare(&name, how, at);
            self.faults.extend(found);
        }
        self.has_values |= had_values;
        self.next()
    }

    /// The annotation behind a bound name: its mark, and its type.
    pub(super) fn annotation(&mut self) -> Result<(), Unread> {
        if !self.dialect.has_types {
            return Ok(());
        }
        self.optional_mark()?;
        if self.eat(":")? {
            self.tokens.skip_type()?;
        }
        Ok(())
    }

    /// A mark behind the name of a variable, a parameter or a member.
    pub(super) fn optional_mark(&mut self) -> Result<(), Unread> {
        if self.dialect.has_types && (self.is("!") || self.is("?")) {
            self.next()?;
        }
        Ok(())
    }

    /// `import a = b.c` or `import a = require("b")`, behind the `import`.
    pub(super) fn import_equals(&mut self) -> Result<(), Unread> {
        let (name, at) = self.name()?;
        self.declare(&name, Declared::Imported, at);
        self.expect("=")?;
        self.left_hand()?;
        self.semicolon()
    }

    /// Whether the word is a modifier of an import or export of types, and no name.
    pub(super) fn is_type_word(&self) -> Result<bool, Unread> {
        if !self.dialect.has_types || !self.is_word("type") {
            return Ok(false);
        }
        let behind = self.peek()?;
        Ok(match behind.token {
            ScriptToken::Sign(sign) => matches!(sign, "{" | "*"),
            ScriptToken::Word if behind.is_word("from") => {
                let mut further = behind.clone();
                further.next()?;
                further.is_word("from") || further.is_sign("=")
            }
            ScriptToken::Word => !behind.is_word("as"),
            _ => false,
        })
    }

    /// An export that TypeScript alone has, if it is one, behind the `export`.
    pub(super) fn typed_export(&mut self) -> Result<bool, Unread> {
        if self.eat("=")? {
            self.assignment()?;
            self.semicolon()?;
            return Ok(true);
        }
        let behind = self.peek()?;
        match self.tokens.written_text() {
            b"as" => {
                self.next()?;
                self.expect_word("namespace")?;
                self.next()?;
                self.semicolon()?;
            }
            b"import" => {
                self.next()?;
                if self.is_type_word()? {
                    self.next()?;
                }
                self.import_equals()?;
            }
            b"interface" | b"enum" | b"namespace" | b"module" | b"declare" | b"abstract"
            | b"global" | b"using" => self.statement(true)?,
            b"const" if behind.is_word("enum") => self.statement(true)?,
            b"type" if behind.token == ScriptToken::Word => self.statement(true)?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}
