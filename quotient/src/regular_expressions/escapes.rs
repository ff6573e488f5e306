//! Escapes, outside of classes and in them.

use super::names::{is_property, is_property_of_strings};
use super::reader::{PatternFault, PatternReader};

const WRONG: PatternFault = "a backslash begins no escape";
const NO_PROPERTY: PatternFault = "no property has that name";

/// The characters that an escape stands for, as far as classes need them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Escaped {
    One(u32),
    Many { may_be_strings: bool },
}

impl PatternReader {
    /// Behind a backslash that is no assertion, outside of classes.
    pub(super) fn atom_escape(&mut self) -> Result<(), PatternFault> {
        match self.peek() {
            Some('1'..='9') => self.decimal(),
            Some('k') if self.is_unicode() || self.has_names => {
                self.at += 1;
                if !self.eat('<') {
                    return Err("a reference has no name");
                }
                let name = self.group_name()?;
                self.references.push(name);
                Ok(())
            }
            _ if self.class_escape()?.is_some() => Ok(()),
            _ => self.character_escape(false).map(|_| ()),
        }
    }

    /// A reference to a group by its number, or an octal number.
    fn decimal(&mut self) -> Result<(), PatternFault> {
        let start = self.at;
        let mut number = 0;
        while let Some(digit) = self.peek().and_then(|sign| sign.to_digit(10)) {
            number = (number * 10 + digit as usize).min(1 << 20);
            self.at += 1;
        }
        if number <= self.n_groups {
            return Ok(());
        }
        if self.is_unicode() {
            return Err("no group has that number");
        }
        self.at = start;
        self.character_escape(false).map(|_| ())
    }

    /// `\d` and the like, `\p{...}`.
    pub(super) fn class_escape(&mut self) -> Result<Option<Escaped>, PatternFault> {
        let found = Some(Escaped::Many { may_be_strings: false });
        match self.peek() {
            Some('d' | 'D' | 's' | 'S' | 'w' | 'W') => {
                self.at += 1;
                Ok(found)
            }
            Some(sign @ ('p' | 'P')) if self.is_unicode() => {
                self.at += 1;
                let may_be_strings = self.property(sign == 'P')?;
                Ok(Some(Escaped::Many { may_be_strings }))
            }
            _ => Ok(None),
        }
    }

    /// Whether the property is one of strings.
    fn property(&mut self, is_negated: bool) -> Result<bool, PatternFault> {
        if !self.eat('{') {
            return Err(NO_PROPERTY);
        }
        let name = self.property_word();
        let value = self.eat('=').then(|| self.property_word());
        if !self.eat('}') {
            return Err(NO_PROPERTY);
        }
        let has_strings = self.mode == super::PatternMode::Sets && value.is_none();
        if has_strings && is_property_of_strings(&name) {
            return if is_negated { Err(NO_PROPERTY) } else { Ok(true) };
        }
        if is_property(&name, value.as_deref()) { Ok(false) } else { Err(NO_PROPERTY) }
    }

    fn property_word(&mut self) -> String {
        let mut found = String::new();
        while let Some(sign) =
            self.peek().filter(|sign| sign.is_ascii_alphanumeric() || *sign == '_')
        {
            found.push(sign);
            self.at += 1;
        }
        found
    }

    /// An escape that stands for one character.
    pub(super) fn character_escape(&mut self, is_in_class: bool) -> Result<u32, PatternFault> {
        let Some(sign) = self.peek() else { return Err(WRONG) };
        let is_unicode = self.is_unicode();
        match sign {
            'f' | 'n' | 'r' | 't' | 'v' => {
                self.at += 1;
                Ok(match sign {
                    't' => 9,
                    'n' => 10,
                    'v' => 11,
                    'f' => 12,
                    _ => 13,
                })
            }
            'c' => self.control(is_in_class),
            '0' if is_unicode => {
                self.at += 1;
                let is_octal = self.peek().is_some_and(|sign| sign.is_ascii_digit());
                if is_octal { Err(WRONG) } else { Ok(0) }
            }
            '0'..='7' if !is_unicode => Ok(self.octal()),
            'x' => {
                self.at += 1;
                self.or_letter('x', |reader| reader.hexadecimals(2))
            }
            'u' => {
                self.at += 1;
                self.or_letter('u', |reader| reader.unicode_escape(is_unicode))
            }
            _ if is_unicode && !is_syntax(sign) && !(is_in_class && sign == '-') => Err(WRONG),
            'k' if !is_unicode && self.has_names => Err(WRONG),
            _ => Ok(self.code().unwrap_or_default()),
        }
    }

    /// An escape by a number, or without `u` and `v` the letter alone.
    fn or_letter(
        &mut self,
        letter: char,
        read: impl FnOnce(&mut Self) -> Option<u32>,
    ) -> Result<u32, PatternFault> {
        match read(self) {
            Some(code) => Ok(code),
            None if self.is_unicode() => Err(WRONG),
            None => Ok(u32::from(letter)),
        }
    }

    /// `\cA`; without `u` and `v` the backslash stands for itself where it is none.
    fn control(&mut self, is_in_class: bool) -> Result<u32, PatternFault> {
        let letter = self.ahead(1);
        let is_old = is_in_class && !self.is_unicode();
        let is_control = |letter: &char| {
            letter.is_ascii_alphabetic() || is_old && (letter.is_ascii_digit() || *letter == '_')
        };
        match letter.filter(is_control) {
            Some(letter) => {
                self.at += 2;
                Ok(u32::from(letter) % 32)
            }
            None if self.is_unicode() => Err(WRONG),
            None => Ok(u32::from('\\')),
        }
    }

    /// Up to three octal digits, less than 256.
    fn octal(&mut self) -> u32 {
        let mut value = 0;
        for _ in 0..3 {
            let Some(digit) = self.peek().and_then(|sign| sign.to_digit(8)) else { break };
            if value * 8 + digit > 255 {
                break;
            }
            value = value * 8 + digit;
            self.at += 1;
        }
        value
    }
}

/// Whether a sign may be escaped with `u` and `v`.
fn is_syntax(sign: char) -> bool {
    "^$\\.*+?()[]{}|/".contains(sign)
}
