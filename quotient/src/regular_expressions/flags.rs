//! The flags of a literal.

/// Whether no regular expression has these flags.
pub(super) fn are_wrong(flags: &[u8]) -> bool {
    let is_unknown = flags.iter().any(|flag| !b"dgimsuvy".contains(flag));
    let is_repeated = (1..flags.len()).any(|index| flags[..index].contains(&flags[index]));
    let is_both = flags.contains(&b'u') && flags.contains(&b'v');
    is_unknown || is_repeated || is_both
}
