//! The coroutine intrinsics that Swift's accessors (`yield_once`) and async functions lower to.
//! Their rules are LLVM's (docs/Coroutines.rst, "Returned-Continuation Lowering" and "Async Lowering").
//!
//! They pass tokens, which inkwell has no type for: hence this module and [`Token`].

use std::marker::PhantomData;

use inkwell::builder::Builder;
use inkwell::context::Context;
use inkwell::llvm_sys::core::{
    LLVMBuildCall2, LLVMConstNull, LLVMGetIntrinsicDeclaration, LLVMGlobalGetValueType, LLVMLookupIntrinsicID,
    LLVMTokenTypeInContext,
};
use inkwell::llvm_sys::prelude::{LLVMTypeRef, LLVMValueRef};
use inkwell::module::Module;
use inkwell::types::{AsTypeRef, BasicTypeEnum};
use inkwell::values::{AsValueRef, BasicValueEnum, FunctionValue, IntValue, PointerValue};

use super::{BuildResult, basic_value, check_positioned, intrinsics};
use crate::Error;

/// A value of LLVM's type `token`: it links the intrinsics of one coroutine and cannot be stored or merged.
#[derive(Debug, Clone, Copy)]
pub struct Token<'ctx> {
    raw: LLVMValueRef,
    context: PhantomData<&'ctx Context>,
}

impl<'ctx> Token<'ctx> {
    /// The token that stands for nothing (`token none`).
    pub fn none(context: &'ctx Context) -> Token<'ctx> {
        // SAFETY: the context is alive for 'ctx.
        let raw = unsafe { LLVMConstNull(LLVMTokenTypeInContext(context.raw())) };
        Token { raw, context: PhantomData }
    }
}

/// A coroutine that has begun in the function being built.
#[derive(Debug, Clone, Copy)]
pub struct Coroutine<'ctx> {
    /// The `llvm.coro.id…` that the others refer to.
    pub id: Token<'ctx>,
    /// The frame, for `llvm.coro.end…`.
    pub handle: PointerValue<'ctx>,
}

/// What a coroutine that yields once needs (`llvm.coro.id.retcon.once`).
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
    /// Gives memory where the buffer is too small: `ptr (size)`.
    pub allocate: FunctionValue<'ctx>,
    /// Frees it: `void (ptr)`.
    pub deallocate: FunctionValue<'ctx>,
}

/// Begins a coroutine that yields once. The builder stands in the entry block; the function needs the attribute
/// `PresplitCoroutine`.
pub fn begin_yield_once<'ctx>(
    builder: &Builder<'ctx>,
    module: &Module<'ctx>,
    parts: YieldOnce<'ctx>,
) -> Result<Coroutine<'ctx>, Error> {
    let operands = [
        parts.buffer_size.as_value_ref(),
        parts.buffer_alignment.as_value_ref(),
        parts.buffer.as_value_ref(),
        parts.prototype.as_value_ref(),
        parts.allocate.as_value_ref(),
        parts.deallocate.as_value_ref(),
    ];
    let id = call_token(builder, module, "llvm.coro.id.retcon.once", &operands)?;
    begin(builder, module, id)
}

/// The address of a coroutine to call, hidden from the passes that run before LLVM splits it: they see no `ret` in it, and would take
/// what it gives for undefined. Splitting shows it again.
pub fn hide_callee<'ctx>(
    builder: &Builder<'ctx>,
    module: &Module<'ctx>,
    callee: PointerValue<'ctx>,
) -> Result<PointerValue<'ctx>, Error> {
    let hidden = intrinsics::call_for_value(builder, module, "llvm.coro.prepare.retcon", &[], &[callee.into()], "")?;
    Ok(hidden.into_pointer_value())
}

