//! The control-flow graph of a body: predecessors, reachability, reverse post-order. Successors stand in the
//! terminators.

use cranelift_entity::{EntityRef, SecondaryMap};

use sil_ir::model::{BlockId, Body};

/// Predecessors of each block, and the blocks that the entry reaches. Computed once; a change of the body makes it
/// stale.
#[derive(Clone)]
pub struct ControlFlowGraph {
    /// Where the predecessors of a block start in `predecessors`; one more entry than blocks.
    starts: Vec<u32>,
    predecessors: Vec<BlockId>,
    reverse_post_order: Vec<BlockId>,
    /// The position in `reverse_post_order`; `UNREACHABLE` for blocks that are not in it.
    numbers: SecondaryMap<BlockId, u32>,
}

const UNREACHABLE: u32 = u32::MAX;

impl ControlFlowGraph {
    /// How many blocks the body has.
    pub fn block_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Computes the graph of `body`, in time linear in its blocks and edges.
    pub fn new(body: &Body) -> Self {
        let (starts, predecessors) = collect_predecessors(body);
        let reverse_post_order = reverse_post_order(body);
        let mut numbers = SecondaryMap::with_default(UNREACHABLE);
        for (number, block) in (0..).zip(&reverse_post_order) {
            numbers[*block] = number;
        }
        Self { starts, predecessors, reverse_post_order, numbers }
    }

    /// The blocks that branch to `block`, one per edge, in the order of the blocks.
    pub fn predecessors(&self, block: BlockId) -> &[BlockId] {
        let index = block.index();
        match (self.starts.get(index), self.starts.get(index + 1)) {
            (Some(start), Some(end)) => &self.predecessors[*start as usize..*end as usize],
            _ => &[],
        }
    }

    /// The only predecessor of `block`, where exactly one edge leads to it.
    pub fn single_predecessor(&self, block: BlockId) -> Option<BlockId> {
        match self.predecessors(block) {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// The reachable blocks: each before those that it dominates.
    pub fn reverse_post_order(&self) -> &[BlockId] {
        &self.reverse_post_order
    }

    /// The position of `block` in the reverse post-order, from 0; none where it cannot be reached.
    pub fn number(&self, block: BlockId) -> Option<u32> {
        Some(self.numbers[block]).filter(|number| *number != UNREACHABLE)
    }

    /// Whether a path leads from the entry to `block`.
    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.numbers[block] != UNREACHABLE
    }
}

/// The successors of `block`.
pub(super) fn successors(body: &Body, block: BlockId) -> &[BlockId] {
    body.terminator(block).map_or(&[], |terminator| body.targets(terminator))
}

fn collect_predecessors(body: &Body) -> (Vec<u32>, Vec<BlockId>) {
    let mut starts = vec![0u32; body.blocks.len() + 1];
    for block in body.blocks.keys() {
        for target in successors(body, block) {
            starts[target.index() + 1] += 1;
        }
    }
    for index in 1..starts.len() {
        starts[index] += starts[index - 1];
    }
    let mut next = starts.clone();
    let mut predecessors = vec![BlockId::from_u32(0); starts[body.blocks.len()] as usize];
    for block in body.blocks.keys() {
        for target in successors(body, block) {
            let at = &mut next[target.index()];
            predecessors[*at as usize] = block;
            *at += 1;
        }
    }
    (starts, predecessors)
}

fn reverse_post_order(body: &Body) -> Vec<BlockId> {
    if body.blocks.is_empty() {
        return Vec::new();
    }
    let mut seen = vec![false; body.blocks.len()];
    seen[body.entry().index()] = true;
    let mut order = Vec::with_capacity(body.blocks.len());
    let mut stack = vec![(body.entry(), 0)];
    while let Some((block, next)) = stack.last_mut() {
        match successors(body, *block).get(*next) {
            Some(target) => {
                *next += 1;
                if !std::mem::replace(&mut seen[target.index()], true) {
                    stack.push((*target, 0));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}
