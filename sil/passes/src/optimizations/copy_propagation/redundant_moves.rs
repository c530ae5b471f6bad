//! Recognises redundant moves: the operand and the result have the same characteristics, or the operand has none of its
//! own (`isRedundantMoveValue`, lib/SIL/Utils/OwnershipUtils.cpp).

use sil_analysis::{LifetimeFacts, Use, escapes_into_pointer};
use sil_ir::instructions::Opcode;
use sil_ir::model::{InstructionId, Ownership, Value};

/// Returns whether the result of the `move_value` can be replaced with its operand.
pub(crate) fn is_redundant(facts: LifetimeFacts<'_, '_>, moved: InstructionId) -> bool {
    let view = facts.view;
    let kinds = facts.dependence.ownership_kinds();
    let (Some(original), Some(result)) = (view.operand(moved, 0), view.body.result(moved)) else { return false };
    if view.opcode(moved) != Opcode::MoveValue || view.ownership(original) != Ownership::Owned {
        return false;
    }
    if kinds.is_lexical(&view.cfg, original) != kinds.is_lexical(&view.cfg, result) {
        return false;
    }
    let is_only_user = view.uses.of(original).len() == 1;
    if is_only_user && view.incoming_values(original).is_none() {
        return true;
    }
    let escapes = |value: Value| escapes_into_pointer(facts.uses(), &view.cfg, value);
    let consumes = |found: &&Use| kinds.operand(**found).ends_lifetime();
    let is_only_consumer = view.uses.of(original).iter().filter(consumes).count() == 1;
    let original_escapes = escapes(original);
    is_only_consumer && !original_escapes || escapes(result) == original_escapes
}
