//! The text of `silc opt --help`: the syntax, the most common options, and the names of all passes.

use std::fmt::Write;

use sil::transform::Pass;

const USAGE: &str = "\
Run passes by their names, as Swift's sil-opt does, with its options

Usage: silc opt FILE.sil [-O | -Osize | -Onone | -diagnostics] [-PASS …] [-o OUT]

  FILE.sil                       The module; `-` is standard input
  -o OUT                         Where the text goes; standard output by default
  -O                             Make raw SIL canonical and run the passes that make programs fast
  -Osize                         The same for programs that are to be small
  -Onone                         Make raw SIL canonical, and nothing else
  -diagnostics                   The same, without later passes
  -enable-sil-verify-all         Verify the module after every pass
  -sil-library FILE.sil          A library as SIL, which bodies are linked from
  -enable-experimental-feature Embedded
                                 The module is Embedded Swift; its text tells by default
  -wmo                           The module is compiled as a whole
  -module-name NAME              What the module is called
  -assert-conf-id N              Which assertions the program checks, as the standard library numbers them
  -sil-disable-pass PASS         Leave a pass out
  -sil-print-around PASS         Print functions before and after a pass
  -sil-print-types               Write the types of operands
  -h, --help                     Print this

Other options of sil-opt are read too; what silc does not have is an error. Passes run in the order in which they are named:

";

/// Returns the whole text.
pub(super) fn text() -> String {
    let mut text = USAGE.to_owned();
    let mut passes = Pass::ALL.to_vec();
    passes.sort_unstable_by_key(|pass| pass.name());
    for pass in passes {
        // Writing to a string does not fail.
        let _ = writeln!(text, "  -{}\n        {}", pass.name(), pass.summary());
    }
    text
}
