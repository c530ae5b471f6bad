//! `silc explore`: SIL, LLVM IR and assembly of one module side by side in one page.

use std::path::{Path, PathBuf};

use ::explore::{Block, Exploration, Finding, Function, Severity, Variant};
use irgen::compile::{self, CompileOptions, Failure, Input, PhaseTimes, Visibility};
use irgen::debug::{DebugOptions, Positions};
use irgen::emit::{self, Destination, ModuleOutput};
use irgen::target::Machine;
use sil::diagnostic::{Diagnostic, Level};
use sil::model::{Body, Module};
use sil::source::{SourceFile, SourceMap, Span};

use crate::arguments::ExploreOptions;
use crate::load::{self, LoadedFile, Verification};
use crate::report::{Reporter, Status};
use crate::build;

/// Makes the page of one file. What is wrong with the file stands in the page, and the exit status tells.
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

/// In the current folder, as `silc build` names its output.
fn page_path(input: &Path) -> PathBuf {
    let stem = input.file_stem().filter(|_| input != Path::new("-")).unwrap_or("out".as_ref());
    PathBuf::from(stem).with_extension("html")
}

fn page(path: &Path, options: &ExploreOptions, reporter: &Reporter) -> Result<(String, Status), Status> {
    let machines = machines(options, reporter)?;
    let mut sources = SourceMap::default();
    let loaded = load::load_file(path, &options.input, Verification::Verify, &mut sources).map_err(|message| {
        reporter.error(&message, None);
        Status::InputAtFault
    })?;
    let LoadedFile { id, module, mut diagnostics } = loaded;
    let mut variants = Vec::new();
    if !load::has_errors(&diagnostics) {
        match compile_all(path, &machines, &module, &sources) {
            Ok(compiled) => variants = compiled,
            Err(Failure::Diagnostics(found)) => diagnostics.extend(found),
            Err(Failure::Error(error)) => return Err(reporter.backend(&error)),
        }
    }
    reporter.diagnostics(&diagnostics, &sources, Some(&module.context));
    let status = if load::has_errors(&diagnostics) { Status::InputAtFault } else { Status::Done };
    let file = sources.file(id);
    let exploration = Exploration {
        title: path.file_name().unwrap_or(path.as_os_str()).display().to_string(),
        sil: file.text.clone(),
        functions: functions(&module, file),
        findings: diagnostics.iter().flat_map(|diagnostic| findings(diagnostic, file)).collect(),
        variants,
    };
    Ok((::explore::page(&exploration), status))
}

/// A machine for each target at each level, with the name of its tab.
fn machines(options: &ExploreOptions, reporter: &Reporter) -> Result<Vec<(String, Machine)>, Status> {
    let targets: Vec<Option<String>> =
        if options.targets.is_empty() { vec![None] } else { options.targets.iter().cloned().map(Some).collect() };
    let pairs = targets.iter().flat_map(|target| options.levels.iter().map(move |level| (target, *level)));
    pairs
        .map(|(target, level)| {
            let machine = build::machine_for(target.as_deref(), level, reporter)?;
            let architecture = machine.target().triple().split('-').next().unwrap_or_default().to_owned();
            Ok((format!("{architecture} {level}"), machine))
        })
        .collect()
}

fn compile_all(
    path: &Path,
    machines: &[(String, Machine)],
    module: &Module,
    sources: &SourceMap,
) -> Result<Vec<Variant>, Failure> {
    machines.iter().map(|(name, machine)| variant(path, name, machine, module, sources)).collect()
}

fn variant(
    path: &Path,
    name: &str,
    machine: &Machine,
    module: &Module,
    sources: &SourceMap,
) -> Result<Variant, Failure> {
    let path = compile::input_name(path);
    let debug = DebugOptions::new(Positions::Sil);
    let input = Input { name: &path, module, sources };
    let compile_options = CompileOptions { machine, visibility: Visibility::Module, debug: Some(&debug), ..CompileOptions::new(machine) };
    let text = |kind| {
        let bytes = compile::compile(&input, &compile_options, kind, &mut PhaseTimes::default())?;
        Ok::<_, Failure>(String::from_utf8_lossy(&bytes).into_owned())
    };
    Ok(Variant { name: name.to_owned(), llvm_ir: text(ModuleOutput::LlvmIr)?, assembly: text(ModuleOutput::Assembly)? })
}

fn functions(module: &Module, file: &SourceFile) -> Vec<Function> {
    let with_body = module.functions.values().filter_map(|function| Some((function, function.body.as_ref()?)));
    with_body
        .map(|(function, body)| {
            let blocks = blocks(module, body, file);
            let first_line = file.position(function.span.start).line;
            let symbol = module.context.text(function.name).to_owned();
            Function {
                name: symbol.clone(),
                symbol,
                first_line,
                // The closing brace stands in the line after the last instruction.
                last_line: blocks.iter().map(|block| block.last_line + 1).max().unwrap_or(first_line),
                blocks,
            }
        })
        .collect()
}

fn blocks(module: &Module, body: &Body, file: &SourceFile) -> Vec<Block> {
    let line = |span: Span| file.position(span.start).line;
    body.blocks
        .iter()
        .filter_map(|(id, block)| {
            let first_line = line(block.span?);
            let terminator = body.terminator(id);
            Some(Block {
                label: block.label.map_or_else(|| id.to_string(), |label| module.context.text(label).to_owned()),
                first_line,
                last_line: terminator.map_or(first_line, |last| line(body.instructions[last].span)),
                successors: terminator.map_or(&[][..], |last| body.targets(last)).iter().map(|target| target.as_u32() as usize).collect(),
            })
        })
        .collect()
}

/// A diagnostic and its notes.
fn findings(diagnostic: &Diagnostic, file: &SourceFile) -> Vec<Finding> {
    let line = |span: Option<Span>| span.map_or(0, |span| file.position(span.start).line);
    let severity = match diagnostic.level {
        Level::Error => Severity::Error,
        Level::Warning => Severity::Warning,
    };
    let own = Finding { severity, message: diagnostic.message.clone(), line: line(diagnostic.span) };
    let notes = diagnostic.notes.iter();
    let notes = notes.map(|note| Finding { severity: Severity::Note, message: note.message.clone(), line: line(note.span) });
    std::iter::once(own).chain(notes).collect()
}
