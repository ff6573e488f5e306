//! What the lexer is held to from outside, through what others may use of it.

mod symbols;
