//! The reader of TOML: which keys, tables and arrays of tables there are, where it stands.

use std::sync::Arc;

use fim_lexer::{Lexer, TerminalId};
use smallvec::SmallVec;

use super::key_text::keys;
use super::tables::Table;
use super::toml_statements::{Defined, Statement, StatementKind, Statements};
use super::{Key, twice, twice_behind};
use crate::laws::{SymbolFault, SymbolLaw, read_alone};

/// The kind of a symbol, as far as keys are concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TomlKind {
    /// A word that may be a key, and a value as well.
    Word,
    Newline,
    Equals,
    /// One or more `[`, with their number.
    Open(u8),
    Close(u8),
    OpenBrace,
    CloseBrace,
    Comma,
    Other,
}

impl TomlKind {
    fn of(terminal: &str) -> Self {
        match terminal {
            "WORD" | "FLOAT" | "BARE_KEY" | "DOTTED_KEY" | "OPEN_KEY" | "STRING" | "LITERAL" => {
                Self::Word
            }
            "NEWLINE" => Self::Newline,
            "=" => Self::Equals,
            "[" => Self::Open(1),
            "[[" => Self::Open(2),
            "]" => Self::Close(1),
            "]]" => Self::Close(2),
            "{" => Self::OpenBrace,
            "}" => Self::CloseBrace,
            "," => Self::Comma,
            _ => Self::Other,
        }
    }
}

/// A frame that is open.
#[derive(Clone, Debug)]
enum TomlFrame {
    Header(StatementKind),
    Array,
    Inline(Arc<Table>),
}

/// Which part of a text is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TomlPart {
    /// The left context: a fault there is its author's.
    Left,
    Hole,
    Right,
    /// A right context that is read alone: its statements are listed.
    Alone,
}

/// The state of the law behind a text.
#[derive(Clone, Debug)]
pub(super) struct Toml {
    kinds: Arc<[TomlKind]>,
    defined: Defined,
    frames: SmallVec<[TomlFrame; 2]>,
    key: SmallVec<[Key; 2]>,
    /// Whether a key or a header may come, and no value.
    expects_key: bool,
    part: TomlPart,
    right: Arc<Statements>,
    /// The lines of the right context that are wrong without a text in the hole, too.
    old_faults: Arc<[usize]>,
    /// Where the line begins, in the right context.
    line: usize,
    listed: Vec<Statement>,
    is_broken: bool,
}

impl Toml {
    pub(super) fn new(lexer: &Lexer) -> Self {
        Self {
            kinds: lexer.description.names().map(TomlKind::of).collect(),
            defined: Defined::default(),
            frames: SmallVec::new(),
            key: SmallVec::new(),
            expects_key: true,
            part: TomlPart::Left,
            right: Arc::default(),
            old_faults: Arc::default(),
            line: 0,
            listed: Vec::new(),
            is_broken: false,
        }
    }

    fn is_at_line_start(&self) -> bool {
        self.frames.is_empty() && self.expects_key && self.key.is_empty()
    }

    /// The fault of a key that is defined already, unless it is fine.
    fn judged(&self, is_fine: bool, key: &[Key]) -> Result<(), SymbolFault> {
        let is_wrong = match self.part {
            TomlPart::Left | TomlPart::Alone => false,
            TomlPart::Hole => !is_fine,
            TomlPart::Right => !is_fine && !self.old_faults.contains(&self.line),
        };
        if is_wrong { Err(twice(key)) } else { Ok(()) }
    }

    /// Defines the key that has just been written.
    fn define(&mut self, kind: StatementKind) -> Result<(), SymbolFault> {
        let key = std::mem::take(&mut self.key);
        if let Some(TomlFrame::Inline(table)) = self.frames.last_mut() {
            let is_fine = Arc::make_mut(table).define_key(&[], &key, 0).is_ok();
            return self.judged(is_fine, &key);
        }
        if self.part == TomlPart::Alone {
            self.is_broken |= key.is_empty() || !self.frames.is_empty();
            self.listed.push(Statement { line: self.line, kind, path: key.to_vec().into() });
            return Ok(());
        }
        let is_forbidden =
            self.part == TomlPart::Hole && self.right.forbids(&self.defined, kind, &key);
        let is_fine = self.defined.define(kind, &key).is_ok();
        self.judged(is_fine && !is_forbidden, &key)
    }

    /// Whether nothing can be defined that begins with these keys.
    fn is_shut(&self, key: &[Key]) -> bool {
        match self.frames.last() {
            Some(TomlFrame::Inline(table)) => table.is_shut(&[], key, 0),
            Some(TomlFrame::Header(_)) => self.defined.root.has_value_on(key),
            _ => self.defined.root.is_shut(&self.defined.header, key, self.defined.section),
        }
    }

    /// The statements of a right context from a byte on, if it can be read from there.
    fn read_alone(&self, lexer: &Lexer, right: &[u8], from: usize) -> Option<Vec<Statement>> {
        let mut alone = Self::new(lexer);
        alone.part = TomlPart::Alone;
        let is_read = read_alone(&mut alone, lexer, right, from, |law, offset| {
            if law.is_at_line_start() {
                law.line = offset;
            }
        });
        let is_whole = alone.frames.is_empty() && alone.key.is_empty() && !alone.is_broken;
        (is_read && is_whole).then_some(alone.listed)
    }

