//! Doubt: code that binds names which cannot be told. In a context with such code, all names are visible.
//!
//! ```text
//! from a import *     exec(code)              binds whatever it likes here
//!                     exec(code, space)       does so elsewhere, as does `return exec` in a function
//! globals()[a] = b    'a' in globals()        only asks
//! ```

use super::frames::OpenConstruct;
use super::reader::NamesReader;
use super::symbol_kinds::SymbolKind;

/// The last part of such code that the reader has met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Doubt {
    Nothing,
    /// The symbol in front of the last one is `in`.
    BehindIn,
    /// The name that has just been used is `exec`.
    BehindExec,
}

impl Doubt {
    pub(super) fn is_behind_exec(self) -> bool {
        self == Self::BehindExec
    }

    /// Notes the symbol in front of the one that is read next.
    pub(super) fn follow(&mut self, before: SymbolKind) {
        *self = match self {
            _ if before == SymbolKind::In => Self::BehindIn,
            Self::BehindExec => Self::BehindExec,
            Self::Nothing | Self::BehindIn => Self::Nothing,
        };
    }

    /// Whether the bracket that opens may be that of a call of `exec`.
    pub(super) fn take_exec(&mut self) -> bool {
        let is_exec = self.is_behind_exec();
        if is_exec {
            *self = Self::Nothing;
        }
        is_exec
    }
}

impl NamesReader {
    /// Notes a use, in a context, of a name that may bind unknown ones.
    pub(super) fn note_doubt(&mut self, name: &[u8]) {
        match name {
            b"globals" if self.doubt != Doubt::BehindIn => self.doubt_all(),
            b"exec" => self.doubt = Doubt::BehindExec,
            b"locals" | b"vars" if self.frames.iter().any(|frame| frame.is_exec) => {
                self.doubt_all();
            }
            _ => {}
        }
    }

    /// Notes an attribute: `IntEnum._convert_` puts its members into the module.
    pub(super) fn note_attribute(&mut self, name: &[u8]) {
        if name == b"_convert_" {
            self.doubt_all();
        }
    }

    /// Reads the symbol behind `exec`. If it does not call `exec`, other code may, and bind any name here. Where a
    /// function passes `exec` on, it is called among other code's own names.
    pub(super) fn follow_exec(&mut self, kind: SymbolKind) {
        if self.doubt.is_behind_exec() && kind != SymbolKind::OpenParen {
            self.doubt = Doubt::Nothing;
            let scope = self.scopes.innermost();
            if !(scope.is_function() || scope.needs.function) {
                self.doubt_all();
            }
        }
    }

    /// Ends the arguments of `exec`, the last of them with a comma or without.
    pub(super) fn end_exec(&mut self, frame: &OpenConstruct, has_last_comma: bool) {
        if frame.is_exec && frame.n_commas <= u8::from(has_last_comma) {
            self.doubt_all();
        }
    }

    /// Lets any name be bound where this is read.
    pub(super) fn doubt_all(&mut self) {
        self.scopes.scopes[0].is_open = true;
    }
}
