//! In which surroundings a right context may begin.
//!
//! Outside f-strings, what stands around a cut does not change how the text behind it reads. In
//! an f-string it does, and the f-string may have begun in the left context or in the hole. The
//! surroundings that are possible are listed here; whether the text fits them is found out by
//! reading it.

use fim_lexer::RawState;
use fim_lexer::fstring::{Context, FStringRules, Frame, Quote, Quotes};
use fim_lexer::suffix::Junction;

use crate::fstring_layers::free;
use crate::suffix_charts::{Frames, MAX_FSTRING_REST, Tables};

/// The surroundings in which `text` may begin, given those that the left context leaves open.
/// `fates_of` gives what becomes of the states of the mode that begins in a state.
pub(crate) fn surroundings(
    tables: &Tables<'_>,
    text: &[u8],
    left: &Frames,
    fates_of: impl FnMut(RawState) -> Vec<Junction>,
) -> Vec<Frames> {
    let description = &tables.lexer.description;
    let mut found = match description.dialect.fstrings {
        _ if description.terminal("FSTRING_START").is_none() => vec![Frames::new()],
        FStringRules::Bounded => bounded(text, left),
        FStringRules::Free => free(tables, text, left, fates_of),
    };
    if !found.contains(left) {
        found.push(left.clone());
    }
    found
}

/// Up to Python 3.11: an f-string ends with its quotes, whatever is in between, so few can be
/// open in front of a text. One that the left context leaves open may end anywhere.
fn bounded(text: &[u8], left: &Frames) -> Vec<Frames> {
    let near = Near::new(&text[..text.len().min(MAX_FSTRING_REST)]);
    let mut search = Search { near, left, found: vec![Frames::new()] };
    search.add_fstrings(search.near.text.len(), &[], 0, Quotes::NONE);
    search.found
}

/// The beginning of a right context. Its own beginnings, which f-strings in each other have of it,
/// are asked for again and again, by their lengths.
struct Near<'a> {
    text: &'a [u8],
    /// How many closing brackets each beginning has.
    n_closers: Vec<usize>,
    /// By how many, at most, the closers outnumber the openers in front of a place of a beginning.
    n_unmatched: Vec<usize>,
    /// The end of the line, where no backslash joins the next one to it.
    line_end: usize,
    /// Where each kind of quotes first occurs; of three, where no backslash of the text is in front
    /// that takes one away.
    quotes: [Option<usize>; 4],
    /// Where they first occur whatever stands in front of the text. It may begin with backslashes and
    /// quotes, and then one more backslash in the hole makes the difference.
    sure_quotes: [Option<usize>; 4],
    closing_brace: Option<usize>,
}

impl<'a> Near<'a> {
    fn new(text: &'a [u8]) -> Self {
        let mut n_closers = vec![0];
        let mut n_unmatched = vec![0];
        let mut balance = 0_isize;
        for byte in text {
            let (mut closers, mut most) =
                (n_closers[n_closers.len() - 1], n_unmatched[n_unmatched.len() - 1]);
            match byte {
                b')' | b']' | b'}' => {
                    closers += 1;
                    balance += 1;
                }
                b'(' | b'[' | b'{' => balance -= 1,
                _ => {}
            }
            most = most.max(balance.max(0).unsigned_abs());
            n_closers.push(closers);
            n_unmatched.push(most);
        }
        let first = |quote: Quote, is_sought: fn(bool, bool) -> bool| {
            let needle = quote.text().as_bytes();
            let found = |&(at, window): &(usize, &[u8])| {
                let n_backslashes =
                    text[..at].iter().rev().take_while(|&&byte| byte == b'\\').count();
                window == needle && is_sought(n_backslashes % 2 == 1, n_backslashes == at)
            };
            text.windows(needle.len()).enumerate().find(found).map(|(at, _)| at)
        };
        let quotes = Quote::ALL.map(|quote| match quote.is_triple() {
            true => first(quote, |is_escaped, is_unsure| !is_escaped || is_unsure),
            false => first(quote, |_, _| true),
        });
        let sure_quotes =
            Quote::ALL.map(|quote| first(quote, |is_escaped, is_unsure| !is_escaped && !is_unsure));
        let closing_brace = text.iter().position(|&byte| byte == b'}');
        let line_end = line_end(text);
        Self { text, n_closers, n_unmatched, line_end, quotes, sure_quotes, closing_brace }
    }

    /// The number of closing brackets between two places.
    fn closers(&self, start: usize, end: usize) -> usize {
        self.n_closers[end] - self.n_closers[start]
    }

    /// The first of these quotes' characters in a beginning, or its end.
    fn first_quote(&self, length: usize, quote: Quote) -> usize {
        let single =
            Quote::ALL.iter().find(|single| !single.is_triple() && single.byte() == quote.byte());
        let found = single.and_then(|&single| self.quotes[single as usize]);
        found.map_or(length, |at| at.min(length))
    }

    /// Where, in a beginning, an f-string with these three quotes ends if a backslash in the hole takes
    /// one of the first ones away.
    fn until_sure_quote(&self, length: usize, quote: Quote) -> Option<usize> {
        let (first, sure) = (self.quotes[quote as usize], self.sure_quotes[quote as usize]);
        sure.filter(|at| quote.is_triple() && first != sure && at + 3 <= length)
    }

