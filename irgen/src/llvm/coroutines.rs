//! The coroutine intrinsics of Swift's accessors (`yield_once`). Their rules are LLVM's (docs/Coroutines.rst,
//! "Returned-Continuation Lowering").
//!
//! They take tokens, for which inkwell has no type, so they are called through LLVM's C API.

use inkwell::llvm_sys::core::{
    LLVMBuildCall2, LLVMConstNull, LLVMGetIntrinsicDeclaration, LLVMGlobalGetValueType, LLVMLookupIntrinsicID,
    LLVMTokenTypeInContext,
};
use inkwell::llvm_sys::prelude::{LLVMTypeRef, LLVMValueRef};
use inkwell::module::Module;
use inkwell::types::{AsTypeRef, BasicTypeEnum};
use inkwell::values::{AsValueRef, BasicValueEnum, FunctionValue, IntValue, PointerValue};

use super::builder::Builder;

/// A coroutine of the current function: its frame, for `llvm.coro.end`.
#[derive(Debug, Clone, Copy)]
pub struct Coroutine<'ctx> {
    handle: PointerValue<'ctx>,
}

impl<'ctx> Coroutine<'ctx> {
    pub(super) fn handle(self) -> PointerValue<'ctx> {
        self.handle
    }
}

/// Memory of dynamic size that a coroutine keeps while it is suspended.
#[derive(Debug, Clone, Copy)]
pub struct CoroutineMemory<'ctx> {
    /// Its address.
    pub address: PointerValue<'ctx>,
    /// The token of `llvm.coro.alloca.alloc`.
    allocation: LLVMValueRef,
}

/// The parameters of a coroutine that yields once (`llvm.coro.id.retcon.once`).
#[derive(Debug, Clone, Copy)]
pub struct YieldOnce<'ctx> {
    /// Size in bytes of the caller's buffer (an `i32` constant).
    pub buffer_size: IntValue<'ctx>,
    /// Its alignment in bytes (an `i32` constant).
    pub buffer_alignment: IntValue<'ctx>,
    /// The caller's buffer.
    pub buffer: PointerValue<'ctx>,
    /// A function with the continuation's convention and type.
    pub prototype: FunctionValue<'ctx>,
    /// The function that allocates memory if the buffer is too small: `ptr (size)`.
    pub allocate: FunctionValue<'ctx>,
    /// The function that frees it: `void (ptr)`.
    pub deallocate: FunctionValue<'ctx>,
}

