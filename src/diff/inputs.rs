//! What is compared: files and folders to LLVM's text, compiled by silc where they hold SIL.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use compare::atoms::Atoms;
use compare::read::Source;
use compare::report::Entry;
use compare::{Part, Parts};
use irgen::compile::PhaseTimes;
use irgen::emit::ModuleOutput;
use sil::diagnostic::Diagnostic;
use sil::source::{SourceFile, SourceMap, Span};

use super::variants::{Variant, variants};
use crate::arguments::{DiffOptions, InputOptions};
use crate::build;
use crate::load::{self, Verification};
use crate::report::{Reporter, Status};

/// Two sides to compare.
struct Pair {
    title: String,
    a: Side,
    b: Side,
}

/// A file, and how it is compiled if it holds SIL.
struct Side {
    path: PathBuf,
    variant: Variant,
}

/// Reads and compares all pairs that the options name.
pub fn entries(options: &DiffOptions, reporter: &Reporter) -> Result<Vec<Entry>, Status> {
    let ignored = ignored(options, reporter)?;
    pairs(options, reporter)?.into_iter().map(|pair| entry(pair, ignored, options, reporter)).collect()
}

fn entry(pair: Pair, ignored: Parts, options: &DiffOptions, reporter: &Reporter) -> Result<Entry, Status> {
    let mut atoms = Atoms::default();
    let mut read = |side: &Side| -> Result<_, Status> {
        Ok(compare::read::read(source(side, options, reporter)?, ignored, &mut atoms))
    };
    let (a, b) = (read(&pair.a)?, read(&pair.b)?);
    Ok(Entry { title: pair.title, comparison: compare::compare(a, b, atoms, None) })
}

fn name(side: &Side) -> String {
    match kind(&side.path) {
        Kind::Sil => format!("{} {}", side.path.display(), side.variant.name()),
        Kind::Llvm => side.path.display().to_string(),
    }
}

fn ignored(options: &DiffOptions, reporter: &Reporter) -> Result<Parts, Status> {
    let part = |name: &String| {
        Part::from_name(name).ok_or_else(|| {
            let known: Vec<&str> = Part::optional().map(Part::name).collect();
            let hint = format!("parts that can be ignored: {}", known.join(", "));
            reporter.error(&format!("there is no part '{name}' to ignore"), Some(&hint));
            Status::Usage
        })
    };
    options.ignore.iter().map(part).collect()
}

fn pairs(options: &DiffOptions, reporter: &Reporter) -> Result<Vec<Pair>, Status> {
    let variants = variants(options);
    match (&options.a, &options.b, &variants[..]) {
        (a, Some(b), [variant]) if a.is_dir() && b.is_dir() => folders(a, b, variant, reporter),
        (a, Some(b), [variant]) => {
            let side = |path: &Path| Side { path: path.to_owned(), variant: variant.clone() };
            Ok(vec![Pair { title: title(a), a: side(a), b: side(b) }])
        }
        (_, Some(_), _) => {
            reporter.error("two inputs are compared at one level and for one target", None);
            Err(Status::Usage)
        }
        (a, None, [first, others @ ..]) if !others.is_empty() => {
            let side = |variant: &Variant| Side { path: a.to_owned(), variant: variant.clone() };
            let pair = |other: &Variant| Pair {
                title: format!("{}: {} and {}", title(a), first.name(), other.name()),
                a: side(first),
                b: side(other),
            };
            Ok(others.iter().map(pair).collect())
        }
        (_, None, _) => {
            let hint = "name a second one, or several levels (-O0,-O2) or targets (--target A,B) for this one";
            reporter.error("there is one input only", Some(hint));
            Err(Status::Usage)
        }
    }
}

