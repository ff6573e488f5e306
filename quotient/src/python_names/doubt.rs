//! What binds names that cannot be told: where a context has it, all names are visible.
//!
//! ```text
//! from a import *     exec(code)              binds whatever it likes here
//!                     exec(code, space)       does so elsewhere, as does `return exec` in a function
//! globals()[a] = b    'a' in globals()        only asks
//! ```

use super::frames::OpenConstruct;
use super::kinds::SymbolKind;
use super::reader::Reader;

impl Reader {
    /// A context uses a name that may be an unknown one's source.
    pub(super) fn note_doubt(&mut self, name: &[u8]) {
        match name {
            b"globals" if !self.is_behind_in => self.doubt_all(),
            b"exec" => self.is_behind_exec = true,
            b"locals" | b"vars" if self.frames.iter().any(|frame| frame.is_exec) => {
                self.doubt_all();
            }
            _ => {}
        }
    }

    /// `IntEnum._convert_` puts its members into the module.
    pub(super) fn note_attribute(&mut self, name: &[u8]) {
        if name == b"_convert_" {
            self.doubt_all();
        }
    }

    /// Reads the symbol behind `exec`: whatever is not a call of it may be one elsewhere. Whom a function gives it
    /// to calls it among names of their own.
    pub(super) fn follow_exec(&mut self, kind: SymbolKind) {
        if self.is_behind_exec && kind != SymbolKind::OpenParen {
            self.is_behind_exec = false;
            let scope = self.scopes.innermost();
            if !(scope.is_function() || scope.needs.function) {
                self.doubt_all();
            }
        }
    }

    /// The arguments of `exec` have ended, the last of them with a comma or without.
    pub(super) fn end_exec(&mut self, frame: &OpenConstruct, has_last_comma: bool) {
        if frame.is_exec && frame.n_commas <= u8::from(has_last_comma) {
            self.doubt_all();
        }
    }

    /// Any name may be bound where this is read.
    pub(super) fn doubt_all(&mut self) {
        self.scopes.scopes[0].is_open = true;
    }
}
