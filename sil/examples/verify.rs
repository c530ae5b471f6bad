//! Parses and verifies SIL files, prints the errors and the times of both. For development.

use std::sync::Arc;
use std::time::Instant;

fn main() {
    let (mut bytes, mut parsing, mut verifying) = (0, 0.0, 0.0);
    let (mut refused, mut failed) = (0, 0);
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let most: usize = std::env::var("MOST").ok().and_then(|most| most.parse().ok()).unwrap_or(3);
    for path in &arguments {
        let Ok(text) = std::fs::read_to_string(path) else {
            println!("{path}: not readable");
            continue;
        };
        let mut sources = sil::source::SourceMap::default();
        let length = text.len();
        let file = sources.add(sil::source::SourceFile::new(path.into(), text));
        let context = Arc::new(sil::context::Context::new());
        let start = Instant::now();
        let outcome = sil::syntax::parse(context, &sources, file, &Default::default());
        let parsed = start.elapsed().as_secs_f64();
        refused += usize::from(!outcome.is_ok());
        let start = Instant::now();
        let findings = sil::verify::verify(&outcome.module);
        bytes += length;
        parsing += parsed;
        verifying += start.elapsed().as_secs_f64();
        failed += usize::from(!findings.is_empty());
        let parse_errors = outcome.diagnostics.iter().map(|diagnostic| ("parse", diagnostic)).take(most);
        for (phase, diagnostic) in parse_errors.chain(findings.iter().map(|finding| ("verify", finding)).take(most)) {
            let Some(span) = diagnostic.span else { continue };
            let position = sources.file(file).position(span.start);
            let function = diagnostic.function.map_or("", |name| outcome.module.context.text(name));
            println!(
                "{path}:{}:{}: {phase}: {} [{}] @{function}",
                position.line, position.column, diagnostic.message, diagnostic.code
            );
            println!("    {}", sources.file(file).line(position.line).chars().take(240).collect::<String>());
            for note in &diagnostic.notes {
                let line = note.span.map_or(0, |span| sources.file(file).position(span.start).line);
                println!("    note: line {line}: {}", note.message);
            }
        }
    }
    let megabytes = bytes as f64 / 1e6;
    println!(
        "{refused} refused, {failed} failed of {}; {megabytes:.1} MB, parsed at {:.1} MB/s, verified at {:.1} MB/s",
        arguments.len(),
        megabytes / parsing,
        megabytes / verifying
    );
}
