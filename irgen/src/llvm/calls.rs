//! Calls with their calling convention, tail calls, operand bundles and inline assembly.

use inkwell::builder::Builder;
use inkwell::context::Context;
use inkwell::types::FunctionType;

use inkwell::values::{
    AnyValue, AsValueRef, BasicMetadataValueEnum, BasicValueEnum, CallSiteValue, FunctionValue, OperandBundle,
    PointerValue,
};
use inkwell::{InlineAsmDialect, llvm_sys};

use super::BuildResult;

/// How arguments and results travel. The numbers are LLVM's (llvm/IR/CallingConv.h).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u32)]
pub enum CallingConvention {
    /// The target's C convention.
    #[default]
    C = 0,
    /// LLVM's own choice for functions that nobody else sees.
    Fast = 8,
    /// For calls that rarely happen.
    Cold = 9,
    /// The callee keeps most registers.
    PreserveMost = 14,
    /// The callee keeps all registers.
    PreserveAll = 15,
    /// Swift's convention. Ask `Target::supports_swift_calling_convention` first.
    Swift = 16,
    /// Swift's convention for async functions: every call can be a tail call.
    SwiftTail = 20,
}

impl CallingConvention {
    /// LLVM's number.
    pub fn number(self) -> u32 {
        self as u32
    }
}

/// What may be assumed and must be done about a call in tail position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TailCall {
    /// An ordinary call; LLVM may find out for itself.
    None,
    /// The callee does not touch the caller's stack, so a tail call is allowed.
    Allowed,
    /// It must become a tail call; LLVM's verifier checks that it can.
    Required,
    /// It must not become one.
    Forbidden,
}

/// What a call needs to know of the function it calls, known by name or by address.
#[derive(Debug, Clone, Copy)]
pub struct Callee<'ctx> {
    /// Parameters and result.
    pub function_type: FunctionType<'ctx>,
    /// The function's address.
    pub address: PointerValue<'ctx>,
    /// The convention of the call; it has to be the function's own.
    pub convention: CallingConvention,
}

impl<'ctx> Callee<'ctx> {
    /// A function of the module, called by this convention.
    pub fn of_function(function: FunctionValue<'ctx>, convention: CallingConvention) -> Callee<'ctx> {
        Callee {
            function_type: function.get_type(),
            address: function.as_global_value().as_pointer_value(),
            convention,
        }
    }
}

/// Gives a function its calling convention. Calls of it need the same.
pub fn set_convention(function: FunctionValue<'_>, convention: CallingConvention) {
    function.set_call_conventions(convention.number());
}

/// Builds a call. A callee without a result takes no name: pass `""`.
pub fn call<'ctx>(
    builder: &Builder<'ctx>,
    callee: Callee<'ctx>,
    arguments: &[BasicValueEnum<'ctx>],
    name: &str,
) -> BuildResult<CallSiteValue<'ctx>> {
    let arguments = as_operands(arguments);
    let site = builder.build_indirect_call(callee.function_type, callee.address, &arguments, name)?;
    site.set_call_convention(callee.convention.number());
    Ok(site)
}

/// Builds a call with operand bundles (`deopt`, `ptrauth`, `clang.arc.attachedcall`, …), each a tag and its values.
pub fn call_with_bundles<'ctx>(
    builder: &Builder<'ctx>,
    callee: Callee<'ctx>,
    arguments: &[BasicValueEnum<'ctx>],
    bundles: &[(&str, &[BasicValueEnum<'ctx>])],
    name: &str,
) -> BuildResult<CallSiteValue<'ctx>> {
    let arguments = as_operands(arguments);
    let bundles: Vec<OperandBundle<'ctx>> = bundles
        .iter()
        .map(|(tag, values)| {
            let values: Vec<_> = values.iter().map(|value| value.as_any_value_enum()).collect();
            OperandBundle::create(tag, &values)
        })
        .collect();
    let site = builder.build_indirect_call_with_operand_bundles(
        callee.function_type,
        callee.address,
        &arguments,
        &bundles,
        name,
    )?;
    site.set_call_convention(callee.convention.number());
    Ok(site)
}

/// The value of a call; `None` when the callee returns nothing.
pub fn result_of<'ctx>(site: CallSiteValue<'ctx>) -> Option<BasicValueEnum<'ctx>> {
    site.try_as_basic_value().basic()
}

/// Says what holds for a call in tail position.
pub fn set_tail_call(site: CallSiteValue<'_>, kind: TailCall) {
    use llvm_sys::LLVMTailCallKind::*;
    let kind = match kind {
        TailCall::None => LLVMTailCallKindNone,
        TailCall::Allowed => LLVMTailCallKindTail,
        TailCall::Required => LLVMTailCallKindMustTail,
        TailCall::Forbidden => LLVMTailCallKindNoTail,
    };
    // SAFETY: a call site value is a call instruction.
    unsafe { llvm_sys::core::LLVMSetTailCallKind(site.as_value_ref(), kind) };
}

/// Builds inline assembly with side effects (AT&T syntax on x86) taking and giving nothing; for markers and barriers.
pub fn inline_assembly<'ctx>(
    context: &'ctx Context,
    builder: &Builder<'ctx>,
    text: &str,
    constraints: &str,
) -> BuildResult<CallSiteValue<'ctx>> {
    let function_type = context.void_type().fn_type(&[], false);
    let assembly = context.create_inline_asm(
        function_type,
        text.to_owned(),
        constraints.to_owned(),
        true,
        false,
        Some(InlineAsmDialect::ATT),
        false,
    );
    builder.build_indirect_call(function_type, assembly, &[], "")
}

fn as_operands<'ctx>(arguments: &[BasicValueEnum<'ctx>]) -> Vec<BasicMetadataValueEnum<'ctx>> {
    arguments.iter().map(|&argument| argument.into()).collect()
}
