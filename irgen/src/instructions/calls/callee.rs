//! Instructions that find a function: references by name, and methods in vtables and witness tables.

use inkwell::values::PointerValue;
use sil::context::TypeId;
use sil::instructions::Opcode;
use sil::model::{Details, InstructionId, Method};
use sil::types::{MethodRef, Type};

use crate::generation::{Generated, IRGenFunction};

/// Emits an instruction that finds a function: a reference or a method lookup.
pub fn emit_callee<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let found = match (&function.body.instructions[instruction].details, function.body.instructions[instruction].opcode)
    {
        (Details::Function(name), Opcode::FunctionRef) => match function.module.function_named(*name)? {
            Some(found) => found.as_global_value().as_pointer_value(),
            None => {
                return Err(
                    function.unsupported(instruction, "a reference to a function that the module does not have")
                );
            }
        },
        (Details::Method(method), Opcode::ClassMethod) => class_method(function, instruction, method)?,
        (Details::Method(method), Opcode::SuperMethod) => super_method(function, instruction, method)?,
        (Details::Method(method), Opcode::WitnessMethod) => witness_method(function, instruction, method)?,
        (_, opcode) => return Err(function.unsupported(instruction, format_args!("the instruction {}", opcode.name()))),
    };
    function.bind_result(instruction, vec![found.into()]);
    Ok(())
}

/// The slot of the metadata of an object or of a metatype.
fn class_method<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
    method: &Method,
) -> Generated<PointerValue<'ctx>> {
    let operand = function.body.operands(instruction)[0];
    let value = function.scalar(operand)?.into_pointer_value();
    let is_metatype = matches!(function.module.sil.context.get(function.body.ty(operand).ty), Type::Metatype { .. });
    let metadata = if is_metatype { value } else { function.load_heap_metadata(value) };
    load_method(function, metadata, method)
}

/// The slot of the metadata of the superclass, which is known.
fn super_method<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
    method: &Method,
) -> Generated<PointerValue<'ctx>> {
    let class = class_of(function, function.body.ty(function.body.operands(instruction)[0]).ty);
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
    let offset = function.module.method_offset(method)?;
    Ok(function.load_constant_pointer(metadata, offset))
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
fn witness_method<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
    method: &Method,
) -> Generated<PointerValue<'ctx>> {
    let member = function.module.sil.context.get_member(method.member);
    let (Some(lookup), Some(protocol)) = (method.lookup, member.parent) else {
        return Err(function.unsupported(instruction, "a witness_method of this form"));
    };
    let table = function.witness_table(lookup, protocol)?;
    let method = MethodRef { member: method.member, formal_type: method.formal_type };
    let offset = function.module.witness_offset(protocol, method)?;
    Ok(function.load_constant_pointer(table, offset))
}
