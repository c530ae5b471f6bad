//! Dead-end blocks: those from which no path leaves the function. A leak there is never noticed.

use cranelift_entity::EntityRef;
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, Body};

use super::ControlFlowGraph;

/// Which blocks of a body are dead ends.
pub struct DeadEndBlocks {
    leaves: Vec<bool>,
}

impl DeadEndBlocks {
    /// Walks back from the blocks that return, throw or unwind.
    pub fn new(body: &Body, cfg: &ControlFlowGraph) -> Self {
        let mut leaves = vec![false; body.blocks.len()];
        let mut open = Vec::new();
        for block in body.blocks.keys() {
            let opcode = body.terminator(block).map(|id| body.instructions[id].opcode);
            if opcode.is_some_and(Opcode::leaves_function) {
                leaves[block.index()] = true;
                open.push(block);
            }
        }
        while let Some(block) = open.pop() {
            for predecessor in cfg.predecessors(block) {
                if !std::mem::replace(&mut leaves[predecessor.index()], true) {
                    open.push(*predecessor);
                }
            }
        }
        Self { leaves }
    }

    /// Whether no path from `block` leaves the function.
    pub fn contains(&self, block: BlockId) -> bool {
        !self.leaves[block.index()]
    }
}
