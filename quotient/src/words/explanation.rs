//! Explanations of the symbols that may come next, in words.

use std::fmt::Write;

use fim_lexer::PatternKind;

use crate::grammar::Language;
use fim_lexer::TerminalId;

/// The most choices that are listed one by one.
const MAX_LISTED: usize = 8;

/// A family of choices that people have one word for. The word stands for all possible ones of `members`, where all
/// of `marks` are possible: a name alone is no value, nor is a sign an operator.
struct Family {
    word: &'static str,
    marks: &'static [&'static str],
    members: &'static [&'static str],
}

/// The families in the order in which they are looked for: a statement may begin with a value.
const FAMILIES: [Family; 5] = [
    Family {
        word: "a statement",
        marks: &["`pass`", "`import`", "`if`", "a name"],
        members: &[
            "`pass`",
            "`break`",
            "`continue`",
            "`return`",
            "`raise`",
            "`assert`",
            "`del`",
            "`global`",
            "`nonlocal`",
            "`import`",
            "`from`",
            "`if`",
            "`while`",
            "`for`",
            "`with`",
            "`try`",
            "`class`",
            "`def`",
            "`@`",
            "`async`",
            "`match`",
            "`type`",
            "`yield`",
            "`*`",
            "a value",
        ],
    },
    Family {
        word: "a value",
        marks: &["a name", "`(`", "a string"],
        members: &[
            "a name",
            "a string",
            "bytes",
            "a number",
            "a literal",
            "an f-string",
            "a template string",
            "`(`",
            "`[`",
            "`{`",
            "`+`",
            "`-`",
            "`~`",
            "`!`",
            "`++`",
            "`--`",
            "`not`",
            "`await`",
            "`lambda`",
            "`None`",
            "`True`",
            "`False`",
            "`...`",
            "`match`",
            "`case`",
            "`type`",
            "`_`",
            "`true`",
            "`false`",
            "`null`",
            "`this`",
            "`super`",
            "`new`",
        ],
    },
    Family {
        word: "an operator",
        marks: &["`+`", "`<=`"],
        members: &[
            "`+`",
            "`-`",
            "`*`",
            "`/`",
            "`//`",
            "`%`",
            "`@`",
            "`**`",
            "`<<`",
            "`>>`",
            "`>>>`",
            "`&`",
            "`|`",
            "`^`",
            "`&^`",
            "`<`",
            "`>`",
            "`==`",
            "`!=`",
            "`<=`",
            "`>=`",
            "`is`",
            "`in`",
            "`not`",
            "`and`",
            "`or`",
            "`&&`",
            "`||`",
            "`instanceof`",
        ],
    },
    Family {
        word: "an assignment",
        marks: &["`=`", "`+=`"],
        members: &[
            "`=`", "`:=`", "`+=`", "`-=`", "`*=`", "`/=`", "`//=`", "`%=`", "`@=`", "`&=`", "`|=`",
            "`^=`", "`<<=`", "`>>=`", "`>>>=`", "`&^=`", "`**=`",
        ],
    },
    // The choices are words that are keywords in some places only.
    Family {
        word: "a name",
        marks: &["a name"],
        members: &[
            "a name",
            "`match`",
            "`case`",
            "`type`",
            "`_`",
            "`__future__`",
            "a feature of `__future__`",
        ],
    },
];

/// The symbols that may come next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// Whether the whole file parses as it is.
    pub is_member: bool,
    /// The terminals that the symbol in progress may become, or that may come next.
    pub symbols: Vec<TerminalId>,
    /// Whether a symbol is in progress.
    pub is_in_symbol: bool,
}

impl Explanation {
    /// The explanation as a sentence or two, for people and logs.
    pub fn words(&self, language: &Language) -> String {
        let choices = in_families(self.choices(language));
        let mut words = String::new();
        if self.is_member {
            words.push_str("The text may end here. ");
        }
        match choices.len() {
            0 if self.is_member => {}
            0 => words.push_str("The symbol goes on into the text behind the hole."),
            _ if self.is_in_symbol => {
                let _ = write!(words, "What is begun may become {}.", listed(&choices));
            }
            _ => {
                let _ = write!(words, "Next may come {}.", listed(&choices));
            }
        }
        words.trim_end().to_owned()
    }

    /// The symbols that may come, each kind once: first those with names, then those that are spelt out.
    fn choices(&self, language: &Language) -> Vec<String> {
        let description = &language.lexer.description;
        let names: Vec<&str> =
            description.names().map(|name| description.declared_name(name)).collect();
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
        [kinds, literals].concat()
    }
}

/// The choices, where one word stands for each family that is among them.
fn in_families(mut choices: Vec<String>) -> Vec<String> {
    let mut found = Vec::new();
    for family in &FAMILIES {
        let is_there = |member: &&str| choices.iter().any(|choice| choice == member);
        if family.marks.iter().all(is_there) {
            choices.retain(|choice| !family.members.contains(&choice.as_str()));
            found.push(family.word.to_owned());
            if family.members.contains(&"a value") {
                choices.retain(|choice| !FAMILIES[1].members.contains(&choice.as_str()));
            }
        }
    }
    [found, choices].concat()
}

/// The choices as `a, b or c`, and the number of further ones where there are many.
fn listed(choices: &[String]) -> String {
    if choices.len() > MAX_LISTED + 1 {
        let shown = choices[..MAX_LISTED].join(", ");
        return format!("{shown} and {} more", choices.len() - MAX_LISTED);
    }
    match choices {
        [] => String::new(),
        [only] => only.clone(),
        [front @ .., last] => format!("{} or {last}", front.join(", ")),
    }
}

/// A terminal's name in words. Numbers that run into a keyword (`1else`) are numbers for people.
fn spoken(name: &str) -> String {
    let known = match name {
        "NAME" | "BARRY" | "LIKE_CONSTANT" => "a name",
        "DEBUG" => "`__debug__`",
        "FUTURE" => "`__future__`",
        "FEATURE" => "a feature of `__future__`",
        "STRING" | "RISKY_STRING" => "a string",
        "BYTES" | "RISKY_BYTES" => "bytes",
        "NUMBER" | "BAD_NUMBER" => "a number",
        "LITERAL" => "a literal",
        _ if name.starts_with("REAL") || name.starts_with("IMAGINARY") => "a number",
        "NEWLINE" => "the end of the line",
        "INDENT" => "a deeper line",
        "DEDENT" => "a line further out",
        "FSTRING_START" | "RAW_FSTRING_START" => "an f-string",
        "TSTRING_START" => "a template string",
        "FSTRING_MIDDLE" | "RISKY_MIDDLE" => "text of the f-string",
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
