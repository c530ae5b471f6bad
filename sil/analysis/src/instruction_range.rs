//! A range of instructions from one to several others: those between them on all paths
//! (SwiftCompilerSources/Sources/Optimizer/DataStructures/InstructionRange.swift).

use rustc_hash::FxHashSet;
use sil_ir::model::{BlockId, Body, Definition, InstructionId, Value};

use super::{BlockRange, ControlFlowGraph};

/// The instructions from where a value is there, without those that end the range.
pub struct InstructionRange<'a> {
    body: &'a Body,
    cfg: &'a ControlFlowGraph,
    blocks: BlockRange,
    /// Instructions in the first block and in those of the ends, as far as they are in the range.
    instructions: FxHashSet<InstructionId>,
    inserted: FxHashSet<InstructionId>,
    begin: Option<InstructionId>,
}

/// How a range and a path overlap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathOverlap {
    /// The path is within the range.
    ContainsPath,
    /// The path begins in the range and leaves it.
    ContainsBegin,
    /// The path ends in the range.
    ContainsEnd,
    /// The range lies on the path.
    OverlappedByPath,
    /// They share nothing.
    Disjoint,
}

impl<'a> InstructionRange<'a> {
    /// The range that begins with the definition of `value`; none for an undefined one.
    pub fn new(body: &'a Body, cfg: &'a ControlFlowGraph, value: Value) -> Option<Self> {
        let (begin_block, begin) = match body.values[value].definition {
            Definition::Result { instruction, .. } => (body.instructions[instruction].block, Some(instruction)),
            Definition::Argument { block, .. } => (block, None),
            Definition::Undef => return None,
        };
        Some(Self {
            body,
            cfg,
            blocks: BlockRange::new(begin_block),
            instructions: begin.into_iter().collect(),
            inserted: FxHashSet::default(),
            begin,
        })
    }

    /// The range that begins with `begin`.
    pub fn beginning_with(body: &'a Body, cfg: &'a ControlFlowGraph, begin: InstructionId) -> Self {
        Self {
            body,
            cfg,
            blocks: BlockRange::new(body.instructions[begin].block),
            instructions: FxHashSet::from_iter([begin]),
            inserted: FxHashSet::default(),
            begin: Some(begin),
        }
    }

    /// Extends the range to `end`.
    pub fn insert(&mut self, end: InstructionId) {
        self.inserted.insert(end);
        let block = self.body.instructions[end].block;
        self.insert_up_to(self.body.previous(end));
        if block != self.blocks.begin() {
            self.insert_up_to(self.body.terminator(self.blocks.begin()));
        }
        self.blocks.insert(self.cfg, block);
    }

    /// The blocks.
    pub fn blocks(&self) -> &BlockRange {
        &self.blocks
    }

    /// The instruction that the range begins with; none where it begins with a block.
    pub fn begin(&self) -> Option<InstructionId> {
        self.begin
    }

    /// The last instructions of the range on each way: those that were inserted and that lead to no other ones.
    pub fn ends(&self) -> Vec<InstructionId> {
        let last = |block| self.body.instructions_in(block).rfind(|id| self.inserted.contains(id));
        self.blocks.ends().filter_map(last).collect()
    }

    /// The inserted instructions that do not end the range.
    pub fn interiors(&self) -> Vec<InstructionId> {
        let mut found = Vec::new();
        for block in self.blocks.inserted() {
            let inserted = self.body.instructions_in(*block).rev().filter(|id| self.inserted.contains(id));
            let ends = usize::from(!self.blocks.contains(*block));
            found.extend(inserted.skip(ends));
        }
        found
    }

    fn insert_up_to(&mut self, last: Option<InstructionId>) {
        let backwards = std::iter::successors(last, |id| self.body.previous(*id));
        for id in backwards {
            if !self.instructions.insert(id) {
                return;
            }
        }
    }

    /// Whether `id` is in the range and does not end it.
    pub fn contains(&self, id: InstructionId) -> bool {
        let block = self.body.instructions[id].block;
        self.instructions.contains(&id) || block != self.blocks.begin() && self.blocks.contains(block)
    }

    /// Whether `id` is in the range or ends it.
    pub fn contains_or_ends(&self, id: InstructionId) -> bool {
        self.contains(id) || self.inserted.contains(&id)
    }

    /// The first instructions of the blocks by which paths leave the range before its ends.
    pub fn exits(&self) -> Vec<InstructionId> {
        let first = |block: &BlockId| self.body.instructions_in(*block).next();
        self.blocks.exits(self.body).iter().filter_map(first).collect()
    }

    /// How the range overlaps with the path from `begin` up to `end`, which `begin` dominates.
    pub fn overlap(&self, begin: InstructionId, end: InstructionId) -> PathOverlap {
        match (self.contains(begin), self.contains(end)) {
            (true, true) => return PathOverlap::ContainsPath,
            (true, false) => return PathOverlap::ContainsBegin,
            (false, true) if self.begin == Some(end) => return PathOverlap::Disjoint,
            (false, true) => return PathOverlap::ContainsEnd,
            (false, false) => {}
        }
        let (first, last) = (self.body.instructions[begin].block, self.body.instructions[end].block);
        let mut seen = FxHashSet::from_iter([last]);
        let mut open = vec![last];
        while let Some(block) = open.pop() {
            if self.blocks.contains_or_ends(block) {
                let from = if block == last { Some(end) } else { self.body.terminator(block) };
                let mut backwards = std::iter::successors(from, |id| self.body.previous(*id));
                let met = backwards.find(|id| *id == begin || self.contains(*id) || self.inserted.contains(id));
                let is_met = met.is_some_and(|id| id != begin);
                return if is_met { PathOverlap::OverlappedByPath } else { PathOverlap::Disjoint };
            }
            if block == first {
                return PathOverlap::Disjoint;
            }
            open.extend(self.cfg.predecessors(block).iter().filter(|block| seen.insert(**block)));
        }
        PathOverlap::Disjoint
    }
}
