//! Closures: functions with a context, and the conversions between function types.

mod context;
mod forwarder;
mod partial_apply;

use inkwell::values::BasicValueEnum;
use sil::instructions::Opcode;
use sil::model::InstructionId;

pub use forwarder::ForwarderKey;

use crate::generation::{Generated, IRGenFunction, RuntimeFunction};
use crate::layout::Scalar;

/// Emits one instruction of this family.
pub fn emit<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    match function.body.instructions[instruction].opcode {
        Opcode::PartialApply => partial_apply::emit(function, instruction),
        Opcode::ThinToThickFunction => thin_to_thick(function, instruction),
        // Function types that convert into each other have one representation.
        Opcode::ConvertFunction | Opcode::ConvertEscapeToNoescape => {
            let explosion = function.explosion(function.body.operands(instruction)[0])?;
            function.bind_result(instruction, explosion);
            Ok(())
        }
        Opcode::DestroyNotEscapedClosure => destroy_not_escaped(function, instruction),
        opcode => Err(function.unsupported(instruction, format_args!("the instruction {}", opcode.name()))),
    }
}

/// A thin function gets a null context: it does not look at the context register.
fn thin_to_thick<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let code = function.scalar(function.body.operands(instruction)[0])?;
    let context = function.builder.null().into();
    function.bind_result(instruction, vec![code, context]);
    Ok(())
}

/// Tells whether somebody else holds the closure, and gives up this reference. The closure may be optional: what tells that apart is
/// in the function pointer.
fn destroy_not_escaped<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let operand = function.body.operands(instruction)[0];
    let closure = function.explosion(operand)?;
    let [_, context] = closure.as_slice() else {
        return Err(function.unsupported(instruction, "a closure of this type"));
    };
    let context = function.builder.coerce(*context, Scalar::Pointer, function.module.pointer_bits());
    let file: BasicValueEnum = function.module.string_constant(b"").into();
    let zero = function.builder.int(32, 0).into();
    let arguments = [context, file, zero, zero, zero, zero];
    let escaped = function.call_runtime_for(RuntimeFunction::IsEscapingClosure, &arguments);
    let info = function.info_of(operand)?;
    function.destroy_explosion(&info, &closure);
    function.bind_result(instruction, vec![escaped]);
    Ok(())
}

/// Emits `dealloc_stack`: the slot of a value or of a closure's context, which lives as long as the call.
pub fn emit_dealloc_stack<'ctx>(_function: &mut IRGenFunction<'_, 'ctx>, _instruction: InstructionId) -> Generated<()> {
    Ok(())
}
