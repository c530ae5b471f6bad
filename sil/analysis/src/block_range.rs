//! A range of blocks from one to several others: all that lie on paths between
//! (SwiftCompilerSources/Sources/Optimizer/DataStructures/BasicBlockRange.swift).

use rustc_hash::FxHashSet;
use sil_ir::model::{BlockId, Body};

use super::ControlFlowGraph;
use super::cfg::successors;

/// The blocks from `begin`, which is to dominate them, to those that were inserted.
pub struct BlockRange {
    begin: BlockId,
    /// In the order in which they were inserted.
    inserted: Vec<BlockId>,
    /// Those that lead to others of the range.
    exclusive: FxHashSet<BlockId>,
    /// All, the ends too, in the order in which they were found.
    inclusive: Vec<BlockId>,
    found: FxHashSet<BlockId>,
    /// Those whose predecessors are still to be found: `begin`, before anything is inserted.
    open: Vec<BlockId>,
}

impl BlockRange {
    /// The range of nothing but `begin`.
    pub fn new(begin: BlockId) -> Self {
        Self {
            begin,
            inserted: Vec::new(),
            exclusive: FxHashSet::default(),
            inclusive: Vec::new(),
            found: FxHashSet::from_iter([begin]),
            open: vec![begin],
        }
    }

    /// Where the range begins.
    pub fn begin(&self) -> BlockId {
        self.begin
    }

    /// Extends the range to `end`.
    pub fn insert(&mut self, cfg: &ControlFlowGraph, end: BlockId) {
        if !self.inserted.contains(&end) {
            self.inserted.push(end);
        }
        self.open.extend(self.found.insert(end).then_some(end));
        while let Some(block) = self.open.pop() {
            self.inclusive.push(block);
            // The predecessors of `begin` lie before the range.
            let predecessors = if block == self.begin { &[][..] } else { cfg.predecessors(block) };
            for predecessor in predecessors.iter().rev() {
                self.exclusive.insert(*predecessor);
                self.open.extend(self.found.insert(*predecessor).then_some(*predecessor));
            }
        }
    }

    /// Whether `block` leads to others of the range.
    pub fn contains(&self, block: BlockId) -> bool {
        self.exclusive.contains(&block)
    }

    /// Whether `block` is in the range or ends it.
    pub fn contains_or_ends(&self, block: BlockId) -> bool {
        self.found.contains(&block)
    }

    /// Whether `begin` dominates the range.
    pub fn is_valid(&self, body: &Body) -> bool {
        self.begin == body.entry() || !self.found.contains(&body.entry())
    }

    /// All blocks, the ends too.
    pub fn blocks(&self) -> &[BlockId] {
        &self.inclusive
    }

    /// The inserted blocks.
    pub fn inserted(&self) -> &[BlockId] {
        &self.inserted
    }

    /// The inserted blocks that lead to no other ones of the range.
    pub fn ends(&self) -> impl Iterator<Item = BlockId> {
        self.inserted.iter().copied().filter(|block| !self.exclusive.contains(block))
    }

    /// The blocks by which paths leave the range before its ends.
    pub fn exits(&self, body: &Body) -> Vec<BlockId> {
        let leading = self.inclusive.iter().filter(|block| self.exclusive.contains(block));
        let targets = leading.flat_map(|block| successors(body, *block)).copied();
        let mut seen = FxHashSet::default();
        let is_exit = |block: &BlockId| !self.found.contains(block) || *block == self.begin;
        targets.filter(|block| is_exit(block) && seen.insert(*block)).collect()
    }
}
