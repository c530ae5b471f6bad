//! existentials

use sil::model::InstructionId;

use crate::generation::{Generated, IRGenFunction};

/// Emits one instruction of this family.
pub fn emit<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    Err(function.unsupported(instruction, "this instruction"))
}

/// Witness tables of opened archetypes, by archetype.
#[derive(Default, Debug)]
pub struct OpenedArchetypes<'ctx> {
    /// For each opened archetype the witness tables of its protocols, in the existential's order.
    pub witness_tables: rustc_hash::FxHashMap<sil::context::TypeId, Vec<inkwell::values::PointerValue<'ctx>>>,
}
