//! The results of builtin operations on known operands, and the errors that they are diagnosed with
//! (lib/SILOptimizer/Utils/ConstantFolding.cpp).

use sil_ir::context::BuiltinType;
use sil_ir::instructions::builtins::{
    BinaryOperation, BuiltinCast, BuiltinKind, BuiltinOperation, FloatPredicate, Intrinsic, NamedBuiltin,
    OverflowOperation, UnaryOperation,
};

use super::constants::Known;
use crate::knowledge::floats::{Float, Precision};
use crate::knowledge::numbers::{WIDEST, evaluated, truncated, unsigned};

/// An error in an operation with known operands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    /// The result of `left operator right` overflows its type.
    Arithmetic {
        left: i128,
        operator: char,
        right: i128,
        sign: Sign,
        width: u32,
    },
    /// A literal does not fit its type.
    Literal {
        value: i128,
        sign: Sign,
        width: u32,
    },
    /// A number does not fit the type that it is converted to.
    Conversion {
        from: (Sign, u32),
        to: (Sign, u32),
    },
    DivisionByZero,
    Division {
        left: i128,
        operator: char,
        right: i128,
    },
    /// A number is shifted by its whole width or more.
    Shift,
    /// A value that must not be negative is.
    Negative(i128),
    /// A literal is not exact in the floating-point type; `becomes` is the nearest number.
    Inexact {
        value: i128,
        becomes: i128,
    },
    /// A literal is greater than all numbers of the floating-point type.
    TooGreat(i128),
    /// A floating-point literal is greater than all numbers of its type.
    Overflow(Float),
    /// A floating-point literal is too small for the full precision of its type.
    Underflow(Float),
    /// A floating-point number does not fit the integer type that it is converted to.
    FloatConversion {
        value: Float,
        sign: Sign,
        width: u32,
    },
}

impl Fault {
    /// Returns whether Swift's operators check for the error and trap, so that no code after them runs.
    pub(crate) fn traps(&self) -> bool {
        matches!(self, Fault::DivisionByZero | Fault::Division { .. })
    }
}

/// Whether numbers are signed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sign {
    Signed,
    Unsigned,
}

impl Sign {
    /// Returns the number that the lowest bits of `value` represent.
    fn read(self, value: i128, width: u32) -> i128 {
        match self {
            Sign::Signed => truncated(value, width),
            Sign::Unsigned => unsigned(value, width) as i128,
        }
    }
}

/// The greatest width of numbers whose arithmetic is exact.
const EXACT: u32 = 64;

/// Returns the result of an operation, or `None` if it is not known.
pub(crate) fn computed(
    operation: &BuiltinOperation,
    arguments: &[Option<Known>],
    faults: &mut Vec<Fault>,
) -> Option<Known> {
    let number = |index: usize| arguments.get(index)?.as_ref()?.integer();
    let width = |index: usize| width(operation, index);
    match operation.kind {
        BuiltinKind::WithOverflow(kind) => {
            let width = width(0).filter(|width| *width <= EXACT)?;
            let is_reported = number(2).is_some_and(|flag| flag != 0);
            with_overflow(kind, number(0)?, number(1)?, width, is_reported, faults)
        }
        BuiltinKind::Unary(UnaryOperation::AssumeNonNegative) => {
            let value = number(0)?;
            if value < 0 {
                faults.push(Fault::Negative(value));
                return None;
            }
            Some(Known::Integer(value))
        }
        BuiltinKind::Named(NamedBuiltin::IntToFPWithOverflow) => {
            let BuiltinType::Float(width) = operation.types.get(1)? else { return None };
            let value = number(0)?;
            faults.extend(inexact(value, *width));
            let (float, precision) = Float::of_integer(value, *width)?;
            (precision != Precision::Overflow).then_some(Known::Float(float))
        }
        BuiltinKind::Named(named) => {
            let (from, to) = match named {
                NamedBuiltin::SToSCheckedTrunc => (Sign::Signed, Sign::Signed),
                NamedBuiltin::SToUCheckedTrunc => (Sign::Signed, Sign::Unsigned),
                NamedBuiltin::UToSCheckedTrunc => (Sign::Unsigned, Sign::Signed),
                NamedBuiltin::UToUCheckedTrunc => (Sign::Unsigned, Sign::Unsigned),
                _ => return None,
            };
            let (value, target) = (number(0)?, width(1).filter(|width| *width <= EXACT)?);
            let source = match operation.types.first()? {
                BuiltinType::IntegerLiteral => None,
                _ => Some(width(0).filter(|width| *width <= EXACT)?),
            };
            let value = source.map_or(value, |width| from.read(value, width));
            if to.read(value, target) != value {
                faults.push(match source {
                    None => Fault::Literal { value, sign: to, width: target },
                    Some(source) => Fault::Conversion { from: (from, source), to: (to, target) },
                });
                return None;
            }
            Some(Known::Parts(vec![Some(Known::Integer(truncated(value, target))), Some(Known::Integer(0))]))
        }
        kind if arguments.iter().flatten().any(|argument| argument.float().is_some()) => {
            of_floats(kind, &operation.types, arguments, faults)
        }
        BuiltinKind::Binary(kind) => binary(kind, number(0), number(1)?, width(0)?, faults).map(Known::Integer),
        BuiltinKind::Cast(BuiltinCast::SIToFP) => {
            let BuiltinType::Float(to) = operation.types.get(1)? else { return None };
            Float::of_integer(truncated(number(0)?, width(0)?), *to).map(|(float, _)| Known::Float(float))
        }
        BuiltinKind::Cast(BuiltinCast::BitCast) => {
            let BuiltinType::Float(to) = operation.types.get(1)? else { return None };
            let from = width(0).filter(|from| from == to)?;
            Float::new(unsigned(number(0)?, from), from).map(Known::Float)
        }
        BuiltinKind::Intrinsic(intrinsic) => of_intrinsic(intrinsic, operation, arguments, faults),
        kind => {
            let numbers: Option<Vec<i128>> = (0..arguments.len()).map(number).collect();
            let numbers = numbers.filter(|numbers| !numbers.is_empty())?;
            let result = evaluated(kind, &operation.types, &numbers)?;
            let width = match kind {
                BuiltinKind::Cast(_) => width(1)?,
                BuiltinKind::CompareIntegers(_) => 1,
                _ => width(0)?,
            };
            Some(Known::Integer(truncated(result, width)))
        }
    }
}

