//! Operations without a function in LLVM's C API: the stack slots of `swifterror`, and the alignment of an address's
//! memory.

use inkwell::context::Context;
use inkwell::llvm_sys::LLVMOpcode;
use inkwell::llvm_sys::core::{
    LLVMGetAlignment, LLVMGetConstOpcode, LLVMGetOperand, LLVMInsertIntoBuilderWithName, LLVMInstructionClone,
    LLVMIsAAllocaInst, LLVMIsAConstantExpr, LLVMIsAGetElementPtrInst, LLVMIsAGlobalVariable, LLVMSetAlignment,
};
use inkwell::module::Module;
use inkwell::values::{AsValueRef, FunctionValue, GlobalValue, InstructionValue, PointerValue};

use super::builder::Builder;
use super::modules;
use crate::Error;

/// Raises the alignment of the slot or variable that contains `address` to `alignment` bytes, if it is less. Variables
/// for which `is_own` does not hold are unchanged.
pub fn raise_alignment<'ctx>(
    address: PointerValue<'ctx>,
    alignment: u32,
    is_own: impl FnOnce(GlobalValue<'ctx>) -> bool,
) {
    debug_assert!(alignment.is_power_of_two());
    let mut base = address.as_value_ref();
    // SAFETY: the casts only query the kind of a value; both kinds of `getelementptr` have their base as the first
    // operand; slots and globals have an alignment.
    unsafe {
        while !LLVMIsAGetElementPtrInst(base).is_null()
            || !LLVMIsAConstantExpr(base).is_null() && LLVMGetConstOpcode(base) == LLVMOpcode::LLVMGetElementPtr
        {
            base = LLVMGetOperand(base, 0);
        }
        let is_slot = !LLVMIsAAllocaInst(base).is_null();
        let is_variable = !LLVMIsAGlobalVariable(base).is_null();
        if (is_slot || is_variable) && LLVMGetAlignment(base) < alignment && (is_slot || is_own(GlobalValue::new(base)))
        {
            LLVMSetAlignment(base, alignment);
        }
    }
}

/// Creates the slots passed as `swifterror`: LLVM keeps their content in a register, and only allows loads, stores and
/// such calls to use them. One instance serves all functions of a context.
#[derive(Debug)]
pub struct SwiftErrorSlots<'ctx> {
    // LLVM's C API cannot create such a slot, but it can copy one; this module contains the original.
    template: Module<'ctx>,
    original: InstructionValue<'ctx>,
}

impl<'ctx> SwiftErrorSlots<'ctx> {
    /// Creates the instance.
    pub fn new(context: &'ctx Context) -> Result<SwiftErrorSlots<'ctx>, Error> {
        const TEMPLATE: &[u8] = b"define void @template() {\n  %error = alloca swifterror ptr\n  ret void\n}\n";
        let template = modules::parse(context, TEMPLATE, "swifterror")?;
        let original = template
            .get_function("template")
            .and_then(FunctionValue::get_first_basic_block)
            .and_then(|entry| entry.get_first_instruction())
            .ok_or_else(|| Error::Internal("the swifterror template has no slot".to_owned()))?;
        Ok(SwiftErrorSlots { template, original })
    }

    /// Returns an uninitialised slot for a pointer at the builder's position, which is in the entry block of a
    /// function.
    pub(super) fn slot(&self, builder: &Builder<'ctx>, alignment: u64) -> PointerValue<'ctx> {
        debug_assert!(self.template.get_first_function().is_some() && alignment.is_power_of_two());
        let location = builder.location();
        builder.set_location(None);
        // SAFETY: the original is an alloca of the same context, alive with its module; its copy belongs to no block
        // until it is inserted at the builder's position, which is in a block. An alloca has an alignment.
        let slot = unsafe {
            let copy = LLVMInstructionClone(self.original.as_value_ref());
            LLVMInsertIntoBuilderWithName(builder.raw(), copy, c"".as_ptr());
            LLVMSetAlignment(copy, alignment as u32);
            PointerValue::new(copy)
        };
        builder.set_location(location);
        slot
    }
}
