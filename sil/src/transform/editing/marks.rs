//! Instructions that only mark a value for a pass to look at.
//!
//! Owns how a mark goes. What marks mean is for the passes that read them (`mandatory/`).

use crate::model::views::Unary;
use crate::model::{Body, InstructionId, Replacements};

/// Lets what is marked stand for the mark, which has one operand.
pub(in crate::transform) fn unmark(body: &mut Body, mark: InstructionId) {
    let operand = Unary::of(body, mark).operand;
    if let Some(value) = body.result(mark) {
        let mut replacements = Replacements::default();
        replacements.replace(value, operand);
        body.replace_values(&replacements);
    }
    body.erase(mark);
}
