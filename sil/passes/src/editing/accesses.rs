//! Removes access scopes: instructions in them use the original address. Does not own: the decision whether an access
//! needs a check.

use sil_ir::instructions::Opcode;
use sil_ir::model::InstructionId;

use crate::editing::editor::Editor;

/// Removes an access with its ends.
pub(crate) fn remove_access(editor: &mut Editor<'_>, id: InstructionId) {
    let (Some(access), Some(address)) = (editor.body().result(id), editor.operand(id, 0)) else { return };
    for found in editor.uses(access) {
        if editor.opcode(found.user) == Opcode::EndAccess {
            editor.erase(found.user);
        }
    }
    editor.replace(id, address);
}

/// Removes an access without relevant uses (`InstSimplifier::visitBeginAccessInst` in
/// lib/SILOptimizer/Analysis/SimplifyInstruction.cpp).
pub(crate) fn remove_idle_access(editor: &mut Editor<'_>, id: InstructionId) {
    let Some(access) = editor.body().result(id) else { return };
    let is_incidental =
        |user| matches!(editor.opcode(user), Opcode::EndAccess | Opcode::DebugValue | Opcode::FixLifetime);
    if editor.uses(access).iter().all(|found| is_incidental(found.user)) {
        remove_access(editor, id);
    }
}
