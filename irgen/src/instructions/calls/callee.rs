//! Instructions that return a function: references by name, and methods in vtables and witness tables.

use inkwell::values::PointerValue;
use sil_ir::context::{MemberId, NominalId, Type, TypeId};
use sil_ir::model::views::{ClassMethod, FunctionRef, WitnessMethod};
use sil_ir::model::{InstructionId, Method};

use super::super::concurrency::task_locals;
use crate::generation::{Entity, FunctionPointerKind, IRGenFunction, ReplacementPart, RequirementKey};
use crate::refusal::Generated;

/// `function_ref`
pub(in crate::instructions) fn function_ref<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let FunctionRef { function: name } = FunctionRef::of(function.body, instruction);
    let Some(found) = function.module.sil.function_named(name) else {
        return Err(function.unsupported(instruction, "a reference to a function that the module does not have"));
    };
    // Each call of it passes what the address of the function does not tell.
    if task_locals::is_push(function, instruction) && task_locals::is_only_applied(function, instruction) {
        return Ok(());
    }
    let address = function.module.address_of(&function.module.function_entity(found))?;
    function.bind_result(instruction, vec![address.into()]);
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
    let mut original = function.module.replacement_part(ReplacementPart::Original, found)?;
    if function.module.is_async(function.module.sil.functions[found].ty) {
        let code = Entity::OfReplaceable(ReplacementPart::Original, found);
        original = function.module.function_pointer(FunctionPointerKind::Async, code);
    }
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

/// Returns the method from the slot in the metadata of an object or metatype, or from the lookup function of a
/// resilient library's class.
fn class_slot<'ctx>(function: &IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<PointerValue<'ctx>> {
    let ClassMethod { operand, method } = ClassMethod::of(function.body, instruction);
    let class = function.module.sil.context.get_member(method.member).parent;
    if let Some(found) = class.map(|class| method_of_library(function, class, method)).transpose()?.flatten() {
        return dispatch_thunk(function, instruction, found);
    }
    let value = function.scalar(operand)?.into_pointer_value();
    let is_metatype = matches!(function.module.sil.context.get(function.body.ty(operand).ty), Type::Metatype { .. });
    let metadata = if is_metatype { value } else { function.load_heap_metadata(value) };
    load_method(function, metadata, method)
}

/// Returns the method from the slot in the metadata of the static superclass.
fn super_slot<'ctx>(function: &IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<PointerValue<'ctx>> {
    let ClassMethod { operand, method } = ClassMethod::of(function.body, instruction);
    let class = class_of(function, function.body.ty(operand).ty);
    let Some(superclass) = function.module.types.queries.superclass_of(class) else {
        return Err(function.unsupported(instruction, "a super_method of a class without superclass"));
    };
    let introducing = function.module.sil.context.get_member(method.member).parent;
    if let Some(found) = introducing.map(|class| method_of_library(function, class, method)).transpose()?.flatten() {
        return method_by_lookup(function, instruction, superclass, found);
    }
    // If other modules may lay out the class, its accessor completes the metadata.
    let superclass = function.module.types.queries.canonical_type(superclass);
    load_method(function, function.type_metadata(superclass)?, method)
}

/// A method of a resilient library, whose slot may change: the declaring context, the member, its formal type.
type MethodOfLibrary = (NominalId, MemberId, Option<TypeId>);

fn method_of_library(
    function: &IRGenFunction<'_, '_>,
    class: NominalId,
    method: &Method,
) -> Generated<Option<MethodOfLibrary>> {
    function.module.method_of_library(class, method.into())
}

/// Returns the method of `class` from the lookup function of the resilient class `introducing`.
fn method_by_lookup<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
    class: TypeId,
    (introducing, member, formal): MethodOfLibrary,
) -> Generated<PointerValue<'ctx>> {
    let (Some(formal), Some(result)) = (formal, function.body.result(instruction)) else {
        return Err(function.unsupported(instruction, "a method without the type that tells it from others"));
    };
    let module = function.module;
    let yielded = module.yielded_type(function.body.ty(result).ty);
    let descriptor =
        module.requirement_descriptor(RequirementKey::ClassMethod(introducing, member, formal, yielded))?;
    let lookup = module.method_lookup(introducing);
    let call = function.builder.call(lookup, &[function.type_metadata(class)?.into(), descriptor.into()]);
    call.set_call_convention(module.swift_convention());
    let found = call.try_as_basic_value().basic();
    found
        .map(|found| found.into_pointer_value())
        .ok_or_else(|| function.unsupported(instruction, "a function without a result that looks methods up"))
}

fn load_method<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    metadata: PointerValue<'ctx>,
    method: &Method,
) -> Generated<PointerValue<'ctx>> {
    let place = function.module.method_place(method.into())?;
    Ok(function.load_constant_pointer(function.place_in_metadata(metadata, place)?, 0))
}

/// Returns the class of a reference or of a metatype.
fn class_of(function: &IRGenFunction<'_, '_>, ty: TypeId) -> TypeId {
    match function.module.sil.context.get(ty) {
        Type::Metatype { instance, .. } => class_of(function, *instance),
        Type::DynamicSelf(class) => *class,
        _ => ty,
    }
}

/// Returns the method from the slot in the witness table of the lookup type.
fn witness_slot<'ctx>(function: &IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<PointerValue<'ctx>> {
    let WitnessMethod { method, .. } = WitnessMethod::of(function.body, instruction);
    let member = function.module.sil.context.get_member(method.member);
    let (Some(lookup), Some(protocol)) = (method.lookup, member.parent) else {
        return Err(function.unsupported(instruction, "a witness_method of this form"));
    };
    if !function.module.numbers_members(protocol) {
        if function.module.types.queries.lacks_labels(method.into()) {
            return Err(function.module.lacks_labels(method.into()));
        }
        return dispatch_thunk(function, instruction, (protocol, method.member, method.formal_type));
    }
    let offset = function.module.witness_offset(protocol, method.into())?;
    let table = function.witness_table(lookup, protocol)?;
    Ok(function.load_constant_pointer(table, offset))
}

/// Returns the dispatch thunk of a method.
fn dispatch_thunk<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
    (nominal, member, formal): MethodOfLibrary,
) -> Generated<PointerValue<'ctx>> {
    let (Some(formal), Some(result)) = (formal, function.body.result(instruction)) else {
        return Err(function.unsupported(instruction, "a method without the type that tells it from others"));
    };
    function.module.dispatch_thunk(nominal, member, formal, function.body.ty(result).ty)
}
