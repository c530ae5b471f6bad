//! Metatypes: empty if thin, a pointer to metadata if thick.

use inkwell::values::BasicValueEnum;
use sil_ir::context::{MetatypeRepresentation, Type, TypeId};
use sil_ir::instructions::families::Metatypes;
use sil_ir::model::InstructionId;
use sil_ir::model::views::{self, Unary};

use super::{Emit, Lowering};
use crate::generation::{IRGenFunction, MetadataSource, RuntimeFunction};
use crate::layout::{TypeKind, TypeLayout};
use crate::refusal::Generated;

/// The index of the word with the instance type in the metadata of a metatype (include/swift/ABI/Metadata.h,
/// `TargetMetatypeMetadata`).
const INSTANCE_TYPE: u64 = 1;

/// The emitter of each instruction of the family.
pub(super) fn lowering(opcode: Metatypes) -> Lowering {
    use Metatypes::*;
    let emit: Emit = match opcode {
        Metatype => metatype,
        ValueMetatype => value_metatype,
        ExistentialMetatype => existential_metatype,
        InitExistentialMetatype => init_existential_metatype,
        OpenExistentialMetatype => open_existential_metatype,
        TypeValue => type_value,
        ObjCProtocol
        | ThickToObjcMetatype
        | ObjcToThickMetatype
        | ObjcMetatypeToObject
        | ObjcExistentialMetatypeToObject => return Lowering::NotYet,
    };
    Lowering::By(emit)
}

/// Returns the type of the metatype that is the instruction's result.
fn result_type(function: &IRGenFunction<'_, '_>, instruction: InstructionId) -> Option<TypeId> {
    function.body.result(instruction).map(|result| function.body.ty(result).ty)
}

/// Returns whether `ty` is an existential metatype: the conforming opened type is then the instance type of the
/// innermost metatype.
fn is_existential_metatype(function: &IRGenFunction<'_, '_>, ty: TypeId) -> bool {
    matches!(function.module.sil.context.get(ty), Type::ExistentialMetatype { .. })
}

fn is_thin(function: &IRGenFunction<'_, '_>, metatype: TypeId) -> bool {
    let ty = function.module.sil.context.get(metatype);
    matches!(ty, Type::Metatype { representation: Some(MetatypeRepresentation::Thin), .. })
}

fn instance_of(function: &IRGenFunction<'_, '_>, instruction: InstructionId, metatype: TypeId) -> Generated<TypeId> {
    match function.module.sil.context.get(metatype) {
        Type::Metatype { instance, .. } | Type::ExistentialMetatype { instance, .. } => Ok(*instance),
        _ => Err(function.unsupported(instruction, "a metatype of this type")),
    }
}

pub(super) fn metatype<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    match result_type(function, instruction) {
        Some(ty) => metatype_of(function, instruction, ty),
        None => Ok(()),
    }
}

fn metatype_of<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId, ty: TypeId) -> Generated<()> {
    if is_thin(function, ty) {
        function.bind_result(instruction, Vec::new());
        return Ok(());
    }
    let instance = instance_of(function, instruction, ty)?;
    let metadata = match function.module.has_metadata(instance) {
        true => function.type_metadata(instance)?,
        false => function.builder.null(),
    };
    function.bind_result(instruction, vec![metadata.into()]);
    Ok(())
}

/// `type_value`: returns the integer of a value parameter.
fn type_value<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let views::TypeValue { parameter } = views::TypeValue::of(function.body, instruction);
    let value = function.integer_argument(parameter)?;
    function.bind_result(instruction, vec![value.into()]);
    Ok(())
}

/// Returns the dynamic type of an object.
pub(super) fn value_metatype<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let Some(ty) = result_type(function, instruction) else { return Ok(()) };
    if is_thin(function, ty) {
        function.bind_result(instruction, Vec::new());
        return Ok(());
    }
    let Unary { operand } = Unary::of(function.body, instruction);
    let operand_type = function.body.ty(operand);
    if operand_type.is_address()
        && let TypeLayout::Dynamic(dynamic) = function.layout(operand_type.ty)?
    {
        let metadata = function.type_metadata(dynamic)?;
        let is_existential = function.builder.bool(false);
        let arguments = [function.address(operand)?.into(), metadata.into(), is_existential.into()];
        let found = function.call_runtime_for(RuntimeFunction::GetDynamicType, &arguments);
        function.bind_result(instruction, vec![found]);
        return Ok(());
    }
    if operand_type.is_address() || !function.module.types.is_single_reference(operand_type.ty) {
        return metatype_of(function, instruction, ty);
    }
    let metadata = function.load_heap_metadata(function.scalar(operand)?.into_pointer_value());
    function.bind_result(instruction, vec![metadata.into()]);
    Ok(())
}

