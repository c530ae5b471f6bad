//! Inputs that fuzzing found (scripts/fuzz), as small as they get: the files in `fuzzed/`, and those that are made here
//! because they are large. Reading, verifying and printing terminate; accepted modules are printed, and the printed
//! text is accepted and prints unchanged.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

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

const HEAD: &str = "sil_stage canonical\nimport Builtin\n";

/// Large inputs whose reading once took time that grew with the square of their length, or all of the stack.
fn large_inputs() -> Vec<(&'static str, String)> {
    let function = |ty: &str| format!("{HEAD}sil @f : $@convention(thin) ({ty}) -> ()\n");
    let nested = format!("{}(){}", "@convention(thin) (".repeat(100_000), ") -> ()".repeat(100_000));
    let literal = format!("  %0 = integer_literal $Builtin.IntLiteral, {}\n", "9".repeat(300_000));
    let aliases: String = (0..20_000).map(|number| format!("typealias A{number} = A{}\n", number + 1)).collect();
    vec![
        ("nested function types", function(&nested)),
        ("a long number", format!("{HEAD}sil @f : $@convention(thin) () -> () {{\nbb0:\n{literal}}}\n")),
        ("aliases of aliases", format!("{HEAD}{aliases}typealias A20000 = ()\n")),
        ("local types in one line", format!("{HEAD}// {}\n", "#<abstract function>A.b ".repeat(300_000))),
        ("open comments", format!("{HEAD}{}", "/* ".repeat(300_000))),
        ("open strings", format!("{HEAD}{}", "\"\"\"\n".repeat(300_001))),
    ]
}

#[test]
fn large_inputs_take_little_time() {
    for (what, text) in large_inputs() {
        let start = Instant::now();
        printed(&text);
        // A second or less each, on a machine with nothing else to do.
        assert!(start.elapsed() < Duration::from_secs(60), "{what}: {:?}", start.elapsed());
    }
}

#[test]
fn wide_numbers_are_printed_as_they_are_written() {
    let numbers = ["340282366920938463463374607431768211456", "-1", "-340282366920938463463374607431768211457"];
    for number in numbers {
        let text = format!(
            "{HEAD}sil @f : $@convention(thin) () -> () {{\nbb0:\n  %0 = integer_literal $Builtin.Int256, {number}\n  unreachable\n}}\n"
        );
        let printed = printed(&text).expect("the number fits");
        assert!(printed.contains(&format!("$Builtin.Int256, {number}\n")), "{printed}");
    }
}