fn title(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Files of two folders by their names without suffix. A file that one folder lacks is said, and is trouble.
fn folders(a: &Path, b: &Path, variant: &Variant, reporter: &Reporter) -> Result<Vec<Pair>, Status> {
    let (ours, mut theirs) = (modules(a, reporter)?, modules(b, reporter)?);
    let mut pairs = Vec::new();
    let mut alone = Vec::new();
    for (stem, path) in ours {
        match theirs.remove(&stem) {
            Some(other) => {
                let side = |path: PathBuf| Side { path, variant: variant.clone() };
                pairs.push(Pair { title: stem, a: side(path), b: side(other) });
            }
            None => alone.push(path),
        }
    }
    alone.extend(theirs.into_values());
    for path in &alone {
        reporter.error(&format!("'{}' has no file to be compared with in the other folder", path.display()), None);
    }
    if alone.is_empty() { Ok(pairs) } else { Err(Status::Usage) }
}

fn modules(folder: &Path, reporter: &Reporter) -> Result<BTreeMap<String, PathBuf>, Status> {
    let entries = std::fs::read_dir(folder).map_err(|error| {
        reporter.error(&format!("cannot read '{}': {error}", folder.display()), None);
        Status::Usage
    })?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let is_module = |path: &PathBuf| path.extension().is_some_and(|suffix| suffix == "sil" || is_llvm(suffix));
    let stem = |path: PathBuf| Some((path.file_stem()?.to_string_lossy().into_owned(), path));
    Ok(paths.filter(is_module).filter_map(stem).collect())
}

/// What a file holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Sil,
    Llvm,
}

fn kind(path: &Path) -> Kind {
    if path.extension().is_some_and(is_llvm) { Kind::Llvm } else { Kind::Sil }
}

fn is_llvm(suffix: &std::ffi::OsStr) -> bool {
    suffix == "ll" || suffix == "bc"
}

fn source(side: &Side, options: &DiffOptions, reporter: &Reporter) -> Result<Source, Status> {
    let (text, original) = match kind(&side.path) {
        Kind::Sil => (compiled(side, options, reporter)?, None),
        Kind::Llvm => read(&side.path, reporter)?,
    };
    Ok(Source { name: name(side), text, original })
}

fn compiled(side: &Side, options: &DiffOptions, reporter: &Reporter) -> Result<String, Status> {
    let target = side.variant.options(options).map_err(|error| {
        // Nothing can be reported where standard error itself is gone.
        let _ = error.print();
        Status::Usage
    })?;
    let input = InputOptions {
        files: vec![side.path.clone()],
        embedded: options.embedded,
        no_embedded: options.no_embedded,
        jobs: None,
        message_format: options.message_format,
    };
    let machine = build::machine(&target, reporter)?;
    let mut loaded = load::load(&input, Verification::Compile, reporter)?;
    build::transform(&mut loaded, build::LOWERING, reporter)?;
    let mut times = PhaseTimes::default();
    let kind = ModuleOutput::LlvmIr;
    let visibility = irgen::compile::Visibility::Module;
    let text = build::compile_module(&input, &target, &loaded, 0, &machine, visibility, kind, reporter, &mut times)?;
    String::from_utf8(text).map_err(|_| {
        reporter.error("internal: LLVM's text is not UTF-8", None);
        Status::Internal
    })
}

/// Reads text or bitcode through LLVM; gives what LLVM prints, and the text that it read. What LLVM says against it is reported at
/// its place.
fn read(path: &Path, reporter: &Reporter) -> Result<(String, Option<String>), Status> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| {
        reporter.error(&format!("cannot read '{name}': {}", load::reason(&error)), None);
        Status::Usage
    })?;
    let text = irgen::read::canonical_text(&bytes, &name).map_err(|error| {
        let Some((line, column)) = error.place else {
            reporter.error(&format!("'{name}' is not LLVM IR that can be read: {}", error.message), None);
            return Status::Usage;
        };
        let mut sources = SourceMap::default();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let starts = text.split_inclusive('\n').map(str::len).take(line as usize - 1);
        let at = (starts.sum::<usize>() + column as usize - 1) as u32;
        let file = sources.add(SourceFile::new(path.to_owned(), text));
        let span = Span { file, start: at, end: at + 1 };
        reporter.diagnostics(&[Diagnostic::error("llvm-ir", error.message, span)], &sources, None);
        Status::Usage
    })?;
    Ok((text, String::from_utf8(bytes).ok()))
}
