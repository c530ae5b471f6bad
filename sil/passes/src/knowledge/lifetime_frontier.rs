//! The frontier of a value's lifetime: after its last uses, and at the starts of blocks into which it is not live.

use cranelift_entity::EntityRef;

use sil_analysis::{ControlFlowGraph, DeadEndBlocks};
use sil_ir::model::{BlockId, Body, InstructionId, Place};

/// Returns the positions at which the lifetime of a value ends, given its `definition` and its `users`: each path from
/// the definition passes exactly one, except paths to dead ends. `None` if a position would be on an edge
/// (include/swift/SILOptimizer/Utils/ValueLifetime.h).
pub(crate) fn lifetime_frontier(body: &Body, definition: InstructionId, users: &[InstructionId]) -> Option<Vec<Place>> {
    frontier_or_edges(body, definition, users).ok()
}

/// The same, including paths to dead ends.
pub(crate) fn frontier_of_all_paths(
    body: &Body,
    definition: InstructionId,
    users: &[InstructionId],
) -> Option<Vec<Place>> {
    frontier(body, &ControlFlowGraph::new(body), definition, users, |_| false).ok()
}

/// Returns the positions, excluding paths to dead ends, or the edges on which positions would be needed.
pub(crate) fn frontier_or_edges(
    body: &Body,
    definition: InstructionId,
    users: &[InstructionId],
) -> Result<Vec<Place>, Vec<(BlockId, BlockId)>> {
    let cfg = ControlFlowGraph::new(body);
    let dead_ends = DeadEndBlocks::new(body, &cfg);
    frontier(body, &cfg, definition, users, |block| dead_ends.contains(block))
}

fn frontier(
    body: &Body,
    cfg: &ControlFlowGraph,
    definition: InstructionId,
    users: &[InstructionId],
    is_left_out: impl Fn(BlockId) -> bool,
) -> Result<Vec<Place>, Vec<(BlockId, BlockId)>> {
    let defined = body.instructions[definition].block;
    let live = LiveBlocks::new(body, cfg, defined, users);
    let (mut places, mut edges, mut leaving) = (Vec::new(), Vec::new(), Vec::new());
    for block in body.blocks.keys().filter(|block| live.is_live(*block) && !is_left_out(*block)) {
        let targets = body.terminator(block).map_or(&[][..], |terminator| body.targets(terminator));
        let goes_on = targets.iter().any(|target| live.is_live_in[target.index()]);
        if !goes_on {
            let last = body.instructions_in(block).rfind(|id| users.contains(id)).unwrap_or(definition);
            if Some(last) != body.terminator(block) {
                places.push(Place::After(last));
                continue;
            }
        }
        leaving.push(block);
        edges.extend(targets.iter().filter(|target| !live.is_live_in[target.index()] && !is_left_out(**target)));
    }
    edges.sort_unstable();
    edges.dedup();
    let mut critical = Vec::new();
    for block in edges {
        // The value is live out of some predecessors only, so the end belongs on those edges.
        if !cfg.predecessors(block).iter().all(|from| leaving.contains(from)) {
            let ends = cfg.predecessors(block).iter().filter(|from| leaving.contains(from));
            critical.extend(ends.map(|from| (*from, block)));
            continue;
        }
        places.push(Place::Start(block));
    }
    if critical.is_empty() { Ok(places) } else { Err(critical) }
}

/// The blocks in which a value is live.
struct LiveBlocks {
    defined: BlockId,
    /// Whether the value is live into a block.
    is_live_in: Vec<bool>,
}

impl LiveBlocks {
    fn new(body: &Body, cfg: &ControlFlowGraph, defined: BlockId, users: &[InstructionId]) -> Self {
        let mut is_live_in = vec![false; body.blocks.len()];
        let mut open: Vec<BlockId> = users.iter().map(|user| body.instructions[*user].block).collect();
        while let Some(block) = open.pop() {
            if block != defined && !std::mem::replace(&mut is_live_in[block.index()], true) {
                open.extend(cfg.predecessors(block));
            }
        }
        Self { defined, is_live_in }
    }

    fn is_live(&self, block: BlockId) -> bool {
        block == self.defined || self.is_live_in[block.index()]
    }
}
