//! Debug variables: a slot of a function's arguments belongs to one variable, and expressions end with the fragment
//! that they describe (docs/HowToUpdateDebugInfo.md).

use rustc_hash::FxHashMap;
use sil_ir::context::{Name, SilType, Type};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::{DebugOperator, DebugVariable, Details, Instruction, InstructionId};
use sil_ir::source::Span;

use super::checker::FunctionVerifier;

/// The variable of an argument.
struct Slot {
    name: Name,
    ty: SilType,
    span: Span,
}

/// Checks the variables of a function.
pub(super) fn verify(verifier: &mut FunctionVerifier<'_>) {
    let body = verifier.body;
    let mut slots: FxHashMap<u32, Slot> = FxHashMap::default();
    for block in body.blocks.keys() {
        for id in body.instructions_in(block) {
            let instruction = &body.instructions[id];
            let Details::Variable(variable) = &instruction.details else { continue };
            expression(verifier, instruction, variable);
            let Some(found) = described(verifier, id) else { continue };
            let ty = variable.ty.unwrap_or(SilType::object(found.ty));
            whole(verifier, instruction, variable, ty, found);
            if is_own(verifier, instruction) {
                argument(verifier, instruction, variable, ty, &mut slots);
            }
        }
    }
}

/// The type of the subject of an instruction.
fn described(verifier: &FunctionVerifier<'_>, id: InstructionId) -> Option<SilType> {
    let body = verifier.body;
    match body.instructions[id].opcode {
        Opcode::DebugValue => body.operands(id).first().map(|value| body.ty(*value)),
        Opcode::AllocStack | Opcode::AllocBox => body.result(id).map(|value| body.ty(value)),
        _ => None,
    }
}

/// Whether an instruction is known not to come from an inlined function: text without scopes does not show it.
fn is_own(verifier: &FunctionVerifier<'_>, instruction: &Instruction) -> bool {
    let scope = instruction.location.and_then(|location| location.scope);
    scope.is_some_and(|scope| verifier.module.scopes[scope].inlined_at.is_none())
}

/// Nothing follows the fragment in an expression.
fn expression(verifier: &mut FunctionVerifier<'_>, instruction: &Instruction, variable: &DebugVariable) {
    let is_fragment =
        |operator: &DebugOperator| matches!(operator, DebugOperator::Fragment(_) | DebugOperator::TupleFragment(..));
    let first = variable.expression.iter().position(is_fragment);
    let ends = first.is_none_or(|first| variable.expression[first..].iter().all(is_fragment));
    if !ends {
        verifier.fail(
            "debug-expression",
            instruction.span,
            "only fragments may follow a fragment in a debug expression",
        );
    }
}

/// Without an expression, a variable has the type of the described value.
fn whole(
    verifier: &mut FunctionVerifier<'_>,
    instruction: &Instruction,
    variable: &DebugVariable,
    ty: SilType,
    found: SilType,
) {
    let boxed = matches!(verifier.queries.get(found.ty), Type::Box(_));
    let without_wrapper = |ty: SilType| match verifier.queries.get(ty.ty) {
        Type::MoveOnlyWrapper(inner) => SilType::object(*inner),
        _ => SilType::object(ty.ty),
    };
    if variable.expression.is_empty()
        && variable.ty.is_some()
        && !boxed
        && !verifier.same(without_wrapper(ty), without_wrapper(found))
    {
        let (ty, found) = (verifier.show(ty), verifier.show(SilType::object(found.ty)));
        let message =
            format!("a variable of type `{ty}` cannot be described by a value of type `{found}` without an expression");
        verifier.fail("debug-type", instruction.span, message);
    }
}

/// An argument's slot belongs to one variable of the function.
fn argument(
    verifier: &mut FunctionVerifier<'_>,
    instruction: &Instruction,
    variable: &DebugVariable,
    ty: SilType,
    slots: &mut FxHashMap<u32, Slot>,
) {
    let Some(number) = variable.argument.filter(|number| *number != 0) else { return };
    let Some(name) = variable.name else {
        verifier.fail("debug-argument", instruction.span, "a variable that is an argument needs a name");
        return;
    };
    let Some(slot) = slots.get(&number) else {
        slots.insert(number, Slot { name, ty, span: instruction.span });
        return;
    };
    let span = Some(slot.span);
    let message = if slot.name != name {
        let context = &verifier.module.context;
        format!("argument {number} is the variable `{}`, not `{}`", context.text(slot.name), context.text(name))
    } else if !verifier.same(SilType::object(slot.ty.ty), SilType::object(ty.ty)) {
        let (expected, found) = (verifier.show(slot.ty), verifier.show(ty));
        format!("the variable of argument {number} has type `{expected}`, not `{found}`")
    } else {
        return;
    };
    let diagnostic = Diagnostic::error("debug-argument", message, instruction.span);
    verifier.report(diagnostic.note("the variable is described here", span));
}
