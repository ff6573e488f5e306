//! The patterns of the modes inside strings with fields, with the terminals that they stand for.

use super::declaration::{Part, TextDescription};
use super::quotes::{Quotes, Quoting, StringContext};
use super::stack::FrameChange;
use super::strings::Frames;

/// A pattern of such a mode: the terminals that it stands for (none: an error as soon as it is the longest match) and
/// its effect on the frames.
#[derive(Clone, Debug)]
pub struct PartPattern {
    /// A regular expression.
    pub pattern: String,
    /// The terminals' names, or `None` for an error.
    pub terminals: Option<Vec<String>>,
    /// The change of frames.
    pub change: FrameChange,
}

impl PartPattern {
    fn of(pattern: impl Into<String>, terminal: impl Into<String>, change: FrameChange) -> Self {
        Self { pattern: pattern.into(), terminals: Some(vec![terminal.into()]), change }
    }

    fn error(pattern: impl Into<String>) -> Self {
        Self { pattern: pattern.into(), terminals: None, change: FrameChange::Keep }
    }
}

/// A regular expression for this very text.
pub(crate) fn literal(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len() + 2);
    for character in text.chars() {
        if r"\.+*?()|[]{}^$#&-~".contains(character) {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern
}

impl Part {
    /// The pattern of a part that is written as a text.
    fn spelt(&self, change: FrameChange) -> PartPattern {
        PartPattern::of(literal(&self.pattern), &self.terminal, change)
    }

    /// The pattern of a part that is written as a regular expression.
    fn matched(&self, change: FrameChange) -> PartPattern {
        PartPattern::of(&self.pattern, &self.terminal, change)
    }
}

impl Frames {
    /// The beginnings of strings, for every mode that reads code.
    pub(crate) fn beginnings(&self) -> Vec<PartPattern> {
        let mut patterns = Vec::new();
        for prefix in &self.declaration().begin {
            let begun = |quote| {
                let quoting = Quoting { quote, is_raw: prefix.is_raw };
                (quoting, format!("(?:{}){}", prefix.pattern, literal(self.quote_text(quote))))
            };
            for (quoting, pattern) in self.quotes().map(begun) {
                let change = FrameChange::BeginText(self.beginning(quoting));
                patterns.push(PartPattern::of(
                    pattern,
                    self.name(quoting, &prefix.terminal),
                    change,
                ));
            }
            // f'' is complete unless a third quote follows: one symbol of two parts, so that the
            // longest match can still become f'''.
            let is_half = |byte: u8| match self.quotes_of(byte) {
                (Some(single), Some(_)) => Some(single),
                _ => None,
            };
            for quote in self.quote_bytes().into_iter().filter_map(is_half) {
                let (quoting, pattern) = begun(quote);
                let names = [&prefix.terminal, &self.declaration().end];
                patterns.push(PartPattern {
                    pattern: pattern + &literal(self.quote_text(quote)),
                    terminals: Some(names.map(|name| self.name(quoting, name)).to_vec()),
                    change: FrameChange::Keep,
                });
            }
        }
        patterns
    }

    /// The patterns that end a field's code, or begin its other parts, at the field's own bracket level.
    pub(crate) fn field_ends(&self) -> Vec<PartPattern> {
        let declared = self.declaration();
        let mut patterns = self.patterns_behind_conversion();
        patterns.extend(declared.equal.iter().map(|equal| equal.spelt(FrameChange::Keep)));
        let conversion = declared.conversion.iter();
        patterns.extend(conversion.map(|conversion| conversion.matched(FrameChange::Convert)));
        patterns
    }

    /// The patterns of code that a field's own patterns replace at its bracket level.
    pub(crate) fn replaced_in_fields(&self) -> Vec<String> {
        let declared = self.declaration();
        let parts = [Some(&declared.close), declared.colon.as_ref(), declared.equal.as_ref()];
        let parts = parts.into_iter().flatten().map(|part| part.pattern.as_str());
        parts.chain(declared.split.iter().map(String::as_str)).map(literal).collect()
    }

    /// The pattern of a conversion in a field behind the line break that ends a specification, where all is code.
    pub(crate) fn conversion_in_code(&self) -> Option<PartPattern> {
        self.declaration().conversion.as_ref().map(|part| part.matched(FrameChange::Keep))
    }

    /// The patterns that may follow the line break that ends a specification, beside fields as code.
    pub(crate) fn broken_specification(&self) -> Vec<PartPattern> {
        let close = &self.declaration().close;
        let broken = |line_break: &Part| PartPattern {
            pattern: literal(&close.pattern),
            terminals: Some(vec![line_break.terminal.clone(), close.terminal.clone()]),
            change: FrameChange::EndField,
        };
        self.declaration().line_break.iter().map(broken).collect()
    }

    /// The patterns that may follow a conversion.
    pub(crate) fn patterns_behind_conversion(&self) -> Vec<PartPattern> {
        let colon = self.declaration().colon.iter();
        let mut patterns = vec![self.declaration().close.spelt(FrameChange::EndField)];
        patterns.extend(colon.map(|colon| colon.spelt(FrameChange::BeginSpecification)));
        patterns
    }

    /// The patterns of a string's literal text.
    pub(crate) fn text(&self, context: StringContext) -> Vec<PartPattern> {
        let declared = self.declaration();
        let mut patterns = self.literal(context, self.texts(context), !declared.is_doubled);
        if declared.is_doubled {
            let doubled =
                [&declared.open, &declared.close].map(|part| literal(&part.pattern.repeat(2)));
            patterns.extend(self.as_text(context, &doubled.join("|")));
        }
        let end = self.name(context.quoting(), &declared.end);
        let quote = literal(self.quote_text(context.quote));
        patterns.push(PartPattern::of(quote, end, FrameChange::EndText));
        patterns
    }

    /// The patterns of a format specification, in front of its first field or behind one. No string ends there.
    pub(crate) fn specification(
        &self,
        context: StringContext,
        is_behind_field: bool,
    ) -> Vec<PartPattern> {
        let declared = self.declaration();
        // 3.12 held the specification of a raw f-string to the escapes of any other.
        let texts = declared.raw_specification.as_deref().filter(|_| context.is_raw);
        let texts = texts.unwrap_or_else(|| self.texts(context));
        let mut patterns = self.literal(context, texts, false);
        patterns.push(declared.close.spelt(FrameChange::EndField));
        if is_behind_field {
            let later = declared.later_text.iter().map(|text| literal(text));
            patterns.extend(later.flat_map(|text| self.as_text(context, &text)));
        } else if self.forbid_line_breaks(Quotes::NONE.with(context.quote)) {
            let line_break = declared.line_break.iter();
            patterns.extend(line_break.map(|part| part.matched(FrameChange::EndSpecification)));
        }
        if self.is_triple(context.quote) {
            patterns.push(PartPattern::error(literal(self.quote_text(context.quote))));
        }
        patterns
    }

    fn texts(&self, context: StringContext) -> &[TextDescription] {
        if context.is_raw { &self.declaration().raw_text } else { &self.declaration().text }
    }

    /// A pattern that is text by itself, whatever the escapes are: it stands for the first terminal of text.
    fn as_text(&self, context: StringContext, pattern: &str) -> Option<PartPattern> {
        let first = self.texts(context).iter().find_map(|text| text.terminal.as_deref());
        first.map(|terminal| PartPattern::of(pattern, terminal, FrameChange::Keep))
    }

    /// The patterns of runs of literal characters, and of a field's beginning.
    fn literal(
        &self,
        context: StringContext,
        texts: &[TextDescription],
        has_closers: bool,
    ) -> Vec<PartPattern> {
        let declared = self.declaration();
        // Bounded fields hold no escapes.
        let is_nested = context.outer.is_bounded();
        let ends = context.ends();
        let opener = &declared.open.pattern;
        let mut patterns = vec![declared.open.spelt(FrameChange::BeginField)];
        // A beginning of a field's opener is text.
        let starts = (1..opener.len()).map(|length| literal(&opener[..length]));
        patterns.extend(starts.flat_map(|start| self.as_text(context, &start)));
        let mut excluded = String::new();
        let mut exclude = |byte: u8| excluded.push_str(&format!("\\x{byte:02x}"));
        exclude(opener.as_bytes()[0]);
        if !has_closers {
            exclude(self.closer());
        }
        let has_escapes = is_nested || texts.iter().any(|text| text.escape.is_some());
        if let Some(escape) = declared.escape.filter(|_| has_escapes) {
            exclude(escape as u8);
        }
        self.quote_bytes().into_iter().for_each(&mut exclude);
        if self.forbid_line_breaks(ends) {
            b"\r\n".iter().copied().for_each(&mut exclude);
        }
        let mut units = vec![format!("[^{excluded}]")];
        for byte in self.quote_bytes() {
            let quote = literal(&char::from(byte).to_string());
            let (single, triple) = self.quotes_of(byte);
            if single.is_some_and(|single| ends.contains(single)) {
                continue;
            }
            match triple.filter(|&triple| ends.contains(triple)) {
                Some(triple) => {
                    // One or two of them are text; the third in a row would end a string.
                    patterns.extend(self.as_text(context, &format!("(?:{quote}){{1,2}}")));
                    if context.quote != triple {
                        patterns.push(PartPattern::error(literal(self.quote_text(triple))));
                    }
                }
                None => units.push(quote),
            }
        }
        for (index, text) in texts.iter().enumerate() {
            let Some(terminal) = &text.terminal else {
                // An error may stand behind any text that is not one.
                let right = texts[..index].iter().filter_map(|text| text.escape.as_deref());
                let run =
                    units.iter().map(String::as_str).chain(right).collect::<Vec<_>>().join("|");
                let wrong = text.escape.iter().filter(|_| !is_nested);
                patterns.extend(
                    wrong.map(|wrong| PartPattern::error(format!("(?:{run})*(?:{wrong})"))),
                );
                continue;
            };
            let escape = text.escape.iter().filter(|_| !is_nested);
            let run = units.iter().chain(escape).map(String::as_str).collect::<Vec<_>>().join("|");
            let mut add = |pattern| {
                patterns.push(PartPattern::of(pattern, terminal, FrameChange::Keep));
            };
            add(format!("(?:{run})+"));
            let lone = declared.escape.filter(|_| declared.has_lone_escapes && !is_nested);
            if let Some(lone) = lone {
                add(format!("(?:{run})*{}", literal(&lone.to_string())));
            }
        }
        patterns
    }
}
