//! `consume` of variables that are values: their lifetimes end at the consume
//! (lib/SILOptimizer/Mandatory/ConsumeOperatorCopyableValuesChecker.cpp).

use std::ops::ControlFlow;

use rustc_hash::FxHashSet;
use sil_analysis::{ControlFlowGraph, OwnershipKinds, Uses};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::{DebugValue, Unary};
use sil_ir::model::{Body, InstructionId, Ownership, Place, Value};
use sil_ir::types::Copyability;

use super::super::noncopyable::Copies;
use super::dataflow::Misuse;
use super::ignored_uses;
use super::messages::{self, Variable};
use crate::editing::editor::Editor;
use crate::knowledge::element_flow::search_after;
use crate::optimizations::copy_propagation::{AccessScopes, Canonicalization, DebugUses, canonicalize};
use crate::pass::{Environment, Rewrite};

/// The value is one element.
const WHOLE: u128 = 1;

/// Checks and resolves each `consume` of a value.
pub(crate) fn check(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { body: before, .. } = environment;
    if !before.placed_instructions().any(|id| is_consume(before, id)) {
        return Ok(None);
    }
    let variables = variables(environment, before);
    let mut checked = before.clone();
    let mut diagnostics = Vec::new();
    let mut editor = Editor::new(environment);
    for ignored in ignored_uses(before) {
        checked.erase(ignored);
        editor.erase(ignored);
    }
    for value in variables {
        let consumes = consumes_of(environment, &mut checked, value, &mut diagnostics);
        if !consumes.is_empty() {
            end_early(&mut editor, value, &consumes);
        }
    }
    for consume in checked.placed_instructions().filter(|id| is_consume(&checked, *id)) {
        let operand = Unary::of(&checked, consume).operand;
        if !is_noncopyable(environment, &checked, operand) {
            diagnostics.push(messages::not_understood(&checked, consume, operand));
        }
        resolve(&mut editor, consume);
    }
    Ok(editor.finish().map(|rewrite| Rewrite { diagnostics, ..rewrite }))
}

fn is_consume(body: &Body, id: InstructionId) -> bool {
    let instruction = &body.instructions[id];
    instruction.opcode == Opcode::MoveValue && instruction.attributes.contains(Attribute::AllowsDiagnostics)
}

fn is_noncopyable(environment: Environment<'_>, body: &Body, value: Value) -> bool {
    let properties = environment.queries.properties(body.ty(value).ty, environment.function.signature);
    properties.copyability == Copyability::Noncopyable
}

/// Returns the parameters and variables that are copyable values.
fn variables(environment: Environment<'_>, body: &Body) -> Vec<Value> {
    let parameters = body.blocks[body.entry()].arguments.iter().copied();
    let parameters = parameters.filter(|value| body.values[*value].ownership != Ownership::None);
    let declared = body.placed_instructions().filter(|id| {
        let instruction = &body.instructions[*id];
        matches!(instruction.opcode, Opcode::MoveValue | Opcode::BeginBorrow)
            && instruction.attributes.contains(Attribute::VarDecl)
    });
    let all = parameters.chain(declared.filter_map(|id| body.result(id)));
    all.filter(|value| !body.ty(*value).is_address() && !is_noncopyable(environment, body, *value)).collect()
}

/// A consume of a variable, and whether the variable's lifetime ends there.
struct Consume {
    id: InstructionId,
    is_end: bool,
}

