//! Arithmetic, comparisons and selection, of scalars and of vectors.

use inkwell::types::{BasicTypeEnum, FloatMathType, IntMathType};
use inkwell::values::{
    BasicValueEnum, FloatMathValue, InstructionOpcode, IntMathValue, IntValue, PointerValue, VectorValue,
};
use inkwell::{FloatPredicate, IntPredicate};

use super::builder::{Builder, built};

/// The result type of comparing integers, pointers or vectors of them.
type IntComparison<'ctx, T> = <<T as IntMathValue<'ctx>>::BaseType as IntMathType<'ctx>>::ValueType;

/// The result type of comparing floats or vectors of them.
type FloatComparison<'ctx, T> =
    <<<T as FloatMathValue<'ctx>>::BaseType as FloatMathType<'ctx>>::MathConvType as IntMathType<'ctx>>::ValueType;

/// Methods with two operands of one type, each by inkwell's own.
macro_rules! binary_operations {
    ($bound:ident: $($(#[$documentation:meta])* $name:ident = $build:ident;)*) => {
        $(
            $(#[$documentation])*
            pub fn $name<T: $bound<'ctx>>(&self, left: T, right: T) -> T {
                built(self.inkwell().$build(left, right, ""))
            }
        )*
    };
}

impl<'ctx> Builder<'ctx> {
    binary_operations! { IntMathValue:
        /// `add`
        add = build_int_add;
        /// `sub`
        sub = build_int_sub;
        /// `mul`
        mul = build_int_mul;
        /// `sdiv`
        signed_divide = build_int_signed_div;
        /// `sdiv exact`
        exact_signed_divide = build_int_exact_signed_div;
        /// `udiv`
        unsigned_divide = build_int_unsigned_div;
        /// `srem`
        signed_remainder = build_int_signed_rem;
        /// `urem`
        unsigned_remainder = build_int_unsigned_rem;
        /// `and`
        and = build_and;
        /// `or`
        or = build_or;
        /// `xor`
        xor = build_xor;
        /// `shl`
        shift_left = build_left_shift;
    }

    binary_operations! { FloatMathValue:
        /// `fadd`
        float_add = build_float_add;
        /// `fsub`
        float_subtract = build_float_sub;
        /// `fmul`
        float_multiply = build_float_mul;
        /// `fdiv`
        float_divide = build_float_div;
        /// `frem`
        float_remainder = build_float_rem;
    }

    /// `lshr`
    pub fn logical_shift_right<T: IntMathValue<'ctx>>(&self, value: T, amount: T) -> T {
        built(self.inkwell().build_right_shift(value, amount, false, ""))
    }

    /// `ashr`
    pub fn arithmetic_shift_right<T: IntMathValue<'ctx>>(&self, value: T, amount: T) -> T {
        built(self.inkwell().build_right_shift(value, amount, true, ""))
    }

    /// Returns whether a signed number is negative.
    pub fn is_negative(&self, value: IntValue<'ctx>) -> IntValue<'ctx> {
        let zero = value.get_type().const_zero();
        built(self.inkwell().build_int_compare(inkwell::IntPredicate::SLT, value, zero, ""))
    }

    /// `fneg`
    pub fn float_negate<T: FloatMathValue<'ctx>>(&self, value: T) -> T {
        built(self.inkwell().build_float_neg(value, ""))
    }

    /// Inverts all bits.
    pub fn not(&self, value: IntValue<'ctx>) -> IntValue<'ctx> {
        built(self.inkwell().build_not(value, ""))
    }

    /// `shl` by a constant.
    pub fn shl(&self, value: IntValue<'ctx>, bits: u32) -> IntValue<'ctx> {
        if bits == 0 {
            return value;
        }
        self.shift_left(value, value.get_type().const_int(u64::from(bits), false))
    }

    /// `lshr` by a constant.
    pub fn lshr(&self, value: IntValue<'ctx>, bits: u32) -> IntValue<'ctx> {
        if bits == 0 {
            return value;
        }
        self.logical_shift_right(value, value.get_type().const_int(u64::from(bits), false))
    }

    /// Truncates or zero-extends to `bits`.
    pub fn resize(&self, value: IntValue<'ctx>, bits: u32) -> IntValue<'ctx> {
        let width = value.get_type().get_bit_width();
        let ty = self.int_type(bits);
        match width.cmp(&bits) {
            std::cmp::Ordering::Equal => value,
            std::cmp::Ordering::Less => built(self.inkwell().build_int_z_extend(value, ty, "")),
            std::cmp::Ordering::Greater => built(self.inkwell().build_int_truncate(value, ty, "")),
        }
    }

    /// Truncates or sign-extends to `bits`.
    pub fn resize_signed(&self, value: IntValue<'ctx>, bits: u32) -> IntValue<'ctx> {
        let width = value.get_type().get_bit_width();
        if width < bits {
            built(self.inkwell().build_int_s_extend(value, self.int_type(bits), ""))
        } else {
            self.resize(value, bits)
        }
    }

    /// A conversion between numbers, by LLVM's name for it.
    pub fn convert(
        &self,
        conversion: InstructionOpcode,
        value: BasicValueEnum<'ctx>,
        to: BasicTypeEnum<'ctx>,
    ) -> BasicValueEnum<'ctx> {
        built(self.inkwell().build_cast(conversion, value, to, ""))
    }

    /// `icmp`
    pub fn compare<T: IntMathValue<'ctx>>(&self, predicate: IntPredicate, left: T, right: T) -> IntComparison<'ctx, T> {
        built(self.inkwell().build_int_compare(predicate, left, right, ""))
    }

    /// `icmp eq`
    pub fn equal(&self, left: IntValue<'ctx>, right: IntValue<'ctx>) -> IntValue<'ctx> {
        self.compare(IntPredicate::EQ, left, right)
    }

    /// `fcmp`
    pub fn compare_floats<T: FloatMathValue<'ctx>>(
        &self,
        predicate: FloatPredicate,
        left: T,
        right: T,
    ) -> FloatComparison<'ctx, T> {
        built(self.inkwell().build_float_compare(predicate, left, right, ""))
    }

    /// `ptr == null`
    pub fn is_null(&self, pointer: PointerValue<'ctx>) -> IntValue<'ctx> {
        built(self.inkwell().build_is_null(pointer, ""))
    }

    /// `select`, of whole values or of each element.
    pub fn select<T: IntMathValue<'ctx>>(
        &self,
        condition: T,
        yes: BasicValueEnum<'ctx>,
        no: BasicValueEnum<'ctx>,
    ) -> BasicValueEnum<'ctx> {
        built(self.inkwell().build_select(condition, yes, no, ""))
    }

    /// `extractelement`
    pub fn extract_element(&self, vector: VectorValue<'ctx>, index: IntValue<'ctx>) -> BasicValueEnum<'ctx> {
        built(self.inkwell().build_extract_element(vector, index, ""))
    }

    /// `insertelement`
    pub fn insert_element(
        &self,
        vector: VectorValue<'ctx>,
        element: BasicValueEnum<'ctx>,
        index: IntValue<'ctx>,
    ) -> VectorValue<'ctx> {
        built(self.inkwell().build_insert_element(vector, element, index, ""))
    }

    /// `shufflevector`
    pub fn shuffle(
        &self,
        left: VectorValue<'ctx>,
        right: VectorValue<'ctx>,
        mask: VectorValue<'ctx>,
    ) -> VectorValue<'ctx> {
        built(self.inkwell().build_shuffle_vector(left, right, mask, ""))
    }
}
