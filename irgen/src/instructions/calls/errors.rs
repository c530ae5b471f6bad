//! Errors of calls: the slot of the error register, and the thrown error.
//!
//! The slot is null except between a throw and its handling, so that calls need not clear it.

use inkwell::values::PointerValue;

use super::{CallResult, Callee};
use crate::generation::signature::{ErrorPlace, LlvmParameter};
use crate::generation::{Explosion, IRGenFunction};

/// Returns the slot for errors of `callee`, or `None` if it does not throw.
pub(in crate::instructions) fn slot_for<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    callee: &Callee<'ctx>,
) -> Option<PointerValue<'ctx>> {
    callee.signature.throws().then(|| slot(function))
}

/// Returns the function's own error parameter, or a slot of the function.
fn slot<'ctx>(function: &mut IRGenFunction<'_, 'ctx>) -> PointerValue<'ctx> {
    if let Some(own) = function.llvm_parameter(|parameter| *parameter == LlvmParameter::Error) {
        return own.into_pointer_value();
    }
    if let Some(slot) = function.state.error_slot {
        return slot;
    }
    let alignment = function.module.pointer_size();
    let slot = function.in_prologue(|builder| {
        let slot = builder.swift_error_slot(&function.module.swift_error_slots, alignment);
        builder.store(builder.null(), slot, alignment);
        slot
    });
    function.state.error_slot = Some(slot);
    slot
}

/// Allocates memory for a typed error that does not fit into registers.
pub(super) fn memory_for<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    callee: &Callee<'ctx>,
) -> Option<PointerValue<'ctx>> {
    match &callee.signature.error {
        Some(error) if matches!(error.place, ErrorPlace::Memory) => Some(function.temporary(&error.info)),
        _ => None,
    }
}

/// Returns the value that shows whether a call threw: the error, or null. It is in the error slot, or an argument of an
/// async function's continuation.
pub(in crate::instructions) fn error_of<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    result: &CallResult<'ctx>,
    slot: Option<PointerValue<'ctx>>,
) -> Option<PointerValue<'ctx>> {
    let load = |slot| {
        let word = function.module.pointer_size();
        function.builder.load(function.builder.ptr_type().into(), slot, word).into_pointer_value()
    };
    result.thrown.or_else(|| slot.map(load))
}

/// Returns the scalars of the error that a call threw; none if it is in memory that SIL provides. `error` shows that
/// the call threw; the error slot is cleared, if there is one.
pub(in crate::instructions) fn thrown<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    callee: &Callee<'ctx>,
    result: &CallResult<'ctx>,
    slot: Option<PointerValue<'ctx>>,
    error: PointerValue<'ctx>,
    memory: Option<PointerValue<'ctx>>,
) -> Explosion<'ctx> {
    let builder = &function.builder;
    if let Some(slot) = slot {
        builder.store(builder.null(), slot, function.module.pointer_size());
    }
    let Some(direct) = &callee.signature.error else { return Vec::new() };
    match (&direct.place, memory) {
        (ErrorPlace::ErrorRegister, _) => vec![error.into()],
        (ErrorPlace::ReturnRegisters { native, registers }, _) => {
            let bits = function.module.pointer_bits();
            let scalars = registers.iter().zip(native.types());
            let scalars: Vec<_> =
                scalars.map(|(register, ty)| builder.coerce(result.registers[*register], ty, bits)).collect();
            native.unpack(builder, bits, &scalars)
        }
        (ErrorPlace::Memory, Some(memory)) => function.load_explosion(&direct.info, memory),
        (ErrorPlace::Memory, None) => Vec::new(),
    }
}
