//! Elements of JSX: the code in their braces is read, and nothing else is asked about them.

use super::reader::{Expression, Reader};
use super::tokens::{ScriptToken, Tokens, Unread};

impl Reader<'_> {
    /// An element or a fragment as an operand.
    pub(super) fn element_operand(&mut self) -> Result<Expression, Unread> {
        self.with_in(Self::element)?;
        self.next()?;
        Ok(Expression::Other)
    }

    /// An element, up to its last `>`, which is the token in the end.
    fn element(&mut self) -> Result<(), Unread> {
        self.deeper(Self::element_here)
    }

    fn element_here(&mut self) -> Result<(), Unread> {
        self.expect("<")?;
        self.tag_name()?;
        if self.dialect.has_types && self.is("<") {
            self.tokens.skip_angles(false)?;
        }
        while self.tokens.cut_sign(">").is_err() {
            if self.eat("/")? {
                return self.tokens.cut_sign(">");
            }
            self.attribute()?;
        }
        loop {
            self.tokens.next_child()?;
            if self.is("{") {
                self.next()?;
                self.eat("...")?;
                if !self.is("}") {
                    self.expression()?;
                }
                if !self.is("}") {
                    return Err(Unread);
                }
            } else if self.peek()?.is_sign("/") {
                self.next()?;
                self.next()?;
                self.tag_name()?;
                return self.tokens.cut_sign(">");
            } else {
                self.element()?;
            }
        }
    }

    /// The name of a tag or of an attribute, or none.
    fn tag_name(&mut self) -> Result<(), Unread> {
        if self.tokens.token != ScriptToken::Word {
            return Ok(());
        }
        self.tokens.next()?;
        while ["-", "--", ".", ":"].iter().any(|sign| self.is(sign)) {
            self.tokens.next()?;
            if matches!(self.tokens.token, ScriptToken::Word | ScriptToken::Number) {
                self.tokens.next()?;
            }
        }
        Ok(())
    }

    fn attribute(&mut self) -> Result<(), Unread> {
        if self.eat("{")? {
            self.expect("...")?;
            self.assignment()?;
            return self.expect("}");
        }
        if self.tokens.token != ScriptToken::Word {
            return Err(Unread);
        }
        self.tag_name()?;
        if !self.is("=") {
            return Ok(());
        }
        self.tokens.next_value()?;
        match self.tokens.token {
            ScriptToken::Text => self.tokens.next(),
            ScriptToken::Sign("{") => {
                self.next()?;
                self.expression()?;
                self.expect("}")
            }
            _ => {
                self.element()?;
                self.next()
            }
        }
    }
}

impl Tokens<'_> {
    /// Goes on behind an element's text to the next token that is none.
    fn next_child(&mut self) -> Result<(), Unread> {
        let length = self.text[self.end..].iter().position(|byte| b"{<".contains(byte));
        self.end += length.ok_or(Unread)?;
        self.next()
    }

    /// Goes on to the value of an attribute; texts have no escapes there.
    fn next_value(&mut self) -> Result<(), Unread> {
        let rest = &self.text[self.end..];
        let n_blank = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let quote = rest.get(n_blank).copied().filter(|byte| b"\"'".contains(byte));
        let Some(quote) = quote else { return self.next() };
        let start = self.end + n_blank;
        let length = self.text[start + 1..].iter().position(|&byte| byte == quote);
        (self.token, self.start) = (ScriptToken::Text, start);
        self.end = start + length.ok_or(Unread)? + 2;
        Ok(())
    }
}
