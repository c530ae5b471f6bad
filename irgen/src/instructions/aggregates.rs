//! Structs, tuples and objects: construction, destructuring, and the addresses of their parts.

use inkwell::values::PointerValue;
use sil_ir::context::{MemberId, MemberRef, MemberTarget, TypeId};
use sil_ir::instructions::families::Aggregates;
use sil_ir::model::views::{Composition, RefElementAddr, RefTailAddr, StructExtract, TupleExtract, Unary};
use sil_ir::model::{InstructionId, Value};

use super::{Emit, Lowering};
use crate::generation::{IRGenFunction, Lowered};
use crate::layout::{Field, TypeLayout};
use crate::refusal::Generated;

/// Returns the emitter of each instruction of the family.
pub(super) fn lowering(opcode: Aggregates) -> Lowering {
    use Aggregates::*;
    let emit: Emit = match opcode {
        Struct => compose_struct,
        Tuple => compose,
        StructExtract => struct_extract,
        StructElementAddr => struct_element_address,
        TupleExtract => tuple_extract,
        TupleElementAddr => tuple_element_address,
        DestructureStruct | DestructureTuple => destructure,
        RefElementAddr => ref_element_address,
        RefTailAddr => ref_tail_address,
        Object => return Lowering::InInitializers,
    };
    Lowering::By(emit)
}

/// A part of a struct or a tuple.
struct Part {
    aggregate: Value,
    number: usize,
}

impl Part {
    fn of_struct(function: &IRGenFunction<'_, '_>, instruction: InstructionId) -> Generated<Self> {
        let StructExtract { operand, field } = StructExtract::of(function.body, instruction);
        match function.module.sil.context.get_member(field).target {
            MemberTarget::Stored(index) => Ok(Self { aggregate: operand, number: index as usize }),
            _ => {
                // The members of a type without a layout are unknown.
                function.info_of(operand)?;
                Err(function.unsupported(instruction, "a reference to something that is not stored"))
            }
        }
    }

    fn of_tuple(function: &IRGenFunction<'_, '_>, instruction: InstructionId) -> Self {
        let TupleExtract { operand, index } = TupleExtract::of(function.body, instruction);
        Self { aggregate: operand, number: index as usize }
    }
}

/// `struct_extract`
pub(super) fn struct_extract<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let part = Part::of_struct(function, instruction)?;
    extract(function, instruction, &part)
}

/// `tuple_extract`
pub(super) fn tuple_extract<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    extract(function, instruction, &Part::of_tuple(function, instruction))
}

/// `struct_element_addr`
pub(super) fn struct_element_address<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let part = Part::of_struct(function, instruction)?;
    element_address(function, instruction, &part, Field::projected_offset)
}

/// `tuple_element_addr`
pub(super) fn tuple_element_address<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    element_address(function, instruction, &Part::of_tuple(function, instruction), |field| field.offset)
}

/// `struct`. A C structure with bytes outside of stored properties cannot be built from its properties.
fn compose_struct<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    if let Some(result) = function.body.result(instruction) {
        let ty = function.body.ty(result).ty;
        let layout =
            function.module.types.queries.declaration_of(ty).and_then(|found| found.attributes.c_layout.as_ref());
        if layout.is_some_and(|layout| !layout.opaque.is_empty()) {
            return Err(
                function.unsupported(instruction, "a structure with bit-fields or unions that is made of its fields")
            );
        }
    }
    compose(function, instruction)
}

/// `struct`, `tuple`, `vector`: concatenates the scalars of the fields or elements.
pub(super) fn compose<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let scalars = function.flatten(Composition::of(function.body, instruction).elements)?;
    function.bind_result(instruction, scalars);
    Ok(())
}

fn extract<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId, part: &Part) -> Generated<()> {
    let info = function.info_of(part.aggregate)?;
    let Some(field) = info.fields().get(part.number) else {
        return Err(function.unsupported(instruction, "a field of this type"));
    };
    let explosion = function.explosion(part.aggregate)?;
    function.bind_result(instruction, explosion[field.elements()].to_vec());
    Ok(())
}

fn element_address<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
    part: &Part,
    offset_of: fn(&Field) -> u64,
) -> Generated<()> {
    if let Some(ty) = function.dynamic_type(part.aggregate)? {
        let base = function.address(part.aggregate)?;
        let address = function.part_address(ty, base, part.number)?;
        function.bind_address(instruction, address);
        return Ok(());
    }
    let info = function.info_of(part.aggregate)?;
    let Some(field) = info.fields().get(part.number) else {
        return Err(function.unsupported(instruction, "a field of this type"));
    };
    let address = function.builder.offset(function.address(part.aggregate)?, offset_of(field));
    function.bind_address(instruction, address);
    Ok(())
}

pub(super) fn destructure<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let Unary { operand } = Unary::of(function.body, instruction);
    let info = function.info_of(operand)?;
    let explosion = function.explosion(operand)?;
    for (field, result) in info.fields().iter().zip(function.body.results(instruction)) {
        function.bind(result, Lowered::Explosion(explosion[field.elements()].to_vec()));
    }
    Ok(())
}

pub(super) fn ref_element_address<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let RefElementAddr { object, field } = RefElementAddr::of(function.body, instruction);
    let class = function.body.ty(object).ty;
    let base = function.scalar(object)?.into_pointer_value();
    let address = stored_property_address(function, instruction, base, class, field)?;
    function.bind_address(instruction, address);
    Ok(())
}

/// Returns the address of a stored property of an object of the class type `class`, which declares or inherits it.
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
    let Some(layout) = function.module.types.fixed_class_layout(function.erased(declaring))? else {
        return function.dynamic_stored_property(object, *parent, *index as usize);
    };
    let inherited = layout.fields.len() - layout.own_fields;
    match layout.fields.get(inherited + *index as usize) {
        Some(field) => Ok(function.builder.offset(object, field.offset)),
        None => Err(function.unsupported(instruction, "a field of this class")),
    }
}

/// `ref_tail_addr`. Tail elements begin after the last stored property, aligned for the element.
pub(super) fn ref_tail_address<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let RefTailAddr { object, ty } = RefTailAddr::of(function.body, instruction);
    let bits = function.module.pointer_bits();
    let builder = &function.builder;
    let [size, _] = super::allocation::class_size(function, function.body.ty(object).ty)?;
    let mask = match function.layout(ty.ty)? {
        TypeLayout::Fixed(element) => builder.int(bits, element.alignment - 1),
        TypeLayout::Dynamic(element) => function.alignment_mask(function.type_metadata(element)?),
    };
    let offset = builder.and(builder.add(size, mask), builder.not(mask));
    let address = builder.index_bytes(function.scalar(object)?.into_pointer_value(), offset);
    function.bind_address(instruction, address);
    Ok(())
}
