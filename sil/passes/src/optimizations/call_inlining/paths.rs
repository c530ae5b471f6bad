//! Computes the shortest path through each block of a function and of each of its loops. Blocks on long paths are
//! assumed to run rarely, blocks in loops often (lib/SILOptimizer/Utils/PerformanceInlinerUtils.cpp,
//! `ShortestPathAnalysis`).

use cranelift_entity::SecondaryMap;
use sil_analysis::{ApplyKind, ControlFlowGraph, Dominators, LoopId, LoopNest};
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, Body, InstructionId};
use sil_ir::types::TypeQueries;

use super::cost::inline_cost;
use crate::knowledge::cold_blocks::ColdBlocks;

/// The length of a cold block.
const COLD_BLOCK_LENGTH: i32 = 1000;
/// The assumed trip count of a loop.
const LOOP_COUNT: i32 = 10;
/// Deeper loops are treated like loops of this depth.
const MAXIMUM_LOOP_LEVELS: usize = 4;
const SINGLE_LOOP_WEIGHT: i32 = 4;
/// A length that exceeds all real path lengths.
const UNREACHED: i32 = 1 << 29;
/// Functions with more blocks are not analysed.
const BLOCK_LIMIT: usize = 2000;

/// The assumed length of an unknown callee.
pub(super) const DEFAULT_CALL_LENGTH: i32 = 10;

/// The weight of a block.
#[derive(Clone, Copy)]
pub(super) struct Weight {
    length: i32,
    loops: i32,
}

impl Weight {
    /// The weight of the function itself.
    pub(super) const NONE: Self = Self { length: 0, loops: 0 };

    pub(super) fn with_more_loops(self, more: i32) -> Self {
        Self { loops: self.loops + more, ..self }
    }

    /// Raises `benefit` to the benefit of something of this `importance` in such a block, if that is more.
    pub(super) fn update(self, benefit: &mut i32, importance: i32) {
        let by_loops = match self.length {
            321.. => 0,
            161.. => self.loops * 4,
            81.. => self.loops * 8,
            41.. => self.loops * 12,
            21.. => self.loops * 16,
            _ => 20 + self.loops * 16,
        };
        *benefit = (*benefit).max(importance + by_loops);
    }
}

#[derive(Clone, Copy)]
struct Distances {
    from_entry: i32,
    to_exit: i32,
    /// The length of the loop with this header, at the level of the enclosing loop.
    loop_length: i32,
}

#[derive(Clone)]
struct BlockPaths {
    length: i32,
    levels: [Distances; MAXIMUM_LOOP_LEVELS],
}

impl Default for BlockPaths {
    fn default() -> Self {
        let unreached = Distances { from_entry: UNREACHED, to_exit: UNREACHED, loop_length: 0 };
        Self { length: 0, levels: [unreached; MAXIMUM_LOOP_LEVELS] }
    }
}

/// The shortest paths of a body.
pub(super) struct ShortestPaths {
    nest: LoopNest,
    blocks: Option<SecondaryMap<BlockId, BlockPaths>>,
}

impl ShortestPaths {
    /// Computes the shortest paths of `body`. `call_length` returns the length of a call's callee.
    pub(super) fn new(
        queries: &TypeQueries<'_>,
        body: &Body,
        cfg: &ControlFlowGraph,
        dominators: &Dominators,
        cold: &ColdBlocks,
        mut call_length: impl FnMut(InstructionId) -> i32,
    ) -> Self {
        let nest = LoopNest::new(body, cfg, dominators);
        if body.blocks.len() > BLOCK_LIMIT {
            return Self { nest, blocks: None };
        }
        let mut blocks: SecondaryMap<BlockId, BlockPaths> = SecondaryMap::new();
        for block in body.blocks.keys() {
            let length = match cold.contain(block) {
                true => COLD_BLOCK_LENGTH,
                false => body
                    .instructions_in(block)
                    .map(|id| match ApplyKind::of(body.instructions[id].opcode) {
                        Some(kind) if kind.is_full() => call_length(id),
                        _ => inline_cost(queries, body, id),
                    })
                    .sum(),
            };
            let info = &mut blocks[block];
            info.length = length;
            if block == body.entry() {
                info.levels[0].from_entry = 0;
            }
            match body.terminator(block).map(|id| body.instructions[id].opcode) {
                Some(Opcode::Return) => info.levels[0].to_exit = length,
                Some(Opcode::Throw | Opcode::ThrowAddr) => info.levels[0].to_exit = length + COLD_BLOCK_LENGTH,
                _ => {}
            }
        }
        let mut solver = Solver { body, cfg, nest: &nest, blocks };
        // Inner loops come after their outer loops.
        for id in (0..nest.loops.len()).rev() {
            solver.solve_loop(id);
        }
        let all: Vec<BlockId> = body.blocks.keys().collect();
        solver.solve(&all, 0);
        let blocks = Some(solver.blocks);
        Self { nest, blocks }
    }

    /// The length of the shortest path through `block` in its loop of the given depth. Depth 0 is the function.
    fn scope_length(&self, block: BlockId, depth: usize) -> i32 {
        let Some(blocks) = &self.blocks else { return COLD_BLOCK_LENGTH };
        let found = &blocks[block].levels[depth.min(MAXIMUM_LOOP_LEVELS - 1)];
        found.from_entry + found.to_exit
    }

