//! The strings with fields that a right context's characters rule out: their quotes do not occur, or come too early.
//!
//! This alone rules out most of some hundred modes, which need not be read then.

use fim_lexer::Scanner;
use fim_lexer::frames::{Frame, Frames, Quote, Quotes, StringContext};

/// The first occurrences of the characters that decide.
pub(super) struct Beginnings<'a> {
    strings: &'a Frames,
    text: &'a [u8],
    /// The offset of the first character that closes a field.
    closer: Option<usize>,
    quotes: [Option<usize>; Quote::MOST],
    /// The offset of a line break that no escape takes away. There may be one further left.
    line_end: usize,
}

impl<'a> Beginnings<'a> {
    pub(super) fn new(strings: &'a Frames, scanner: &Scanner, text: &'a [u8]) -> Self {
        let mut quotes = [None; Quote::MOST];
        for quote in strings.quotes() {
            let needle = strings.quote_text(quote).as_bytes();
            quotes[quote.index()] = memchr::memmem::find(text, needle);
        }
        let is_break = |byte: u8| matches!(byte, b'\n' | b'\r');
        let is_end = |pair: &[u8]| {
            is_break(pair[1]) && !is_break(pair[0]) && !scanner.may_take_break(pair[0])
        };
        let line_end = text.windows(2).position(is_end);
        Self {
            strings,
            text,
            closer: memchr::memchr(strings.closer(), text),
            quotes,
            line_end: line_end.map_or(text.len(), |at| at + 1),
        }
    }

    /// Whether the text may begin in this frame. If a string ends at the text's end, the text begins behind it.
    pub(super) fn may_be_in(&self, frame: Frame) -> bool {
        match frame {
            Frame::Text(context) => match self.end(context) {
                None => false,
                Some(_) if !context.outer.is_bounded() => true,
                Some(end) => {
                    let rest = self.text.get(end..self.limit(context.outer));
                    self.is_free_until(context.outer, end)
                        && rest.is_some_and(|rest| rest.contains(&self.strings.closer()))
                }
            },
            Frame::Specification(context) | Frame::LaterSpecification(context)
                if !context.outer.is_bounded() =>
            {
                self.closer.is_some() && self.end(context).is_some()
            }
            _ => self.closer.is_some_and(|closer| {
                let quotes = frame.quotes();
                closer < self.limit(quotes)
                    && self.is_free_until(quotes, closer)
                    && self.ends(quotes)
            }),
        }
    }

    /// The least offset at which a string may end.
    fn end(&self, context: StringContext) -> Option<usize> {
        let quote = context.quote;
        // Three quotes may be cut in half.
        let is_half = self.strings.is_triple(quote)
            && self.text.first() == Some(&self.strings.quote_byte(quote));
        let found = if is_half { Some(0) } else { self.quotes[quote.index()] };
        let is_line = context.inner().is_bounded() && self.is_in_line(quote);
        found.filter(|&at| !is_line || at < self.line_end)
    }

    /// Whether a string in these quotes ends in the line that it begins in.
    fn is_in_line(&self, quote: Quote) -> bool {
        self.strings.forbid_line_breaks(Quotes::NONE.with(quote))
    }

    /// Whether all strings with these quotes may end in the text.
    fn ends(&self, quotes: Quotes) -> bool {
        self.strings.quotes().filter(|&quote| quotes.contains(quote)).all(|quote| {
            self.quotes[quote.index()]
                .is_some_and(|at| !self.is_in_line(quote) || at < self.line_end)
        })
    }

    /// Whether none of the quotes occurs in front of an offset.
    fn is_free_until(&self, quotes: Quotes, end: usize) -> bool {
        self.strings
            .quotes()
            .filter(|&quote| quotes.contains(quote))
            .all(|quote| self.quotes[quote.index()].is_none_or(|at| at >= end))
    }

    /// The offset at which text in strings with these quotes must end.
    fn limit(&self, quotes: Quotes) -> usize {
        let is_line = quotes.is_bounded() && self.strings.forbid_line_breaks(quotes);
        if is_line { self.line_end } else { self.text.len() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::{GrammarDescription, Language};

    #[test]
    fn a_string_must_end_and_its_fields_before_it() {
        let grammar = include_str!("../../grammars/python-3.11.json");
        let language = Language::new(GrammarDescription::from_json(grammar).unwrap()).unwrap();
        let strings = language.lexer.description.frames.as_ref().unwrap();
        let check = |text: &str, quote: &str, is_in_text: bool, is_in_field: bool| {
            let beginnings = Beginnings::new(strings, &language.lexer.scanner, text.as_bytes());
            let is_plain = |context: &&StringContext| {
                strings.quote_text(context.quote) == quote
                    && !context.is_raw
                    && context.outer == Quotes::NONE
            };
            let context = *strings.contexts().iter().find(is_plain).unwrap();
            assert_eq!(beginnings.may_be_in(Frame::Text(context)), is_in_text, "{text:?}");
            assert_eq!(beginnings.may_be_in(Frame::Field(context)), is_in_field, "{text:?}");
        };
        check("a}'", "'", true, true);
        check("a'}", "'", true, false);
        check("a}\n'", "'", false, false);
        check("a}\\\n'", "'", true, true);
        check("a}\n\"\"\"", "\"\"\"", true, true);
        check("\"\n", "\"\"\"", true, false);
        check("a}\n", "\"\"\"", false, false);
    }
}
