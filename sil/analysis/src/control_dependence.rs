//! Control dependence: which branches decide whether a block runs (Ferrante, Ottenstein and Warren, "The Program
//! Dependence Graph and Its Use in Optimization").

use cranelift_entity::EntityRef;
use sil_ir::model::{BlockId, Body};

use super::cfg::{ControlFlowGraph, successors};
use super::dominators::PostDominators;

/// For each block, the blocks whose terminators decide whether it runs. Endless loops count as in
/// [`PostDominators::with_endless_loops`]; that they go on is nobody's decision, so who deletes code keeps their
/// branches.
pub struct ControlDependence {
    controlling: Vec<Vec<BlockId>>,
}

impl ControlDependence {
    /// Computes the dependences from post-dominators with endless loops.
    pub fn new(body: &Body, cfg: &ControlFlowGraph, post_dominators: &PostDominators) -> Self {
        let mut controlling: Vec<Vec<BlockId>> = vec![Vec::new(); body.blocks.len()];
        for block in body.blocks.keys().filter(|block| cfg.is_reachable(*block)) {
            let targets = successors(body, block);
            if targets.len() < 2 {
                continue;
            }
            let join = post_dominators.immediate_post_dominator(block);
            for target in targets {
                // The blocks on the path from the target to where all paths from the block meet again.
                let mut next = Some(*target);
                while let Some(dependent) = next.filter(|_| next != join) {
                    let found = &mut controlling[dependent.index()];
                    if found.last() != Some(&block) {
                        found.push(block);
                    }
                    next = post_dominators.immediate_post_dominator(dependent);
                }
            }
        }
        Self { controlling }
    }

    /// The blocks whose terminators decide whether `block` runs, in the order of the blocks. A loop's own exit may be
    /// among them.
    pub fn controlling(&self, block: BlockId) -> &[BlockId] {
        &self.controlling[block.index()]
    }
}
