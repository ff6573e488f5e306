//! What the engine is held to from outside, through what others may use of it.

mod branching;
mod chains;
mod corpus;
mod cuts;
mod directions;
mod frames;
mod fuzz_corpus;
mod holes;
mod insertions;
mod laws;
mod small;
