//! Inputs that fuzzing found (scripts/fuzz), as small as they get: the files in `fuzzed/`, and those that are made here because they are
//! large. Reading, verifying and printing end; what is accepted is printed as text that is accepted, and is printed as it is.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::sync::Arc;

use sil::context::Context;
use sil::source::{SourceFile, SourceMap};

/// The text as it is printed. None if it is refused.
fn printed(text: &str) -> Option<String> {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("test.sil".into(), text.to_owned()));
    let outcome = sil::syntax::parse(Arc::new(Context::new()), &sources, file, &Default::default());
    if !outcome.is_ok() {
        return None;
    }
    sil::verify::verify(&outcome.module);
    Some(sil::print::print_module(&outcome.module, &sources))
}

#[test]
fn files() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzzed");
    let entries = std::fs::read_dir(&directory).expect("the directory of test files is part of the package");
    let mut count = 0;
    for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
        count += 1;
        let text = std::fs::read_to_string(&path).expect("a test file is readable");
        if let Some(first) = printed(&text) {
            let second = printed(&first);
            assert_eq!(second.as_ref(), Some(&first), "{}: {first}", path.display());
        }
    }
    assert!(count > 0, "there are test files");
}
