//! `silc opt`: passes by name on one module, and its text; sil-opt's command line, so that tests of Swift's passes run on it.

mod expectations;
mod options;
mod records;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use irgen::emit::{self, Destination};
use sil::diagnostic::{Diagnostic, Level};
use sil::dump::{PrintingPass, Stream};
use sil::model::Module;
use sil::print::Order;
use sil::source::SourceMap;
use sil::syntax::Libraries;
use sil::transform::{EvaluatorTest, Listener, Pass, PassVerification, Settings};
use sil::verify::Spoiled;

use self::options::{Format, InputVerification, Messages, NamedPass, Options, Pipeline};
use crate::arguments::{InputOptions, MessageFormat, OptOptions};
use crate::build::make_canonical;
use crate::load::{self, Loaded, LoadedModule, Purpose, Verification};
use crate::report::{Reporter, Status};

/// What sil-opt takes a module to be called of which nothing says that.
const DEFAULT_MODULE: &str = "main";

/// Runs the passes that the command line names.
pub fn opt(arguments: &OptOptions) -> Status {
    let reporter = Reporter::new(MessageFormat::Human);
    match options::read(&arguments.arguments) {
        Ok(mut options) => {
            // Where errors cannot be written, nobody can be told so.
            let listener = Listener::new(|text| drop(std::io::stderr().write_all(text.as_bytes())));
            options.settings.printing.listener = Some(listener);
            run(&options, &reporter).err().unwrap_or(Status::Done)
        }
        Err(misuse) => misuse.report("silc opt FILE.sil -PASS … [-o OUT]", &reporter),
    }
}

fn run(options: &Options, reporter: &Reporter) -> Result<(), Status> {
    let verification = match options.input_verification {
        // What is tolerated is said below, in other words.
        InputVerification::Verify if options.tolerated.is_empty() => Verification::Check,
        InputVerification::Verify => Verification::Skip,
        InputVerification::VerifyAllButLifetimes => Verification::CheckAllButLifetimes,
        InputVerification::Skip => Verification::Skip,
    };
    let module_name = Some(options.settings.module_name.as_deref().unwrap_or(DEFAULT_MODULE));
    let Options { platform, address_lowering, .. } = *options;
    let purpose = Purpose { platform, address_lowering, module_name, ..Purpose::reading(verification) };
    let Some(mut loaded) = read(options, purpose, reporter)? else { return Ok(()) };
    if options.input_verification == InputVerification::Verify && !options.tolerated.is_empty() {
        let spoiled = tolerate(options, &loaded, reporter)?;
        if spoiled == Some(Spoiled::All) && (!options.passes.is_empty() || options.pipeline == Pipeline::Guaranteed) {
            reporter.error("not supported yet: passes on a module that is wrong", None);
            return Err(Status::InputAtFault);
        }
    }
    let mut said = Vec::new();
    if options.pipeline == Pipeline::Guaranteed {
        run_guaranteed(options, &mut loaded, &mut said, reporter)?;
    }
    let mut remarks = String::new();
    let mut duration = Duration::ZERO;
    let mut named = match options.pipeline {
        Pipeline::Named => &options.passes[..],
        Pipeline::Guaranteed => &[],
    };
    while let Some((pass, others)) = named.split_first() {
        let pass = match pass {
            NamedPass::Transformation(pass) => pass,
            NamedPass::Printing(pass) => {
                print(options, *pass, &loaded, reporter)?;
                named = others;
                continue;
            }
            NamedPass::Evaluator(test) => {
                test_evaluator(options, *test, &mut loaded, reporter);
                named = others;
                continue;
            }
            NamedPass::Report(report) => {
                let modules = loaded.modules.iter();
                let text: String = modules.map(|module| report.text(module, &options.settings)).collect();
                write(&text, Stream::Output, reporter)?;
                named = others;
                continue;
            }
            NamedPass::FunctionTests => {
                run_tests(options, &mut loaded, reporter)?;
                named = others;
                continue;
            }
        };
        let group = group(named, &options.settings);
        named = &named[group.len()..];
        if let Some(pass) = group.iter().find(|pass| options.remarks.is_some() && records::are_missing(**pass)) {
            reporter.error(&format!("not supported yet: remarks of the pass '{}'", pass.name()), None);
            return Err(Status::InputAtFault);
        }
        duration += run_passes(options, &mut loaded, &group, (&mut said, &mut remarks), reporter)?;
        // What is left of a wrong program need not be right.
        let is_right = !load::has_errors(&said);
        if options.settings.pass_verification == PassVerification::Verify && is_right {
            match options.tolerated.is_empty() {
                true => verify(&loaded, *pass, reporter)?,
                // What a pass makes of what is wrong already need not be anything.
                false if tolerate(options, &loaded, reporter)? == Some(Spoiled::All) => break,
                false => {}
            }
        }
    }
    if options.settings.repetitions.is_some() {
        let milliseconds = duration.as_secs_f64() * 1000.0;
        write(&format!("{milliseconds:9.3} ms: total runtime of all passes\n"), Stream::Errors, reporter)?;
    }
    if options.messages == Messages::Compare {
        compare(options, &said, &loaded.sources, reporter)?;
    }
    // sil-opt looks at what it writes once more.
    if !options.tolerated.is_empty() && options.input_verification == InputVerification::Verify {
        tolerate(options, &loaded, reporter)?;
    }
    if let Some(path) = &options.remarks {
        let output = Destination::from_argument(path);
        emit::write(remarks.as_bytes(), &output).map_err(|error| reporter.backend(&error))?;
    }
    let text = text(options, &mut loaded);
    let output = Destination::from_argument(options.output.as_deref().unwrap_or(Path::new("-")));
    emit::write(text.as_bytes(), &output).map_err(|error| reporter.backend(&error))
}

