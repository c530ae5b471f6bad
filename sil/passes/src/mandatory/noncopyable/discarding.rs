//! Methods that discard `self` without its `deinit`: on every other path out of them, `self` must be consumed
//! explicitly (lib/SILOptimizer/Mandatory/MoveOnlyDiagnostics.cpp, emitMissingConsumeInDiscardingContext).

use std::collections::VecDeque;

use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashSet;
use sil_analysis::Worklist;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, Body, Details, InstructionId, Place, Scope, ScopeId, ScopeParent, SourcePlace};

use super::Known;
use super::messages;
use super::uses::{Load, MemoryUses};
use crate::knowledge::element_flow::{Event, EventKind, Flow, dropped_on_edges};
use crate::messages::findings::source_place;

/// Reports each place where memory is destroyed implicitly although its value is discarded elsewhere.
pub(super) fn unconsumed(known: &Known<'_>, uses: &MemoryUses<'_>, events: &[Event], flow: &Flow) -> Vec<Diagnostic> {
    let Some(discard) = discards(known.before, uses).next() else { return Vec::new() };
    let left = places_of_destroys(known, events, flow);
    let left = left.into_iter().filter(|place| !is_replaced_after(known.before, events, *place));
    let body = known.before;
    left.map(|place| {
        let exit = statement_that_leaves(known, place).or_else(|| exit(body, body.block_of_place(place)));
        messages::not_consumed_before(body, exit.unwrap_or(discard), discard)
    })
    .collect()
}

/// Reports a reinitialisation of discarded memory: the first one after the first discard that reaches one
/// (lib/SILOptimizer/Mandatory/MoveOnlyAddressCheckerUtils.cpp, checkForReinitAfterDiscard).
pub(super) fn reinitialized(known: &Known<'_>, uses: &MemoryUses<'_>) -> Option<Diagnostic> {
    let body = known.before;
    let is_new =
        |id: &InstructionId| uses.found.iter().any(|used| used.instruction == *id && used.kind == EventKind::Assign);
    discards(body, uses).find_map(|discard| {
        let block = body.instructions[discard].block;
        let mut after = body.instructions_from(discard).skip(1);
        let again = after.find(is_new).or_else(|| first_after(body, block, is_new))?;
        Some(messages::reinitialized_after_discard(body, again, discard))
    })
}

/// Returns the first instruction for which `is_wanted` holds in a block reachable from `from`, with the last successor
/// visited first.
fn first_after(body: &Body, from: BlockId, is_wanted: impl Fn(&InstructionId) -> bool) -> Option<InstructionId> {
    let successors = |block: BlockId| body.terminator(block).map_or(&[][..], |end| body.targets(end)).iter().copied();
    let mut open = Worklist::new(successors(from));
    while let Some(block) = open.pop() {
        open.extend(successors(block));
        if let Some(found) = body.instructions_in(block).find(&is_wanted) {
            return Some(found);
        }
    }
    None
}

/// Returns the discards of the memory's value.
fn discards(body: &Body, uses: &MemoryUses<'_>) -> impl Iterator<Item = InstructionId> {
    let taken = uses.loads.iter().filter_map(|(_, load)| match load {
        Load::Take(copies) => Some(&copies.consumed),
        Load::Borrow(_) => None,
    });
    taken.flatten().map(|found| found.user).filter(|id| body.instructions[*id].opcode == Opcode::DropDeinit)
}

/// Returns the places where the memory is destroyed at the end of its variable, if it is initialised there.
fn places_of_destroys(known: &Known<'_>, events: &[Event], flow: &Flow) -> Vec<Place> {
    let place = |(event, before): (&Event, _)| match event.kind {
        _ if event.elements & before == 0 => None,
        EventKind::Destroy | EventKind::EndBefore => Some(Place::Before(event.instruction)),
        EventKind::EndAfter => Some(Place::After(event.instruction)),
        _ => None,
    };
    let mut places: Vec<Place> = events.iter().zip(flow.before.iter().copied()).filter_map(place).collect();
    places.extend(dropped_on_edges(known.before, known.cfg, flow).into_iter().map(|(place, _)| place));
    places
}

