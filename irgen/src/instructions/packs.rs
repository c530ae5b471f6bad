//! Packs: arrays of addresses, and the type data of opened elements.

use inkwell::values::{IntValue, PointerValue};
use sil_ir::context::{PackStorage, Type, TypeId};
use sil_ir::instructions::families::Packs;
use sil_ir::model::InstructionId;
use sil_ir::model::views::{
    AllocPack, DynamicPackIndex, OpenPackElement, PackElement, PackElementSet, PackLength, PackPackIndex,
    ScalarPackIndex,
};

use super::{Emit, Lowering};
use crate::generation::IRGenFunction;
use crate::refusal::Generated;
use crate::values::opaque::MAXIMUM_ALIGNMENT;

/// The number of words in the metadata of a tuple before its elements, and for each of them: its type and its offset
/// (`TargetTupleTypeMetadata`).
const TUPLE_HEADER_WORDS: u64 = 3;
const TUPLE_ELEMENT_WORDS: u64 = 2;

/// The emitter of each instruction of the family.
pub(super) fn lowering(opcode: Packs) -> Lowering {
    use Packs::*;
    let emit: Emit = match opcode {
        PackLength => length,
        DynamicPackIndex => dynamic_index,
        PackPackIndex => index_in_pack,
        ScalarPackIndex => scalar_index,
        OpenPackElement => open_element,
        PackElementGet => get_element,
        PackElementSet => set_element,
        TuplePackElementAddr => tuple_element,
        TuplePackExtract => return Lowering::NotYet,
    };
    Lowering::By(emit)
}

/// `alloc_pack`: allocates room for the addresses of elements, for the whole call if their number is fixed.
pub(super) fn alloc_pack<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let AllocPack { ty } = AllocPack::of(function.body, instruction);
    let elements = elements_of(function, instruction, ty.ty)?;
    let word = function.module.pointer_size();
    let slot = match elements.iter().any(|element| is_expansion(function, *element)) {
        false => function.stack_slot(elements.len() as u64 * word, word),
        true => {
            let size = function.builder.mul(function.pack_length(ty.ty)?, function.word_size());
            function.enter_slot(size, MAXIMUM_ALIGNMENT)
        }
    };
    function.bind_address(instruction, slot);
    Ok(())
}

/// The elements of a pack of addresses.
fn elements_of<'f>(
    function: &IRGenFunction<'f, '_>,
    instruction: InstructionId,
    pack: TypeId,
) -> Generated<&'f [TypeId]> {
    match function.module.types.queries.get(pack) {
        Type::Pack { elements, storage: PackStorage::Formal | PackStorage::Indirect } => Ok(elements),
        _ => Err(function.unsupported(instruction, "a pack of values")),
    }
}

fn is_expansion(function: &IRGenFunction<'_, '_>, element: TypeId) -> bool {
    matches!(function.module.types.queries.get(element), Type::PackExpansion { .. })
}

fn length<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let PackLength { pack } = PackLength::of(function.body, instruction);
    let length = function.pack_length(pack.ty)?;
    function.bind_result(instruction, vec![length.into()]);
    Ok(())
}

/// An index in an expansion is an index in the pack that it expands as a whole.
fn dynamic_index<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let DynamicPackIndex { index, .. } = DynamicPackIndex::of(function.body, instruction);
    let index = function.explosion(index)?;
    function.bind_result(instruction, index);
    Ok(())
}

/// Returns the start index of component number `component` of `pack`.
fn start_of_component<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
    pack: TypeId,
    component: u32,
) -> Generated<IntValue<'ctx>> {
    let elements = elements_of(function, instruction, pack)?;
    let mut start = function.module.word_type().const_int(0, false);
    for element in &elements[..(component as usize).min(elements.len())] {
        start = function.builder.add(start, function.component_length(*element)?);
    }
    Ok(start)
}

fn index_in_pack<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let PackPackIndex { component, index, pack } = PackPackIndex::of(function.body, instruction);
    let start = start_of_component(function, instruction, pack.ty, component)?;
    let index = function.builder.add(start, function.scalar(index)?.into_int_value());
    function.bind_result(instruction, vec![index.into()]);
    Ok(())
}

fn scalar_index<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let ScalarPackIndex { component, pack } = ScalarPackIndex::of(function.body, instruction);
    let start = start_of_component(function, instruction, pack.ty, component)?;
    function.bind_result(instruction, vec![start.into()]);
    Ok(())
}

/// Binds the metadata and witness tables of an element's types to those at its index.
fn open_element<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let OpenPackElement { index, opening } = OpenPackElement::of(function.body, instruction);
    let index = function.scalar(index)?.into_int_value();
    function.open_pack_element(opening, index)?;
    function.bind_result(instruction, Vec::new());
    Ok(())
}

/// Returns the position of an element's address.
fn place_of_element<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    pack: PointerValue<'ctx>,
    index: IntValue<'ctx>,
) -> PointerValue<'ctx> {
    function.builder.index_bytes(pack, function.builder.mul(index, function.word_size()))
}

fn get_element<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let PackElement { index, pack } = PackElement::of(function.body, instruction);
    elements_of(function, instruction, function.body.ty(pack).ty)?;
    let place = place_of_element(function, function.address(pack)?, function.scalar(index)?.into_int_value());
    let pointer = function.builder.ptr_type().into();
    let address = function.builder.load(pointer, place, function.module.pointer_size());
    function.bind_address(instruction, address.into_pointer_value());
    Ok(())
}

fn set_element<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let PackElementSet { value, index, pack } = PackElementSet::of(function.body, instruction);
    elements_of(function, instruction, function.body.ty(pack).ty)?;
    let place = place_of_element(function, function.address(pack)?, function.scalar(index)?.into_int_value());
    function.builder.store(function.address(value)?, place, function.module.pointer_size());
    Ok(())
}

/// Returns the address of the tuple element at a pack index (`projectTupleElementAddressByDynamicIndex`), by its offset
/// in the metadata of the tuple. A tuple that has become a single element has no metadata of its own.
fn tuple_element<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let PackElement { index, pack: tuple } = PackElement::of(function.body, instruction);
    let ty = function.body.ty(tuple).ty;
    let Type::Tuple(elements) = function.module.types.queries.get(ty) else {
        return Err(function.unsupported(instruction, "an element of what is no tuple"));
    };
    let word = function.word_size();
    let index = function.scalar(index)?.into_int_value();
    let metadata = function.type_metadata(function.module.types.with_metadata(ty))?;
    let builder = &function.builder;
    let words = |count| function.module.word_type().const_int(count, false);
    let number = builder.add(builder.mul(index, words(TUPLE_ELEMENT_WORDS)), words(TUPLE_HEADER_WORDS + 1));
    let mut place = builder.index_bytes(metadata, builder.mul(number, word));
    if function.module.may_become_one_element(elements) {
        let types: Vec<TypeId> = elements.iter().map(|element| element.ty).collect();
        let mut count = words(0);
        for ty in types {
            count = builder.add(count, function.component_length(ty)?);
        }
        let zero = function.stack_slot(function.module.pointer_size(), function.module.pointer_size());
        builder.store(words(0), zero, function.module.pointer_size());
        let is_one = builder.equal(count, words(1));
        place = builder.select(is_one, zero.into(), place.into()).into_pointer_value();
    }
    let offset = builder.load(function.module.word_type().into(), place, function.module.pointer_size());
    let address = builder.index_bytes(function.address(tuple)?, offset.into_int_value());
    function.bind_address(instruction, address);
    Ok(())
}
