//! What must not occur in an f-string: its quotes, and those of the f-strings around it.
//!
//! A [`Context`] is one f-string's quotes, whether it is raw, and the [`Quotes`] of the f-strings
//! around it. Up to 3.11 a field cannot contain the quotes that would end any f-string around it,
//! so at most four stand inside each other and all contexts can be listed; from 3.12 on nothing is
//! forbidden, which [`Quotes::FREE`] stands for.

/// How a string is quoted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
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

/// How an f-string is written: what its beginning and its end have in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Quoting {
    /// Its quotes.
    pub quote: Quote,
    /// Whether a backslash stands for itself.
    pub is_raw: bool,
}

/// What stands between a declared name and the quotes in a terminal's name.
pub(super) const QUOTED_BY: char = ':';

impl Quoting {
    /// All eight.
    pub fn all() -> impl Iterator<Item = Self> {
        let quotings = |is_raw| Quote::ALL.map(|quote| Self { quote, is_raw });
        quotings(false).into_iter().chain(quotings(true))
    }

    /// The name of the terminal that stands for `declared` in f-strings that are written like this.
    pub fn name(self, declared: &str) -> String {
        let prefix = if self.is_raw { "r" } else { "" };
        format!("{declared}{QUOTED_BY}{prefix}{}", self.quote.text())
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
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
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
        let n_contexts = (Quotes::FREE.0 + 1) << 3;
        (0..n_contexts).map(Self::from_index).filter(move |context| match rules {
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
        Self {
            quote: Quote::ALL[usize::from(index & 3)],
            is_raw: index & 4 != 0,
            outer: Quotes(index >> 3),
        }
    }

    /// How this f-string is written.
    pub fn quoting(self) -> Quoting {
        Quoting { quote: self.quote, is_raw: self.is_raw }
    }

    /// The quotes that end the literal text of this f-string or of one around it.
    pub(super) fn ends(self) -> Quotes {
        if self.outer == Quotes::FREE { Quotes::NONE.with(self.quote) } else { self.inner() }
    }

    /// What must not occur inside this f-string's fields.
    pub fn inner(self) -> Quotes {
        self.outer.with(self.quote)
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
        let mut indices: Vec<u8> =
            Context::all(FStringRules::Bounded).map(Context::index).collect();
        let n_contexts = indices.len();
        indices.sort_unstable();
        indices.dedup();
        assert_eq!(indices.len(), n_contexts, "each of them once");
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