impl<'ctx> Builder<'ctx> {
    /// Begins a coroutine that yields once. The builder is in the entry block; the function needs the attribute
    /// `PresplitCoroutine`.
    pub fn begin_yield_once(&self, module: &Module<'ctx>, parts: YieldOnce<'ctx>) -> Coroutine<'ctx> {
        let operands = [
            parts.buffer_size.as_value_ref(),
            parts.buffer_alignment.as_value_ref(),
            parts.buffer.as_value_ref(),
            parts.prototype.as_value_ref(),
            parts.allocate.as_value_ref(),
            parts.deallocate.as_value_ref(),
        ];
        let id = self.call_coroutine_intrinsic(module, "llvm.coro.id.retcon.once", &[], &operands);
        self.begin_coroutine(module, id)
    }

    /// Begins the coroutine that the token `id` describes.
    pub(super) fn begin_coroutine(&self, module: &Module<'ctx>, id: LLVMValueRef) -> Coroutine<'ctx> {
        let operands = [id, self.null().as_value_ref()];
        let handle = self.call_coroutine_intrinsic(module, "llvm.coro.begin", &[], &operands);
        // SAFETY: declared with a pointer result.
        Coroutine { handle: unsafe { PointerValue::new(handle) } }
    }

    /// Returns the address of a coroutine to call, hidden from the passes that run before LLVM splits it: they see no
    /// `ret` in it, and would treat its result as undefined. Splitting reveals it again.
    pub fn hide_coroutine(&self, module: &Module<'ctx>, callee: PointerValue<'ctx>) -> PointerValue<'ctx> {
        let hidden = self.call_coroutine_intrinsic(module, "llvm.coro.prepare.retcon", &[], &[callee.as_value_ref()]);
        // SAFETY: declared with a pointer result.
        unsafe { PointerValue::new(hidden) }
    }

    /// Yields values to the caller. Returns the argument of the caller's resumption, which has the type of the second
    /// parameter of its continuation, if that has one.
    pub fn suspend_yield(
        &self,
        module: &Module<'ctx>,
        resumed_with: Option<BasicTypeEnum<'ctx>>,
        yielded: &[BasicValueEnum<'ctx>],
    ) -> Option<BasicValueEnum<'ctx>> {
        let nothing = self.context.void_type().as_type_ref();
        let overload = [resumed_with.map_or(nothing, |ty| ty.as_type_ref())];
        let operands: Vec<LLVMValueRef> = yielded.iter().map(|value| value.as_value_ref()).collect();
        let value = self.call_coroutine_intrinsic(module, "llvm.coro.suspend.retcon", &overload, &operands);
        // SAFETY: declared with a result of this type.
        resumed_with.map(|_| unsafe { BasicValueEnum::new(value) })
    }

    /// Allocates `size` bytes in a coroutine. Allocations are freed in reverse order.
    pub fn coroutine_memory(
        &self,
        module: &Module<'ctx>,
        size: IntValue<'ctx>,
        alignment: u64,
    ) -> CoroutineMemory<'ctx> {
        let overload = [size.get_type().as_type_ref()];
        let operands = [size.as_value_ref(), self.int(32, alignment).as_value_ref()];
        let allocation = self.call_coroutine_intrinsic(module, "llvm.coro.alloca.alloc", &overload, &operands);
        let address = self.call_coroutine_intrinsic(module, "llvm.coro.alloca.get", &[], &[allocation]);
        // SAFETY: declared with a pointer result.
        CoroutineMemory { address: unsafe { PointerValue::new(address) }, allocation }
    }

    /// Frees it.
    pub fn free_coroutine_memory(&self, module: &Module<'ctx>, memory: CoroutineMemory<'ctx>) {
        self.call_coroutine_intrinsic(module, "llvm.coro.alloca.free", &[], &[memory.allocation]);
    }

    /// Ends a coroutine that yields; `unreachable` follows.
    pub fn end_coroutine(&self, module: &Module<'ctx>, coroutine: Coroutine<'ctx>) {
        // SAFETY: the context is alive for 'ctx.
        let nothing = unsafe { LLVMConstNull(LLVMTokenTypeInContext(self.context.raw())) };
        let operands = [coroutine.handle.as_value_ref(), self.bool(false).as_value_ref(), nothing];
        self.call_coroutine_intrinsic(module, "llvm.coro.end", &[], &operands);
    }

    pub(super) fn call_coroutine_intrinsic(
        &self,
        module: &Module<'ctx>,
        name: &'static str,
        overload: &[LLVMTypeRef],
        operands: &[LLVMValueRef],
    ) -> LLVMValueRef {
        let mut overload = overload.to_vec();
        let mut operands = operands.to_vec();
        let _ = self.block();
        // SAFETY: the builder has a block; `name` is one of this file's own or of `async_functions`, all of which LLVM
        // 22 has (tests create coroutines with them); the overload types are as many as it takes; all values belong to
        // the module's context.
        unsafe {
            let id = LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len());
            let function = LLVMGetIntrinsicDeclaration(module.as_mut_ptr(), id, overload.as_mut_ptr(), overload.len());
            LLVMBuildCall2(
                self.raw(),
                LLVMGlobalGetValueType(function),
                function,
                operands.as_mut_ptr(),
                operands.len() as u32,
                c"".as_ptr(),
            )
        }
    }
}
