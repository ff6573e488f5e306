//! Builtins, the names that exist without being bound, by version: `grammars/python-builtins.txt`.

use std::sync::Arc;

use super::name_set::Name;

const TABLE: &str = include_str!("../../grammars/python-builtins.txt");

/// The names that only the body of a class finds, and those that only its methods do.
pub(super) const IN_CLASS: [&[u8]; 5] = [
    b"__firstlineno__",
    b"__module__",
    b"__qualname__",
    b"__static_attributes__",
    b"__type_params__",
];
pub(super) const IN_METHOD: [&[u8]; 1] = [b"__class__"];

/// The builtins of a version, sorted.
pub(super) fn builtins(version: &str) -> Arc<[Name]> {
    let mut found: Vec<Name> = Vec::new();
    let mut is_known = false;
    for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
        match line.strip_prefix("since ") {
            Some(since) => is_known = is_at_least(version, since),
            None if is_known => {
                found.extend(line.split(' ').filter(|name| !name.is_empty()).map(name))
            }
            None => {}
        }
    }
    found.sort_unstable();
    found.into()
}

/// Whether a version is `least` or a later one.
pub(super) fn is_at_least(version: &str, least: &str) -> bool {
    numbers(version) >= numbers(least)
}

fn name(text: &str) -> Name {
    text.as_bytes().into()
}

fn numbers(version: &str) -> Vec<u32> {
    version.split('.').map_while(|part| part.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_bring_names() {
        let has =
            |version, name: &str| builtins(version).iter().any(|known| **known == *name.as_bytes());
        assert!(has("3.8", "print") && has("3.14", "print"));
        assert!(!has("3.9", "aiter") && has("3.10", "aiter"));
        assert!(has("3.8", "WindowsError"), "whatever the platform");
    }
}
