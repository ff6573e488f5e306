//! The texts that a witness may try where names forbid the grammar's own.

use std::borrow::Cow;

use crate::python_names::names_at::{NamesAt, begins_name};
use crate::python_names::reader::{FEATURES, Form, FrameKind, Statement};
use crate::python_names::scopes::{Needs, headers};
use crate::python_names::symbols::{Name, Query};

/// The most names that are tried to end a name in progress.
const MAX_VISIBLE: usize = 8;

/// The words that a name in progress may become instead of a name.
const WORDS: [&[u8]; 13] = [
    b"None", b"True", b"False", b"lambda", b"not ", b"await ", b"pass", b"def ", b"class ",
    b"for ", b"while ", b"with ", b"import ",
];

/// The number of bytes of the right context that are searched for a binding: a comprehension is hardly longer.
const MAX_BEHIND: usize = 1 << 11;

/// Signs that end a name, or turn the text that follows into a comment.
const MARKS: [&[u8]; 6] = [b" ", b"#", b".", b",", b"\n", b"("];

impl NamesAt {
    /// The shortest visible names that begin like this, those of the text first.
    pub(super) fn visible_names(&self, prefix: &[u8]) -> Vec<Vec<u8>> {
        let frames = self.reader.frames.iter().flat_map(|frame| frame.visible());
        let scopes = self.reader.scopes.scopes.iter().rev();
        let scopes = scopes.flat_map(|scope| scope.own.iter().chain(&scope.bound_later));
        let own = scopes.chain(frames.filter(|_| !prefix.is_empty()));
        let mut found: Vec<&Name> = own.filter(|name| name.starts_with(prefix)).collect();
        found.sort_by_key(|name| (name.starts_with(b"__"), name.len()));
        let behind = self.around.right.parts.iter().flat_map(|part| part.names.iter());
        found.extend(behind.filter(|name| !prefix.is_empty() && name.starts_with(prefix)));
        let builtins = self.around.builtins.iter().filter(|name| name.starts_with(prefix));
        found.extend(builtins.filter(|name| !prefix.is_empty() || ***name == *b"id"));
        found.extend(
            self.around.known.iter().filter(|name| !prefix.is_empty() && name.starts_with(prefix)),
        );
        let declares =
            matches!(self.reader.statement.kind(), Statement::Global | Statement::Nonlocal);
        let is_visible =
            |name: &&Name| declares || self.reader.sees(Query::Name(name), &self.around);
        found.into_iter().filter(is_visible).take(MAX_VISIBLE).map(|name| name.to_vec()).collect()
    }

    /// Texts that bind the names that wait, end the name in progress, or keep it from becoming another one, in front
    /// of the right context, which begins with the rest of a word or with none.
    pub(super) fn ways_on(&self, value: &[u8], right: &[u8], rest: &[u8]) -> Vec<Vec<u8>> {
        let mut found: Vec<Vec<u8>> = Vec::new();
        if self.symbol.first().is_some_and(|&byte| begins_name(byte)) {
            let names = self.visible_names(&self.symbol);
            let features = FEATURES.iter().filter(|_| self.reader.is_of_future());
            let words = names.iter().map(Vec::as_slice).chain(features.copied()).chain(WORDS);
            let words = words.chain(self.reader.unbound()).chain(self.words_behind(right));
            let rests = words.filter_map(|word| word.strip_prefix(&self.symbol[..]));
            let rests: Vec<&[u8]> = rests.filter(|rest| !rest.is_empty()).collect();
            found.extend(rests.iter().map(|rest| rest.to_vec()));
            // The name is one target of several, or comes in front of them.
            let targets = self.unbound_variables().join(&b","[..]);
            if !targets.is_empty() {
                let ends = rests.into_iter().chain([&b""[..]]);
                found.extend(ends.map(|end| [end, b",", &targets, b" "].concat()));
                let word = b"for".strip_prefix(&self.symbol[..]);
                found.extend(word.map(|rest| [rest, b" ", &targets, b" "].concat()));
            }
            found.push([b" for ", &self.symbol[..], b" in ", value].concat());
        }
        if self.reader.statement.kind() == Statement::Start
            && self.reader.statement.header().is_async
        {
            found.push(b"def ".to_vec());
        }
        found.extend(self.words_around(&self.symbol, rest));
        found.extend(self.targets_end());
        // The right context goes on with `in`; and a name that no visible one begins like is bound where it stands.
        found.extend(self.reader.unbound().map(|name| [b" ", name, b" "].concat()));
        found.push([b":=", value].concat());
        for added in self.insertions(value) {
            found.push([value, &added].concat());
            found.push(added);
        }
        // A `=` comes behind a `:` that would end a header whose name does not exist.
        found.push([b"=", value].concat());
        found.extend([[value, b" "].concat(), b"_".to_vec()]);
        found.extend(MARKS.map(<[u8]>::to_vec));
        if self.reader.is_of_future() {
            found.push(b"division".to_vec());
        }
        found
    }

    /// The word in progress, if it may be a name.
    pub(super) fn word_in_progress(&self) -> &[u8] {
        &self.symbol
    }

    /// The rests that end the name in progress, if there is one.
    pub(super) fn ends_of_name(&self) -> Vec<Vec<u8>> {
        if self.symbol.is_empty() {
            return Vec::new();
        }
        let names = self.visible_names(&self.symbol);
        let rests = names.iter().filter_map(|name| name.strip_prefix(&self.symbol[..]));
        rests.filter(|rest| !rest.is_empty()).map(<[u8]>::to_vec).collect()
    }

