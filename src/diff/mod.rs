//! `silc diff`: compares two modules, or one module compiled in two variants.
//!
//! Exit status, as for diff: 0 if equal, 1 if different, 2 on errors.

mod kind;
mod pairs;
mod sides;
mod variants;

use std::io::IsTerminal;

use compare::atoms::Atoms;
use compare::listing::{self, Language, Listing};
use compare::objects::{self, Objects};
use compare::report::text::{Color, Layout, Options};
use compare::report::{self, Entry};
use compare::{Part, Parts};
use irgen::emit::{self, Destination};
use sil::symbols::demangle;

use crate::arguments::{ColorChoice, DiffEmit, DiffFormat, DiffOptions};
use crate::report::{Reporter, Status};
use pairs::Pair;
use sides::Sides;

/// Compares according to the options.
pub fn diff(options: &DiffOptions) -> Status {
    let reporter = Reporter::new(options.message_format);
    match try_diff(options, &reporter) {
        Ok(true) => Status::Program(1),
        Ok(false) => Status::Done,
        Err(Status::Internal) => Status::Internal,
        Err(_) => Status::Usage,
    }
}

/// Returns whether anything differs.
fn try_diff(options: &DiffOptions, reporter: &Reporter) -> Result<bool, Status> {
    let sides = Sides { options, reporter };
    let pairs = pairs::pairs(options, reporter)?;
    if !options.function.is_empty() && options.emit != DiffEmit::LlvmIr {
        reporter.error("--function is for LLVM IR (--emit llvm-ir)", None);
        return Err(Status::Usage);
    }
    reporter.progress.expect(pairs.len(), "comparing");
    let (differs, report) = match options.emit {
        DiffEmit::LlvmIr => llvm_ir(&sides, pairs)?,
        DiffEmit::Asm => listings(&sides, pairs, Language::Assembly)?,
        DiffEmit::Sil => listings(&sides, pairs, Language::Sil)?,
        DiffEmit::Obj => object_files(&sides, pairs)?,
    };
    reporter.progress.end();
    let destination = options.output.as_deref().map_or(Destination::StandardOutput, Destination::from_argument);
    emit::write(report.as_bytes(), &destination).map_err(|error| reporter.backend(&error))?;
    Ok(differs)
}

fn llvm_ir(sides: &Sides<'_>, pairs: Vec<Pair>) -> Result<(bool, String), Status> {
    let ignored: Parts = sides.options.ignore.iter().copied().collect();
    let mut entries = sides.in_steps(pairs).map(|pair| entry(sides, pair, ignored)).collect::<Result<Vec<_>, _>>()?;
    report::moved::find(&mut entries);
    let differs = entries.iter().any(|entry| entry.comparison.differs());
    let report = match sides.options.format {
        DiffFormat::Text => report::text::report(&entries, &text_options(sides.options)),
        DiffFormat::Json => report::json::report(&entries),
        DiffFormat::Html => report::html::report(&entries),
    };
    Ok((differs, report))
}

fn entry(sides: &Sides<'_>, pair: Pair, ignored: Parts) -> Result<Entry, Status> {
    let mut atoms = Atoms::default();
    let mut read = |side: Option<&pairs::Side>| -> Result<_, Status> {
        let source = sides.llvm(side)?;
        // The debug locations of modules compiled here are only used for provenance.
        let mut ignored = ignored;
        if source.provenance.is_some() {
            ignored.insert(Part::Debug);
        }
        Ok(compare::read::read(source, ignored, &mut atoms))
    };
    let (a, b) = (read(pair.a.as_ref())?, read(pair.b.as_ref())?);
    let comparison = match functions(sides)? {
        None => compare::compare(a, b, atoms, &demangle),
        Some(names) => compare::compare_functions(a, b, atoms, &demangle, names).map_err(|message| {
            sides.reporter.error(&message, None);
            Status::Usage
        })?,
    };
    Ok(Entry { title: pair.title, comparison })
}

