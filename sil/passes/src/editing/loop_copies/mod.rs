//! Copies the blocks of a loop: maps values and blocks, splits the exit edges, and inserts phis for values used
//! outside. The passes decide how a copy is entered.

mod duplication;

use rustc_hash::{FxHashMap, FxHashSet};
use sil_analysis::{BodyView, ControlFlowGraph, Uses};
use sil_ir::model::{BlockId, Body, Definition, InstructionId, Ownership, Place, Value};

pub(crate) use self::duplication::can_be_copied;
use crate::editing::address_projections::Projections;
use crate::editing::critical_edges;
use crate::editing::instruction_copies::copy;
use crate::editing::value_flow::bring_to_uses;
use crate::pass::Environment;

/// The mapping of blocks and values to a copy of a loop.
#[derive(Default)]
pub(crate) struct LoopCopy {
    pub(crate) blocks: FxHashMap<BlockId, BlockId>,
    values: FxHashMap<Value, Value>,
}

impl LoopCopy {
    /// Copies `blocks`, which are in dominance order. The copies are not in the block order yet.
    pub(crate) fn of(body: &mut Body, blocks: &[BlockId]) -> Self {
        let mut made = Self::default();
        for block in blocks {
            let new = body.add_block();
            made.blocks.insert(*block, new);
            for argument in body.blocks[*block].arguments.clone() {
                let data = body.values[argument].clone();
                let argument_copy = body.add_argument(new, data.ty, data.ownership);
                body.values[argument_copy].flags = data.flags;
                made.values.insert(argument, argument_copy);
            }
        }
        for block in blocks {
            let new = made.block(*block);
            for id in body.instructions_in(*block).collect::<Vec<_>>() {
                let copied = copy(body, Place::End(new), id, &made.values);
                for target in body.targets_mut(copied) {
                    *target = made.block(*target);
                }
                made.values.extend(body.results(id).zip(body.results(copied)));
            }
        }
        made
    }

    /// The copy of a block, or the block itself if it is not copied.
    pub(crate) fn block(&self, block: BlockId) -> BlockId {
        self.blocks.get(&block).copied().unwrap_or(block)
    }

    /// The copy of a value, or the value itself if it is not copied.
    pub(crate) fn value(&self, value: Value) -> Value {
        self.values.get(&value).copied().unwrap_or(value)
    }

    /// Inserts the blocks of the copy into `order`, from `first` on: after the block `after`, or at the end. Each
    /// follows its first predecessor, together with the blocks on its exit `edges`. Blocks on exit edges of the loop
    /// itself follow their predecessors.
    pub(crate) fn place(
        &self,
        body: &Body,
        order: &mut Vec<BlockId>,
        (first, after): (BlockId, Option<BlockId>),
        edges: Vec<(BlockId, BlockId)>,
    ) -> Option<()> {
        let place_of = |order: &[BlockId], block: BlockId| order.iter().position(|found| *found == block);
        let mut members: FxHashSet<BlockId> = self.blocks.values().copied().collect();
        for (from, edge) in edges {
            if members.contains(&from) {
                members.insert(edge);
            } else {
                let place = place_of(order, from)?;
                order.insert(place + 1, edge);
            }
        }
        let mut place = match after {
            Some(block) => place_of(order, block)? + 1,
            None => order.len(),
        };
        let mut open = vec![first];
        while let Some(block) = open.pop() {
            if members.remove(&block) {
                order.insert(place, block);
                place += 1;
                let targets = body.terminator(block).map_or(&[][..], |end| body.targets(end));
                open.extend(targets.iter().rev());
            }
        }
        Some(())
    }
}

/// Sinks the address projections of `blocks` that are used outside of them, since a block argument cannot be an
/// address.
pub(crate) fn sink_projections(environment: Environment<'_>, body: &mut Body, blocks: &[BlockId]) {
    let instructions: Vec<InstructionId> = blocks.iter().flat_map(|block| body.instructions_in(*block)).collect();
    for id in instructions {
        if !body.results(id).any(|result| body.ty(result).is_address()) {
            continue;
        }
        let view = BodyView::new(environment.module, environment.queries, environment.function, body);
        let is_outside = |user: InstructionId| !blocks.contains(&body.instructions[user].block);
        let leaves = body.results(id).flat_map(|result| view.uses.of(result)).any(|found| is_outside(found.user));
        if let Some(projections) = Projections::of_results(&view, id).filter(|_| leaves) {
            projections.sink(body);
        }
    }
}

/// The values of `blocks` that are used outside of them, with their ownership.
pub(crate) fn values_used_outside(
    environment: Environment<'_>,
    body: &Body,
    blocks: &[BlockId],
) -> Vec<(Value, Ownership)> {
    let view = BodyView::new(environment.module, environment.queries, environment.function, body);
    let mut values = Vec::new();
    for block in blocks {
        values.extend(body.blocks[*block].arguments.iter().copied());
        values.extend(body.instructions_in(*block).flat_map(|id| body.results(id)));
    }
    let is_outside = |user: InstructionId| !blocks.contains(&body.instructions[user].block);
    values.retain(|value| view.uses.of(*value).iter().any(|found| is_outside(found.user)));
    values.into_iter().map(|value| (value, view.ownership(value))).collect()
}

/// Splits the critical exit edges of a loop and its copy. Returns the new blocks with their predecessors.
pub(crate) fn split_exits(body: &mut Body, blocks: &[BlockId], copied: &LoopCopy) -> Vec<(BlockId, BlockId)> {
    let inside: Vec<BlockId> = blocks.iter().flat_map(|block| [*block, copied.block(*block)]).collect();
    let cfg = ControlFlowGraph::new(body);
    let count = body.blocks.len();
    let leads = |block: &BlockId| inside.contains(block);
    critical_edges::split_all_edges(body, |from, to| leads(&from) && !leads(&to) && cfg.predecessors(to).len() > 1);
    let end = |edge: BlockId| {
        let mut from = inside.iter().copied();
        from.find(|block| body.terminator(*block).is_some_and(|end| body.targets(end).contains(&edge)))
    };
    body.blocks.keys().skip(count).filter_map(|edge| Some((end(edge)?, edge))).collect()
}

/// Replaces the uses of the loop's values outside of it with phis of the loop and its copies.
pub(crate) fn bring_values(
    body: &mut Body,
    leaving: &[(Value, Ownership)],
    blocks: &[BlockId],
    copies: &[LoopCopy],
) -> Option<()> {
    let cfg = ControlFlowGraph::new(body);
    for (value, ownership) in leaving {
        let block_of = |id: InstructionId| body.instructions[id].block;
        let defined = match body.values[*value].definition {
            Definition::Result { instruction, .. } => block_of(instruction),
            Definition::Argument { block, .. } => block,
            Definition::Undef => continue,
        };
        let all = Uses::new(body);
        let uses: Vec<_> =
            all.of(*value).iter().copied().filter(|found| !blocks.contains(&block_of(found.user))).collect();
        let available: FxHashMap<BlockId, Value> =
            copies.iter().map(|copy| (copy.block(defined), copy.value(*value))).collect();
        bring_to_uses(body, &cfg, (*value, *ownership), &uses, &available)?;
    }
    Some(())
}
