//! The loops of a body that passes change, found by their headers.

use sil_analysis::{ControlFlowGraph, Dominators, LoopId, LoopNest};
use sil_ir::model::{BlockId, Body};

/// The current loops of a body.
pub(crate) struct LoopGraph {
    pub(crate) cfg: ControlFlowGraph,
    pub(crate) nest: LoopNest,
}

impl LoopGraph {
    /// Finds the loops of `body`.
    pub(crate) fn new(body: &Body) -> Self {
        let cfg = ControlFlowGraph::new(body);
        let nest = LoopNest::new(body, &cfg, &Dominators::new(body, &cfg));
        Self { cfg, nest }
    }

    /// Returns the headers of all loops, inner loops first.
    pub(crate) fn headers(&self) -> Vec<BlockId> {
        let mut loops: Vec<LoopId> = (0..self.nest.loops.len()).collect();
        loops.sort_by_key(|id| std::cmp::Reverse(self.nest.loops[*id].depth));
        loops.into_iter().map(|id| self.nest.loops[id].header).collect()
    }

    /// Returns the loop with the header `header`.
    pub(crate) fn loop_of(&self, header: BlockId) -> Option<LoopId> {
        self.nest.loops.iter().position(|found| found.header == header)
    }

    /// Returns the only latch of a loop.
    pub(crate) fn latch(&self, id: LoopId) -> Option<BlockId> {
        match self.nest.latches(&self.cfg, id)[..] {
            [latch] => Some(latch),
            _ => None,
        }
    }

    /// Returns whether `block` is an exiting block of a loop that contains it.
    pub(crate) fn leaves(&self, body: &Body, id: LoopId, block: BlockId) -> bool {
        let targets = body.terminator(block).map_or(&[][..], |end| body.targets(end));
        targets.iter().any(|target| !self.nest.contains(id, *target))
    }
}
