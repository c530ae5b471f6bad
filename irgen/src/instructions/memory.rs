//! Loads, stores, copies, address arithmetic, addresses of globals.

use inkwell::values::PointerValue;
use sil_ir::context::MemberTarget;
use sil_ir::instructions::families::Memory;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{
    CopyAddr, GlobalAddr, GlobalReference, GlobalUse, IndexAddr, Store, StructExtract, TailAddr, TupleAddrConstructor,
    TupleExtract, Unary,
};
use sil_ir::model::{InstructionId, Value};

use super::{Emit, Lowering};
use crate::generation::{Helper, IRGenFunction, Lowered};
use crate::layout::TypeLayout;
use crate::refusal::Generated;
use crate::values::element_alignment;
use crate::values::opaque::ValueWitness;

/// The emitter of each instruction of the family.
pub(super) fn lowering(opcode: Memory) -> Lowering {
    use Memory::*;
    let emit: Emit = match opcode {
        Load => load,
        Store => store,
        CopyAddr => copy_addr,
        DestroyAddr => destroy_addr,
        IndexAddr => index_addr,
        TailAddr => tail_addr,
        IndexRawPointer => index_raw_pointer,
        BindMemory | RebindMemory => bind_memory,
        BeginAccess => super::accesses::begin,
        EndAccess => super::accesses::end,
        BeginUnpairedAccess => super::accesses::begin_unpaired,
        EndUnpairedAccess => super::accesses::end_unpaired,
        MarkUninitialized | VectorBaseAddr => super::ownership::forward,
        GlobalAddr => global_addr,
        GlobalValue => global_value,
        BaseAddrForOffset => base_addr_for_offset,
        TupleAddrConstructor => tuple_addr_constructor,
        Vector => super::aggregates::compose,
        LoadBorrow | StoreBorrow | ExplicitCopyAddr => return Lowering::Before,
        Assign | AssignByWrapper | AssignOrInit | MarkFunctionEscape | MarkUnresolvedMoveAddr => {
            return Lowering::NotYet;
        }
    };
    Lowering::By(emit)
}

/// `destroy_addr`
pub(super) fn destroy_addr<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let Unary { operand } = Unary::of(function.body, instruction);
    function.destroy_value(function.body.ty(operand).ty, function.address(operand)?)
}

/// `bind_memory`, `rebind_memory`: binding memory to a type is for alias analysis only; its token is a word that is
/// never read.
pub(super) fn bind_memory<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let zero = function.module.word_type().const_zero();
    if let Some(result) = function.body.result(instruction) {
        function.bind(result, Lowered::Explosion(vec![zero.into()]));
    }
    Ok(())
}

/// `base_addr_for_offset`
pub(super) fn base_addr_for_offset<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let base = function.builder.null();
    function.bind_address(instruction, base);
    Ok(())
}

fn has(function: &IRGenFunction<'_, '_>, instruction: InstructionId, attribute: Attribute) -> bool {
    function.body.instructions[instruction].attributes.contains(attribute)
}

pub(super) fn load<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let Unary { operand } = Unary::of(function.body, instruction);
    let info = function.info_of(operand)?;
    if !info.is_loadable() {
        return Err(function.unsupported(instruction, "loading a value that can only live in memory"));
    }
    let alignment = alignment_at(function, operand, info.alignment);
    let value = function.load_explosion_aligned(&info, function.address(operand)?, alignment);
    function.bind_result(instruction, value);
    Ok(())
}

pub(super) fn store<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let Store { source, destination } = Store::of(function.body, instruction);
    let info = function.info_of(source)?;
    let value = function.explosion(source)?;
    let address = function.address(destination)?;
    let alignment = alignment_at(function, destination, info.alignment);
    function.store_explosion_aligned(&info, &value, address, alignment);
    Ok(())
}

/// Returns the alignment of `address`, by default that of its type: fields of packed C structures have less.
fn alignment_at(function: &IRGenFunction<'_, '_>, address: Value, by_default: u64) -> u64 {
    let body = function.body;
    let Some(definition) = body.defining(address) else { return by_default };
    let (base, number) = match body.instructions[definition].opcode {
        Opcode::BeginAccess => return alignment_at(function, Unary::of(body, definition).operand, by_default),
        Opcode::StructElementAddr => {
            let StructExtract { operand, field } = StructExtract::of(body, definition);
            match function.module.sil.context.get_member(field).target {
                MemberTarget::Stored(index) => (operand, index as usize),
                _ => return by_default,
            }
        }
        Opcode::TupleElementAddr => {
            let TupleExtract { operand, index } = TupleExtract::of(body, definition);
            (operand, index as usize)
        }
        _ => return by_default,
    };
    let Ok(info) = function.info_of(base) else { return by_default };
    let Some(field) = info.fields().get(number) else { return by_default };
    by_default.min(element_alignment(alignment_at(function, base, info.alignment), field.offset))
}

