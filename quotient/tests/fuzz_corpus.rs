//! The inputs that the fuzzer found worth keeping, replayed.

use std::fs;
use std::path::Path;

use super::holes::{check_case, python, shown};

#[test]
fn the_fuzzers_inputs_obey_the_laws() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus/hole");
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("the corpus")
        .map(|entry| entry.expect("a file").path())
        .collect();
    assert!(!files.is_empty());
    files.sort();
    for file in files {
        let case = fs::read(&file).expect("a case");
        eprintln!("{}: {:?}", file.display(), shown(&case));
        check_case(python(), &case);
    }
}
