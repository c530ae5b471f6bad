//! Diagnostics of passes about the Swift program, at the source location of an instruction.

use sil_ir::diagnostic::{Diagnostic, Level};
use sil_ir::model::{Body, InstructionId, SourcePlace};

/// Returns the source location of an instruction.
pub(crate) fn source_place(body: &Body, id: InstructionId) -> Option<SourcePlace> {
    body.instructions[id].location.and_then(|location| location.place)
}

/// Returns an error at the location of `id`.
pub(crate) fn error_at(body: &Body, id: InstructionId, code: &'static str, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(code, message, body.instructions[id].span).in_source(source_place(body, id))
}

/// Returns a warning at the location of `id`.
pub(crate) fn warning_at(body: &Body, id: InstructionId, code: &'static str, message: impl Into<String>) -> Diagnostic {
    error_at(body, id, code, message).at_level(Level::Warning)
}

/// Adds a note at the location of `id`.
pub(crate) fn note_at(
    diagnostic: Diagnostic,
    body: &Body,
    id: InstructionId,
    message: impl Into<String>,
) -> Diagnostic {
    diagnostic.note_in_source(message, Some(body.instructions[id].span), source_place(body, id))
}
