//! The loop regions of a body: the body and each natural loop. The nodes of a region are its blocks and the loops
//! directly nested in it. Follows lib/SILOptimizer/Analysis/LoopRegionAnalysis.cpp.

use sil_analysis::{ControlFlowGraph, Dominators, LoopId, LoopNest};
use sil_ir::model::{BlockId, Body};

/// A node of a region.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Node {
    Block(BlockId),
    Loop(LoopId),
}

/// The regions of a body. `None` denotes the region of the whole body.
pub(super) struct Regions<'b> {
    body: &'b Body,
    cfg: &'b ControlFlowGraph,
    pub(super) nest: LoopNest,
    pub(super) dominators: Dominators,
}

impl<'b> Regions<'b> {
    pub(super) fn new(body: &'b Body, cfg: &'b ControlFlowGraph) -> Self {
        let dominators = Dominators::new(body, cfg);
        Self { body, cfg, nest: LoopNest::new(body, cfg, &dominators), dominators }
    }

    /// All regions, outer regions first.
    pub(super) fn all(&self) -> impl Iterator<Item = Option<LoopId>> {
        std::iter::once(None).chain((0..self.nest.loops.len()).map(Some))
    }

    /// The nodes of a region in reverse post-order. Back edges are ignored.
    pub(super) fn nodes(&self, region: Option<LoopId>) -> Vec<Node> {
        let node = |block: &BlockId| {
            let innermost = self.nest.innermost(*block);
            if innermost == region {
                return Some(Node::Block(*block));
            }
            let begun = innermost.filter(|id| self.nest.loops[*id].header == *block)?;
            (self.nest.loops[begun].parent == region).then_some(Node::Loop(begun))
        };
        self.cfg.reverse_post_order().iter().filter_map(node).collect()
    }

    /// The node of `region` that contains a block, or `None` if the block is outside of the region.
    pub(super) fn node_of(&self, region: Option<LoopId>, block: BlockId) -> Option<Node> {
        let mut node = Node::Block(block);
        let mut around = self.nest.innermost(block);
        while around != region {
            let id = around?;
            node = Node::Loop(id);
            around = self.nest.loops[id].parent;
        }
        Some(node)
    }

    /// The reachable predecessors of a node from outside of the node.
    pub(super) fn predecessors(&self, node: Node) -> impl Iterator<Item = BlockId> {
        let header = match node {
            Node::Block(block) => block,
            Node::Loop(id) => self.nest.loops[id].header,
        };
        let is_inside = move |block: BlockId| matches!(node, Node::Loop(id) if self.nest.contains(id, block));
        let from = self.cfg.predecessors(header).iter().copied();
        from.filter(move |block| self.cfg.is_reachable(*block) && !is_inside(*block))
    }

    /// The successors of a node outside of the node.
    pub(super) fn successors(&self, node: Node) -> Vec<BlockId> {
        let targets =
            |block: &BlockId| self.body.terminator(*block).map_or(&[][..], |end| self.body.targets(end)).to_vec();
        match node {
            Node::Block(block) => targets(&block),
            Node::Loop(id) => {
                let all = self.nest.loops[id].blocks.iter().flat_map(targets);
                all.filter(|target| !self.nest.contains(id, *target)).collect()
            }
        }
    }
}
