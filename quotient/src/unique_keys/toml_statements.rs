//! The statements of a right context, read alone: its definitions, and their places.

use rustc_hash::FxHashSet;

use super::Key;
use super::tables::{Table, Twice};

/// A statement: the definition in a line.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    /// Where its line begins.
    pub(super) line: usize,
    pub(super) kind: StatementKind,
    pub(super) path: Box<[Key]>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StatementKind {
    /// `[path]`
    Table,
    /// `[[path]]`
    Tables,
    /// `path = ...`
    Pair,
}

/// Where a text stands: in which table, and in which section.
#[derive(Clone, Default, Debug)]
pub(super) struct Defined {
    pub(super) root: std::sync::Arc<Table>,
    pub(super) header: Box<[Key]>,
    pub(super) section: u32,
}

impl Defined {
    /// Follows a statement, as far as it may stand.
    pub(super) fn define(&mut self, kind: StatementKind, path: &[Key]) -> Result<(), Twice> {
        let root = std::sync::Arc::make_mut(&mut self.root);
        if kind == StatementKind::Pair {
            return root.define_key(&self.header, path, self.section);
        }
        self.section += 1;
        self.header = path.into();
        match kind {
            StatementKind::Tables => root.add_table(path),
            _ => root.define_table(path, self.section),
        }
    }
}

/// A right context's statements.
#[derive(Debug, Default)]
pub(super) struct Statements {
    /// From where they are known, if a line begins there.
    starts: Vec<usize>,
    all: Vec<Statement>,
    /// The tables and the values that it surely defines, by their whole paths, and what these lead through.
    tables: FxHashSet<Box<[Key]>>,
    values: FxHashSet<Box<[Key]>>,
    through: FxHashSet<Box<[Key]>>,
}

impl Statements {
    /// `starts` has the beginning, if that reads alone, and the first line that begins behind it.
    pub(super) fn new(starts: Vec<usize>, all: Vec<Statement>) -> Self {
        let surely = starts.last().copied().unwrap_or(0);
        let mut found = Self { starts, ..Self::default() };
        let mut arrays: Vec<&[Key]> = Vec::new();
        let mut header: Option<&[Key]> = None;
        for Statement { kind, path, line } in &all {
            if *line < surely {
                continue;
            }
            let front = match kind {
                StatementKind::Pair => header,
                _ => Some(&[][..]),
            };
            match kind {
                StatementKind::Pair => {}
                StatementKind::Tables => {
                    arrays.push(path);
                    header = None;
                }
                StatementKind::Table => header = Some(path),
            }
            if header.is_some_and(|header| arrays.iter().any(|array| header.starts_with(array))) {
                header = None;
            }
            let (Some(front), true) = (front, header.is_some()) else { continue };
            let whole: Box<[Key]> = front.iter().chain(path).cloned().collect();
            for length in 1..whole.len() {
                found.through.insert(whole[..length].into());
                if length > front.len() && *kind == StatementKind::Pair {
                    found.tables.insert(whole[..length].into());
                }
            }
            match kind {
                StatementKind::Pair => found.values.insert(whole),
                _ => found.tables.insert(whole),
            };
        }
        found.all = all;
        found
    }

    /// Whether a definition is at odds with one that stands here, whatever comes in between.
    pub(super) fn forbids(&self, defined: &Defined, kind: StatementKind, path: &[Key]) -> bool {
        let n_front = if kind == StatementKind::Pair { defined.header.len() } else { 0 };
        let whole: Box<[Key]> = defined.header[..n_front].iter().chain(path).cloned().collect();
        if self.all.is_empty() || defined.root.has_tables_on(&whole) {
            return false;
        }
        let has_value = (1..=whole.len()).any(|length| self.values.contains(&whole[..length]));
        let has_table = match kind {
            StatementKind::Pair => {
                self.through.contains(&whole)
                    || (n_front + 1..=whole.len())
                        .any(|length| self.tables.contains(&whole[..length]))
            }
            _ => self.tables.contains(&whole),
        };
        has_value || has_table
    }

    /// The lines from an offset on that are at odds with something in front of them; none where they are not known
    /// from there on.
    pub(super) fn faults(&self, mut defined: Defined, from: usize) -> Option<Vec<usize>> {
        self.starts.contains(&from).then(|| {
            let wrong = |one: &&Statement| defined.define(one.kind, &one.path).is_err();
            let behind = self.all.iter().filter(|one| one.line >= from);
            behind.filter(wrong).map(|one| one.line).collect()
        })
    }

    /// The lines that are at odds with something in front of them if nothing comes in between.
    pub(super) fn old_faults(&self, defined: &Defined, is_at_line_start: bool) -> Vec<usize> {
        let first = if is_at_line_start { self.starts.first() } else { self.starts.last() };
        first.and_then(|&first| self.faults(defined.clone(), first)).unwrap_or_default()
    }
}
