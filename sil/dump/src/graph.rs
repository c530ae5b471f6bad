//! The control-flow graph, dominators and dead ends as text.

use sil_analysis::{ControlDependence, ControlFlowGraph, DeadEndBlocks, Dominators, PostDominators};
use sil_ir::model::BlockId;

use super::{Dumper, listed};

impl Dumper<'_, '_> {
    pub(super) fn cfg(&mut self) {
        let cfg = ControlFlowGraph::new(self.body);
        for block in self.body.blocks.keys() {
            let from = names(cfg.predecessors(block));
            let to = names(self.body.terminator(block).map_or(&[], |terminator| self.body.targets(terminator)));
            let reach = if cfg.is_reachable(block) { "" } else { ", unreachable" };
            self.line(format_args!("  {}: from {from}, to {to}{reach}", name(block)));
        }
    }

    pub(super) fn dominators(&mut self) {
        let cfg = ControlFlowGraph::new(self.body);
        let dominators = Dominators::new(self.body, &cfg);
        let post = PostDominators::with_endless_loops(self.body, &cfg);
        let control = ControlDependence::new(self.body, &cfg, &post);
        for block in self.body.blocks.keys() {
            if !cfg.is_reachable(block) {
                self.line(format_args!("  {}: unreachable", name(block)));
                continue;
            }
            let above = names(dominators.immediate_dominator(block).as_slice());
            let below = names(post.immediate_post_dominator(block).as_slice());
            let deciding = names(control.controlling(block));
            let block = name(block);
            self.line(format_args!(
                "  {block}: dominated by {above}, post-dominated by {below}, decided by {deciding}"
            ));
        }
    }

    pub(super) fn dead_ends(&mut self) {
        let cfg = ControlFlowGraph::new(self.body);
        let dead_ends = DeadEndBlocks::new(self.body, &cfg);
        for block in self.body.blocks.keys().filter(|block| dead_ends.contains(*block)) {
            self.line(format_args!("  {}", name(block)));
        }
    }
}

fn name(block: BlockId) -> String {
    format!("bb{}", block.as_u32())
}

fn names(blocks: &[BlockId]) -> String {
    listed(blocks.iter().map(|block| name(*block)))
}
