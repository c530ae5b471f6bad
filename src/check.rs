//! `silc check`: parse and verify.

use crate::arguments::CheckOptions;
use crate::load::{self, Verification};
use crate::report::{Reporter, Status};

/// Checks all files.
pub fn check(options: &CheckOptions) -> Status {
    let reporter = Reporter::of_findings(options.input.message_format);
    match load::load(&options.input, Verification::Verify, &reporter) {
        Ok(loaded) => {
            // The process ends: taking the modules apart would only take time.
            std::mem::forget(loaded);
            Status::Done
        }
        Err(status) => status,
    }
}
