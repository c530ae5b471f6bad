//! The pass `add_zero` on `Inputs/add_zero.sil`: the sums of zero are gone, and the module is valid.
#![expect(clippy::expect_used, reason = "tests fail by panicking")]

use std::path::Path;
use std::sync::Arc;

use sil::context::Context;
use sil::source::{SourceFile, SourceMap};
use sil::syntax::ParseOptions;

#[test]
fn sums_of_zero_are_their_other_operand() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/Inputs/add_zero.sil");
    let text = std::fs::read_to_string(&path).expect("the file is there");
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new(path, text));
    let mut outcome = sil::syntax::parse(Arc::new(Context::new()), &sources, file, &ParseOptions::default());
    let found = extract_forwarding::add_zero::run(&mut outcome.module);
    assert!(outcome.diagnostics.is_empty() && found.is_empty());
    assert_eq!(sil::verify::verify(&outcome.module).len(), 0);
    let text = sil::print::print_module(&outcome.module, &sources);
    let count = |part: &str| text.matches(part).count();
    assert_eq!((count("add_Int32"), count("sub_Int32"), count("return %0")), (1, 1, 1), "{text}");
}
