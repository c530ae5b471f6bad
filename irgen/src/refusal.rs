//! Diagnostics for code that silc cannot compile; the caller may add the span.

use sil_ir::diagnostic::{Diagnostic, Level, Repetition};

/// The result of generating code: a value, or a diagnostic.
pub type Generated<T> = Result<T, Box<Diagnostic>>;

/// The diagnostic for unsupported code, without a span.
pub fn unsupported_without_place(what: impl std::fmt::Display) -> Diagnostic {
    error_without_place("unsupported", format!("not supported yet: {what}"))
}

/// An error without a span, which the caller adds.
pub fn error_without_place(code: &'static str, message: String) -> Diagnostic {
    Diagnostic {
        level: Level::Error,
        code,
        message,
        repetition: Repetition::Separate,
        span: None,
        place: None,
        function: None,
        notes: Vec::new(),
        hint: None,
    }
}
