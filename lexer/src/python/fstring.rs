//! Python's f-strings as lexer modes.
//!
//! Up to 3.11 CPython finds the end of an f-string first, as for any string, and parses its
//! replacement fields afterwards. A field can therefore not contain the quotes that would end any
//! f-string around it, no backslash and no comment. From 3.12 on (PEP 701) f-strings are read from
//! the left like everything else, a field may contain what code may contain, and they nest like
//! brackets: the same modes without the restrictions.
//!
//! Inside an f-string the text is read in one of four modes (literal text, the code of a field, what
//! follows a conversion, a format specification); which one follows from the top [`Frame`].

mod frames;
mod parts;
mod quotes;

pub use frames::{
    Frame, FrameChange, MAX_BRACKETS, change_frames, change_frames_at_any_depth, may_change,
};
pub use parts::{
    FSTRING_END, FSTRING_START, Part, PartPattern, RAW_FSTRING_START, RISKY_MIDDLE, TSTRING_START,
    beginnings, broken_specification, conversion_in_code, converted, declared_name, field_ends,
    of_all_quotes, quotings, specification, template_beginnings, text,
};
pub use quotes::{Context, FStringRules, Quote, Quotes, Quoting};
