//! A declaration with its consequences: the possible strings, the quotes that they exclude, their terminals' names.

use serde::Deserialize;

use super::declaration::{Declaration, check};
use super::quotes::{FieldRules, Quote, Quotes, Quoting, StringBeginning, StringContext};
use super::stack::FrameChange;

/// The separator between a declared name and the quotes in a terminal's name.
const QUOTED_BY: char = ':';

/// A checked declaration with its consequences, so that nothing is worked out where symbols are read.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Declaration")]
pub struct Frames {
    declared: Declaration,
    contexts: Vec<StringContext>,
    /// For each set of quotes, the contexts whose fields must not hold them, as a part of this list.
    with_inner: Vec<Vec<StringContext>>,
    /// The quotes of strings that may not span lines.
    without_lines: Quotes,
}

impl TryFrom<Declaration> for Frames {
    type Error = String;

    fn try_from(declared: Declaration) -> Result<Self, String> {
        check(&declared)?;
        let quotes = (0..declared.quotes.len() as u8).map(Quote);
        let spanned = |quote: &Quote| !declared.quotes[quote.index()].has_lines;
        let without_lines = quotes.filter(spanned).fold(Quotes::NONE, Quotes::with);
        let mut frames =
            Self { declared, contexts: Vec::new(), with_inner: Vec::new(), without_lines };
        frames.contexts =
            StringContext::all().filter(|&context| frames.is_possible(context)).collect();
        frames.with_inner = vec![Vec::new(); Quotes::COUNT];
        for &context in &frames.contexts {
            frames.with_inner[context.inner().index()].push(context);
        }
        Ok(frames)
    }
}

impl Frames {
    /// The grammar's declaration.
    pub fn declaration(&self) -> &Declaration {
        &self.declared
    }

    /// The restrictions on the text of fields.
    pub fn rules(&self) -> FieldRules {
        self.declared.fields
    }

    /// All ways to quote.
    pub fn quotes(&self) -> impl Iterator<Item = Quote> + use<> {
        (0..self.declared.quotes.len() as u8).map(Quote)
    }

    /// The text of these quotes.
    pub fn quote_text(&self, quote: Quote) -> &str {
        &self.declared.quotes[quote.index()].text
    }

    /// The character that the quotes consist of.
    pub fn quote_byte(&self, quote: Quote) -> u8 {
        self.quote_text(quote).as_bytes()[0]
    }

    /// Whether the quotes are three characters and not one.
    pub fn is_triple(&self, quote: Quote) -> bool {
        self.quote_text(quote).len() > 1
    }

    /// The bytes by which these quotes are longer than the shortest ones.
    pub fn excess(&self, quote: Quote) -> u32 {
        let lengths = self.declared.quotes.iter().map(|quote| quote.text.len());
        let shortest = lengths.min().unwrap_or_default();
        (self.quote_text(quote).len() - shortest) as u32
    }

    /// Whether nothing is prepared for strings in these quotes before one is met.
    pub fn is_rare(&self, quote: Quote) -> bool {
        self.declared.quotes[quote.index()].is_rare
    }

    /// The quotes that are this character alone, and the quotes that are three of it.
    pub(crate) fn quotes_of(&self, byte: u8) -> (Option<Quote>, Option<Quote>) {
        let find = |is_triple| {
            self.quotes()
                .find(|&quote| self.quote_byte(quote) == byte && self.is_triple(quote) == is_triple)
        };
        (find(false), find(true))
    }

