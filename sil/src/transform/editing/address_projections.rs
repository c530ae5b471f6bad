//! Addresses that are projected in one block and used in others: they are projected anew where they are used, since no block argument is an address
//! (`SinkAddressProjections`, lib/SILOptimizer/Utils/BasicBlockOptUtils.cpp).

use rustc_hash::FxHashMap;

use crate::analysis::{BodyView, InstructionEffects, Use, Uses};
use crate::instructions::MemoryBehavior;
use crate::model::{BlockId, Body, InstructionId, Place, Value};
use crate::transform::editing::instruction_copies::copy_before;

/// How an address is projected within its block, from the last projection to the first.
pub(in crate::transform) struct Projections(Vec<InstructionId>);

impl Projections {
    /// The projections that make the results of `id`, as far as these are addresses that other blocks use. None where they cannot be copied there.
    pub(in crate::transform) fn of_results(view: &BodyView<'_>, id: InstructionId) -> Option<Self> {
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
            // One address alone is followed.
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

    /// The projections, the last one first.
    pub(in crate::transform) fn steps(&self) -> &[InstructionId] {
        &self.0
    }

    /// Projects the address anew in each block that uses it.
    pub(in crate::transform) fn sink(&self, body: &mut Body) {
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

/// Whether an instruction does nothing but make one value of others.
fn projects(view: &BodyView<'_>, id: InstructionId) -> bool {
    let effects = InstructionEffects::new(view.module, view.queries);
    view.body.result(id).is_some()
        && effects.memory_behavior(view.body, id) == MemoryBehavior::None
        && !effects.may_have_side_effects(view.body, id)
}

/// What makes the address `value` in `block`. Some(None) where it is no address or comes from elsewhere, none where it is an argument of the block.
fn address_in(body: &Body, block: BlockId, value: Value) -> Option<Option<InstructionId>> {
    if !body.ty(value).is_address() {
        return Some(None);
    }
    match body.defining(value) {
        Some(id) => Some((body.instructions[id].block == block).then_some(id)),
        None => Some(None),
    }
}