/// Returns the dynamic type of an existential, with the same witness tables.
pub(super) fn existential_metatype<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let Unary { operand } = Unary::of(function.body, instruction);
    let ty = function.body.ty(operand);
    if !ty.is_address() && function.module.types.is_error_existential(ty.ty) {
        let error = super::errors::content(function, function.scalar(operand)?);
        let is_existential = function.builder.bool(true);
        let arguments = [error.value.into(), error.metadata.into(), is_existential.into()];
        let found = function.call_runtime_for(RuntimeFunction::GetDynamicType, &arguments);
        function.bind_result(instruction, vec![found, error.table.into()]);
        return Ok(());
    }
    if ty.is_address() {
        let info = function.info(ty)?;
        let TypeKind::Existential(fields) = &info.kind else {
            return Err(function.unsupported(instruction, "an existential of this kind"));
        };
        let container = function.address(operand)?;
        let metadata = function.existential_metadata(fields, container);
        let tables = function.existential_tables(fields, container);
        let value = function.project_existential_value(container, metadata, tables.len());
        let is_existential = function.builder.bool(true);
        let arguments = [value.into(), metadata.into(), is_existential.into()];
        let mut explosion = vec![function.call_runtime_for(RuntimeFunction::GetDynamicType, &arguments)];
        explosion.extend(tables.into_iter().map(BasicValueEnum::from));
        function.bind_result(instruction, explosion);
        return Ok(());
    }
    let mut explosion = function.explosion(operand)?;
    explosion[0] = match function.module.sil.context.get(ty.ty) {
        Type::ExistentialMetatype { .. } => {
            function.call_runtime_for(RuntimeFunction::GetMetatypeMetadata, &[explosion[0]])
        }
        _ if function.module.types.queries.has_class_bound(ty.ty) => {
            function.load_heap_metadata(explosion[0].into_pointer_value()).into()
        }
        _ => return Err(function.unsupported(instruction, "an existential that is not bound to classes")),
    };
    function.bind_result(instruction, explosion);
    Ok(())
}

pub(super) fn init_existential_metatype<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let Some(ty) = result_type(function, instruction) else { return Ok(()) };
    let Unary { operand } = Unary::of(function.body, instruction);
    let mut concrete = instance_of(function, instruction, function.body.ty(operand).ty)?;
    let mut existential = instance_of(function, instruction, ty)?;
    while is_existential_metatype(function, existential) {
        concrete = instance_of(function, instruction, concrete)?;
        existential = instance_of(function, instruction, existential)?;
    }
    let mut explosion = function.explosion(operand)?;
    explosion.extend(function.existential_witness_tables(concrete, existential)?);
    function.bind_result(instruction, explosion);
    Ok(())
}

pub(super) fn open_existential_metatype<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let Some(ty) = result_type(function, instruction) else { return Ok(()) };
    let Unary { operand } = Unary::of(function.body, instruction);
    let mut existential = instance_of(function, instruction, function.body.ty(operand).ty)?;
    let mut explosion = function.explosion(operand)?;
    let tables = explosion.split_off(1);
    let mut archetype = instance_of(function, instruction, ty)?;
    let mut metadata = explosion[0].into_pointer_value();
    while is_existential_metatype(function, existential) {
        archetype = instance_of(function, instruction, archetype)?;
        existential = instance_of(function, instruction, existential)?;
        metadata = function.load_constant_pointer(metadata, INSTANCE_TYPE * function.module.pointer_size());
    }
    function.open_archetype(archetype, existential, MetadataSource::Metadata(metadata), &tables);
    function.bind_result(instruction, explosion);
    Ok(())
}
