//! The order of blocks: what nothing else decides, since control flow does not depend on it.

use crate::analysis::ControlFlowGraph;
use crate::model::Module;

/// Brings the blocks of all functions into reverse post-order, as `-emit-sorted-sil` prints them, and removes those that the entry does
/// not reach.
pub fn sort_blocks(module: &mut Module) {
    for function in module.functions.values_mut() {
        let Some(body) = &mut function.body else { continue };
        body.remove_unreachable_blocks();
        let order = ControlFlowGraph::new(body).reverse_post_order().to_vec();
        body.reorder_blocks(&order);
    }
}
