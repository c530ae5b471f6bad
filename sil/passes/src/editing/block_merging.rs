//! Merges blocks with their single predecessor.

use cranelift_entity::SecondaryMap;

use sil_ir::instructions::Opcode;
use sil_ir::model::views::Br;
use sil_ir::model::{BlockId, Body, Replacements};

/// Merges each block into its predecessor if a `br` is its only incoming edge.
pub(crate) fn merge_blocks(body: &mut Body) {
    let edges = edges(body);
    let mut replacements = Replacements::default();
    let mut merged: SecondaryMap<BlockId, bool> = SecondaryMap::new();
    for block in body.blocks.keys().collect::<Vec<_>>() {
        while !merged[block]
            && let Some(target) = sole_successor(body, block)
            && target != block
            && target != body.entry()
            && edges[target] == 1
        {
            append(body, block, target, &mut replacements);
            merged[target] = true;
        }
    }
    body.replace_values(&replacements);
    let kept: Vec<BlockId> = body.blocks.keys().filter(|block| !merged[*block]).collect();
    body.keep_blocks(&kept);
}

/// Returns whether a block can be merged.
pub(crate) fn has_blocks_to_merge(body: &Body) -> bool {
    let edges = edges(body);
    let is_sole = |block: BlockId| {
        sole_successor(body, block)
            .is_some_and(|target| target != block && target != body.entry() && edges[target] == 1)
    };
    body.blocks.len() > 1 && body.blocks.keys().any(is_sole)
}

/// The number of incoming edges of each block.
fn edges(body: &Body) -> SecondaryMap<BlockId, u32> {
    let mut edges: SecondaryMap<BlockId, u32> = SecondaryMap::new();
    for terminator in body.blocks.keys().filter_map(|block| body.terminator(block)) {
        body.targets(terminator).iter().for_each(|target| edges[*target] += 1);
    }
    edges
}

/// Merges `target` into `block`, whose `br` is its only incoming edge. `target` remains in the body, empty.
pub(crate) fn merge_into(body: &mut Body, block: BlockId, target: BlockId) {
    let mut replacements = Replacements::default();
    append(body, block, target, &mut replacements);
    body.blocks[target].arguments.clear();
    body.replace_values(&replacements);
}

fn sole_successor(body: &Body, block: BlockId) -> Option<BlockId> {
    let terminator = body.terminator(block).filter(|id| body.instructions[*id].opcode == Opcode::Br)?;
    Some(Br::get(body, terminator)?.target)
}

/// Moves the instructions of `target` to the end of `block` and replaces the branch.
fn append(body: &mut Body, block: BlockId, target: BlockId, replacements: &mut Replacements) {
    let Some(jump) = body.terminator(block) else { return };
    let arguments = body.blocks[target].arguments.clone();
    for (argument, passed) in arguments.into_iter().zip(body.operands(jump)) {
        replacements.replace(argument, *passed);
    }
    body.erase(jump);
    for instruction in body.take_instructions(target) {
        body.push(block, instruction);
    }
}
