//! Retains and releases, reference storage, uniqueness, and the instructions that only concern ownership.

use sil_ir::instructions::Attribute;
use sil_ir::instructions::families::ReferenceCounting;
use sil_ir::model::views::{Store, Unary};
use sil_ir::model::{InstructionId, Value};

use super::{Emit, Lowering};
use crate::generation::{IRGenFunction, Lowered, RuntimeFunction};
use crate::layout::{ReferenceKind, TypeInfo, TypeKind};
use crate::refusal::Generated;

/// The emitter of each instruction of the family.
pub(super) fn lowering(opcode: ReferenceCounting) -> Lowering {
    use ReferenceCounting::*;
    let emit: Emit = match opcode {
        DestroyNotEscapedClosure => super::closures::destroy_not_escaped,
        IsEscapingClosure => super::closures::is_escaping,
        StrongRetain | RetainValue | UnmanagedRetainValue => copy_operand,
        StrongRelease | ReleaseValue | UnmanagedReleaseValue => release_operand,
        RetainValueAddr => retain_value_addr,
        ReleaseValueAddr => release_value_addr,
        StrongRetainUnowned | StrongCopyUnownedValue => strong_copy_unowned,
        StrongCopyUnmanagedValue => strong_copy_unmanaged_value,
        UnownedRetain | UnownedCopyValue => unowned_copy,
        UnownedRelease => unowned_release,
        LoadWeak => load_weak,
        StoreWeak => store_weak,
        LoadUnowned => load_unowned,
        StoreUnowned => store_unowned,
        CopyBlock => copy_block,
        IsUnique => is_unique,
        BeginCowMutation => begin_cow_mutation,
        RefToUnowned | UnownedToRef | RefToUnmanaged | UnmanagedToRef | EndCowMutation => super::ownership::forward,
        EndCowMutationAddr => return Lowering::NoCode,
        AutoreleaseValue
        | UnmanagedAutoreleaseValue
        | StrongCopyWeakValue
        | WeakCopyValue
        | CopyBlockWithoutEscaping => return Lowering::NotYet,
    };
    Lowering::By(emit)
}

pub(super) fn copy_operand<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let Unary { operand } = Unary::of(function.body, instruction);
    let info = function.info_of(operand)?;
    let value = function.explosion(operand)?;
    function.copy_explosion(&info, &value);
    Ok(())
}

/// `strong_release`, `release_value`, `unmanaged_release_value`
pub(super) fn release_operand<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let Unary { operand } = Unary::of(function.body, instruction);
    let info = function.info_of(operand)?;
    let value = function.explosion(operand)?;
    function.destroy_explosion(&info, &value);
    Ok(())
}

/// `retain_value_addr`
pub(super) fn retain_value_addr<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let Unary { operand } = Unary::of(function.body, instruction);
    let info = function.info_of(operand)?;
    let value = function.load_explosion(&info, function.address(operand)?);
    function.copy_explosion(&info, &value);
    Ok(())
}

/// `release_value_addr`
pub(super) fn release_value_addr<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let Unary { operand } = Unary::of(function.body, instruction);
    let info = function.info_of(operand)?;
    let value = function.load_explosion(&info, function.address(operand)?);
    function.destroy_explosion(&info, &value);
    Ok(())
}

/// `strong_copy_unmanaged_value`
pub(super) fn strong_copy_unmanaged_value<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let Unary { operand } = Unary::of(function.body, instruction);
    let value = function.explosion(operand)?;
    function.retain(ReferenceKind::Native, value[0]);
    function.bind_result(instruction, value);
    Ok(())
}

/// `strong_retain_unowned`, `strong_copy_unowned_value`
pub(super) fn strong_copy_unowned<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let value = function.explosion(Unary::of(function.body, instruction).operand)?;
    function.call_runtime(RuntimeFunction::UnownedRetainStrong, &[value[0]]);
    function.bind_result(instruction, value);
    Ok(())
}

/// `unowned_retain`, `unowned_copy_value`
pub(super) fn unowned_copy<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let value = function.explosion(Unary::of(function.body, instruction).operand)?;
    function.retain(ReferenceKind::Unowned, value[0]);
    function.bind_result(instruction, value);
    Ok(())
}

/// `copy_block`: copies a block from the stack to the heap.
pub(super) fn copy_block<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let block = function.scalar(Unary::of(function.body, instruction).operand)?;
    let copy = function.call_runtime_for(RuntimeFunction::BlockCopy, &[block]);
    function.bind_result(instruction, vec![copy]);
    Ok(())
}

/// `unowned_release`
pub(super) fn unowned_release<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let value = function.explosion(Unary::of(function.body, instruction).operand)?;
    function.release(ReferenceKind::Unowned, value[0]);
    function.bind_result(instruction, value);
    Ok(())
}

/// `load_weak`
pub(super) fn load_weak<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    load_reference(function, instruction, Stored::Weak)
}

/// `load_unowned`
pub(super) fn load_unowned<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    load_reference(function, instruction, Stored::Unowned)
}

/// `store_weak`
pub(super) fn store_weak<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    store_reference(function, instruction, Stored::Weak)
}

/// `store_unowned`
pub(super) fn store_unowned<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    store_reference(function, instruction, Stored::Unowned)
}

/// The kind of reference storage.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stored {
    Weak,
    Unowned,
}

