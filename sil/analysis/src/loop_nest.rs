//! Natural loops and how they nest: the blocks that a header dominates and that lead back to it (LLVM's LoopInfo).
//! Loops with several entries are none.

use cranelift_entity::SecondaryMap;
use sil_ir::model::{BlockId, Body};

use super::{ControlFlowGraph, Dominators};

/// The number of a loop.
pub type LoopId = usize;

/// A natural loop.
pub struct Loop {
    /// The block that all paths into it lead to.
    pub header: BlockId,
    /// The loop around it.
    pub parent: Option<LoopId>,
    /// How many loops it is in, itself included.
    pub depth: usize,
    /// Its blocks, those of inner loops too, in the order of the body.
    pub blocks: Vec<BlockId>,
}

/// The loops of a body, outer ones before those in them.
pub struct LoopNest {
    /// All loops.
    pub loops: Vec<Loop>,
    innermost: SecondaryMap<BlockId, Option<LoopId>>,
}

impl LoopNest {
    /// Finds the loops of `body`.
    pub fn new(body: &Body, cfg: &ControlFlowGraph, dominators: &Dominators) -> Self {
        let mut nest = Self { loops: Vec::new(), innermost: SecondaryMap::new() };
        for header in cfg.reverse_post_order() {
            let is_back = |from: &&BlockId| cfg.is_reachable(**from) && dominators.dominates(*header, **from);
            let ends: Vec<BlockId> = cfg.predecessors(*header).iter().filter(is_back).copied().collect();
            if !ends.is_empty() {
                nest.add(body, cfg, *header, ends);
            }
        }
        nest
    }

    fn add(&mut self, body: &Body, cfg: &ControlFlowGraph, header: BlockId, ends: Vec<BlockId>) {
        let mut is_member: SecondaryMap<BlockId, bool> = SecondaryMap::new();
        is_member[header] = true;
        let mut open = ends;
        while let Some(block) = open.pop() {
            if !std::mem::replace(&mut is_member[block], true) {
                open.extend(cfg.predecessors(block).iter().filter(|from| cfg.is_reachable(**from)));
            }
        }
        let blocks: Vec<BlockId> = body.blocks.keys().filter(|block| is_member[*block]).collect();
        let parent = self.innermost(header);
        let depth = parent.map_or(0, |parent| self.loops[parent].depth) + 1;
        let id = Some(self.loops.len());
        blocks.iter().for_each(|block| self.innermost[*block] = id);
        self.loops.push(Loop { header, parent, depth, blocks });
    }

    /// The innermost loop that `block` is in.
    pub fn innermost(&self, block: BlockId) -> Option<LoopId> {
        self.innermost[block]
    }

    /// Whether `block` is in the loop `id`, or in one in it.
    pub fn contains(&self, id: LoopId, block: BlockId) -> bool {
        let mut current = self.innermost(block);
        while let Some(found) = current {
            if found == id {
                return true;
            }
            current = self.loops[found].parent;
        }
        false
    }

    /// The block that alone leads into the loop `id`, and nowhere else.
    pub fn preheader(&self, body: &Body, cfg: &ControlFlowGraph, id: LoopId) -> Option<BlockId> {
        let header = self.loops[id].header;
        let mut outside = cfg.predecessors(header).iter().filter(|from| !self.contains(id, **from));
        let only = *outside.next().filter(|_| outside.next().is_none())?;
        let leads = body.terminator(only).map_or(0, |terminator| body.targets(terminator).len());
        (leads == 1).then_some(only)
    }

    /// The blocks of the loop `id` that lead back to its header.
    pub fn latches(&self, cfg: &ControlFlowGraph, id: LoopId) -> Vec<BlockId> {
        let header = self.loops[id].header;
        cfg.predecessors(header).iter().filter(|from| self.contains(id, **from)).copied().collect()
    }
}
