//! The symbols of JavaScript, one after the other, as the reader asks for them.
//!
//! The text is one of the grammar's, so nothing is checked that the grammar says. Where something comes up that this
//! reader does not know, it says so ([`Unread`]), and nothing is wrong with the text.

/// The reader does not know how to go on.
#[derive(Debug)]
pub(super) struct Unread;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ScriptToken {
    End,
    /// A name or a keyword.
    Word,
    /// `#name`
    Private,
    Number,
    Text,
    /// A part of a template; the last one or not.
    Template(bool),
    Regex,
    /// One of [`SIGNS`].
    Sign(&'static str),
}

/// The longest first.
const SIGNS: [&str; 58] = [
    ">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=", "=>", "==", "!=",
    "<=", ">=", "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
    "<<", ">>", "**", "{", "}", "(", ")", "[", "]", ";", ",", "<", ">", "+", "-", "*", "/", "%",
    "&", "|", "^", "!", "~", "?", ":", "=", ".", "@",
];

/// The place at which a text is read: the token there, and the end of the one in front.
#[derive(Clone, Debug)]
pub(super) struct Tokens<'a> {
    pub(super) text: &'a [u8],
    pub(super) token: ScriptToken,
    pub(super) start: usize,
    pub(super) end: usize,
    /// The end of the token in front.
    pub(super) last_end: usize,
    /// Whether a line ends in front of the token.
    pub(super) is_behind_line: bool,
    /// Whether `<!--` and `-->` begin comments, and where the last one did.
    has_old_comments: bool,
    pub(super) last_old_comment: Option<usize>,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a [u8], has_old_comments: bool) -> Result<Self, Unread> {
        let mut tokens = Self {
            text,
            token: ScriptToken::End,
            start: 0,
            end: 0,
            last_end: 0,
            is_behind_line: true,
            has_old_comments,
            last_old_comment: None,
        };
        if text.starts_with(b"#!") {
            tokens.end = tokens.line_end(0);
        }
        tokens.next()?;
        Ok(tokens)
    }

    fn line_end(&self, from: usize) -> usize {
        let rest = &self.text[from..];
        let ends = |at: &usize| line_break(&rest[*at..]) > 0;
        from + (0..rest.len()).find(ends).unwrap_or(rest.len())
    }

    fn skip(&mut self) -> Result<(), Unread> {
        self.is_behind_line = self.end == 0;
        loop {
            let rest = &self.text[self.end..];
            let n_break = line_break(rest);
            if n_break > 0 {
                self.is_behind_line = true;
                self.end += n_break;
            } else if rest.starts_with(b"//") {
                self.end = self.line_end(self.end);
            } else if self.has_old_comments
                && (rest.starts_with(b"<!--") || self.is_behind_line && rest.starts_with(b"-->"))
            {
                self.last_old_comment = Some(self.end);
                self.end = self.line_end(self.end);
            } else if rest.starts_with(b"/*") {
                let length = rest.windows(2).skip(2).position(|two| two == b"*/").ok_or(Unread)?;
                let comment = &rest[..length + 4];
                self.is_behind_line |= (0..comment.len()).any(|at| line_break(&comment[at..]) > 0);
                self.end += comment.len();
            } else if let Some(length) = blank(rest) {
                self.end += length;
            } else {
                return Ok(());
            }
        }
    }

    /// Goes on to the next token; a `/` divides.
    pub(super) fn next(&mut self) -> Result<(), Unread> {
        self.last_end = self.end;
        self.skip()?;
        self.start = self.end;
        let rest = &self.text[self.start..];
        let Some(&first) = rest.first() else {
            self.token = ScriptToken::End;
            return Ok(());
        };
        let (token, length) = match first {
            b'#' => (ScriptToken::Private, 1 + word_length(&rest[1..])),
            b'"' | b'\'' => (ScriptToken::Text, text_length(rest)?),
            b'`' => self.template(1)?,
            _ if first.is_ascii_digit()
                || first == b'.' && rest.get(1).is_some_and(u8::is_ascii_digit) =>
            {
                (ScriptToken::Number, number_length(rest))
            }
            _ if word_length(rest) > 0 => (ScriptToken::Word, word_length(rest)),
            _ => {
                let is_it = |sign: &&&str| rest.starts_with(sign.as_bytes());
                let sign = SIGNS.iter().find(is_it).ok_or(Unread)?;
                // `a?.5:b`
                let is_cut = *sign == "?." && rest.get(2).is_some_and(u8::is_ascii_digit);
                let sign = if is_cut { "?" } else { sign };
                (ScriptToken::Sign(sign), sign.len())
            }
        };
        if length == 0 {
            return Err(Unread);
        }
        self.token = token;
        self.end = self.start + length;
        Ok(())
    }

    /// Reads the token, a slash, as a regular expression; gives its pattern and its flags.
    pub(super) fn reread_regex(&mut self) -> Result<(&'a [u8], &'a [u8]), Unread> {
        let rest = &self.text[self.start..];
        let (mut at, mut is_in_class) = (1, false);
        loop {
            match rest.get(at).ok_or(Unread)? {
                b'\\' => at += 1,
                b'[' => is_in_class = true,
                b']' => is_in_class = false,
                b'/' if !is_in_class => break,
                b'\n' | b'\r' => return Err(Unread),
                _ => {}
            }
            at += 1;
        }
        let n_flags = part_length(&rest[at + 1..]);
        self.token = ScriptToken::Regex;
        self.end = self.start + at + 1 + n_flags;
        Ok((&rest[1..at], &rest[at + 1..at + 1 + n_flags]))
    }

    /// Reads the token, a `}`, as what ends a template's field.
    pub(super) fn reread_template(&mut self) -> Result<(), Unread> {
        let (token, length) = self.template(1)?;
        (self.token, self.end) = (token, self.start + length);
        Ok(())
    }

    fn template(&self, from: usize) -> Result<(ScriptToken, usize), Unread> {
        let rest = &self.text[self.start..];
        let mut at = from;
        loop {
            match rest.get(at).ok_or(Unread)? {
                b'\\' => at += 1,
                b'`' => return Ok((ScriptToken::Template(true), at + 1)),
                b'$' if rest.get(at + 1) == Some(&b'{') => {
                    return Ok((ScriptToken::Template(false), at + 2));
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// The token as it is written.
    pub(super) fn written_text(&self) -> &'a [u8] {
        &self.text[self.start..self.end]
    }

    pub(super) fn is_sign(&self, sign: &str) -> bool {
        self.token
            == ScriptToken::Sign(SIGNS.iter().find(|known| **known == sign).copied().unwrap_or(""))
    }

    /// Whether the token is this word, without escapes.
    pub(super) fn is_word(&self, word: &str) -> bool {
        self.token == ScriptToken::Word && self.written_text() == word.as_bytes()
    }
}

/// The length of a line break at the beginning of a text.
fn line_break(text: &[u8]) -> usize {
    match text {
        [b'\r', b'\n', ..] => 2,
        [b'\n' | b'\r', ..] => 1,
        [0xe2, 0x80, 0xa8 | 0xa9, ..] => 3,
        _ => 0,
    }
}

/// The length of a blank at the beginning of a text.
fn blank(text: &[u8]) -> Option<usize> {
    let length = match text {
        [b' ' | b'\t' | 0x0b | 0x0c, ..] => return Some(1),
        [first, ..] if *first < 0x80 => return None,
        [0xc2, ..] => 2,
        _ => 3,
    };
    let character = std::str::from_utf8(text.get(..length)?).ok()?.chars().next()?;
    let is_blank = character == '\u{feff}'
        || character.is_whitespace() && !matches!(character, '\u{85}' | '\u{2028}' | '\u{2029}');
    is_blank.then_some(length)
}

/// How many bytes of a text are a word, escapes included.
fn word_length(text: &[u8]) -> usize {
    if text.first().is_some_and(u8::is_ascii_digit) { 0 } else { part_length(text) }
}

/// How many bytes of a text are a word or go on with one.
fn part_length(text: &[u8]) -> usize {
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        let length = match byte {
            b'$' | b'_' => 1,
            _ if byte.is_ascii_alphanumeric() => 1,
            b'\\' => match text.get(at + 1..).unwrap_or_default() {
                [b'u', b'{', rest @ ..] => {
                    let end = rest.iter().position(|&byte| byte == b'}');
                    3 + end.map_or(0, |end| end + 1)
                }
                [b'u', ..] => 6,
                _ => 0,
            },
            0x80.. if blank(&text[at..]).is_none() && line_break(&text[at..]) == 0 => 1,
            _ => 0,
        };
        if length == 0 {
            break;
        }
        at += length;
    }
    at.min(text.len())
}

fn text_length(text: &[u8]) -> Result<usize, Unread> {
    let mut at = 1;
    loop {
        match text.get(at).ok_or(Unread)? {
            b'\\' if text.get(at + 1..at + 3) == Some(b"\r\n") => at += 2,
            b'\\' => at += 1,
            byte if *byte == text[0] => return Ok(at + 1),
            _ => {}
        }
        at += 1;
    }
}

fn number_length(text: &[u8]) -> usize {
    let is_prefixed = matches!(text, [b'0', b'x' | b'X' | b'b' | b'B' | b'o' | b'O', ..]);
    let is_octal = text[0] == b'0' && text.len() > 1 && text[1].is_ascii_digit();
    let is_octal = is_octal
        && !text.iter().take_while(|byte| byte.is_ascii_digit()).any(|byte| b"89".contains(byte));
    let mut at = 1;
    while let Some(&byte) = text.get(at) {
        let goes_on = byte.is_ascii_alphanumeric()
            || byte == b'_'
            || byte == b'.'
                && !is_prefixed
                && !is_octal
                && !text[..at].contains(&b'.')
                && !text[..at].iter().any(|byte| b"eEn".contains(byte))
            || matches!(byte, b'+' | b'-') && !is_prefixed && matches!(text[at - 1], b'e' | b'E');
        if !goes_on {
            break;
        }
        at += 1;
    }
    at
}