    fn close(&mut self, n_brackets: u8) -> Result<(), SymbolFault> {
        self.expects_key = false;
        if let Some(TomlFrame::Header(kind)) = self.frames.last() {
            let kind = *kind;
            self.frames.pop();
            return self.define(kind);
        }
        for _ in 0..n_brackets {
            self.is_broken |= !matches!(self.frames.pop(), Some(TomlFrame::Array));
        }
        Ok(())
    }
}

impl SymbolLaw for Toml {
    type Right = Statements;

    fn wants_text(&self) -> bool {
        self.expects_key
    }

    fn symbol(&mut self, terminal: TerminalId, text: &[u8]) -> Result<(), SymbolFault> {
        let kind = self.kinds.get(terminal.index()).copied().unwrap_or(TomlKind::Other);
        match kind {
            TomlKind::Word if self.expects_key => {
                self.key.extend(keys(text));
                return self.judged(!self.is_shut(&self.key), &self.key);
            }
            TomlKind::Equals => {
                self.expects_key = false;
                return self.define(StatementKind::Pair);
            }
            TomlKind::Open(n_brackets) if self.is_at_line_start() => {
                let kind =
                    if n_brackets == 2 { StatementKind::Tables } else { StatementKind::Table };
                self.frames.push(TomlFrame::Header(kind));
            }
            TomlKind::Open(n_brackets) => {
                self.frames.extend((0..n_brackets).map(|_| TomlFrame::Array));
            }
            TomlKind::Close(n_brackets) => return self.close(n_brackets),
            TomlKind::OpenBrace => {
                self.frames.push(TomlFrame::Inline(Arc::default()));
                self.expects_key = true;
            }
            TomlKind::CloseBrace => {
                self.is_broken |= !matches!(self.frames.pop(), Some(TomlFrame::Inline(_)));
                self.expects_key = false;
                self.key.clear();
            }
            TomlKind::Comma => {
                self.expects_key = matches!(self.frames.last(), Some(TomlFrame::Inline(_)));
                self.is_broken |= self.frames.is_empty();
            }
            TomlKind::Newline if self.frames.is_empty() => {
                self.is_broken |= !self.key.is_empty();
                self.key.clear();
                self.expects_key = true;
            }
            _ => {}
        }
        Ok(())
    }

    fn check_begun(&self, begun: &[u8]) -> Result<(), SymbolFault> {
        if begun == b"]"
            && matches!(self.frames.last(), Some(TomlFrame::Header(StatementKind::Table)))
        {
            // It could become `]]`, but not here.
            return self.clone().close(1);
        }
        let has_parts = self.expects_key
            && begun.last() == Some(&b'.')
            && begun.first().is_some_and(|byte| !b"\"'#".contains(byte));
        if !has_parts {
            return Ok(());
        }
        let mut key = self.key.clone();
        key.extend(keys(begun));
        self.judged(!self.is_shut(&key), &key)
    }

    fn harm(&self, begun: &[u8]) -> u8 {
        match begun.first() {
            // A key is defined behind one of several signs.
            _ if !self.expects_key => b'=',
            Some(&begin @ (b'"' | b'\'' | b'#')) => begin,
            _ => b'a',
        }
    }

    fn is_harmless(harm: u8, token: &[u8]) -> bool {
        let is_bare = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
        match harm {
            b'=' => !token.iter().any(|byte| b"\n,{=".contains(byte)),
            b'#' => !token.contains(&b'\n'),
            b'a' => token.iter().all(is_bare),
            quote => !token.contains(&quote),
        }
    }

    fn read_right(&self, lexer: &Lexer, right: &[u8]) -> Statements {
        let has_long = |quotes: &[u8]| right.windows(3).any(|found| found == quotes);
        let first_line = right.iter().position(|&byte| byte == b'\n').map(|at| at + 1);
        let first_line = first_line.filter(|_| !has_long(b"\"\"\"") && !has_long(b"'''"));
        let Some(first_line) = first_line else { return Statements::default() };
        if let Some(all) = self.read_alone(lexer, right, 0) {
            return Statements::new(vec![0, first_line], all);
        }
        let all = self.read_alone(lexer, right, first_line);
        all.map(|all| Statements::new(vec![first_line], all)).unwrap_or_default()
    }

    fn begin_hole(&mut self, right: &Arc<Statements>, is_between: bool) {
        self.part = TomlPart::Hole;
        self.right = Arc::clone(right);
        self.old_faults =
            right.old_faults(&self.defined, is_between && self.is_at_line_start()).into();
    }

    fn end_hole(&mut self) {
        self.part = TomlPart::Right;
        self.line = 0;
    }

    fn rest(&mut self, offset: usize) -> Option<Result<(), SymbolFault>> {
        if !self.is_at_line_start() {
            return None;
        }
        self.line = offset;
        let faults = self.right.faults(self.defined.clone(), offset)?;
        let is_new = faults.iter().any(|line| !self.old_faults.contains(line));
        Some(if is_new { Err(twice_behind()) } else { Ok(()) })
    }

    fn ways_on(&self) -> Vec<Vec<u8>> {
        [&b"\n[key-of-its-own]\n"[..], b"[key-of-its-own]\n", b"-"].map(<[u8]>::to_vec).into()
    }
}
