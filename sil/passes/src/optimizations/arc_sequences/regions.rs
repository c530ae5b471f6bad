//! The loop regions of a function: for each loop, and for the function, the blocks that are in no inner loop, and each
//! inner loop as a single part. Follows lib/SILOptimizer/Analysis/LoopRegionAnalysis.cpp.

use rustc_hash::{FxHashMap, FxHashSet};
use sil_analysis::{ControlFlowGraph, Dominators, LoopId, LoopNest};
use sil_ir::model::{BlockId, InstructionId};

use crate::knowledge::reference_questions::Questions;

/// All regions of a function: inner loops before outer loops, the function last.
pub(super) struct Regions {
    pub(super) all: Vec<Region>,
    /// The index of each loop's region in `all`.
    loops: FxHashMap<LoopId, usize>,
}

/// The region of a loop or of the function.
pub(super) struct Region {
    /// The parts in reverse post-order.
    pub(super) parts: Vec<Part>,
    of: Option<LoopId>,
}

/// The kind of a part.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum PartKind {
    Block(BlockId),
    Loop(LoopId),
}

/// The edges at the start or end of a part.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Paths {
    /// All edges connect to other parts of the region.
    #[default]
    Known,
    /// An edge has unknown effects: it leaves a loop, is a back edge, or enters the middle of a loop.
    Unknown,
}

/// A block or an inner loop of a region.
pub(super) struct Part {
    pub(super) kind: PartKind,
    pub(super) predecessors: Vec<usize>,
    pub(super) successors: Vec<usize>,
    /// The incoming edges, for the top-down dataflow.
    pub(super) entry: Paths,
    /// The outgoing edges, for the bottom-up dataflow.
    pub(super) exit: Paths,
    /// Whether the program terminates here, so that no release is needed.
    pub(super) leaks: bool,
}

impl Part {
    fn new(kind: PartKind, leaks: bool) -> Self {
        Self { kind, predecessors: Vec::new(), successors: Vec::new(), entry: Paths::Known, exit: Paths::Known, leaks }
    }
}

impl Regions {
    /// The function as one region of blocks. Back edges are unknown.
    pub(super) fn of_blocks(questions: &Questions<'_>) -> Self {
        let (body, cfg) = (questions.view.body, &questions.view.cfg);
        let mut region = Region { parts: Vec::new(), of: None };
        let order = cfg.reverse_post_order();
        for block in order {
            region.parts.push(Part::new(PartKind::Block(*block), questions.ends_program(*block)));
        }
        let number: FxHashMap<BlockId, usize> = order.iter().copied().zip(0..).collect();
        for (from, block) in order.iter().enumerate() {
            let Some(end) = body.terminator(*block) else { continue };
            for to in body.targets(end).iter().filter_map(|target| number.get(target).copied()) {
                region.connect(from, to);
                if to <= from {
                    region.parts[from].exit = Paths::Unknown;
                    region.parts[to].entry = Paths::Unknown;
                }
            }
        }
        Self { all: vec![region], loops: FxHashMap::default() }
    }

    /// The regions of the function and its loops.
    pub(super) fn with_loops(questions: &Questions<'_>) -> Self {
        let (body, cfg) = (questions.view.body, &questions.view.cfg);
        let nest = LoopNest::new(body, cfg, &Dominators::new(body, cfg));
        let mut regions = Self { all: Vec::new(), loops: FxHashMap::default() };
        let ids: Vec<Option<LoopId>> = (0..nest.loops.len()).rev().map(Some).chain([None]).collect();
        for id in ids {
            if let Some(id) = id {
                regions.loops.insert(id, regions.all.len());
            }
            regions.all.push(Region::new(questions, cfg, &nest, id));
        }
        regions
    }

    /// The region of a loop.
    pub(super) fn of_loop(&self, id: LoopId) -> Option<&Region> {
        self.all.get(*self.loops.get(&id)?)
    }
}

impl Region {
    /// Returns whether the region is a loop.
    pub(super) fn is_loop(&self) -> bool {
        self.of.is_some()
    }

    fn new(questions: &Questions<'_>, cfg: &ControlFlowGraph, nest: &LoopNest, of: Option<LoopId>) -> Self {
        let body = questions.view.body;
        let is_within = |block: BlockId| of.is_none_or(|id| nest.contains(id, block));
        let part_of = |block: BlockId| {
            let mut inner = nest.innermost(block);
            if inner == of {
                return PartKind::Block(block);
            }
            while let Some(id) = inner
                && nest.loops[id].parent != of
            {
                inner = nest.loops[id].parent;
            }
            inner.map_or(PartKind::Block(block), PartKind::Loop)
        };
        let mut region = Region { parts: Vec::new(), of };
        let mut number: FxHashMap<PartKind, usize> = FxHashMap::default();
        for block in cfg.reverse_post_order().iter().copied().filter(|block| is_within(*block)) {
            let kind = part_of(block);
            number.entry(kind).or_insert_with(|| {
                let leaks = kind == PartKind::Block(block) && questions.ends_program(block);
                region.parts.push(Part::new(kind, leaks));
                region.parts.len() - 1
            });
        }
        let header = of.map(|id| nest.loops[id].header);
        let mut odd = Vec::new();
        for block in cfg.reverse_post_order().iter().copied().filter(|block| is_within(*block)) {
            let Some(end) = body.terminator(block) else { continue };
            let from = number[&part_of(block)];
            for target in body.targets(end) {
                if !is_within(*target) {
                    if !questions.ends_program(*target) {
                        region.parts[from].exit = Paths::Unknown;
                    }
                } else if Some(*target) != header {
                    let to = number[&part_of(*target)];
                    if to < from {
                        odd.push((from, to));
                    } else if to > from {
                        region.connect(from, to);
                    }
                }
            }
        }
        // These edges belong to no natural loop, so the states at both ends are unknown.
        for (from, to) in odd {
            let (heads, tails) = (region.parts[from].successors.clone(), region.parts[to].predecessors.clone());
            heads.into_iter().chain([to]).for_each(|part| region.parts[part].entry = Paths::Unknown);
            tails.into_iter().chain([from]).for_each(|part| region.parts[part].exit = Paths::Unknown);
        }
        region
    }

    fn connect(&mut self, from: usize, to: usize) {
        if !self.parts[from].successors.contains(&to) {
            self.parts[from].successors.push(to);
            self.parts[to].predecessors.push(from);
        }
    }

    /// The instructions of the region's own blocks that affect reference count states.
    pub(super) fn own_instructions(&self, questions: &Questions<'_>) -> Vec<InstructionId> {
        let blocks = self.parts.iter().filter_map(|part| match part.kind {
            PartKind::Block(block) => Some(block),
            PartKind::Loop(_) => None,
        });
        let body = questions.view.body;
        blocks.flat_map(|block| body.instructions_in(block)).filter(|id| questions.is_interesting(*id)).collect()
    }

    /// The instructions of the region and its inner loops that affect reference count states, without the removed ones.
    pub(super) fn instructions(
        &self,
        regions: &Regions,
        questions: &Questions<'_>,
        removed: &FxHashSet<InstructionId>,
    ) -> Vec<InstructionId> {
        let mut found = Vec::new();
        for part in &self.parts {
            match part.kind {
                PartKind::Block(block) => {
                    let own = questions.view.body.instructions_in(block);
                    found.extend(own.filter(|id| questions.is_interesting(*id) && !removed.contains(id)));
                }
                PartKind::Loop(id) => {
                    if let Some(inner) = regions.of_loop(id) {
                        found.extend(inner.instructions(regions, questions, removed));
                    }
                }
            }
        }
        found
    }
}
