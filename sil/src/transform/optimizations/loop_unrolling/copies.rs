//! The copies of a loop, one for each time that it runs: each leads to the next one, and the last one out of the loop.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Unrolling;
use crate::analysis::{BodyView, ControlFlowGraph, LoopId, Uses};
use crate::instructions::Opcode;
use crate::model::views::CondBr;
use crate::model::{BlockId, Definition, InstructionId, Ownership, Place, Value};
use crate::transform::InstructionBuilder;
use crate::transform::editing::address_projections::Projections;
use crate::transform::editing::critical_edges;
use crate::transform::editing::instruction_copies::copy;
use crate::transform::editing::value_flow::bring_to_uses;
use crate::transform::knowledge::loop_graph::LoopGraph;

/// What stands for the blocks and values of a loop in one of its copies.
#[derive(Default)]
struct Copy {
    blocks: FxHashMap<BlockId, BlockId>,
    values: FxHashMap<Value, Value>,
}

impl Copy {
    fn block(&self, block: BlockId) -> BlockId {
        self.blocks.get(&block).copied().unwrap_or(block)
    }

    fn value(&self, value: Value) -> Value {
        self.values.get(&value).copied().unwrap_or(value)
    }
}

impl Unrolling<'_> {
    /// Lets a loop run `iterations` times without leading back. None where what it makes cannot be brought to where that is used.
    pub(super) fn copy_loop(&mut self, graph: &LoopGraph, id: LoopId, iterations: u64) -> Option<()> {
        let (header, latch) = (graph.nest.loops[id].header, graph.latch(id)?);
        let mut blocks = graph.nest.loops[id].blocks.clone();
        blocks.sort_by_key(|block| graph.cfg.number(*block));
        self.sink_projections(&blocks);
        let mut copies = vec![Copy::default()];
        for _ in 1..iterations {
            let copied = self.copy_blocks(&blocks);
            // The next copy leads to where the loop itself leads then.
            let edges = self.split_exits(&blocks, &copied);
            self.place(latch, copied.block(header), &copied, edges)?;
            copies.push(copied);
        }
        let leaving = self.values_used_outside(graph, id, &blocks);
        for (index, copy) in copies.iter().enumerate() {
            let next = copies.get(index + 1).map(|next| next.block(header));
            self.redirect(copy.block(latch), copy.block(header), next)?;
        }
        self.bring_values(&leaving, &blocks, &copies)
    }

    fn sink_projections(&mut self, blocks: &[BlockId]) {
        let environment = self.environment;
        let instructions: Vec<InstructionId> =
            blocks.iter().flat_map(|block| self.body.instructions_in(*block)).collect();
        for id in instructions {
            let is_address = self.body.results(id).any(|result| self.body.ty(result).is_address());
            if !is_address {
                continue;
            }
            let view = BodyView::new(environment.module, environment.queries, environment.function, &self.body);
            let is_outside = |user: InstructionId| !blocks.contains(&self.body.instructions[user].block);
            let leaves =
                self.body.results(id).flat_map(|result| view.uses.of(result)).any(|found| is_outside(found.user));
            if let Some(projections) = Projections::of_results(&view, id).filter(|_| leaves) {
                projections.sink(&mut self.body);
            }
        }
    }

    /// The values of a loop that are used behind it, with their ownership.
    fn values_used_outside(&self, graph: &LoopGraph, id: LoopId, blocks: &[BlockId]) -> Vec<(Value, Ownership)> {
        let environment = self.environment;
        let view = BodyView::new(environment.module, environment.queries, environment.function, &self.body);
        let mut values = Vec::new();
        for block in blocks {
            values.extend(self.body.blocks[*block].arguments.iter().copied());
            values.extend(self.body.instructions_in(*block).flat_map(|id| self.body.results(id)));
        }
        let is_outside = |user: InstructionId| !graph.nest.contains(id, self.body.instructions[user].block);
        values.retain(|value| view.uses.of(*value).iter().any(|found| is_outside(found.user)));
        values.into_iter().map(|value| (value, view.ownership(value))).collect()
    }

    /// Copies the blocks of a loop, each behind those that dominate it. The copies have no place yet.
    fn copy_blocks(&mut self, blocks: &[BlockId]) -> Copy {
        let mut made = Copy::default();
        for block in blocks {
            let new = self.body.add_block();
            made.blocks.insert(*block, new);
            for argument in self.body.blocks[*block].arguments.clone() {
                let data = self.body.values[argument].clone();
                let argument_copy = self.body.add_argument(new, data.ty, data.ownership);
                self.body.values[argument_copy].flags = data.flags;
                made.values.insert(argument, argument_copy);
            }
        }
        for block in blocks {
            let new = made.block(*block);
            for id in self.body.instructions_in(*block).collect::<Vec<_>>() {
                let copied = copy(&mut self.body, Place::End(new), id, &made.values);
                for target in self.body.targets_mut(copied) {
                    *target = made.block(*target);
                }
                made.values.extend(self.body.results(id).zip(self.body.results(copied)));
            }
        }
        made
    }

    /// Sets the blocks of a copy behind the latch of the loop, each behind the first that leads to it, with the blocks on the edges out of it.
    fn place(&mut self, latch: BlockId, header: BlockId, copied: &Copy, edges: Vec<(BlockId, BlockId)>) -> Option<()> {
        let mut members: FxHashSet<BlockId> = copied.blocks.values().copied().collect();
        for (from, edge) in edges {
            if members.contains(&from) {
                members.insert(edge);
            } else {
                let place = self.order.iter().position(|block| *block == from)?;
                self.order.insert(place + 1, edge);
            }
        }
        let mut place = self.order.iter().position(|block| *block == latch)? + 1;
        let mut open = vec![header];
        while let Some(block) = open.pop() {
            if !members.remove(&block) {
                continue;
            }
            self.order.insert(place, block);
            place += 1;
            let targets = self.body.terminator(block).map_or(&[][..], |end| self.body.targets(end));
            open.extend(targets.iter().rev());
        }
        Some(())
    }

    /// Lets a latch lead to the next copy. Where there is none, what decides whether to go on leads out of the loop; a latch behind that stays, though
    /// nothing leads to it any more.
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

    /// Puts blocks on the edges out of a loop and its copy, which lead to the same blocks. Gives them with the blocks that lead to them.
    fn split_exits(&mut self, blocks: &[BlockId], copied: &Copy) -> Vec<(BlockId, BlockId)> {
        let inside: Vec<BlockId> = blocks.iter().flat_map(|block| [*block, copied.block(*block)]).collect();
        let cfg = ControlFlowGraph::new(&self.body);
        let count = self.body.blocks.len();
        let leads = |block: &BlockId| inside.contains(block);
        critical_edges::split_edges(&mut self.body, |from, to| {
            leads(&from) && !leads(&to) && cfg.predecessors(to).len() > 1
        });
        let end = |edge: BlockId| {
            let mut from = inside.iter().copied();
            from.find(|block| self.body.terminator(*block).is_some_and(|end| self.body.targets(end).contains(&edge)))
        };
        self.body.blocks.keys().skip(count).filter_map(|edge| Some((end(edge)?, edge))).collect()
    }

    /// Lets what is behind the loop use what arrives from the copy that it was left from.
    fn bring_values(&mut self, leaving: &[(Value, Ownership)], blocks: &[BlockId], copies: &[Copy]) -> Option<()> {
        let cfg = ControlFlowGraph::new(&self.body);
        for (value, ownership) in leaving {
            let block_of = |id: InstructionId| self.body.instructions[id].block;
            let defined = match self.body.values[*value].definition {
                Definition::Result { instruction, .. } => block_of(instruction),
                Definition::Argument { block, .. } => block,
                Definition::Undef => continue,
            };
            let all = Uses::new(&self.body);
            let uses: Vec<_> =
                all.of(*value).iter().copied().filter(|found| !blocks.contains(&block_of(found.user))).collect();
            let available: FxHashMap<BlockId, Value> =
                copies.iter().map(|copy| (copy.block(defined), copy.value(*value))).collect();
            bring_to_uses(&mut self.body, &cfg, (*value, *ownership), &uses, &available)?;
        }
        Some(())
    }
}
