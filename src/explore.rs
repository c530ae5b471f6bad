//! `silc explore`: SIL, LLVM IR and assembly of one module side by side on one page.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ::explore::{Exploration, Finding, Function, Severity, Variant};
use ::headers::Headers;
use irgen::compile::{self, CompileOptions, Failure, Input, PhaseTimes, RuntimeChoice, Threads, Visibility};
use irgen::debug::{DebugOptions, Detail, Positions};
use irgen::emit::{self, Destination, ModuleOutput};
use irgen::target::{Machine, Target};
use sil::diagnostic::{self, Diagnostic};
use sil::draw::{PictureFormat, draw_control_flow};
use sil::model::{Body, Module};
use sil::source::{FileId, SourceFile, SourceMap, Span};
use sil::symbols::{Style, demangle_as};
use sil::syntax::Libraries;

use crate::arguments::{ExploreOptions, Level};
use crate::build;
use crate::headers::HeaderReader;
use crate::load::{self, Purpose};
use crate::lower::{Lowering, lower_module};
use crate::report::{Reporter, Status};

/// Creates the page of one file. The page shows the errors of the file, and the exit status reports them.
pub fn explore(options: &ExploreOptions) -> Status {
    let reporter = Reporter::new(options.input.message_format);
    let [path] = options.input.files.as_slice() else {
        reporter.error("a page shows one module, but there are several files", None);
        return Status::Usage;
    };
    match page(path, options, &reporter) {
        Ok((page, status)) => {
            let output = options.output.clone().unwrap_or_else(|| page_path(path));
            let written = emit::write(page.as_bytes(), &Destination::from_argument(&output));
            written.map_or_else(|error| reporter.backend(&error), |()| status)
        }
        Err(status) => status,
    }
}

/// Returns the default path: in the current folder, as for the outputs of `silc build`.
fn page_path(input: &Path) -> PathBuf {
    let stem = input.file_stem().filter(|_| input != Path::new("-")).unwrap_or("out".as_ref());
    PathBuf::from(stem).with_extension("html")
}

fn page(path: &Path, options: &ExploreOptions, reporter: &Reporter) -> Result<(String, Status), Status> {
    let tabs = tabs(options, reporter)?;
    let mut sources = SourceMap::default();
    let file = load::read_file(path, &mut sources, reporter)?;
    let (mut readings, mut diagnostics) = readings(file, options, &tabs, &mut sources, reporter)?;
    let functions = readings.first().map(|first| functions(&first.module, sources.file(file))).unwrap_or_default();
    let mut variants = Vec::new();
    if !load::has_errors(&diagnostics) {
        for reading in &mut readings {
            add(&mut diagnostics, lower_module(&mut reading.module, &Libraries::default(), reading.lowering));
        }
    }
    if !load::has_errors(&diagnostics) {
        match compile_all(path, &tabs, &readings, &sources) {
            Ok(compiled) => variants = compiled,
            Err(Failure::Diagnostics(found)) => diagnostics.extend(found),
            Err(Failure::Error(error)) => return Err(reporter.backend(&error)),
        }
    }
    reporter.diagnostics(&diagnostics, &sources, readings.first().map(|first| &*first.module.context));
    let status = if load::has_errors(&diagnostics) { Status::InputAtFault } else { Status::Done };
    let file = sources.file(file);
    let exploration = Exploration {
        title: path.file_name().unwrap_or(path.as_os_str()).display().to_string(),
        sil: file.text.to_string(),
        functions,
        findings: diagnostics.iter().flat_map(|diagnostic| findings(diagnostic, file)).collect(),
        variants,
    };
    Ok((::explore::page(&exploration), status))
}

/// The module as read for one target, which determines layouts of C headers and the library's declarations, and for the
/// levels with the same passes.
struct Reading {
    target: Target,
    lowering: Lowering,
    module: Module,
    headers: Option<Arc<Headers>>,
}

/// Returns the readings that the tabs need, and their diagnostics.
fn readings(
    file: FileId,
    options: &ExploreOptions,
    tabs: &[Tab],
    sources: &mut SourceMap,
    reporter: &Reporter,
) -> Result<(Vec<Reading>, Vec<Diagnostic>), Status> {
    let (mut readings, mut diagnostics) = (Vec::<Reading>::new(), Vec::new());
    for Tab { machine, lowering, .. } in tabs {
        let target = machine.target();
        if readings.iter().any(|known| known.target == *target && known.lowering == *lowering) {
            continue;
        }
        let clang_arguments = machine.clang_arguments(None);
        let reader =
            HeaderReader { arguments: &options.headers, clang_arguments: &clang_arguments, c_library_map: None };
        let purpose = Purpose::compiling(target).with_headers(reader);
        let (loaded, headers) = load::load_module(file, &options.input, purpose, sources, reporter)?;
        add(&mut diagnostics, loaded.diagnostics);
        let (target, lowering) = (target.clone(), *lowering);
        readings.push(Reading { target, lowering, module: loaded.module, headers });
    }
    Ok((readings, diagnostics))
}