    /// Where, in a beginning, an f-string with these quotes ends at the latest.
    fn until_quote(&self, length: usize, quote: Quote) -> Option<usize> {
        if quote.is_triple() {
            let end = self.quotes[quote as usize].filter(|at| at + 3 <= length);
            // Three quotes may themselves be cut in half.
            let is_half = length > 0 && self.text[0] == quote.byte();
            return end.or(is_half.then_some(0));
        }
        let line = &self.text[..length.min(self.line_end)];
        line.iter().rposition(|&byte| byte == quote.byte())
    }
}

/// The end of the first line. A backslash, perhaps in front of the text, lets a string go on in the
/// next line.
fn line_end(text: &[u8]) -> usize {
    let mut previous = b'\\';
    let line = text.iter().position(|&byte| {
        let is_break = matches!(byte, b'\n' | b'\r') && previous != b'\\';
        let is_second_half = byte == b'\n' && previous == b'\r';
        if !(matches!(byte, b'\n' | b'\r') && previous == b'\\') || byte == b'\n' {
            previous = byte;
        } else {
            // Behind a backslash and `\r`, a `\n` belongs to the same break.
            previous = b'\\';
        }
        is_break && !is_second_half
    });
    line.unwrap_or(text.len())
}

/// The places inside f-strings that begin in the hole.
struct Search<'a> {
    near: Near<'a>,
    left: &'a Frames,
    found: Vec<Frames>,
}

impl Search<'_> {
    /// Adds all places inside the f-strings that may begin directly in `around`, and in the f-strings
    /// inside of those. The f-string around has `length` bytes of the right context, where `n_closers`
    /// brackets close what is open around the place.
    fn add_fstrings(&mut self, length: usize, around: &[Frame], n_closers: usize, outer: Quotes) {
        let contexts = Context::all(FStringRules::Bounded).filter(|context| context.outer == outer);
        for context in contexts {
            let is_open = self.left.contains(&Frame::Text(context));
            let end = self.near.until_quote(length, context.quote);
            let Some(inside) = end.or(is_open.then_some(length)) else { continue };
            let first_end = self.near.first_quote(length, context.quote);
            if !is_open && self.near.closers(first_end, length) < n_closers {
                continue;
            }
            let fstring = [around, &[Frame::Text(context)]].concat();
            self.add_places(inside, &fstring, context);
            if let Some(sure) = self.near.until_sure_quote(length, context.quote) {
                self.add_specifications(sure, &fstring, context);
            }
            // An f-string in a field ends in front of what closes the field.
            let n_closers = |n_brackets| if is_open { 0 } else { n_brackets };
            let mut place = [&fstring[..], &[Frame::Field(context)]].concat();
            let n_unmatched = self.near.n_unmatched[inside];
            for n_brackets in 0..=n_unmatched.min(MAX_BRACKETS_AROUND_FSTRING) {
                let n_closers = n_closers(n_brackets + 1);
                self.add_fstrings(inside, &place, n_closers, context.inner());
                place.push(Frame::Bracket(0, context.inner()));
            }
            let place =
                [&fstring[..], &[Frame::Specification(context), Frame::Field(context)]].concat();
            self.add_fstrings(inside, &place, n_closers(2), context.inner());
        }
    }

    /// Adds all places directly inside one f-string, which has `length` bytes of the right context.
    fn add_places(&mut self, length: usize, fstring: &[Frame], context: Context) {
        let mut add = |frames: &[Frame]| {
            let mut all = Frames::from_slice(fstring);
            all.extend_from_slice(frames);
            self.found.push(all);
        };
        add(&[]);
        if self.near.closing_brace.is_none_or(|at| at >= length) {
            return;
        }
        let specification = Frame::Specification(context);
        // The closer of the field itself is one of them.
        let n_closers = self.near.closers(0, length);
        let n_brackets = n_closers.min(FEW_BRACKETS).max(self.near.n_unmatched[length]) - 1;
        let n_brackets = n_brackets.min(MAX_FIELD_BRACKETS);
        let brackets = vec![Frame::Bracket(0, context.inner()); n_brackets];
        for outer in [&[][..], &[specification][..]] {
            for inner in [Frame::Field(context), Frame::Converted(context), specification] {
                add(&[outer, &[inner]].concat());
            }
            for n_brackets in 1..=brackets.len() {
                add(&[outer, &[Frame::Field(context)], &brackets[..n_brackets]].concat());
            }
        }
    }

    /// Adds the specifications inside an f-string, the only places in fields where a backslash may be.
    fn add_specifications(&mut self, length: usize, fstring: &[Frame], context: Context) {
        let specification = Frame::Specification(context);
        for depth in 1..=self.near.closers(0, length).min(2) {
            let mut all = Frames::from_slice(fstring);
            all.extend(std::iter::repeat_n(specification, depth));
            self.found.push(all);
        }
    }
}

/// The deepest nesting of brackets in a replacement field around a cut that is looked for.
pub(crate) const MAX_FIELD_BRACKETS: usize = 60;

/// The most brackets between a field and an f-string in it, both begun in the hole.
const MAX_BRACKETS_AROUND_FSTRING: usize = 4;

/// So many brackets are looked for wherever there are as many closers. More are rare, and looked
/// for where closers outnumber openers: brackets in strings count as well then.
const FEW_BRACKETS: usize = 8;
