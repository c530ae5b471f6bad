//! Removes memory that is written and never read, which remains of variables once their loads are values
//! (lib/SILOptimizer/Mandatory/PredictableMemOpt.cpp, `PredictableDeadAllocationElimination`).
//!
//! Values with destroys are destroyed where the memory was. `holders` owns memory from which stored values are taken.

mod holders;

use sil_analysis::{BodyView, Change, Use, Uses};
use sil_ir::context::{SilType, Type};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::CopyAddr;
use sil_ir::model::{Body, FunctionFlag, InstructionId, Place, Value};
use sil_ir::types::{Copyability, TypeQueries};

use self::holders::Holder;
use crate::InstructionBuilder;
use crate::editing::debug_values::salvage_store;
use crate::editing::deleter::{Deadness, without_dead};
use crate::knowledge::aggregate_parts::is_in_memory;
use crate::pass::{Description, Environment, Gate, Gates, Pass, Rewrite, Rounds, Runner};

pub(crate) const DEAD_ALLOCATION_ELIMINATION: Pass = Pass::new(&Description {
    name: "predictable-deadalloc-elim",
    class_name: "PredictableDeadAllocationElimination",
    summary: "Removes stack slots that nothing reads.",
    gates: Gates { canonical: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Function(eliminate),
});

/// Removes the allocations of a function that are never read.
pub(crate) fn eliminate(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body: before, .. } = environment;
    let is_allocation =
        |body: &Body, id: InstructionId| matches!(body.instructions[id].opcode, Opcode::AllocStack | Opcode::AllocBox);
    if !function.has(FunctionFlag::Ossa) || !before.placed_instructions().any(|id| is_allocation(before, id)) {
        return Ok(None);
    }
    let mut rounds = Rounds::new(environment);
    let allocations: Vec<InstructionId> =
        before.placed_instructions().filter(|id| is_allocation(before, *id)).collect();
    for id in allocations {
        if let Some(next) = without(rounds.current(), id) {
            rounds.set(next, Change::Instructions);
        }
    }
    Ok(rounds.finish())
}

/// Returns the body without an allocation; `None` if it is needed.
fn without(environment: Environment<'_>, allocation: InstructionId) -> Option<Body> {
    let Environment { module, queries, function, body, .. } = environment;
    let memory = body.result(allocation)?;
    let ty = match body.instructions[allocation].opcode {
        Opcode::AllocBox => SilType::object(queries.box_field_type(body.ty(memory).ty, 0)?),
        _ => body.ty(memory).object_type(),
    };
    let properties = queries.properties(ty.ty, function.signature);
    if properties.copyability == Copyability::Noncopyable || is_in_memory(environment, ty) && !properties.is_trivial() {
        return None;
    }
    let divided = if properties.is_trivial() { None } else { without_moves(body, memory) };
    let body = divided.as_ref().unwrap_or(body);
    let uses = Uses::new(body);
    let mut users = Vec::new();
    if properties.is_trivial() && is_only_written(body, &uses, memory, &mut users) {
        let mut body = body.clone();
        users.push(allocation);
        users.sort_unstable();
        users.dedup();
        salvage_stores(queries, &mut body, &uses, memory);
        let used: Vec<Value> = users.iter().flat_map(|id| body.operands(*id).to_vec()).collect();
        users.into_iter().for_each(|id| body.erase(id));
        return Some(without_dead(environment, &body, &used, Deadness::Unused));
    }
    // Few allocations reach this point.
    let holder = Holder::of(queries, body, &uses, memory, ty.ty)?;
    let view = BodyView::new(module, queries, function, body);
    holder.forwarded(environment, &view, allocation)
}

/// Returns the body with moves to a memory replaced by loads and stores; `None` if there is no such move.
fn without_moves(body: &Body, memory: Value) -> Option<Body> {
    let moves_there = |id: &InstructionId| {
        let attributes = body.instructions[*id].attributes;
        body.instructions[*id].opcode == Opcode::CopyAddr
            && attributes.contains(Attribute::Take)
            && attributes.contains(Attribute::Init)
            && CopyAddr::of(body, *id).destination == memory
    };
    let moves: Vec<InstructionId> = body.placed_instructions().filter(moves_there).collect();
    if moves.is_empty() {
        return None;
    }
    let mut divided = body.clone();
    for id in moves {
        let CopyAddr { source, .. } = CopyAddr::of(body, id);
        let only = |attribute| {
            let mut attributes = AttributeSet::default();
            attributes.insert(attribute);
            attributes
        };
        let mut builder = InstructionBuilder::new(&mut divided, Place::Before(id), id);
        let value = builder.with(only(Attribute::Take)).load(source);
        builder.with(only(Attribute::Init)).store(value, memory);
        divided.erase(id);
    }
    Some(divided)
}

/// Emits debug values for stores to a removed memory. A tuple's elements are stored separately and get no debug values.
fn salvage_stores(queries: &TypeQueries<'_>, body: &mut Body, uses: &Uses, memory: Value) {
    if matches!(queries.get(body.ty(memory).ty), Type::Tuple(_)) {
        return;
    }
    let stores_there = |found: &&Use| found.operand == 1 && body.instructions[found.user].opcode == Opcode::Store;
    let stores: Vec<InstructionId> = uses.of(memory).iter().filter(stores_there).map(|found| found.user).collect();
    stores.into_iter().for_each(|store| salvage_store(body, uses, store));
}

/// Returns whether nothing reads the memory at an address or lets it escape, and collects its users.
fn is_only_written(body: &Body, uses: &Uses, address: Value, users: &mut Vec<InstructionId>) -> bool {
    uses.of(address).iter().all(|found| {
        let user = found.user;
        users.push(user);
        match body.instructions[user].opcode {
            Opcode::Store => found.operand == 1,
            Opcode::CopyAddr => {
                let CopyAddr { source, .. } = CopyAddr::of(body, user);
                found.operand == 1 && source != address && body.instructions[user].attributes.contains(Attribute::Take)
            }
            Opcode::DeallocStack
            | Opcode::DeallocBox
            | Opcode::DestroyAddr
            | Opcode::DestroyValue
            | Opcode::DebugValue
            | Opcode::EndAccess
            | Opcode::EndBorrow => true,
            Opcode::StructElementAddr
            | Opcode::TupleElementAddr
            | Opcode::ProjectBox
            | Opcode::BeginBorrow
            | Opcode::BeginAccess => body.results(user).all(|result| is_only_written(body, uses, result, users)),
            _ => false,
        }
    })
}
