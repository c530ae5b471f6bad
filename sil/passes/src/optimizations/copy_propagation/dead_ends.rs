//! Computes the availability boundary of values in dead-end regions, where no instruction ends their lifetime
//! (lib/SIL/Utils/OSSALifetimeCompletion.cpp).

use rustc_hash::{FxHashMap, FxHashSet};

use sil_analysis::{ControlFlowGraph, LiveDefinition, LiveUse, PrunedLiveness};
use sil_ir::model::{BlockId, Body, Definition, InstructionId};

/// The terminators on the availability boundary of a value with this liveness: those without successors, and those with
/// a successor where the value is unavailable.
pub(super) fn availability_boundary(
    body: &Body,
    cfg: &ControlFlowGraph,
    liveness: &PrunedLiveness<'_>,
) -> Vec<InstructionId> {
    let successors = |block: BlockId| body.terminator(block).map_or(&[][..], |terminator| body.targets(terminator));
    let starts = unended_blocks(body, liveness);
    let mut region = starts.clone();
    let mut next = 0;
    while let Some(block) = region.get(next).copied() {
        next += 1;
        for successor in successors(block) {
            if !region.contains(successor) {
                region.push(*successor);
            }
        }
    }
    let mut available: FxHashMap<BlockId, bool> = region.iter().map(|block| (*block, true)).collect();
    let is_available =
        |available: &FxHashMap<BlockId, bool>, block: &BlockId| available.get(block).copied().unwrap_or(false);
    let mut changed = true;
    while changed {
        changed = false;
        for block in region.iter().filter(|block| !starts.contains(block)) {
            let all = cfg.predecessors(*block).iter().all(|predecessor| is_available(&available, predecessor));
            if !all && available.insert(*block, false) == Some(true) {
                changed = true;
            }
        }
    }
    let is_last = |block: &&BlockId| {
        let successors = successors(**block);
        is_available(&available, block)
            && (successors.is_empty() || successors.iter().any(|successor| !is_available(&available, successor)))
    };
    region.iter().filter(is_last).filter_map(|block| body.terminator(*block)).collect()
}

/// The blocks on the liveness boundary without an instruction that ends the lifetime.
fn unended_blocks(body: &Body, liveness: &PrunedLiveness<'_>) -> Vec<BlockId> {
    let block_of = |id: &InstructionId| body.instructions[*id].block;
    let ending: FxHashSet<BlockId> =
        liveness.users().filter(|(_, kind)| *kind == LiveUse::Ending).map(|(user, _)| block_of(&user)).collect();
    let boundary = liveness.boundary();
    let dead = boundary.dead_definitions.iter().filter_map(|definition| match definition {
        LiveDefinition::Instruction(id) => Some(block_of(id)),
        LiveDefinition::Argument(value) => match body.values[*value].definition {
            Definition::Argument { block, .. } => Some(block),
            Definition::Result { .. } | Definition::Undef => None,
        },
    });
    let ends = boundary.last_users.iter().map(block_of).chain(dead).filter(|block| !ending.contains(block));
    let mut blocks = Vec::new();
    for block in ends.chain(boundary.boundary_edges.iter().copied()) {
        if !blocks.contains(&block) {
            blocks.push(block);
        }
    }
    blocks
}
