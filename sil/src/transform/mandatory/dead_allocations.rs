//! Memory that is written and never read: what is left of variables once their loads are values
//! (lib/SILOptimizer/Mandatory/PredictableMemOpt.cpp, `PredictableDeadAllocationElimination`).
//!
//! Values that need to be destroyed are so where the memory was. Does not own: memory of such values that is written part by part.

use cranelift_entity::EntityRef;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::{BodyView, DeadEndBlocks, OperandOwnership, OwnershipKinds, Use, Uses};
use crate::context::SilType;
use crate::diagnostic::Diagnostic;
use crate::instructions::{Attribute, Opcode};
use crate::model::views::{CopyAddr, Store};
use crate::model::{BlockId, Body, Details, FunctionFlag, InstructionId, Ownership, Place, Value};
use crate::transform::InstructionBuilder;
use crate::transform::analyses::Change;
use crate::transform::editing::value_flow::{Point, ValueFlow};
use crate::transform::knowledge::aggregate_parts::is_in_memory;
use crate::transform::pipeline::{Environment, Rewrite};
use crate::types::Copyability;

/// Removes allocations of a function that nothing reads.
pub(in crate::transform) fn eliminate(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body: before, .. } = environment;
    let is_allocation =
        |body: &Body, id: InstructionId| matches!(body.instructions[id].opcode, Opcode::AllocStack | Opcode::AllocBox);
    if function.has(FunctionFlag::Canonical)
        || !function.has(FunctionFlag::Ossa)
        || !before.placed_instructions().any(|id| is_allocation(before, id))
    {
        return Ok(None);
    }
    let mut body = before.clone();
    let mut is_changed = false;
    let allocations: Vec<InstructionId> =
        before.placed_instructions().filter(|id| is_allocation(before, *id)).collect();
    for id in allocations {
        let environment = Environment { body: &body, ..environment };
        if let Some(next) = without(environment, id) {
            body = next;
            is_changed = true;
        }
    }
    Ok(is_changed.then(|| Rewrite::new(function, body, Change::Instructions)))
}

/// The body without an allocation; none where that is needed.
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
    let uses = Uses::new(body);
    if properties.is_trivial() {
        let mut users = Vec::new();
        is_only_written(body, &uses, memory, &mut users).then_some(())?;
        let mut body = body.clone();
        users.push(allocation);
        users.sort_unstable();
        users.dedup();
        users.into_iter().for_each(|id| body.erase(id));
        return Some(body);
    }
    // Few allocations come so far.
    let whole = WholeValues::of(body, &uses, memory)?;
    let view = BodyView::new(module, queries, function, body);
    whole.forwarded(&view, allocation, ty)
}

/// Whether nothing reads what is at an address, or keeps it. Gives all that uses it.
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

/// Whether an instruction gives the address of a part that nothing uses. Gives all that has to do with it.
fn is_unused_projection(body: &Body, uses: &Uses, id: InstructionId, into: &mut Vec<InstructionId>) -> bool {
    let projects = matches!(
        body.instructions[id].opcode,
        Opcode::StructElementAddr | Opcode::TupleElementAddr | Opcode::BeginAccess
    );
    let is_unused = projects
        && body.results(id).all(|result| {
            uses.of(result).iter().all(|found| match body.instructions[found.user].opcode {
                Opcode::EndAccess | Opcode::DebugValue => {
                    into.push(found.user);
                    true
                }
                _ => is_unused_projection(body, uses, found.user, into),
            })
        });
    if is_unused {
        into.push(id);
    }
    is_unused
}

/// Memory that whole values are stored to and taken out of.
struct WholeValues {
    stores: Vec<InstructionId>,
    /// The loads that take a value, and what destroys it.
    ends: Vec<InstructionId>,
    others: Vec<InstructionId>,
}

