//! Missing returns: reports that control reaches the end of a function that must return a value, or that never returns
//! (lib/SILOptimizer/Mandatory/DataflowDiagnostics.cpp).
//!
//! Runs after the removal of code after calls that never return. Does not own: compile-time assertions.

use sil_ir::context::{Representation, Type};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{IntegerLiteral, IntegerValue};
use sil_ir::model::{
    Body, Definition, Details, InstructionId, LocationKind, Module, ScopeId, ScopeParent, SourcePlace, Value,
};
use sil_ir::symbols::{Accessor, Entity, EntityKind, EntityPlace, ResultShape, Symbol};

use crate::knowledge::never_returning::NeverReturning;
use crate::messages::findings::{error_at, source_place};
use crate::messages::type_names::type_name;
use crate::pass::{Description, Environment, Gate, Gates, Pass, Rewrite, Runner};

pub(crate) const MISSING_RETURN: Pass = Pass::new(&Description {
    name: "dataflow-diagnostics",
    class_name: "EmitDFDiagnostics",
    summary: "Diagnoses functions without a return, static assertions that fail and unknown polymorphic builtins.",
    gates: Gates { canonical: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Steps(&[
        Runner::Function(diagnose),
        Runner::Function(super::static_reports::diagnose),
        Runner::Function(super::polymorphic_builtins::diagnose),
        Runner::Function(super::static_assertions::diagnose),
    ]),
});

/// The diagnostic group.
pub(crate) const CODE: &str = "missing-return";

/// Diagnoses missing returns.
pub(crate) fn diagnose(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body, analyses, .. } = environment;
    let never = NeverReturning::new(environment);
    let is_called = |value: &Value| !never.is_uninhabited(body.ty(*value).ty);
    let arguments = &body.blocks.get(body.entry()).map(|entry| entry.arguments.as_slice()).unwrap_or_default();
    let parameters = arguments.len() - usize::from(is_method(environment) && !arguments.is_empty());
    if body.blocks.is_empty() || !arguments[..parameters].iter().all(is_called) {
        return Ok(None);
    }
    let ends = analyses.cfg(body).reverse_post_order().iter().filter_map(|block| body.terminator(*block));
    let ends: Vec<InstructionId> = ends.filter(|end| is_end_of_source(environment, *end)).collect();
    let diagnostics = ends.into_iter().filter_map(|end| finding(environment, end)).collect();
    Ok(Rewrite::diagnostics_alone(function, body, diagnostics))
}

/// Returns whether the last argument is `self`.
fn is_method(environment: Environment<'_>) -> bool {
    match environment.queries.get(environment.function.ty) {
        Type::Function(function) => {
            matches!(function.representation, Representation::Method | Representation::WitnessMethod(_))
        }
        _ => false,
    }
}

/// Returns whether an instruction is the end of the source function, which control must not reach.
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
        let always_fails = || {
            let condition = body.operands(id).first().and_then(|condition| body.defining(*condition));
            let literal = condition.and_then(|condition| IntegerLiteral::get(body, condition));
            literal.is_some_and(|literal| !matches!(literal.value, IntegerValue::Narrow(0)))
        };
        never.is(id)
            || made.opcode == Opcode::Apply && is_same_place
            || made.opcode == Opcode::CondFail && always_fails()
    };
    let predecessors = environment.analyses.cfg(body).predecessors(instruction.block).iter();
    let mut calls = predecessors.filter_map(|block| body.terminator(*block));
    // The error edges of calls that cannot throw: nothing handles the error. Scopes of the call may end there.
    let ends_call = |id: InstructionId| match body.instructions[id].opcode {
        Opcode::EndBorrow | Opcode::EndAccess | Opcode::EndCowMutationAddr | Opcode::DeallocStack => true,
        // A noncopyable variable has no value there any more.
        Opcode::DebugValue => body.operands(id).iter().all(|value| body.values[*value].definition == Definition::Undef),
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

fn finding(environment: Environment<'_>, end: InstructionId) -> Option<Diagnostic> {
    let Environment { module, queries, function, body, .. } = environment;
    let place = source_place(body, end)?;
    // A `guard` is followed by code.
    let is_after = |id: InstructionId| {
        let location = body.instructions[id].location.filter(|location| !location.automatic);
        let found = location.and_then(|location| location.place);
        found.is_some_and(|found| found.file == place.file && (found.line, found.column) > (place.line, place.column))
    };
    if body.placed_instructions().any(is_after) {
        let message = "'guard' body must not fall through, consider using a 'return' or 'throw' to exit the scope";
        return Some(error_at(body, end, CODE, message));
    }
    let symbol = Symbol::demangle(module.context.text(function.name))?;
    let entity = symbol.entity()?;
    let Type::Function(ty) = queries.get(function.ty) else { return None };
    let names: Vec<String> =
        ty.results.iter().map(|result| type_name(queries, result.ty, function.signature)).collect();
    let name = symbol.shape_of_result().and_then(|shape| in_shape(&shape, &names)).unwrap_or_else(|| in_tuple(&names));
    let never = NeverReturning::new(environment);
    let kind = kind(environment, &entity)?;
    if let Some(expression) = last_expression(environment, end, &name) {
        let message = format!("missing return in {kind} expected to return '{name}'");
        return Some(error_at(body, expression, CODE, message));
    }
    let message = match ty.results.iter().any(|result| never.is_uninhabited(result.ty)) {
        true => format!(
            "{kind} with uninhabited return type '{name}' is missing call to another never-returning function on all paths"
        ),
        false => format!("missing return in {kind} expected to return '{name}'"),
    };
    Some(error_at(body, end, CODE, message))
}

/// The text for the result of a function; `names` are its lowered results.
fn in_tuple(names: &[String]) -> String {
    match names {
        [name] => name.clone(),
        names => format!("({})", names.join(", ")),
    }
}

/// The same where it is known how tuples nest in it. None where the results are others.
fn in_shape(shape: &ResultShape<'_>, names: &[String]) -> Option<String> {
    let mut left = names.iter();
    let name = next_in_shape(shape, &mut left)?;
    left.next().is_none().then_some(name)
}

fn next_in_shape<'n>(shape: &ResultShape<'_>, left: &mut impl Iterator<Item = &'n String>) -> Option<String> {
    let ResultShape::Tuple(elements) = shape else { return left.next().cloned() };
    let elements = elements.iter().map(|(label, shape)| {
        let element = next_in_shape(shape, left)?;
        Some(label.map_or_else(|| element.clone(), |label| format!("{label}: {element}")))
    });
    Some(format!("({})", elements.collect::<Option<Vec<String>>>()?.join(", ")))
}

