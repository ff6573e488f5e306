//! What may come next, in words.

use std::fmt::Write;

use fim_lexer::description::PatternKind;

use crate::language::Language;
use crate::recognizer::Explanation;

/// The most literals that are listed one by one.
const MAX_LISTED: usize = 24;

impl Explanation {
    /// A sentence or two for people and logs.
    pub fn words(&self, language: &Language) -> String {
        let description = &language.lexer.description;
        let names: Vec<&str> = description.names().collect();
        let mut literals = Vec::new();
        let mut kinds = Vec::new();
        for terminal in &self.symbols {
            match description.terminals.get(terminal.index()) {
                Some(found) if found.kind == PatternKind::Literal => {
                    literals.push(format!("`{}`", found.pattern));
                }
                _ => kinds.push(spoken(names[terminal.index()])),
            }
        }
        kinds.sort();
        kinds.dedup();
        let n_more = literals.len().saturating_sub(MAX_LISTED);
        literals.truncate(MAX_LISTED);
        let mut words = String::new();
        if self.is_member {
            words.push_str("The text may end here. ");
        }
        let verb = if self.is_in_symbol { "The symbol may become" } else { "Next may come" };
        let choices = [kinds, literals].concat();
        match choices.len() {
            0 if self.is_member => {}
            0 => words.push_str("The symbol goes on into the text behind the hole."),
            _ => {
                let _ = write!(words, "{verb} {}", choices.join(", "));
                if n_more > 0 {
                    let _ = write!(words, " and {n_more} more");
                }
                words.push('.');
            }
        }
        words.trim_end().to_owned()
    }
}

/// A terminal's name as a word: `FSTRING_START` is "an fstring start".
fn spoken(name: &str) -> String {
    let known = match name {
        "NEWLINE" => "the end of the line",
        "INDENT" => "a deeper line",
        "DEDENT" => "a line further out",
        "FSTRING_START" => "an f-string",
        "TSTRING_START" => "a template string",
        "FSTRING_MIDDLE" => "text of the f-string",
        "FSTRING_END" => "the end of the f-string",
        "FIELD_OPEN" => "`{` of a replacement field",
        "FIELD_CLOSE" => "`}` of the replacement field",
        "FIELD_EQUAL" => "`=` of the replacement field",
        "FIELD_CONVERSION" => "a conversion such as `!r`",
        "FIELD_COLON" => "`:` of the format specification",
        _ => "",
    };
    if known.is_empty() { name.to_lowercase().replace('_', " ") } else { known.to_owned() }
}
