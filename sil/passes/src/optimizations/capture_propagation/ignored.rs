//! Finds closure functions that only forward their arguments, without the captured ones, to another function. Such a
//! closure captures nothing of relevance.

use sil_analysis::InstructionEffects;
use sil_ir::context::{Name, Representation, SubstitutionMapId, Type, TypeId};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{self, Unary};
use sil_ir::model::{BlockId, Body, Function, FunctionId, InstructionId, Value};

use super::Closure;
use crate::optimizations::generic_specialization::Specialization;
use crate::pass::Environment;

/// The function that replaces a closure.
pub(super) struct Forwarded {
    /// The name of the function.
    pub(super) name: Name,
    pub(super) ty: TypeId,
    /// The specialised function, and the function it is specialised from, if the module does not contain it yet.
    pub(super) made: Option<(FunctionId, Function)>,
}

/// Returns the function that the closure's function forwards its uncaptured arguments to, if it does nothing else. A
/// generic function is specialised.
///
/// Captures must be trivial, since nothing would release them otherwise.
pub(super) fn forwarded_to(environment: Environment<'_>, closure: &Closure<'_>) -> Option<Forwarded> {
    let Closure { function, body, .. } = *closure;
    let queries = environment.queries;
    let (passed, captured) = body.blocks[body.entry()].arguments.split_at(closure.left_open());
    let is_trivial = |value: &Value| {
        let ty = body.ty(*value);
        !ty.is_address() && queries.properties(ty.ty, function.signature).is_trivial()
    };
    if !captured.iter().all(is_trivial) {
        return None;
    }
    let effects = InstructionEffects::new(environment.module, queries);
    let terminator = body.terminator(body.entry());
    let mut call = None;
    for id in body.instructions_in(body.entry()) {
        match body.instructions[id].opcode {
            Opcode::Apply | Opcode::TryApply if call.is_some() => return None,
            Opcode::Apply => call = Some(id),
            Opcode::TryApply => {
                let view = views::TryApply::of(body, id);
                let passes_on = |block| passes_its_argument_on(effects, body, block);
                if !passes_on(view.normal) || !passes_on(view.error) {
                    return None;
                }
                call = Some(id);
            }
            Opcode::Return if call.is_some_and(|call| body.result(call) == returned(body, id)) => {}
            _ if Some(id) == terminator || effects.may_have_side_effects(body, id) => return None,
            _ => {}
        }
    }
    let (id, substitutions) = called(environment, body, call?, passed)?;
    let callee = &environment.module.functions[id];
    let is_thin = match queries.get(callee.ty) {
        Type::Function(function) => function.representation == Representation::Thin,
        _ => false,
    };
    if !is_thin {
        return None;
    }
    if substitutions == SubstitutionMapId::EMPTY {
        return Some(Forwarded { name: callee.name, ty: callee.ty, made: None });
    }
    specialized(environment, closure, id, substitutions)
}

/// Specialises a generic function for the types of a closure. The specialised function takes its values with the
/// closure's conventions.
fn specialized(
    environment: Environment<'_>,
    closure: &Closure<'_>,
    callee: FunctionId,
    substitutions: SubstitutionMapId,
) -> Option<Forwarded> {
    let Environment { module, queries, .. } = environment;
    let substitutions = queries.substitute_map(substitutions, closure.substitutions);
    let function = &module.functions[callee];
    let specialization = Specialization::keeping_values(module, environment.into(), function, substitutions)?;
    let (name, ty) = (specialization.name, specialization.ty());
    if !specialization.fits(module, queries) {
        return None;
    }
    if module.function_named(name).is_some() {
        return Some(Forwarded { name, ty, made: None });
    }
    Some(Forwarded { name, ty, made: Some((callee, specialization.function(module, queries)?)) })
}

fn returned(body: &Body, id: InstructionId) -> Option<Value> {
    Some(Unary::get(body, id)?.operand)
}

/// Returns whether a block only returns or throws its argument.
fn passes_its_argument_on(effects: InstructionEffects<'_>, body: &Body, block: BlockId) -> bool {
    let Some(terminator) = body.terminator(block) else { return false };
    let leaves = matches!(body.instructions[terminator].opcode, Opcode::Return | Opcode::Throw);
    let has_effect = |id| id != terminator && effects.may_have_side_effects(body, id);
    leaves
        && body.blocks[block].arguments.len() == 1
        && returned(body, terminator) == body.blocks[block].arguments.first().copied()
        && !body.instructions_in(block).any(has_effect)
}

/// The callee of `call` and its substitutions, if exactly `passed` is passed.
fn called(
    environment: Environment<'_>,
    body: &Body,
    call: InstructionId,
    passed: &[Value],
) -> Option<(FunctionId, SubstitutionMapId)> {
    let (callee, arguments, apply) = match views::Apply::get(body, call) {
        Some(view) => (view.callee, view.arguments, view.apply),
        None => {
            let view = views::TryApply::get(body, call)?;
            (view.callee, view.arguments, view.apply)
        }
    };
    if arguments != passed {
        return None;
    }
    let name = views::FunctionRef::get(body, body.defining(callee)?)?.function;
    Some((environment.module.function_named(name)?, apply.substitutions))
}
