//! `silc opt`: runs passes by name on one module, and prints it. Has sil-opt's command line, so that tests of Swift's
//! passes can run.

mod expectations;
mod help;
mod options;
mod records;
mod session;

use std::collections::BTreeSet;
use std::path::PathBuf;

use sil::diagnostic::Diagnostic;
use sil::source::SourceMap;
use sil::syntax::UnmarkedModule;
use sil::transform::Listener;

use self::options::{Help, InputVerification, Messages, Options};
use self::session::Session;
use crate::arguments::{InputOptions, MessageFormat, OptOptions};
use crate::load::{self, Loaded, LoadedModule, Purpose, Verification};
use crate::report::{Reporter, Status, print};

/// The module name in sil-opt if none is given.
const DEFAULT_MODULE: &str = "main";

/// Runs the passes that the command line names.
pub fn opt(arguments: &OptOptions) -> Status {
    let reporter = Reporter::new(MessageFormat::Human);
    match options::read(&arguments.arguments) {
        Ok(options) if options.help == Help::Wanted => {
            print(&help::text());
            Status::Done
        }
        Ok(mut options) => {
            options.settings.printing.listener = Some(Listener::new(session::tell));
            run(&options, &reporter).err().unwrap_or(Status::Done)
        }
        Err(misuse) => misuse.report("silc opt FILE.sil -PASS … [-o OUT]", &reporter),
    }
}

fn run(options: &Options, reporter: &Reporter) -> Result<(), Status> {
    let verification = match options.input_verification {
        // Tolerated findings are reported by the session.
        InputVerification::Verify if options.tolerated.is_empty() => Verification::Check,
        InputVerification::Verify => Verification::Skip,
        InputVerification::VerifyAllButLifetimes => Verification::CheckAllButLifetimes,
        InputVerification::Skip => Verification::Skip,
    };
    let module_name = Some(options.settings.module_name.as_deref().unwrap_or(DEFAULT_MODULE));
    let Options { platform, address_lowering, .. } = *options;
    let unmarked = UnmarkedModule::Ordinary;
    let purpose = Purpose { unmarked, platform, address_lowering, module_name, ..Purpose::reading(verification) };
    let Some(loaded) = read(options, purpose, reporter)? else { return Ok(()) };
    Session::new(options, loaded, reporter).run()
}

fn input(options: &Options) -> InputOptions {
    InputOptions {
        files: vec![options.input.clone().unwrap_or_else(|| PathBuf::from("-"))],
        lenient: false,
        embedded: options.embedded,
        no_embedded: false,
        swift_version: None,
        jobs: None,
        sil_library: options.libraries.clone(),
        module_name: None,
        module_declarations: None,
        file_declarations: Vec::new(),
        evolving_module: Vec::new(),
        message_format: MessageFormat::Human,
    }
}

/// Reads and verifies the file. `None` if its errors are as its comments expect.
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

/// Returns the diagnostics of a module with only the first error of each function, since Swift's parser skips the rest
/// of the function.
fn first_errors(file: &LoadedModule) -> Vec<Diagnostic> {
    let starts: BTreeSet<u32> = file.module.functions.values().map(|function| function.span.start).collect();
    let mut left = BTreeSet::new();
    let mut is_first = |diagnostic: &&Diagnostic| {
        let start = diagnostic.span.and_then(|span| starts.range(..=span.start).next_back());
        !diagnostic.is_error() || start.is_none_or(|start| left.insert(*start))
    };
    file.diagnostics.iter().filter(&mut is_first).cloned().collect()
}

/// Fails if the diagnostics differ from the expectations in the file's comments.
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
