//! Reads and prints modules: printing gives what was read, errors are found where they are, and no cut of a text does harm.

use std::sync::Arc;

use sil::context::Context;
use sil::diagnostic::Diagnostic;
use sil::source::{SourceFile, SourceMap};
use sil::syntax::{ParseOutcome, parse};

const INSTRUCTIONS: &str = include_str!("parse/instructions.sil");

fn read(text: &str) -> (ParseOutcome, SourceMap) {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("test.sil".into(), text.to_owned()));
    let outcome = parse(Arc::new(Context::new()), &sources, file, &Default::default());
    (outcome, sources)
}

fn codes(diagnostics: &[Diagnostic]) -> Vec<&'static str> {
    diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}

#[test]
fn prints_what_it_read() {
    let (outcome, sources) = read(INSTRUCTIONS);
    assert_eq!(codes(&outcome.diagnostics), [""; 0]);
    assert_eq!(sil::print::print_module(&outcome.module, &sources).trim_end(), INSTRUCTIONS.trim_end());
}

#[test]
fn reports_every_error_of_a_body() {
    let (outcome, _) = read(
        "sil_stage canonical
import Builtin
sil @f : $@convention(thin) () -> () {
bb0:
  %0 = strct $() ()
  strong_retan %1 : $Builtin.NativeObject
  %2 = integer_literal $Builtin.Int8, 256
  %3 = integer_literal $Builtin.Int64, 1
  %3 = integer_literal $Builtin.Int64, 1
  %4 = builtin \"sadd_with_overflw_Int64\"(%3, %3) : $Builtin.Int64
  return %9 : $()
bb0:
  br bb7
}
",
    );
    let expected = [
        "unknown-instruction",
        "unknown-instruction",
        "integer-range",
        "duplicate-value",
        "unknown-builtin",
        "duplicate-block",
        "undefined-value",
        "unknown-block",
    ];
    assert_eq!(codes(&outcome.diagnostics), expected);
    let hint = outcome.diagnostics[0].hint.as_deref();
    assert_eq!(hint, Some("did you mean 'struct'?"));
}

#[test]
fn survives_a_cut_at_any_byte() {
    for end in (0..INSTRUCTIONS.len()).step_by(7).filter(|end| INSTRUCTIONS.is_char_boundary(*end)) {
        let (outcome, sources) = read(&INSTRUCTIONS[..end]);
        sil::print::print_module(&outcome.module, &sources);
    }
}
