//! Entry, suspension and return of async functions. LLVM splits them at suspensions, and moves live stack slots to
//! their async context (docs/Coroutines.rst of LLVM, "Async Lowering").

use inkwell::values::{BasicValueEnum, FunctionValue, PointerValue, StructValue};
use sil_ir::model::InstructionId;

use crate::generation::signature::{AsyncConvention, AsyncKind, LlvmParameter};
use crate::generation::{
    ASYNC_CONTEXT_ALIGNMENT, ASYNC_CONTEXT_HEADER_WORDS, AsyncDeparture, AsyncState, Entity, Explosion,
    FunctionPointerKind, Helper, IRGenFunction, RuntimeFunction, WAITING_CONTEXT_WORDS,
};
use crate::llvm::async_functions::{AsyncFunction, Suspension};
use crate::llvm::attributes::{self, Attribute, Place};
use crate::refusal::{Generated, unsupported_without_place};

/// The bit position of the index of the field in the register of `self`, in the storage argument of a suspension.
const SELF_REGISTER_SHIFT: u32 = 8;

/// Begins the frame of the async function `code`, at the end of its entry block.
pub fn begin(function: &mut IRGenFunction<'_, '_>, code: Entity) {
    let is_context = |parameter: &LlvmParameter| *parameter == LlvmParameter::AsyncContext;
    let Some(number) = function.signature.parameters.iter().position(is_context) else { return };
    let Some(context) = function.llvm_parameter(is_context) else { return };
    let module = function.module;
    let word = module.pointer_size();
    let parts = AsyncFunction {
        header_size: module.builder.int(32, ASYNC_CONTEXT_HEADER_WORDS * word),
        alignment: module.builder.int(32, ASYNC_CONTEXT_ALIGNMENT),
        context_parameter: module.builder.int(32, number as u64),
        pointer: module.function_pointer(FunctionPointerKind::Async, code),
    };
    attributes::add(function.llvm, Place::Function, &[Attribute::PresplitCoroutine]);
    let slot = function.stack_slot(word, word);
    let coroutine = function.in_prologue(|builder| {
        let coroutine = builder.begin_async(&module.llvm, parts);
        builder.store(context, slot, word);
        coroutine
    });
    function.state.asynchronous = Some(AsyncState { coroutine, context: slot });
}

/// `unreachable` in an async function.
pub fn unreachable<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, _: InstructionId) -> Generated<()> {
    if let Some(state) = &function.state.asynchronous {
        function.builder.end_async(&function.module.llvm, state.coroutine);
    }
    function.builder.unreachable();
    Ok(())
}

/// A call of an async function under construction: its code, and the memory of its context.
pub struct AsyncCall<'ctx> {
    code: PointerValue<'ctx>,
    kind: AsyncKind,
    /// The new context, or the memory passed instead of one.
    pub memory: PointerValue<'ctx>,
    resumption: PointerValue<'ctx>,
}

