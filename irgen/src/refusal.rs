//! Diagnostics for code that silc cannot compile; the caller may add the span.

use sil_ir::diagnostic::Diagnostic;

/// The result of generating code: a value, or a diagnostic.
pub type Generated<T> = Result<T, Box<Diagnostic>>;

/// The diagnostic for unsupported code, without a span.
pub fn unsupported_without_place(what: impl std::fmt::Display) -> Diagnostic {
    error_without_place("unsupported", format!("not supported yet: {what}"))
}

/// The code of the error for a type of unknown layout. All uses of the type have the same message.
pub const UNKNOWN_LAYOUT: &str = "unknown-layout";

/// The beginning of the error for values of an unsupported type. All uses of the type have the same message.
pub const VALUES_OF_TYPE: &str = "values of the type";

/// An error without a span, which the caller adds.
pub fn error_without_place(code: &'static str, message: String) -> Diagnostic {
    Diagnostic {
        level: sil_ir::diagnostic::Level::Error,
        code,
        message,
        span: None,
        place: None,
        function: None,
        notes: Vec::new(),
        hint: None,
    }
}
