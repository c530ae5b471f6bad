//! Borrows that only copies are made of: what is copied is the value that they borrow, so that who consumes a copy consumes the value
//! (lib/SILOptimizer/Mandatory/MoveOnlyBorrowToDestructureUtils.cpp).

use crate::analysis::Uses;
use crate::instructions::{Attribute, Opcode};
use crate::model::views::Unary;
use crate::model::{Body, InstructionId, Replacements, Value};

/// Does without such borrows of the values that `is_lender` says.
pub(in crate::transform) fn forward_copies(body: &mut Body, is_lender: impl Fn(&Body, Value) -> bool) {
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

/// Whether copies are made of what an instruction borrows, and nothing else is done with it.
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
