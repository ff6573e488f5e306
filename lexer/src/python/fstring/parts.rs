//! The patterns of the modes inside f-strings, with what they are to the parser.

use super::frames::FrameChange;
use super::quotes::{Context, FStringRules, QUOTED_BY, Quote, Quoting};
use crate::python::dialect::Dialect;

/// What a part of an f-string is to the parser.
///
/// Beginnings and ends say which quotes they have. A grammar has one name for all of them; what stands
/// for each is made out of that name ([`of_all_quotes`]), so that the parser itself sees to it that an
/// f-string ends as it began, even where its beginning and its end are never read together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// `FSTRING_START`
    Start(Quoting),
    /// `FSTRING_MIDDLE`
    Middle,
    /// `RISKY_MIDDLE`: text of a raw f-string that may be wrong where it is read as a text of its own.
    RiskyMiddle,
    /// `FSTRING_END`
    End(Quoting),
    /// `FIELD_OPEN`
    FieldOpen,
    /// `FIELD_CLOSE`
    FieldClose,
    /// `FIELD_EQUAL`
    FieldEqual,
    /// `FIELD_CONVERSION`
    FieldConversion,
    /// `FIELD_COLON`
    FieldColon,
    /// `TSTRING_START`: the beginning of a template string.
    TemplateStart(Quoting),
    /// `SPECIFICATION_BREAK`: a line break that ends a specification, and the end of the code
    /// behind it.
    Break,
}

/// The name that grammars declare for the beginnings of f-strings.
pub const FSTRING_START: &str = "FSTRING_START";
/// The name for those of raw f-strings, in grammars that have rules of their own for them; the other name then
/// stands for the rest.
pub const RAW_FSTRING_START: &str = "RAW_FSTRING_START";
/// The same for template strings.
pub const TSTRING_START: &str = "TSTRING_START";
/// The name for text of raw f-strings that has escapes which other f-strings may not have. Where a grammar does
/// not declare it, such text is like other text.
pub const RISKY_MIDDLE: &str = "RISKY_MIDDLE";
/// The name for the ends of both.
pub const FSTRING_END: &str = "FSTRING_END";

impl Part {
    /// The terminal's name.
    pub fn name(self) -> String {
        let name = match self {
            Self::Start(quoting) => return quoting.name(FSTRING_START),
            Self::TemplateStart(quoting) => return quoting.name(TSTRING_START),
            Self::End(quoting) => return quoting.name(FSTRING_END),
            Self::Middle => "FSTRING_MIDDLE",
            Self::RiskyMiddle => RISKY_MIDDLE,
            Self::FieldOpen => "FIELD_OPEN",
            Self::FieldClose => "FIELD_CLOSE",
            Self::FieldEqual => "FIELD_EQUAL",
            Self::FieldConversion => "FIELD_CONVERSION",
            Self::FieldColon => "FIELD_COLON",
            Self::Break => "SPECIFICATION_BREAK",
        };
        name.to_owned()
    }
}

/// The ways to quote that a declared name stands for, if it is the beginning or the end of f-strings, and the
/// name that its terminals are made out of. `declared` are all names that the grammar declares.
pub fn quotings(name: &str, declared: &[String]) -> Option<(&'static str, Vec<Quoting>)> {
    let has_raw = || declared.iter().any(|declared| declared == RAW_FSTRING_START);
    let of = |is_raw| Quoting::all().filter(move |quoting| quoting.is_raw == is_raw).collect();
    match name {
        FSTRING_START if has_raw() => Some((FSTRING_START, of(false))),
        RAW_FSTRING_START => Some((FSTRING_START, of(true))),
        _ => [FSTRING_START, TSTRING_START, FSTRING_END]
            .into_iter()
            .find(|quoted| *quoted == name)
            .map(|quoted| (quoted, Quoting::all().collect())),
    }
}

/// The names of the terminals that a declared name stands for: one for each way to quote, if it is the
/// beginning or the end of f-strings.
pub fn of_all_quotes(name: &str, declared: &[String]) -> Vec<String> {
    match quotings(name, declared) {
        Some((quoted, quotings)) => quotings.iter().map(|quoting| quoting.name(quoted)).collect(),
        None => vec![name.to_owned()],
    }
}

/// The declared name that a terminal's name was made out of.
pub fn declared_name(name: &str) -> &str {
    let is_quoted = |declared: &&&str| {
        name.strip_prefix(**declared).is_some_and(|rest| rest.starts_with(QUOTED_BY))
    };
    [FSTRING_START, TSTRING_START, FSTRING_END]
        .iter()
        .find(is_quoted)
        .map_or(name, |&declared| declared)
}

