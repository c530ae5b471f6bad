//! Evaluation of builtins (lib/SILOptimizer/Utils/ConstExpr.cpp, `computeConstantValueBuiltin`). The widths of integers
//! are those of the operands, regardless of the name of the builtin.

use sil_ir::context::Type;
use sil_ir::instructions::builtins::{
    BinaryOperation, BuiltinCast, BuiltinKind, BuiltinOperation, IntegerPredicate, Intrinsic, NamedBuiltin,
    OverflowOperation,
};
use sil_ir::model::{InstructionId, views};

use super::evaluator::{Evaluator, FunctionState};
use super::unknown::{Evaluated, UnknownReason};
use super::values::{Integer, SymbolicValue};
use crate::knowledge::numbers::WIDEST;

/// Whether a number is signed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Signed,
    Unsigned,
}

impl<'m> Evaluator<'m> {
    /// Returns the result of a builtin.
    pub(super) fn builtin(&mut self, state: &mut FunctionState<'m>, id: InstructionId) -> Evaluated<SymbolicValue> {
        let body = state.body;
        let views::Builtin { arguments, builtin } = views::Builtin::of(body, id);
        let operation = builtin.operation();
        let mut operands = Vec::with_capacity(arguments.len());
        for argument in arguments {
            operands.push(self.constant(state, *argument)?);
        }
        let Some(operation) = operation else { return Err(self.unsupported(body, id)) };
        let result = body.result(id).map(|result| body.ty(result).ty);
        let width = result.and_then(|ty| self.width(ty));
        let outcome = match (operation.kind, operands.as_slice()) {
            (BuiltinKind::Named(NamedBuiltin::AssertConf), []) => {
                Outcome::Value(SymbolicValue::integer(i128::from(self.limits.assert_configuration), 32))
            }
            // A static string keeps its literal in an integer field.
            (BuiltinKind::Cast(BuiltinCast::PtrToInt | BuiltinCast::IntToPtr), [SymbolicValue::String(bytes)]) => {
                Outcome::Value(SymbolicValue::String(bytes.clone()))
            }
            (BuiltinKind::Intrinsic(Intrinsic::Expect), [value, _]) => Outcome::Value(value.clone()),
            (BuiltinKind::Cast(cast), [operand]) => converted(cast, operand, width),
            (BuiltinKind::Named(named), [operand]) => self.checked_conversion(named, operation, operand),
            (BuiltinKind::Binary(binary), [left, right]) if is_for_integers(binary) => {
                integers(left, right, |left, right| computed(binary, left, right))
            }
            (BuiltinKind::CompareIntegers(predicate), [left, right]) => {
                integers(left, right, |left, right| Outcome::Value(SymbolicValue::bit(holds(predicate, left, right))))
            }
            (BuiltinKind::WithOverflow(overflow), [left, right, SymbolicValue::Integer(reports)]) => {
                integers(left, right, |left, right| with_overflow(overflow, left, right, *reports))
            }
            (BuiltinKind::WithOverflow(_), [_, _, _]) => Outcome::Invalid,
            _ => Outcome::Unsupported,
        };
        match outcome {
            Outcome::Value(value) => Ok(value),
            Outcome::Invalid => Err(self.unknown(body, id, UnknownReason::InvalidOperandValue)),
            Outcome::Overflow => Err(self.unknown(body, id, UnknownReason::Overflow)),
            Outcome::Unsupported => Err(self.unsupported(body, id)),
        }
    }

    /// Evaluates a conversion that also returns whether the number fits. The result is unknown if it does not.
    fn checked_conversion(
        &self,
        named: NamedBuiltin,
        operation: &BuiltinOperation,
        operand: &SymbolicValue,
    ) -> Outcome {
        let (from, to) = match named {
            NamedBuiltin::SToSCheckedTrunc => (Sign::Signed, Sign::Signed),
            NamedBuiltin::SToUCheckedTrunc => (Sign::Signed, Sign::Unsigned),
            NamedBuiltin::UToSCheckedTrunc => (Sign::Unsigned, Sign::Signed),
            NamedBuiltin::UToUCheckedTrunc => (Sign::Unsigned, Sign::Unsigned),
            _ => return Outcome::Unsupported,
        };
        let SymbolicValue::Integer(integer) = operand else { return Outcome::Invalid };
        let target = operation.types.get(1).map(|ty| self.queries.context.ty(Type::Builtin(*ty)));
        let Some(width) = target.and_then(|target| self.width(target)) else { return Outcome::Unsupported };
        let result = Integer::new(integer.signed(), width);
        let fits = match (from, to) {
            (Sign::Signed, Sign::Signed) => result.signed() == integer.signed(),
            (Sign::Signed, Sign::Unsigned) => u128::try_from(integer.signed()) == Ok(result.unsigned()),
            (Sign::Unsigned, Sign::Unsigned) => integer.unsigned() == result.unsigned(),
            (Sign::Unsigned, Sign::Signed) => u128::try_from(result.signed()) == Ok(integer.unsigned()),
        };
        match fits {
            true => {
                let parts = vec![SymbolicValue::Integer(result), SymbolicValue::bit(false)];
                Outcome::Value(SymbolicValue::aggregate(parts))
            }
            false => Outcome::Overflow,
        }
    }
}

