//! The coroutine intrinsics of async functions, and the tail calls that replace their caller. Their rules are LLVM's
//! (docs/Coroutines.rst, "Async Lowering").

use std::ffi::CString;

use inkwell::module::Module;
use inkwell::types::{AsTypeRef, StructType};
use inkwell::values::{
    AsValueRef, BasicValueEnum, CallSiteValue, FunctionValue, InstructionValue, IntValue, LLVMTailCallKind,
    PointerValue, StructValue,
};

use super::builder::Builder;
use super::coroutines::Coroutine;
use super::intrinsics;

/// The intrinsic that describes an async function to LLVM.
const COROUTINE_ID: &str = "llvm.coro.id.async";

/// Its operand that is the async function pointer.
const POINTER_OPERAND: u32 = 3;

/// The symbols of the async function pointers that `module` defines, before LLVM has split its async functions.
pub fn pointers(module: &Module<'_>) -> Vec<CString> {
    let Some(intrinsic) = module.get_function(COROUTINE_ID) else { return Vec::new() };
    let is_id = |instruction: &InstructionValue<'_>| {
        let call = CallSiteValue::try_from(*instruction).ok();
        call.and_then(CallSiteValue::get_called_fn_value) == Some(intrinsic)
    };
    let pointer_of = |function: FunctionValue<'_>| {
        let id = function.get_first_basic_block()?.get_instructions().find(is_id)?;
        let pointer = id.get_operand(POINTER_OPERAND)?.value()?;
        Some(PointerValue::try_from(pointer).ok()?.get_name().to_owned())
    };
    module.get_functions().filter_map(pointer_of).collect()
}

/// The parameters of an async function for LLVM (`llvm.coro.id.async`).
#[derive(Debug, Clone, Copy)]
pub struct AsyncFunction<'ctx> {
    /// The size of the part of its context that callers fill in, in bytes (an `i32` constant).
    pub header_size: IntValue<'ctx>,
    /// The alignment of its context in bytes (an `i32` constant).
    pub alignment: IntValue<'ctx>,
    /// The index of the parameter that is its context (an `i32` constant).
    pub context_parameter: IntValue<'ctx>,
    /// Its async function pointer, a variable whose second field LLVM sets to the size of the context.
    pub pointer: PointerValue<'ctx>,
}

/// A suspension point of an async function (`llvm.coro.suspend.async`).
#[derive(Debug, Clone, Copy)]
pub struct Suspension<'ctx> {
    /// The types of the continuation's arguments.
    pub resumed_with: StructType<'ctx>,
    /// The index of the field with the async context, and in the byte above that of the field in the register of `self`
    /// (an `i32` constant).
    pub registers: IntValue<'ctx>,
    /// The resume function ([`Builder::async_resumption`]).
    pub resumption: PointerValue<'ctx>,
    /// The function that returns the function's own context, given the first argument of its continuation.
    pub project_context: FunctionValue<'ctx>,
    /// The function that is tail-called, with the passed arguments.
    pub leave: FunctionValue<'ctx>,
}

/// The guarantee that a call replaces the caller's frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TailCallPromise {
    /// `musttail`.
    MustTail,
    /// `tail`: with `swifttailcc`, each such call before a return is a tail call.
    ByConvention,
}

impl<'ctx> Builder<'ctx> {
    /// Begins an async function. The builder is in the entry block; the function needs the attribute
    /// `PresplitCoroutine`.
    pub fn begin_async(&self, module: &Module<'ctx>, function: AsyncFunction<'ctx>) -> Coroutine<'ctx> {
        let operands = [
            function.header_size.as_value_ref(),
            function.alignment.as_value_ref(),
            function.context_parameter.as_value_ref(),
            function.pointer.as_value_ref(),
        ];
        let id = self.call_coroutine_intrinsic(module, COROUTINE_ID, &[], &operands);
        self.begin_coroutine(module, id)
    }

    /// Returns the continuation of the function after the suspension that takes this value.
    pub fn async_resumption(&self, module: &Module<'ctx>) -> PointerValue<'ctx> {
        let resumption = self.call_coroutine_intrinsic(module, "llvm.coro.async.resume", &[], &[]);
        // SAFETY: declared with a pointer result.
        unsafe { PointerValue::new(resumption) }
    }

    /// Suspends the function. Returns the arguments of its continuation.
    pub fn suspend_async(
        &self,
        module: &Module<'ctx>,
        suspension: Suspension<'ctx>,
        passed: &[BasicValueEnum<'ctx>],
    ) -> StructValue<'ctx> {
        let mut operands = vec![
            suspension.registers.as_value_ref(),
            suspension.resumption.as_value_ref(),
            suspension.project_context.as_value_ref(),
            suspension.leave.as_value_ref(),
        ];
        operands.extend(passed.iter().map(|value| value.as_value_ref()));
        let overload = [suspension.resumed_with.as_type_ref()];
        let value = self.call_coroutine_intrinsic(module, "llvm.coro.suspend.async", &overload, &operands);
        // SAFETY: declared with this struct as its result.
        unsafe { StructValue::new(value) }
    }

    /// Ends an async function with a tail call of `leave` with the passed arguments; `unreachable` follows.
    pub fn end_async_with(
        &self,
        module: &Module<'ctx>,
        coroutine: Coroutine<'ctx>,
        leave: FunctionValue<'ctx>,
        passed: &[BasicValueEnum<'ctx>],
    ) {
        let mut operands =
            vec![coroutine.handle().as_value_ref(), self.bool(false).as_value_ref(), leave.as_value_ref()];
        operands.extend(passed.iter().map(|value| value.as_value_ref()));
        self.call_coroutine_intrinsic(module, "llvm.coro.end.async", &[], &operands);
    }

    /// Ends an async function without a continuation; `unreachable` follows.
    pub fn end_async(&self, module: &Module<'ctx>, coroutine: Coroutine<'ctx>) {
        let operands = [coroutine.handle().as_value_ref(), self.bool(false).as_value_ref()];
        self.call_coroutine_intrinsic(module, "llvm.coro.end.async", &[], &operands);
    }

    /// Returns the address of the async context in the current function's frame, for debuggers.
    #[expect(clippy::expect_used, reason = "every LLVM has the intrinsic, which has a result")]
    pub fn async_context_address(&self, module: &Module<'ctx>) -> PointerValue<'ctx> {
        let declared = intrinsics::declare(module, "llvm.swift.async.context.addr", &[]);
        let call = self.call(declared.expect("LLVM has llvm.swift.async.context.addr"), &[]);
        call.try_as_basic_value().basic().expect("it gives the address").into_pointer_value()
    }

    /// Makes a call replace the caller's frame; `ret` follows.
    pub fn leave_frame_to(&self, call: CallSiteValue<'ctx>, promise: TailCallPromise) {
        call.set_tail_call_kind(match promise {
            TailCallPromise::MustTail => LLVMTailCallKind::LLVMTailCallKindMustTail,
            TailCallPromise::ByConvention => LLVMTailCallKind::LLVMTailCallKindTail,
        });
    }
}
