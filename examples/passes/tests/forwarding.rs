//! The program on `Inputs/forwarding.sil`: it prints `Inputs/forwarding.expected.sil`.
#![expect(clippy::expect_used, reason = "tests fail by panicking")]

use std::path::Path;
use std::process::Command;

#[test]
fn extracted_parts_are_what_went_in() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/Inputs");
    let output = Command::new(env!("CARGO_BIN_EXE_extract-forwarding")).arg(folder.join("forwarding.sil")).output();
    let output = output.expect("the program runs");
    let expected = std::fs::read_to_string(folder.join("forwarding.expected.sil")).expect("the file is there");
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{}", String::from_utf8_lossy(&output.stderr));
}
