//! The results of integer operations of builtin types that cannot fail.

use sil_ir::context::BuiltinType;
use sil_ir::instructions::builtins::{BinaryOperation, BuiltinCast, BuiltinKind, IntegerPredicate, Intrinsic};

/// The greatest width of evaluated numbers; wider ones are computed at run time.
pub(crate) const WIDEST: u32 = 128;

/// Returns the lowest bits of a number, sign-extended.
pub(crate) fn truncated(value: i128, width: u32) -> i128 {
    let shift = 128 - width;
    value << shift >> shift
}

/// Returns the result of an operation on integers of builtin types, truncated to the width of the result.
pub(crate) fn evaluated(kind: BuiltinKind, types: &[BuiltinType], literals: &[i128]) -> Option<i128> {
    let width = |index: usize| match types.get(index) {
        Some(BuiltinType::Integer(width)) if *width <= WIDEST => Some(*width),
        _ => None,
    };
    Some(match (kind, literals) {
        (BuiltinKind::Intrinsic(Intrinsic::Expect), [value, _]) => *value,
        (BuiltinKind::Cast(cast), [value]) => {
            let (from, to) = (width(0)?, width(1)?);
            match cast {
                BuiltinCast::Trunc | BuiltinCast::TruncOrBitCast if to <= from => *value,
                BuiltinCast::SExt | BuiltinCast::SExtOrBitCast if to >= from => truncated(*value, from),
                BuiltinCast::ZExt | BuiltinCast::ZExtOrBitCast if to >= from => unsigned(*value, from) as i128,
                _ => return None,
            }
        }
        (BuiltinKind::Binary(operation), [one, other]) => match operation {
            BinaryOperation::And => one & other,
            BinaryOperation::Or => one | other,
            BinaryOperation::Xor => one ^ other,
            _ => return None,
        },
        (BuiltinKind::CompareIntegers(predicate), [one, other]) => {
            -i128::from(holds(predicate, *one, *other, width(0)?))
        }
        _ => return None,
    })
}

fn holds(predicate: IntegerPredicate, one: i128, other: i128, width: u32) -> bool {
    let (one, other) = (truncated(one, width), truncated(other, width));
    let (high, low) = (unsigned(one, width), unsigned(other, width));
    match predicate {
        IntegerPredicate::Eq => one == other,
        IntegerPredicate::Ne => one != other,
        IntegerPredicate::Sle => one <= other,
        IntegerPredicate::Slt => one < other,
        IntegerPredicate::Sge => one >= other,
        IntegerPredicate::Sgt => one > other,
        IntegerPredicate::Ule => high <= low,
        IntegerPredicate::Ult => high < low,
        IntegerPredicate::Uge => high >= low,
        IntegerPredicate::Ugt => high > low,
    }
}

/// Returns the lowest bits of a number, zero-extended.
pub(crate) fn unsigned(value: i128, width: u32) -> u128 {
    let shift = 128 - width;
    (value as u128) << shift >> shift
}
