//! Automatic differentiation: functions with derivatives, and the extraction of these.

use sil_ir::context::{Differentiability, Type};
use sil_ir::instructions::families::Differentiation;
use sil_ir::model::views::{self, DifferentiableFunctionExtract};

use super::{Checker, Rules};

/// The rules of each instruction of the family; none if the table has all.
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
    let views::DifferentiableFunction { original, derivatives, .. } = checker.view();
    for operand in std::iter::once(original).chain(derivatives) {
        if !checker.object(operand) {
            continue;
        }
        let fits = match checker.operand(operand) {
            Type::Function(function) => function.differentiability.is_none(),
            _ => false,
        };
        checker.require_operand(operand, fits, "a function that is not `@differentiable` itself");
    }
}

fn extract(checker: &mut Checker<'_, '_>, fits: impl Fn(Differentiability) -> bool, what: &str) {
    let DifferentiableFunctionExtract { operand, .. } = checker.view();
    if !checker.object(operand) {
        return;
    }
    let fits = match checker.operand(operand) {
        Type::Function(function) => function.differentiability.is_some_and(fits),
        _ => false,
    };
    checker.require_operand(operand, fits, what);
}
