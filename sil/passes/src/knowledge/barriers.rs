//! Barriers on the backward paths from instructions: the positions to which these could be hoisted on all paths
//! (include/swift/SILOptimizer/Analysis/Reachability.h).

use rustc_hash::FxHashSet;

use sil_analysis::ControlFlowGraph;
use sil_ir::model::{BlockId, Body, InstructionId};

/// The ends of the backward paths.
#[derive(Default, Debug)]
pub(crate) struct Barriers {
    /// The path ends after these instructions.
    pub(crate) instructions: Vec<InstructionId>,
    /// The path ends at the start of these blocks, whose phis are passed through a barrier.
    pub(crate) phis: Vec<BlockId>,
    /// The path ends at the start of these blocks: another successor of the predecessor is blocked.
    pub(crate) edges: Vec<BlockId>,
    /// The path ends at the start of these blocks, which have no further predecessors to search.
    pub(crate) first: Vec<BlockId>,
    /// The instructions on the paths.
    pub(crate) passed: FxHashSet<InstructionId>,
}

/// The backward search from the roots.
struct Search<'a, F> {
    body: &'a Body,
    cfg: &'a ControlFlowGraph,
    roots: FxHashSet<InstructionId>,
    /// The block that the search does not leave, apart from the entry.
    stop: Option<BlockId>,
    is_barrier: F,
    /// The blocks on the paths, in the order of their discovery.
    blocks: Vec<BlockId>,
    /// The blocks from whose start all forward paths reach roots without a barrier, as far as is known.
    open_starts: FxHashSet<BlockId>,
}

/// The effect of a block on the backward paths through it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// The paths continue.
    None,
    /// The paths end.
    Barrier,
    /// New paths begin.
    Root,
}

/// Searches backward from `roots` to the first barriers, without leaving the block `stop`.
pub(crate) fn find_barriers(
    body: &Body,
    cfg: &ControlFlowGraph,
    roots: &[InstructionId],
    stop: Option<BlockId>,
    is_barrier: impl Fn(InstructionId) -> bool,
) -> Barriers {
    let mut search = Search {
        body,
        cfg,
        roots: roots.iter().copied().collect(),
        stop,
        is_barrier,
        blocks: Vec::new(),
        open_starts: FxHashSet::default(),
    };
    search.discover(roots);
    search.solve();
    search.barriers(roots)
}

impl<F: Fn(InstructionId) -> bool> Search<'_, F> {
    fn is_last(&self, block: BlockId) -> bool {
        self.stop == Some(block) || block == self.body.entry()
    }

    fn discover(&mut self, roots: &[InstructionId]) {
        let mut open = Vec::new();
        for root in roots {
            let block = self.body.instructions[*root].block;
            if !self.blocks.contains(&block) {
                self.blocks.push(block);
            }
            if self.effect_before(*root) == Effect::None && !open.contains(&block) {
                open.push(block);
            }
        }
        // The search continues through blocks without barriers.
        let mut seen: FxHashSet<BlockId> = FxHashSet::default();
        while let Some(block) = open.pop() {
            if !seen.insert(block) || self.is_last(block) {
                continue;
            }
            for predecessor in self.cfg.predecessors(block) {
                if !self.blocks.contains(predecessor) {
                    self.blocks.push(*predecessor);
                }
                if self.effect(*predecessor) != Effect::Barrier {
                    open.push(*predecessor);
                }
            }
        }
    }

    fn effect_of(&self, id: InstructionId) -> Effect {
        if self.roots.contains(&id) {
            Effect::Root
        } else if (self.is_barrier)(id) {
            Effect::Barrier
        } else {
            Effect::None
        }
    }

    /// Returns the first effect on the backward path from an instruction in its block.
    fn effect_before(&self, id: InstructionId) -> Effect {
        let mut before = std::iter::successors(self.body.previous(id), |id| self.body.previous(*id));
        let met = before.find_map(|id| Some(self.effect_of(id)).filter(|effect| *effect != Effect::None));
        met.unwrap_or_else(|| self.phi_effect(self.body.instructions[id].block))
    }

    fn has_phis(&self, block: BlockId) -> bool {
        let is_jump =
            |terminator: InstructionId| self.body.instructions[terminator].opcode == sil_ir::instructions::Opcode::Br;
        let mut predecessors = self.cfg.predecessors(block).iter();
        block != self.body.entry()
            && !self.body.blocks[block].arguments.is_empty()
            && predecessors.all(|predecessor| self.body.terminator(*predecessor).is_some_and(is_jump))
    }

    fn phi_effect(&self, block: BlockId) -> Effect {
        let mut branches = self.cfg.predecessors(block).iter().filter_map(|block| self.body.terminator(*block));
        let is_barrier = self.has_phis(block) && branches.any(|branch| (self.is_barrier)(branch));
        if is_barrier { Effect::Barrier } else { Effect::None }
    }

    /// Returns the effect of the whole block, which is that of its first instruction with an effect.
    fn effect(&self, block: BlockId) -> Effect {
        if self.phi_effect(block) == Effect::Barrier {
            return Effect::Barrier;
        }
        let mut effects = self.body.instructions_in(block).map(|id| self.effect_of(id));
        effects.find(|effect| *effect != Effect::None).unwrap_or(Effect::None)
    }

    /// Assumes that all starts are open, and removes the closed ones until nothing changes.
    fn solve(&mut self) {
        let passing: Vec<(BlockId, Effect)> = self.blocks.iter().map(|block| (*block, self.effect(*block))).collect();
        self.open_starts =
            passing.iter().filter(|(_, effect)| *effect != Effect::Barrier).map(|(block, _)| *block).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for (block, effect) in &passing {
                if *effect == Effect::None && !self.is_open_end(*block) && self.open_starts.remove(block) {
                    changed = true;
                }
            }
        }
    }

    /// Returns whether all forward paths from the end of a block lead to roots.
    fn is_open_end(&self, block: BlockId) -> bool {
        let targets = self.body.terminator(block).map_or(&[][..], |terminator| self.body.targets(terminator));
        !targets.is_empty() && targets.iter().all(|target| self.open_starts.contains(target) && !self.is_last(*target))
    }

    fn barriers(&self, roots: &[InstructionId]) -> Barriers {
        let mut barriers = Barriers::default();
        for root in roots {
            self.add_from(self.body.instructions[*root].block, self.body.previous(*root), &mut barriers);
        }
        for block in self.blocks.iter().filter(|block| self.is_open_end(**block)) {
            self.add_from(*block, self.body.terminator(*block), &mut barriers);
        }
        barriers
    }

    /// Adds the end of a backward path from `last`, inclusive.
    fn add_from(&self, block: BlockId, last: Option<InstructionId>, barriers: &mut Barriers) {
        for id in std::iter::successors(last, |id| self.body.previous(*id)) {
            match self.effect_of(id) {
                Effect::None => {
                    barriers.passed.insert(id);
                }
                Effect::Root => return,
                Effect::Barrier => return barriers.instructions.push(id),
            }
        }
        if self.phi_effect(block) == Effect::Barrier {
            barriers.phis.push(block);
        } else if self.is_last(block) {
            barriers.first.push(block);
        } else if self.cfg.predecessors(block).iter().any(|predecessor| !self.is_open_end(*predecessor)) {
            barriers.edges.push(block);
        }
    }
}
