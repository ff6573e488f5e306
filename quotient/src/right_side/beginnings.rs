//! What the characters of a right context rule out: f-strings whose quotes do not occur, or come too early.
//!
//! Of some hundred modes most are ruled out by this alone, and need not be read.

use fim_lexer::fstring::{Context, Frame, Quote, Quotes};

/// The first occurrences of characters that decide.
pub(super) struct Beginnings<'a> {
    text: &'a [u8],
    brace: Option<usize>,
    quotes: [Option<usize>; 4],
    /// A line break that no backslash takes away. There may be one further left.
    line_end: usize,
}

impl<'a> Beginnings<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        let find = |needle: &[u8]| memchr::memmem::find(text, needle);
        let is_break = |byte: u8| matches!(byte, b'\n' | b'\r');
        let line_end = text
            .windows(2)
            .position(|pair| is_break(pair[1]) && !is_break(pair[0]) && pair[0] != b'\\');
        Self {
            text,
            brace: find(b"}"),
            quotes: Quote::ALL.map(|quote| find(quote.text().as_bytes())),
            line_end: line_end.map_or(text.len(), |at| at + 1),
        }
    }

    /// Whether the text may begin in such a frame. A text at whose end the f-string has just ended begins
    /// behind it.
    pub(super) fn may_be_in(&self, frame: Frame) -> bool {
        match frame {
            Frame::Text(context) => match self.end(context) {
                None => false,
                Some(_) if !context.outer.is_bounded() => true,
                Some(end) => {
                    let rest = self.text.get(end..self.limit(context.outer));
                    self.is_free_until(context.outer, end)
                        && rest.is_some_and(|rest| rest.contains(&b'}'))
                }
            },
            Frame::Specification(context) | Frame::LaterSpecification(context)
                if !context.outer.is_bounded() =>
            {
                self.brace.is_some() && self.end(context).is_some()
            }
            _ => self.brace.is_some_and(|brace| {
                let quotes = frame.quotes();
                brace < self.limit(quotes) && self.is_free_until(quotes, brace) && self.ends(quotes)
            }),
        }
    }

    /// Where an f-string may end at the earliest.
    fn end(&self, context: Context) -> Option<usize> {
        let quote = context.quote;
        // Three quotes may be cut in half.
        let is_half = quote.is_triple() && self.text.first() == Some(&quote.byte());
        let found = if is_half { Some(0) } else { self.quotes[quote as usize] };
        let is_line = context.inner().is_bounded() && !quote.is_triple();
        found.filter(|&at| !is_line || at < self.line_end)
    }

    /// Whether all f-strings with these quotes may end.
    fn ends(&self, quotes: Quotes) -> bool {
        Quote::ALL.into_iter().filter(|&quote| quotes.contains(quote)).all(|quote| {
            self.quotes[quote as usize].is_some_and(|at| quote.is_triple() || at < self.line_end)
        })
    }

    /// Whether none of the quotes is in front of a place.
    fn is_free_until(&self, quotes: Quotes, end: usize) -> bool {
        Quote::ALL
            .into_iter()
            .filter(|&quote| quotes.contains(quote))
            .all(|quote| self.quotes[quote as usize].is_none_or(|at| at >= end))
    }

    /// Where text must end that is in f-strings with these quotes.
    fn limit(&self, quotes: Quotes) -> usize {
        let is_line = quotes.is_bounded() && quotes.forbid_line_breaks();
        if is_line { self.line_end } else { self.text.len() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, quote: Quote, is_in_text: bool, is_in_field: bool) {
        let beginnings = Beginnings::new(text.as_bytes());
        let context = Context { quote, is_raw: false, outer: Quotes::NONE };
        assert_eq!(beginnings.may_be_in(Frame::Text(context)), is_in_text, "{text:?}");
        assert_eq!(beginnings.may_be_in(Frame::Field(context)), is_in_field, "{text:?}");
    }

    #[test]
    fn an_fstring_must_end_and_its_fields_before_it() {
        check("a}'", Quote::Single, true, true);
        check("a'}", Quote::Single, true, false);
        check("a}\n'", Quote::Single, false, false);
        check("a}\\\n'", Quote::Single, true, true);
        check("a}\n\"\"\"", Quote::TripleDouble, true, true);
        check("\"\n", Quote::TripleDouble, true, false);
        check("a}\n", Quote::TripleDouble, false, false);
    }
}
