//! Parses SIL files, prints what is wrong, and tells how fast it was. For development.

use std::sync::Arc;
use std::time::Instant;

fn main() {
    let mut failed = 0;
    let (mut bytes, mut seconds) = (0, 0.0);
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let most: usize = std::env::var("MOST").ok().and_then(|most| most.parse().ok()).unwrap_or(3);
    for path in &arguments {
        let Ok(text) = std::fs::read_to_string(path) else {
            println!("{path}: not readable");
            continue;
        };
        bytes += text.len();
        let mut sources = sil::source::SourceMap::default();
        let file = sources.add(sil::source::SourceFile::new(path.into(), text));
        let context = Arc::new(sil::context::Context::new());
        let start = Instant::now();
        let outcome = sil::syntax::parse(context, &sources, file, &Default::default());
        seconds += start.elapsed().as_secs_f64();
        if !outcome.is_ok() {
            failed += 1;
        }
        for diagnostic in outcome.diagnostics.iter().take(most) {
            let Some(span) = diagnostic.span else { continue };
            let position = sources.file(file).position(span.start);
            println!("{path}:{}:{}: {}", position.line, position.column, diagnostic.message);
            println!("    {}", sources.file(file).line(position.line).chars().take(240).collect::<String>());
        }
    }
    println!(
        "{failed} of {} failed; {:.1} MB at {:.1} MB/s",
        arguments.len(),
        bytes as f64 / 1e6,
        bytes as f64 / 1e6 / seconds
    );
}
