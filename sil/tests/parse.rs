//! Reads and prints modules: they print as they were read, errors have the right locations, and truncated texts do
//! no harm.

use std::sync::Arc;

use sil::context::Context;
use sil::diagnostic::Diagnostic;
use sil::source::{SourceFile, SourceMap};
use sil::syntax::{ParseOutcome, parse};

const INSTRUCTIONS: &str = include_str!("parse/instructions.sil");
const ENTITIES: &str = include_str!("parse/entities.sil");

fn read(text: &str) -> (ParseOutcome, SourceMap) {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("test.sil".into(), text.to_owned()));
    let outcome = parse(Arc::new(Context::new()), &sources, file, &Default::default());
    (outcome, sources)
}

fn codes(diagnostics: &[Diagnostic]) -> Vec<&'static str> {
    diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}

fn assert_printed(text: &str, expected: &str) {
    let (outcome, sources) = read(text);
    assert_eq!(codes(&outcome.diagnostics), [""; 0]);
    assert_eq!(sil::print::print_module(&outcome.module, &sources).trim_end(), expected.trim_end());
}

#[test]
fn prints_what_it_read() {
    assert_printed(INSTRUCTIONS, INSTRUCTIONS);
}

#[test]
fn prints_the_entities_that_it_read() {
    for text in [
        ENTITIES,
        include_str!("parse/functions.sil"),
        include_str!("parse/witness_tables.sil"),
        include_str!("parse/embedded_entities.sil"),
    ] {
        assert_printed(text, text);
    }
}

#[test]
fn prints_older_spellings_as_todays() {
    assert_printed(include_str!("parse/older_spellings.sil"), include_str!("parse/older_spellings.printed.sil"));
}

#[test]
fn reads_a_text_without_sil() {
    for text in ["", "// nothing\n", "/* nothing */"] {
        assert_printed(text, "sil_stage raw\n\nimport Builtin\nimport Swift\nimport SwiftShims\n");
    }
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
    // A module that imports Swift takes longer to read.
    for (text, step) in [(INSTRUCTIONS, 7), (ENTITIES, 101)] {
        for end in (0..text.len()).step_by(step).filter(|end| text.is_char_boundary(*end)) {
            let (outcome, sources) = read(&text[..end]);
            sil::print::print_module(&outcome.module, &sources);
        }
    }
}

#[test]
fn what_stands_after_a_body_is_read() {
    let function = "sil @f : $@convention(thin) () -> () {\nbb0:\n  unreachable\n}";
    let text = |rest: &str| format!("sil_stage canonical\nimport Builtin\n{function}{rest}\n");
    assert_eq!(codes(&read(&text(" // end sil function 'f'")).0.diagnostics), [""; 0]);
    assert_eq!(codes(&read(&text("\n\nsil_")).0.diagnostics), ["syntax"]);
    assert_eq!(codes(&read(&text("\n\nfunc g")).0.diagnostics), ["syntax"]);
}
