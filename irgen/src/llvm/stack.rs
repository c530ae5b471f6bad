//! Stack slots: fixed ones in the entry block, dynamic ones, and the slots of `swifterror`.

use inkwell::builder::{Builder, BuilderError};
use inkwell::context::Context;
use inkwell::llvm_sys::LLVMOpcode;
use inkwell::llvm_sys::core::{
    LLVMGetAlignment, LLVMGetConstOpcode, LLVMGetOperand, LLVMInsertIntoBuilderWithName, LLVMInstructionClone,
    LLVMIsAAllocaInst, LLVMIsAConstantExpr, LLVMIsAGetElementPtrInst, LLVMIsAGlobalVariable, LLVMIsDeclaration,
    LLVMSetAlignment,
};
use inkwell::module::Module;
use inkwell::types::BasicType;
use inkwell::values::{AsValueRef, FunctionValue, InstructionValue, IntValue, PointerValue};

use super::{BuildResult, c_string, check_positioned, modules};
use crate::Error;

/// A stack slot in the entry block of `function`, wherever the builder stands; it stays there.
///
/// Slots in the entry block are part of the frame; one anywhere else grows the stack each time control passes.
pub fn stack_slot<'ctx>(
    builder: &Builder<'ctx>,
    function: FunctionValue<'ctx>,
    ty: impl BasicType<'ctx>,
    alignment: u32,
    name: &str,
) -> BuildResult<PointerValue<'ctx>> {
    let slot = at_start_of_entry(builder, function, || builder.build_alloca(ty, name))?;
    set_slot_alignment(slot, alignment);
    Ok(slot)
}

/// A stack slot of `count` elements where the builder stands (`alloc_stack` of dynamic size, `Builtin.stackAlloc`).
pub fn dynamic_stack_slot<'ctx>(
    builder: &Builder<'ctx>,
    element: impl BasicType<'ctx>,
    count: IntValue<'ctx>,
    alignment: u32,
    name: &str,
) -> BuildResult<PointerValue<'ctx>> {
    let slot = builder.build_array_alloca(element, count, name)?;
    set_slot_alignment(slot, alignment);
    Ok(slot)
}

fn set_slot_alignment(slot: PointerValue<'_>, alignment: u32) {
    debug_assert!(alignment.is_power_of_two());
    // SAFETY: an alloca takes an alignment.
    unsafe { LLVMSetAlignment(slot.as_value_ref(), alignment) };
}

/// Raises the alignment of the slot or the defined global that `address` lies in to `alignment` bytes, where it is less. Memory that
/// others own stays as it is.
pub fn raise_alignment(address: PointerValue<'_>, alignment: u32) {
    debug_assert!(alignment.is_power_of_two());
    let mut base = address.as_value_ref();
    // SAFETY: the casts only ask for the kind of a value; both kinds of `getelementptr` have their base as the first operand; slots
    // and globals have an alignment.
    unsafe {
        while !LLVMIsAGetElementPtrInst(base).is_null()
            || !LLVMIsAConstantExpr(base).is_null() && LLVMGetConstOpcode(base) == LLVMOpcode::LLVMGetElementPtr
        {
            base = LLVMGetOperand(base, 0);
        }
        let is_slot = !LLVMIsAAllocaInst(base).is_null();
        let is_own_global = !LLVMIsAGlobalVariable(base).is_null() && LLVMIsDeclaration(base) == 0;
        if (is_slot || is_own_global) && LLVMGetAlignment(base) < alignment {
            LLVMSetAlignment(base, alignment);
        }
    }
}

/// Runs `build` with the builder at the start of the entry block, and puts the builder back to the end of its block.
fn at_start_of_entry<'ctx, T>(
    builder: &Builder<'ctx>,
    function: FunctionValue<'ctx>,
    build: impl FnOnce() -> BuildResult<T>,
) -> BuildResult<T> {
    let resume = builder.get_insert_block();
    let location = builder.get_current_debug_location();
    let entry = function.get_first_basic_block().ok_or(BuilderError::UnsetPosition)?;
    match entry.get_first_instruction() {
        Some(first) => builder.position_before(&first),
        None => builder.position_at_end(entry),
    }
    builder.unset_current_debug_location();
    let built = build();
    if let Some(block) = resume {
        builder.position_at_end(block);
    }
    match location {
        Some(location) => builder.set_current_debug_location(location),
        None => builder.unset_current_debug_location(),
    }
    built
}

/// Makes the slots that are passed as `swifterror`: LLVM keeps their content in a register, and lets only loads,
/// stores and such calls use them. One maker serves all functions of a context.
#[derive(Debug)]
pub struct SwiftErrorSlots<'ctx> {
    // LLVM's C API cannot make such a slot, but it can copy one; this module holds the one that is copied.
    template: Module<'ctx>,
    original: InstructionValue<'ctx>,
}

impl<'ctx> SwiftErrorSlots<'ctx> {
    /// Makes the maker.
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

    /// A slot in the entry block of `function`; it holds a pointer, and nothing yet.
    pub fn slot(
        &self,
        builder: &Builder<'ctx>,
        function: FunctionValue<'ctx>,
        alignment: u32,
        name: &str,
    ) -> BuildResult<PointerValue<'ctx>> {
        debug_assert!(self.template.get_first_function().is_some());
        let slot = at_start_of_entry(builder, function, || {
            check_positioned(builder)?;
            let name = c_string(name);
            // SAFETY: the original is an alloca of the same context, alive with its module; its copy belongs to no
            // block until it is inserted at the builder's place.
            unsafe {
                let copy = LLVMInstructionClone(self.original.as_value_ref());
                LLVMInsertIntoBuilderWithName(builder.as_mut_ptr(), copy, name.as_ptr());
                Ok(PointerValue::new(copy))
            }
        })?;
        set_slot_alignment(slot, alignment);
        Ok(slot)
    }
}
