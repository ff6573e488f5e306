//! What must not occur in a string with fields: its quotes, and those of the strings around it.
//!
//! A [`StringContext`] is one string's quotes, whether it is raw, and the [`Quotes`] of the strings around
//! it. Where fields are bounded, one cannot contain the quotes that would end any string around it,
//! so at most as many stand inside each other as there are ways to quote, and all contexts can be listed;
//! where they are free, nothing is forbidden, which [`Quotes::FREE`] stands for.

use serde::Deserialize;

/// How a string is quoted: a place in the grammar's list of quotes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Quote(pub(super) u8);

impl Quote {
    /// This many ways to quote a grammar may have: each set of them has modes of its own.
    pub const MOST: usize = 4;

    /// The place in the list.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// How a string is written: what its beginning and its end have in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Quoting {
    /// Its quotes.
    pub quote: Quote,
    /// Whether it has the escapes of raw strings.
    pub is_raw: bool,
}

/// The quotes of all strings around a place: what must not occur there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
pub struct Quotes(u8);

impl Quotes {
    /// The number of different sets, [`Self::FREE`] included.
    pub const COUNT: usize = (1 << Quote::MOST) + 1;
    /// Outside every string.
    pub const NONE: Self = Self(0);
    /// Inside strings whose fields are free: nothing is forbidden.
    pub const FREE: Self = Self(1 << Quote::MOST);

    /// All sets that forbid some of so many quotes.
    pub fn all_bounded(n_quotes: usize) -> impl Iterator<Item = Self> {
        (1..1 << n_quotes).map(Self)
    }

    /// Whether this is inside a string that forbids its own quotes.
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

/// What may stand in a field.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FieldRules {
    /// No quotes of the strings around it: these are found first, and what is between them is read later.
    Bounded,
    /// All that may stand in code.
    Free,
}

/// How a string begins: what its prefix and its quotes say.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct StringBeginning {
    /// How it is written.
    pub quoting: Quoting,
    /// What its fields may hold.
    pub rules: FieldRules,
    /// The quotes that would end by it: none of them may be around it.
    pub(super) ended: Quotes,
}

impl StringBeginning {
    /// The string that begins like this in code with these quotes around it, unless one of them would end there.
    pub fn within(self, around: Quotes) -> Option<StringContext> {
        let outer = match self.rules {
            FieldRules::Bounded => around,
            FieldRules::Free => Quotes::FREE,
        };
        let Quoting { quote, is_raw } = self.quoting;
        (!outer.meets(self.ended)).then_some(StringContext { quote, is_raw, outer })
    }
}

/// One string: its quotes, and those of the strings around it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct StringContext {
    /// This string's quotes.
    pub quote: Quote,
    /// Whether it has the escapes of raw strings.
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

    /// How this string is written.
    pub fn quoting(self) -> Quoting {
        Quoting { quote: self.quote, is_raw: self.is_raw }
    }

    /// The quotes that end the literal text of this string or of one around it.
    pub(super) fn ends(self) -> Quotes {
        if self.outer == Quotes::FREE { Quotes::NONE.with(self.quote) } else { self.inner() }
    }

    /// What must not occur inside this string's fields.
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