/// Returns the width of the integer type with this index in the name of an operation.
fn width(operation: &BuiltinOperation, index: usize) -> Option<u32> {
    match operation.types.get(index) {
        Some(BuiltinType::Integer(width)) if *width <= WIDEST => Some(*width),
        _ => None,
    }
}

/// Returns the result of an operation with at least one floating-point operand.
fn of_floats(
    kind: BuiltinKind,
    types: &[BuiltinType],
    arguments: &[Option<Known>],
    faults: &mut Vec<Fault>,
) -> Option<Known> {
    let float = |index: usize| arguments.get(index)?.as_ref()?.float();
    match kind {
        BuiltinKind::Binary(operation) => float(0)?.operated(operation, float(1)?).map(Known::Float),
        BuiltinKind::CompareFloats(predicate) => {
            let holds = match (float(0), float(1)) {
                (Some(one), Some(other)) => one.relates(predicate, other),
                // Comparisons with NaN are known.
                (Some(known), None) | (None, Some(known)) if known.is_nan() => match predicate {
                    FloatPredicate::Ord | FloatPredicate::Uno => return None,
                    predicate => known.relates(predicate, known),
                },
                _ => return None,
            };
            Some(Known::Integer(-i128::from(holds)))
        }
        BuiltinKind::Intrinsic(Intrinsic::Rint) => float(0)?.rounded_to_even().map(Known::Float),
        BuiltinKind::Cast(BuiltinCast::BitCast) => {
            let BuiltinType::Integer(width) = types.get(1)? else { return None };
            Some(Known::Integer(truncated(float(0)?.bits as i128, *width)))
        }
        BuiltinKind::Cast(BuiltinCast::FPTrunc) => {
            let BuiltinType::Float(width) = types.get(1)? else { return None };
            let literal = float(0)?;
            let (value, precision) = literal.converted(*width)?;
            if precision == Precision::Overflow {
                faults.push(Fault::Overflow(literal));
            } else if literal.loses_digits(*width) {
                faults.push(Fault::Underflow(literal));
            }
            (precision != Precision::Underflow && !value.is_subnormal()).then_some(Known::Float(value))
        }
        BuiltinKind::Cast(cast @ (BuiltinCast::FPToSI | BuiltinCast::FPToUI)) => {
            let BuiltinType::Integer(width) = types.get(1)? else { return None };
            let sign = if cast == BuiltinCast::FPToSI { Sign::Signed } else { Sign::Unsigned };
            to_integer(float(0)?, sign, *width, faults)
        }
        _ => None,
    }
}