/// Returns the instruction that ignores the value of the function's last expression, if that has the type `name` and so
/// may be the intended result.
fn last_expression(environment: Environment<'_>, end: InstructionId, name: &str) -> Option<InstructionId> {
    let Environment { module, queries, function, body, .. } = environment;
    let is_cleanup = |id: &InstructionId| {
        use Opcode::*;
        let opcode = body.instructions[*id].opcode;
        matches!(
            opcode,
            EndBorrow
                | EndAccess
                | DestroyValue
                | DestroyAddr
                | DeallocStack
                | DeallocBox
                | ExtendLifetime
                | DebugValue
        )
    };
    let last = body.instructions_up_to(end).rev().skip(1).find(|id| !is_cleanup(id))?;
    let is_ignored = body.instructions[last].opcode == Opcode::IgnoredUse;
    let operand = body.operands(last).first().copied().filter(|_| is_ignored)?;
    let is_result = type_name(queries, body.ty(operand).ty, function.signature) == name;
    let scope = body.instructions[last].location?.scope?;
    (is_result && is_statement(body, last, end) && !is_in_statement(module, body, scope)).then_some(last)
}

/// The greatest indentation of a statement.
const INDENTATION: u32 = 4;

/// Returns whether an ignored expression is a statement of its own, rather than the operand of `_ =`. In SIL only the
/// indentation of its line distinguishes them.
fn is_statement(body: &Body, ignored: InstructionId, end: InstructionId) -> bool {
    let (Some(own), Some(brace)) = (source_place(body, ignored), source_place(body, end)) else { return false };
    let places = body.placed_instructions().filter_map(|id| source_place(body, id));
    let columns = places.filter(|place| place.file == own.file && place.line == own.line).map(|place| place.column);
    let first = columns.min().unwrap_or(own.column);
    own.line == brace.line || first.saturating_sub(brace.column) <= INDENTATION
}

/// Returns whether a scope is nested in a statement of the function. Scopes of variables do not count.
fn is_in_statement(module: &Module, body: &Body, scope: ScopeId) -> bool {
    let begins_variable = |place: SourcePlace| {
        let declares = |id: InstructionId| matches!(body.instructions[id].details, Details::Variable(_));
        body.placed_instructions().any(|id| declares(id) && source_place(body, id) == Some(place))
    };
    let mut scope = &module.scopes[scope];
    while let ScopeParent::Scope(parent) = scope.parent {
        if !scope.place.is_some_and(begins_variable) {
            return true;
        }
        scope = &module.scopes[parent];
    }
    false
}

/// Returns Swift's name for the kind of a declaration.
fn kind(environment: Environment<'_>, entity: &Entity) -> Option<String> {
    let Environment { module, function, .. } = environment;
    let entries = || module.vtables.iter().flat_map(|table| &table.entries);
    let prefix = match entity.is_static {
        // A member without overrides is in no table.
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
