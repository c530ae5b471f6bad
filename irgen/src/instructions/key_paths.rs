//! `keypath`: the runtime instantiates the key path from a pattern and its captures.

use inkwell::values::{BasicValueEnum, PointerValue};
use sil_ir::instructions::families::KeyPaths;
use sil_ir::model::InstructionId;
use sil_ir::model::views::KeyPathPattern as KeyPathInstruction;

use super::Lowering;
use crate::generation::{IRGenFunction, KeyPathPart, KeyPathPattern, RuntimeFunction};
use crate::refusal::Generated;
use crate::values::opaque::{MAXIMUM_ALIGNMENT, Transfer};

/// The emitter of the instructions of the family.
pub(super) fn lowering(opcode: KeyPaths) -> Lowering {
    match opcode {
        KeyPaths::Keypath => Lowering::By(key_path),
    }
}

fn key_path<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    if !function.module.has_library_runtime() {
        return Err(function.unsupported(instruction, "the instruction keypath in Embedded Swift"));
    }
    let KeyPathInstruction { pattern: path, .. } = KeyPathInstruction::of(function.body, instruction);
    let pattern = KeyPathPattern::of(path);
    let address = function.module.key_path_part(KeyPathPart::Pattern, &pattern)?;
    let arguments = arguments(function, instruction)?;
    let made = function.call_runtime_for(RuntimeFunction::GetKeyPath, &[address.into(), arguments.into()]);
    function.leave_dynamic_slot(arguments);
    function.bind_result(instruction, vec![made]);
    Ok(())
}

/// Allocates memory with the generic arguments, then the captured values, which the key path consumes.
fn arguments<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<PointerValue<'ctx>> {
    let KeyPathInstruction { captures, pattern: path } = KeyPathInstruction::of(function.body, instruction);
    let mut generic = Vec::new();
    if let Some(signature) = path.signature {
        generic = function.generic_arguments(signature, path.substitutions)?;
    }
    if generic.is_empty() && captures.is_empty() {
        return Ok(function.builder.ptr_type().get_undef());
    }
    let (builder, word) = (&function.builder, function.module.pointer_size());
    let mut size = function.module.word_type().const_int(generic.len() as u64 * word, false);
    let mut offsets = Vec::new();
    for capture in captures {
        let [value_size, mask] = function.size_and_alignment(function.body.ty(*capture).ty)?;
        let offset = builder.and(builder.add(size, mask), builder.not(mask));
        offsets.push(offset);
        size = builder.add(offset, value_size);
    }
    let memory = match size.get_zero_extended_constant() {
        Some(size) => function.stack_slot(size, MAXIMUM_ALIGNMENT),
        None => function.enter_slot(size, MAXIMUM_ALIGNMENT),
    };
    let (function, builder) = (&*function, &function.builder);
    for (number, argument) in generic.into_iter().enumerate() {
        builder.store(BasicValueEnum::from(argument), builder.offset(memory, number as u64 * word), word);
    }
    for (capture, offset) in captures.iter().zip(offsets) {
        let place = builder.index_bytes(memory, offset);
        let ty = function.body.ty(*capture);
        if ty.is_address() {
            function.initialize_value(ty.ty, [place, function.address(*capture)?], Transfer::Take)?;
        } else {
            let info = function.info_of(*capture)?;
            function.store_explosion(&info, &function.explosion(*capture)?, place);
        }
    }
    Ok(memory)
}
