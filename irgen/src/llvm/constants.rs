//! Constants: scalars with given bits, addresses with addends, distances between addresses, packed structs.

use inkwell::llvm_sys::core::LLVMConstBitCast;
use inkwell::types::{AsTypeRef, BasicTypeEnum};
use inkwell::values::{AsValueRef, BasicValueEnum, FloatValue, IntValue, PointerValue};
use sil_ir::context::VectorElement;

use super::builder::{Builder, bytes_type};
use crate::layout::{Bits, Scalar};

impl<'ctx> Builder<'ctx> {
    /// Returns the scalar with these bits, of the same width.
    pub fn scalar_constant(&self, scalar: Scalar, bits: &Bits) -> BasicValueEnum<'ctx> {
        match scalar {
            Scalar::Integer(width) => self.wide_int(width, bits.words()).into(),
            Scalar::Float(width) => self.float_constant(width, bits).into(),
            Scalar::Pointer => self.pointer_constant(bits).into(),
            Scalar::Vector { element, count } => self.vector_constant(element, count, bits),
        }
    }

    fn float_constant(&self, width: u32, bits: &Bits) -> FloatValue<'ctx> {
        let (pattern, ty) = (self.wide_int(width, bits.words()), self.float_type(width));
        // SAFETY: the integer is as wide as the type, and LLVM folds the cast of a constant to a constant of the type.
        unsafe { FloatValue::new(LLVMConstBitCast(pattern.as_value_ref(), ty.as_type_ref())) }
    }

    fn pointer_constant(&self, bits: &Bits) -> PointerValue<'ctx> {
        match bits.is_zero() {
            true => self.null(),
            false => self.wide_int(bits.width() as u32, bits.words()).const_to_pointer(self.ptr_type()),
        }
    }

    fn vector_constant(&self, element: VectorElement, count: u32, bits: &Bits) -> BasicValueEnum<'ctx> {
        let width = bits.width() / u64::from(count.max(1));
        let parts = (0..u64::from(count)).map(|index| bits.slice(index * width, width));
        use inkwell::types::VectorType;
        match element {
            VectorElement::Integer(width) => {
                VectorType::const_vector(&parts.map(|part| self.wide_int(width, part.words())).collect::<Vec<_>>())
            }
            VectorElement::Float(width) => {
                VectorType::const_vector(&parts.map(|part| self.float_constant(width, &part)).collect::<Vec<_>>())
            }
            VectorElement::RawPointer => {
                VectorType::const_vector(&parts.map(|part| self.pointer_constant(&part)).collect::<Vec<_>>())
            }
        }
        .into()
    }

    /// Returns `base` plus `addend`, as an integer of the same width.
    pub fn address_bits_constant(&self, base: PointerValue<'ctx>, addend: u64, pointer_bits: u32) -> IntValue<'ctx> {
        let bits = base.const_to_int(self.int_type(pointer_bits));
        if addend == 0 { bits } else { bits.const_add(self.int(pointer_bits, addend)) }
    }

    /// Returns `base` plus `addend`.
    pub fn address_constant(&self, base: PointerValue<'ctx>, addend: u64, pointer_bits: u32) -> PointerValue<'ctx> {
        match addend {
            0 => base,
            _ => self.address_bits_constant(base, addend, pointer_bits).const_to_pointer(self.ptr_type()),
        }
    }

    /// The address `offset` bytes into the variable at `variable`.
    pub fn address_in(&self, variable: PointerValue<'ctx>, offset: u64) -> PointerValue<'ctx> {
        if offset == 0 {
            return variable;
        }
        // SAFETY: inkwell marks every getelementptr unsafe; the address is inside of the variable.
        unsafe { variable.const_in_bounds_gep(self.context.i8_type(), &[self.int(64, offset)]) }
    }

    /// Returns the distance of `target` from `offset` bytes into the variable at `variable`, in 32 bits.
    pub fn relative_constant(
        &self,
        target: PointerValue<'ctx>,
        variable: PointerValue<'ctx>,
        offset: u64,
        pointer_bits: u32,
    ) -> IntValue<'ctx> {
        let word = self.int_type(pointer_bits);
        let place = self.address_in(variable, offset);
        let distance = target.const_to_int(word).const_sub(place.const_to_int(word));
        if pointer_bits > 32 { distance.const_truncate(self.int_type(32)) } else { distance }
    }

    /// Returns the type of a packed struct of these fields. A single field is not wrapped in a struct, since LLVM looks
    /// for strings and for words with an address.
    pub fn packed_type(&self, fields: &[BasicTypeEnum<'ctx>]) -> BasicTypeEnum<'ctx> {
        match fields {
            [] => bytes_type(self.context, 0),
            [only] => *only,
            fields => self.context.struct_type(fields, true).into(),
        }
    }

    /// The constant of that type.
    pub fn packed_constant(&self, fields: &[BasicValueEnum<'ctx>]) -> BasicValueEnum<'ctx> {
        match fields {
            [] => bytes_type(self.context, 0).const_zero(),
            [only] => *only,
            fields => self.context.const_struct(fields, true).into(),
        }
    }
}
