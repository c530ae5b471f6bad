//! Errors in command lines of Swift's own tools, and their reports.

use crate::report::{Reporter, Status};

/// An error in a command line of one of Swift's tools.
#[derive(Debug, PartialEq, Eq)]
pub enum Misuse {
    /// The command line is invalid.
    Wrong(String),
    /// The command line requests an unsupported feature.
    NotYet(String),
}

impl Misuse {
    /// Reports the error; `usage` is the syntax of the command line.
    pub fn report(&self, usage: &str, reporter: &Reporter) -> Status {
        match self {
            Misuse::Wrong(message) => {
                reporter.error(message, Some(usage));
                Status::Usage
            }
            Misuse::NotYet(what) => {
                reporter.error(&format!("not supported yet: {what}"), None);
                Status::InputAtFault
            }
        }
    }
}
