//! The refusal of code that silc cannot compile: a diagnostic, whose place the caller may know.

use sil::diagnostic::Diagnostic;

/// The result of generating code: a value, or a refusal.
pub type Generated<T> = Result<T, Box<Diagnostic>>;

/// The refusal of code that silc does not lower yet, if the caller knows the place.
pub fn unsupported_without_place(what: impl std::fmt::Display) -> Diagnostic {
    error_without_place("unsupported", format!("not supported yet: {what}"))
}

/// The code of the error for a type whose layout is not known. All uses of the type have the same message.
pub const UNKNOWN_LAYOUT: &str = "unknown-layout";

/// How the error for values of a type begins that is not lowered yet. All uses of the type have the same message.
pub const VALUES_OF_TYPE: &str = "values of the type";

/// An error where the caller knows the place.
pub fn error_without_place(code: &'static str, message: String) -> Diagnostic {
    Diagnostic {
        level: sil::diagnostic::Level::Error,
        code,
        message,
        span: None,
        place: None,
        function: None,
        notes: Vec::new(),
        hint: None,
    }
}
