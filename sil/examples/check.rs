//! Parses SIL files, prints the errors and the time taken. For development.

use std::sync::Arc;
use std::time::Instant;

fn main() {
    let (mut failed, mut unstable) = (0, 0);
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
        } else if std::env::var_os("PRINT").is_some() {
            let first = sil::print::print_module(&outcome.module, &sources);
            let mut again = sil::source::SourceMap::default();
            let file = again.add(sil::source::SourceFile::new("printed".into(), first.clone()));
            let outcome = sil::syntax::parse(Arc::new(sil::context::Context::new()), &again, file, &Default::default());
            for diagnostic in outcome.diagnostics.iter().take(most) {
                let Some(span) = diagnostic.span else { continue };
                let position = again.file(file).position(span.start);
                println!("{path}: printed:{}:{}: {}", position.line, position.column, diagnostic.message);
                println!("    {}", again.file(file).line(position.line).chars().take(240).collect::<String>());
            }
            let second = sil::print::print_module(&outcome.module, &again);
            if first != second {
                unstable += 1;
                let differing = first.lines().zip(second.lines()).find(|(first, second)| first != second);
                println!("{path}: printing twice gives another text: {differing:?}");
            }
            if std::env::var_os("SHOW").is_some() {
                println!("{first}");
            }
        }
        for diagnostic in outcome.diagnostics.iter().take(most) {
            let Some(span) = diagnostic.span else { continue };
            let position = sources.file(file).position(span.start);
            println!("{path}:{}:{}: {}", position.line, position.column, diagnostic.message);
            println!("    {}", sources.file(file).line(position.line).chars().take(240).collect::<String>());
        }
    }
    println!(
        "{failed} of {} failed, {unstable} unstable; {:.1} MB at {:.1} MB/s",
        arguments.len(),
        bytes as f64 / 1e6,
        bytes as f64 / 1e6 / seconds
    );
}