    /// The length of the shortest path through the function. The default call length if no path leaves the function.
    pub(super) fn function_length(&self, body: &Body) -> i32 {
        Some(self.scope_length(body.entry(), 0)).filter(|length| *length < UNREACHED).unwrap_or(DEFAULT_CALL_LENGTH)
    }

    /// The weight of a block of a function that is called in a block of weight `caller`.
    pub(super) fn weight(&self, block: BlockId, caller: Weight) -> Weight {
        if self.blocks.is_none() {
            return Weight { length: caller.length + COLD_BLOCK_LENGTH, loops: caller.loops };
        }
        let Some(mut current) = self.nest.innermost(block) else {
            return Weight { length: caller.length + self.scope_length(block, 0), loops: caller.loops };
        };
        while self.nest.loops[current].depth >= MAXIMUM_LOOP_LEVELS
            && let Some(parent) = self.nest.loops[current].parent
        {
            current = parent;
        }
        let mut weight =
            Weight { length: self.scope_length(block, self.nest.loops[current].depth), loops: SINGLE_LOOP_WEIGHT };
        loop {
            let found = &self.nest.loops[current];
            let inner = self.scope_length(found.header, found.depth) * LOOP_COUNT;
            let mut outer_weight = SINGLE_LOOP_WEIGHT;
            let mut outer = self.scope_length(found.header, found.depth - 1);
            if found.depth == 1 {
                if caller.loops < SINGLE_LOOP_WEIGHT {
                    return weight;
                }
                outer = outer.max(caller.length);
                outer_weight = caller.loops;
            }
            // A loop that is a small part of its outer loop gains little from the outer loop.
            weight.loops += match outer {
                _ if outer < inner * 2 => outer_weight - 1,
                _ if outer < inner * 3 => outer_weight - 2,
                _ if outer < inner * 4 => outer_weight - 3,
                _ => return weight,
            };
            match found.parent {
                Some(parent) => current = parent,
                None => return weight,
            }
        }
    }
}

struct Solver<'s> {
    body: &'s Body,
    cfg: &'s ControlFlowGraph,
    nest: &'s LoopNest,
    blocks: SecondaryMap<BlockId, BlockPaths>,
}

impl Solver<'_> {
    fn solve_loop(&mut self, id: LoopId) {
        let found = &self.nest.loops[id];
        let (depth, header) = (found.depth, found.header);
        if depth >= MAXIMUM_LOOP_LEVELS {
            return;
        }
        let distances = &mut self.blocks[header].levels[depth];
        (distances.from_entry, distances.to_exit) = (0, 0);
        self.solve(&found.blocks, depth);
        let info = &self.blocks[header];
        let length = self.exit_distance(header, depth) + info.length + info.levels[depth].loop_length;
        self.blocks[header].levels[depth].to_exit = length;
        let counted = self.bypass(id).unwrap_or(header);
        self.blocks[counted].levels[depth - 1].loop_length = LOOP_COUNT * length;
    }

    fn solve(&mut self, blocks: &[BlockId], depth: usize) {
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for block in blocks {
                let distance = self.entry_distance(*block, depth);
                let found = &mut self.blocks[*block].levels[depth].from_entry;
                changed |= distance < *found;
                *found = distance.min(*found);
            }
        }
        changed = true;
        while std::mem::take(&mut changed) {
            for block in blocks.iter().rev() {
                let info = &self.blocks[*block];
                let own = info.length + info.levels[depth].loop_length;
                let distance = self.exit_distance(*block, depth) + own;
                let found = &mut self.blocks[*block].levels[depth].to_exit;
                changed |= distance < *found;
                *found = distance.min(*found);
            }
        }
    }

    fn entry_distance(&self, block: BlockId, depth: usize) -> i32 {
        let through = |from: &BlockId| {
            let info = &self.blocks[*from];
            info.levels[depth].from_entry + info.length + info.levels[depth].loop_length
        };
        self.cfg.predecessors(block).iter().map(through).min().unwrap_or(UNREACHED).min(UNREACHED)
    }

    fn exit_distance(&self, block: BlockId, depth: usize) -> i32 {
        let targets = self.body.terminator(block).map_or(&[][..], |terminator| self.body.targets(terminator));
        let distances = targets.iter().map(|target| self.blocks[*target].levels[depth].to_exit);
        distances.min().unwrap_or(UNREACHED).min(UNREACHED)
    }

    /// Returns the block with the edge that bypasses a loop with zero iterations. That edge is rarely taken, so it is
    /// ignored.
    fn bypass(&self, id: LoopId) -> Option<BlockId> {
        let preheader = self.nest.preheader(self.body, self.cfg, id)?;
        let before = self.cfg.single_predecessor(preheader)?;
        let branch = self.body.terminator(before).filter(|id| self.body.instructions[*id].opcode == Opcode::CondBr)?;
        let around = self.body.targets(branch).iter().copied().find(|target| *target != preheader)?;
        let leaves = |from: &BlockId| {
            let exiting = self.cfg.single_predecessor(*from).unwrap_or(*from);
            self.nest.contains(id, exiting)
        };
        self.cfg.predecessors(around).iter().any(leaves).then_some(before)
    }
}