/// Returns whether the memory gets another value after `place` in the same block.
fn is_replaced_after(body: &Body, events: &[Event], place: Place) -> bool {
    let after: FxHashSet<InstructionId> = body.instructions_after(place).collect();
    let is_new = |event: &&Event| matches!(event.kind, EventKind::Initialize | EventKind::Assign);
    events.iter().filter(is_new).any(|event| after.contains(&event.instruction))
}

/// Returns the branch at `place`, if its statement leaves the enclosing statement.
///
/// The branch of an `if` itself, or of its closing brace, leaves nothing. SIL text does not state the statement of a
/// branch.
fn statement_that_leaves(known: &Known<'_>, place: Place) -> Option<InstructionId> {
    let (body, scopes) = (known.before, &known.environment.module.scopes);
    let Place::Before(jump) = place else { return None };
    let location = body.instructions[jump].location?;
    let (place, scope) = (location.place?, location.scope?);
    let leaves = !begins_statement(body, scopes, jump, scope)
        && !closes_statement(scopes, scope, place)
        && !ends_condition(body, scopes, jump, scope);
    (body.instructions[jump].opcode == Opcode::Br && leaves).then_some(jump)
}

/// Returns whether `jump` is the beginning of a statement that contains others: scopes within its own, or code of its
/// block on later lines.
fn begins_statement(body: &Body, scopes: &PrimaryMap<ScopeId, Scope>, jump: InstructionId, scope: ScopeId) -> bool {
    let place = source_place(body, jump);
    let is_within = |other: &Scope| matches!(other.parent, ScopeParent::Scope(parent) if parent == scope);
    let is_below = |id: InstructionId| {
        source_place(body, id).is_some_and(|other| place.is_some_and(|place| other.line > place.line))
    };
    let mut others = body.instructions_in(body.instructions[jump].block);
    scopes[scope].place == place && (scopes.values().any(is_within) || others.any(is_below))
}

/// Returns whether `jump` ends the `else` of a condition: it is in the scope of the condition itself, unlike the
/// statements of a branch.
fn ends_condition(body: &Body, scopes: &PrimaryMap<ScopeId, Scope>, jump: InstructionId, scope: ScopeId) -> bool {
    let in_scope =
        |id: &InstructionId| body.instructions[*id].location.and_then(|location| location.scope) == Some(scope);
    let is_statement = matches!(scopes[scope].parent, ScopeParent::Scope(_));
    let begins_variable = |id: InstructionId| {
        let declares = matches!(body.instructions[id].details, Details::Variable(_));
        declares && source_place(body, id) == scopes[scope].place
    };
    let position = |id: InstructionId| source_place(body, id).map(|place| (place.line, place.column));
    let decides = |id: InstructionId| body.targets(id).len() > 1 && position(id) < position(jump);
    let mut all = body.placed_instructions().filter(in_scope);
    is_statement && all.any(decides) && !body.placed_instructions().any(begins_variable)
}

/// Returns whether `place` is in the column of, and below, the beginning of a statement around `scope`, like a closing
/// brace.
fn closes_statement(scopes: &PrimaryMap<ScopeId, Scope>, scope: ScopeId, place: SourcePlace) -> bool {
    let mut scope = &scopes[scope];
    while let ScopeParent::Scope(parent) = scope.parent {
        if scope.place.is_some_and(|begin| begin.column == place.column && begin.line < place.line) {
            return true;
        }
        scope = &scopes[parent];
    }
    false
}

/// Returns the nearest exit of the function or end of the program that is reachable from `from`.
fn exit(body: &Body, from: BlockId) -> Option<InstructionId> {
    let mut seen = FxHashSet::from_iter([from]);
    let mut open = VecDeque::from([from]);
    while let Some(block) = open.pop_front() {
        let Some(terminator) = body.terminator(block) else { continue };
        let targets = body.targets(terminator);
        if targets.is_empty() {
            return Some(terminator);
        }
        open.extend(targets.iter().copied().filter(|target| seen.insert(*target)));
    }
    None
}
