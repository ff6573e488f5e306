//! A grammar's declaration of its strings with fields, as data, checked against the abilities of the modes.

use serde::Deserialize;

use super::quotes::{FieldRules, Quote};

/// The grammar's declaration, as data.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Declaration {
    /// The restrictions on the text of fields.
    pub fields: FieldRules,
    /// The ways to quote.
    pub quotes: Vec<QuoteDescription>,
    /// The prefixes in front of the quotes that begin a string.
    pub begin: Vec<Prefix>,
    /// The terminal of the quotes that end a string.
    pub end: String,
    /// The terminals of text. Of two that have the same text, the first one counts.
    pub text: Vec<TextDescription>,
    /// The terminals of raw strings' text, in the same order of preference.
    #[serde(default)]
    pub raw_text: Vec<TextDescription>,
    /// The terminals of text in raw strings' format specifications, where those are not like the text.
    #[serde(default)]
    pub raw_specification: Option<Vec<TextDescription>>,
    /// The character that begins escapes: it stands for itself neither in text that has them nor in bounded fields.
    #[serde(default)]
    pub escape: Option<char>,
    /// Whether an escape character without an escape behind it is text: in front of a field.
    #[serde(default)]
    pub has_lone_escapes: bool,
    /// Whether the openers and closers of fields are text where they are doubled, and nothing where they are not.
    #[serde(default)]
    pub is_doubled: bool,
    /// The text that a specification may hold behind a field in it, beside the rest.
    #[serde(default)]
    pub later_text: Option<String>,
    /// The opener of a field.
    pub open: Part,
    /// The closer of a field.
    pub close: Part,
    /// The sign that asks for a field's source.
    #[serde(default)]
    pub equal: Option<Part>,
    /// The conversion, which says how a field's value becomes text.
    #[serde(default)]
    pub conversion: Option<Part>,
    /// The sign that begins a specification.
    #[serde(default)]
    pub colon: Option<Part>,
    /// The line break that ends a specification of a string that holds no line breaks: fields behind it are code.
    #[serde(default)]
    pub line_break: Option<Part>,
    /// Texts that are several symbols at a field's own bracket level, as `:=` is in Python.
    #[serde(default)]
    pub split: Vec<String>,
    /// Texts that are errors at that level, as `lambda` is, whose colon would begin a specification.
    #[serde(default)]
    pub errors: Vec<String>,
    /// The openers of brackets with their closers, where no layout says them.
    #[serde(default)]
    pub brackets: Vec<(char, char)>,
}

/// A way to quote.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuoteDescription {
    /// One character, or one three times.
    pub text: String,
    /// Whether a string in these quotes may span lines.
    #[serde(default)]
    pub has_lines: bool,
    /// Whether nothing is prepared for such strings before one is met.
    #[serde(default)]
    pub is_rare: bool,
}

/// A prefix in front of the quotes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prefix {
    /// The terminal of prefix and quotes.
    pub terminal: String,
    /// A regular expression.
    pub pattern: String,
    /// Whether the strings are raw.
    #[serde(default)]
    pub is_raw: bool,
}

/// A terminal of text, which is neither quotes nor a field, with its escapes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextDescription {
    /// The terminal; None for text that is an error.
    #[serde(default)]
    pub terminal: Option<String>,
    /// A regular expression for an escape; for an error, for the text that is wrong behind other text.
    #[serde(default)]
    pub escape: Option<String>,
}

/// A terminal with its pattern.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The terminal.
    pub terminal: String,
    /// A text, or for a conversion and a line break a regular expression.
    pub pattern: String,
}

/// Checks that a declaration holds together. The error says why it does not.
pub(super) fn check(declared: &Declaration) -> Result<(), String> {
    let Declaration { quotes, begin, text, raw_text, open, close, .. } = declared;
    let fault = |message: &str| Err(format!("strings with fields {message}"));
    if quotes.is_empty() || begin.is_empty() || text.is_empty() && raw_text.is_empty() {
        return fault("need quotes, a beginning and text");
    }
    if quotes.len() > Quote::MOST {
        return fault(&format!(
            "may have up to {} ways to quote, not {}",
            Quote::MOST,
            quotes.len()
        ));
    }
    for (index, QuoteDescription { text, .. }) in quotes.iter().enumerate() {
        let first = text.bytes().next().filter(u8::is_ascii_punctuation);
        let is_quote = first.is_some_and(|first| text.bytes().all(|byte| byte == first));
        if !is_quote || ![1, 3].contains(&text.len()) {
            return fault(&format!(
                "are quoted by one sign or by one three times, not by {text:?}"
            ));
        }
        if quotes[..index].iter().any(|other| other.text == *text) {
            return fault(&format!("have the quotes {text:?} twice"));
        }
    }
    for (is_raw, texts) in [(false, text), (true, raw_text)] {
        if texts.is_empty() && begin.iter().any(|prefix| prefix.is_raw == is_raw) {
            return fault("need text for plain and for raw ones, as far as there are any");
        }
    }
    let signs = [
        &open.pattern,
        &close.pattern,
        declared.colon.as_ref().map_or(&open.pattern, |colon| &colon.pattern),
    ];
    if signs.iter().any(|sign| sign.is_empty() || !sign.is_ascii()) || close.pattern.len() != 1 {
        return fault("have fields that ASCII characters open, and one closes");
    }
    let is_sign = |sign: char| sign.is_ascii_punctuation();
    if !declared.escape.is_none_or(is_sign) {
        return fault("have escapes that begin with an ASCII sign");
    }
    if declared.line_break.is_some() && declared.fields == FieldRules::Bounded {
        return fault(
            "whose fields are bounded end where a line does, and so do their specifications",
        );
    }
    if declared.is_doubled && open.pattern.len() != 1 {
        return fault("double what opens fields only if it is one character");
    }
    if !declared.brackets.iter().all(|&(open, close)| is_sign(open) && is_sign(close)) {
        return fault("have brackets of one ASCII sign each");
    }
    Ok(())
}
