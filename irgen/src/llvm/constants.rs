//! Constant expressions: relative references, addresses within globals, structs.

use inkwell::context::Context;
use inkwell::llvm_sys::core::{LLVMConstGEPWithNoWrapFlags, LLVMGetPoison, LLVMGetUndef};
use inkwell::llvm_sys::{LLVMGEPFlagInBounds, LLVMGEPFlagNUW};
use inkwell::types::{BasicType, IntType, StructType};
use inkwell::values::{AsValueRef, BasicValueEnum, IntValue, PointerValue, StructValue};

use super::memory::check_indices;
use super::{BuildResult, basic_value};

/// The distance `target - base` in bytes as an `i32`, for Swift's relative references (docs/ABI/TypeMetadata.rst).
/// Both are constant addresses; `base` is the address of the field that holds the reference.
/// `pointer_integer` is the integer of pointer width.
pub fn relative_reference<'ctx>(
    pointer_integer: IntType<'ctx>,
    target: PointerValue<'ctx>,
    base: PointerValue<'ctx>,
) -> IntValue<'ctx> {
    let distance = target.const_to_int(pointer_integer).const_sub(base.const_to_int(pointer_integer));
    let narrow = pointer_integer.get_context().i32_type();
    if pointer_integer.get_bit_width() > narrow.get_bit_width() { distance.const_truncate(narrow) } else { distance }
}

/// A constant address moved by `offset` bytes within its object.
pub fn byte_offset<'ctx>(context: &'ctx Context, base: PointerValue<'ctx>, offset: u64) -> PointerValue<'ctx> {
    let index = context.i64_type().const_int(offset, false);
    constant_gep(context.i8_type(), base, &[index])
}

/// The constant address of an element: as `memory::element_address`, of constants.
pub fn element_address<'ctx>(
    element: impl BasicType<'ctx>,
    base: PointerValue<'ctx>,
    indices: &[IntValue<'ctx>],
) -> BuildResult<PointerValue<'ctx>> {
    check_indices(element.as_basic_type_enum(), indices)?;
    Ok(constant_gep(element, base, indices))
}

fn constant_gep<'ctx>(
    element: impl BasicType<'ctx>,
    base: PointerValue<'ctx>,
    indices: &[IntValue<'ctx>],
) -> PointerValue<'ctx> {
    let mut indices: Vec<_> = indices.iter().map(|index| index.as_value_ref()).collect();
    // SAFETY: the indices lead somewhere in the type; the result is a pointer.
    unsafe {
        PointerValue::new(LLVMConstGEPWithNoWrapFlags(
            element.as_type_ref(),
            base.as_value_ref(),
            indices.as_mut_ptr(),
            indices.len() as u32,
            LLVMGEPFlagInBounds | LLVMGEPFlagNUW,
        ))
    }
}

/// Whether a struct's fields are padded to their alignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// As C does.
    Padded,
    /// Fields touch: the layout is given by explicit padding fields (Swift's own layouts).
    Packed,
}

/// A constant struct of an unnamed type made of the values' types.
pub fn anonymous_struct<'ctx>(
    context: &'ctx Context,
    fields: &[BasicValueEnum<'ctx>],
    packing: Packing,
) -> StructValue<'ctx> {
    context.const_struct(fields, packing == Packing::Packed)
}

/// A constant of a named struct type; the values are as many as its fields and have their types.
pub fn named_struct<'ctx>(ty: StructType<'ctx>, fields: &[BasicValueEnum<'ctx>]) -> StructValue<'ctx> {
    ty.const_named_struct(fields)
}

/// An integer constant of any width from 64-bit words, least significant first.
pub fn wide_integer<'ctx>(ty: IntType<'ctx>, words: &[u64]) -> IntValue<'ctx> {
    ty.const_int_arbitrary_precision(words)
}

/// `undef` of a type: any value, chosen anew at each use.
pub fn undef<'ctx>(ty: impl BasicType<'ctx>) -> BasicValueEnum<'ctx> {
    // SAFETY: a basic type gives a basic value.
    unsafe { basic_value(LLVMGetUndef(ty.as_type_ref())) }
}

/// `poison` of a type: using it for anything observable is undefined behaviour.
pub fn poison<'ctx>(ty: impl BasicType<'ctx>) -> BasicValueEnum<'ctx> {
    // SAFETY: as `undef`.
    unsafe { basic_value(LLVMGetPoison(ty.as_type_ref())) }
}
