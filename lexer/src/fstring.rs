//! Python's f-strings as lexer modes.
//!
//! Up to 3.11 CPython finds the end of an f-string first, as for any string, and parses its replacement
//! fields afterwards. A field can therefore not contain the quotes that would end any f-string
//! around it, no backslash and no comment. At most four f-strings can stand inside each other, so all
//! situations can be listed: a [`Context`] is one f-string's quotes, whether it is raw, and the
//! [`Quotes`] of the f-strings around it. Inside, the text is read in one of four modes (literal
//! text, the code of a field, what follows a conversion, a format specification); which one
//! follows from the top [`Frame`].
//!
//! From 3.12 on (PEP 701) f-strings are read from the left like everything else, a field may
//! contain what code may contain, and they nest without limit: the same modes without the
//! restrictions, which [`Quotes::FREE`] stands for.
//!
//! ```text
//! f'a{b:>{w}}c'
//!   ^ ^ ^ ^  ^
//!   | | | |  text again, after two frames were left
//!   | | | code of a field: frames Text Specification Field
//!   | | specification: frames Text Specification
//!   | code of a field: frames Text Field
//!   text: frames Text
//! ```

/// How a string is quoted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quote {
    /// `'`
    Single,
    /// `"`
    Double,
    /// `'''`
    TripleSingle,
    /// `"""`
    TripleDouble,
}

impl Quote {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Single, Self::Double, Self::TripleSingle, Self::TripleDouble];

    /// The quote's character.
    pub fn byte(self) -> u8 {
        match self {
            Self::Single | Self::TripleSingle => b'\'',
            Self::Double | Self::TripleDouble => b'"',
        }
    }

    /// Whether a string in these quotes may span lines.
    pub fn is_triple(self) -> bool {
        matches!(self, Self::TripleSingle | Self::TripleDouble)
    }

    /// The quotes as text.
    pub fn text(self) -> &'static str {
        match self {
            Self::Single => "'",
            Self::Double => "\"",
            Self::TripleSingle => "'''",
            Self::TripleDouble => "\"\"\"",
        }
    }
}

/// The quotes of all f-strings around a place: what must not occur there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
pub struct Quotes(u8);

impl Quotes {
    /// The number of different sets, [`Self::FREE`] included.
    pub const COUNT: usize = 17;
    /// Outside every f-string.
    pub const NONE: Self = Self(0);
    /// Inside f-strings that forbid nothing: those of Python 3.12 and later.
    pub const FREE: Self = Self(16);

    /// All sets that forbid something.
    pub fn all_bounded() -> impl Iterator<Item = Self> {
        (1..16).map(Self)
    }

    /// Whether this is inside an f-string that forbids its own quotes.
    pub fn is_bounded(self) -> bool {
        self != Self::NONE && self != Self::FREE
    }

    /// The index of this set.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Whether the place is inside an f-string with this quote.
    pub fn contains(self, quote: Quote) -> bool {
        self.0 & (1 << quote as u8) != 0
    }

    /// The set with one more quote.
    pub fn with(self, quote: Quote) -> Self {
        if self == Self::FREE { self } else { Self(self.0 | 1 << quote as u8) }
    }

    /// Whether an f-string in these quotes may begin here without ending one around it.
    pub fn allows(self, quote: Quote) -> bool {
        let is_free = |other: Quote| !self.contains(other);
        match quote {
            Quote::Single | Quote::Double => is_free(quote),
            Quote::TripleSingle => is_free(quote) && is_free(Quote::Single),
            Quote::TripleDouble => is_free(quote) && is_free(Quote::Double),
        }
    }

    /// Whether a line break would end one of the f-strings.
    pub fn forbid_line_breaks(self) -> bool {
        self.contains(Quote::Single) || self.contains(Quote::Double)
    }
}

/// How f-strings are read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FStringRules {
    /// Up to Python 3.11: the quotes are found first, and what is between them is read later.
    Bounded,
    /// From Python 3.12 on.
    Free,
}

