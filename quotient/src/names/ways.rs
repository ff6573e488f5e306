//! What a witness may try where names are against the grammar's own.

use super::declarations::FEATURES;
use super::name_set::{Name, Query};
use super::{NamesAt, begins_name};

/// So many names are tried to end one that was begun.
const MAX_VISIBLE: usize = 8;

/// What a name in progress may become that is none.
const WORDS: [&[u8]; 12] = [
    b"None", b"True", b"False", b"lambda", b"not ", b"pass", b"def ", b"class ", b"for ",
    b"while ", b"with ", b"import ",
];

/// What ends a name, or leaves what follows to a comment.
const MARKS: [&[u8]; 6] = [b" ", b"#", b".", b",", b"\n", b"("];

impl NamesAt {
    /// The shortest visible names that begin like this, those of the text first.
    pub(crate) fn visible_names(&self, prefix: &[u8]) -> Vec<Vec<u8>> {
        let scopes = self.reader.scopes.scopes.iter().rev();
        let scopes = scopes.flat_map(|scope| scope.own.iter().chain(&scope.bound_later));
        let mut found: Vec<&Name> = scopes.filter(|name| name.starts_with(prefix)).collect();
        found.sort_by_key(|name| (name.starts_with(b"__"), name.len()));
        let behind = self.around.right.parts.iter().flat_map(|part| part.names.iter());
        found.extend(behind.filter(|name| !prefix.is_empty() && name.starts_with(prefix)));
        let builtins = self.around.builtins.iter().filter(|name| name.starts_with(prefix));
        found.extend(builtins.filter(|name| !prefix.is_empty() || ***name == *b"id"));
        found.extend(
            self.around.known.iter().filter(|name| !prefix.is_empty() && name.starts_with(prefix)),
        );
        let is_visible = |name: &&Name| self.reader.sees(Query::Name(name), &self.around);
        found.into_iter().filter(is_visible).take(MAX_VISIBLE).map(|name| name.to_vec()).collect()
    }

    /// Texts that bind what waits for it, end the name in progress, or keep it from becoming another one.
    pub(crate) fn ways_on(&self, value: &[u8]) -> Vec<Vec<u8>> {
        let mut found: Vec<Vec<u8>> = Vec::new();
        if self.symbol.first().is_some_and(|&byte| begins_name(byte)) {
            let names = self.visible_names(&self.symbol);
            let features = FEATURES.iter().filter(|_| self.reader.is_of_future());
            let words = names.iter().map(Vec::as_slice).chain(features.copied()).chain(WORDS);
            let rests = words.filter_map(|word| word.strip_prefix(&self.symbol[..]));
            found.extend(rests.filter(|rest| !rest.is_empty()).map(<[u8]>::to_vec));
            found.push([b" for ", &self.symbol[..], b" in ", value].concat());
        }
        for added in self.insertions(value) {
            found.push([value, &added].concat());
            found.push(added);
        }
        found.extend([[value, b" "].concat(), b"_".to_vec()]);
        found.extend(MARKS.map(<[u8]>::to_vec));
        if self.reader.is_of_future() {
            found.push(b"division".to_vec());
        }
        found
    }

    /// What an import may bring here.
    pub(crate) fn imported(&self) -> &'static [u8] {
        if self.reader.header.has_future { b"division" } else { b"a" }
    }

    /// Texts that bind what waits for it, somewhere behind what has been read.
    pub(crate) fn insertions(&self, value: &[u8]) -> Vec<Vec<u8>> {
        let mut unbound: Vec<&[u8]> = Vec::new();
        for name in self.reader.unbound() {
            let is_variable =
                name.first().is_some_and(|&byte| begins_name(byte)) && name != b"await";
            let name = if is_variable { name } else { b"_" };
            if !unbound.contains(&name) {
                unbound.push(name);
            }
        }
        let mut found = Vec::new();
        if !unbound.is_empty() {
            found.push([b" for ", &unbound.join(&b","[..])[..], b" in ", value].concat());
        }
        found.push([b" = ", value].concat());
        found
    }
}