impl<'ctx> AsyncCall<'ctx> {
    /// Returns the argument for a parameter that only async functions have.
    pub fn argument(
        &self,
        function: &IRGenFunction<'_, 'ctx>,
        parameter: &LlvmParameter,
    ) -> Option<BasicValueEnum<'ctx>> {
        match (parameter, self.kind) {
            (LlvmParameter::AsyncContext, AsyncKind::Ordinary) => Some(self.memory.into()),
            (LlvmParameter::AsyncContext, AsyncKind::Waiting) => function.async_context().map(Into::into),
            (LlvmParameter::Resumption, _) => Some(self.resumption.into()),
            (LlvmParameter::CalleeContext, _) => Some(self.memory.into()),
            _ => None,
        }
    }
}

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// Returns the context of the current async function.
    pub(super) fn async_context(&self) -> Option<PointerValue<'ctx>> {
        let state = self.state.asynchronous.as_ref()?;
        let word = self.module.pointer_size();
        Some(self.builder.load(self.builder.ptr_type().into(), state.context, word).into_pointer_value())
    }

    pub(super) fn require_async_context(&self) -> Generated<PointerValue<'ctx>> {
        self.async_context()
            .ok_or_else(|| Box::new(unsupported_without_place("suspensions outside of async functions")))
    }

    /// Prepares a call of the async function at `callee`: an async function pointer, or the code of a waiting function
    /// of the runtime. `code` is the code if it is known.
    pub fn prepare_async_call(
        &self,
        kind: AsyncKind,
        callee: PointerValue<'ctx>,
        code: Option<PointerValue<'ctx>>,
    ) -> Generated<AsyncCall<'ctx>> {
        let context = self.require_async_context()?;
        let (word, module) = (self.module.pointer_size(), &self.module.llvm);
        if kind == AsyncKind::Waiting {
            let memory = self.stack_slot(WAITING_CONTEXT_WORDS * word, ASYNC_CONTEXT_ALIGNMENT);
            let resumption = self.builder.async_resumption(module);
            return Ok(AsyncCall { code: callee, kind, memory, resumption });
        }
        let code = code.unwrap_or_else(|| self.code_of_function_pointer(callee));
        let size = self.memory_size_of_function_pointer(callee);
        let memory = self.call_runtime_for(RuntimeFunction::TaskAlloc, &[size.into()]).into_pointer_value();
        self.builder.store(context, memory, word);
        let resumption = self.builder.async_resumption(module);
        self.builder.store(resumption, self.builder.offset(memory, word), word);
        Ok(AsyncCall { code, kind, memory, resumption })
    }

    /// Calls an async function with these LLVM arguments, and resumes after its return. Returns the registers that it
    /// returned, and the error, or null, if it throws.
    pub fn emit_async_call(
        &self,
        convention: &AsyncConvention<'ctx>,
        call: &AsyncCall<'ctx>,
        arguments: &[BasicValueEnum<'ctx>],
    ) -> Generated<(Explosion<'ctx>, Option<PointerValue<'ctx>>)> {
        let leave = self.module.async_departure(AsyncDeparture::Call(convention.lowered, convention.kind))?;
        let passed: Vec<_> = std::iter::once(call.code.into()).chain(arguments.iter().copied()).collect();
        let project = match convention.kind {
            AsyncKind::Ordinary => Helper::ProjectAsyncContext,
            AsyncKind::Waiting => Helper::GetAsyncContext,
        };
        let registers = convention.error.map_or(0, |error| error << SELF_REGISTER_SHIFT);
        let suspension = Suspension {
            resumed_with: convention.resumed_with,
            registers: self.builder.int(32, u64::from(registers)),
            resumption: call.resumption,
            project_context: self.module.helper(project),
            leave,
        };
        let resumed = self.suspend(suspension, &passed)?;
        if call.kind == AsyncKind::Ordinary {
            self.call_runtime(RuntimeFunction::TaskDealloc, &[call.memory.into()]);
        }
        let end = convention.error.unwrap_or(convention.resumed_with.count_fields());
        let registers = (1..end).map(|number| self.builder.extract(resumed.into(), number)).collect();
        let error = convention.error.map(|number| self.builder.extract(resumed.into(), number).into_pointer_value());
        Ok((registers, error))
    }

    /// Suspends the function. After the resumption, its own context is restored.
    pub(super) fn suspend(
        &self,
        suspension: Suspension<'ctx>,
        passed: &[BasicValueEnum<'ctx>],
    ) -> Generated<StructValue<'ctx>> {
        let Some(state) = &self.state.asynchronous else {
            return Err(Box::new(unsupported_without_place("suspensions outside of async functions")));
        };
        let project: FunctionValue<'ctx> = suspension.project_context;
        let resumed = self.builder.suspend_async(&self.module.llvm, suspension, passed);
        let given = self.builder.extract(resumed.into(), 0);
        let context = self.builder.call(project, &[given]).try_as_basic_value().basic();
        if let Some(context) = context {
            self.builder.store(context, state.context, self.module.pointer_size());
        }
        Ok(resumed)
    }

    /// Returns from an async function with these registers, each with the register's type, and this error if it throws;
    /// registers without a value are undefined.
    pub fn emit_async_return(
        &self,
        convention: &AsyncConvention<'ctx>,
        registers: &[Option<BasicValueEnum<'ctx>>],
        error: Option<PointerValue<'ctx>>,
    ) -> Generated<()> {
        let Some(state) = &self.state.asynchronous else {
            return Err(Box::new(unsupported_without_place("returning from an async function that did not begin")));
        };
        let word = self.module.pointer_size();
        let context = self.require_async_context()?;
        let place = self.builder.offset(context, word);
        let resumption = self.builder.load(self.builder.ptr_type().into(), place, word);
        let mut passed = vec![resumption, context.into()];
        let end = convention.error.unwrap_or(convention.resumed_with.count_fields());
        for (number, ty) in convention.resumed_with.get_field_types_iter().enumerate().take(end as usize).skip(1) {
            let value = registers.get(number - 1).copied().flatten();
            passed.push(value.unwrap_or_else(|| crate::generation::undefined(ty)));
        }
        if convention.error.is_some() {
            passed.push(error.unwrap_or_else(|| self.builder.null()).into());
        }
        let leave = self.module.async_departure(AsyncDeparture::Return(convention.lowered))?;
        self.builder.end_async_with(&self.module.llvm, state.coroutine, leave, &passed);
        self.builder.unreachable();
        Ok(())
    }
}
