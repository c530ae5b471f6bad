//! Arithmetic and comparisons, of scalars and of vectors.

use inkwell::values::{BasicValueEnum, IntMathValue};
use inkwell::{FloatPredicate as LlvmFloatPredicate, IntPredicate};
use sil_ir::instructions::builtins::{
    BinaryOperation, FloatPredicate, IntegerPredicate, OverflowOperation, UnaryOperation,
};

use super::Call;
use crate::generation::Explosion;
use crate::refusal::Generated;

impl<'ctx> Call<'_, '_, 'ctx> {
    pub(super) fn emit_binary(&self, operation: BinaryOperation) -> Generated<Explosion<'ctx>> {
        let (left, right) = (self.argument(0)?, self.argument(1)?);
        let value = match (left, right) {
            (BasicValueEnum::IntValue(left), BasicValueEnum::IntValue(right)) => {
                self.emit_integer_binary(operation, left, right)?
            }
            (BasicValueEnum::VectorValue(left), BasicValueEnum::VectorValue(right)) => {
                if is_float(operation) {
                    self.emit_float_binary(operation, left, right)?
                } else {
                    self.emit_integer_binary(operation, left, right)?
                }
            }
            (BasicValueEnum::FloatValue(left), BasicValueEnum::FloatValue(right)) => {
                self.emit_float_binary(operation, left, right)?
            }
            _ => return Err(self.unsupported()),
        };
        Ok(vec![value])
    }

    fn emit_integer_binary<T: IntMathValue<'ctx>>(
        &self,
        operation: BinaryOperation,
        left: T,
        right: T,
    ) -> Generated<BasicValueEnum<'ctx>> {
        let builder = &self.function.builder;
        let value = match operation {
            BinaryOperation::Add => builder.add(left, right),
            BinaryOperation::Sub => builder.sub(left, right),
            BinaryOperation::Mul => builder.mul(left, right),
            BinaryOperation::And => builder.and(left, right),
            BinaryOperation::Or => builder.or(left, right),
            BinaryOperation::Xor => builder.xor(left, right),
            BinaryOperation::Shl => builder.shift_left(left, right),
            BinaryOperation::LShr => builder.logical_shift_right(left, right),
            BinaryOperation::AShr => builder.arithmetic_shift_right(left, right),
            BinaryOperation::SDiv => builder.signed_divide(left, right),
            BinaryOperation::ExactSDiv => builder.exact_signed_divide(left, right),
            BinaryOperation::UDiv | BinaryOperation::ExactUDiv => builder.unsigned_divide(left, right),
            BinaryOperation::SRem => builder.signed_remainder(left, right),
            BinaryOperation::URem => builder.unsigned_remainder(left, right),
            BinaryOperation::FAdd
            | BinaryOperation::FSub
            | BinaryOperation::FMul
            | BinaryOperation::FDiv
            | BinaryOperation::FRem => return Err(self.unsupported()),
        };
        Ok(value.as_basic_value_enum())
    }

    fn emit_float_binary<T: inkwell::values::FloatMathValue<'ctx>>(
        &self,
        operation: BinaryOperation,
        left: T,
        right: T,
    ) -> Generated<BasicValueEnum<'ctx>> {
        let builder = &self.function.builder;
        let value = match operation {
            BinaryOperation::FAdd => builder.float_add(left, right),
            BinaryOperation::FSub => builder.float_subtract(left, right),
            BinaryOperation::FMul => builder.float_multiply(left, right),
            BinaryOperation::FDiv => builder.float_divide(left, right),
            BinaryOperation::FRem => builder.float_remainder(left, right),
            _ => return Err(self.unsupported()),
        };
        Ok(value.as_basic_value_enum())
    }

    /// Returns the result and whether it overflowed; the third operand only states whether overflow is reported.
    pub(super) fn emit_with_overflow(&self, operation: OverflowOperation) -> Generated<Explosion<'ctx>> {
        let name = match operation {
            OverflowOperation::SAdd => "llvm.sadd.with.overflow",
            OverflowOperation::UAdd => "llvm.uadd.with.overflow",
            OverflowOperation::SSub => "llvm.ssub.with.overflow",
            OverflowOperation::USub => "llvm.usub.with.overflow",
            OverflowOperation::SMul => "llvm.smul.with.overflow",
            OverflowOperation::UMul => "llvm.umul.with.overflow",
        };
        let pair = self.intrinsic_value(name, &[self.ty(0)?], &[self.argument(0)?, self.argument(1)?])?;
        let result = match self.emit_constant_result(operation)? {
            Some(constant) => constant,
            None => self.function.builder.extract(pair, 0),
        };
        Ok(vec![result, self.function.builder.extract(pair, 1)])
    }

    /// Returns the result of an addition or subtraction of constants, as a constant: static initialisers compute
    /// addresses in this way, for which LLVM folds no intrinsic.
    fn emit_constant_result(&self, operation: OverflowOperation) -> Generated<Option<BasicValueEnum<'ctx>>> {
        let (BasicValueEnum::IntValue(left), BasicValueEnum::IntValue(right)) = (self.argument(0)?, self.argument(1)?)
        else {
            return Ok(None);
        };
        if !(left.is_const() && right.is_const()) {
            return Ok(None);
        }
        let builder = &self.function.builder;
        Ok(match operation {
            OverflowOperation::SAdd | OverflowOperation::UAdd => Some(builder.add(left, right).into()),
            OverflowOperation::SSub | OverflowOperation::USub => Some(builder.sub(left, right).into()),
            OverflowOperation::SMul | OverflowOperation::UMul => None,
        })
    }

    /// Emits an `or` whose operands have no common bits as an addition: object files can relocate sums, which constants
    /// must be.
    pub(super) fn emit_string_object_or(&self) -> Generated<Explosion<'ctx>> {
        let (object, flags) = (self.int(0)?, self.int(1)?);
        let builder = &self.function.builder;
        let tagged = if object.is_const() { builder.add(object, flags) } else { builder.or(object, flags) };
        Ok(vec![tagged.into()])
    }

    pub(super) fn emit_unary(&mut self, operation: UnaryOperation) -> Generated<Explosion<'ctx>> {
        let value = self.argument(0)?;
        let builder = &self.function.builder;
        match (operation, value) {
            (UnaryOperation::FNeg, BasicValueEnum::FloatValue(value)) => Ok(vec![builder.float_negate(value).into()]),
            (UnaryOperation::FNeg, BasicValueEnum::VectorValue(value)) => Ok(vec![builder.float_negate(value).into()]),
            (UnaryOperation::AssumeNonNegative, BasicValueEnum::IntValue(integer)) => {
                // An assumption instead of range metadata on the load: with range metadata, LLVM keeps overflow checks
                // in loops that it removes with an assumption, and InstCombine drops the assumption if both are
                // present.
                let is_non_negative = builder.compare(IntPredicate::SGE, integer, integer.get_type().const_zero());
                self.assume(is_non_negative)?;
                Ok(vec![value])
            }
            (UnaryOperation::Assume, BasicValueEnum::IntValue(condition))
                if condition.get_type().get_bit_width() == 1 =>
            {
                self.assume(condition)?;
                let result = self.function.body.result(self.instruction);
                let gives = result.map(|result| self.function.info_of(result)).transpose()?;
                Ok(if gives.is_some_and(|info| info.elements.is_empty()) { Vec::new() } else { vec![value] })
            }
            _ => Err(self.unsupported()),
        }
    }

    /// Emits an assumption that `condition` holds, if the code is optimised.
    pub(super) fn assume(&self, condition: inkwell::values::IntValue<'ctx>) -> Generated<()> {
        if self.function.module.optimizes() {
            self.call_intrinsic("llvm.assume", &[], &[condition.into()])?;
        }
        Ok(())
    }

    pub(super) fn emit_compare_integers(&self, predicate: IntegerPredicate) -> Generated<Explosion<'ctx>> {
        let predicate = match predicate {
            IntegerPredicate::Eq => IntPredicate::EQ,
            IntegerPredicate::Ne => IntPredicate::NE,
            IntegerPredicate::Sle => IntPredicate::SLE,
            IntegerPredicate::Slt => IntPredicate::SLT,
            IntegerPredicate::Sge => IntPredicate::SGE,
            IntegerPredicate::Sgt => IntPredicate::SGT,
            IntegerPredicate::Ule => IntPredicate::ULE,
            IntegerPredicate::Ult => IntPredicate::ULT,
            IntegerPredicate::Uge => IntPredicate::UGE,
            IntegerPredicate::Ugt => IntPredicate::UGT,
        };
        let builder = &self.function.builder;
        let value: BasicValueEnum = match (self.argument(0)?, self.argument(1)?) {
            (BasicValueEnum::IntValue(left), BasicValueEnum::IntValue(right)) => {
                builder.compare(predicate, left, right).into()
            }
            (BasicValueEnum::PointerValue(left), BasicValueEnum::PointerValue(right)) => {
                builder.compare(predicate, left, right).into()
            }
            (BasicValueEnum::VectorValue(left), BasicValueEnum::VectorValue(right)) => {
                builder.compare(predicate, left, right).into()
            }
            _ => return Err(self.unsupported()),
        };
        Ok(vec![value])
    }

    pub(super) fn emit_compare_floats(&self, predicate: FloatPredicate) -> Generated<Explosion<'ctx>> {
        let predicate = match predicate {
            FloatPredicate::Oeq => LlvmFloatPredicate::OEQ,
            FloatPredicate::Ogt => LlvmFloatPredicate::OGT,
            FloatPredicate::Oge => LlvmFloatPredicate::OGE,
            FloatPredicate::Olt => LlvmFloatPredicate::OLT,
            FloatPredicate::Ole => LlvmFloatPredicate::OLE,
            FloatPredicate::One => LlvmFloatPredicate::ONE,
            FloatPredicate::Ord => LlvmFloatPredicate::ORD,
            FloatPredicate::Ueq => LlvmFloatPredicate::UEQ,
            FloatPredicate::Ugt => LlvmFloatPredicate::UGT,
            FloatPredicate::Uge => LlvmFloatPredicate::UGE,
            FloatPredicate::Ult => LlvmFloatPredicate::ULT,
            FloatPredicate::Ule => LlvmFloatPredicate::ULE,
            FloatPredicate::Une => LlvmFloatPredicate::UNE,
            FloatPredicate::Uno => LlvmFloatPredicate::UNO,
        };
        let builder = &self.function.builder;
        let value: BasicValueEnum = match (self.argument(0)?, self.argument(1)?) {
            (BasicValueEnum::FloatValue(left), BasicValueEnum::FloatValue(right)) => {
                builder.compare_floats(predicate, left, right).into()
            }
            (BasicValueEnum::VectorValue(left), BasicValueEnum::VectorValue(right)) => {
                builder.compare_floats(predicate, left, right).into()
            }
            _ => return Err(self.unsupported()),
        };
        Ok(vec![value])
    }
}

fn is_float(operation: BinaryOperation) -> bool {
    use BinaryOperation::*;
    matches!(operation, FAdd | FSub | FMul | FDiv | FRem)
}
