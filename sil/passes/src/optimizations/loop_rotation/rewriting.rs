//! Rotates a loop: the header is cloned to the preheader, and placed after the latch.

use rustc_hash::FxHashMap;
use sil_analysis::{BodyView, ControlFlowGraph, Uses};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{Borrowed, Br};
use sil_ir::model::{BlockId, InstructionId, Ownership, Place, Value};

use super::{Rotated, Rotation};
use crate::editing::address_projections::Projections;
use crate::editing::block_merging::merge_into;
use crate::editing::critical_edges;
use crate::editing::instruction_copies::copy_before;
use crate::editing::value_flow::bring_to_uses;

impl Rotation<'_> {
    /// Rotates a loop with the instructions `moved` hoisted. Returns the new header, or `None`, without a change, if
    /// phis cannot be inserted.
    pub(super) fn rewrite(&mut self, rotated: &Rotated, moved: &[InstructionId]) -> Option<BlockId> {
        let (before, order) = (self.body.clone(), self.order.clone());
        let made = self.try_rewrite(rotated, moved);
        if made.is_none() {
            (self.body, self.order) = (before, order);
        }
        made
    }

    fn try_rewrite(&mut self, rotated: &Rotated, moved: &[InstructionId]) -> Option<BlockId> {
        let Rotated { preheader, header, next, latch } = *rotated;
        let branch = self.body.terminator(preheader)?;
        for id in moved {
            self.body.move_to(*id, Place::Before(branch));
        }
        self.sink_projections(header);
        let ownership = self.ownership_of(header);
        let copies = self.copy_header(rotated, branch)?;
        let edges = self.split_edges(rotated);
        self.bring_values(rotated, &ownership, &copies)?;
        let is_jump = self.body.terminator(latch).map(|end| self.body.instructions[end].opcode) == Some(Opcode::Br);
        if header != latch {
            self.order.retain(|block| *block != header);
            if is_jump {
                merge_into(&mut self.body, latch, header);
            } else {
                self.insert_after(latch, header);
            }
        }
        for (from, edge) in edges {
            let is_gone = from == header && header != latch && is_jump;
            self.insert_after(if is_gone { latch } else { from }, edge);
        }
        Some(next)
    }

    fn insert_after(&mut self, place: BlockId, block: BlockId) {
        let place = self.order.iter().position(|found| *found == place);
        self.order.insert(place.map_or(self.order.len(), |place| place + 1), block);
    }

    fn sink_projections(&mut self, header: BlockId) {
        let environment = self.environment;
        for id in self.body.instructions_in(header).collect::<Vec<_>>() {
            let view = BodyView::new(environment.module, environment.queries, environment.function, &self.body);
            if let Some(projections) = Projections::of_results(&view, id) {
                projections.sink(&mut self.body);
            }
        }
    }

    /// The values of the header with their ownership.
    fn ownership_of(&self, header: BlockId) -> Vec<(Value, Ownership)> {
        let environment = self.environment;
        let view = BodyView::new(environment.module, environment.queries, environment.function, &self.body);
        let results = self.body.instructions_in(header).flat_map(|id| self.body.results(id));
        let values = self.body.blocks[header].arguments.iter().copied().chain(results);
        values.map(|value| (value, view.ownership(value))).collect()
    }

    /// Clones the header to the end of the preheader. Returns the value map.
    fn copy_header(&mut self, rotated: &Rotated, branch: InstructionId) -> Option<FxHashMap<Value, Value>> {
        let passed = Br::get(&self.body, branch)?.arguments.to_vec();
        let received = self.body.blocks[rotated.header].arguments.clone();
        let mut copies: FxHashMap<Value, Value> = received.into_iter().zip(passed).collect();
        for id in self.body.instructions_in(rotated.header).collect::<Vec<_>>() {
            if let Some(Borrowed { value, .. }) = Borrowed::get(&self.body, id) {
                let copy = copies.get(&value).copied().unwrap_or(value);
                copies.extend(self.body.result(id).map(|result| (result, copy)));
                continue;
            }
            let copy = copy_before(&mut self.body, branch, id, &copies);
            copies.extend(self.body.results(id).zip(self.body.results(copy)));
        }
        self.body.erase(branch);
        Some(copies)
    }

    /// Splits the critical edges from both tests. Returns the new blocks with their predecessors.
    fn split_edges(&mut self, rotated: &Rotated) -> Vec<(BlockId, BlockId)> {
        let Rotated { preheader, header, .. } = *rotated;
        let cfg = ControlFlowGraph::new(&self.body);
        let count = self.body.blocks.len();
        let is_critical =
            |from: BlockId, to: BlockId| (from == preheader || from == header) && cfg.predecessors(to).len() > 1;
        critical_edges::split_edges(&mut self.body, is_critical);
        let cfg = ControlFlowGraph::new(&self.body);
        let edges = self.body.blocks.keys().skip(count);
        edges.filter_map(|edge| Some((cfg.single_predecessor(edge)?, edge))).collect()
    }

    /// Replaces the uses of the header's values outside of it with phis of the header and its clone.
    fn bring_values(
        &mut self,
        rotated: &Rotated,
        values: &[(Value, Ownership)],
        copies: &FxHashMap<Value, Value>,
    ) -> Option<()> {
        let Rotated { preheader, header, .. } = *rotated;
        let cfg = ControlFlowGraph::new(&self.body);
        for (value, ownership) in values {
            let block_of = |id: InstructionId| self.body.instructions[id].block;
            let all = Uses::new(&self.body);
            let is_elsewhere = |user: InstructionId| block_of(user) != header && cfg.is_reachable(block_of(user));
            let uses: Vec<_> = all.of(*value).iter().copied().filter(|found| is_elsewhere(found.user)).collect();
            if uses.is_empty() {
                continue;
            }
            let available = FxHashMap::from_iter([(header, *value), (preheader, *copies.get(value)?)]);
            bring_to_uses(&mut self.body, &cfg, (*value, *ownership), &uses, &available)?;
        }
        Some(())
    }
}
