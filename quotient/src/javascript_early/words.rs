//! Which words are names: keywords are none, and some others are none in strict code or in the code around them.

use super::reader::{Goal, Reader};
use super::tokens::{ScriptToken, Unread};
use crate::regular_expressions::is_name_part;

impl Reader<'_> {
    /// Checks the letters that the escapes of a name stand for.
    pub(super) fn check_escapes(&mut self) {
        let written = self.tokens.written_text();
        let is_name = matches!(self.tokens.token, ScriptToken::Word | ScriptToken::Private);
        if !is_name || !written.contains(&b'\\') {
            return;
        }
        let name = plain(written.strip_prefix(b"#").unwrap_or(written));
        let name = String::from_utf8_lossy(&name);
        let alphabet = self.dialect.alphabet();
        let is_whole = |(at, sign): (usize, char)| is_name_part(u32::from(sign), at == 0, alphabet);
        if !name.char_indices().all(is_whole) {
            let at = self.tokens.start;
            self.fault(at, b"", "an escape says what no name has");
        }
    }

    /// Reads a name: one that is bound, or one that is used.
    pub(super) fn name(&mut self) -> Result<(Vec<u8>, usize), Unread> {
        if self.tokens.token != ScriptToken::Word {
            return Err(Unread);
        }
        let (name, at) = (plain(self.tokens.written_text()), self.tokens.start);
        if KEYWORDS.contains(&&*name) {
            return Err(Unread);
        }
        self.check_name(&name, at);
        self.next()?;
        Ok((name, at))
    }

    pub(super) fn check_name(&mut self, name: &[u8], at: usize) {
        let function = self.function();
        let is_reserved = self.is_strict && RESERVED.contains(&name)
            || name == b"await" && (self.goal == Goal::Module || function.is_static_block)
            || name == b"await" && function.is_async
            || name == b"yield" && function.is_generator;
        let is_in_class = function.is_field || function.is_static_block;
        if is_reserved {
            self.fault(at, name, "`{}` is no name in this code");
        } else if name == b"arguments" && is_in_class {
            self.fault(at, name, "`{}` has no meaning in what initializes a class");
        } else if name == b"await" && !self.dialect.has_types {
            self.has_await_as_name = true;
        }
    }

    /// Checks a name that something is assigned to, or that is bound.
    pub(super) fn check_target(&mut self, name: &[u8], at: usize) {
        if self.is_strict && matches!(name, b"eval" | b"arguments") {
            self.fault(at, name, "`{}` is not assigned to in strict code");
        }
    }
}

/// A word without escapes.
pub(super) fn plain(written: &[u8]) -> Vec<u8> {
    let mut found = Vec::with_capacity(written.len());
    let mut rest = written;
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        if byte != b'\\' {
            found.push(byte);
            continue;
        }
        let text = String::from_utf8_lossy(rest);
        let (digits, length) = match text.strip_prefix("u{").and_then(|text| text.split_once('}')) {
            Some((digits, _)) => (digits, digits.len() + 3),
            None => (text.get(1..5).unwrap_or_default(), 5),
        };
        let code = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
        let Some(code) = code else { return written.to_vec() };
        found.extend_from_slice(code.encode_utf8(&mut [0; 4]).as_bytes());
        rest = rest.get(length..).unwrap_or_default();
    }
    found
}

/// The name that a key says: a word or a string, each without escapes.
pub(super) fn key_name(token: ScriptToken, written: &[u8]) -> Vec<u8> {
    match token {
        ScriptToken::Word => plain(written),
        ScriptToken::Text => string_value(&written[1..written.len() - 1]),
        _ => Vec::new(),
    }
}

/// What is between a string's quotes, without escapes. Half of a pair of letters is written as three bytes.
fn string_value(written: &[u8]) -> Vec<u8> {
    if !written.contains(&b'\\') {
        return written.to_vec();
    }
    let text = String::from_utf8_lossy(written);
    let mut found = Vec::with_capacity(written.len());
    let mut first_half: Option<u32> = None;
    let mut rest = &*text;
    while let Some(character) = rest.chars().next() {
        let length = escape_length(rest).unwrap_or(character.len_utf8());
        let (one, behind) = rest.split_at(length);
        rest = behind;
        let code = match one.strip_prefix('\\') {
            None => Some(u32::from(character)),
            Some(escape) => escaped_code(escape),
        };
        let Some(code) = code else { continue };
        match (first_half, code) {
            (Some(first), 0xdc00..=0xdfff) => {
                found.truncate(found.len() - 3);
                push_code(&mut found, 0x10000 + ((first - 0xd800) << 10) + (code - 0xdc00));
            }
            _ => push_code(&mut found, code),
        }
        first_half = matches!(code, 0xd800..=0xdbff).then_some(code);
    }
    found
}