pub(super) fn copy_addr<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let CopyAddr { source, destination } = CopyAddr::of(function.body, instruction);
    let (from, to) = (function.address(source)?, function.address(destination)?);
    let info = match function.layout(function.body.ty(source).ty)? {
        TypeLayout::Fixed(info) => info,
        TypeLayout::Dynamic(ty) => {
            let witness =
                match (has(function, instruction, Attribute::Take), has(function, instruction, Attribute::Init)) {
                    (true, true) => ValueWitness::InitializeWithTake,
                    (true, false) => ValueWitness::AssignWithTake,
                    (false, true) => ValueWitness::InitializeWithCopy,
                    (false, false) => ValueWitness::AssignWithCopy,
                };
            return function.move_dynamic(ty, witness, [to, from]);
        }
    };
    let alignment = |address| alignment_at(function, address, info.alignment);
    let (source_alignment, destination_alignment) = (alignment(source), alignment(destination));
    if info.is_trivial() && source_alignment.min(destination_alignment) < info.alignment {
        let value = function.load_explosion_aligned(&info, from, source_alignment);
        function.store_explosion_aligned(&info, &value, to, destination_alignment);
        return Ok(());
    }
    match (has(function, instruction, Attribute::Take), has(function, instruction, Attribute::Init)) {
        (true, true) => function.initialize_with_take(&info, to, from),
        (true, false) => function.assign_with_take(&info, to, from),
        (false, true) => function.initialize_with_copy(&info, to, from),
        (false, false) => function.assign_with_copy(&info, to, from),
    }
    Ok(())
}

/// `index_addr`: array elements are a stride apart.
pub(super) fn index_addr<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let IndexAddr { base, index } = IndexAddr::of(function.body, instruction);
    let index = function.scalar(index)?.into_int_value();
    let address = function.element_address(function.body.ty(base).ty, function.address(base)?, index)?;
    function.bind_address(instruction, address);
    Ok(())
}

/// `tail_addr`: returns the address after `count` elements, aligned for the next type.
pub(super) fn tail_addr<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let TailAddr { base, count, ty } = TailAddr::of(function.body, instruction);
    let info = function.info_of(base)?;
    let next = function.info(ty)?;
    let count = function.scalar(count)?.into_int_value();
    let builder = &function.builder;
    let bits = function.module.pointer_bits();
    let element = crate::llvm::builder::bytes_type(function.module.context, info.stride());
    let end = builder.element_pointer(element, function.address(base)?, builder.resize_signed(count, bits));
    let mask = next.alignment - 1;
    let raised = builder.add(builder.pointer_to_int(end, bits), builder.int(bits, mask));
    let address = builder.int_to_pointer(builder.and(raised, builder.int(bits, !mask)));
    function.bind_address(instruction, address);
    Ok(())
}

pub(super) fn index_raw_pointer<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let IndexAddr { base, index } = IndexAddr::of(function.body, instruction);
    let base = function.scalar(base)?.into_pointer_value();
    let index = function.scalar(index)?.into_int_value();
    let address = function.builder.raw_index_bytes(base, index);
    function.bind_result(instruction, vec![address.into()]);
    Ok(())
}

pub(super) fn global_addr<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let GlobalAddr { global, .. } = GlobalAddr::of(function.body, instruction);
    let storage = function.module.global_address(global.name)?;
    let address = in_value_buffer(function, global, storage, Helper::ProjectValueBuffer)?.unwrap_or(storage);
    function.bind_address(instruction, address);
    Ok(())
}

/// `alloc_global`: allocates memory for a value if the global is only a value buffer. All other globals are the memory
/// of their values.
pub(super) fn alloc_global<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let GlobalUse { global } = GlobalUse::of(function.body, instruction);
    let storage = function.module.global_address(global.name)?;
    in_value_buffer(function, global, storage, Helper::AllocateValueBuffer).map(|_| ())
}

/// Calls `helper` for a global that is a value buffer. Returns the address of the value.
fn in_value_buffer<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    global: GlobalReference,
    buffer: PointerValue<'ctx>,
    helper: Helper,
) -> Generated<Option<PointerValue<'ctx>>> {
    let id = function.module.global_named(global.name)?;
    let TypeLayout::Dynamic(ty) = function.module.types.layout(function.module.sil.globals[id].ty)? else {
        return Ok(None);
    };
    let metadata = function.type_metadata(ty)?;
    let call = function.builder.call(function.module.helper(helper), &[metadata.into(), buffer.into()]);
    Ok(call.try_as_basic_value().basic().map(|value| value.into_pointer_value()))
}

/// `global_value`: the address of a statically initialised object is the reference.
pub(super) fn global_value<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let GlobalUse { global } = GlobalUse::of(function.body, instruction);
    let global = function.module.global_named(global.name)?;
    let Some(result) = function.body.result(instruction) else { return Ok(()) };
    let class = function.body.ty(result).ty;
    let object = match has(function, instruction, Attribute::Bare) {
        true => function.bare_static_object(global)?.into(),
        false => function.static_object(global, class)?,
    };
    function.bind_result(instruction, vec![object]);
    Ok(())
}

/// Stores each element to its address in a tuple.
pub(super) fn tuple_addr_constructor<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let TupleAddrConstructor { destination, elements } = TupleAddrConstructor::of(function.body, instruction);
    let tuple = function.info_of(destination)?;
    let base = function.address(destination)?;
    let initializes = has(function, instruction, Attribute::Init);
    for (field, operand) in tuple.fields().iter().zip(elements) {
        let place = function.builder.offset(base, field.offset);
        if function.body.ty(*operand).is_address() {
            let from = function.address(*operand)?;
            match initializes {
                true => function.initialize_with_take(&field.info, place, from),
                false => function.assign_with_take(&field.info, place, from),
            }
        } else {
            let value = function.explosion(*operand)?;
            match initializes {
                true => function.store_explosion(&field.info, &value, place),
                false => function.assign_explosion(&field.info, &value, place),
            }
        }
    }
    Ok(())
}
