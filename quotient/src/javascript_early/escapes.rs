//! Escapes that names may have, to end those that a text has begun.

use crate::regular_expressions::{Alphabet, is_name_part};

/// More digits than these need not be added.
const MAX_ADDED: u32 = 4;

/// The bytes that end the escape at a text's end so that any name may have it; none where no escape is in progress, or
/// none of those is left.
pub(super) fn name_escape_end(text: &[u8], alphabet: Alphabet) -> Option<Vec<u8>> {
    let start = text.iter().rposition(|&byte| byte == b'\\')? + 1;
    let begun = std::str::from_utf8(&text[start..]).ok()?;
    if begun.is_empty() {
        return Some(b"u{61}".to_vec());
    }
    let digits = begun.strip_prefix('u')?;
    let (digits, is_long) = digits.strip_prefix('{').map_or((digits, false), |long| (long, true));
    let n_added = (4 - u32::try_from(digits.len()).ok()?.min(4)).min(MAX_ADDED);
    let lengths = if is_long { 0..=MAX_ADDED } else { n_added..=n_added };
    lengths.flat_map(|length| (0..16_u32.pow(length)).map(move |added| (length, added))).find_map(
        |(length, added)| {
            let added = if length == 0 {
                String::new()
            } else {
                format!("{added:0length$x}", length = length as usize)
            };
            let code = u32::from_str_radix(&[digits, &added].concat(), 16).ok()?;
            let is_name = char::from_u32(code).is_some() && is_name_part(code, true, alphabet);
            let end = if is_long { "}" } else { "" };
            is_name.then(|| [&added, end].concat().into_bytes())
        },
    )
}

#[cfg(test)]
mod tests {
    use super::name_escape_end;
    use crate::regular_expressions::Alphabet;

    #[test]
    fn escapes_end_as_letters() {
        for (text, end) in [
            ("a\\", Some("u{61}")),
            ("\\u", Some("0024")),
            ("\\u{", Some("24}")),
            ("\\u{1", Some("00}")),
            ("\\u004", Some("1")),
            ("\\u{61", Some("}")),
            ("\\u{11", Some("0}")),
            ("\\n", None),
            ("abc", None),
        ] {
            let found = name_escape_end(text.as_bytes(), Alphabet::Newest);
            assert_eq!(found.as_deref(), end.map(str::as_bytes), "{text}");
        }
    }
}