/// The letter that an escape without its backslash stands for; none where a line goes on.
fn escaped_code(escape: &str) -> Option<u32> {
    let letter = escape.chars().next()?;
    let digits = escape[letter.len_utf8()..].trim_matches(['{', '}']);
    let code = match letter {
        'x' | 'u' => u32::from_str_radix(digits, 16).unwrap_or_default(),
        '0'..='7' => u32::from_str_radix(escape, 8).unwrap_or_default(),
        'n' => 0xa,
        't' => 9,
        'r' => 0xd,
        'b' => 8,
        'f' => 0xc,
        'v' => 0xb,
        '\n' | '\r' | '\u{2028}' | '\u{2029}' => return None,
        _ => u32::from(letter),
    };
    Some(code)
}

fn push_code(found: &mut Vec<u8>, code: u32) {
    match char::from_u32(code) {
        Some(letter) => found.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes()),
        None => found.extend(
            [0xe0 | code >> 12, 0x80 | code >> 6 & 0x3f, 0x80 | code & 0x3f].map(|byte| byte as u8),
        ),
    }
}

/// Whether a string has half of a pair of letters, written as an escape, without the other half.
pub(super) fn has_half_pair(written: &[u8]) -> bool {
    let text = String::from_utf8_lossy(written);
    let mut is_behind_first = false;
    let mut rest = &*text;
    while let Some(character) = rest.chars().next() {
        let length = escape_length(rest).unwrap_or(character.len_utf8());
        let digits = rest[..length].trim_start_matches("\\u").trim_matches(['{', '}']);
        let code =
            if rest.starts_with("\\u") { u32::from_str_radix(digits, 16).ok() } else { None };
        let is_second = matches!(code, Some(0xdc00..=0xdfff));
        if is_behind_first != is_second {
            return true;
        }
        is_behind_first = matches!(code, Some(0xd800..=0xdbff));
        rest = &rest[length..];
    }
    is_behind_first
}

/// How long an escape at the begin of a string is.
fn escape_length(text: &str) -> Option<usize> {
    let behind = text.strip_prefix('\\')?;
    match behind.strip_prefix('u') {
        Some(digits) if digits.starts_with('{') => Some(digits.find('}')? + 3),
        Some(digits) if digits.is_char_boundary(4) && digits.len() >= 4 => Some(6),
        _ if behind.starts_with('x') && behind.is_char_boundary(3) => Some(4),
        _ if behind.starts_with("\r\n") => Some(3),
        _ if behind.starts_with(|digit| matches!(digit, '0'..='7')) => {
            let n_digits = if behind < "4" { 3 } else { 2 };
            let is_digit = |byte: &u8| matches!(byte, b'0'..=b'7');
            Some(1 + behind.bytes().take(n_digits).take_while(is_digit).count())
        }
        _ => Some(1 + behind.chars().next()?.len_utf8()),
    }
}

/// Words that are never names.
pub(super) const KEYWORDS: [&[u8]; 36] = [
    b"break",
    b"case",
    b"catch",
    b"class",
    b"const",
    b"continue",
    b"debugger",
    b"default",
    b"delete",
    b"do",
    b"else",
    b"enum",
    b"export",
    b"extends",
    b"false",
    b"finally",
    b"for",
    b"function",
    b"if",
    b"import",
    b"in",
    b"instanceof",
    b"new",
    b"null",
    b"return",
    b"super",
    b"switch",
    b"this",
    b"throw",
    b"true",
    b"try",
    b"typeof",
    b"var",
    b"void",
    b"while",
    b"with",
];

/// Words that are no names in strict code.
const RESERVED: [&[u8]; 9] = [
    b"implements",
    b"interface",
    b"let",
    b"package",
    b"private",
    b"protected",
    b"public",
    b"static",
    b"yield",
];
