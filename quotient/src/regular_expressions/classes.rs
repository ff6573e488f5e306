//! Classes: ranges, and with `v` sets within sets.

use super::PatternMode;
use super::escapes::Escaped;
use super::reader::{PatternFault, PatternReader};

/// Classes that are deeper in others are not read.
const MAX_DEPTH: usize = 100;
const ORDER: PatternFault = "a range is out of order";
const NO_END: PatternFault = "a class has no end";
const NO_SET: PatternFault = "a set is written otherwise";

impl PatternReader {
    /// Behind `[`, outside of other classes.
    pub(super) fn class(&mut self) -> Result<(), PatternFault> {
        if self.mode == PatternMode::Sets {
            return self.set().map(|_| ());
        }
        self.eat('^');
        while !self.eat(']') {
            let first = self.class_atom()?;
            if self.peek() != Some('-') || self.ahead(1) == Some(']') {
                continue;
            }
            self.at += 1;
            match (first, self.class_atom()?) {
                (Escaped::One(first), Escaped::One(last)) if first > last => return Err(ORDER),
                (Escaped::One(_), Escaped::One(_)) => {}
                _ if self.is_unicode() => return Err("a range ends with a class"),
                _ => {}
            }
        }
        Ok(())
    }

    fn class_atom(&mut self) -> Result<Escaped, PatternFault> {
        if !self.eat('\\') {
            return self.code().map(Escaped::One).ok_or(NO_END);
        }
        if self.eat('b') {
            return Ok(Escaped::One(8));
        }
        match self.class_escape()? {
            Some(escaped) => Ok(escaped),
            None => self.character_escape(true).map(Escaped::One),
        }
    }

    /// A class with `v`, behind its `[`; whether it may match strings.
    fn set(&mut self) -> Result<bool, PatternFault> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(super::NOT_READ);
        }
        let is_negated = self.eat('^');
        let may_be_strings = self.set_contents()?;
        self.depth -= 1;
        if !self.eat(']') {
            return Err(if self.peek().is_none() { NO_END } else { NO_SET });
        }
        if is_negated && may_be_strings {
            return Err("what a class leaves out is no string");
        }
        Ok(may_be_strings)
    }

    fn set_contents(&mut self) -> Result<bool, PatternFault> {
        let mut may_be_strings = false;
        let mut is_first = true;
        while self.peek().is_some_and(|sign| sign != ']') {
            let operand = self.operand()?;
            let is_one = |operand: &Escaped| matches!(operand, Escaped::One(_));
            if is_first && (self.is_next("&&") || self.is_next("--")) {
                return self.operation(operand);
            }
            is_first = false;
            may_be_strings |= operand == Escaped::Many { may_be_strings: true };
            if self.peek() == Some('-') {
                self.at += 1;
                let last = self.operand()?;
                if !is_one(&operand) || !is_one(&last) {
                    return Err(NO_SET);
                }
                if let (Escaped::One(first), Escaped::One(last)) = (operand, last)
                    && first > last
                {
                    return Err(ORDER);
                }
            }
        }
        Ok(may_be_strings)
    }

    fn is_next(&self, signs: &str) -> bool {
        signs.chars().enumerate().all(|(index, sign)| self.ahead(index) == Some(sign))
    }

    /// `a&&b&&c` or `a--b--c`, behind the first operand.
    fn operation(&mut self, first: Escaped) -> Result<bool, PatternFault> {
        let strings = Escaped::Many { may_be_strings: true };
        let mut may_be_strings = first == strings;
        let signs = if self.is_next("&&") { "&&" } else { "--" };
        while self.peek().is_some_and(|sign| sign != ']') {
            if !self.eat_all(signs) || signs == "&&" && self.peek() == Some('&') {
                return Err(NO_SET);
            }
            let operand = self.operand()?;
            may_be_strings &= signs == "--" || operand == strings;
        }
        Ok(may_be_strings)
    }

    fn operand(&mut self) -> Result<Escaped, PatternFault> {
        if self.eat('[') {
            let may_be_strings = self.set()?;
            return Ok(Escaped::Many { may_be_strings });
        }
        if self.eat_all("\\q{") {
            return self.strings();
        }
        if self.peek() == Some('\\') {
            self.at += 1;
            if let Some(escaped) = self.class_escape()? {
                return Ok(escaped);
            }
            self.at -= 1;
        }
        self.set_character().map(Escaped::One)
    }

    /// `\q{a|bc}`, behind its brace.
    fn strings(&mut self) -> Result<Escaped, PatternFault> {
        let (mut may_be_strings, mut length) = (false, 0);
        loop {
            if self.peek() == Some('|') || self.peek() == Some('}') {
                may_be_strings |= length != 1;
                length = 0;
                if self.eat('}') {
                    return Ok(Escaped::Many { may_be_strings });
                }
                self.at += 1;
            } else {
                self.set_character()?;
                length += 1;
            }
        }
    }

    fn set_character(&mut self) -> Result<u32, PatternFault> {
        let Some(sign) = self.peek() else { return Err(NO_END) };
        if self.eat('\\') {
            if self.eat('b') {
                return Ok(8);
            }
            let escaped = self.peek().filter(|sign| "&-!#%,:;<=>@`~".contains(*sign));
            if let Some(escaped) = escaped {
                self.at += 1;
                return Ok(u32::from(escaped));
            }
            return self.character_escape(true);
        }
        let is_double = "&!#$%*+,.:;<=>?@^`~".contains(sign) && self.ahead(1) == Some(sign);
        if is_double || "()[]{}/-|".contains(sign) {
            return Err(NO_SET);
        }
        Ok(self.code().unwrap_or_default())
    }
}
