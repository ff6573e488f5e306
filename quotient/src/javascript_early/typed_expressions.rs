//! TypeScript's additions to expressions and parameters: types of all kinds, and arrow functions that have them.

use super::reader::{Expression, Reader};
use super::tokens::{ScriptToken, Tokens, Unread};

/// Words in front of members and parameters.
const MODIFIERS: [&str; 10] = [
    "public",
    "private",
    "protected",
    "static",
    "abstract",
    "override",
    "readonly",
    "declare",
    "async",
    "accessor",
];

impl Reader<'_> {
    /// An arrow function whose parameters stand in brackets, if one begins here: with types nothing else would tell.
    pub(super) fn typed_arrow(&mut self) -> Result<Option<Expression>, Unread> {
        let is_async = self.is_word("async");
        let mut ahead = self.tokens.clone();
        if is_async {
            ahead.next()?;
        }
        let begins = ahead.is_sign("(") || ahead.is_sign("<");
        if !begins || is_async && ahead.is_behind_line || !self.is_arrow(ahead)? {
            return Ok(None);
        }
        if is_async {
            self.next()?;
        }
        let function = self.function().arrow(is_async);
        self.arrow_with_types(function)?;
        Ok(Some(Expression::Other))
    }

    /// Whether what stands here is an arrow function's.
    fn is_arrow(&self, mut ahead: Tokens<'_>) -> Result<bool, Unread> {
        if ahead.is_sign("<") && ahead.skip_angles(false).is_err() || !ahead.is_sign("(") {
            return Ok(false);
        }
        if !may_be_parameters(&ahead)? {
            return Ok(false);
        }
        // A text that cannot be passed over here is read as a JavaScript reader does.
        if ahead.skip_brackets().is_err() {
            return Ok(false);
        }
        if ahead.is_sign("=>") {
            return Ok(!ahead.is_behind_line);
        }
        if !ahead.is_sign(":") {
            return Ok(false);
        }
        ahead.next()?;
        let is_it = ahead.skip_type().is_ok() && ahead.is_sign("=>") && !ahead.is_behind_line;
        // `a ? (b): c => d : e` may be either.
        if is_it && self.is_in_condition { Err(Unread) } else { Ok(is_it) }
    }

    /// Operators that are followed by a type.
    pub(super) fn casts(&mut self) -> Result<bool, Unread> {
        let is_cast = self.dialect.has_types
            && (self.is_word("as") || self.is_word("satisfies"))
            && !self.tokens.is_behind_line;
        if is_cast {
            self.next()?;
            self.tokens.skip_type()?;
        }
        Ok(is_cast)
    }

    /// Words in front of a parameter, and decorators.
    pub(super) fn parameter_modifiers(&mut self) -> Result<(), Unread> {
        if !self.dialect.has_types {
            return Ok(());
        }
        self.decorators()?;
        while MODIFIERS.iter().any(|word| self.is_word(word)) {
            let behind = self.peek()?;
            let is_name =
                behind.token == ScriptToken::Word || behind.is_sign("{") || behind.is_sign("[");
            if !is_name {
                break;
            }
            self.next()?;
        }
        Ok(())
    }

    /// Words in front of a member, but those that JavaScript has right in front of its name; whether it is static.
    pub(super) fn member_modifiers(&mut self) -> Result<bool, Unread> {
        let mut is_static = false;
        while MODIFIERS[..8].iter().any(|word| self.is_word(word)) {
            let behind = self.peek()?;
            let may_follow = match behind.token {
                ScriptToken::Sign(sign) => matches!(sign, "[" | "*" | "@"),
                ScriptToken::Word
                | ScriptToken::Text
                | ScriptToken::Number
                | ScriptToken::Private => true,
                _ => false,
            };
            if !may_follow || behind.is_behind_line && !self.is_word("static") {
                break;
            }
            is_static |= self.is_word("static");
            self.next()?;
        }
        Ok(is_static)
    }

    /// A signature `[key: string]: number` among the members of a class, if one begins here.
    pub(super) fn index_signature(&mut self) -> Result<bool, Unread> {
        if !self.dialect.has_types || !self.is("[") {
            return Ok(false);
        }
        let mut ahead = self.peek()?;
        if ahead.token != ScriptToken::Word {
            return Ok(false);
        }
        ahead.next()?;
        if !ahead.is_sign(":") {
            return Ok(false);
        }
        self.tokens.skip_brackets()?;
        self.annotation()?;
        self.semicolon()?;
        Ok(true)
    }
}

/// Whether a bracket may be that of parameters, by what stands behind it.
fn may_be_parameters(open: &Tokens<'_>) -> Result<bool, Unread> {
    let mut ahead = open.clone();
    ahead.next()?;
    Ok(match ahead.token {
        ScriptToken::Sign(sign) => matches!(sign, ")" | "..." | "{" | "[" | "@"),
        ScriptToken::Word => {
            let mut behind = ahead.clone();
            behind.next()?;
            behind.token == ScriptToken::Word
                || [",", "=", ")", ":", "{", "["].iter().any(|sign| behind.is_sign(sign))
                || behind.is_sign("?") && {
                    behind.next()?;
                    [",", "=", ")", ":"].iter().any(|sign| behind.is_sign(sign))
                }
        }
        _ => false,
    })
}
