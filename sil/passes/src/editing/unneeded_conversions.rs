//! Removes conversions whose results are only destroyed or counted, and destroys or counts the operand instead
//! (lib/SILOptimizer/Analysis/SimplifyInstruction.cpp, `simplifyDeadCast`).

use sil_ir::instructions::Opcode;
use sil_ir::model::{InstructionId, Ownership};

use crate::editing::deleter::names_nothing;
use crate::editing::editor::Editor;
use crate::knowledge::aggregate_parts::has_deinit;
use crate::knowledge::counting::Counting;

/// Destroys the operand of the cast `id` if its result is only destroyed. Returns whether it is.
pub(crate) fn destroy_uncast(editor: &mut Editor<'_>, id: InstructionId) -> bool {
    use Opcode::*;
    let is_cast = match editor.opcode(id) {
        UncheckedRefCast
        | Upcast
        | UncheckedValueCast
        | RefToBridgeObject
        | BridgeObjectToRef
        | InitExistentialRef
        | ConvertFunction
        | EndCowMutation
        | UnconditionalCheckedCast => true,
        OpenExistentialRef => names_nothing(editor, id),
        _ => false,
    };
    is_cast && destroy_source(editor, id) || count_source(editor, id)
}

/// Counts the operand of the cast `id` if its result is only counted. Returns whether it is.
fn count_source(editor: &mut Editor<'_>, id: InstructionId) -> bool {
    use Opcode::{EndCowMutation, StrongRelease, StrongRetain, UncheckedRefCast, UnconditionalCheckedCast, Upcast};
    let body = editor.body();
    let (Some(result), [operand]) = (body.result(id), body.operands(id)) else { return false };
    let operand = *operand;
    let is_cast = matches!(editor.opcode(id), UnconditionalCheckedCast | UncheckedRefCast | Upcast | EndCowMutation);
    // An optional reference is not counted by these instructions.
    if !is_cast || Counting::of(editor.environment, body.ty(operand)) != Counting::Strong {
        return false;
    }
    let uses = editor.uses(result);
    let counts = |id: InstructionId| matches!(editor.opcode(id), StrongRetain | StrongRelease);
    let is_counted = !uses.is_empty() && uses.iter().all(|found| counts(found.user));
    if is_counted {
        uses.into_iter().for_each(|found| editor.set_operand(found, operand));
        editor.erase(id);
    }
    is_counted
}

/// Destroys the operand of any forwarding instruction with one operand if its result is only destroyed. Returns whether
/// it is.
pub(crate) fn destroy_source(editor: &mut Editor<'_>, id: InstructionId) -> bool {
    let body = editor.body();
    let (Some(result), [operand]) = (body.result(id), body.operands(id)) else { return false };
    let (operand, environment) = (*operand, editor.environment);
    if !editor.has_ownership() || has_deinit(environment, body.ty(result).ty) {
        return false;
    }
    let uses = editor.uses_but_debug(result);
    let is_destroyed = !uses.is_empty()
        && uses.iter().all(|found| editor.opcode(found.user) == Opcode::DestroyValue)
        && editor.ownership(operand) == Ownership::Owned
        && editor.ownership(result) == Ownership::Owned;
    if is_destroyed {
        uses.into_iter().for_each(|found| editor.set_operand(found, operand));
        editor.erase_with_debug_uses(id);
        editor.forget_ownership();
    }
    is_destroyed
}
