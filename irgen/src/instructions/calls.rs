//! calls

use sil::model::InstructionId;

use crate::generation::{Generated, IRGenFunction};

/// Emits one instruction of this family.
pub fn emit<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    Err(function.unsupported(instruction, "this instruction"))
}

/// Emits an instruction that finds a function: a reference or a method lookup.
pub fn emit_callee<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    Err(function.unsupported(instruction, "this instruction"))
}

/// Emits `return`.
pub fn emit_return<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    Err(function.unsupported(instruction, "this instruction"))
}

/// Emits `throw` and `throw_addr`.
pub fn emit_throw<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    Err(function.unsupported(instruction, "this instruction"))
}
