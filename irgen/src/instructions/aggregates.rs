//! Structs, tuples and objects: making them, taking them apart, and the addresses of their parts.

use inkwell::values::PointerValue;
use sil::context::{MemberId, MemberRef, MemberTarget, TypeId};
use sil::instructions::families::Aggregates;
use sil::model::{Details, InstructionId};

use super::{Emit, Lowering};
use crate::generation::{IRGenFunction, Lowered};
use crate::refusal::Generated;

/// What becomes of each instruction of the family.
pub(super) fn lowering(opcode: Aggregates) -> Lowering {
    use Aggregates::*;
    let emit: Emit = match opcode {
        Struct | Tuple => compose,
        StructExtract | TupleExtract => extract,
        StructElementAddr | TupleElementAddr => element_address,
        DestructureStruct | DestructureTuple => destructure,
        RefElementAddr => ref_element_address,
        RefTailAddr => ref_tail_address,
        Object => return Lowering::InInitializers,
    };
    Lowering::By(emit)
}

/// The number of the field that the instruction names, in its aggregate.
fn field_number(function: &IRGenFunction<'_, '_>, instruction: InstructionId) -> Generated<usize> {
    match function.body.instructions[instruction].details {
        Details::Index(index) => Ok(index as usize),
        Details::Member(member) => match function.module.sil.context.get_member(member).target {
            MemberTarget::Stored(index) => Ok(index as usize),
            _ => Err(function.unsupported(instruction, "a reference to something that is not stored")),
        },
        _ => Err(function.unsupported(instruction, "a field reference of this form")),
    }
}

/// `struct`, `tuple`, `vector`: the scalars of the fields or elements, in order.
pub(super) fn compose<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let scalars = function.flatten(function.body.operands(instruction))?;
    function.bind_result(instruction, scalars);
    Ok(())
}

pub(super) fn extract<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let aggregate = function.body.operands(instruction)[0];
    let info = function.info_of(aggregate)?;
    let number = field_number(function, instruction)?;
    let Some(field) = info.fields().get(number) else {
        return Err(function.unsupported(instruction, "a field of this type"));
    };
    let explosion = function.explosion(aggregate)?;
    function.bind_result(instruction, explosion[field.elements()].to_vec());
    Ok(())
}

pub(super) fn element_address<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let aggregate = function.body.operands(instruction)[0];
    let info = function.info_of(aggregate)?;
    let number = field_number(function, instruction)?;
    let Some(field) = info.fields().get(number) else {
        return Err(function.unsupported(instruction, "a field of this type"));
    };
    let address = function.builder.offset(function.address(aggregate)?, field.offset);
    function.bind_address(instruction, address);
    Ok(())
}

pub(super) fn destructure<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let aggregate = function.body.operands(instruction)[0];
    let info = function.info_of(aggregate)?;
    let explosion = function.explosion(aggregate)?;
    for (field, result) in info.fields().iter().zip(function.body.results(instruction)) {
        function.bind(result, Lowered::Explosion(explosion[field.elements()].to_vec()));
    }
    Ok(())
}

pub(super) fn ref_element_address<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let object = function.body.operands(instruction)[0];
    let class = function.body.ty(object).ty;
    let Details::Member(member) = function.body.instructions[instruction].details else {
        return Err(function.unsupported(instruction, "a field reference of this form"));
    };
    let base = function.scalar(object)?.into_pointer_value();
    let address = stored_property_address(function, instruction, base, class, member)?;
    function.bind_address(instruction, address);
    Ok(())
}

/// The address of a stored property of an object of the class type `class`, which declares or inherits it.
fn stored_property_address<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
    object: PointerValue<'ctx>,
    class: TypeId,
    member: MemberId,
) -> Generated<PointerValue<'ctx>> {
    let MemberRef { parent: Some(parent), target: MemberTarget::Stored(index), .. } =
        function.module.sil.context.get_member(member)
    else {
        return Err(function.unsupported(instruction, "a reference to something that is not stored"));
    };
    let Some(declaring) = function.module.types.queries.ancestor_declared_by(class, *parent) else {
        return Err(function.unsupported(instruction, "a field of this class"));
    };
    let layout = function.module.types.class_layout(declaring)?;
    let inherited = layout.fields.len() - layout.own_fields;
    match layout.fields.get(inherited + *index as usize) {
        Some(field) => Ok(function.builder.offset(object, field.offset)),
        None => Err(function.unsupported(instruction, "a field of this class")),
    }
}

/// Tail elements begin behind the last stored property, aligned for the element.
pub(super) fn ref_tail_address<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let object = function.body.operands(instruction)[0];
    let layout = function.module.types.class_layout(function.body.ty(object).ty)?;
    let element = function.info(function.body.types(instruction)[0])?;
    let offset = layout.size.next_multiple_of(element.alignment);
    let address = function.builder.offset(function.scalar(object)?.into_pointer_value(), offset);
    function.bind_address(instruction, address);
    Ok(())
}
