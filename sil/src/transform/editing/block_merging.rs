//! Blocks that only a jump leads to become a part of the block that jumps.

use cranelift_entity::SecondaryMap;

use crate::instructions::Opcode;
use crate::model::views::Br;
use crate::model::{BlockId, Body, Replacements};

/// Merges each block that one `br` alone leads to with the block of that.
pub(in crate::transform) fn merge_blocks(body: &mut Body) {
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

/// Whether one `br` alone leads to some block.
pub(in crate::transform) fn has_blocks_to_merge(body: &Body) -> bool {
    let edges = edges(body);
    let is_sole = |block: BlockId| {
        sole_successor(body, block)
            .is_some_and(|target| target != block && target != body.entry() && edges[target] == 1)
    };
    body.blocks.len() > 1 && body.blocks.keys().any(is_sole)
}

/// How often control leads to each block.
fn edges(body: &Body) -> SecondaryMap<BlockId, u32> {
    let mut edges: SecondaryMap<BlockId, u32> = SecondaryMap::new();
    for terminator in body.blocks.keys().filter_map(|block| body.terminator(block)) {
        body.targets(terminator).iter().for_each(|target| edges[*target] += 1);
    }
    edges
}

/// Makes `target`, which the `br` at the end of `block` alone leads to, a part of `block`. It stays behind, empty.
pub(in crate::transform) fn merge_into(body: &mut Body, block: BlockId, target: BlockId) {
    let mut replacements = Replacements::default();
    append(body, block, target, &mut replacements);
    body.blocks[target].arguments.clear();
    body.replace_values(&replacements);
}

fn sole_successor(body: &Body, block: BlockId) -> Option<BlockId> {
    let terminator = body.terminator(block).filter(|id| body.instructions[*id].opcode == Opcode::Br)?;
    Some(Br::get(body, terminator)?.target)
}

/// Brings the instructions of `target` to the end of `block`, in the place of the jump.
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
