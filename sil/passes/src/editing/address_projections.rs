//! Sinks address projections to the blocks that use them, since a block argument cannot be an address
//! (`SinkAddressProjections`, lib/SILOptimizer/Utils/BasicBlockOptUtils.cpp).

use rustc_hash::FxHashMap;
use sil_analysis::{BodyView, InstructionEffects, Use, Uses};
use sil_ir::instructions::MemoryBehavior;
use sil_ir::model::{BlockId, Body, InstructionId, Place, Value};

use crate::editing::instruction_copies::copy_before;

/// The projections of an address within its block, last one first.
pub(crate) struct Projections(Vec<InstructionId>);

impl Projections {
    /// The projections that define the results of `id`, as far as they are addresses that other blocks use. `None` if
    /// they cannot be sunk.
    pub(crate) fn of_results(view: &BodyView<'_>, id: InstructionId) -> Option<Self> {
        let body = view.body;
        let block = body.instructions[id].block;
        let is_outside = |found: &Use| body.instructions[found.user].block != block;
        let mut steps = Vec::new();
        for result in body.results(id) {
            if view.uses.of(result).iter().any(is_outside) && body.ty(result).is_address() {
                steps.push(id);
                projects(view, id).then_some(())?;
            }
        }
        let mut next = 0;
        while let Some(step) = steps.get(next).copied() {
            next += 1;
            // At most one address operand is followed.
            if steps.len() != next {
                return None;
            }
            for operand in body.operands(step) {
                let Some(definition) = address_in(body, block, *operand)? else { continue };
                projects(view, definition).then_some(())?;
                steps.push(definition);
            }
        }
        Some(Self(steps))
    }

    /// The projections, last one first.
    pub(crate) fn steps(&self) -> &[InstructionId] {
        &self.0
    }

    /// Clones the projections in each block that uses the address.
    pub(crate) fn sink(&self, body: &mut Body) {
        for step in &self.0 {
            let Some(address) = body.result(*step) else { continue };
            let block = body.instructions[*step].block;
            let mut copies: FxHashMap<BlockId, (InstructionId, Value)> = FxHashMap::default();
            for found in Uses::new(body).of(address).to_vec() {
                let used_in = body.instructions[found.user].block;
                if used_in == block {
                    continue;
                }
                let copy = match copies.get(&used_in) {
                    Some((id, copy)) => {
                        let id = *id;
                        if body.first_instruction(used_in) != Some(id) {
                            body.move_to(id, Place::Start(used_in));
                        }
                        Some(*copy)
                    }
                    None => {
                        let id = copy_before(body, found.user, *step, &FxHashMap::default());
                        let copy = body.result(id);
                        copies.extend(copy.map(|copy| (used_in, (id, copy))));
                        copy
                    }
                };
                copy.into_iter().for_each(|copy| body.operands_mut(found.user)[found.operand as usize] = copy);
            }
        }
    }
}

/// Returns whether an instruction only computes one value and has no side effects.
fn projects(view: &BodyView<'_>, id: InstructionId) -> bool {
    let effects = InstructionEffects::new(view.module, view.queries);
    view.body.result(id).is_some()
        && effects.memory_behavior(view.body, id) == MemoryBehavior::None
        && !effects.may_have_side_effects(view.body, id)
}

/// The instruction in `block` that defines the address `value`. `Some(None)` if the value is not an address or is
/// defined elsewhere, `None` if it is an argument of the block.
fn address_in(body: &Body, block: BlockId, value: Value) -> Option<Option<InstructionId>> {
    if !body.ty(value).is_address() {
        return Some(None);
    }
    match body.defining(value) {
        Some(id) => Some((body.instructions[id].block == block).then_some(id)),
        None => Some(None),
    }
}
