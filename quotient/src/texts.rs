//! Texts from callers: bytes that may be no text, and offsets that count characters.

pub mod encoding;
pub mod offsets;
