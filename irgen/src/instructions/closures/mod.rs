//! Closures: functions with a context, and the conversions between function types.

mod context;
mod forwarder;
mod partial_apply;

use inkwell::values::BasicValueEnum;
use sil_ir::model::InstructionId;
use sil_ir::model::views::Unary;

pub use forwarder::define as define_forwarder;
pub(super) use partial_apply::emit as partial_apply;

use crate::generation::{IRGenFunction, RuntimeFunction};
use crate::layout::Scalar;
use crate::refusal::Generated;

/// `thin_to_thick_function`: adds a null context, which a thin function does not use.
pub(super) fn thin_to_thick<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let code = function.scalar(Unary::of(function.body, instruction).operand)?;
    let context = function.builder.null().into();
    function.bind_result(instruction, vec![code, context]);
    Ok(())
}

/// Returns whether there are other references to the closure, and releases this one.
pub(super) fn destroy_not_escaped<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    is_escaping(function, instruction)?;
    let Unary { operand } = Unary::of(function.body, instruction);
    let info = function.info_of(operand)?;
    let closure = function.explosion(operand)?;
    function.destroy_explosion(&info, &closure);
    Ok(())
}

/// Tests whether the closure has other owners. It may be optional, as shown by the function pointer.
pub(super) fn is_escaping<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let Unary { operand } = Unary::of(function.body, instruction);
    let closure = function.explosion(operand)?;
    let [_, context] = closure.as_slice() else {
        return Err(function.unsupported(instruction, "a closure of this type"));
    };
    let context = function.builder.coerce(*context, Scalar::Pointer, function.module.pointer_bits());
    let file: BasicValueEnum = function.module.string_constant(b"").into();
    let zero = function.builder.int(32, 0).into();
    let arguments = [context, file, zero, zero, zero, zero];
    let escaped = function.call_runtime_for(RuntimeFunction::IsEscapingClosure, &arguments);
    function.bind_result(instruction, vec![escaped]);
    Ok(())
}

/// `function_extract_isolation`: loads the isolation after the header of the context.
pub(super) fn extract_isolation<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let Unary { operand } = Unary::of(function.body, instruction);
    let Some(result) = function.body.result(instruction) else { return Ok(()) };
    let [_, context] = function.explosion(operand)?[..] else {
        return Err(function.unsupported(instruction, "the isolation of such a function"));
    };
    let info = function.info_of(result)?;
    let header = function.module.heap_header_size().next_multiple_of(info.alignment);
    let context = function.builder.coerce(context, Scalar::Pointer, function.module.pointer_bits());
    let place = function.builder.offset(context.into_pointer_value(), header);
    let isolation = function.load_explosion(&info, place);
    function.bind_result(instruction, isolation);
    Ok(())
}
