//! A part of the build: cuts the known declarations into pieces and lists the names that each piece declares and
//! mentions, so that a program reads only those that a module needs.
//!
//! A piece is a declaration outside of all others, or all that stands between an `#if` there and its `#endif`.
//! README.md states the form: a body opens at the end of a line, and conditions stand on lines of their own.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

struct File {
    module: String,
    path: PathBuf,
    pieces: Vec<Piece>,
}

struct Piece {
    range: Range<usize>,
    declares: BTreeSet<String>,
    words: BTreeSet<String>,
}

const KEYWORDS: [&str; 7] = ["struct", "class", "enum", "protocol", "actor", "extension", "typealias"];

/// Writes `known.rs` into the build's output folder: `NAMES`, sorted, and `MODULES`.
pub fn write() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(&std::env::var("CARGO_MANIFEST_DIR")?).join("known");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    for path in sorted_entries(&folder)? {
        let module = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let inner = if path.is_dir() { sorted_entries(&path)? } else { vec![path] };
        for path in inner.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "swift")) {
            let pieces = pieces(&std::fs::read_to_string(&path)?);
            files.push(File { module: module.clone(), path, pieces });
        }
    }
    let out = Path::new(&std::env::var("OUT_DIR")?).join("known.rs");
    Ok(std::fs::write(out, rust(&files)?)?)
}

fn sorted_entries(folder: &Path) -> Result<Vec<PathBuf>, std::io::Error> {
    let entries: Result<Vec<_>, _> = std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect();
    entries.map(|mut entries| {
        entries.sort();
        entries
    })
}

fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let (mut start, mut end, mut depth) = (0, 0, 0i32);
    let mut declares = BTreeSet::new();
    let mut only_conditions = 0i32;
    for line in text.split_inclusive('\n') {
        end += line.len();
        let code = line.split("//").next().unwrap_or_default();
        if depth == only_conditions {
            declares.extend(declared_name(code));
        }
        let condition = match code.split_whitespace().next() {
            Some("#if") => 1,
            Some("#endif") => -1,
            _ => 0,
        };
        if depth == only_conditions {
            only_conditions += condition;
        }
        depth += condition + code.matches('{').count() as i32 - code.matches('}').count() as i32;
        if depth == 0 && !declares.is_empty() {
            let words = words(&text[start..end]);
            pieces.push(Piece { range: start..end, declares: std::mem::take(&mut declares), words });
            start = end;
        }
    }
    pieces
}

/// `Array` of `public struct Array<Element> {`, of `extension Array.Index {`
fn declared_name(line: &str) -> Option<String> {
    let mut words = line.split_whitespace();
    words.find(|word| KEYWORDS.contains(word))?;
    let name: String = words.next()?.chars().take_while(|character| is_word(*character)).collect();
    Some(name)
}

fn words(text: &str) -> BTreeSet<String> {
    text.split(|character| !is_word(character)).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

/// The tables as Rust.
fn rust(files: &[File]) -> Result<String, std::fmt::Error> {
    let names: BTreeSet<&String> =
        files.iter().flat_map(|file| &file.pieces).flat_map(|piece| &piece.declares).collect();
    let numbers: BTreeMap<&String, usize> = names.iter().enumerate().map(|(number, name)| (*name, number)).collect();
    let list = |words: &BTreeSet<String>| {
        let numbers: Vec<_> = words.iter().filter_map(|word| numbers.get(word)).map(usize::to_string).collect();
        numbers.join(", ")
    };
    let mut out = format!("static NAMES: &[&str] = &{:?};\n", names.iter().collect::<Vec<_>>());
    out.push_str("static TEXTS: &[KnownText] = &[\n");
    for file in files {
        let (module, path) = (&file.module, file.path.display().to_string());
        writeln!(out, "KnownText {{ module: {module:?}, text: include_str!({path:?}), pieces: &[")?;
        for piece in &file.pieces {
            let Range { start, end } = piece.range;
            let (declares, mentions) = (list(&piece.declares), list(&piece.words));
            writeln!(out, "Piece {{ start: {start}, end: {end}, declares: &[{declares}], mentions: &[{mentions}] }},")?;
        }
        out.push_str("] },\n");
    }
    out.push_str("];\n");
    Ok(out)
}
