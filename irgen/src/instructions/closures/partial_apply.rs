//! `partial_apply`: stores captures to a context, and pairs it with a forwarder.

use inkwell::values::{BasicValueEnum, PointerValue};
use sil_ir::context::{CoroutineKind, Type};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::InstructionId;
use sil_ir::model::views::{Apply, FunctionRef};

use super::context::{Capture, CaptureKind, Context, ContextForm, Isolation};
use super::forwarder;
use crate::generation::signature::LlvmParameter;
use crate::generation::{CaptureDescription, ContextStorage, Explosion, ForwarderKey, IRGenFunction};
use crate::instructions::allocation::allocate_box;
use crate::instructions::calls::Callee;
use crate::refusal::Generated;
use crate::values::opaque::ValueWitness;

/// Emits the instruction.
pub(in crate::instructions) fn emit<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let body = function.body;
    let Some(result) = body.result(instruction) else { return Ok(()) };
    let site = Apply::of(body, instruction);
    let Apply { callee, arguments, apply } = &site;
    let callee = *callee;
    let is_on_stack = body.instructions[instruction].attributes.contains(Attribute::OnStack);
    let storage = if is_on_stack { ContextStorage::Stack } else { ContextStorage::Heap };
    let queries = function.module.types.queries;
    let callee_type = queries.unsubstituted(queries.apply_substitutions(body.ty(callee).ty, apply.substitutions));
    let Type::Function(callee_function) = queries.get(callee_type) else {
        return Err(function.unsupported(instruction, "a partial_apply of this callee"));
    };
    if callee_function.coroutine != CoroutineKind::None {
        return Err(function.unsupported(instruction, "a partial_apply of a coroutine"));
    }
    let reference = body.defining(callee).filter(|found| body.instructions[*found].opcode == Opcode::FunctionRef);
    let known = reference.map(|found| FunctionRef::of(body, found).function);
    let key = ForwarderKey {
        callee: known,
        callee_type: function.erased(callee_type),
        generic_type: queries.unsubstituted(body.ty(callee).ty),
        closure_type: function.erased(queries.unsubstituted(body.ty(result).ty)),
        captures: arguments.len(),
        storage,
    };
    let context = key.context(function.module)?;
    let mut values: Vec<Explosion<'ctx>> = Vec::new();
    let isolation = Isolation::of(function.module, key.closure_type).count();
    let (isolation, others) = arguments.split_at(isolation.min(arguments.len()));
    for argument in isolation {
        values.push(function.flatten(&[*argument])?);
    }
    let called = Callee::of_site(function, &site)?;
    let parameters = called.signature.generic_parameters();
    for (parameter, argument) in parameters.zip(called.generic_values(function)?) {
        let argument = match (parameter, storage) {
            (LlvmParameter::Generic(requirement), ContextStorage::Heap) => {
                function.lasting_argument(*requirement, apply.substitutions, argument)?
            }
            _ => argument,
        };
        values.push(vec![argument.into()]);
    }
    for argument in others {
        values.push(function.flatten(&[*argument])?);
    }
    if known.is_none() {
        values.push(function.explosion(callee)?);
    }
    for capture in &context.captures {
        if let CaptureKind::Boxed(ty) = capture.kind {
            values.push(vec![function.type_metadata(ty)?.into()]);
        }
    }
    let code = forwarder::function(function.module, key)?;
    let (signature, captured) = (&called.signature, arguments.len());
    let captures = match context.form {
        ContextForm::Object(_) if storage == ContextStorage::Heap => function.module.closure_captures(
            signature,
            key.generic_type,
            apply.substitutions,
            captured,
            function.generics,
        )?,
        _ => CaptureDescription::default(),
    };
    let pointer = make_context(function, &context, storage, captures, &values)?;
    function.bind_result(instruction, vec![code.into(), pointer.into()]);
    Ok(())
}

fn make_context<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    context: &Context,
    storage: ContextStorage,
    captures: CaptureDescription,
    values: &[Explosion<'ctx>],
) -> Generated<PointerValue<'ctx>> {
    match &context.form {
        ContextForm::Empty => Ok(function.builder.null()),
        ContextForm::Single(index) => Ok(values[*index][0].into_pointer_value()),
        ContextForm::Object(layout) => {
            let object = match storage {
                ContextStorage::Heap => allocate_box(function, layout, captures)?.into_pointer_value(),
                ContextStorage::Stack => function.stack_slot(layout.size, layout.alignment),
            };
            for ((capture, field), value) in context.captures.iter().zip(&layout.fields).zip(values) {
                store_capture(function, capture, value, function.builder.offset(object, field.offset))?;
            }
            Ok(object)
        }
    }
}

/// Stores a capture, which the context owns.
fn store_capture<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    capture: &Capture,
    value: &[BasicValueEnum<'ctx>],
    place: PointerValue<'ctx>,
) -> Generated<()> {
    match (capture.kind, value) {
        (CaptureKind::ValueInMemory, [address]) => {
            function.initialize_with_take(&capture.info, place, address.into_pointer_value());
        }
        (CaptureKind::Boxed(ty), [address]) => {
            let metadata = function.type_metadata(ty)?;
            let (object, inside) = function.allocate_box_of(metadata);
            let addresses = [inside, address.into_pointer_value()];
            function.call_value_witness(ValueWitness::InitializeWithTake, &addresses, metadata);
            function.builder.store(object, place, function.module.pointer_size());
        }
        _ => function.store_explosion(&capture.info, value, place),
    }
    Ok(())
}
