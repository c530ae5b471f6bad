//! Why a command line in the words of one of Swift's own tools cannot be taken, and how that is reported.

use crate::report::{Reporter, Status};

/// Why a command line in the words of one of Swift's tools cannot be taken.
#[derive(Debug, PartialEq, Eq)]
pub enum Misuse {
    /// It is none.
    Wrong(String),
    /// It asks for a feature that silc does not have yet.
    NotYet(String),
}

impl Misuse {
    /// Reports it; `usage` is the form of the command line.
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
