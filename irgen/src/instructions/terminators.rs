//! terminators

use sil::model::InstructionId;

use crate::generation::{Generated, IRGenFunction};

/// Emits one instruction of this family.
pub fn emit<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    Err(function.unsupported(instruction, "this instruction"))
}

/// The failure blocks of a function by message.
pub type FailureBlocks<'ctx> = rustc_hash::FxHashMap<Box<str>, inkwell::basic_block::BasicBlock<'ctx>>;
