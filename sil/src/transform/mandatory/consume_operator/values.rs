//! `consume` of variables that are values: they end where they are consumed
//! (lib/SILOptimizer/Mandatory/ConsumeOperatorCopyableValuesChecker.cpp).

use std::ops::ControlFlow;

use rustc_hash::FxHashSet;

use super::super::noncopyable::{Copies, forward_copies};
use super::dataflow::Misuse;
use super::messages::{self, Variable};
use crate::analysis::{Change, ControlFlowGraph, OwnershipKinds, Uses};
use crate::diagnostic::Diagnostic;
use crate::instructions::{Attribute, Opcode};
use crate::model::views::Unary;
use crate::model::{Body, Details, FunctionFlag, InstructionId, Ownership, Value};
use crate::transform::InstructionBuilder;
use crate::transform::editing::critical_edges;
use crate::transform::knowledge::element_flow::{Event, EventKind, Flow, Start, dropped_on_edges, search_behind, sort};
use crate::transform::pipeline::{Environment, Rewrite};
use crate::types::Copyability;

/// The value is one element.
const WHOLE: u128 = 1;

/// Checks and resolves each `consume` of a value.
pub(in crate::transform) fn check(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body: before, analyses, .. } = environment;
    if function.has(FunctionFlag::Canonical)
        || !function.has(FunctionFlag::Ossa)
        || !before.placed_instructions().any(|id| is_consume(before, id))
    {
        return Ok(None);
    }
    let mut body = before.clone();
    critical_edges::split_in(&mut body, analyses.cfg(before));
    let variables = variables(environment, &body);
    forward_copies(&mut body, |_, lender| variables.contains(&lender));
    let mut diagnostics = Vec::new();
    for value in variables {
        check_variable(environment, &mut body, value, &mut diagnostics);
    }
    let rest: Vec<InstructionId> = body.placed_instructions().filter(|id| is_consume(&body, *id)).collect();
    for consume in rest {
        let operand = Unary::of(&body, consume).operand;
        if !is_noncopyable(environment, &body, operand) {
            diagnostics.push(messages::not_understood(&body, consume, operand));
        }
        body.instructions[consume].attributes.remove(Attribute::AllowsDiagnostics);
    }
    Ok(Some(Rewrite { diagnostics, ..Rewrite::new(function, body, Change::Blocks) }))
}

fn is_consume(body: &Body, id: InstructionId) -> bool {
    let instruction = &body.instructions[id];
    instruction.opcode == Opcode::MoveValue && instruction.attributes.contains(Attribute::AllowsDiagnostics)
}

fn is_noncopyable(environment: Environment<'_>, body: &Body, value: Value) -> bool {
    let properties = environment.queries.properties(body.ty(value).ty, environment.function.signature);
    properties.copyability == Copyability::Noncopyable
}

/// The parameters and the variables that are values which can be copied.
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

fn check_variable(environment: Environment<'_>, body: &mut Body, value: Value, diagnostics: &mut Vec<Diagnostic>) {
    let snapshot = body.clone();
    let cfg = ControlFlowGraph::new(&snapshot);
    let uses = Uses::new(&snapshot);
    let kinds = OwnershipKinds::new(environment.queries, environment.function, &snapshot, &cfg);
    let copies = Copies::of(&kinds, &snapshot, &uses, value);
    let consumes: Vec<InstructionId> =
        copies.consumed.iter().map(|found| found.user).filter(|id| is_consume(&snapshot, *id)).collect();
    let users: FxHashSet<InstructionId> = copies.consumed.iter().map(|found| found.user).collect();
    let mut users: FxHashSet<InstructionId> = users.into_iter().chain(needing(&snapshot, &copies)).collect();
    // Where the variable goes out of scope it is not used.
    users.retain(|id| snapshot.instructions[*id].opcode != Opcode::EndBorrow || snapshot.operands(*id)[0] != value);
    let mut valid = Vec::new();
    for consume in consumes {
        body.instructions[consume].attributes.remove(Attribute::AllowsDiagnostics);
        let next = search_behind(&snapshot, consume, WHOLE, |id, elements| {
            if users.contains(&id) {
                return ControlFlow::Break(id);
            }
            // Where the variable is declared again, it is another one.
            if snapshot.defining(value) == Some(id) {
                *elements = 0;
            }
            ControlFlow::Continue(())
        });
        match next {
            Some(user) => {
                let variable = Variable::of(environment.queries.context, &snapshot, &uses, value);
                let misuse = Misuse { consume, user, is_replaced: false };
                diagnostics.push(variable.used_after_consume(&snapshot, &misuse));
            }
            None => valid.push(consume),
        }
    }
    if kinds.kind(value) == Ownership::Owned && diagnostics.is_empty() {
        end_early(body, &snapshot, &cfg, &uses, &copies, &valid);
    }
}

