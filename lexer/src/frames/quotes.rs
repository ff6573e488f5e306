//! The quotes that must not occur in a string with fields: its own, and those of the strings around it.
//!
//! A [`StringContext`] is one string's quotes, whether it is raw, and the [`Quotes`] of the strings around
//! it. Where fields are bounded, one cannot contain the quotes that would end any string around it,
//! so at most as many stand inside each other as there are ways to quote, and all contexts can be listed;
//! where they are free, nothing is forbidden, which [`Quotes::FREE`] stands for.

use serde::Deserialize;

/// A way to quote strings: an index into the grammar's list of quotes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Quote(pub(super) u8);

impl Quote {
    /// The most ways to quote that a grammar may have: each set of them has modes of its own.
    pub const MOST: usize = 4;

    /// The index into the grammar's list.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The quotes of a string and whether it is raw: its beginning and its end agree on both.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Quoting {
    /// The string's quotes.
    pub quote: Quote,
    /// Whether the string has the escapes of raw strings.
    pub is_raw: bool,
}

/// A set of quotes: those of all strings around a place, which must not occur there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
pub struct Quotes(u8);

impl Quotes {
    /// The number of different sets, [`Self::FREE`] included.
    pub const COUNT: usize = (1 << Quote::MOST) + 1;
    /// The set of a place outside every string.
    pub const NONE: Self = Self(0);
    /// The set of a place inside strings whose fields are free: nothing is forbidden.
    pub const FREE: Self = Self(1 << Quote::MOST);

    /// All sets that forbid some of the first `n_quotes` quotes.
    pub fn all_bounded(n_quotes: usize) -> impl Iterator<Item = Self> {
        (1..1 << n_quotes).map(Self)
    }

    /// Whether the place is inside a string that forbids its own quotes.
    pub fn is_bounded(self) -> bool {
        self != Self::NONE && self != Self::FREE
    }

    /// The index of this set.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Whether the place is inside a string with this quote.
    pub fn contains(self, quote: Quote) -> bool {
        self.0 & (1 << quote.0) != 0
    }

    /// The set with one more quote.
    pub fn with(self, quote: Quote) -> Self {
        if self == Self::FREE { self } else { Self(self.0 | 1 << quote.0) }
    }

    /// Whether some quote is in both sets.
    pub fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// The restrictions on the text of fields.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FieldRules {
    /// A field holds no quotes of the strings around it: these are found first, and the text between them is read
    /// later.
    Bounded,
    /// A field holds all that code may hold.
    Free,
}

/// The beginning of a string, as its prefix and its quotes say it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct StringBeginning {
    /// The string's quotes, and whether it is raw.
    pub quoting: Quoting,
    /// The restrictions on its fields.
    pub rules: FieldRules,
    /// The quotes that these quotes would end: none of them may be around the string.
    pub(super) ended: Quotes,
}

impl StringBeginning {
    /// The context of the string that begins like this in code inside `around`, unless it would end one of these.
    pub fn within(self, around: Quotes) -> Option<StringContext> {
        let outer = match self.rules {
            FieldRules::Bounded => around,
            FieldRules::Free => Quotes::FREE,
        };
        let Quoting { quote, is_raw } = self.quoting;
        (!outer.meets(self.ended)).then_some(StringContext { quote, is_raw, outer })
    }
}

/// One string's context: its quotes, and those of the strings around it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct StringContext {
    /// This string's quotes.
    pub quote: Quote,
    /// Whether this string has the escapes of raw strings.
    pub is_raw: bool,
    /// The quotes of the strings around this one.
    pub outer: Quotes,
}

impl StringContext {
    /// All contexts, possible or not, in the order of their numbers.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let n_contexts = (Quotes::FREE.0 + 1) << 3;
        (0..n_contexts).map(Self::from_index)
    }

    /// A number for this context.
    pub fn index(self) -> u8 {
        self.quote.0 | u8::from(self.is_raw) << 2 | self.outer.0 << 3
    }

    fn from_index(index: u8) -> Self {
        Self { quote: Quote(index & 3), is_raw: index & 4 != 0, outer: Quotes(index >> 3) }
    }

    /// The string's own quotes, and whether it is raw.
    pub fn quoting(self) -> Quoting {
        Quoting { quote: self.quote, is_raw: self.is_raw }
    }

    /// The quotes that end the literal text of this string or of one around it.
    pub(super) fn ends(self) -> Quotes {
        if self.outer == Quotes::FREE { Quotes::NONE.with(self.quote) } else { self.inner() }
    }

    /// The quotes that must not occur inside this string's fields.
    pub fn inner(self) -> Quotes {
        self.outer.with(self.quote)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contexts_round_trip() {
        let mut n_contexts = 0;
        for (index, context) in StringContext::all().enumerate() {
            assert_eq!(usize::from(context.index()), index);
            n_contexts += 1;
        }
        assert_eq!(n_contexts, Quote::MOST * 2 * Quotes::COUNT);
    }
}