/// The passes from the first one on that run together.
fn group(passes: &[NamedPass], settings: &Settings) -> Vec<Pass> {
    let transformation = |pass: &NamedPass| match pass {
        NamedPass::Transformation(pass) => Some(*pass),
        NamedPass::Printing(_) | NamedPass::FunctionTests | NamedPass::Evaluator(_) | NamedPass::Report(_) => None,
    };
    let mut passes: Vec<Pass> = passes.iter().map_while(transformation).collect();
    passes.truncate(sil::transform::group_length(&passes, settings));
    passes
}

/// Runs passes, and gives how long they ran. What they say is reported, or kept to be compared; what they remark is kept as text.
fn run_passes(
    options: &Options,
    loaded: &mut Loaded,
    passes: &[Pass],
    (said, remarks): (&mut Vec<Diagnostic>, &mut String),
    reporter: &Reporter,
) -> Result<Duration, Status> {
    let Loaded { sources, modules, libraries, .. } = loaded;
    let libraries = Libraries::new(sources, libraries);
    let mut duration = Duration::ZERO;
    let mut is_wrong = false;
    let mut settings = options.settings.clone();
    if !options.tolerated.is_empty() || load::has_errors(said) {
        settings.pass_verification = PassVerification::Skip;
    }
    for module in modules {
        let findings = sil::transform::run_recording(module, passes, &libraries, &settings);
        if let Some(wrong) = findings.wrong {
            return Err(made_wrong(&wrong.errors, wrong.pass, (module, sources), reporter));
        }
        duration += findings.duration;
        remarks.extend(findings.remarks.iter().map(|remark| records::text(remark, module, sources)));
        match options.messages {
            Messages::Compare => said.extend(findings.diagnostics),
            Messages::Report => {
                reporter.diagnostics(&findings.diagnostics, sources, Some(&module.context));
                is_wrong |= load::has_errors(&findings.diagnostics);
            }
        }
    }
    if is_wrong { Err(Status::InputAtFault) } else { Ok(duration) }
}

/// Writes what a pass has to say of the module.
fn print(options: &Options, pass: PrintingPass, loaded: &Loaded, reporter: &Reporter) -> Result<(), Status> {
    let text: String =
        loaded.modules.iter().map(|module| pass.text(module, &loaded.sources, options.printing)).collect();
    write(&text, pass.stream(), reporter)
}

fn write(text: &str, stream: Stream, reporter: &Reporter) -> Result<(), Status> {
    match stream {
        Stream::Output => {
            let output = Destination::from_argument(Path::new("-"));
            emit::write(text.as_bytes(), &output).map_err(|error| reporter.backend(&error))
        }
        Stream::Errors => {
            // Where errors cannot be written, nobody can be told so.
            let _ = std::io::stderr().write_all(text.as_bytes());
            Ok(())
        }
    }
}

