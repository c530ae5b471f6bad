//! Flags on instructions (nsw, nuw, exact, nneg, disjoint, fast-math), and `freeze`.
//!
//! The builder folds instructions with constant operands away, so a flag is set only where an instruction was built.

use inkwell::builder::Builder;
use inkwell::llvm_sys::core::{
    LLVMBuildFreeze, LLVMCanValueUseFastMathFlags, LLVMSetExact, LLVMSetFastMathFlags, LLVMSetIsDisjoint, LLVMSetNNeg,
    LLVMSetNSW, LLVMSetNUW,
};
use inkwell::llvm_sys::{LLVMFastMathAllowContract, LLVMFastMathFlags, LLVMFastMathNone};
use inkwell::values::{AsValueRef, BasicValue, BasicValueEnum, InstructionOpcode, InstructionValue};

use super::{BuildResult, basic_value, c_string, check_positioned};

/// What is known of an integer instruction's result; poison where it does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntegerFlag {
    /// No signed overflow: add, sub, mul, shl, trunc.
    NoSignedWrap,
    /// No unsigned overflow: add, sub, mul, shl, trunc.
    NoUnsignedWrap,
    /// No remainder, no bit lost: sdiv, udiv, lshr, ashr.
    Exact,
    /// The operand is not negative: zext, uitofp.
    NonNegative,
    /// The operands share no bit: or.
    Disjoint,
}

/// Sets flags on the instruction that computes `value`. A value that was folded to a constant, and an instruction
/// that does not take a flag, stay as they are.
pub fn set_flags<'ctx>(value: impl BasicValue<'ctx>, flags: &[IntegerFlag]) {
    let Some(instruction) = value.as_instruction_value() else { return };
    for flag in flags {
        if takes(instruction, *flag) {
            let raw = instruction.as_value_ref();
            // SAFETY: `takes` looked at the opcode.
            unsafe {
                match flag {
                    IntegerFlag::NoSignedWrap => LLVMSetNSW(raw, 1),
                    IntegerFlag::NoUnsignedWrap => LLVMSetNUW(raw, 1),
                    IntegerFlag::Exact => LLVMSetExact(raw, 1),
                    IntegerFlag::NonNegative => LLVMSetNNeg(raw, 1),
                    IntegerFlag::Disjoint => LLVMSetIsDisjoint(raw, 1),
                }
            }
        }
    }
}

fn takes(instruction: InstructionValue<'_>, flag: IntegerFlag) -> bool {
    use InstructionOpcode::*;
    let opcode = instruction.get_opcode();
    match flag {
        IntegerFlag::NoSignedWrap | IntegerFlag::NoUnsignedWrap => matches!(opcode, Add | Sub | Mul | Shl | Trunc),
        IntegerFlag::Exact => matches!(opcode, SDiv | UDiv | LShr | AShr),
        IntegerFlag::NonNegative => matches!(opcode, ZExt | UIToFP),
        IntegerFlag::Disjoint => matches!(opcode, Or),
    }
}

/// How freely floating-point instructions may be rewritten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FloatingPoint {
    /// IEEE 754 to the letter; Swift's own.
    Strict,
    /// Products and sums may fuse.
    Contract,
}

/// Sets how the instruction that computes `value` may be rewritten; nothing where it is no floating-point operation.
pub fn set_floating_point<'ctx>(value: impl BasicValue<'ctx>, mode: FloatingPoint) {
    let Some(instruction) = value.as_instruction_value() else { return };
    let flags: LLVMFastMathFlags = match mode {
        FloatingPoint::Strict => LLVMFastMathNone,
        FloatingPoint::Contract => LLVMFastMathAllowContract,
    };
    // SAFETY: asked first whether the instruction takes such flags.
    unsafe {
        if LLVMCanValueUseFastMathFlags(instruction.as_value_ref()) != 0 {
            LLVMSetFastMathFlags(instruction.as_value_ref(), flags);
        }
    }
}

/// The same value, with undef and poison replaced by some fixed value.
pub fn freeze<'ctx>(
    builder: &Builder<'ctx>,
    value: impl BasicValue<'ctx>,
    name: &str,
) -> BuildResult<BasicValueEnum<'ctx>> {
    check_positioned(builder)?;
    let name = c_string(name);
    // SAFETY: the builder has a block; the result has the operand's type.
    unsafe { Ok(basic_value(LLVMBuildFreeze(builder.as_mut_ptr(), value.as_value_ref(), name.as_ptr()))) }
}