/// One f-string: its quotes, and those of the f-strings around it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Context {
    /// This f-string's quotes.
    pub quote: Quote,
    /// Whether a backslash stands for itself.
    pub is_raw: bool,
    /// The quotes of the f-strings around this one.
    pub outer: Quotes,
}

impl Context {
    /// All contexts in which an f-string can begin under these rules.
    pub fn all(rules: FStringRules) -> impl Iterator<Item = Self> {
        (0..=u8::MAX).map(Self::from_index).filter(move |context| match rules {
            FStringRules::Bounded => {
                context.outer != Quotes::FREE && context.outer.allows(context.quote)
            }
            FStringRules::Free => context.outer == Quotes::FREE,
        })
    }

    /// A number for this context.
    pub fn index(self) -> u8 {
        self.quote as u8 | u8::from(self.is_raw) << 2 | self.outer.0 << 3
    }

    fn from_index(index: u8) -> Self {
        let outer = Quotes(index >> 3);
        Self {
            quote: Quote::ALL[usize::from(index & 3)],
            is_raw: index & 4 != 0,
            outer: if outer.0 > Quotes::FREE.0 { Quotes::NONE } else { outer },
        }
    }

    /// The quotes that end the literal text of this f-string or of one around it.
    fn ends(self) -> Quotes {
        if self.outer == Quotes::FREE { Quotes::NONE.with(self.quote) } else { self.inner() }
    }

    /// What must not occur inside this f-string's fields.
    pub fn inner(self) -> Quotes {
        self.outer.with(self.quote)
    }
}

/// What the lexer is inside of; the innermost one decides the mode.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Frame {
    /// An open bracket, by its closer, with the quotes of the f-strings around it. The closer is
    /// 0 where only the right context is known and any closer will do.
    Bracket(u8, Quotes),
    /// The literal text of an f-string.
    Text(Context),
    /// A replacement field of the f-string, at the field's own bracket level.
    Field(Context),
    /// A replacement field after its conversion.
    Converted(Context),
    /// A format specification.
    Specification(Context),
}

impl Frame {
    /// Whether this is an open bracket.
    pub fn is_bracket(self) -> bool {
        matches!(self, Self::Bracket(..))
    }

    /// The quotes that must not occur in code directly inside this frame.
    pub fn quotes(self) -> Quotes {
        match self {
            Self::Bracket(_, quotes) => quotes,
            Self::Text(context)
            | Self::Field(context)
            | Self::Converted(context)
            | Self::Specification(context) => context.inner(),
        }
    }
}

/// What the lexer does to its frames when a symbol is complete.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FrameChange {
    /// Nothing.
    Keep,
    /// An opening bracket, by its closer.
    Open(u8),
    /// A closing bracket.
    Close(u8),
    /// An f-string's prefix and quotes; whether it is raw; whether it is one of 3.12 or later.
    BeginText(Quote, bool, FStringRules),
    /// An f-string's closing quotes.
    EndText,
    /// `{` in literal text or in a specification.
    BeginField,
    /// `!r` and the like.
    Convert,
    /// `:` in a field.
    BeginSpecification,
    /// `}` of a field.
    EndField,
}

/// What a part of an f-string is to the parser.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// `FSTRING_START`
    Start,
    /// `FSTRING_MIDDLE`
    Middle,
    /// `FSTRING_END`
    End,
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
    TemplateStart,
}