/// Evaluates functions, and writes what that finds.
fn test_evaluator(options: &Options, test: EvaluatorTest, loaded: &mut Loaded, reporter: &Reporter) {
    let Loaded { sources, modules, libraries, .. } = loaded;
    for module in modules {
        let diagnostics = test.link(module, &Libraries::new(sources, libraries));
        reporter.diagnostics(&diagnostics, sources, Some(&module.context));
        let text = test.text(module, sources, &options.settings);
        // Where errors cannot be written, nobody can be told so.
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
}

/// Runs the tests that functions specify, and writes what they write.
fn run_tests(options: &Options, loaded: &mut Loaded, reporter: &Reporter) -> Result<(), Status> {
    let mut status = Ok(());
    for module in &mut loaded.modules {
        let tested = sil::transform::run_function_tests(module, &options.settings, options.print);
        let output = Destination::from_argument(Path::new("-"));
        emit::write(tested.text.as_bytes(), &output).map_err(|error| reporter.backend(&error))?;
        reporter.diagnostics(&tested.diagnostics, &loaded.sources, Some(&module.context));
        if load::has_errors(&tested.diagnostics) {
            status = Err(Status::InputAtFault);
        }
    }
    status
}

/// Makes raw modules canonical.
fn run_guaranteed(
    options: &Options,
    loaded: &mut Loaded,
    said: &mut Vec<Diagnostic>,
    reporter: &Reporter,
) -> Result<(), Status> {
    if options.messages == Messages::Report {
        return make_canonical(loaded, &options.settings, reporter);
    }
    let Loaded { sources, modules, libraries, .. } = loaded;
    let libraries = Libraries::new(sources, libraries);
    let settings = &options.settings;
    let canonical = |module| sil::transform::make_canonical_with(module, &libraries, settings);
    said.extend(modules.iter_mut().flat_map(canonical));
    Ok(())
}

fn input(options: &Options) -> InputOptions {
    InputOptions {
        files: vec![options.input.clone().unwrap_or_else(|| PathBuf::from("-"))],
        embedded: options.embedded,
        no_embedded: !options.embedded,
        swift_version: None,
        jobs: None,
        sil_library: options.libraries.clone(),
        message_format: MessageFormat::Human,
    }
}

/// The file, ready for passes. None where there is something wrong with it that its comments expect.
fn read(options: &Options, purpose: Purpose<'_>, reporter: &Reporter) -> Result<Option<Loaded>, Status> {
    let read = load::read(&input(options), purpose, reporter)?;
    if options.messages == Messages::Compare {
        let said: Vec<Diagnostic> = read.files.iter().flatten().flat_map(first_errors).collect();
        if load::has_errors(&said) {
            return compare(options, &said, &read.sources, reporter).map(|()| None);
        }
    }
    read.report(reporter).map(Some)
}

/// What is said of a module, of each function no more than the first error: Swift's parser leaves a function there.
fn first_errors(file: &LoadedModule) -> Vec<Diagnostic> {
    let starts: BTreeSet<u32> = file.module.functions.values().map(|function| function.span.start).collect();
    let mut left = BTreeSet::new();
    let mut is_first = |diagnostic: &&Diagnostic| {
        let start = diagnostic.span.and_then(|span| starts.range(..=span.start).next_back());
        diagnostic.level != Level::Error || start.is_none_or(|start| left.insert(*start))
    };
    file.diagnostics.iter().filter(&mut is_first).cloned().collect()
}

/// Fails where something else was said than the comments of the file expect.
fn compare(options: &Options, said: &[Diagnostic], sources: &SourceMap, reporter: &Reporter) -> Result<(), Status> {
    // There is one file, and one module.
    for file in sources.files() {
        let differences = expectations::differences(&file.text, &options.prefixes, said, sources);
        let differences = differences.map_err(|what| {
            reporter.error(&format!("not supported yet: {what}"), None);
            Status::InputAtFault
        })?;
        differences.iter().for_each(|difference| reporter.error(difference, None));
        if !differences.is_empty() {
            return Err(Status::InputAtFault);
        }
    }
    Ok(())
}

/// Says what is wrong as Swift's verifier does, and fails at the first thing that is not tolerated. Gives what cannot be relied on any more.
fn tolerate(options: &Options, loaded: &Loaded, reporter: &Reporter) -> Result<Option<Spoiled>, Status> {
    let mut spoiled = None;
    for failure in loaded.modules.iter().flat_map(sil::verify::failures) {
        // Where errors cannot be written, nobody can be told so.
        let _ = std::io::stderr().write_all(failure.text.as_bytes());
        if !options.tolerated.contains(&failure.found_by) {
            reporter.error("the module is wrong", None);
            return Err(Status::InputAtFault);
        }
        spoiled = spoiled.max(Some(failure.spoils));
    }
    Ok(spoiled)
}

/// Fails where a pass made what the verifier does not accept: that is a fault of silc.
fn verify(loaded: &Loaded, pass: Pass, reporter: &Reporter) -> Result<(), Status> {
    for module in &loaded.modules {
        let findings = sil::verify::verify(module);
        if load::has_errors(&findings) {
            return Err(made_wrong(&findings, pass, (module, &loaded.sources), reporter));
        }
    }
    Ok(())
}

/// Reports what is wrong with what a pass made.
fn made_wrong(
    errors: &[Diagnostic],
    pass: Pass,
    (module, sources): (&Module, &SourceMap),
    reporter: &Reporter,
) -> Status {
    reporter.diagnostics(errors, sources, Some(&module.context));
    reporter.error(&format!("internal: the module is wrong after the pass '{}'", pass.name()), None);
    Status::Internal
}

fn text(options: &Options, loaded: &mut Loaded) -> String {
    if options.print.order == Order::Sorted {
        loaded.modules.iter_mut().for_each(sil::transform::sort_blocks);
    }
    let print = match options.format {
        Format::Text => options.print,
        Format::Serialized => {
            loaded.modules.iter_mut().for_each(sil::transform::drop_debug_values);
            sil::print::PrintOptions::default()
        }
    };
    loaded.modules.iter().map(|module| sil::print::print_module_with(module, &loaded.sources, print)).collect()
}
