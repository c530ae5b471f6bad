//! The order of blocks: what nothing else decides, since control flow does not depend on it.

use cranelift_entity::EntityRef;

use crate::analysis::ControlFlowGraph;
use crate::model::{BlockId, Body, Module};

/// Brings the blocks of all functions into reverse post-order, as serialised modules have them, and removes those that the entry does not
/// reach.
pub fn sort_blocks(module: &mut Module) {
    for function in module.functions.values_mut() {
        let Some(body) = &mut function.body else { continue };
        body.remove_unreachable_blocks();
        let order = ControlFlowGraph::new(body).reverse_post_order().to_vec();
        body.reorder_blocks(&order);
    }
}

/// Lets the blocks that came to `count` others, to stand on edges, stand behind those that lead to them.
pub(in crate::transform) fn stand_behind_predecessors(body: &mut Body, count: usize) {
    let is_new = |block: &BlockId| block.index() >= count;
    let mut order = Vec::with_capacity(body.blocks.len());
    for block in body.blocks.keys().filter(|block| !is_new(block)) {
        order.push(block);
        let targets = body.terminator(block).map_or(&[][..], |end| body.targets(end));
        order.extend(targets.iter().filter(|target| is_new(target)));
    }
    body.reorder_blocks(&order);
}
