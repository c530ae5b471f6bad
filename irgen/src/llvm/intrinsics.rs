//! LLVM's intrinsics by name, and short forms of those used everywhere.
//! Names and meanings are LLVM's (LangRef, "Intrinsic Functions"). Those of coroutines are in `coroutines`.

use inkwell::builder::Builder;
use inkwell::intrinsics::Intrinsic;
use inkwell::module::Module;
use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicMetadataValueEnum, BasicValue, BasicValueEnum, FunctionValue, IntValue, PointerValue};

use super::calls::result_of;
use crate::Error;

/// Declares an intrinsic in the module, or finds it there. `overload` lists the types that its name is completed by
/// (`llvm.smax` and `[i64]` make `llvm.smax.i64`); empty for intrinsics without.
pub fn declare<'ctx>(
    module: &Module<'ctx>,
    name: &str,
    overload: &[BasicTypeEnum<'ctx>],
) -> Result<FunctionValue<'ctx>, Error> {
    Intrinsic::find(name)
        .and_then(|intrinsic| intrinsic.get_declaration(module, overload))
        .ok_or_else(|| Error::Internal(format!("LLVM has no intrinsic '{name}' for {} types", overload.len())))
}

/// Calls an intrinsic; `None` where it gives no result.
pub fn call<'ctx>(
    builder: &Builder<'ctx>,
    module: &Module<'ctx>,
    name: &str,
    overload: &[BasicTypeEnum<'ctx>],
    arguments: &[BasicValueEnum<'ctx>],
    result_name: &str,
) -> Result<Option<BasicValueEnum<'ctx>>, Error> {
    let function = declare(module, name, overload)?;
    let arguments: Vec<BasicMetadataValueEnum<'ctx>> = arguments.iter().map(|&argument| argument.into()).collect();
    Ok(result_of(builder.build_call(function, &arguments, result_name)?))
}

/// Calls an intrinsic that gives a result.
pub fn call_for_value<'ctx>(
    builder: &Builder<'ctx>,
    module: &Module<'ctx>,
    name: &str,
    overload: &[BasicTypeEnum<'ctx>],
    arguments: &[BasicValueEnum<'ctx>],
    result_name: &str,
) -> Result<BasicValueEnum<'ctx>, Error> {
    call(builder, module, name, overload, arguments, result_name)?
        .ok_or_else(|| Error::Internal(format!("intrinsic '{name}' gives no result")))
}

/// `llvm.trap`: ends the program by SIGILL or SIGTRAP. What follows is unreachable; the caller says so.
pub fn trap<'ctx>(builder: &Builder<'ctx>, module: &Module<'ctx>) -> Result<(), Error> {
    call(builder, module, "llvm.trap", &[], &[], "").map(|_| ())
}

/// `llvm.assume` of an `i1`.
pub fn assume<'ctx>(builder: &Builder<'ctx>, module: &Module<'ctx>, fact: IntValue<'ctx>) -> Result<(), Error> {
    call(builder, module, "llvm.assume", &[], &[fact.into()], "").map(|_| ())
}

/// `llvm.expect`: `value`, most likely equal to the constant `expected`.
pub fn expect<'ctx>(
    builder: &Builder<'ctx>,
    module: &Module<'ctx>,
    value: IntValue<'ctx>,
    expected: IntValue<'ctx>,
) -> Result<IntValue<'ctx>, Error> {
    let overload = [value.get_type().into()];
    call_for_value(builder, module, "llvm.expect", &overload, &[value.into(), expected.into()], "")
        .map(BasicValueEnum::into_int_value)
}

/// Start or end of the time in which a stack slot holds something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lifetime {
    /// The slot's content is undefined before.
    Start,
    /// The slot's content is lost after.
    End,
}

/// `llvm.lifetime.start` and `.end` of a whole stack slot. The address has to be the slot itself.
pub fn mark_lifetime<'ctx>(
    builder: &Builder<'ctx>,
    module: &Module<'ctx>,
    lifetime: Lifetime,
    slot: PointerValue<'ctx>,
) -> Result<(), Error> {
    let name = match lifetime {
        Lifetime::Start => "llvm.lifetime.start",
        Lifetime::End => "llvm.lifetime.end",
    };
    call(builder, module, name, &[slot.get_type().into()], &[slot.into()], "").map(|_| ())
}