/// Adds diagnostics. A diagnostic of several targets is added once.
fn add(diagnostics: &mut Vec<Diagnostic>, found: Vec<Diagnostic>) {
    for diagnostic in found {
        if !diagnostics.contains(&diagnostic) {
            diagnostics.push(diagnostic);
        }
    }
}

/// The variant shown in one tab of the page.
struct Tab {
    name: String,
    machine: Machine,
    lowering: Lowering,
}

/// Returns a tab for each target at each level.
fn tabs(options: &ExploreOptions, reporter: &Reporter) -> Result<Vec<Tab>, Status> {
    let targets: Vec<Option<&str>> = if options.targets.is_empty() {
        vec![None]
    } else {
        options.targets.iter().map(|name| Some(&**name)).collect()
    };
    let mut machines = Vec::new();
    for (target, level) in targets.iter().flat_map(|target| options.levels.iter().map(move |level| (target, *level))) {
        machines.push((level, build::machine_for(*target, level, reporter)?));
    }
    let names = tab_names(&machines);
    let tab = |(name, (level, machine))| Tab { name, machine, lowering: Lowering::at_level(level) };
    Ok(names.into_iter().zip(machines).map(tab).collect())
}

/// Returns tab names such as `x86_64 -O2`, with the whole triple if several targets share an architecture.
fn tab_names(machines: &[(Level, Machine)]) -> Vec<String> {
    let triples = || machines.iter().map(|(_, machine)| machine.target().triple());
    let is_unique = |architecture: &str| {
        let mut same = triples().filter(|triple| architecture_of(triple) == architecture);
        let first = same.next();
        same.all(|triple| Some(triple) == first)
    };
    let shown = |triple| if is_unique(architecture_of(triple)) { architecture_of(triple) } else { triple };
    triples().zip(machines).map(|(triple, (level, _))| format!("{} {level}", shown(triple))).collect()
}

fn architecture_of(triple: &str) -> &str {
    triple.split('-').next().unwrap_or(triple)
}

fn compile_all(path: &Path, tabs: &[Tab], readings: &[Reading], sources: &SourceMap) -> Result<Vec<Variant>, Failure> {
    let is_of =
        |reading: &Reading, tab: &Tab| reading.target == *tab.machine.target() && reading.lowering == tab.lowering;
    let read = tabs.iter().filter_map(|tab| Some((tab, readings.iter().find(|reading| is_of(reading, tab))?)));
    read.map(|(tab, reading)| variant(path, &tab.name, &tab.machine, reading, sources)).collect()
}

fn variant(
    path: &Path,
    name: &str,
    machine: &Machine,
    reading: &Reading,
    sources: &SourceMap,
) -> Result<Variant, Failure> {
    let debug = DebugOptions { positions: Positions::Sil, detail: Detail::LineTables, ..DebugOptions::default() };
    let options = CompileOptions {
        headers: reading.headers.as_deref(),
        machine,
        runtime: RuntimeChoice::Silc,
        visibility: Visibility::Module,
        threads: Threads::Any,
        debug: Some(&debug),
    };
    let input = Input { name: &compile::input_name(path), module: &reading.module, sources };
    let outputs = [ModuleOutput::LlvmIr, ModuleOutput::Assembly];
    let texts = compile::compile_to(&input, &options, outputs, &mut PhaseTimes::default())?;
    let [llvm_ir, assembly] = texts.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok(Variant { name: name.to_owned(), llvm_ir, assembly })
}

fn functions(module: &Module, file: &SourceFile) -> Vec<Function> {
    let with_body = module.functions.values().filter_map(|function| Some((function, function.body.as_ref()?)));
    with_body
        .map(|(function, body)| {
            let symbol = module.context.text(function.name).to_owned();
            Function {
                name: demangle_as(&symbol, Style::Simplified).unwrap_or_else(|| symbol.clone()),
                symbol,
                first_line: line(function.span, file),
                last_line: last_line(body, file),
                block_lines: body.blocks.values().map(|block| block.span.map_or(0, |span| line(span, file))).collect(),
                graph: draw_control_flow(module, function, body, PictureFormat::SvgInPage),
            }
        })
        .collect()
}

/// Returns the line of the closing brace, after the last instruction.
fn last_line(body: &Body, file: &SourceFile) -> u32 {
    let last = body.blocks.last().and_then(|(last, _)| body.terminator(last));
    last.map_or(0, |last| line(body.instructions[last].span, file) + 1)
}

fn line(span: Span, file: &SourceFile) -> u32 {
    file.position(span.start).line
}

/// Returns a diagnostic and its notes.
fn findings(diagnostic: &Diagnostic, file: &SourceFile) -> Vec<Finding> {
    let line = |span: Option<Span>| span.map_or(0, |span| line(span, file));
    let severity = match diagnostic.level {
        diagnostic::Level::Error => Severity::Error,
        diagnostic::Level::Uncompilable | diagnostic::Level::Warning => Severity::Warning,
    };
    let own = Finding { severity, message: diagnostic.message.clone(), line: line(diagnostic.span) };
    let notes = diagnostic.notes.iter();
    let notes =
        notes.map(|note| Finding { severity: Severity::Note, message: note.message.clone(), line: line(note.span) });
    std::iter::once(own).chain(notes).collect()
}