impl Part {
    /// All parts with the names under which grammars declare them.
    pub const NAMES: [(Self, &'static str); 9] = [
        (Self::Start, "FSTRING_START"),
        (Self::Middle, "FSTRING_MIDDLE"),
        (Self::End, "FSTRING_END"),
        (Self::FieldOpen, "FIELD_OPEN"),
        (Self::FieldClose, "FIELD_CLOSE"),
        (Self::FieldEqual, "FIELD_EQUAL"),
        (Self::FieldConversion, "FIELD_CONVERSION"),
        (Self::FieldColon, "FIELD_COLON"),
        (Self::TemplateStart, "TSTRING_START"),
    ];
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

fn begun_by(plain: &str, raw: &str, start: Part, rules: FStringRules) -> Vec<PartPattern> {
    let mut patterns = Vec::new();
    for (is_raw, prefix) in [(false, plain), (true, raw)] {
        for quote in Quote::ALL {
            let change = FrameChange::BeginText(quote, is_raw, rules);
            patterns.push(part(format!("{prefix}{}", quote.text()), start, change));
        }
        // f'' is complete unless a third quote follows: one symbol of two parts, so that the
        // longest match can still become f'''.
        for quote in [Quote::Single, Quote::Double] {
            patterns.push(PartPattern {
                pattern: format!("{prefix}{0}{0}", quote.text()),
                parts: Some(vec![start, Part::End]),
                change: FrameChange::Keep,
            });
        }
    }
    patterns
}

/// What is special in the code of a field at its own bracket level.
pub fn field_ends() -> Vec<PartPattern> {
    vec![
        part(r"\}", Part::FieldClose, FrameChange::EndField),
        part(":", Part::FieldColon, FrameChange::BeginSpecification),
        part("=", Part::FieldEqual, FrameChange::Keep),
        part("![sra]", Part::FieldConversion, FrameChange::Convert),
    ]
}

/// What may follow a conversion: up to 3.11, not even a space.
pub fn converted() -> Vec<PartPattern> {
    vec![
        part(r"\}", Part::FieldClose, FrameChange::EndField),
        part(":", Part::FieldColon, FrameChange::BeginSpecification),
    ]
}

/// The literal text of an f-string.
pub fn text(context: Context) -> Vec<PartPattern> {
    let mut patterns = literal(context);
    patterns.push(part(r"\{\{|\}\}", Part::Middle, FrameChange::Keep));
    patterns.push(part(context.quote.text(), Part::End, FrameChange::EndText));
    patterns
}

/// A format specification. Braces are never doubled here, and the f-string cannot end.
pub fn specification(context: Context) -> Vec<PartPattern> {
    let mut patterns = literal(context);
    patterns.push(part(r"\}", Part::FieldClose, FrameChange::EndField));
    if context.quote.is_triple() {
        patterns.push(error(context.quote.text()));
    }
    patterns
}

fn error(pattern: &str) -> PartPattern {
    PartPattern { pattern: pattern.into(), parts: None, change: FrameChange::Keep }
}

/// Runs of literal characters, and the beginning of a field.
fn literal(context: Context) -> Vec<PartPattern> {
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
        units.push(escape(context.is_raw).to_owned());
    }
    let run = units.join("|");
    patterns.push(part(format!("(?:{run})+"), Part::Middle, FrameChange::Keep));
    if !is_nested {
        // A backslash before a brace is literal text, and the brace keeps its meaning.
        patterns.push(part(format!(r"(?:{run})*\\"), Part::Middle, FrameChange::Keep));
    }
    patterns
}

/// An escape sequence, complete and valid.
fn escape(is_raw: bool) -> &'static str {
    if is_raw {
        r"\\(?:\r\n?|[^\r{}\x00])"
    } else {
        concat!(
            r"\\(?:\r\n?|[^\rxuUN{}\x00]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}",
            r"|U(?:000[0-9a-fA-F]|0010)[0-9a-fA-F]{4}|N\{[A-Za-z0-9 \-]+\})"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contexts_round_trip() {
        for context in Context::all(FStringRules::Bounded).chain(Context::all(FStringRules::Free)) {
            assert_eq!(Context::from_index(context.index()), context);
        }
        assert_eq!(Context::all(FStringRules::Free).count(), 8);
    }

    #[test]
    fn quotes_around_a_place_rule_out_quotes_inside() {
        let inside_single = Quotes::NONE.with(Quote::Single);
        assert!(!inside_single.allows(Quote::Single));
        assert!(!inside_single.allows(Quote::TripleSingle));
        assert!(inside_single.allows(Quote::TripleDouble));
        assert!(Quotes::NONE.with(Quote::TripleSingle).allows(Quote::Single));
    }
}
