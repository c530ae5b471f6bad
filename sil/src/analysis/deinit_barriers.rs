//! Deinit barriers: instructions that the end of a lexical lifetime is not moved across, because a deinitialiser that runs earlier could be seen there
//! (docs/SIL/Ownership.md, "Deinit Barriers"; `isDeinitBarrier`, lib/SILOptimizer/Analysis/BasicCalleeAnalysis.cpp).

use super::access::{AccessStorage, NestedAccess};
use super::{BodyView, InstructionEffects, accessed_operands, callee_origin};
use crate::instructions::{MemoryBehavior, Opcode};
use crate::model::{FunctionAttribute, InstructionId, views};

/// Whether the end of a lexical lifetime stays behind `id`.
pub fn is_deinit_barrier(view: &BodyView<'_>, id: InstructionId) -> bool {
    use Opcode::*;
    match view.opcode(id) {
        Apply | TryApply | BeginApply => is_barrier_call(view, id),
        EndApply | AbortApply => {
            let begin = view.operand(id, 0).and_then(|token| view.body.defining(token));
            begin.is_none_or(|begin| is_barrier_call(view, begin))
        }
        LoadWeak | LoadUnowned | StrongCopyUnownedValue | StrongCopyUnmanagedValue | HopToExecutor => true,
        _ => may_access_pointer(view, id),
    }
}

/// Whether an instruction that calls nothing may access memory that others reach.
fn may_access_pointer(view: &BodyView<'_>, id: InstructionId) -> bool {
    let effects = InstructionEffects::new(view.module, view.queries);
    if effects.memory_behavior(view.body, id) == MemoryBehavior::None {
        return false;
    }
    if view.opcode(id) == Opcode::Builtin {
        return true;
    }
    let operands = accessed_operands(view, effects, id);
    operands.into_iter().filter_map(|operand| view.operand(id, operand as usize)).any(|address| {
        let storage = AccessStorage::of(view, address, NestedAccess::Ignore);
        matches!(storage, None | Some(AccessStorage::Unidentified(_) | AccessStorage::Global(_)))
    })
}

/// Whether the function that is called may be one with a barrier in it: its effects say that it has none, if so.
fn is_barrier_call(view: &BodyView<'_>, call: InstructionId) -> bool {
    let Some(callee) = view.operand(call, 0) else { return true };
    let origin = view.body.defining(callee_origin(view.body, callee));
    let Some(reference) = origin.and_then(|id| views::FunctionRef::get(view.body, id)) else { return true };
    let Some(function) = view.module.function_named(reference.function) else { return true };
    let mut global_effects =
        view.module.functions[function].attributes.iter().filter_map(|attribute| match attribute {
            FunctionAttribute::Effects(text) => view.module.context.text(*text).strip_prefix("global:"),
            _ => None,
        });
    global_effects.next().is_none_or(|words| words.split(',').any(|word| word.trim() == "deinit_barrier"))
}
