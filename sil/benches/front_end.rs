//! How fast the front end is, in bytes of text a second: lexing, parsing, verifying, printing; parsing and verifying on
//! one thread and on all.
//!
//! The input is a module of scripts/large-module (Python), or, where the environment variable SILC_CORPUS names a
//! folder, the .sil files in it.

#![expect(clippy::expect_used, reason = "a benchmark without its input ends by panicking")]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime};
use rayon::{ThreadPool, ThreadPoolBuilder};
use sil::context::Context;
use sil::source::{FileId, SourceFile, SourceMap};
use sil::syntax::ParseOutcome;
use sil::syntax::lexer::{Lexer, Token};

/// Groups of functions in the generated module: about 2 MB.
const GROUPS: &str = "500";

struct Input {
    sources: SourceMap,
    file: FileId,
}

impl Input {
    fn new(text: String) -> Self {
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new("bench.sil".into(), text));
        Self { sources, file }
    }

    fn text(&self) -> &str {
        &self.sources.file(self.file).text
    }

    fn parse(&self) -> ParseOutcome {
        sil::syntax::parse(Arc::new(Context::new()), &self.sources, self.file, &Default::default())
    }
}

fn inputs() -> Vec<Input> {
    let texts = match std::env::var_os("SILC_CORPUS") {
        Some(folder) => {
            files_in(Path::new(&folder)).iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect()
        }
        None => vec![generated()],
    };
    texts.into_iter().map(Input::new).collect()
}

fn generated() -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/large-module");
    let output = Command::new(script).arg(GROUPS).output().expect("scripts/large-module needs Python 3");
    String::from_utf8(output.stdout).expect("the script writes UTF-8")
}

fn files_in(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .collect();
    entries.sort();
    let (folders, files): (Vec<_>, Vec<_>) = entries.into_iter().partition(|path| path.is_dir());
    let files = files.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "sil"));
    files.chain(folders.iter().flat_map(|folder| files_in(folder))).collect()
}

fn lex(text: &str) -> usize {
    let mut lexer = Lexer::new(text, 0);
    std::iter::from_fn(|| Some(lexer.lexeme().token).filter(|token| *token != Token::End)).count()
}

/// Measures `work` on one thread and on all.
fn on_threads(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, work: impl Fn() + Sync) {
    let mut counts = vec![1, std::thread::available_parallelism().map_or(1, usize::from)];
    counts.dedup();
    for count in counts {
        let pool: ThreadPool = ThreadPoolBuilder::new().num_threads(count).build().expect("threads can be made");
        group.bench_function(format!("{name}/{count}"), |bencher| bencher.iter(|| pool.install(&work)));
    }
}

fn front_end(criterion: &mut Criterion) {
    let inputs = inputs();
    let parsed: Vec<ParseOutcome> = inputs.iter().map(Input::parse).collect();
    let mut group = criterion.benchmark_group("front end");
    group.sample_size(20);
    group.throughput(Throughput::Bytes(inputs.iter().map(|input| input.text().len() as u64).sum()));
    group.bench_function("lex", |bencher| {
        bencher.iter(|| inputs.iter().map(|input| lex(input.text())).sum::<usize>());
    });
    on_threads(&mut group, "parse", || inputs.iter().for_each(|input| drop(black_box(input.parse()))));
    on_threads(&mut group, "verify", || {
        parsed.iter().for_each(|outcome| drop(black_box(sil::verify::verify(&outcome.module))));
    });
    group.bench_function("print", |bencher| {
        let print =
            |(input, outcome): (&Input, &ParseOutcome)| sil::print::print_module(&outcome.module, &input.sources).len();
        bencher.iter(|| inputs.iter().zip(&parsed).map(print).sum::<usize>());
    });
    group.finish();
}

criterion_group!(benches, front_end);
criterion_main!(benches);
