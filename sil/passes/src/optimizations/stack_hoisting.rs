//! Hoists stack allocations of dynamic size to the entry block, and merges those with disjoint lifetimes, so that the
//! stack need not be saved and restored (lib/IRGen/AllocStackHoisting.cpp). A debug variable is described at its
//! original allocation, and the block is split after it.

use sil_analysis::{ApplySite, Change, opened_archetypes};
use sil_ir::context::{Type, TypeId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::builtins::{BuiltinKind, NamedBuiltin};
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::{
    BlockId, Body, DebugVariable, Details, FunctionAttribute, InstructionId, Place, Replacements, Value,
};

use crate::InstructionBuilder;
use crate::knowledge::aggregate_parts::is_resilient;
use crate::pass::settings::StackSlots;
use crate::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(crate) const STACK_HOISTING: Pass = Pass::new(&Description {
    name: "alloc-stack-hoisting",
    class_name: "AllocStackHoisting",
    summary: "Hoists stack allocations of unknown size to the entry of the function.",
    gates: Gates::OPEN,
    runner: Runner::Function(hoist),
});

/// The limit on the nesting of types.
const NESTING: usize = 32;

/// Hoists the allocations of a function.
pub(crate) fn hoist(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body, settings, .. } = environment;
    let is_hoisted = |id: &InstructionId| is_hoistable(environment, *id);
    let allocations: Vec<InstructionId> = body.placed_instructions().filter(is_hoisted).collect();
    let asks = body.placed_instructions().any(|id| asks_for_availability(environment, id));
    if allocations.is_empty() || asks {
        return Ok(None);
    }
    let mut hoisted = body.clone();
    let order: Vec<InstructionId> = body.placed_instructions().collect();
    let mut shown = Vec::new();
    for slot in slots(body, &order, &allocations, settings.stack_slots) {
        shown.extend(assign(environment, &mut hoisted, &slot));
    }
    let change = if shown.is_empty() { Change::Instructions } else { Change::Blocks };
    split_after(&mut hoisted, &shown);
    Ok(Some(Rewrite::new(function, hoisted, change)))
}

/// Returns whether an allocation has a dynamic size and a type that is known at the entry.
fn is_hoistable(environment: Environment<'_>, id: InstructionId) -> bool {
    let Environment { queries, body, .. } = environment;
    let Some(address) = body.result(id).filter(|_| body.instructions[id].opcode == Opcode::AllocStack) else {
        return false;
    };
    let ty = body.ty(address).ty;
    is_dynamic(environment, ty, NESTING) && opened_archetypes(queries, ty).is_empty()
}

fn is_dynamic(environment: Environment<'_>, ty: TypeId, nesting: usize) -> bool {
    let Environment { queries, function, .. } = environment;
    let Some(nesting) = nesting.checked_sub(1) else { return false };
    let within = |part: TypeId| is_dynamic(environment, part, nesting);
    if queries.properties(ty, function.signature).is_reference() {
        return false;
    }
    match queries.get(ty) {
        Type::Tuple(elements) => elements.iter().any(|element| within(element.ty)),
        Type::Nominal(nominal) => {
            let cases = 0..queries.declarations.get(nominal.declaration).cases.len() as u32;
            is_resilient(queries, ty)
                || queries.field_types(ty).is_some_and(|fields| fields.iter().any(|field| within(*field)))
                || cases.filter_map(|case| queries.case_payload(ty, case)).any(within)
        }
        _ => queries.is_type_parameter(ty),
    }
}

/// Returns whether a function contains an availability check. The guarded code may need types that are not available on
/// all systems.
fn asks_for_availability(environment: Environment<'_>, id: InstructionId) -> bool {
    let Environment { module, body, .. } = environment;
    let text = |name| module.context.text(name);
    match &body.instructions[id].details {
        Details::Builtin(builtin) => {
            let kind = builtin.kind();
            matches!(
                kind,
                Some(BuiltinKind::Named(
                    NamedBuiltin::TargetOSVersionAtLeast
                        | NamedBuiltin::TargetVariantOSVersionAtLeast
                        | NamedBuiltin::TargetOSVersionOrVariantOSVersionAtLeast
                ))
            )
        }
        Details::Apply(_) => {
            let called = ApplySite::new(body, id).and_then(ApplySite::called_function);
            let called = called.and_then(|name| module.function_named(name));
            called.is_some_and(|callee| {
                module.functions[callee].attributes.iter().any(|attribute| match attribute {
                    FunctionAttribute::Semantics(name) => text(*name) == "availability.osversion",
                    _ => false,
                })
            })
        }
        _ => body.instructions[id].opcode == Opcode::HasSymbol,
    }
}

/// Groups the allocations into slots: allocations of the same type whose lifetimes do not overlap share a slot.
fn slots(
    body: &Body,
    order: &[InstructionId],
    allocations: &[InstructionId],
    merging: StackSlots,
) -> Vec<Vec<InstructionId>> {
    let ty = |id: InstructionId| body.result(id).map(|address| body.ty(address));
    // The types are in the order of their first allocations, like the slots.
    let mut by_type: Vec<Vec<Vec<InstructionId>>> = Vec::new();
    for id in allocations {
        let same = by_type.iter_mut().find(|slots| slots.first().is_some_and(|slot| ty(slot[0]) == ty(*id)));
        let Some(slots) = same else {
            by_type.push(vec![vec![*id]]);
            continue;
        };
        let fits = |slot: &&mut Vec<InstructionId>| {
            merging == StackSlots::Merged && slot.iter().all(|other| are_apart(body, order, *other, *id))
        };
        match slots.iter_mut().find(fits) {
            Some(slot) => slot.push(*id),
            None => slots.push(vec![*id]),
        }
    }
    match merging {
        StackSlots::Merged => by_type.into_iter().flatten().collect(),
        StackSlots::Separate => allocations.iter().map(|id| vec![*id]).collect(),
    }
}

