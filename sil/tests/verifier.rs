//! The verifier's rules, each with a function that breaks it: the files in `verifier/`. A comment `// error: CODE` at
//! the end of a line says that a finding with this code points at the line, `// warning: CODE` that it is a warning;
//! without a comment there must be none.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::sync::Arc;

use sil::context::Context;
use sil::diagnostic::Level;
use sil::source::{SourceFile, SourceMap};

/// A line, and how bad it is with a code.
type Finding = (u32, String);

#[test]
fn rules() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verifier");
    let entries = std::fs::read_dir(&directory).expect("the directory of test files is part of the package");
    let mut paths: Vec<_> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    paths.sort();
    assert!(!paths.is_empty(), "there are test files");
    let failures: Vec<String> = paths.iter().filter_map(|path| mismatch(path)).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The differences between the findings and the comments of a file.
fn mismatch(path: &Path) -> Option<String> {
    let text = std::fs::read_to_string(path).expect("a test file is readable");
    let mut expected = expectations(&text);
    let mut found = findings(path, text);
    expected.sort();
    found.sort();
    let missing: Vec<_> = expected.iter().filter(|finding| !found.contains(finding)).collect();
    let extra: Vec<_> = found.iter().filter(|finding| !expected.contains(finding)).collect();
    let differs = !missing.is_empty() || !extra.is_empty();
    differs.then(|| format!("{}:\n  missing: {missing:?}\n  not expected: {extra:?}", path.display()))
}

fn expectations(text: &str) -> Vec<Finding> {
    let lines = (1..).zip(text.lines());
    let marked = lines.flat_map(|(number, line)| {
        let marks = ["error", "warning"]
            .into_iter()
            .filter_map(move |level| Some((level, line.split_once(&format!("// {level}: "))?.1)));
        marks.map(move |(level, codes)| (number, level, codes))
    });
    marked
        .flat_map(|(number, level, codes)| {
            codes.split(", ").map(move |code| (number, format!("{level}: {}", code.trim())))
        })
        .collect()
}

fn findings(path: &Path, text: String) -> Vec<Finding> {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new(path.to_owned(), text));
    let outcome = sil::syntax::parse(Arc::new(Context::new()), &sources, file, &Default::default());
    let diagnostics = outcome.diagnostics.into_iter().chain(sil::verify::verify(&outcome.module));
    let mut found: Vec<Finding> = diagnostics
        .map(|diagnostic| {
            let line = diagnostic.span.map_or(0, |span| sources.file(file).position(span.start).line);
            let level = match diagnostic.level {
                Level::Error => "error",
                Level::Uncompilable | Level::Warning => "warning",
            };
            (line, format!("{level}: {}", diagnostic.code))
        })
        .collect();
    found.dedup();
    found
}
