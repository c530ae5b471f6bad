//! Continuations: `get_async_continuation` and `get_async_continuation_addr` create one, `await_async_continuation`
//! waits for it. A continuation is the task, suspended with a separate context (`ContinuationAsyncContext`,
//! include/swift/ABI/Task.h).

use inkwell::values::{BasicValueEnum, PointerValue};
use sil_ir::context::TypeId;
use sil_ir::instructions::Attribute;
use sil_ir::model::InstructionId;
use sil_ir::model::views::{AwaitAsyncContinuation, GetAsyncContinuation, GetAsyncContinuationAddr};

use crate::generation::{
    ASYNC_CONTEXT_ALIGNMENT, AsyncDeparture, Continuation, Helper, IRGenFunction, RuntimeFunction,
};
use crate::layout::TypeLayout;
use crate::llvm::async_functions::Suspension;
use crate::refusal::Generated;
use crate::values::opaque::ValueWitness;

/// The size of a continuation's context in words: that of async functions, flags, the synchronisation state, the error,
/// the address of the result, and the two words of the executor to resume on.
const CONTEXT_WORDS: u64 = 8;
const RESUMPTION_WORD: u64 = 1;
const ERROR_WORD: u64 = 4;
/// The word with the address of the result in such a context.
pub const RESULT_WORD: u64 = 5;

/// The flag of a continuation that can throw (`AsyncContinuationFlags`).
const CAN_THROW: u64 = 1;

/// `get_async_continuation`
pub(super) fn get_continuation<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let GetAsyncContinuation { ty } = GetAsyncContinuation::of(function.body, instruction);
    let result = match function.layout(function.module.types.queries.lower_formal(ty))? {
        TypeLayout::Fixed(info) => function.temporary(&info),
        TypeLayout::Dynamic(ty) => return Err(function.module.unsupported_type(ty)),
    };
    make_continuation(function, instruction, result)
}

/// `get_async_continuation_addr`
pub(super) fn get_continuation_of_memory<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let GetAsyncContinuationAddr { operand, .. } = GetAsyncContinuationAddr::of(function.body, instruction);
    make_continuation(function, instruction, function.address(operand)?)
}

fn make_continuation<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
    result: PointerValue<'ctx>,
) -> Generated<()> {
    let Some(value) = function.body.result(instruction) else { return Ok(()) };
    let throws = function.body.instructions[instruction].attributes.contains(Attribute::Throws);
    let word = function.module.pointer_size();
    let own = function.require_async_context()?;
    let context = function.stack_slot(CONTEXT_WORDS * word, ASYNC_CONTEXT_ALIGNMENT);
    let builder = &function.builder;
    builder.store(own, context, word);
    builder.store(result, builder.offset(context, RESULT_WORD * word), word);
    let resumption = builder.async_resumption(&function.module.llvm);
    builder.store(resumption, builder.offset(context, RESUMPTION_WORD * word), word);
    let flags = function.module.word_type().const_int(if throws { CAN_THROW } else { 0 }, false);
    let task = function.call_runtime_for(RuntimeFunction::ContinuationInit, &[context.into(), flags.into()]);
    function.state.continuations.insert(value, Continuation { context, resumption });
    function.bind_result(instruction, vec![task]);
    Ok(())
}

/// `await_async_continuation`
pub fn await_continuation<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let AwaitAsyncContinuation { continuation, resume, error } = AwaitAsyncContinuation::of(function.body, instruction);
    let Some(Continuation { context, resumption }) = function.state.continuations.get(&continuation).copied() else {
        return Err(function.unsupported(instruction, "waiting for a continuation that another function made"));
    };
    let pointer = function.builder.ptr_type();
    let suspension = Suspension {
        resumed_with: function.builder.struct_type(&[pointer.into()]),
        registers: function.builder.int(32, 0),
        resumption,
        project_context: function.module.helper(Helper::ProjectAsyncContext),
        leave: function.module.async_departure(AsyncDeparture::AwaitContinuation)?,
    };
    function.suspend(suspension, &[context.into()])?;
    let word = function.module.pointer_size();
    let builder = &function.builder;
    if let Some(error) = error {
        let thrown = builder.load(pointer.into(), builder.offset(context, ERROR_WORD * word), word);
        let normal = function.new_block("");
        function.add_incoming(error, &[thrown]);
        let is_normal = builder.is_null(thrown.into_pointer_value());
        let branch = builder.branch_if(is_normal, normal, function.block(error));
        function.module.mark_likely(branch);
        builder.position_at_end(normal);
    }
    let scalars = match function.body.blocks[resume].arguments.first() {
        None => Vec::new(),
        Some(argument) => {
            let place = builder.load(pointer.into(), builder.offset(context, RESULT_WORD * word), word);
            let info = function.info_of(*argument)?;
            function.load_explosion(&info, place.into_pointer_value())
        }
    };
    function.branch_to(resume, &scalars);
    Ok(())
}

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// Resumes a continuation, which is a task, with the value of the lowered type `ty` at `value`.
    pub(in crate::instructions) fn resume_continuation(
        &self,
        continuation: PointerValue<'ctx>,
        value: PointerValue<'ctx>,
        ty: TypeId,
        resume: RuntimeFunction,
    ) -> Generated<()> {
        let word = self.module.pointer_size();
        let pointer: inkwell::types::BasicTypeEnum<'ctx> = self.builder.ptr_type().into();
        let load = |base, offset| -> BasicValueEnum<'ctx> {
            self.builder.load(pointer, self.builder.offset(base, offset), word)
        };
        // After seven words and two 32-bit integers (`AsyncTask::ResumeContext`).
        let context = load(continuation, 7 * word + 8).into_pointer_value();
        let place = load(context, RESULT_WORD * word).into_pointer_value();
        match self.layout(ty)? {
            TypeLayout::Fixed(info) => self.initialize_with_take(&info, place, value),
            TypeLayout::Dynamic(ty) => {
                let metadata = self.type_metadata(ty)?;
                self.call_value_witness(ValueWitness::InitializeWithTake, &[place, value], metadata);
            }
        }
        self.call_runtime(resume, &[continuation.into()]);
        Ok(())
    }
}
