//! coroutines

use sil::model::InstructionId;

use crate::generation::{Generated, IRGenFunction};

/// Emits one instruction of this family.
pub fn emit<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    Err(function.unsupported(instruction, "this instruction"))
}

/// What `end_apply` needs of a `begin_apply`.
#[derive(Debug)]
pub struct CoroutineToken<'ctx> {
    /// The buffer that the coroutine keeps its frame in.
    pub buffer: inkwell::values::PointerValue<'ctx>,
    /// The function to go on with.
    pub resume: inkwell::values::PointerValue<'ctx>,
}

/// What a coroutine knows of its own frame.
#[derive(Debug)]
pub struct CoroutineState<'ctx> {
    /// LLVM's handle of the frame.
    pub handle: inkwell::values::PointerValue<'ctx>,
}

/// Emits `unwind`.
pub fn emit_unwind<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    Err(function.unsupported(instruction, "this instruction"))
}
