//! Diagnostics as values: what is wrong, where, and what helps. Rendering them for people or as JSON is the program's.

use crate::context::Name;
use crate::source::Span;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// The input cannot be taken.
    Error,
    /// The input is read, but it cannot be compiled: a warning of checks, an error of builds.
    Uncompilable,
    /// The input is taken, but something is odd.
    Warning,
}

/// A related place or remark.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// What is said.
    pub message: String,
    /// The place, where there is one.
    pub span: Option<Span>,
}

/// One finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub level: Level,
    /// A stable word for the kind of finding, such as `unknown-type`.
    pub code: &'static str,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// Where, unless the whole input is meant.
    pub span: Option<Span>,
    /// The SIL function that it is in.
    pub function: Option<Name>,
    /// Related places.
    pub notes: Vec<Note>,
    /// What the user can do about it.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(code: &'static str, message: impl Into<String>, span: Span) -> Self {
        Self {
            level: Level::Error,
            code,
            message: message.into(),
            span: Some(span),
            function: None,
            notes: Vec::new(),
            hint: None,
        }
    }

    /// The same finding, as bad as this.
    pub fn at_level(mut self, level: Level) -> Self {
        self.level = level;
        self
    }

    /// The error for what silc cannot compile yet: `not supported yet: WHAT`.
    pub fn unsupported(what: impl std::fmt::Display, span: Span) -> Self {
        Self::error("unsupported", format!("not supported yet: {what}"), span)
    }

    /// Adds a related place.
    pub fn note(mut self, message: impl Into<String>, span: Option<Span>) -> Self {
        self.notes.push(Note { message: message.into(), span });
        self
    }

    /// Adds what the user can do.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Says in which function it is.
    pub fn in_function(mut self, function: Name) -> Self {
        self.function = Some(function);
        self
    }
}
