//! Alternatives, groups, assertions and quantifiers.

use super::reader::{Path, PatternFault, PatternReader};

/// The kind of a group, which decides whether a quantifier may follow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Group {
    Plain,
    LookAhead,
    LookBehind,
}

/// The number from which on quantifiers' numbers are equal, as in V8.
const INFINITY: u64 = i32::MAX as u64;
const NOTHING: PatternFault = "a quantifier has nothing to repeat";

impl PatternReader {
    /// Reads a whole pattern.
    pub(super) fn pattern(&mut self) -> Result<(), PatternFault> {
        let mut open: Vec<Group> = Vec::new();
        let mut path: Path = vec![(0, 0)];
        let mut n_disjunctions = 1;
        while let Some(sign) = self.peek() {
            let mut last = Group::Plain;
            match sign {
                '|' => {
                    self.at += 1;
                    if let Some((_, alternative)) = path.last_mut() {
                        *alternative += 1;
                    }
                    continue;
                }
                '^' | '$' => {
                    self.at += 1;
                    continue;
                }
                '*' | '+' | '?' => return Err(NOTHING),
                '(' => {
                    self.at += 1;
                    open.push(self.group(&path)?);
                    path.push((n_disjunctions, 0));
                    n_disjunctions += 1;
                    continue;
                }
                ')' => {
                    self.at += 1;
                    last = open.pop().ok_or("a parenthesis closes nothing")?;
                    path.pop();
                }
                '[' => {
                    self.at += 1;
                    self.class()?;
                }
                '\\' if matches!(self.ahead(1), Some('b' | 'B')) => {
                    self.at += 2;
                    continue;
                }
                '\\' => {
                    self.at += 1;
                    self.atom_escape()?;
                }
                '{' | '}' | ']' if self.is_unicode() => return Err("a bracket stands alone"),
                '{' if self.interval().is_some() => return Err(NOTHING),
                _ => self.at += 1,
            }
            self.quantifier(last)?;
        }
        if !open.is_empty() {
            return Err("a group has no end");
        }
        self.check_references()
    }

    fn check_references(&self) -> Result<(), PatternFault> {
        let is_there = |name: &Vec<u32>| self.named.iter().any(|(known, _)| known == name);
        if self.references.iter().all(is_there) { Ok(()) } else { Err("no group has that name") }
    }

    fn quantifier(&mut self, last: Group) -> Result<(), PatternFault> {
        match self.peek() {
            Some('*' | '+' | '?') => self.at += 1,
            Some('{') => match self.interval() {
                Some((least, most)) if most < least => {
                    return Err("a quantifier's numbers are out of order");
                }
                Some(_) => {}
                None if self.is_unicode() => return Err("a quantifier is not whole"),
                None => return Ok(()),
            },
            _ => return Ok(()),
        }
        self.eat('?');
        match last {
            Group::LookAhead if self.is_unicode() => Err("an assertion is not repeated"),
            Group::LookBehind => Err("an assertion is not repeated"),
            Group::Plain | Group::LookAhead => Ok(()),
        }
    }

    /// `{1,2}`; nothing is read where it is none.
    fn interval(&mut self) -> Option<(u64, u64)> {
        let start = self.at;
        let found = self.interval_here();
        if found.is_none() {
            self.at = start;
        }
        found
    }

    fn interval_here(&mut self) -> Option<(u64, u64)> {
        self.at += 1;
        let least = self.number()?;
        let most = match self.eat(',') {
            true if self.peek() == Some('}') => INFINITY,
            true => self.number()?,
            false => least,
        };
        self.eat('}').then_some((least, most))
    }

    fn number(&mut self) -> Option<u64> {
        let start = self.at;
        let mut value = 0;
        while let Some(digit) = self.peek().and_then(|sign| sign.to_digit(10)) {
            value = (value * 10 + u64::from(digit)).min(INFINITY);
            self.at += 1;
        }
        (self.at > start).then_some(value)
    }

    /// The beginning of a group, behind its parenthesis.
    fn group(&mut self, path: &Path) -> Result<Group, PatternFault> {
        if !self.eat('?') || self.eat(':') {
            return Ok(Group::Plain);
        }
        if self.eat('=') || self.eat('!') {
            return Ok(Group::LookAhead);
        }
        if self.eat_all("<=") || self.eat_all("<!") {
            return Ok(Group::LookBehind);
        }
        if self.eat('<') {
            let name = self.group_name()?;
            let is_taken = |(known, other): &(Vec<u32>, Path)| {
                known == &name && !are_alternatives(other, path)
            };
            if self.named.iter().any(is_taken) {
                return Err("two groups have one name");
            }
            self.named.push((name, path.clone()));
            return Ok(Group::Plain);
        }
        self.modifiers()
    }

    /// `(?i-m:`
    fn modifiers(&mut self) -> Result<Group, PatternFault> {
        let start = self.at;
        let mut found = Vec::new();
        let mut has_minus = false;
        loop {
            match self.peek() {
                Some(flag @ ('i' | 'm' | 's')) if !found.contains(&flag) => found.push(flag),
                Some('-') if !has_minus => has_minus = true,
                Some(':') if !found.is_empty() && self.at > start => break,
                _ => return Err("no group begins like that"),
            }
            self.at += 1;
        }
        self.at += 1;
        Ok(Group::Plain)
    }
}

/// Whether two groups are in different alternatives of one disjunction.
fn are_alternatives(one: &Path, other: &Path) -> bool {
    let both = one.iter().zip(other).find(|(one, other)| one != other);
    both.is_some_and(|((one, ..), (other, ..))| one == other)
}
