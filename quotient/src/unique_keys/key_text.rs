//! Texts of keys: the key that each written text stands for.

use super::Key;

/// The keys of a symbol: the parts of one with dots, or a string.
pub(super) fn keys(text: &[u8]) -> Vec<Key> {
    match text.first() {
        Some(b'"') => vec![decoded_string(inside(text)).into()],
        Some(b'\'') => vec![inside(text).into()],
        _ => {
            let parts = text.trim_ascii().split(|&byte| byte == b'.');
            parts.filter(|part| !part.is_empty()).map(Key::from).collect()
        }
    }
}

fn inside(text: &[u8]) -> &[u8] {
    text.get(1..text.len().saturating_sub(1)).unwrap_or_default()
}

/// A string's text with escapes of JSON or TOML read. Lone halves of pairs stay apart from all else, and from each
/// other.
pub(super) fn decoded_string(text: &[u8]) -> Vec<u8> {
    let mut found = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        if byte != b'\\' {
            found.push(byte);
            continue;
        }
        let Some((&sign, behind)) = rest.split_first() else { break };
        rest = behind;
        let plain = match sign {
            b'b' => 8,
            b't' => b'\t',
            b'n' => b'\n',
            b'f' => 12,
            b'r' => b'\r',
            b'e' => 27,
            b'x' | b'u' | b'U' => {
                let length = match sign {
                    b'x' => 2,
                    b'u' => 4,
                    _ => 8,
                };
                let Some(code) = hexadecimal(rest, length) else { break };
                rest = &rest[length..];
                let low = rest.strip_prefix(b"\\u").and_then(|rest| hexadecimal(rest, 4));
                let pair = low.filter(|low| {
                    (0xd800..0xdc00).contains(&code) && (0xdc00..0xe000).contains(low)
                });
                let code = match pair {
                    Some(low) => {
                        rest = &rest[6..];
                        0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00)
                    }
                    None => code,
                };
                match char::from_u32(code) {
                    Some(character) => {
                        found.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                    }
                    // As it is written in UTF-8 that is none.
                    None => found.extend([
                        0xed,
                        0x80 | (code >> 6 & 0x3f) as u8,
                        0x80 | (code & 0x3f) as u8,
                    ]),
                }
                continue;
            }
            other => other,
        };
        found.push(plain);
    }
    found
}

fn hexadecimal(text: &[u8], length: usize) -> Option<u32> {
    let digits = std::str::from_utf8(text.get(..length)?).ok()?;
    u32::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_compared_by_what_they_say() {
        let check = |text: &str, expected: &[&str]| {
            let found = keys(text.as_bytes());
            let found: Vec<_> = found.iter().map(|key| String::from_utf8_lossy(key)).collect();
            assert_eq!(found, expected, "{text}");
        };
        check("a", &["a"]);
        check("a.b-c.", &["a", "b-c"]);
        check("1979-05-27 ", &["1979-05-27"]);
        check("'a.b'", &["a.b"]);
        check("\"\\u0061\\n\\x62\"", &["a\nb"]);
        check("\"\\ud83d\\ude00\"", &["\u{1f600}"]);
        check("\"\\U0001F600\"", &["\u{1f600}"]);
        check("\"\"", &[""]);
        assert_ne!(decoded_string(b"\\ud800"), decoded_string(b"\\ud801"));
    }
}
