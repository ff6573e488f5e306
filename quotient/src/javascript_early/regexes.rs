//! What is wrong with a regular expression, as far as its flags say it.

/// Why no regular expression has these flags.
pub(super) fn fault(_pattern: &[u8], flags: &[u8]) -> Option<&'static str> {
    let is_unknown = flags.iter().any(|flag| !b"dgimsuvy".contains(flag));
    let is_repeated = (1..flags.len()).any(|index| flags[..index].contains(&flags[index]));
    let is_both = flags.contains(&b'u') && flags.contains(&b'v');
    (is_unknown || is_repeated || is_both).then_some("no regular expression has the flags `{}`")
}