/// Returns the consumes of a variable, and reports those with a later use. The lifetime ends at a consume without one.
fn consumes_of(
    environment: Environment<'_>,
    body: &mut Body,
    value: Value,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Consume> {
    let cfg = ControlFlowGraph::new(body);
    let uses = Uses::new(body);
    let kinds = OwnershipKinds::new(environment.queries, environment.function, body, &cfg);
    let copies = Copies::of(&kinds, body, &uses, value);
    let users: FxHashSet<InstructionId> = copies.consumed.iter().map(|found| found.user).collect();
    let consumes: Vec<InstructionId> =
        copies.consumed.iter().map(|found| found.user).filter(|id| is_consume(body, *id)).collect();
    let mut users: FxHashSet<InstructionId> = users.into_iter().chain(needing(body, &copies)).collect();
    // The end of the variable's scope is no use.
    users.retain(|id| body.instructions[*id].opcode != Opcode::EndBorrow || body.operands(*id)[0] != value);
    let mut found = Vec::new();
    for id in consumes {
        let next = search_after(body, id, WHOLE, |id, elements| {
            if users.contains(&id) {
                return ControlFlow::Break(id);
            }
            // A new declaration of the variable is another variable.
            if body.defining(value) == Some(id) {
                *elements = 0;
            }
            ControlFlow::Continue(())
        });
        if let Some(user) = next {
            let variable = Variable::of(environment.queries.context, body, &uses, value);
            let misuse = Misuse { consume: id, user, is_replaced: false };
            diagnostics.push(variable.used_after_consume(body, &misuse));
        }
        found.push(Consume { id, is_end: next.is_none() });
    }
    for consume in &found {
        body.instructions[consume.id].attributes.remove(Attribute::AllowsDiagnostics);
    }
    found
}

/// Returns the instructions that need the value. A variable that borrows it has its own lifetime.
fn needing(body: &Body, copies: &Copies) -> impl Iterator<Item = InstructionId> {
    copies.borrowed.iter().copied().filter(|id| {
        let is_variable = |borrow: InstructionId| body.instructions[borrow].attributes.contains(Attribute::Lexical);
        body.instructions[*id].opcode != Opcode::EndBorrow
            || !body.defining(Unary::of(body, *id).operand).is_some_and(is_variable)
    })
}

/// Ends the lifetime of a variable at its consumes: the consumed copy is replaced by the value itself, and debug values
/// end.
fn end_early(editor: &mut Editor<'_>, value: Value, consumes: &[Consume]) {
    let stated = variable_of(editor, value);
    let ends: Vec<InstructionId> = consumes.iter().filter(|consume| consume.is_end).map(|consume| consume.id).collect();
    for consume in consumes {
        resolve(editor, consume.id);
        if let Some(stated) = stated.filter(|_| consume.is_end) {
            end_variable(editor, stated, consume.id);
        }
    }
    if let Some(stated) = stated {
        editor.edit_attributes(stated, |attributes| attributes.insert(Attribute::MoveableValueDebugInfo));
    }
    if !ends.is_empty() {
        let canonicalization = Canonicalization {
            debug_uses: DebugUses::Keep,
            access_scopes: AccessScopes::Ignore,
            ..Canonicalization::of(editor.environment.settings)
        };
        canonicalize(editor, canonicalization, value, &ends);
    }
}

/// Removes the attribute for diagnostics: later passes treat the consume as a move.
fn resolve(editor: &mut Editor<'_>, consume: InstructionId) {
    editor.edit_attributes(consume, |attributes| attributes.remove(Attribute::AllowsDiagnostics));
}

/// Returns the debug value of a value.
fn variable_of(editor: &Editor<'_>, value: Value) -> Option<InstructionId> {
    let users = editor.uses(value).into_iter().map(|found| found.user);
    users.into_iter().find(|user| editor.opcode(*user) == Opcode::DebugValue)
}

/// Emits a debug value without a value after `consume`, for the variable of the debug value `stated`.
fn end_variable(editor: &mut Editor<'_>, stated: InstructionId, consume: InstructionId) {
    let body = editor.body();
    let variable = DebugValue::of(body, stated).variable.cloned().map(Box::new);
    let ty = body.ty(Unary::of(body, consume).operand);
    let nothing = editor.undef(ty);
    let mut attributes = AttributeSet::default();
    attributes.insert(Attribute::MoveableValueDebugInfo);
    editor.build(Place::After(consume), stated, |builder| {
        builder.with(attributes).debug_value(nothing, variable);
    });
}
