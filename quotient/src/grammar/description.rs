//! A compiled grammar, as data: the Lark front end writes it and the engine reads it.

mod quotes;

use std::fmt;

use fim_lexer::{Dialect, LexicalDescription, LexiconError};
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// A grammar: terminals for the lexer, rules for the parser.
#[derive(Clone, Debug, Deserialize)]
pub struct GrammarDescription {
    /// The language's name, for messages.
    pub name: String,
    /// The language's version, if it has versions.
    #[serde(default)]
    pub version: Option<String>,
    /// The rule that a whole file is.
    pub start: String,
    /// Terminals and layout.
    #[serde(flatten)]
    pub lexical: LexicalDescription,
    /// All rules.
    pub rules: Vec<RuleDescription>,
    /// Bodies that stand in several others, which refer to them by number. `from_json` puts them there.
    #[serde(default)]
    pub shared: Vec<Body>,
    /// The repeated names, if there are any.
    #[serde(default)]
    pub same: Option<SameDescription>,
}

/// A repeated name, which is said once and must be equal wherever it is said again: that of a class, and its
/// constructors'.
#[derive(Clone, Debug, Deserialize)]
pub struct SameDescription {
    /// The declared terminal that is the name, from which on it holds until the rule ends.
    pub first: String,
    /// The declared terminal that is the name of the innermost such rule again.
    pub again: String,
    /// The terminals as which both are written.
    pub written: Vec<String>,
}

/// One rule.
#[derive(Clone, Debug, Deserialize)]
pub struct RuleDescription {
    /// Its name.
    pub name: String,
    /// A regular expression over names of rules and terminals.
    pub body: Body,
}

/// A rule's body: a regular expression over symbols.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Body {
    /// A rule or a terminal, by name.
    Symbol(String),
    /// One after the other.
    Seq {
        /// The parts.
        seq: Vec<Body>,
    },
    /// One of them.
    Alt {
        /// The alternatives.
        alt: Vec<Body>,
    },
    /// Nothing or this.
    Opt {
        /// The optional part.
        opt: Box<Body>,
    },
    /// Any number of times.
    Star {
        /// The repeated part.
        star: Box<Body>,
    },
    /// At least once.
    Plus {
        /// The repeated part.
        plus: Box<Body>,
    },
    /// One of the description's shared bodies; each refers to those in front of it alone.
    Shared {
        /// Its number.
        shared: usize,
    },
}

// Derived (`untagged`), it would be copied once for each level that it is nested in: a tenth of the time of loading a grammar.
impl<'de> Deserialize<'de> for Body {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(BodyVisitor)
    }
}

struct BodyVisitor;

impl<'de> Visitor<'de> for BodyVisitor {
    type Value = Body;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a name, or one of `seq`, `alt`, `opt`, `star`, `plus` and `shared`")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<Body, E> {
        Ok(Body::Symbol(name.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Body, A::Error> {
        let Some(kind) = map.next_key::<String>()? else {
            return Err(de::Error::invalid_length(0, &self));
        };
        let body = match kind.as_str() {
            "seq" => Body::Seq { seq: map.next_value()? },
            "alt" => Body::Alt { alt: map.next_value()? },
            "opt" => Body::Opt { opt: map.next_value()? },
            "star" => Body::Star { star: map.next_value()? },
            "plus" => Body::Plus { plus: map.next_value()? },
            "shared" => Body::Shared { shared: map.next_value()? },
            other => {
                return Err(de::Error::unknown_field(
                    other,
                    &["seq", "alt", "opt", "star", "plus", "shared"],
                ));
            }
        };
        match map.next_key::<String>()? {
            None => Ok(body),
            Some(_) => Err(de::Error::invalid_length(2, &self)),
        }
    }
}

impl GrammarDescription {
    /// Reads a description from JSON text.
    pub fn from_json(text: &str) -> Result<Self, GrammarError> {
        let mut description: Self = serde_json::from_str(text)
            .map_err(|error| GrammarError::new(format!("not a grammar description: {error}")))?;
        if let Some(version) = &description.version {
            description.lexical.dialect = Dialect::of_version(version);
        }
        description.spread_shared()?;
        Ok(description)
    }

    /// Puts the shared bodies where others refer to them.
    fn spread_shared(&mut self) -> Result<(), GrammarError> {
        let mut whole = Vec::with_capacity(self.shared.len());
        for mut body in self.shared.drain(..) {
            body.spread(&whole)?;
            whole.push(body);
        }
        self.rules.iter_mut().try_for_each(|rule| rule.body.spread(&whole))
    }
}

impl Body {
    fn spread(&mut self, whole: &[Self]) -> Result<(), GrammarError> {
        match self {
            Self::Symbol(_) => Ok(()),
            Self::Seq { seq: parts } | Self::Alt { alt: parts } => {
                parts.iter_mut().try_for_each(|part| part.spread(whole))
            }
            Self::Opt { opt: part } | Self::Star { star: part } | Self::Plus { plus: part } => {
                part.spread(whole)
            }
            Self::Shared { shared } => {
                *self = whole.get(*shared).cloned().ok_or_else(|| unknown_shared(*shared))?;
                Ok(())
            }
        }
    }
}

/// The error of a body that refers to no shared one in front of it.
pub(super) fn unknown_shared(number: usize) -> GrammarError {
    GrammarError::new(format!(
        "a body refers to the shared body {number}, which does not stand in front of it"
    ))
}

/// Why a grammar cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrammarError(String);

impl GrammarError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl From<LexiconError> for GrammarError {
    fn from(error: LexiconError) -> Self {
        Self(error.to_string())
    }
}

impl fmt::Display for GrammarError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for GrammarError {}
