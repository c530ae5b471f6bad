//! Key paths that closures capture: decides whether they are constant, ends the lifetime of the copy in the specialised
//! function, and removes the original.

use sil_analysis::{ApplySite, Uses, named_archetypes, opening};
use sil_ir::context::{ParameterConvention, SubstitutionMapId};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{KeyPathPattern, Unary};
use sil_ir::model::{Body, FunctionFlag, InstructionId, KeyPath, LocationKind, Place, Value};
use sil_ir::symbols::ParameterChange;
use sil_ir::types::{ArgumentConvention, TypeQueries};

use super::Closure;
use crate::InstructionBuilder;
use crate::editing::specialized_names::key_path_change;
use crate::knowledge::key_path_functions::KeyPathFunction;
use crate::pass::Environment;

/// The mangling of the constant key path `value`, or `None` if it is not constant: it captures indices or is generic.
pub(super) fn constant(queries: &TypeQueries<'_>, body: &Body, value: Value) -> Option<ParameterChange> {
    let pattern = pattern(body, value)?;
    let target = pattern.components.last().map_or(pattern.root, |component| component.ty);
    key_path_change(queries, &pattern.components, [pattern.root, target])
}

/// The pattern of the key path `value`, looking through upcasts and opened existentials.
fn pattern(body: &Body, mut value: Value) -> Option<&KeyPath> {
    for conversion in [Opcode::Upcast, Opcode::OpenExistentialRef] {
        let id = body.defining(value)?;
        if body.instructions[id].opcode == conversion {
            value = Unary::of(body, id).operand;
        }
    }
    let KeyPathPattern { captures, pattern } = KeyPathPattern::get(body, body.defining(value)?)?;
    (captures.is_empty() && pattern.substitutions == SubstitutionMapId::EMPTY).then_some(pattern)
}

/// Returns whether the closure `id` only borrows its operand `operand`. The specialised function then has to end the
/// lifetime of its copy.
pub(super) fn is_borrowed(queries: &TypeQueries<'_>, body: &Body, id: InstructionId, operand: usize) -> bool {
    let convention = || {
        let site = ApplySite::new(body, id)?;
        Some(site.argument_of_operand(site.conventions(queries)?, operand)?.convention)
    };
    convention() == Some(ArgumentConvention::Parameter(ParameterConvention::Guaranteed))
}

/// Returns whether the closure's function reads or writes through a captured key path.
pub(super) fn are_applied(environment: Environment<'_>, closure: &Closure<'_>) -> bool {
    let body = closure.body;
    let parameters = &body.blocks[body.entry()].arguments;
    let accessed = |id: InstructionId| {
        let site = ApplySite::new(body, id).filter(|site| site.kind.is_full())?;
        let function = KeyPathFunction::named(environment.module.context.text(site.called_function()?))?;
        function.value.and_then(|_| site.arguments().get(function.key_path).copied())
    };
    body.placed_instructions().any(|id| accessed(id).is_some_and(|value| parameters.contains(&value)))
}

/// Ends the lifetime of `copy`, a key path that replaced a borrowed parameter, at all exits of `body`.
pub(super) fn end_copy(closure: &Closure<'_>, body: &mut Body, copy: Value) {
    let opcode = match closure.function.has(FunctionFlag::Ossa) {
        true => Opcode::DestroyValue,
        false => Opcode::StrongRelease,
    };
    let ends = body.blocks.keys().filter_map(|block| body.terminator(block));
    let exits: Vec<InstructionId> = ends.filter(|end| body.instructions[*end].opcode.leaves_function()).collect();
    for end in exits {
        let mut builder = InstructionBuilder::new(body, Place::Before(end), end);
        builder.set_location_kind(LocationKind::Cleanup);
        builder.effect(opcode, copy);
    }
}

/// Removes a dead key path with its conversions.
pub(super) fn remove(queries: &TypeQueries<'_>, body: &mut Body, mut value: Value) {
    let uses = Uses::new(body);
    let mut gone = Vec::new();
    while let Some(id) = body.defining(value) {
        let is_used = uses.of(value).iter().any(|found| !gone.contains(&found.user));
        if is_used || is_named(queries, body, id, &gone) {
            break;
        }
        gone.push(id);
        match body.instructions[id].opcode {
            Opcode::Upcast | Opcode::OpenExistentialRef => value = Unary::of(body, id).operand,
            _ => break,
        }
    }
    gone.into_iter().for_each(|id| body.erase(id));
}

/// Returns whether an instruction outside of `gone` refers to the archetype that `id` opens.
fn is_named(queries: &TypeQueries<'_>, body: &Body, id: InstructionId, gone: &[InstructionId]) -> bool {
    let Some((uuid, _)) = opening(queries, body, id) else { return false };
    let mut others = body.placed_instructions().filter(|other| *other != id && !gone.contains(other));
    others.any(|other| named_archetypes(queries, body, other).contains(&uuid))
}

/// Returns whether a value is a constant key path.
pub(super) fn is_constant(body: &Body, value: Value) -> bool {
    pattern(body, value).is_some()
}
