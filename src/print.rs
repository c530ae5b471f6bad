//! `silc print`: canonical text.

use std::path::PathBuf;

use irgen::emit::{self, Destination};

use crate::arguments::PrintOptions;
use crate::load::{self, Verification};
use crate::report::{Reporter, Status};

/// Prints all files, one after the other.
pub fn print(options: &PrintOptions) -> Status {
    let reporter = Reporter::new(options.input.message_format);
    let loaded = match load::load(&options.input, Verification::Skip, &reporter) {
        Ok(loaded) => loaded,
        Err(status) => return status,
    };
    let text: String = loaded.modules.iter().map(|module| sil::print::print_module(module, &loaded.sources)).collect();
    let to = options.output.clone().unwrap_or_else(|| PathBuf::from("-"));
    match emit::write(text.as_bytes(), &Destination::from_argument(&to)) {
        Ok(()) => Status::Done,
        Err(error) => reporter.backend(&error),
    }
}
