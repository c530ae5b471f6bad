//! Owned values that are only made other ones to be destroyed: they are destroyed themselves (lib/SILOptimizer/Analysis/SimplifyInstruction.cpp).

use crate::instructions::Opcode;
use crate::model::{InstructionId, Ownership};
use crate::transform::editing::editor::Editor;
use crate::transform::editing::unused::names_nothing;
use crate::transform::knowledge::aggregate_parts::has_deinit;

/// Destroys what the cast `id` casts where its result is only destroyed. Whether it is.
pub(in crate::transform) fn destroy_uncast(editor: &mut Editor<'_>, id: InstructionId) -> bool {
    use Opcode::{
        BridgeObjectToRef, ConvertFunction, InitExistentialRef, OpenExistentialRef, RefToBridgeObject,
        UncheckedRefCast, UncheckedValueCast, Upcast,
    };
    let is_cast = match editor.opcode(id) {
        UncheckedRefCast | Upcast | UncheckedValueCast | RefToBridgeObject | BridgeObjectToRef | InitExistentialRef
        | ConvertFunction => true,
        OpenExistentialRef => names_nothing(editor, id),
        _ => false,
    };
    is_cast && destroy_source(editor, id)
}

/// The same for an instruction that passes its one operand on in whatever way.
pub(in crate::transform) fn destroy_source(editor: &mut Editor<'_>, id: InstructionId) -> bool {
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