    /// The middles that make a name of a word in progress, which may be empty, and the rest of one: a name that is
    /// visible, that a comprehension should bind, or that `__future__` has.
    pub(super) fn words_around(&self, begun: &[u8], rest: &[u8]) -> Vec<Vec<u8>> {
        if rest.is_empty() {
            return Vec::new();
        }
        let visible = self.visible().unwrap_or_default();
        let names = self.reader.unbound().chain(visible).chain(FEATURES);
        let middles = names.filter_map(|name| name.strip_prefix(begun)?.strip_suffix(rest));
        let added = middles.filter(|middle| !middle.is_empty());
        added.take(MAX_VISIBLE).map(<[u8]>::to_vec).collect()
    }

    /// Words of the right context that begin like the one in progress: a comprehension further right may bind them.
    fn words_behind<'a>(&self, right: &'a [u8]) -> Vec<&'a [u8]> {
        let right = &right[..right.len().min(MAX_BEHIND)];
        let words = right.split(|&byte| !begins_name(byte) && !byte.is_ascii_digit());
        let mut found: Vec<&[u8]> = Vec::new();
        for word in words.filter(|word| word.starts_with(&self.symbol)) {
            if !found.contains(&word) && found.len() < MAX_VISIBLE {
                found.push(word);
            }
        }
        found
    }

    /// The text that ends brackets whose names may become targets, and begins such brackets anew behind a `=`.
    fn targets_end(&self) -> Option<Vec<u8>> {
        let brackets = self.reader.frames.iter().map(|frame| match frame.kind {
            FrameKind::Group => Some((b'(', b')')),
            FrameKind::List => Some((b'[', b']')),
            _ => None,
        });
        let brackets: Vec<(u8, u8)> = brackets.collect::<Option<_>>()?;
        if brackets.is_empty() || self.reader.waiting.targets.candidates().is_empty() {
            return None;
        }
        let closers = brackets.iter().rev().map(|&(_, closer)| closer);
        let openers = brackets.iter().map(|&(opener, _)| opener);
        Some(closers.chain(*b" = ").chain(openers).collect())
    }

    /// Whether the lines behind need functions or loops around them.
    pub(super) fn has_needs_behind(&self) -> bool {
        let right = &self.around.right;
        right.has_needs_at_once
            || right.behind.iter().any(|(_, demands)| demands.preferred_needs() != Needs::default())
    }

    /// The beginnings of headers that the lines behind need, if a line at column `next` comes next.
    pub(super) fn headers_at(&self, next: u32) -> Vec<&'static [u8]> {
        let mut scopes = Cow::Borrowed(&*self.reader.scopes);
        if let Some(coming) = self.reader.suite.coming() {
            scopes.to_mut().open(coming.kind.clone(), Some(next), coming.scope.clone());
        }
        let right = &self.around.right;
        let Some(mut all) = scopes.headers_for(&right.behind, next) else { return Vec::new() };
        if right.has_needs_at_once {
            let any = Needs { function: true, a_loop: true, ..Needs::default() };
            all.extend(headers(any).chain(headers(Needs { async_function: true, ..any }).take(1)));
        }
        let mut found = Vec::new();
        for header in all {
            if !found.contains(&header) {
                found.push(header);
            }
        }
        found
    }

    /// Whether a statement may begin here, and none has.
    pub(super) fn is_between_statements(&self) -> bool {
        let reader = &self.reader;
        reader.statement.kind() == Statement::Start
            && reader.frames.is_empty()
            && !reader.has_open_questions()
    }

    /// Whether a header waits for its suite.
    pub(super) fn has_header(&self) -> bool {
        self.reader.suite.is_coming()
    }

    /// The columns of the suites that are open, from the innermost one outwards.
    pub(super) fn suite_columns(&self) -> Vec<u32> {
        self.reader.scopes.blocks.iter().rev().filter_map(|block| block.column).collect()
    }

    /// The name to import here.
    pub(super) fn importable_name(&self) -> &'static [u8] {
        if self.reader.statement.header().form == Form::OfFuture { b"division" } else { b"a" }
    }

    /// Texts that bind the names that wait, somewhere behind the text read so far.
    pub(super) fn insertions(&self, value: &[u8]) -> Vec<Vec<u8>> {
        let unbound = self.unbound_variables();
        let mut found = Vec::new();
        if !unbound.is_empty() {
            let targets = [b" for ", &unbound.join(&b","[..])[..]].concat();
            found.push([&targets[..], b" in ", value].concat());
            // The right context may go on with `in`.
            found.push([&targets[..], b" "].concat());
            // Or with a condition.
            found.push([&targets[..], b" in ", value, b" if ", value, b" "].concat());
        }
        found.push([b" = ", value].concat());
        found
    }

    /// The names that a comprehension should bind, each once.
    fn unbound_variables(&self) -> Vec<&[u8]> {
        let mut unbound: Vec<&[u8]> = Vec::new();
        for name in self.reader.unbound() {
            let is_variable =
                name.first().is_some_and(|&byte| begins_name(byte)) && name != b"await";
            let name = if is_variable { name } else { b"_" };
            if !unbound.contains(&name) {
                unbound.push(name);
            }
        }
        unbound
    }
}