/// Returns the functions of A and B to compare, if the options name some.
fn functions<'o>(sides: &Sides<'o>) -> Result<Option<(&'o str, &'o str)>, Status> {
    match &sides.options.function[..] {
        [] => Ok(None),
        [both] => Ok(Some((both.as_str(), both.as_str()))),
        [ours, theirs] => Ok(Some((ours.as_str(), theirs.as_str()))),
        _ => {
            sides.reporter.error("--function takes one name, or one of A and one of B", None);
            Err(Status::Usage)
        }
    }
}

fn listings(sides: &Sides<'_>, pairs: Vec<Pair>, language: Language) -> Result<(bool, String), Status> {
    let text = |side: &Option<pairs::Side>| -> Result<(String, String), Status> {
        let Some(side) = side else { return Ok(("(nothing)".to_owned(), String::new())) };
        let text = match language {
            Language::Assembly => sides.assembly(side)?,
            Language::Sil => sides.sil(side)?,
        };
        Ok((sides.name(side), text))
    };
    let listing = |pair: Pair| -> Result<(String, Listing), Status> {
        let ((name_a, a), (name_b, b)) = (text(&pair.a)?, text(&pair.b)?);
        Ok((pair.title, listing::compare(language, (name_a, &a), (name_b, &b), &demangle)))
    };
    let listings = sides.in_steps(pairs).map(listing).collect::<Result<Vec<_>, _>>()?;
    let report = match sides.options.format {
        DiffFormat::Text => report::listings::text(&listings, &text_options(sides.options)),
        DiffFormat::Json => report::listings::json(&listings),
        DiffFormat::Html => report::listings::html(&listings),
    };
    Ok((listings.iter().any(|(_, listing)| listing.differs()), report))
}

fn object_files(sides: &Sides<'_>, pairs: Vec<Pair>) -> Result<(bool, String), Status> {
    if sides.options.format == DiffFormat::Html {
        sides.reporter.error("not supported yet: a page on object files (--emit obj --format html)", None);
        return Err(Status::Usage);
    }
    let pair = |pair: Pair| -> Result<(String, Objects), Status> {
        let (Some(a), Some(b)) = (&pair.a, &pair.b) else {
            sides.reporter.error(&format!("'{}' is in one folder only", pair.title), None);
            return Err(Status::Usage);
        };
        let (ours, theirs) = (sides.object(a)?, sides.object(b)?);
        let compared = objects::compare((sides.name(a), &ours), (sides.name(b), &theirs));
        let compared = compared.map_err(|message| {
            sides.reporter.error(&message, None);
            Status::Usage
        })?;
        Ok((pair.title, compared))
    };
    let all = sides.in_steps(pairs).map(pair).collect::<Result<Vec<_>, _>>()?;
    let report = match sides.options.format {
        DiffFormat::Json => report::objects::json(&all),
        DiffFormat::Text | DiffFormat::Html => report::objects::text(&all, &text_options(sides.options)),
    };
    Ok((all.iter().any(|(_, objects)| objects.differs()), report))
}

/// The minimum number of columns for printing A and B side by side.
const WIDE: usize = 160;

fn text_options(options: &DiffOptions) -> Options {
    let is_terminal = options.output.is_none() && std::io::stdout().is_terminal();
    let color = match options.color {
        ColorChoice::Always => Color::Always,
        ColorChoice::Auto if is_terminal => Color::Always,
        ColorChoice::Auto | ColorChoice::Never => Color::Never,
    };
    let measured = if is_terminal { terminal_size::terminal_size() } else { None };
    let width = options.width.unwrap_or_else(|| measured.map_or(0, |(width, _)| usize::from(width.0)));
    let layout = if width >= WIDE { Layout::SideBySide(width) } else { Layout::Unified };
    Options { color, layout, context: options.context, summary_only: options.summary }
}