/// Tests whether the reference in memory is the only one to its object. Null is not unique.
pub(super) fn is_unique<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let Unary { operand } = Unary::of(function.body, instruction);
    let info = function.info_of(operand)?;
    let value = function.load_explosion(&info, function.address(operand)?);
    let unique = emit_uniqueness(function, &info, &value)
        .ok_or_else(|| function.unsupported(instruction, "asking whether a reference of this type is unique"))?;
    function.bind_result(instruction, vec![unique]);
    Ok(())
}

fn emit_uniqueness<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    info: &TypeInfo,
    value: &[inkwell::values::BasicValueEnum<'ctx>],
) -> Option<inkwell::values::BasicValueEnum<'ctx>> {
    let [scalar] = value else { return None };
    let pointer = match scalar {
        inkwell::values::BasicValueEnum::IntValue(bits) => function.builder.int_to_pointer(*bits),
        inkwell::values::BasicValueEnum::PointerValue(pointer) => *pointer,
        _ => return None,
    };
    let question = match info.kind {
        TypeKind::Reference(ReferenceKind::Native) => RuntimeFunction::IsUniquelyReferencedNonNull,
        TypeKind::Reference(ReferenceKind::Unowned | ReferenceKind::OptionalUnowned | ReferenceKind::Block) => {
            return None;
        }
        _ => RuntimeFunction::IsUniquelyReferenced,
    };
    Some(function.call_runtime_for(question, &[pointer.into()]))
}

/// Returns whether the buffer is unique, if that is used, and the buffer: LLVM would keep an unused load.
pub(super) fn begin_cow_mutation<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let Unary { operand } = Unary::of(function.body, instruction);
    let info = function.info_of(operand)?;
    let value = function.explosion(operand)?;
    let results: Vec<Value> = function.body.results(instruction).collect();
    let [is_unique, buffer] = results[..] else { return Ok(()) };
    if function.is_used(is_unique) {
        let unique = emit_uniqueness(function, &info, &value)
            .ok_or_else(|| function.unsupported(instruction, "asking whether a reference of this type is unique"))?;
        function.bind(is_unique, Lowered::Explosion(vec![unique]));
    }
    function.bind(buffer, Lowered::Explosion(value));
    Ok(())
}

/// Loads a strong reference from weak or unowned memory; from weak memory, it is an `Optional`. Witness tables follow
/// it.
fn load_reference<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
    stored: Stored,
) -> Generated<()> {
    let Unary { operand } = Unary::of(function.body, instruction);
    let address = function.address(operand)?;
    let takes = function.body.instructions[instruction].attributes.contains(Attribute::Take);
    let Some(result) = function.body.result(instruction) else { return Ok(()) };
    let info = function.info_of(result)?;
    let Some((element, tables)) = info.elements.split_first() else {
        return Err(function.unsupported(instruction, "a weak reference of this type"));
    };
    let loaded = match (stored, takes) {
        (Stored::Weak, true) => function.call_runtime_for(RuntimeFunction::WeakTakeStrong, &[address.into()]),
        (Stored::Weak, false) => function.call_runtime_for(RuntimeFunction::WeakLoadStrong, &[address.into()]),
        _ => {
            let pointer = function.builder.load(function.builder.ptr_type().into(), address, info.alignment);
            function.call_runtime(RuntimeFunction::UnownedRetainStrong, &[pointer]);
            if takes {
                function.release(ReferenceKind::Unowned, pointer);
            }
            pointer
        }
    };
    let bits = function.builder.to_bits(loaded, function.module.pointer_bits());
    let value = function.builder.scalar_of_bits(bits, function.builder.scalar_type(element.scalar));
    let mut explosion = vec![value];
    for table in tables {
        let place = function.builder.offset(address, table.offset);
        explosion.push(function.builder.load(function.builder.scalar_type(table.scalar), place, info.alignment));
    }
    function.bind_result(instruction, explosion);
    Ok(())
}

fn store_reference<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
    stored: Stored,
) -> Generated<()> {
    let Store { source, destination } = Store::of(function.body, instruction);
    let address = function.address(destination)?;
    let initializes = function.body.instructions[instruction].attributes.contains(Attribute::Init);
    let (info, explosion) = (function.info_of(source)?, function.explosion(source)?);
    let Some((reference, tables)) = explosion.split_first() else {
        return Err(function.unsupported(instruction, "a weak reference of this type"));
    };
    let bits = function.builder.to_bits(*reference, function.module.pointer_bits());
    let pointer = function.builder.int_to_pointer(bits);
    for (table, element) in tables.iter().zip(&info.elements[1..]) {
        function.builder.store(*table, function.builder.offset(address, element.offset), info.alignment);
    }
    match (stored, initializes) {
        (Stored::Weak, true) => {
            function.call_runtime(RuntimeFunction::WeakInit, &[address.into(), pointer.into()]);
        }
        (Stored::Weak, false) => {
            function.call_runtime(RuntimeFunction::WeakAssign, &[address.into(), pointer.into()]);
        }
        _ => {
            function.retain(ReferenceKind::Unowned, pointer.into());
            let alignment = function.module.pointer_size();
            if !initializes {
                let old = function.builder.load(function.builder.ptr_type().into(), address, alignment);
                function.release(ReferenceKind::Unowned, old);
            }
            function.builder.store(pointer, address, alignment);
        }
    }
    Ok(())
}

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// Uses `pointer` opaquely: no pass can analyse the use or move references across it.
    pub fn emit_opaque_use(&self, pointer: inkwell::values::PointerValue<'ctx>) {
        self.builder.opaque_use(pointer);
    }

    /// Ends the lifetime of a stack slot.
    pub fn emit_lifetime_end(&self, slot: inkwell::values::PointerValue<'ctx>) {
        self.emit_opaque_use(slot);
    }
}
