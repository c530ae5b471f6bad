//! Blocks, the closures of C code, which are created on the stack (lib/IRGen/GenFunc.cpp, `emitBlockHeader`).

use sil_ir::context::{SubstitutionMapId, Type, TypeId};
use sil_ir::instructions::families::Blocks;
use sil_ir::model::views::{InitBlockStorageHeader, Unary};
use sil_ir::model::{InstructionId, Value};

use super::{Emit, Lowering};
use crate::generation::{BLOCK_FLAGS, BlockPart, IRGenFunction};
use crate::refusal::Generated;

/// The emitter of each instruction of the family.
pub(super) fn lowering(opcode: Blocks) -> Lowering {
    let emit: Emit = match opcode {
        Blocks::ProjectBlockStorage => project_storage,
        Blocks::InitBlockStorageHeader => init_header,
    };
    Lowering::By(emit)
}

/// `project_block_storage`: returns the address of the capture of a block.
fn project_storage<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let Unary { operand } = Unary::of(function.body, instruction);
    let (offset, _) = function.module.block_capture(captured_in(function, instruction, operand)?)?;
    let capture = function.builder.offset(function.address(operand)?, offset);
    function.bind_address(instruction, capture);
    Ok(())
}

/// `init_block_storage_header`: stores the class, flags, a reserved word, the code and the descriptor.
fn init_header<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let InitBlockStorageHeader { storage, invoke, apply } = InitBlockStorageHeader::of(function.body, instruction);
    if apply.substitutions != SubstitutionMapId::EMPTY {
        return Err(function.unsupported(instruction, "blocks whose code is a generic function"));
    }
    let captured = captured_in(function, instruction, storage)?;
    let module = function.module;
    let info = module.block_storage(captured)?;
    let header = [
        module.block_part(BlockPart::StackClass)?.into(),
        function.builder.int(32, BLOCK_FLAGS).into(),
        function.builder.int(32, 0).into(),
        function.scalar(invoke)?,
        module.block_part(BlockPart::Descriptor(captured))?.into(),
    ];
    let block = function.address(storage)?;
    for (field, value) in info.fields().iter().zip(header) {
        let place = function.builder.offset(block, field.offset);
        function.builder.store(value, place, field.info.alignment);
    }
    function.bind_result(instruction, vec![block.into()]);
    Ok(())
}

/// Returns the type of the capture of the block in this storage.
fn captured_in(function: &IRGenFunction<'_, '_>, instruction: InstructionId, storage: Value) -> Generated<TypeId> {
    match *function.module.sil.context.get(function.erased(function.body.ty(storage).ty)) {
        Type::BlockStorage(captured) => Ok(captured),
        _ => Err(function.unsupported(instruction, "the storage of a block of another type")),
    }
}
