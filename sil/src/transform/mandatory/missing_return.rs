//! Missing returns: the end of a function that must return something, or must never return, is reached
//! (lib/SILOptimizer/Mandatory/DataflowDiagnostics.cpp).
//!
//! Runs after what follows calls that never return is gone. Does not own: assertions at compile time.

use crate::context::{Representation, Type};
use crate::diagnostic::Diagnostic;
use crate::instructions::{Attribute, Opcode};
use crate::model::{FunctionFlag, InstructionId, LocationKind, Value};
use crate::symbols::{Accessor, Entity, EntityKind, EntityPlace, Symbol};
use crate::transform::knowledge::never_returning::NeverReturning;
use crate::transform::messages::findings::{error_at, source_place};
use crate::transform::messages::type_names::type_name;
use crate::transform::pipeline::{Environment, Rewrite};

/// The kind of these findings.
pub(in crate::transform) const CODE: &str = "missing-return";

/// Says where the end of a function is reached without a result.
pub(in crate::transform) fn diagnose(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body, analyses, .. } = environment;
    let never = NeverReturning::new(environment);
    let is_called = |value: &Value| !never.is_uninhabited(body.ty(*value).ty);
    let arguments = &body.blocks.get(body.entry()).map(|entry| entry.arguments.as_slice()).unwrap_or_default();
    let parameters = arguments.len() - usize::from(is_method(environment) && !arguments.is_empty());
    if body.blocks.is_empty()
        || function.has(FunctionFlag::Canonical)
        || function.has(FunctionFlag::Transparent)
        || !arguments[..parameters].iter().all(is_called)
    {
        return Ok(None);
    }
    let ends = analyses.cfg(body).reverse_post_order().iter().filter_map(|block| body.terminator(*block));
    let ends: Vec<InstructionId> = ends.filter(|end| is_end_of_source(environment, *end)).collect();
    let diagnostics = ends.into_iter().filter_map(|end| Some(error_at(body, end, CODE, message(environment, end)?)));
    let diagnostics = diagnostics.collect();
    Ok(Rewrite::diagnostics_alone(function, body, diagnostics))
}

/// Whether the last argument is what a method is called of.
fn is_method(environment: Environment<'_>) -> bool {
    match environment.queries.get(environment.function.ty) {
        Type::Function(function) => {
            matches!(function.representation, Representation::Method | Representation::WitnessMethod(_))
        }
        _ => false,
    }
}

/// Whether an instruction stands for the end of what people wrote, where control must not come.
fn is_end_of_source(environment: Environment<'_>, end: InstructionId) -> bool {
    let body = environment.body;
    let instruction = &body.instructions[end];
    let is_written = instruction.location.is_some_and(|location| !location.automatic && location.place.is_some());
    let is_artificial = instruction.traits.kind == LocationKind::ArtificialUnreachable;
    if instruction.opcode != Opcode::Unreachable || !is_written || is_artificial {
        return false;
    }
    let never = NeverReturning::new(environment);
    let is_ended = |id: InstructionId| {
        let made = &body.instructions[id];
        let is_same_place = made.location.is_some_and(|location| location.place == source_place(body, end));
        never.is(id) || made.opcode == Opcode::Apply && is_same_place
    };
    let predecessors = environment.analyses.cfg(body).predecessors(instruction.block).iter();
    let mut calls = predecessors.filter_map(|block| body.terminator(*block));
    // The ways on which a call throws that cannot throw: nothing handles what it would throw. What was there for the call may end there.
    let ends_call = |id: InstructionId| match body.instructions[id].opcode {
        Opcode::EndBorrow | Opcode::EndAccess | Opcode::EndCowMutationAddr | Opcode::DeallocStack => true,
        Opcode::DestroyValue | Opcode::DeallocBox => {
            let is_error = body.blocks[instruction.block].arguments.contains(&body.operands(id)[0]);
            !is_error || body.instructions[id].attributes.contains(Attribute::DeadEnd)
        }
        _ => false,
    };
    let is_bare = body.instructions_in(instruction.block).all(|id| id == end || ends_call(id));
    let is_thrown = |call: InstructionId| {
        let is_handler = body.targets(call).get(1) == Some(&instruction.block);
        is_bare && is_handler && body.instructions[call].opcode == Opcode::TryApply
    };
    !body.instructions_in(instruction.block).any(is_ended) && !calls.any(|call| never.is_call(call) || is_thrown(call))
}

fn message(environment: Environment<'_>, end: InstructionId) -> Option<String> {
    let Environment { module, queries, function, body, .. } = environment;
    let place = source_place(body, end)?;
    // A `guard` has code behind it.
    let is_behind = |id: InstructionId| {
        let location = body.instructions[id].location.filter(|location| !location.automatic);
        let found = location.and_then(|location| location.place);
        found.is_some_and(|found| found.file == place.file && (found.line, found.column) > (place.line, place.column))
    };
    if body.placed_instructions().any(is_behind) {
        return Some(
            "'guard' body must not fall through, consider using a 'return' or 'throw' to exit the scope".into(),
        );
    }
    let entity = Symbol::demangle(module.context.text(function.name))?.entity()?;
    let Type::Function(ty) = queries.get(function.ty) else { return None };
    let names: Vec<String> =
        ty.results.iter().map(|result| type_name(queries, result.ty, function.signature)).collect();
    let name = match names.as_slice() {
        [name] => name.clone(),
        names => format!("({})", names.join(", ")),
    };
    let never = NeverReturning::new(environment);
    let kind = kind(environment, &entity)?;
    Some(match ty.results.iter().any(|result| never.is_uninhabited(result.ty)) {
        true => format!(
            "{kind} with uninhabited return type '{name}' is missing call to another never-returning function on all paths"
        ),
        false => format!("missing return in {kind} expected to return '{name}'"),
    })
}

/// What Swift calls a declaration.
fn kind(environment: Environment<'_>, entity: &Entity) -> Option<String> {
    let Environment { module, function, .. } = environment;
    let entries = || module.vtables.iter().flat_map(|table| &table.entries);
    let prefix = match entity.is_static {
        // Those that subclasses cannot replace are in no table.
        true if entries().any(|entry| entry.function == function.name) => "class ",
        true => "static ",
        false => "",
    };
    let accessor = |accessor| match accessor {
        Accessor::Getter => Some("getter"),
        Accessor::Setter => Some("setter"),
        _ => None,
    };
    Some(match (entity.kind, entity.place) {
        (EntityKind::Closure | EntityKind::ImplicitClosure, _) => "closure".into(),
        (EntityKind::Operator, _) => "operator function".into(),
        (EntityKind::Function, EntityPlace::Module) => "global function".into(),
        (EntityKind::Function, EntityPlace::Local) => "local function".into(),
        (EntityKind::Function, EntityPlace::Type) if entity.is_static => format!("{prefix}method"),
        (EntityKind::Function, EntityPlace::Type) => "instance method".into(),
        (EntityKind::Initializer, _) => "initializer".into(),
        (EntityKind::Deinitializer, _) => "deinitializer".into(),
        (EntityKind::SubscriptAccessor(found), _) => format!("{} for {prefix}subscript", accessor(found)?),
        (EntityKind::PropertyAccessor(found), EntityPlace::Type) => {
            format!("{} for {prefix}property", accessor(found)?)
        }
        (EntityKind::PropertyAccessor(found), _) => format!("{} for var", accessor(found)?),
    })
}
