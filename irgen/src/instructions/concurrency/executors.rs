//! `hop_to_executor`, and the representation of an executor: its identity and its implementation (`SerialExecutorRef`,
//! include/swift/ABI/Executor.h).

use inkwell::values::BasicValueEnum;
use sil_ir::context::{BuiltinType, Type};
use sil_ir::model::InstructionId;
use sil_ir::model::views::Unary;

use crate::generation::{AsyncDeparture, Explosion, Helper, IRGenFunction};
use crate::llvm::async_functions::Suspension;
use crate::refusal::Generated;

/// `hop_to_executor` of an executor, or of an optional one, for which `nil` is the generic executor: both words are
/// zero.
pub(super) fn hop<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let Unary { operand } = Unary::of(function.body, instruction);
    let ty = function.body.ty(operand).ty;
    let queries = function.module.types.queries;
    let executor = queries.optional_object(ty).unwrap_or(ty);
    if !matches!(queries.get(executor), Type::Builtin(BuiltinType::Executor)) {
        return Err(function.unsupported(instruction, "a hop to what is no executor"));
    }
    let explosion = function.explosion(operand)?;
    function.emit_hop(&explosion)
}

impl<'ctx> IRGenFunction<'_, 'ctx> {
    fn emit_hop(&self, executor: &[BasicValueEnum<'ctx>]) -> Generated<()> {
        let context = self.require_async_context()?;
        let bits = self.module.pointer_bits();
        let words: Explosion<'ctx> = executor.iter().map(|word| self.builder.to_bits(*word, bits).into()).collect();
        let resumption = self.builder.async_resumption(&self.module.llvm);
        let suspension = Suspension {
            resumed_with: self.builder.struct_type(&[self.builder.ptr_type().into()]),
            registers: self.builder.int(32, 0),
            resumption,
            project_context: self.module.helper(Helper::GetAsyncContext),
            leave: self.module.async_departure(AsyncDeparture::Switch)?,
        };
        let passed: Vec<_> = std::iter::once(resumption.into()).chain(words).chain([context.into()]).collect();
        self.suspend(suspension, &passed)?;
        Ok(())
    }
}
