//! closures

use sil::model::InstructionId;

use crate::generation::{Generated, IRGenFunction};

/// Emits one instruction of this family.
pub fn emit<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    Err(function.unsupported(instruction, "this instruction"))
}

/// Emits `dealloc_stack`: the slot of a value, or of a closure's context.
pub fn emit_dealloc_stack<'ctx>(_function: &mut IRGenFunction<'_, 'ctx>, _instruction: InstructionId) -> Generated<()> {
    Ok(())
}
