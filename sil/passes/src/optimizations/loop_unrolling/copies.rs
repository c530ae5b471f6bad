//! Clones a loop once per iteration. Each clone branches to the next, and the last one exits.

use sil_analysis::{ControlFlowGraph, LoopId};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::CondBr;
use sil_ir::model::{BlockId, Place};

use super::Unrolling;
use crate::InstructionBuilder;
use crate::editing::loop_copies::{self, LoopCopy};
use crate::knowledge::loop_graph::LoopGraph;

impl Unrolling<'_> {
    /// Unrolls a loop fully to `iterations` copies. Returns `None` if phis cannot be inserted.
    pub(super) fn copy_loop(&mut self, graph: &LoopGraph, id: LoopId, iterations: u64) -> Option<()> {
        let (header, latch) = (graph.nest.loops[id].header, graph.latch(id)?);
        let mut blocks = graph.nest.loops[id].blocks.clone();
        blocks.sort_by_key(|block| graph.cfg.number(*block));
        loop_copies::sink_projections(self.environment, &mut self.body, &blocks);
        let mut copies = vec![LoopCopy::default()];
        for _ in 1..iterations {
            let copied = LoopCopy::of(&mut self.body, &blocks);
            // The next copy uses the exit edges of the loop itself.
            let edges = loop_copies::split_exits(&mut self.body, &blocks, &copied);
            copied.place(&self.body, &mut self.order, (copied.block(header), Some(latch)), edges)?;
            copies.push(copied);
        }
        let leaving = loop_copies::values_used_outside(self.environment, &self.body, &blocks);
        for (index, copy) in copies.iter().enumerate() {
            let next = copies.get(index + 1).map(|next| next.block(header));
            self.redirect(copy.block(latch), copy.block(header), next)?;
        }
        loop_copies::bring_values(&mut self.body, &leaving, &blocks, &copies)
    }

    /// Redirects a latch to the next copy. In the last copy, the test always exits. A latch after the test remains, but
    /// is unreachable.
    fn redirect(&mut self, latch: BlockId, header: BlockId, next: Option<BlockId>) -> Option<()> {
        let end = self.body.terminator(latch)?;
        let is_conditional = self.body.instructions[end].opcode == Opcode::CondBr;
        if let Some(next) = next {
            self.body.targets_mut(end).iter_mut().filter(|target| **target == header).for_each(|target| *target = next);
            return Some(());
        }
        let (check, back) = if is_conditional {
            (end, header)
        } else {
            let cfg = ControlFlowGraph::new(&self.body);
            (self.body.terminator(cfg.single_predecessor(latch)?)?, latch)
        };
        let CondBr { true_target, false_target, true_arguments, false_arguments, .. } = CondBr::of(&self.body, check);
        let (exit, passed) = if true_target == back {
            (false_target, false_arguments.to_vec())
        } else {
            (true_target, true_arguments.0.to_vec())
        };
        InstructionBuilder::new(&mut self.body, Place::Before(check), check).branch(exit, &passed);
        self.body.erase(check);
        Some(())
    }
}