/// An operation of two integers of one type that also tells of overflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OverflowOperation {
    /// Signed sum.
    SignedAdd,
    /// Unsigned sum.
    UnsignedAdd,
    /// Signed difference.
    SignedSubtract,
    /// Unsigned difference.
    UnsignedSubtract,
    /// Signed product.
    SignedMultiply,
    /// Unsigned product.
    UnsignedMultiply,
}

impl OverflowOperation {
    fn intrinsic(self) -> &'static str {
        match self {
            OverflowOperation::SignedAdd => "llvm.sadd.with.overflow",
            OverflowOperation::UnsignedAdd => "llvm.uadd.with.overflow",
            OverflowOperation::SignedSubtract => "llvm.ssub.with.overflow",
            OverflowOperation::UnsignedSubtract => "llvm.usub.with.overflow",
            OverflowOperation::SignedMultiply => "llvm.smul.with.overflow",
            OverflowOperation::UnsignedMultiply => "llvm.umul.with.overflow",
        }
    }
}

/// The wrapped result and the `i1` that tells of overflow.
pub fn with_overflow<'ctx>(
    builder: &Builder<'ctx>,
    module: &Module<'ctx>,
    operation: OverflowOperation,
    left: IntValue<'ctx>,
    right: IntValue<'ctx>,
) -> Result<(IntValue<'ctx>, IntValue<'ctx>), Error> {
    let overload = [left.get_type().into()];
    let pair = call_for_value(builder, module, operation.intrinsic(), &overload, &[left.into(), right.into()], "")?
        .into_struct_value();
    let result = builder.build_extract_value(pair, 0, "")?.into_int_value();
    let overflow = builder.build_extract_value(pair, 1, "")?.into_int_value();
    Ok((result, overflow))
}

/// Copies between memory that does not overlap, or that may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CopyKind {
    /// `llvm.memcpy`: no overlap, or the same address.
    Disjoint,
    /// `llvm.memmove`.
    MayOverlap,
}

/// One side of a memory copy: an address and its alignment in bytes.
#[derive(Debug, Clone, Copy)]
pub struct AlignedAddress<'ctx> {
    /// Where.
    pub address: PointerValue<'ctx>,
    /// A power of two.
    pub alignment: u32,
}

/// Copies `size` bytes (an integer of pointer width).
pub fn copy_memory<'ctx>(
    builder: &Builder<'ctx>,
    kind: CopyKind,
    to: AlignedAddress<'ctx>,
    from: AlignedAddress<'ctx>,
    size: IntValue<'ctx>,
) -> Result<(), Error> {
    let built = match kind {
        CopyKind::Disjoint => builder.build_memcpy(to.address, to.alignment, from.address, from.alignment, size),
        CopyKind::MayOverlap => builder.build_memmove(to.address, to.alignment, from.address, from.alignment, size),
    };
    Ok(built.map(|_| ())?)
}

/// Fills `size` bytes with one byte value.
pub fn fill_memory<'ctx>(
    builder: &Builder<'ctx>,
    to: AlignedAddress<'ctx>,
    byte: IntValue<'ctx>,
    size: IntValue<'ctx>,
) -> Result<(), Error> {
    builder.build_memset(to.address, to.alignment, byte, size)?;
    Ok(())
}

/// `llvm.stacksave`: the stack as it is now, for [`restore_stack`].
pub fn save_stack<'ctx>(builder: &Builder<'ctx>, module: &Module<'ctx>) -> Result<PointerValue<'ctx>, Error> {
    let pointer = module.get_context().ptr_type(inkwell::AddressSpace::default());
    call_for_value(builder, module, "llvm.stacksave", &[pointer.into()], &[], "")
        .map(BasicValueEnum::into_pointer_value)
}

/// `llvm.stackrestore`: gives back all stack taken since [`save_stack`].
pub fn restore_stack<'ctx>(
    builder: &Builder<'ctx>,
    module: &Module<'ctx>,
    saved: PointerValue<'ctx>,
) -> Result<(), Error> {
    let overload = [saved.get_type().into()];
    call(builder, module, "llvm.stackrestore", &overload, &[saved.as_basic_value_enum()], "").map(|_| ())
}
