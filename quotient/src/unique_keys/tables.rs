//! The tables of a TOML text, as far as it decides what may be defined next.
//!
//! Tables are shared by copies until one changes, so a copy costs nothing and a definition what its own path is wide.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Key;

/// The value behind a key.
#[derive(Clone, Debug)]
enum Node {
    /// A value, be it an array or an inline table: all of it stands where it is written.
    Value,
    Table(Arc<Table>),
    /// An array of tables, by its last one.
    Tables(Arc<Table>),
}

/// A table.
#[derive(Clone, Default, Debug)]
pub(super) struct Table {
    nodes: FxHashMap<Key, Node>,
    /// Whether a header has defined it.
    has_header: bool,
    /// The last section in which a dotted key went through it, which closes it to those that follow.
    dotted_in: Option<u32>,
}

/// Something is defined already.
#[derive(Debug)]
pub(super) struct Twice;

impl Table {
    fn is_closed(&self, section: u32) -> bool {
        self.has_header || self.dotted_in.is_some_and(|own| own < section)
    }

    /// The table behind a path of keys, made where it is not there, the last one of each array.
    fn behind(&mut self, path: &[Key]) -> Result<&mut Self, Twice> {
        let Some((key, rest)) = path.split_first() else { return Ok(self) };
        let node = self.nodes.entry(Key::clone(key)).or_insert_with(|| Node::Table(Arc::default()));
        match node {
            Node::Value => Err(Twice),
            Node::Table(table) | Node::Tables(table) => Arc::make_mut(table).behind(rest),
        }
    }

    /// `[path]`.
    pub(super) fn define_table(&mut self, path: &[Key], section: u32) -> Result<(), Twice> {
        let Some((key, front)) = path.split_last() else { return Ok(()) };
        let parent = self.behind(front)?;
        match parent.nodes.get_mut(key) {
            None => {
                let table = Self { has_header: true, ..Self::default() };
                parent.nodes.insert(Key::clone(key), Node::Table(Arc::new(table)));
                Ok(())
            }
            Some(Node::Table(table)) if !table.is_closed(section) => {
                Arc::make_mut(table).has_header = true;
                Ok(())
            }
            Some(_) => Err(Twice),
        }
    }

    /// `[[path]]`.
    pub(super) fn add_table(&mut self, path: &[Key]) -> Result<(), Twice> {
        let Some((key, front)) = path.split_last() else { return Ok(()) };
        let parent = self.behind(front)?;
        let is_free = matches!(parent.nodes.get(key), None | Some(Node::Tables(_)));
        if !is_free {
            return Err(Twice);
        }
        parent.nodes.insert(Key::clone(key), Node::Tables(Arc::default()));
        Ok(())
    }

    /// `path = ...` in the section whose header is this.
    pub(super) fn define_key(
        &mut self,
        header: &[Key],
        path: &[Key],
        section: u32,
    ) -> Result<(), Twice> {
        let Some((key, dotted)) = path.split_last() else { return Ok(()) };
        let mut table = self.behind(header)?;
        for part in dotted {
            let node =
                table.nodes.entry(Key::clone(part)).or_insert_with(|| Node::Table(Arc::default()));
            match node {
                Node::Table(inner) if !inner.is_closed(section) => {
                    table = Arc::make_mut(inner);
                    table.dotted_in = Some(section);
                }
                _ => return Err(Twice),
            }
        }
        if table.nodes.contains_key(key) {
            return Err(Twice);
        }
        table.nodes.insert(Key::clone(key), Node::Value);
        Ok(())
    }

    /// Whether nothing can be defined by a key that begins with this path, nor by the path itself.
    pub(super) fn is_shut(&self, header: &[Key], path: &[Key], section: u32) -> bool {
        let mut table = self;
        for (index, part) in header.iter().chain(path).enumerate() {
            match table.nodes.get(part) {
                None => return false,
                Some(Node::Value) => return true,
                Some(Node::Table(inner)) => {
                    if index >= header.len() && inner.is_closed(section) {
                        return true;
                    }
                    table = inner;
                }
                Some(Node::Tables(inner)) => {
                    if index >= header.len() {
                        return true;
                    }
                    table = inner;
                }
            }
        }
        false
    }

    /// Whether a path leads through a value, so that no header can begin with it.
    pub(super) fn has_value_on(&self, path: &[Key]) -> bool {
        let mut table = self;
        for part in path {
            match table.nodes.get(part) {
                None => return false,
                Some(Node::Value) => return true,
                Some(Node::Table(inner) | Node::Tables(inner)) => table = inner,
            }
        }
        false
    }

    /// Whether a path leads through an array of tables, which may get another one.
    pub(super) fn has_tables_on(&self, path: &[Key]) -> bool {
        let mut table = self;
        for part in path {
            match table.nodes.get(part) {
                Some(Node::Table(inner)) => table = inner,
                Some(Node::Tables(_)) => return true,
                None | Some(Node::Value) => return false,
            }
        }
        false
    }
}