    /// The characters that quotes consist of.
    pub(crate) fn quote_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for byte in self.quotes().map(|quote| self.quote_byte(quote)) {
            if !bytes.contains(&byte) {
                bytes.push(byte);
            }
        }
        bytes
    }

    /// The beginning of a string that is quoted like this.
    pub fn beginning(&self, quoting: Quoting) -> StringBeginning {
        let (single, _) = self.quotes_of(self.quote_byte(quoting.quote));
        let ended = Quotes::NONE.with(quoting.quote);
        let ended = single.map_or(ended, |single| ended.with(single));
        StringBeginning { quoting, rules: self.rules(), ended }
    }

    fn is_possible(&self, context: StringContext) -> bool {
        let n_sets = 1 << self.declared.quotes.len();
        let around = match self.rules() {
            FieldRules::Bounded if context.outer.index() < n_sets => context.outer,
            FieldRules::Free if context.outer == Quotes::FREE => Quotes::NONE,
            _ => return false,
        };
        context.quote.index() < self.declared.quotes.len()
            && (!context.is_raw || !self.declared.raw_text.is_empty())
            && (context.is_raw || !self.declared.text.is_empty())
            && self.beginning(context.quoting()).within(around) == Some(context)
    }

    /// The contexts of all strings that there can be, told apart by the quotes that must not occur in them.
    pub fn contexts(&self) -> &[StringContext] {
        &self.contexts
    }

    /// The contexts in whose fields these quotes must not occur.
    pub fn with_inner(&self, quotes: Quotes) -> &[StringContext] {
        &self.with_inner[quotes.index()]
    }

    /// Whether a line break would end one of the strings with these quotes.
    pub fn forbid_line_breaks(&self, quotes: Quotes) -> bool {
        quotes.meets(self.without_lines)
    }

    /// The character that closes fields.
    pub fn closer(&self) -> u8 {
        self.declared.close.pattern.as_bytes()[0]
    }

    /// The change of frames by a text that opens or closes a bracket.
    pub(crate) fn bracket_change(&self, text: &str) -> FrameChange {
        let is = |sign: char| text.len() == 1 && text.starts_with(sign);
        let mut brackets = self.declared.brackets.iter();
        let bracket = brackets.find(|&&(open, close)| is(open) || is(close));
        match bracket {
            Some(&(open, close)) if is(open) => FrameChange::Open(close as u8),
            Some(&(_, close)) => FrameChange::Close(close as u8),
            None => FrameChange::Keep,
        }
    }

    /// The declared names that are told apart by quotes: those of strings' beginnings and of their end.
    fn told_apart(&self) -> impl Iterator<Item = &str> {
        let begin = self.declared.begin.iter().map(|prefix| prefix.terminal.as_str());
        begin.chain([self.declared.end.as_str()])
    }

    /// Whether this terminal begins strings.
    pub fn is_begin(&self, name: &str) -> bool {
        self.declared.begin.iter().any(|prefix| prefix.terminal == name)
    }

    /// The ways to quote that a declared name stands for, if it is the beginning or the end of strings.
    ///
    /// Beginnings and ends say which quotes they have. A grammar has one name for all of them; a terminal for each is
    /// made out of that name, so that the parser itself makes a string end as it began, even where its beginning and
    /// its end are never read together.
    pub fn quotings(&self, declared: &str) -> Option<Vec<Quoting>> {
        let is_end = declared == self.declared.end;
        let has = |is_raw: bool| {
            let mut begin = self.declared.begin.iter();
            begin.any(|one| one.is_raw == is_raw && (is_end || one.terminal == declared))
        };
        let kinds = [false, true].into_iter().filter(|&is_raw| has(is_raw));
        let quotings = |is_raw| self.quotes().map(move |quote| Quoting { quote, is_raw });
        let found: Vec<Quoting> = kinds.flat_map(quotings).collect();
        (!found.is_empty()).then_some(found)
    }

    /// The name of the terminal that stands for `declared` in strings that are written like this.
    pub fn name(&self, quoting: Quoting, declared: &str) -> String {
        let prefix = if quoting.is_raw { "r" } else { "" };
        format!("{declared}{QUOTED_BY}{prefix}{}", self.quote_text(quoting.quote))
    }

    /// The names of the terminals that a declared name stands for: one for each way to quote, if it is the
    /// beginning or the end of strings.
    pub fn names(&self, declared: &str) -> Vec<String> {
        match self.quotings(declared) {
            Some(all) => all.into_iter().map(|quoting| self.name(quoting, declared)).collect(),
            None => vec![declared.to_owned()],
        }
    }

    /// The declared name that a terminal's name was made out of.
    pub fn declared_name<'a>(&'a self, name: &'a str) -> &'a str {
        let is_made_of = |declared: &&str| {
            name.strip_prefix(*declared).is_some_and(|rest| rest.starts_with(QUOTED_BY))
        };
        self.told_apart().find(is_made_of).unwrap_or(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PYTHON: &str = r#"{"fields": "bounded",
        "quotes": [{"text": "'"}, {"text": "\""}, {"text": "'''", "has_lines": true}, {"text": "\"\"\"", "has_lines": true}],
        "begin": [{"terminal": "START", "pattern": "f"}, {"terminal": "START", "pattern": "rf", "is_raw": true}],
        "end": "END", "text": [{"terminal": "TEXT"}], "raw_text": [{"terminal": "TEXT"}],
        "open": {"terminal": "OPEN", "pattern": "{"}, "close": {"terminal": "CLOSE", "pattern": "}"}}"#;

    fn read(text: &str) -> Result<Frames, String> {
        serde_json::from_str(text).map_err(|error: serde_json::Error| error.to_string())
    }

    fn frames() -> Frames {
        read(PYTHON).unwrap()
    }

    #[test]
    fn quotes_around_a_place_rule_out_quotes_inside() {
        let frames = frames();
        let [single, double, triple_single, triple_double]: [Quote; 4] =
            frames.quotes().collect::<Vec<_>>().try_into().unwrap();
        let is_allowed = |around: Quote, quote: Quote| {
            let beginning = frames.beginning(Quoting { quote, is_raw: false });
            beginning.within(Quotes::NONE.with(around)).is_some()
        };
        assert!(!is_allowed(single, single) && !is_allowed(single, triple_single));
        assert!(is_allowed(single, triple_double) && is_allowed(triple_single, single));
        assert!(is_allowed(single, double));
        assert!(frames.forbid_line_breaks(Quotes::NONE.with(double)));
        assert!(!frames.forbid_line_breaks(Quotes::NONE.with(triple_double)));
    }

    #[test]
    fn each_context_is_there_once() {
        let bounded = frames();
        let mut indices: Vec<u8> = bounded.contexts().iter().map(|one| one.index()).collect();
        let n_contexts = indices.len();
        indices.sort_unstable();
        indices.dedup();
        assert_eq!(indices.len(), n_contexts);
        let free = read(&PYTHON.replace("bounded", "free")).unwrap();
        assert_eq!(free.contexts().len(), 8);
        assert_eq!(free.with_inner(Quotes::FREE).len(), 8);
    }

    #[test]
    fn names_are_told_apart_by_quotes() {
        let frames = frames();
        assert_eq!(frames.names("START").len(), 8);
        assert_eq!(frames.names("END")[7], "END:r\"\"\"");
        assert_eq!(frames.declared_name("END:r\"\"\""), "END");
        assert_eq!(frames.names("TEXT"), ["TEXT"]);
        assert_eq!(frames.declared_name(":="), ":=");
    }

    #[test]
    fn what_does_not_hold_together_is_refused() {
        let check = |from: &str, to: &str, expected: &str| {
            assert!(PYTHON.contains(from));
            let error = read(&PYTHON.replacen(from, to, 1)).unwrap_err();
            assert!(error.contains(expected), "{error}");
        };
        check(
            r#"{"text": "'"}"#,
            r#"{"text": "'"}, {"text": "`"}"#,
            "up to 4 ways to quote, not 5",
        );
        check(r#"{"text": "'"}"#, r#"{"text": "''"}"#, "by one sign or by one three times");
        check(r#"{"text": "'"}"#, r#"{"text": "\""}"#, "twice");
        check(r#""raw_text": [{"terminal": "TEXT"}],"#, "", "for plain and for raw ones");
        check(r#""pattern": "}""#, r#""pattern": "}}""#, "and one closes");
        check(r#""fields": "bounded""#, r#""fields": "open""#, "unknown variant `open`");
        check(r#""end": "END","#, "", "missing field `end`");
    }
}