/// The instructions that need the value. A variable that borrows it has a life of its own.
fn needing(body: &Body, copies: &Copies) -> impl Iterator<Item = InstructionId> {
    copies.borrowed.iter().copied().filter(|id| {
        let is_variable = |borrow: InstructionId| body.instructions[borrow].attributes.contains(Attribute::Lexical);
        body.instructions[*id].opcode != Opcode::EndBorrow
            || !body.defining(Unary::of(body, *id).operand).is_some_and(is_variable)
    })
}

/// Lets an owned value end where copies of it are consumed: what was copied to be consumed is the value itself.
fn end_early(
    body: &mut Body,
    before: &Body,
    cfg: &ControlFlowGraph,
    uses: &Uses,
    copies: &Copies,
    consumes: &[InstructionId],
) {
    let value = copies.value;
    let copy_of = |consume: &InstructionId| {
        let copied = Unary::of(before, *consume).operand;
        let copy = before.defining(copied)?;
        let is_own = before.instructions[copy].opcode == Opcode::CopyValue && Unary::of(before, copy).operand == value;
        (is_own && uses.of(copied).len() == 1).then_some(copy)
    };
    let Some(made) = consumes.iter().map(copy_of).collect::<Option<Vec<_>>>() else { return };
    if made.is_empty() {
        return;
    }
    let event = |kind, instruction| Event { instruction, kind, elements: WHOLE, cause: instruction };
    let mut events: Vec<Event> = consumes.iter().map(|id| event(EventKind::Consume, *id)).collect();
    events.extend(copies.borrowed.iter().map(|id| event(EventKind::Borrow, *id)));
    let own = copies.destroys.iter().filter(|(_, destroyed)| *destroyed == value);
    events.extend(own.map(|(id, _)| event(EventKind::Destroy, *id)));
    let is_consumed_itself = |found: &&crate::analysis::Use| found.value(before) == value;
    events.extend(copies.consumed.iter().filter(is_consumed_itself).map(|found| event(EventKind::Consume, found.user)));
    sort(&mut events);
    let start = match before.defining(value) {
        definition @ Some(_) => Start { instruction: definition, initial: WHOLE, outside: 0, all: WHOLE },
        None => Start { instruction: None, initial: WHOLE, outside: WHOLE, all: WHOLE },
    };
    let flow = Flow::new(before, cfg, start, &events, &[]);
    let is_missing = |(event, state): (&Event, &u128)| event.kind.needs_value() && *state == 0;
    if events.iter().zip(&flow.before).any(is_missing) {
        return;
    }
    for (event, state) in events.iter().zip(&flow.before) {
        if event.kind == EventKind::Destroy && *state == 0 {
            body.erase(event.instruction);
        }
    }
    for (place, _) in dropped_on_edges(before, cfg, &flow) {
        InstructionBuilder::new(body, place, consumes[0]).instruction(Opcode::DestroyValue, Details::None, &[value]);
    }
    for (consume, copy) in consumes.iter().zip(made) {
        body.operands_mut(*consume)[0] = value;
        body.erase(copy);
    }
}
