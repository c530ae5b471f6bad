//! Salvages debug information of removed values (lib/SILOptimizer/Utils/DebugOptUtils.cpp).

use sil_analysis::Uses;
use sil_ir::context::{BuiltinType, SilType, Type};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{IntegerLiteral, IntegerValue, Store};
use sil_ir::model::{Body, DebugOperator, DebugVariable, Details, InstructionId, Module, Place, Value};

use crate::InstructionBuilder;
use crate::editing::editor::Editor;
use crate::knowledge::aggregate_parts::{self, AggregatePart};
use crate::knowledge::elements::Step;

/// Removes all `debug_value`s, which serialised modules do not contain (lib/Serialization/SerializeSIL.cpp).
pub fn drop_debug_values(module: &mut Module) {
    for body in module.functions.values_mut().filter_map(|function| function.body.as_mut()) {
        let is_debug = |id: &InstructionId| body.instructions[*id].opcode == Opcode::DebugValue;
        let debug: Vec<InstructionId> = body.placed_instructions().filter(is_debug).collect();
        debug.into_iter().for_each(|id| body.erase(id));
    }
}

/// Returns whether an instruction creates an aggregate with only debug uses, whose parts can be described instead.
pub(crate) fn can_salvage(editor: &Editor<'_>, id: InstructionId) -> bool {
    let Some(result) = editor.body().result(id) else { return false };
    let is_put_together = matches!(editor.opcode(id), Opcode::Struct | Opcode::Tuple);
    is_put_together && editor.uses_but_debug(result).is_empty() && parts(editor, id).is_some()
}

/// Replaces the `debug_value`s of a dead aggregate or literal with ones of its parts or its value (`salvageDebugInfo`
/// in lib/SILOptimizer/Utils/InstOptUtils.cpp).
pub(crate) fn salvage(editor: &mut Editor<'_>, id: InstructionId) {
    let Some(result) = editor.body().result(id) else { return };
    let ty = editor.body().ty(result);
    for found in editor.uses(result) {
        let said = found.user;
        let Details::Variable(variable) = &editor.body().instructions[said].details else { continue };
        let variable = variable.clone();
        for (place, value, variable) in made_of(editor, id, said, ty, &variable) {
            let attributes = editor.body().instructions[said].attributes;
            editor.build(place, said, |builder| {
                builder.with(attributes).debug_value(value, Some(variable));
            });
        }
        editor.erase(said);
    }
}

/// The `debug_value`s that replace `said`, which describes `variable` by the result of `id`: their places, operands and
/// variables.
fn made_of(
    editor: &mut Editor<'_>,
    id: InstructionId,
    said: InstructionId,
    ty: SilType,
    variable: &DebugVariable,
) -> Vec<(Place, Value, Box<DebugVariable>)> {
    if let Some(number) = number(editor, id) {
        let mut expression = vec![number];
        expression.extend(variable.expression.iter().cloned());
        let variable = DebugVariable { expression, ..variable.clone() };
        return vec![(Place::Before(said), editor.undef(ty), Box::new(variable))];
    }
    let Some(parts) = parts(editor, id) else { return Vec::new() };
    let values = editor.body().operands(id).to_vec();
    let part = |(value, part)| {
        let mut variable = variable.clone();
        variable.ty = variable.ty.or(Some(ty));
        variable.expression.push(part);
        // The parts may be dead after the aggregate is created.
        (Place::Before(id), value, Box::new(variable))
    };
    values.into_iter().zip(parts).map(part).collect()
}

/// The value of a literal as a debug operator: its bits, regardless of its sign.
fn number(editor: &Editor<'_>, id: InstructionId) -> Option<DebugOperator> {
    let body = editor.body();
    let IntegerValue::Narrow(value) = IntegerLiteral::get(body, id)?.value else { return None };
    let Type::Builtin(BuiltinType::Integer(width)) = *editor.environment.queries.get(body.ty(body.result(id)?).ty)
    else {
        return None;
    };
    let bits =
        if width < 64 { value as u64 & ((1 << width) - 1) } else { u64::try_from(value).unwrap_or(value as u64) };
    Some(match value < 0 {
        true => DebugOperator::ConstantSigned(bits as i64),
        false => DebugOperator::ConstantUnsigned(bits),
    })
}

