//! The blocks in cycles of the control-flow graph. Does not own nesting and headers (`loop_nest`): cycles with several
//! entries count as well.

use cranelift_entity::EntityRef;
use sil_ir::model::{BlockId, Body};

use super::ControlFlowGraph;
use super::cfg::successors;

/// The blocks that are part of a loop. A change of the body's blocks makes it stale.
pub struct Loops {
    /// By the number of the block.
    members: Vec<bool>,
}

impl Loops {
    /// Finds the loops of `body`, in time linear in its blocks and edges.
    pub fn new(body: &Body, cfg: &ControlFlowGraph) -> Self {
        let mut loops = Self { members: vec![false; body.blocks.len()] };
        // Kosaraju's algorithm: of the blocks not yet seen, those that reach the first one in reverse post-order are
        // strongly connected with it.
        let mut seen = vec![false; body.blocks.len()];
        let mut component = Vec::new();
        for first in cfg.reverse_post_order() {
            component.clear();
            collect_unseen(cfg, *first, &mut seen, &mut component);
            let is_loop = component.len() > 1 || successors(body, *first).contains(first);
            for block in &component {
                loops.members[block.index()] = is_loop;
            }
        }
        loops
    }

    /// Whether `block` is part of a loop.
    pub fn contain(&self, block: BlockId) -> bool {
        self.members.get(block.index()).copied().unwrap_or(false)
    }
}

/// Adds `first` and the blocks that reach it to `component`, as far as they are reachable and not yet seen.
fn collect_unseen(cfg: &ControlFlowGraph, first: BlockId, seen: &mut [bool], component: &mut Vec<BlockId>) {
    if std::mem::replace(&mut seen[first.index()], true) {
        return;
    }
    component.push(first);
    let mut next = component.len() - 1;
    while let Some(block) = component.get(next).copied() {
        next += 1;
        for predecessor in cfg.predecessors(block) {
            if cfg.is_reachable(*predecessor) && !std::mem::replace(&mut seen[predecessor.index()], true) {
                component.push(*predecessor);
            }
        }
    }
}
