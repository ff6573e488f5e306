//! Strings with fields in them, as lexer modes. Python's f-strings are an instance, which its grammar declares.
//!
//! A grammar declares how such strings begin, how they are quoted, what their text is, and how a field opens and
//! closes ([`Frames`]). No quote, prefix or terminal of a language is named here; the kinds of parts that a string
//! has, and the limits, are CPython's.
//!
//! Fields are of one of two kinds ([`FieldRules`]). Where they are bounded, the end of a string is found first, as
//! for any string, and its fields are read afterwards, as Python does up to 3.11: a field can therefore not contain
//! the quotes that would end any string around it, nor the beginning of an escape, nor a comment. Where they are free
//! (PEP 701), strings are read from the left like everything else, a field may contain all that code may contain, and
//! they nest like brackets: the same modes without the restrictions.
//!
//! JavaScript's templates are no frames, but symbols that the parser chooses (`scanner/branches.rs`), which a `}` may
//! go on with. Python's f-strings could not be such symbols: up to 3.11 a field may hold none of the quotes around
//! it, so strings, and with them all rules of expressions, would be there once for each of the 15 sets of quotes; and
//! whether a line break counts depends on them, while symbols that the parser chooses are read without lines.
//! JavaScript leaves slashes and semicolons to the parser in any case, and templates cost it no more. A grammar has
//! frames or forks, not both.
//!
//! Inside a string the text is read in one of four modes (literal text, the code of a field, the rest behind a
//! conversion, a format specification); the top [`Frame`] decides which.
//!
//! Reading order: `quotes`, `stack`, `declaration`, `strings`, `patterns`.

mod declaration;
mod patterns;
mod quotes;
mod stack;
mod strings;

pub use declaration::{Declaration, Part, Prefix, QuoteDescription, TextDescription};
pub use patterns::PartPattern;
pub(crate) use patterns::literal;
pub use quotes::{FieldRules, Quote, Quotes, Quoting, StringBeginning, StringContext};
pub use stack::{
    Frame, FrameChange, MAX_BRACKETS, change_frames, change_frames_at_any_depth, may_change,
};
pub use strings::Frames;