/// A pattern of an f-string mode: the parts that it stands for (none: an error as soon as it is
/// the longest match) and what it does to the frames.
#[derive(Clone, Debug)]
pub struct PartPattern {
    /// A regular expression.
    pub pattern: String,
    /// The parts, or `None` for an error.
    pub parts: Option<Vec<Part>>,
    /// The change of frames.
    pub change: FrameChange,
}

fn part(pattern: impl Into<String>, part: Part, change: FrameChange) -> PartPattern {
    PartPattern { pattern: pattern.into(), parts: Some(vec![part]), change }
}

/// The beginnings of f-strings, for every mode that reads code.
pub fn beginnings(rules: FStringRules) -> Vec<PartPattern> {
    begun_by("[fF]", "(?:[fF][rR]|[rR][fF])", Part::Start, rules)
}

/// The beginnings of template strings.
pub fn template_beginnings() -> Vec<PartPattern> {
    begun_by("[tT]", "(?:[tT][rR]|[rR][tT])", Part::TemplateStart, FStringRules::Free)
}

fn begun_by(
    plain: &str,
    raw: &str,
    start: fn(Quoting) -> Part,
    rules: FStringRules,
) -> Vec<PartPattern> {
    let mut patterns = Vec::new();
    for (is_raw, prefix) in [(false, plain), (true, raw)] {
        for quote in Quote::ALL {
            let change = FrameChange::BeginText(quote, is_raw, rules);
            let start = start(Quoting { quote, is_raw });
            patterns.push(part(format!("{prefix}{}", quote.text()), start, change));
        }
        // f'' is complete unless a third quote follows: one symbol of two parts, so that the
        // longest match can still become f'''.
        for quote in [Quote::Single, Quote::Double] {
            let quoting = Quoting { quote, is_raw };
            patterns.push(PartPattern {
                pattern: format!("{prefix}{0}{0}", quote.text()),
                parts: Some(vec![start(quoting), Part::End(quoting)]),
                change: FrameChange::Keep,
            });
        }
    }
    patterns
}

/// What is special in the code of a field at its own bracket level.
pub fn field_ends(rules: FStringRules) -> Vec<PartPattern> {
    let conversion = match rules {
        FStringRules::Bounded => "![sra]".to_owned(),
        FStringRules::Free => free_conversion(),
    };
    vec![
        part(r"\}", Part::FieldClose, FrameChange::EndField),
        part(":", Part::FieldColon, FrameChange::BeginSpecification),
        part("=", Part::FieldEqual, FrameChange::Keep),
        part(conversion, Part::FieldConversion, FrameChange::Convert),
    ]
}

// A conversion is a name since 3.12, and names are compared after normalization (NFKC): these are
// the letters that become `s`, `r` and `a`.
const ALIKE_S: &str = "s\u{17f}\u{2e2}\u{209b}\u{ff53}\u{1d42c}\u{1d460}\u{1d494}\u{1d4c8}\u{1d4fc}\u{1d530}\
     \u{1d564}\u{1d598}\u{1d5cc}\u{1d600}\u{1d634}\u{1d668}\u{1d69c}";
const ALIKE_R: &str = "r\u{2b3}\u{1d63}\u{ff52}\u{1d42b}\u{1d45f}\u{1d493}\u{1d4c7}\u{1d4fb}\u{1d52f}\u{1d563}\
     \u{1d597}\u{1d5cb}\u{1d5ff}\u{1d633}\u{1d667}\u{1d69b}";
const ALIKE_A: &str = "a\u{aa}\u{1d43}\u{2090}\u{ff41}\u{1d41a}\u{1d44e}\u{1d482}\u{1d4b6}\u{1d4ea}\u{1d51e}\
     \u{1d552}\u{1d586}\u{1d5ba}\u{1d5ee}\u{1d622}\u{1d656}\u{1d68a}";

fn free_conversion() -> String {
    format!("![{ALIKE_S}{ALIKE_R}{ALIKE_A}]")
}

/// A conversion in a field behind the line break that ends a specification, where all is code.
pub fn conversion_in_code() -> PartPattern {
    part(free_conversion(), Part::FieldConversion, FrameChange::Keep)
}

/// What may follow the line break that ends a specification, beside fields as code.
pub fn broken_specification() -> Vec<PartPattern> {
    let parts = Some(vec![Part::Break, Part::FieldClose]);
    vec![PartPattern { pattern: r"\}".into(), parts, change: FrameChange::EndField }]
}

/// What may follow a conversion: up to 3.11, not even a space; from 3.12 on, comments too.
pub fn converted() -> Vec<PartPattern> {
    vec![
        part(r"\}", Part::FieldClose, FrameChange::EndField),
        part(":", Part::FieldColon, FrameChange::BeginSpecification),
    ]
}

