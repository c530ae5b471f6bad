//! Error boxes: `any Error` is a reference to one, which the runtime allocates and projects
//! (stdlib/public/runtime/ErrorObject.h).

use inkwell::values::{BasicValueEnum, PointerValue};
use sil_ir::model::InstructionId;
use sil_ir::model::views::{AllocExistentialBox, DeallocExistentialBox, Unary};
use sil_ir::types::ExistentialKind;

use crate::generation::{Explosion, IRGenFunction, MetadataSource, RuntimeFunction};
use crate::refusal::Generated;

/// The content of a box from the runtime, in words: the value, its metadata, its witness table.
const CONTENT_WORDS: u64 = 3;

/// The content of a box.
pub(super) struct Content<'ctx> {
    pub(super) value: PointerValue<'ctx>,
    pub(super) metadata: PointerValue<'ctx>,
    pub(super) table: PointerValue<'ctx>,
}

/// `alloc_existential_box`: the value is uninitialised.
pub(super) fn alloc_box<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let AllocExistentialBox { existential, concrete } = AllocExistentialBox::of(function.body, instruction);
    if function.module.types.queries.existential_kind(existential.ty) != ExistentialKind::Error {
        return Err(function.unsupported(instruction, "a box of an existential that is no error"));
    }
    let metadata = function.type_metadata(concrete)?;
    let tables = function.existential_witness_tables(concrete, existential.ty)?;
    let [table] = tables.as_slice() else {
        return Err(function.unsupported(instruction, "a box of an error with several witness tables"));
    };
    let no_value = function.builder.null();
    let arguments = [metadata.into(), *table, no_value.into(), function.builder.bool(false).into()];
    let pair = function.call_runtime_for(RuntimeFunction::AllocError, &arguments);
    let object = function.builder.extract(pair, 0);
    function.bind_result(instruction, vec![object]);
    Ok(())
}

/// `project_existential_box`
pub(super) fn project_box<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let object = function.scalar(function.body.operands(instruction)[0])?;
    let content = content(function, object);
    function.bind_address(instruction, content.value);
    Ok(())
}

/// `open_existential_box`
pub(super) fn open_box<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let Unary { operand } = Unary::of(function.body, instruction);
    let Some(result) = function.body.result(instruction) else { return Ok(()) };
    let object = function.scalar(operand)?;
    let content = content(function, object);
    let tables: Explosion<'ctx> = vec![content.table.into()];
    let existential = function.body.ty(operand).ty;
    let archetype = function.body.ty(result).ty;
    function.open_archetype(archetype, existential, MetadataSource::Metadata(content.metadata), &tables);
    function.bind_address(instruction, content.value);
    Ok(())
}

/// `dealloc_existential_box`: the value was never initialised.
pub(super) fn dealloc_box<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let DeallocExistentialBox { operand, concrete } = DeallocExistentialBox::of(function.body, instruction);
    let metadata = function.type_metadata(concrete)?;
    let object = function.scalar(operand)?;
    function.call_runtime(RuntimeFunction::DeallocError, &[object, metadata.into()]);
    Ok(())
}

pub(super) fn content<'ctx>(function: &IRGenFunction<'_, 'ctx>, object: BasicValueEnum<'ctx>) -> Content<'ctx> {
    let word = function.module.pointer_size();
    // Other systems use this memory for values made from their own errors.
    let scratch = function.stack_slot(word, word);
    let words = function.stack_slot(CONTENT_WORDS * word, word);
    function.call_runtime(RuntimeFunction::GetErrorValue, &[object, scratch.into(), words.into()]);
    let load = |number: u64| {
        let place = function.builder.offset(words, number * word);
        function.builder.load(function.builder.ptr_type().into(), place, word).into_pointer_value()
    };
    Content { value: load(0), metadata: load(1), table: load(2) }
}
