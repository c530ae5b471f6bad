//! `silc check`: parse and verify.

use crate::arguments::CheckOptions;
use crate::load::{self, Verification};
use crate::report::{Reporter, Status};

/// Checks all files.
pub fn check(options: &CheckOptions) -> Status {
    let reporter = Reporter::of_findings(options.input.message_format);
    load::load(&options.input, Verification::Check, &reporter).map_or_else(|status| status, |_| Status::Done)
}