/// Returns a floating-point number truncated to an integer.
fn to_integer(value: Float, sign: Sign, width: u32, faults: &mut Vec<Fault>) -> Option<Known> {
    let is_wrongly_negative = sign == Sign::Unsigned && value.is_negative() && !value.is_zero();
    let integer = value.integer().filter(|integer| !is_wrongly_negative && sign.read(*integer, width) == *integer);
    match integer {
        Some(integer) => Some(Known::Integer(truncated(integer, width))),
        None => {
            faults.push(Fault::FloatConversion { value, sign, width });
            None
        }
    }
}

fn of_intrinsic(
    intrinsic: Intrinsic,
    operation: &BuiltinOperation,
    arguments: &[Option<Known>],
    faults: &mut Vec<Fault>,
) -> Option<Known> {
    use OverflowOperation::*;
    let number = |index: usize| arguments.get(index)?.as_ref()?.integer();
    let width = width(operation, 0).filter(|width| *width <= EXACT)?;
    let checked = match intrinsic {
        Intrinsic::Expect => return number(0).and(number(1)).and(number(0)).map(Known::Integer),
        Intrinsic::Ctlz => {
            let zeros = unsigned(number(0)?, width).leading_zeros() - (128 - width);
            return Some(Known::Integer(zeros.into()));
        }
        Intrinsic::Cttz => {
            let zeros = unsigned(number(0)?, width).trailing_zeros().min(width);
            return Some(Known::Integer(truncated(zeros.into(), width)));
        }
        Intrinsic::SAddWithOverflow => SAdd,
        Intrinsic::UAddWithOverflow => UAdd,
        Intrinsic::SSubWithOverflow => SSub,
        Intrinsic::USubWithOverflow => USub,
        Intrinsic::SMulWithOverflow => SMul,
        Intrinsic::UMulWithOverflow => UMul,
        _ => return None,
    };
    with_overflow(checked, number(0)?, number(1)?, width, false, faults)
}

/// Returns the error of an integer literal as a floating-point number of this width.
fn inexact(value: i128, width: u32) -> Option<Fault> {
    match Float::of_integer(value, width)? {
        (_, Precision::Overflow) => Some(Fault::TooGreat(value)),
        (_, Precision::Exact) => None,
        (number, _) => Some(Fault::Inexact { value, becomes: number.integer()? }),
    }
}

fn with_overflow(
    kind: OverflowOperation,
    left: i128,
    right: i128,
    width: u32,
    is_reported: bool,
    faults: &mut Vec<Fault>,
) -> Option<Known> {
    use OverflowOperation::*;
    let sign = match kind {
        SAdd | SSub | SMul => Sign::Signed,
        UAdd | USub | UMul => Sign::Unsigned,
    };
    let (left, right) = (sign.read(left, width), sign.read(right, width));
    let (operator, result) = match kind {
        SAdd | UAdd => ('+', left.checked_add(right)),
        SSub | USub => ('-', left.checked_sub(right)),
        SMul | UMul => ('*', left.checked_mul(right)),
    };
    let fits = result.is_some_and(|result| sign.read(result, width) == result);
    if !fits && is_reported {
        faults.push(Fault::Arithmetic { left, operator, right, sign, width });
    }
    let result = Known::Integer(truncated(result?, width));
    Some(Known::Parts(vec![Some(result), Some(Known::Integer(if fits { 0 } else { -1 }))]))
}

fn binary(kind: BinaryOperation, left: Option<i128>, right: i128, width: u32, faults: &mut Vec<Fault>) -> Option<i128> {
    use BinaryOperation::*;
    let sign = match kind {
        SDiv | SRem | AShr => Sign::Signed,
        _ => Sign::Unsigned,
    };
    if width > EXACT {
        return None;
    }
    let right = sign.read(right, width);
    if matches!(kind, SDiv | SRem | UDiv | URem) && right == 0 {
        faults.push(Fault::DivisionByZero);
        return None;
    }
    let left = sign.read(left?, width);
    let distance = unsigned(right, width);
    if matches!(kind, Shl | AShr | LShr) && distance >= u128::from(width) {
        faults.push(Fault::Shift);
        return None;
    }
    let distance = distance as u32;
    let result = match kind {
        SDiv | SRem if sign.read(left / right, width) != left / right => {
            let operator = if kind == SRem { '%' } else { '/' };
            faults.push(Fault::Division { left, operator, right });
            return None;
        }
        SDiv | UDiv => left / right,
        SRem | URem => left % right,
        Add => left + right,
        Sub => left - right,
        Mul => left.wrapping_mul(right),
        And => left & right,
        Or => left | right,
        Xor => left ^ right,
        Shl => left << distance,
        AShr | LShr => left >> distance,
        _ => return None,
    };
    Some(truncated(result, width))
}
