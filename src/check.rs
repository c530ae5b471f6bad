//! `silc check`: parse and verify; what analyses find, as text.

use std::path::PathBuf;

use irgen::emit::{self, Destination};
use sil::dump::{self, Dump};
use sil::model::Module;

use crate::arguments::CheckOptions;
use crate::load::{self, Purpose, Verification};
use crate::report::{Reporter, Status};

/// Checks all files.
pub fn check(options: &CheckOptions) -> Status {
    let reporter = Reporter::of_findings(options.input.message_format);
    let loaded = match load::load(&options.input, Purpose::reading(Verification::Check), &reporter) {
        Ok(loaded) => loaded,
        Err(status) => return status,
    };
    let status = match options.dump {
        Some(dump) => dump_modules(&loaded.modules, dump, options.function.as_deref(), &reporter),
        None => Status::Done,
    };
    // The process ends: taking the modules apart would only take time.
    std::mem::forget(loaded);
    status
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