/// Returns whether two allocations end in their own blocks and are not nested.
fn are_apart(body: &Body, order: &[InstructionId], first: InstructionId, second: InstructionId) -> bool {
    let block = |id: InstructionId| body.instructions[id].block;
    let end = |id: InstructionId| {
        let ends = deallocations(body, body.result(id)?);
        match ends.as_slice() {
            [end] if block(*end) == block(id) => Some(*end),
            _ => None,
        }
    };
    let (Some(first_end), Some(second_end)) = (end(first), end(second)) else { return false };
    let place = |id: InstructionId| order.iter().position(|found| *found == id);
    block(first) != block(second) || place(first_end) < place(second) || place(second_end) < place(first)
}

fn deallocations(body: &Body, address: Value) -> Vec<InstructionId> {
    let ends = body.placed_instructions().filter(|id| body.instructions[*id].opcode == Opcode::DeallocStack);
    ends.filter(|id| body.operands(*id).first() == Some(&address)).collect()
}

/// Assigns all allocations of a slot to the memory of the first one, which spans the function. Returns the
/// `debug_value`s of the variables.
fn assign(environment: Environment<'_>, body: &mut Body, slot: &[InstructionId]) -> Vec<InstructionId> {
    let Some((assigned, others)) = slot.split_first() else { return Vec::new() };
    let Some(memory) = body.result(*assigned) else { return Vec::new() };
    let moves = |id: &InstructionId| body.instructions[*id].attributes.contains(Attribute::MoveableValueDebugInfo);
    let marks = match slot.iter().any(moves) {
        true => AttributeSet::from([Attribute::MoveableValueDebugInfo]),
        false => AttributeSet::default(),
    };
    let mut shown = Vec::new();
    if marks.contains(Attribute::MoveableValueDebugInfo) {
        shown.extend(leave_variable(body, *assigned, memory, marks));
    }
    let mut replacements = Replacements::default();
    for id in slot {
        let Some(address) = body.result(*id) else { continue };
        deallocations(body, address).into_iter().for_each(|end| body.erase(end));
    }
    for other in others {
        shown.extend(show_variable(body, *other, memory, marks));
        if let Some(address) = body.result(*other) {
            replacements.replace(address, memory);
        }
        body.erase(*other);
    }
    body.replace_values(&replacements);
    let exits = environment.body.blocks.keys().filter_map(|block| body.terminator(block));
    let leaves = |id: &InstructionId| body.instructions[*id].opcode.leaves_function();
    for exit in exits.filter(leaves).collect::<Vec<_>>() {
        InstructionBuilder::new(body, Place::Before(exit), *assigned).dealloc_stack(memory);
    }
    move_to_front(body, *assigned);
    shown
}

/// Inserts a `debug_value` for the variable of an allocation, with the assigned memory.
fn show_variable(body: &mut Body, id: InstructionId, memory: Value, marks: AttributeSet) -> Option<InstructionId> {
    let variable = variable(body, id)?;
    let mut builder = InstructionBuilder::new(body, Place::Before(id), id);
    Some(builder.with(marks).debug_value(memory, Some(variable)))
}

/// Moves the debug variable of a hoisted allocation to a `debug_value` at its original place.
fn leave_variable(body: &mut Body, id: InstructionId, memory: Value, marks: AttributeSet) -> Option<InstructionId> {
    let shown = show_variable(body, id, memory, marks)?;
    let allocation = &mut body.instructions[id];
    allocation.details = Details::None;
    marks.iter().for_each(|mark| allocation.attributes.insert(mark));
    Some(shown)
}

/// The debug variable of an allocation, if it has a name.
fn variable(body: &Body, id: InstructionId) -> Option<Box<DebugVariable>> {
    match &body.instructions[id].details {
        Details::Variable(variable) if variable.name.is_some() => Some(variable.clone()),
        _ => None,
    }
}

/// Splits the block after each of these instructions.
fn split_after(body: &mut Body, instructions: &[InstructionId]) {
    let mut order: Vec<BlockId> = body.blocks.keys().collect();
    for id in instructions.iter().rev() {
        let Some(next) = body.next(*id) else { continue };
        let block = body.instructions[*id].block;
        let after = body.split_block(next);
        InstructionBuilder::new(body, Place::End(block), *id).branch(after, &[]);
        let place = order.iter().position(|other| *other == block).map_or(order.len(), |place| place + 1);
        order.insert(place, after);
    }
    body.keep_blocks(&order);
}

fn move_to_front(body: &mut Body, id: InstructionId) {
    let (entry, block) = (body.entry(), body.instructions[id].block);
    let left = body.take_instructions(block);
    if block != entry {
        let first = body.take_instructions(entry);
        body.push(entry, id);
        first.into_iter().for_each(|id| body.push(entry, id));
    } else {
        body.push(entry, id);
    }
    left.into_iter().filter(|other| *other != id).for_each(|other| body.push(block, other));
}
