//! Any bytes, as what stands left of a hole, in it and right of it, under all laws of holes.
//!
//! `0xff`, which occurs in no text, stands between the three. `quotient/tests/fuzz_corpus.rs`
//! replays the inputs that `fuzz/corpus/hole` keeps.
#![no_main]

#[path = "../../quotient/tests/holes/mod.rs"]
mod holes;

libfuzzer_sys::fuzz_target!(|case: &[u8]| holes::check_case(holes::python(), case));