impl WholeValues {
    fn of(body: &Body, uses: &Uses, memory: Value) -> Option<Self> {
        let mut found = Self { stores: Vec::new(), ends: Vec::new(), others: Vec::new() };
        for Use { user, operand } in uses.of(memory).iter().copied() {
            let attributes = body.instructions[user].attributes;
            match body.instructions[user].opcode {
                Opcode::Store if operand == 1 && attributes.contains(Attribute::Init) => found.stores.push(user),
                Opcode::Load if attributes.contains(Attribute::Take) => found.ends.push(user),
                Opcode::DestroyAddr => found.ends.push(user),
                Opcode::DeallocStack | Opcode::DebugValue => found.others.push(user),
                _ if is_unused_projection(body, uses, user, &mut found.others) => {}
                _ => return None,
            }
        }
        (!found.stores.is_empty()).then_some(found)
    }

    /// The body with the values themselves in the place of memory.
    fn forwarded(&self, view: &BodyView<'_>, allocation: InstructionId, ty: SilType) -> Option<Body> {
        let body = view.body;
        let kinds = OwnershipKinds::new(view.queries, view.function, body, &view.cfg);
        let dead_ends = DeadEndBlocks::new(body, &view.cfg);
        let source = |store: InstructionId| Store::of(body, store).source;
        let is_plain = |value: Value| {
            let uses = view.uses.of(value);
            kinds.kind(value) == Ownership::Owned
                && uses.iter().all(|found| kinds.operand(*found) != OperandOwnership::ForwardUnowned)
        };
        if !self.stores.iter().all(|store| is_plain(source(*store))) {
            return None;
        }
        let block = |id: InstructionId| body.instructions[id].block;
        // In each block: what is in memory at its end, and what ends a value that was there before.
        let mut available: FxHashMap<BlockId, Value> = FxHashMap::default();
        let (mut local, mut arriving) = (FxHashMap::default(), Vec::new());
        let blocks: FxHashSet<BlockId> = self.stores.iter().chain(&self.ends).map(|id| block(*id)).collect();
        let mut blocks: Vec<BlockId> = blocks.into_iter().collect();
        blocks.sort_by_key(|block| block.index());
        for block in blocks {
            let mut current: Option<Option<Value>> = None;
            for id in body.instructions_in(block) {
                if self.stores.contains(&id) {
                    // What was there before was moved on: memory is initialised once.
                    if matches!(current, Some(Some(_))) {
                        return None;
                    }
                    current = Some(Some(source(id)));
                } else if self.ends.contains(&id) {
                    match current {
                        None => arriving.push(id),
                        Some(Some(value)) => {
                            local.insert(id, value);
                        }
                        Some(None) => return None,
                    }
                    current = Some(None);
                }
            }
            if let Some(Some(value)) = current {
                available.insert(block, value);
            }
        }
        // Each value is used up on all ways: its memory is, but at dead ends.
        if view.cfg.reverse_post_order().iter().any(|block| dead_ends.contains(*block)) {
            return None;
        }
        let wanted: Vec<Point> = arriving.iter().map(|id| Point::Start(block(*id))).collect();
        let flow = ValueFlow::new(body, &view.cfg, &available, &wanted, (ty, Ownership::Owned))?;
        let mut body = body.clone();
        for (id, value) in arriving.iter().zip(flow.apply(&mut body)) {
            local.insert(*id, value);
        }
        self.rewrite(&mut body, allocation, local);
        Some(body)
    }

    fn rewrite(&self, body: &mut Body, allocation: InstructionId, values: FxHashMap<InstructionId, Value>) {
        let mut replacements = crate::model::Replacements::default();
        for id in &self.ends {
            let Some(value) = values.get(id) else { continue };
            match body.result(*id) {
                Some(result) => replacements.replace(result, *value),
                None => {
                    InstructionBuilder::new(body, Place::Before(*id), *id).instruction(
                        Opcode::DestroyValue,
                        Details::None,
                        &[*value],
                    );
                }
            }
        }
        body.replace_values(&replacements);
        for id in self.stores.iter().chain(&self.ends).chain(&self.others).chain([&allocation]) {
            body.erase(*id);
        }
    }
}
