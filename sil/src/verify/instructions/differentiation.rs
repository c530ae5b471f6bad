//! Automatic differentiation: functions with derivatives, and what is taken out of them.

use super::{Checker, Rules};
use crate::context::{Differentiability, Type};
use crate::instructions::families::Differentiation;

/// The rules of each instruction of the family; none where the table says it all.
pub(super) fn rules(opcode: Differentiation) -> Option<Rules> {
    use Differentiation::*;
    let rules: Rules = match opcode {
        DifferentiableFunction | LinearFunction => bundle,
        DifferentiableFunctionExtract => |checker| {
            extract(checker, |kind| kind != Differentiability::Linear, "a `@differentiable(reverse)` function");
        },
        LinearFunctionExtract => |checker| {
            extract(checker, |kind| kind == Differentiability::Linear, "a `@differentiable(_linear)` function");
        },
        DifferentiabilityWitnessFunction => return None,
    };
    Some(rules)
}

/// All parts are functions that are not differentiable themselves.
fn bundle(checker: &mut Checker<'_, '_>) {
    for operand in 0..checker.operands.len() {
        let fits = match checker.operand(operand) {
            Type::Function(function) => function.differentiability.is_none(),
            _ => false,
        };
        checker.require_operand(operand, fits, "a function that is not `@differentiable` itself");
    }
}

fn extract(checker: &mut Checker<'_, '_>, fits: impl Fn(Differentiability) -> bool, what: &str) {
    if !checker.takes(1) || !checker.object(0) {
        return;
    }
    let fits = match checker.operand(0) {
        Type::Function(function) => function.differentiability.is_some_and(fits),
        _ => false,
    };
    checker.require_operand(0, fits, what);
}