/// Yields values to the caller; gives the `i1` that is set when the caller aborts instead of resuming.
pub fn suspend_yield<'ctx>(
    builder: &Builder<'ctx>,
    module: &Module<'ctx>,
    yielded: &[BasicValueEnum<'ctx>],
) -> Result<IntValue<'ctx>, Error> {
    let flag = module.get_context().bool_type();
    let operands = raw(yielded);
    let value = call(builder, module, "llvm.coro.suspend.retcon", &[flag.as_type_ref()], &operands)?;
    // SAFETY: declared with an `i1` result.
    Ok(unsafe { IntValue::new(value) })
}

/// Ends a coroutine that yields; `unreachable` follows.
pub fn end<'ctx>(builder: &Builder<'ctx>, module: &Module<'ctx>, coroutine: Coroutine<'ctx>) -> Result<(), Error> {
    let context = module.get_context();
    let normal = context.bool_type().const_zero();
    // SAFETY: the context of the module is alive.
    let nothing = unsafe { LLVMConstNull(LLVMTokenTypeInContext(context.raw())) };
    let operands = [coroutine.handle.as_value_ref(), normal.as_value_ref(), nothing];
    call(builder, module, "llvm.coro.end", &[], &operands).map(|_| ())
}

/// What an async function needs (`llvm.coro.id.async`).
#[derive(Debug, Clone, Copy)]
pub struct AsyncFunction<'ctx> {
    /// Least size in bytes of its context (an `i32` constant).
    pub context_size: IntValue<'ctx>,
    /// Alignment of the context in bytes (an `i32` constant).
    pub context_alignment: IntValue<'ctx>,
    /// Index of the parameter that is the context (an `i32` constant).
    pub context_parameter: IntValue<'ctx>,
    /// The async function pointer: a global whose second field gets the final size.
    pub function_pointer: PointerValue<'ctx>,
}

/// Begins an async function.
pub fn begin_async<'ctx>(
    builder: &Builder<'ctx>,
    module: &Module<'ctx>,
    parts: AsyncFunction<'ctx>,
) -> Result<Coroutine<'ctx>, Error> {
    let operands = [
        parts.context_size.as_value_ref(),
        parts.context_alignment.as_value_ref(),
        parts.context_parameter.as_value_ref(),
        parts.function_pointer.as_value_ref(),
    ];
    let id = call_token(builder, module, "llvm.coro.id.async", &operands)?;
    begin(builder, module, id)
}

/// The address of the function that continues after the next [`suspend_async`] (`llvm.coro.async.resume`).
pub fn async_resume_point<'ctx>(builder: &Builder<'ctx>, module: &Module<'ctx>) -> Result<PointerValue<'ctx>, Error> {
    let value = call(builder, module, "llvm.coro.async.resume", &[], &[])?;
    // SAFETY: declared with a pointer result.
    Ok(unsafe { PointerValue::new(value) })
}

/// Suspends an async function (`llvm.coro.suspend.async`); gives what it is resumed with, a struct of type `resumed`.
///
/// The operands are, in order: the index of the resumed struct's field that is the context (an `i32`), the resume
/// point, the function that finds the caller's context, the function that makes the `musttail` call, its arguments.
pub fn suspend_async<'ctx>(
    builder: &Builder<'ctx>,
    module: &Module<'ctx>,
    resumed: BasicTypeEnum<'ctx>,
    operands: &[BasicValueEnum<'ctx>],
) -> Result<BasicValueEnum<'ctx>, Error> {
    let value = call(builder, module, "llvm.coro.suspend.async", &[resumed.as_type_ref()], &raw(operands))?;
    // SAFETY: declared with a result of a basic type.
    Ok(unsafe { basic_value(value) })
}

