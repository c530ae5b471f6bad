//! Barriers for destroys of lexical values: accesses through pointers and to globals, loads of weak references,
//! synchronisation (lib/SIL/Utils/MemAccessUtils.cpp, `mayBeDeinitBarrierNotConsideringSideEffects`).
//!
//! Does not own: which functions are such barriers when they are called; that is an effect of theirs (`effect_set`).

use sil_ir::instructions::{MemoryBehavior, Opcode};
use sil_ir::model::{InstructionId, Value, views};

use super::{
    AccessStorage, BodyView, Effect, EffectSet, FunctionEffects, InstructionEffects, NestedAccess, accessed_operands,
    callee_origin,
};

/// Whether `id` may be a barrier; calls are, whatever they call.
pub fn may_be_deinit_barrier(view: &BodyView<'_>, effects: InstructionEffects<'_>, id: InstructionId) -> bool {
    use Opcode::*;
    match view.opcode(id) {
        Apply | TryApply | BeginApply | EndApply | AbortApply => true,
        LoadWeak | LoadUnowned | StrongCopyUnownedValue | StrongCopyUnmanagedValue | HopToExecutor => true,
        _ => accesses_pointer(view, effects, id),
    }
}

/// Whether `id` is a barrier, with the effects of the function that it calls.
pub fn is_deinit_barrier(view: &BodyView<'_>, id: InstructionId) -> bool {
    use Opcode::*;
    let call = match view.opcode(id) {
        Apply | TryApply | BeginApply => Some(id),
        EndApply | AbortApply => view.operand(id, 0).and_then(|token| view.body.defining(token)),
        _ => return may_be_deinit_barrier(view, InstructionEffects::new(view.module, view.queries), id),
    };
    call.and_then(|call| effects_of_callee(view, call)).is_none_or(|effects| effects.contains(Effect::DeinitBarrier))
}

/// The effects of the function that `call` refers to by its name; none if the function is not known.
fn effects_of_callee(view: &BodyView<'_>, call: InstructionId) -> Option<EffectSet> {
    let origin = view.body.defining(callee_origin(view.body, view.operand(call, 0)?))?;
    let callee = views::FunctionRef::get(view.body, origin)?.function;
    let function = &view.module.functions[view.module.function_named(callee)?];
    Some(FunctionEffects::of(&view.module.context, function, view.queries.conventions(function.ty)).all())
}

/// Whether `id` may access memory that a pointer leads to, or a global.
pub fn accesses_pointer(view: &BodyView<'_>, effects: InstructionEffects<'_>, id: InstructionId) -> bool {
    if effects.memory_behavior(view.body, id) == MemoryBehavior::None {
        return false;
    }
    let is_unknown = |address: Option<Value>| {
        let storage = address.and_then(|address| AccessStorage::of(view, address, NestedAccess::Ignore));
        matches!(storage, None | Some(AccessStorage::Unidentified(_) | AccessStorage::Global(_)))
    };
    match view.opcode(id) {
        Opcode::Builtin => true,
        Opcode::EndBorrow => borrowed_memory(view, id).is_some_and(|address| is_unknown(Some(address))),
        _ => accessed_operands(view, effects, id)
            .into_iter()
            .any(|operand| is_unknown(view.operand(id, operand as usize))),
    }
}

/// The memory that a borrow which ends was of.
fn borrowed_memory(view: &BodyView<'_>, end: InstructionId) -> Option<Value> {
    use Opcode::*;
    let mut borrowed = view.operand(end, 0)?;
    loop {
        let (id, opcode) = view.definition(borrowed)?;
        borrowed = match opcode {
            LoadBorrow => return view.operand(id, 0),
            StoreBorrow => return view.operand(id, 1),
            BeginBorrow | StructExtract | TupleExtract | DestructureStruct | DestructureTuple | Upcast
            | UncheckedRefCast => view.operand(id, 0)?,
            _ => return None,
        };
    }
}
