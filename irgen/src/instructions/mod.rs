//! The code of instructions, a file for each family. This file maps each opcode to its emitter.

mod accesses;
mod aggregates;
mod allocation;
mod apply_sites;
pub mod builtins;
pub mod calls;
mod casts;
mod closures;
pub mod concurrency;
pub mod coroutines;
mod diagnostics;
mod differentiation;
mod distributed;
mod dynamic;
mod enums;
mod errors;
mod existentials;
mod key_paths;
mod literals;
mod memory;
mod metatypes;
mod objc_blocks;
mod ownership;
mod packs;
mod reference_counting;
mod terminators;
mod variables;

pub use closures::define_forwarder;
pub use distributed::define_distributed_accessor;
use sil_ir::instructions::{Family, Opcode};
use sil_ir::model::InstructionId;

use crate::generation::IRGenFunction;
use crate::refusal::Generated;

/// The treatment of an opcode or a builtin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coverage {
    /// Lowered to LLVM IR.
    Lowered,
    /// No code is needed.
    Nothing,
    /// Removed by ownership lowering.
    Before,
    /// Lowered in initialisers of globals, the only place where it is valid.
    InInitializers,
    /// Rejected: `not supported yet`.
    NotYet,
}

/// Emits one instruction of some opcodes at the builder's position, and binds its result.
type Emit = for<'f, 'm, 'ctx> fn(&'f mut IRGenFunction<'m, 'ctx>, InstructionId) -> Generated<()>;

/// The lowering of an opcode.
enum Lowering {
    /// This function emits it.
    By(Emit),
    /// Its effect needs no code.
    NoCode,
    /// No code is emitted.
    Nothing,
    /// It only occurs in functions with ownership, which `sil_passes` lowers before.
    Before,
    /// It only occurs in initialisers of globals, which `generation::constants` evaluates.
    InInitializers,
    /// The instruction is rejected.
    NotYet,
}

/// Emits one instruction at the builder's position, and binds its result.
pub fn emit<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let opcode = function.body.instructions[instruction].opcode;
    match lowering(opcode) {
        Lowering::By(emit) => emit(function, instruction),
        Lowering::NoCode | Lowering::Nothing => Ok(()),
        Lowering::Before => {
            let name = opcode.name();
            Err(function.unsupported(instruction, format_args!("{name} in a function whose ownership was not lowered")))
        }
        Lowering::InInitializers => Err(function.unsupported(instruction, "objects outside of static initialisers")),
        Lowering::NotYet => Err(function.unsupported(instruction, format_args!("the instruction {}", opcode.name()))),
    }
}

/// Returns whether silc lowers instructions of the kind `opcode`. Single forms of them may still be rejected.
pub fn coverage(opcode: Opcode) -> Coverage {
    match lowering(opcode) {
        Lowering::By(_) | Lowering::NoCode => Coverage::Lowered,
        Lowering::Before => Coverage::Before,
        Lowering::InInitializers => Coverage::InInitializers,
        Lowering::Nothing => Coverage::Nothing,
        Lowering::NotYet => Coverage::NotYet,
    }
}

fn lowering(opcode: Opcode) -> Lowering {
    match opcode.family() {
        Family::Allocation(opcode) => allocation::lowering(opcode),
        Family::Memory(opcode) => memory::lowering(opcode),
        Family::ReferenceCounting(opcode) => reference_counting::lowering(opcode),
        Family::Ownership(opcode) => ownership::lowering(opcode),
        Family::Aggregates(opcode) => aggregates::lowering(opcode),
        Family::Enums(opcode) => enums::lowering(opcode),
        Family::Literals(opcode) => literals::lowering(opcode),
        Family::Calls(opcode) => apply_sites::lowering(opcode),
        Family::Casts(opcode) => casts::lowering(opcode),
        Family::Existentials(opcode) => existentials::lowering(opcode),
        Family::Metatypes(opcode) => metatypes::lowering(opcode),
        Family::Diagnostics(opcode) => diagnostics::lowering(opcode),
        Family::Terminators(opcode) => terminators::lowering(opcode),
        Family::KeyPaths(opcode) => key_paths::lowering(opcode),
        Family::Packs(opcode) => packs::lowering(opcode),
        Family::Concurrency(opcode) => concurrency::lowering(opcode),
        Family::Blocks(opcode) => objc_blocks::lowering(opcode),
        Family::Differentiation(opcode) => differentiation::lowering(opcode),
    }
}