/// Ends an async function (`llvm.coro.end.async`) with a `musttail` call of `finish` with `arguments`.
pub fn end_async<'ctx>(
    builder: &Builder<'ctx>,
    module: &Module<'ctx>,
    coroutine: Coroutine<'ctx>,
    finish: FunctionValue<'ctx>,
    arguments: &[BasicValueEnum<'ctx>],
) -> Result<(), Error> {
    let normal = module.get_context().bool_type().const_zero();
    let mut operands = vec![coroutine.handle.as_value_ref(), normal.as_value_ref(), finish.as_value_ref()];
    operands.extend(raw(arguments));
    call(builder, module, "llvm.coro.end.async", &[], &operands).map(|_| ())
}

/// Stack of a size known at run time within a coroutine (`llvm.coro.alloca.alloc`); free it with [`free_dynamic`].
pub fn allocate_dynamic<'ctx>(
    builder: &Builder<'ctx>,
    module: &Module<'ctx>,
    size: IntValue<'ctx>,
    alignment: IntValue<'ctx>,
) -> Result<(Token<'ctx>, PointerValue<'ctx>), Error> {
    let overload = [size.get_type().as_type_ref()];
    let operands = [size.as_value_ref(), alignment.as_value_ref()];
    let slot = call(builder, module, "llvm.coro.alloca.alloc", &overload, &operands)?;
    let address = call(builder, module, "llvm.coro.alloca.get", &[], &[slot])?;
    // SAFETY: declared with a pointer result.
    Ok((Token { raw: slot, context: PhantomData }, unsafe { PointerValue::new(address) }))
}

/// Frees what [`allocate_dynamic`] gave.
pub fn free_dynamic<'ctx>(builder: &Builder<'ctx>, module: &Module<'ctx>, slot: Token<'ctx>) -> Result<(), Error> {
    call(builder, module, "llvm.coro.alloca.free", &[], &[slot.raw]).map(|_| ())
}

fn begin<'ctx>(builder: &Builder<'ctx>, module: &Module<'ctx>, id: Token<'ctx>) -> Result<Coroutine<'ctx>, Error> {
    let null = module.get_context().ptr_type(inkwell::AddressSpace::default()).const_null();
    let handle = call(builder, module, "llvm.coro.begin", &[], &[id.raw, null.as_value_ref()])?;
    // SAFETY: declared with a pointer result.
    Ok(Coroutine { id, handle: unsafe { PointerValue::new(handle) } })
}

fn call_token<'ctx>(
    builder: &Builder<'ctx>,
    module: &Module<'ctx>,
    name: &str,
    operands: &[LLVMValueRef],
) -> Result<Token<'ctx>, Error> {
    Ok(Token { raw: call(builder, module, name, &[], operands)?, context: PhantomData })
}

fn call<'ctx>(
    builder: &Builder<'ctx>,
    module: &Module<'ctx>,
    name: &str,
    overload: &[LLVMTypeRef],
    operands: &[LLVMValueRef],
) -> Result<LLVMValueRef, Error> {
    Ok(call_raw(builder, module, name, overload, operands)?)
}

fn call_raw(
    builder: &Builder<'_>,
    module: &Module<'_>,
    name: &str,
    overload: &[LLVMTypeRef],
    operands: &[LLVMValueRef],
) -> BuildResult<LLVMValueRef> {
    check_positioned(builder)?;
    let mut overload = overload.to_vec();
    let mut operands = operands.to_vec();
    // SAFETY: `name` is one of this file's own, all of which LLVM 22 has (a test declares each); the overload types
    // are as many as it takes; all values belong to the module's context.
    unsafe {
        let id = LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len());
        let function = LLVMGetIntrinsicDeclaration(module.as_mut_ptr(), id, overload.as_mut_ptr(), overload.len());
        Ok(LLVMBuildCall2(
            builder.as_mut_ptr(),
            LLVMGlobalGetValueType(function),
            function,
            operands.as_mut_ptr(),
            operands.len() as u32,
            c"".as_ptr(),
        ))
    }
}

fn raw(values: &[BasicValueEnum<'_>]) -> Vec<LLVMValueRef> {
    values.iter().map(|value| value.as_value_ref()).collect()
}
