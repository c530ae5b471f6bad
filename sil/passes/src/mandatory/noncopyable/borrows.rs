//! Removes borrows that are only copied: the copies are made of the borrowed value itself, so that consuming a copy
//! consumes the value (lib/SILOptimizer/Mandatory/MoveOnlyBorrowToDestructureUtils.cpp).

use sil_analysis::Uses;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::Unary;
use sil_ir::model::{Body, InstructionId, Replacements, Value};

/// Removes such borrows of the values for which `is_lender` holds.
pub(crate) fn forward_copies(body: &mut Body, is_lender: impl Fn(&Body, Value) -> bool) {
    let uses = Uses::new(body);
    let is_needless =
        |id: &InstructionId| is_only_copied(body, &uses, *id) && is_lender(body, Unary::of(body, *id).operand);
    let borrows: Vec<InstructionId> = body.placed_instructions().filter(is_needless).collect();
    let mut replacements = Replacements::default();
    for borrow in borrows {
        let Some(borrowed) = body.result(borrow) else { continue };
        replacements.replace(borrowed, Unary::of(body, borrow).operand);
        let ends = uses.of(borrowed).iter().map(|found| found.user);
        let ends: Vec<_> = ends.filter(|id| body.instructions[*id].opcode == Opcode::EndBorrow).collect();
        ends.into_iter().for_each(|id| body.erase(id));
        body.erase(borrow);
    }
    body.replace_values(&replacements);
}

fn is_only_copied(body: &Body, uses: &Uses, id: InstructionId) -> bool {
    let instruction = &body.instructions[id];
    instruction.opcode == Opcode::BeginBorrow
        && !instruction.attributes.contains(Attribute::Lexical)
        && is_copied(body, uses, id)
}

/// Returns whether the only uses of a borrow are copies.
fn is_copied(body: &Body, uses: &Uses, id: InstructionId) -> bool {
    let Some(borrowed) = body.result(id) else { return false };
    let mut copies = 0;
    for found in uses.of(borrowed) {
        match body.instructions[found.user].opcode {
            Opcode::CopyValue => copies += 1,
            Opcode::EndBorrow => {}
            _ => return false,
        }
    }
    copies > 0
}
