//! The part of a grammar's description for texts that the lexer cannot read without the parser.
//!
//! JavaScript has all of it. `/` divides, or begins a regular expression where one may stand; `}` ends a block, or a
//! field of a template; a semicolon may be left out where a line ends; some symbols must not have a line break in
//! front of them.

use serde::Deserialize;

/// The symbols whose reading depends on the parser or on line breaks.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Branching {
    /// Terminals that are skipped and hold a line break: the next symbol stands behind a break.
    #[serde(default)]
    pub line_breaks: Vec<String>,
    /// Symbols that may be inserted in front of others.
    #[serde(default)]
    pub inserted: Vec<Insertion>,
    /// Symbols inserted in front of every symbol that no line break precedes.
    #[serde(default)]
    pub unbroken: Vec<String>,
    /// Symbols inserted in front of every symbol behind a line break, or at the beginning of the text.
    #[serde(default)]
    pub broken: Vec<String>,
    /// Groups of terminals that are read only where the parser can take one of them. There, a text that begins like
    /// one of them is one of them, or is skipped.
    #[serde(default)]
    pub contextual: Vec<Vec<String>>,
    /// Skipped terminals that exist only behind a line break or where the text begins.
    #[serde(default)]
    pub line_start: Vec<String>,
    /// Skipped terminals that exist only where the text begins.
    #[serde(default)]
    pub text_start: Vec<String>,
}

/// A rule where a symbol may be inserted. Several rules for one symbol add up.
#[derive(Clone, Debug, Deserialize)]
pub struct Insertion {
    /// The inserted symbol, which no text stands for.
    pub name: String,
    /// The line breaks that the place must have, or must not have.
    pub when: InsertionPlace,
    /// The only symbols that it may stand in front of, if any are named; `$END` is the end of the text.
    #[serde(default)]
    pub before: Option<Vec<String>>,
    /// The symbols that it must not stand in front of.
    #[serde(default)]
    pub except: Option<Vec<String>>,
}

/// The line breaks in front of a symbol that another may be inserted before.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InsertionPlace {
    /// The symbol stands behind a line break, or where the text begins.
    BehindBreak,
    /// No line break is in front of the symbol.
    WithoutBreak,
    /// Any symbol.
    Always,
}

/// The name of the text's end among symbols.
pub(crate) const END: &str = "$END";

impl Branching {
    /// The symbols that may be inserted in front of a symbol that is known by each of these names.
    pub(crate) fn inserted_before(&self, symbol: &[&str], is_behind_break: bool) -> Vec<&str> {
        let is_one = |names: &Option<Vec<String>>| {
            names
                .as_ref()
                .map(|names| symbol.iter().any(|name| names.iter().any(|one| one == name)))
        };
        let fits = |insertion: &&Insertion| {
            let is_place = match insertion.when {
                InsertionPlace::BehindBreak => is_behind_break,
                InsertionPlace::WithoutBreak => !is_behind_break,
                InsertionPlace::Always => true,
            };
            is_place
                && is_one(&insertion.before) != Some(false)
                && is_one(&insertion.except) != Some(true)
        };
        let inserted = self.inserted.iter().filter(fits).map(|insertion| insertion.name.as_str());
        let marks = if is_behind_break { &self.broken } else { &self.unbroken };
        let mut found: Vec<&str> = inserted.chain(marks.iter().map(String::as_str)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}