/// The debug operators of the parts of a struct or tuple.
fn parts(editor: &Editor<'_>, id: InstructionId) -> Option<Vec<DebugOperator>> {
    let ty = editor.body().ty(editor.body().result(id)?).ty;
    let parts = aggregate_parts::parts(editor.environment.queries, ty)?;
    let step = |part: &AggregatePart| match part.step {
        Step::Property(member) => DebugOperator::Fragment(member),
        Step::Tuple(index) => DebugOperator::TupleFragment(ty, index),
    };
    (parts.len() == editor.body().operands(id).len()).then(|| parts.iter().map(step).collect())
}

/// Inserts `debug_value`s of the stored value for those of the removed stack variable.
pub(crate) fn salvage_store(body: &mut Body, uses: &Uses, store: InstructionId) {
    let Store { source, destination } = Store::of(body, store);
    let users = uses.of(destination).iter().map(|found| found.user);
    for (said, variable) in stored_variables(body, users, store, destination) {
        let mut builder = InstructionBuilder::new(body, Place::Before(store), said).written_at(store);
        builder.debug_value(source, Some(variable));
    }
}

/// Salvages the debug information of a store in an edited body.
pub(crate) fn salvage_single_store(editor: &mut Editor<'_>, store: InstructionId) {
    let Store { source, destination } = Store::of(editor.body(), store);
    show_instead(editor, store, source, destination);
}

/// Replaces the debug information at the address `to`, an operand of `copy`, with that at `from`.
pub(crate) fn show_instead(editor: &mut Editor<'_>, copy: InstructionId, from: Value, to: Value) {
    let users = editor.uses(to).into_iter().map(|found| found.user);
    for (said, variable) in stored_variables(editor.body(), users, copy, to) {
        editor.build(Place::Before(copy), said, |builder| {
            builder.stand_at(copy);
            builder.debug_value(from, Some(variable));
        });
    }
}

/// The variable that a `debug_value` or an allocation describes.
pub(crate) fn debug_variable(body: &Body, id: InstructionId) -> Option<Box<DebugVariable>> {
    match &body.instructions[id].details {
        Details::Variable(variable) => Some(variable.clone()),
        _ => None,
    }
}

/// The debug variables of the stack memory `memory` at a store or copy, each with the instruction that described it.
fn stored_variables(
    body: &Body,
    users: impl Iterator<Item = InstructionId>,
    store: InstructionId,
    memory: Value,
) -> Vec<(InstructionId, Box<DebugVariable>)> {
    let allocation = body.defining(memory).filter(|id| body.instructions[*id].opcode == Opcode::AllocStack);
    let Some(allocation) = allocation else { return Vec::new() };
    let is_debug = |user: &InstructionId| body.instructions[*user].opcode == Opcode::DebugValue;
    let saying = std::iter::once(allocation).chain(users.filter(is_debug));
    saying.filter_map(|said| Some((said, variable_at_store(body, said, store)?))).collect()
}

/// The debug variable of `said` for a `debug_value` at `store`: of the stored value, or of the copied memory. The
/// location of `said` is that of the variable's declaration (`transferStoreDebugValue` in
/// lib/SILOptimizer/Utils/InstOptUtils.cpp). `None` if `said` describes no variable.
pub(crate) fn variable_at_store(body: &Body, said: InstructionId, store: InstructionId) -> Option<Box<DebugVariable>> {
    let Details::Variable(variable) = &body.instructions[said].details else { return None };
    if body.instructions[said].opcode == Opcode::AllocStack && variable.name.is_none() {
        return None;
    }
    let mut variable = variable.clone();
    let dereferences = variable.expression.first() == Some(&DebugOperator::Dereference);
    match (body.instructions[store].opcode, dereferences) {
        (Opcode::CopyAddr, false) => variable.expression.insert(0, DebugOperator::Dereference),
        (Opcode::CopyAddr, true) | (_, false) => {}
        (_, true) => drop(variable.expression.remove(0)),
    }
    let stored = body.ty(body.operands(store)[0]).object_type();
    variable.ty = variable.ty.filter(|ty| ty.object_type() != stored);
    let declaring = &body.instructions[said];
    variable.location = variable.location.or(declaring.location);
    variable.declared = variable.declared.or(Some(declaring.span));
    Some(variable)
}