/// The result of an operation.
enum Outcome {
    Value(SymbolicValue),
    Overflow,
    /// The operation is not defined for the operands.
    Invalid,
    /// The operation is not evaluated.
    Unsupported,
}

/// Applies an operation to two integers of the same width.
fn integers(left: &SymbolicValue, right: &SymbolicValue, operation: impl Fn(Integer, Integer) -> Outcome) -> Outcome {
    match (left, right) {
        (SymbolicValue::Integer(left), SymbolicValue::Integer(right)) if left.width() == right.width() => {
            operation(*left, *right)
        }
        _ => Outcome::Invalid,
    }
}

fn converted(cast: BuiltinCast, operand: &SymbolicValue, width: Option<u32>) -> Outcome {
    use BuiltinCast::*;
    let Some(width) =
        width.filter(|_| matches!(cast, Trunc | TruncOrBitCast | ZExt | ZExtOrBitCast | SExt | SExtOrBitCast))
    else {
        return Outcome::Unsupported;
    };
    let SymbolicValue::Integer(integer) = operand else { return Outcome::Invalid };
    let value = match cast {
        ZExt | ZExtOrBitCast => integer.unsigned() as i128,
        _ => integer.signed(),
    };
    Outcome::Value(SymbolicValue::integer(value, width))
}

/// Returns whether an operation is an evaluated integer operation.
fn is_for_integers(operation: BinaryOperation) -> bool {
    use BinaryOperation::*;
    !matches!(operation, FAdd | FSub | FMul | FDiv | FRem | ExactSDiv | ExactUDiv)
}

fn computed(operation: BinaryOperation, left: Integer, right: Integer) -> Outcome {
    use BinaryOperation::*;
    let width = left.width();
    let (one, other) = (left.signed(), right.signed());
    let (high, low) = (left.unsigned(), right.unsigned());
    // Undefined behaviour has no result.
    let shift = u32::try_from(low).ok().filter(|shift| *shift < width);
    let value = match operation {
        Add => Some(one.wrapping_add(other)),
        Sub => Some(one.wrapping_sub(other)),
        Mul => Some(one.wrapping_mul(other)),
        And => Some(one & other),
        Or => Some(one | other),
        Xor => Some(one ^ other),
        Shl => shift.map(|shift| one << shift),
        AShr => shift.map(|shift| one >> shift),
        LShr => shift.map(|shift| (high >> shift) as i128),
        SDiv => one.checked_div(other),
        SRem => one.checked_rem(other),
        UDiv => high.checked_div(low).map(|value| value as i128),
        URem => high.checked_rem(low).map(|value| value as i128),
        FAdd | FSub | FMul | FDiv | FRem | ExactSDiv | ExactUDiv => return Outcome::Unsupported,
    };
    value.map_or(Outcome::Invalid, |value| Outcome::Value(SymbolicValue::integer(value, width)))
}

fn holds(predicate: IntegerPredicate, left: Integer, right: Integer) -> bool {
    match predicate {
        IntegerPredicate::Eq => left == right,
        IntegerPredicate::Ne => left != right,
        IntegerPredicate::Sle => left.signed() <= right.signed(),
        IntegerPredicate::Slt => left.signed() < right.signed(),
        IntegerPredicate::Sge => left.signed() >= right.signed(),
        IntegerPredicate::Sgt => left.signed() > right.signed(),
        IntegerPredicate::Ule => left.unsigned() <= right.unsigned(),
        IntegerPredicate::Ult => left.unsigned() < right.unsigned(),
        IntegerPredicate::Uge => left.unsigned() >= right.unsigned(),
        IntegerPredicate::Ugt => left.unsigned() > right.unsigned(),
    }
}

/// Evaluates an operation that also returns whether it overflowed. The result is unknown if the overflow is to be
/// reported.
fn with_overflow(operation: OverflowOperation, left: Integer, right: Integer, reports: Integer) -> Outcome {
    use OverflowOperation::*;
    let width = left.width();
    let (one, other) = (left.signed(), right.signed());
    let (high, low) = (left.unsigned(), right.unsigned());
    let unsigned = |value: Option<u128>| value.filter(|value| width == WIDEST || value >> width == 0);
    let signed = |value: Option<i128>| value.filter(|value| Integer::new(*value, width).signed() == *value);
    let (value, fits) = match operation {
        SAdd => (one.wrapping_add(other), signed(one.checked_add(other)).is_some()),
        SSub => (one.wrapping_sub(other), signed(one.checked_sub(other)).is_some()),
        SMul => (one.wrapping_mul(other), signed(one.checked_mul(other)).is_some()),
        UAdd => (one.wrapping_add(other), unsigned(high.checked_add(low)).is_some()),
        USub => (one.wrapping_sub(other), unsigned(high.checked_sub(low)).is_some()),
        UMul => (one.wrapping_mul(other), unsigned(high.checked_mul(low)).is_some()),
    };
    if !fits && !reports.is_zero() {
        return Outcome::Overflow;
    }
    Outcome::Value(SymbolicValue::aggregate(vec![SymbolicValue::integer(value, width), SymbolicValue::bit(!fits)]))
}
