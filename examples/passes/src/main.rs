//! `extract-forwarding FILE.sil` prints the module after the pass. Exit status: 0 for success; 1 for an error in the
//! module; 2 for wrong usage.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use sil::context::Context;
use sil::diagnostic::Diagnostic;
use sil::model::Module;
use sil::source::{SourceFile, SourceMap};
use sil::syntax::ParseOptions;

fn main() -> ExitCode {
    let Some(path) = std::env::args_os().nth(1) else {
        eprintln!("usage: extract-forwarding FILE.sil");
        return ExitCode::from(2);
    };
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("error: cannot read '{}': {error}", Path::new(&path).display());
            return ExitCode::FAILURE;
        }
    };
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new(path.into(), text));
    let outcome = sil::syntax::parse(Arc::new(Context::new()), &sources, file, &ParseOptions::default());
    match forwarded(outcome.module, outcome.diagnostics) {
        Ok(module) => {
            print!("{}", sil::print::print_module(&module, &sources));
            ExitCode::SUCCESS
        }
        Err(diagnostics) => {
            diagnostics.iter().for_each(|diagnostic| report(diagnostic, &sources));
            ExitCode::FAILURE
        }
    }
}

/// The module after the pass, verified before and after it.
fn forwarded(mut module: Module, read: Vec<Diagnostic>) -> Result<Module, Vec<Diagnostic>> {
    let none = |diagnostics: Vec<Diagnostic>| if diagnostics.is_empty() { Ok(()) } else { Err(diagnostics) };
    none(read)?;
    none(sil::verify::verify(&module))?;
    none(extract_forwarding::run(&mut module))?;
    none(sil::verify::verify(&module))?;
    Ok(module)
}

fn report(diagnostic: &Diagnostic, sources: &SourceMap) {
    if let Some(span) = diagnostic.span {
        let file = sources.file(span.file);
        let position = file.position(span.start);
        eprint!("{}:{}:{}: ", file.path.display(), position.line, position.column);
    }
    eprintln!("error: {}", diagnostic.message);
}