/// The literal text of an f-string; with `has_risks`, what may be wrong in others is told from the rest of it.
pub fn text(context: Context, has_risks: bool) -> Vec<PartPattern> {
    let mut patterns = if has_risks && context.is_raw {
        let fine = literal(context, RAW_ESCAPE_CHECKED).into_iter();
        let others = literal(context, RAW_ESCAPE).into_iter().map(|pattern| PartPattern {
            parts: pattern.parts.map(|parts| parts.into_iter().map(risky).collect()),
            ..pattern
        });
        // Of two patterns that match the same text, the first one counts.
        fine.filter(|pattern| pattern.parts.is_some()).chain(others).collect()
    } else {
        literal(context, escape(context))
    };
    patterns.push(part(r"\{\{|\}\}", Part::Middle, FrameChange::Keep));
    let end = Part::End(context.quoting());
    patterns.push(part(context.quote.text(), end, FrameChange::EndText));
    patterns
}

fn risky(part: Part) -> Part {
    if part == Part::Middle { Part::RiskyMiddle } else { part }
}

/// A format specification, in front of the first field in it or behind one. The f-string cannot
/// end here.
pub fn specification(
    context: Context,
    dialect: Dialect,
    is_behind_field: bool,
) -> Vec<PartPattern> {
    // The specification of a raw f-string was once checked like that of any other.
    let is_checked = dialect.checks_raw_specifications;
    let escape = if is_checked && context.is_raw { RAW_ESCAPE_CHECKED } else { escape(context) };
    let mut patterns = literal(context, escape);
    patterns.push(part(r"\}", Part::FieldClose, FrameChange::EndField));
    if is_behind_field {
        // CPython forgets that it is in a specification when a field in it ends.
        patterns.push(part(r"\{\{", Part::Middle, FrameChange::Keep));
    } else if dialect.has_breaks_behind_specifications && !context.quote.is_triple() {
        patterns.push(part(r"\r\n?|\n", Part::Break, FrameChange::EndSpecification));
    }
    if context.quote.is_triple() {
        patterns.push(error(context.quote.text()));
    }
    patterns
}

fn error(pattern: &str) -> PartPattern {
    PartPattern { pattern: pattern.into(), parts: None, change: FrameChange::Keep }
}

/// Runs of literal characters, and the beginning of a field.
fn literal(context: Context, escape: &str) -> Vec<PartPattern> {
    let is_nested = context.outer.is_bounded();
    let ends = context.ends();
    let mut excluded = String::from(r"{}\\\x00'");
    excluded.push('"');
    if ends.forbid_line_breaks() {
        excluded.push_str(r"\r\n");
    }
    let mut units = vec![format!("[^{excluded}]")];
    let mut patterns = vec![part(r"\{", Part::FieldOpen, FrameChange::BeginField)];
    for (single, triple) in
        [(Quote::Single, Quote::TripleSingle), (Quote::Double, Quote::TripleDouble)]
    {
        let quote = single.text();
        if ends.contains(single) {
            continue;
        }
        if ends.contains(triple) {
            // One or two of them are text; the third in a row would end an f-string.
            patterns.push(part(format!("{quote}{{1,2}}"), Part::Middle, FrameChange::Keep));
            if context.quote != triple {
                patterns.push(error(triple.text()));
            }
        } else {
            units.push(quote.to_owned());
        }
    }
    if !is_nested {
        units.push(escape.to_owned());
    }
    let run = units.join("|");
    patterns.push(part(format!("(?:{run})+"), Part::Middle, FrameChange::Keep));
    if !is_nested {
        // A backslash before a brace is literal text, and the brace keeps its meaning.
        patterns.push(part(format!(r"(?:{run})*\\"), Part::Middle, FrameChange::Keep));
        if escape == RAW_ESCAPE_CHECKED {
            patterns.push(error(&format!(r"(?:{run})*\\N")));
        }
    }
    patterns
}

/// An escape sequence, complete and valid.
fn escape(context: Context) -> &'static str {
    if context.is_raw { RAW_ESCAPE } else { ESCAPE }
}

const RAW_ESCAPE: &str = r"\\(?:\r\n?|[^\r{}\x00])";
const ESCAPE: &str = concat!(
    r"\\(?:\r\n?|[^\rxuUN{}\x00]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}",
    r"|U(?:000[0-9a-fA-F]|0010)[0-9a-fA-F]{4}|N\{[A-Za-z0-9 \-]+\})"
);
/// The same where the tokenizer takes `\N{` for the beginning of a field, so that no `\N` is right.
const RAW_ESCAPE_CHECKED: &str = concat!(
    r"\\(?:\r\n?|[^\rxuUN{}\x00]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}",
    r"|U(?:000[0-9a-fA-F]|0010)[0-9a-fA-F]{4})"
);
