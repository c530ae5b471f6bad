//! Diagnostics as values: the finding, its place, and a hint. Rendering them for people or as JSON is the program's
//! task.

use crate::context::Name;
use crate::model::SourcePlace;
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

/// The meaning of several findings with the same message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repetition {
    /// Each is reported.
    Separate,
    /// They have one cause. The first is reported, with their number.
    OneCause,
}

/// A related place or remark.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// The text.
    pub message: String,
    /// The place, where there is one.
    pub span: Option<Span>,
    /// The place in the Swift source of the SIL; it goes before `span`.
    pub place: Option<SourcePlace>,
}

/// One finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub level: Level,
    /// A stable word for the kind of finding, such as `unknown-type`.
    pub code: &'static str,
    /// The finding, in one sentence without a full stop.
    pub message: String,
    /// The meaning of further findings with this message.
    pub repetition: Repetition,
    /// Where, unless the whole input is meant.
    pub span: Option<Span>,
    /// The place in the Swift source of the SIL, if the finding is about that; it goes before `span`.
    pub place: Option<SourcePlace>,
    /// The SIL function that it is in.
    pub function: Option<Name>,
    /// Related places.
    pub notes: Vec<Note>,
    /// A hint for the user.
    pub hint: Option<String>,
}

/// The kind of finding that is about silc.
const UNSUPPORTED: &str = "unsupported";

impl Diagnostic {
    /// An error at `span`.
    pub fn error(code: &'static str, message: impl Into<String>, span: Span) -> Self {
        Self {
            level: Level::Error,
            code,
            message: message.into(),
            repetition: Repetition::Separate,
            span: Some(span),
            place: None,
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

    /// The same finding, reported once for all findings with its message.
    pub fn once(mut self) -> Self {
        self.repetition = Repetition::OneCause;
        self
    }

    /// The error for code that silc cannot compile yet: `not supported yet: WHAT`.
    pub fn unsupported(what: impl std::fmt::Display, span: Span) -> Self {
        Self::error(UNSUPPORTED, format!("not supported yet: {what}"), span)
    }

    /// Whether something is wrong, and not only worth a look.
    pub fn is_error(&self) -> bool {
        self.level == Level::Error
    }

    /// Whether it only reports that silc cannot compile something yet.
    pub fn is_unsupported(&self) -> bool {
        self.code == UNSUPPORTED
    }

    /// The same finding about the Swift source at `place`.
    pub fn in_source(mut self, place: Option<SourcePlace>) -> Self {
        self.place = place;
        self
    }

    /// Adds a related place.
    pub fn note(self, message: impl Into<String>, span: Option<Span>) -> Self {
        self.note_in_source(message, span, None)
    }

    /// Adds a related place in the Swift source.
    pub fn note_in_source(
        mut self,
        message: impl Into<String>,
        span: Option<Span>,
        place: Option<SourcePlace>,
    ) -> Self {
        self.notes.push(Note { message: message.into(), span, place });
        self
    }

    /// Adds a hint for the user.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Sets the function that it is in.
    pub fn in_function(mut self, function: Name) -> Self {
        self.function = Some(function);
        self
    }
}
