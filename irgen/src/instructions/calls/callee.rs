//! Instructions that find a function: references by name, and methods in vtables and witness tables.

use inkwell::values::PointerValue;
use sil::context::{NominalId, Type, TypeId};
use sil::model::views::{ClassMethod, FunctionRef, WitnessMethod};
use sil::model::{InstructionId, Method};
use sil::types::MethodRef;

use crate::generation::{IRGenFunction, ReplacementPart};
use crate::refusal::Generated;

/// `function_ref`
pub(in crate::instructions) fn function_ref<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let FunctionRef { function: name } = FunctionRef::of(function.body, instruction);
    let Some(found) = function.module.function_named(name)? else {
        return Err(function.unsupported(instruction, "a reference to a function that the module does not have"));
    };
    function.bind_result(instruction, vec![found.as_global_value().as_pointer_value().into()]);
    Ok(())
}

/// `prev_dynamic_function_ref`
pub(in crate::instructions) fn previous_function_ref<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let FunctionRef { function: name } = FunctionRef::of(function.body, instruction);
    let Some(found) = function.module.sil.function_named(name).filter(|_| function.module.has_library_runtime()) else {
        return Err(function.unsupported(instruction, "what a function replaces in this module"));
    };
    let original = function.module.replacement_part(ReplacementPart::Original, found)?;
    function.bind_result(instruction, vec![original.into()]);
    Ok(())
}

/// `class_method`
pub(in crate::instructions) fn class_method<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let found = class_slot(function, instruction)?;
    function.bind_result(instruction, vec![found.into()]);
    Ok(())
}

/// `super_method`
pub(in crate::instructions) fn super_method<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let found = super_slot(function, instruction)?;
    function.bind_result(instruction, vec![found.into()]);
    Ok(())
}

/// `witness_method`
pub(in crate::instructions) fn witness_method<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let found = witness_slot(function, instruction)?;
    function.bind_result(instruction, vec![found.into()]);
    Ok(())
}

/// The slot of the metadata of an object or of a metatype; the function that finds it where the class is of a library that evolves.
fn class_slot<'ctx>(function: &IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<PointerValue<'ctx>> {
    let ClassMethod { operand, method } = ClassMethod::of(function.body, instruction);
    let class = function.module.sil.context.get_member(method.member).parent;
    if let Some(class) = class.filter(|class| !function.module.numbers_members(*class)) {
        return dispatch_thunk(function, instruction, class, method);
    }
    let value = function.scalar(operand)?.into_pointer_value();
    let is_metatype = matches!(function.module.sil.context.get(function.body.ty(operand).ty), Type::Metatype { .. });
    let metadata = if is_metatype { value } else { function.load_heap_metadata(value) };
    load_method(function, metadata, method)
}

/// The slot of the metadata of the superclass, which is known.
fn super_slot<'ctx>(function: &IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<PointerValue<'ctx>> {
    let ClassMethod { operand, method } = ClassMethod::of(function.body, instruction);
    let class = class_of(function, function.body.ty(operand).ty);
    let Some(superclass) = function.module.types.queries.superclass_of(class) else {
        return Err(function.unsupported(instruction, "a super_method of a class without superclass"));
    };
    load_method(function, function.module.class_metadata(superclass)?, method)
}

fn load_method<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    metadata: PointerValue<'ctx>,
    method: &Method,
) -> Generated<PointerValue<'ctx>> {
    let method = MethodRef { member: method.member, formal_type: method.formal_type };
    let place = function.module.method_place(method)?;
    Ok(function.load_constant_pointer(function.place_in_metadata(metadata, place)?, 0))
}

/// The class of a reference or of a metatype.
fn class_of(function: &IRGenFunction<'_, '_>, ty: TypeId) -> TypeId {
    match function.module.sil.context.get(ty) {
        Type::Metatype { instance, .. } => class_of(function, *instance),
        Type::DynamicSelf(class) => *class,
        _ => ty,
    }
}

/// The slot of the witness table of the type that is looked up.
fn witness_slot<'ctx>(function: &IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<PointerValue<'ctx>> {
    let WitnessMethod { method, .. } = WitnessMethod::of(function.body, instruction);
    let member = function.module.sil.context.get_member(method.member);
    let (Some(lookup), Some(protocol)) = (method.lookup, member.parent) else {
        return Err(function.unsupported(instruction, "a witness_method of this form"));
    };
    if !function.module.numbers_members(protocol) {
        return dispatch_thunk(function, instruction, protocol, method);
    }
    let table = function.witness_table(lookup, protocol)?;
    let method = MethodRef { member: method.member, formal_type: method.formal_type };
    let offset = function.module.witness_offset(protocol, method)?;
    Ok(function.load_constant_pointer(table, offset))
}

/// The function that finds what is meant by `method` of `nominal` and calls it.
fn dispatch_thunk<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
    nominal: NominalId,
    method: &Method,
) -> Generated<PointerValue<'ctx>> {
    let (Some(formal), Some(result)) = (method.formal_type, function.body.result(instruction)) else {
        return Err(function.unsupported(instruction, "a method without the type that tells it from others"));
    };
    function.module.dispatch_thunk(nominal, method.member, formal, function.body.ty(result).ty)
}
