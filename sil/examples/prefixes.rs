//! Cuts SIL files short at every STEPth byte and reads them: `prefixes [STEP] FILE…` (by default 997).
//!
//! No prefix may crash or take long, and a prefix that ends within an entity must be refused. What is accepted is
//! counted by how the text ends, and prefixes that end in the middle of a line are printed: each of them must be a
//! whole module by chance, such as one whose last line is a function's declaration, cut before the brace of its body.
//! Ends with status 1 if anything crashed.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use sil::context::Context;
use sil::source::{SourceFile, SourceMap};

/// A prefix that takes longer is printed.
const SLOW: Duration = Duration::from_secs(2);

/// The outcomes of the prefixes.
#[derive(Default)]
struct Tally {
    prefixes: usize,
    bytes: usize,
    crashes: usize,
    accepted: BTreeMap<&'static str, usize>,
}

fn main() -> std::process::ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let step = arguments.first().and_then(|first| first.parse().ok());
    if step.is_some() {
        arguments.remove(0);
    }
    let mut tally = Tally::default();
    for path in &arguments {
        match std::fs::read_to_string(path) {
            Ok(text) => sweep(path, &text, step.unwrap_or(997), &mut tally),
            Err(error) => println!("{path}: {error}"),
        }
    }
    println!(
        "{} prefixes of {} files, {:.1} GB of text: {} crashes; accepted: {:?}",
        tally.prefixes,
        arguments.len(),
        tally.bytes as f64 / 1e9,
        tally.crashes,
        tally.accepted
    );
    std::process::ExitCode::from(u8::from(tally.crashes > 0))
}

fn sweep(path: &str, text: &str, step: usize, tally: &mut Tally) {
    for cut in (step..text.len()).step_by(step) {
        let cut = text.floor_char_boundary(cut);
        let prefix = &text[..cut];
        tally.prefixes += 1;
        tally.bytes += cut;
        let start = Instant::now();
        let Ok(accepted) = catch_unwind(AssertUnwindSafe(|| is_accepted(prefix))) else {
            println!("{path}: the prefix of {cut} bytes crashes");
            tally.crashes += 1;
            continue;
        };
        if start.elapsed() > SLOW {
            println!("{path}: the prefix of {cut} bytes takes {:.1} s", start.elapsed().as_secs_f64());
        }
        if accepted {
            let kind = ending(prefix);
            *tally.accepted.entry(kind).or_default() += 1;
            if kind == WITHIN_LINE {
                let line = prefix.rsplit('\n').next().unwrap_or_default();
                let rest = text[cut..].lines().next().unwrap_or_default();
                println!("{path}: the prefix of {cut} bytes is accepted: {line} | {rest}");
            }
        }
    }
}

/// Whether a text is a valid module.
fn is_accepted(text: &str) -> bool {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("prefix".into(), text.to_owned()));
    let outcome = sil::syntax::parse(Arc::new(Context::new()), &sources, file, &Default::default());
    outcome.is_ok() && sil::verify::verify(&outcome.module).is_empty()
}

const WITHIN_LINE: &str = "within a line";

/// How a text ends.
fn ending(text: &str) -> &'static str {
    let (before, line) = text.rsplit_once('\n').unwrap_or(("", text));
    let line = line.trim_start();
    if line.starts_with("//") || line == "/" {
        "in a comment"
    } else if !line.is_empty() {
        if line.starts_with('}') { "behind a brace" } else { WITHIN_LINE }
    } else if before.trim_end().ends_with('}') {
        "behind a line with a brace"
    } else {
        "behind another line"
    }
}
