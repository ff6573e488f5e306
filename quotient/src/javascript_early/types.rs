//! Types of TypeScript, which nothing is asked about: they are passed over.
//!
//! All of it works on [`Tokens`] alone, so that it can be tried on a copy: whether `<` begins type arguments, and `(` the
//! parameters of an arrow function, shows behind them.

use super::tokens::{ScriptToken, Tokens, Unread};

/// Deeper types are not read.
const MAX_DEPTH: usize = 60;

/// Words behind which a slash begins a regular expression.
const OPERATORS: [&[u8]; 14] = [
    b"return",
    b"typeof",
    b"case",
    b"in",
    b"of",
    b"void",
    b"delete",
    b"instanceof",
    b"new",
    b"await",
    b"yield",
    b"else",
    b"do",
    b"throw",
];

/// Words that are operands or begin one, although they are no names.
const OPERANDS: [&[u8]; 12] = [
    b"this",
    b"super",
    b"null",
    b"true",
    b"false",
    b"function",
    b"class",
    b"new",
    b"delete",
    b"typeof",
    b"void",
    b"import",
];

impl Tokens<'_> {
    /// Passes over a type.
    pub(super) fn skip_type(&mut self) -> Result<(), Unread> {
        self.any_type(true, 0)
    }

    /// Passes over the arguments or the parameters of types. With `is_exact` nothing may stick to the last `>`.
    pub(super) fn skip_angles(&mut self, is_exact: bool) -> Result<(), Unread> {
        self.angles(is_exact, 0)
    }

    /// Passes over type arguments in an expression, if that is what they are: what stands behind decides.
    pub(super) fn skip_type_arguments(&mut self) -> bool {
        let mut ahead = self.clone();
        let is_it = ahead.skip_angles(true).is_ok()
            && match ahead.token {
                ScriptToken::Template(_) => true,
                ScriptToken::Sign("(" | "?.") => true,
                ScriptToken::Sign("<" | ">" | "+" | "-") => false,
                _ => ahead.is_behind_line || !ahead.begins_operand(),
            };
        if is_it {
            *self = ahead;
        }
        is_it
    }

    fn begins_operand(&self) -> bool {
        match self.token {
            ScriptToken::Sign(sign) => {
                matches!(sign, "[" | "{" | "!" | "~" | "++" | "--" | "@" | "/" | "/=" | "<<")
            }
            ScriptToken::Word => {
                let written = self.written_text();
                let is_between = matches!(written, b"in" | b"instanceof" | b"as" | b"satisfies");
                let is_kept = super::words::KEYWORDS.contains(&written);
                !is_between && (!is_kept || OPERANDS.contains(&written))
            }
            ScriptToken::End => false,
            _ => true,
        }
    }

    fn angles(&mut self, is_exact: bool, depth: usize) -> Result<(), Unread> {
        self.cut_sign("<")?;
        self.next()?;
        while !self.begins_with(">") {
            while self.token == ScriptToken::Word
                && matches!(self.written_text(), b"const" | b"in" | b"out")
            {
                let mut behind = self.clone();
                behind.next()?;
                if behind.token != ScriptToken::Word || behind.is_word("extends") {
                    break;
                }
                self.next()?;
            }
            self.any_type(false, depth + 1)?;
            if self.is_word("extends") {
                self.next()?;
                self.any_type(true, depth + 1)?;
                if self.is_sign("?") {
                    self.branches(depth)?;
                }
            }
            if self.is_sign("=") {
                self.next()?;
                self.any_type(true, depth + 1)?;
            }
            if !self.begins_with(">") {
                self.pass(",")?;
            }
        }
        if is_exact && !self.is_sign(">") {
            return Err(Unread);
        }
        self.cut_sign(">")?;
        self.next()
    }

    fn any_type(&mut self, has_conditions: bool, depth: usize) -> Result<(), Unread> {
        if depth > MAX_DEPTH {
            return Err(Unread);
        }
        if self.begins_function()? {
            return self.function_type(depth);
        }
        if self.token == ScriptToken::Word {
            let mut behind = self.clone();
            behind.next()?;
            let is_said = behind.token == ScriptToken::Word && !behind.is_behind_line;
            if self.is_word("asserts") && is_said && !behind.is_word("extends") {
                self.next()?;
                self.next()?;
                if self.is_word("is") && !self.is_behind_line {
                    self.next()?;
                    self.any_type(has_conditions, depth + 1)?;
                }
                return Ok(());
            }
            if is_said && behind.is_word("is") {
                self.next()?;
                self.next()?;
                return self.any_type(has_conditions, depth + 1);
            }
        }
        self.union(has_conditions, depth)?;
        if has_conditions && self.is_word("extends") && !self.is_behind_line {
            self.next()?;
            self.any_type(false, depth + 1)?;
            self.branches(depth)?;
        }
        Ok(())
    }

    fn branches(&mut self, depth: usize) -> Result<(), Unread> {
        self.pass("?")?;
        self.any_type(true, depth + 1)?;
        self.pass(":")?;
        self.any_type(true, depth + 1)
    }

    fn union(&mut self, has_conditions: bool, depth: usize) -> Result<(), Unread> {
        if self.is_sign("|") || self.is_sign("&") {
            self.next()?;
        }
        loop {
            if self.begins_function()? {
                return self.function_type(depth + 1);
            }
            self.operand(has_conditions, depth)?;
            if !self.is_sign("|") && !self.is_sign("&") {
                return Ok(());
            }
            self.next()?;
        }
    }

    fn begins_function(&self) -> Result<bool, Unread> {
        if self.is_sign("<") || self.is_word("new") {
            return Ok(true);
        }
        let mut ahead = self.clone();
        if self.is_word("abstract") {
            ahead.next()?;
            return Ok(ahead.is_word("new"));
        }
        if !self.is_sign("(") {
            return Ok(false);
        }
        ahead.skip_brackets()?;
        Ok(ahead.is_sign("=>"))
    }

    fn function_type(&mut self, depth: usize) -> Result<(), Unread> {
        while self.is_word("abstract") || self.is_word("new") {
            self.next()?;
        }
        if self.is_sign("<") {
            self.angles(false, depth + 1)?;
        }
        if !self.is_sign("(") {
            return Err(Unread);
        }
        self.skip_brackets()?;
        self.pass("=>")?;
        self.any_type(true, depth + 1)
    }

    fn operand(&mut self, has_conditions: bool, depth: usize) -> Result<(), Unread> {
        while ["keyof", "unique", "readonly"].iter().any(|word| self.is_word(word)) {
            self.next()?;
        }
        match self.token {
            ScriptToken::Text | ScriptToken::Number => self.next()?,
            ScriptToken::Template(_) | ScriptToken::Sign("(" | "[" | "{") => {
                self.skip_brackets()?
            }
            ScriptToken::Sign("-") => {
                self.next()?;
                self.next()?;
            }
            ScriptToken::Word if self.is_word("infer") => {
                return self.inferred(has_conditions, depth);
            }
            ScriptToken::Word => self.type_name(depth)?,
            _ => return Err(Unread),
        }
        while self.is_sign("[") && !self.is_behind_line {
            self.skip_brackets()?;
        }
        Ok(())
    }

    fn inferred(&mut self, has_conditions: bool, depth: usize) -> Result<(), Unread> {
        self.next()?;
        self.next()?;
        if self.is_word("extends") {
            let mut ahead = self.clone();
            ahead.next()?;
            let is_read = ahead.any_type(false, depth + 1).is_ok();
            if is_read && (!has_conditions || !ahead.is_sign("?")) {
                *self = ahead;
            }
        }
        Ok(())
    }

    fn type_name(&mut self, depth: usize) -> Result<(), Unread> {
        if self.is_word("typeof") {
            self.next()?;
        }
        let is_import = self.is_word("import");
        self.next()?;
        if is_import {
            self.skip_brackets()?;
        }
        while self.is_sign(".") {
            self.next()?;
            self.next()?;
        }
        if self.is_sign("<") && !self.is_behind_line {
            self.angles(false, depth + 1)?;
        }
        Ok(())
    }

    /// Passes over brackets, or over a template, and over what they hold, whatever that is.
    pub(super) fn skip_brackets(&mut self) -> Result<(), Unread> {
        let mut open: Vec<ScriptToken> = Vec::new();
        let mut last = ScriptToken::Sign("(");
        let mut is_operand_wanted = true;
        loop {
            if is_operand_wanted && (self.is_sign("/") || self.is_sign("/=")) {
                self.reread_regex()?;
            }
            let is_field =
                open.last().is_some_and(|token| matches!(token, ScriptToken::Template(_)));
            if self.is_sign("}") && is_field {
                self.reread_template()?;
                open.pop();
            }
            match self.token {
                ScriptToken::Sign("(" | "[" | "{") | ScriptToken::Template(false) => {
                    open.push(self.token)
                }
                ScriptToken::Sign(sign @ (")" | "]" | "}")) => {
                    let opening = match sign {
                        ")" => "(",
                        "]" => "[",
                        _ => "{",
                    };
                    if open.pop() != Some(ScriptToken::Sign(opening)) {
                        return Err(Unread);
                    }
                }
                ScriptToken::Sign("/" | "/=") if last == ScriptToken::Sign("}") => {
                    return Err(Unread);
                }
                ScriptToken::End => return Err(Unread),
                _ => {}
            }
            is_operand_wanted = match self.token {
                ScriptToken::Sign(sign) => !matches!(sign, ")" | "]" | "}" | "++" | "--"),
                ScriptToken::Word => OPERATORS.contains(&self.written_text()),
                ScriptToken::Template(is_last) => !is_last,
                _ => false,
            };
            last = self.token;
            self.next()?;
            if open.is_empty() {
                return Ok(());
            }
        }
    }

    fn pass(&mut self, sign: &str) -> Result<(), Unread> {
        if self.is_sign(sign) { self.next() } else { Err(Unread) }
    }

    fn begins_with(&self, sign: &str) -> bool {
        matches!(self.token, ScriptToken::Sign(_))
            && self.written_text().starts_with(sign.as_bytes())
    }

    /// Cuts the token off behind its first sign: `>>` behind types is twice `>`.
    pub(super) fn cut_sign(&mut self, sign: &'static str) -> Result<(), Unread> {
        if !self.begins_with(sign) {
            return Err(Unread);
        }
        self.token = ScriptToken::Sign(sign);
        self.end = self.start + sign.len();
        Ok(())
    }
}
