//! Builtins: the operand and result types of those whose name carries a type (include/swift/AST/Builtins.def).

use super::Checker;
use crate::model::Details;
use crate::types::{BuiltinType, SilType, Type};

pub(super) fn verify(checker: &mut Checker<'_, '_>) {
    let Details::Builtin(builtin) = &checker.instruction.details else { return };
    let name = checker.queries().context.text(builtin.name);
    let Some((operation, suffix)) = name.rsplit_once('_') else { return };
    let Some(width) = suffix.strip_prefix("Int").and_then(|width| width.parse::<u32>().ok()) else { return };
    match shape(operation) {
        Shape::Binary => {
            let result = BuiltinType::Integer(width);
            integers(checker, 2, BuiltinType::Integer(width), result);
        }
        Shape::Comparison => integers(checker, 2, BuiltinType::Integer(width), BuiltinType::Integer(1)),
        Shape::Other => {}
    }
}

enum Shape {
    /// Two operands and a result of the type in the name.
    Binary,
    /// Two operands of the type in the name, and a bit.
    Comparison,
    /// Rules of its own.
    Other,
}

fn shape(operation: &str) -> Shape {
    match operation {
        "add" | "sub" | "mul" | "and" | "or" | "xor" | "shl" | "lshr" | "ashr" | "sdiv" | "udiv" | "srem" | "urem" | "sdiv_exact"
        | "udiv_exact" => Shape::Binary,
        "cmp_eq" | "cmp_ne" | "cmp_slt" | "cmp_sle" | "cmp_sgt" | "cmp_sge" | "cmp_ult" | "cmp_ule" | "cmp_ugt" | "cmp_uge" => {
            Shape::Comparison
        }
        _ => Shape::Other,
    }
}

fn integers(checker: &mut Checker<'_, '_>, count: usize, operand: BuiltinType, result: BuiltinType) {
    if !checker.takes(count) {
        return;
    }
    for index in 0..count {
        super::memory::expect_builtin(checker, index, operand);
    }
    let ty = checker.queries().context.ty(Type::Builtin(result));
    checker.expect_result(SilType::object(ty));
}
