//! Variables in debug information, and the locations of their values.
//!
//! inkwell's functions for these return LLVM's debug records as instructions, which they are not since LLVM 19.

use inkwell::basic_block::BasicBlock;
use inkwell::debug_info::{DIFile, DILocation, DIScope, DebugInfoBuilder};
use inkwell::llvm_sys::debuginfo::*;
use inkwell::llvm_sys::prelude::LLVMMetadataRef;
use inkwell::values::{AsValueRef, BasicValueEnum, PointerValue};

use super::debug_types::DebugType;
use crate::layout::BitRange;

/// A variable that debug information describes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DebugVariable<'ctx>(LLVMMetadataRef, std::marker::PhantomData<&'ctx ()>);

/// The name of a variable and the location of its declaration.
#[derive(Clone, Copy, Debug)]
pub struct VariableFacts<'a, 'ctx> {
    pub name: &'a str,
    pub scope: DIScope<'ctx>,
    pub file: DIFile<'ctx>,
    /// The line, from 1; 0 is unknown.
    pub line: u32,
    /// The index of the function's argument that it is, from 1.
    pub argument: Option<u32>,
    pub ty: DebugType<'ctx>,
}

/// Describes a variable.
pub fn create<'ctx>(builder: &DebugInfoBuilder<'ctx>, facts: &VariableFacts<'_, 'ctx>) -> DebugVariable<'ctx> {
    let builder = builder.as_mut_ptr();
    let (scope, file, line) = (facts.scope.as_mut_ptr(), facts.file.as_mut_ptr(), facts.line);
    let (text, length) = (facts.name.as_ptr().cast(), facts.name.len());
    let ty = facts.ty.raw();
    // Kept even if the code no longer uses them.
    let always = 1;
    // SAFETY: the text is `length` bytes long.
    let raw = unsafe {
        match facts.argument {
            Some(number) => {
                LLVMDIBuilderCreateParameterVariable(builder, scope, text, length, number, file, line, ty, always, 0)
            }
            None => LLVMDIBuilderCreateAutoVariable(builder, scope, text, length, file, line, ty, always, 0, 0),
        }
    };
    DebugVariable(raw, std::marker::PhantomData)
}

/// The computation of a variable's value from the value or address in a record.
#[derive(Clone, Debug, Default)]
pub struct Expression(Vec<u64>);

impl Expression {
    /// Loads the value from the address.
    pub fn dereference(mut self) -> Self {
        self.0.push(DW_OP_DEREF);
        self
    }

    /// Adds `bytes` to the address.
    pub fn offset(mut self, bytes: u64) -> Self {
        if bytes > 0 {
            self.0.extend([DW_OP_PLUS_UCONST, bytes]);
        }
        self
    }

    /// Restricts the value to these bits of the variable.
    pub fn fragment(mut self, bits: Option<BitRange>) -> Self {
        if let Some(bits) = bits {
            self.0.extend([DW_OP_LLVM_FRAGMENT, bits.offset, bits.width]);
        }
        self
    }

    fn lower(mut self, builder: &DebugInfoBuilder<'_>) -> LLVMMetadataRef {
        // SAFETY: the number of operators is the given one.
        unsafe { LLVMDIBuilderCreateExpression(builder.as_mut_ptr(), self.0.as_mut_ptr(), self.0.len()) }
    }
}

// DWARF 5, table 7.9, and LLVM's own (llvm/BinaryFormat/Dwarf.h).
const DW_OP_DEREF: u64 = 0x06;
const DW_OP_PLUS_UCONST: u64 = 0x23;
const DW_OP_LLVM_FRAGMENT: u64 = 0x1000;

/// Declares at the end of `block` that `variable` is in the stack slot `storage` in its whole scope.
pub fn declare<'ctx>(
    builder: &DebugInfoBuilder<'ctx>,
    (variable, expression): (DebugVariable<'ctx>, Expression),
    storage: PointerValue<'ctx>,
    location: DILocation<'ctx>,
    block: BasicBlock<'ctx>,
) {
    let expression = expression.lower(builder);
    let (builder, storage) = (builder.as_mut_ptr(), storage.as_value_ref());
    let (location, block) = (location.as_mut_ptr(), block.as_mut_ptr());
    // SAFETY: all are of one context, and the block is the one that is built.
    unsafe { LLVMDIBuilderInsertDeclareRecordAtEnd(builder, storage, variable.0, expression, location, block) };
}

/// Records at the end of `block` that `variable` is `value` from here on.
pub fn set_value<'ctx>(
    builder: &DebugInfoBuilder<'ctx>,
    (variable, expression): (DebugVariable<'ctx>, Expression),
    value: BasicValueEnum<'ctx>,
    location: DILocation<'ctx>,
    block: BasicBlock<'ctx>,
) {
    let expression = expression.lower(builder);
    let (builder, value) = (builder.as_mut_ptr(), value.as_value_ref());
    let (location, block) = (location.as_mut_ptr(), block.as_mut_ptr());
    // SAFETY: all are of one context, and the block is the one that is built.
    unsafe { LLVMDIBuilderInsertDbgValueRecordAtEnd(builder, value, variable.0, expression, location, block) };
}
