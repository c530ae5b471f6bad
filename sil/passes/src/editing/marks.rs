//! Marker instructions, which direct a pass to a value.
//!
//! Owns: the removal of a marker. Its meaning is owned by the passes that read it (`mandatory/`).

use sil_ir::model::views::Unary;
use sil_ir::model::{Body, InstructionId, Replacements};

/// Replaces a marker with its single operand.
pub(crate) fn unmark(body: &mut Body, mark: InstructionId) {
    let operand = Unary::of(body, mark).operand;
    if let Some(value) = body.result(mark) {
        let mut replacements = Replacements::default();
        replacements.replace(value, operand);
        body.replace_values(&replacements);
    }
    body.erase(mark);
}
