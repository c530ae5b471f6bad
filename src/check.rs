//! `silc check`: parses and verifies modules, and prints the results of analyses.

use std::path::PathBuf;

use irgen::emit::{self, Destination};
use sil::dump::{self, Dump};
use sil::model::Module;
use sil::transform::Settings;

use crate::arguments::{CheckOptions, CheckStage, Level};
use crate::build::machine_for;
use crate::headers::HeaderReader;
use crate::load::{self, Loaded, Purpose, Verification};
use crate::lower::make_canonical;
use crate::report::{Reporter, Status};

/// Checks all files.
pub fn check(options: &CheckOptions) -> Status {
    let reporter = Reporter::of_findings(options.input.message_format);
    let loaded = match load(options, &reporter) {
        Ok(loaded) => loaded,
        Err(status) => return status,
    };
    let loaded = match checked(loaded, options, &reporter) {
        Ok(loaded) => loaded,
        Err(status) => return status,
    };
    let status = match options.dump {
        Some(dump) => dump_modules(&loaded.modules, dump, options.function.as_deref(), &reporter),
        None => Status::Done,
    };
    // The process ends: freeing the modules would only take time.
    std::mem::forget(loaded);
    status
}

/// Brings the modules to the requested stage, and fails on errors.
fn checked(mut loaded: Loaded, options: &CheckOptions, reporter: &Reporter) -> Result<Loaded, Status> {
    if options.stage == Some(CheckStage::Canonical) {
        let concurrency = options.concurrency.checking();
        make_canonical(&mut loaded, &Settings { concurrency, ..Settings::default() }, reporter)?;
    }
    Ok(loaded)
}

fn load(options: &CheckOptions, reporter: &Reporter) -> Result<Loaded, Status> {
    let purpose = Purpose::reading(Verification::Check);
    if options.target.is_none() && !options.headers.are_given() {
        return load::load(&options.input, purpose, reporter);
    }
    let machine = machine_for(options.target.as_deref(), Level::Zero, reporter)?;
    let clang_arguments = machine.clang_arguments(None);
    let headers = HeaderReader { arguments: &options.headers, clang_arguments: &clang_arguments, c_library_map: None };
    let platform = options.target.is_some().then(|| machine.target().platform());
    load::load(&options.input, Purpose { platform, ..purpose }.with_headers(headers), reporter)
}

fn dump_modules(modules: &[Module], dump: Dump, function: Option<&str>, reporter: &Reporter) -> Status {
    let mut text = String::new();
    let mut found = function.is_none();
    for module in modules {
        let only = function.and_then(|name| module.function_named(module.context.find_name(name)?));
        if function.is_none() || only.is_some() {
            text.push_str(&dump::dump(module, dump, only));
        }
        found |= only.is_some();
    }
    if !found {
        reporter.error(&format!("there is no function '{}'", function.unwrap_or_default()), None);
        return Status::InputAtFault;
    }
    match emit::write(text.as_bytes(), &Destination::from_argument(&PathBuf::from("-"))) {
        Ok(()) => Status::Done,
        Err(error) => reporter.backend(&error),
    }
}
