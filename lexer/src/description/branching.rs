//! What a grammar says about texts that the lexer alone cannot read: the parser has a say.
//!
//! JavaScript has all of it. `/` divides, or it begins a regular expression where one may stand; `}` ends a block,
//! or a field of a template; a semicolon may be left out where a line ends; some symbols must not have a line break
//! in front of them.

use serde::Deserialize;

/// In which ways one text may be read.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Branching {
    /// Terminals that are skipped and hold a line break: the next symbol stands behind a break.
    #[serde(default)]
    pub line_breaks: Vec<String>,
    /// Symbols that may be inserted in front of others.
    #[serde(default)]
    pub inserted: Vec<Insertion>,
    /// Symbols that stand in front of every one that no line break is in front of.
    #[serde(default)]
    pub unbroken: Vec<String>,
    /// Symbols that stand in front of every one behind a line break, or where the text begins.
    #[serde(default)]
    pub broken: Vec<String>,
    /// Groups of terminals that are read only where the parser can take one of them. There, what begins like
    /// one of them is one of them, or is skipped.
    #[serde(default)]
    pub contextual: Vec<Vec<String>>,
    /// Terminals, skipped, that exist only behind a line break or where the text begins.
    #[serde(default)]
    pub line_start: Vec<String>,
    /// Terminals, skipped, that exist only where the text begins.
    #[serde(default)]
    pub text_start: Vec<String>,
}

/// Where a symbol may be inserted. Several of one name add up.
#[derive(Clone, Debug, Deserialize)]
pub struct Insertion {
    /// The symbol, which no text stands for.
    pub name: String,
    /// In front of what.
    pub when: InsertionPlace,
    /// In front of these symbols only, if any are named; `$END` is the end of the text.
    #[serde(default)]
    pub before: Option<Vec<String>>,
    /// In front of others than these.
    #[serde(default)]
    pub except: Option<Vec<String>>,
}

/// What symbols something may be inserted in front of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InsertionPlace {
    /// Those behind a line break, or where the text begins.
    BehindBreak,
    /// Those with no line break in front of them.
    WithoutBreak,
    /// All.
    Always,
}

/// How the end of the text is named among symbols.
pub(crate) const END: &str = "$END";

impl Branching {
    /// The symbols that may be inserted in front of a symbol, which is known by each of these names.
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
