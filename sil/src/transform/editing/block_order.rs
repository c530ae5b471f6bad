//! The order of blocks: what nothing else decides, since control flow does not depend on it.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, SecondaryMap};

use crate::analysis::ControlFlowGraph;
use crate::model::{BlockId, Body, Module};

/// The order of a body's blocks as a list: blocks come and go in constant time, and their numbers stay.
#[derive(Default)]
pub(in crate::transform) struct BlockOrder {
    links: SecondaryMap<BlockId, Links>,
    first: PackedOption<BlockId>,
    last: PackedOption<BlockId>,
    count: usize,
}

/// The neighbours of a block; a block without a place has none.
#[derive(Clone, Copy, Default)]
struct Links {
    is_placed: bool,
    previous: PackedOption<BlockId>,
    next: PackedOption<BlockId>,
}

impl BlockOrder {
    /// The order in which the body has its blocks.
    pub(in crate::transform) fn of(body: &Body) -> Self {
        let mut order = Self::default();
        body.blocks.keys().for_each(|block| order.push(block));
        order
    }

    /// The number of blocks that have a place.
    pub(in crate::transform) fn len(&self) -> usize {
        self.count
    }

    /// The blocks, in order.
    pub(in crate::transform) fn iter(&self) -> impl Iterator<Item = BlockId> {
        std::iter::successors(self.first.expand(), |block| self.links[*block].next.expand())
    }

    /// The blocks, in order, as a list that stays as it is.
    pub(in crate::transform) fn to_vec(&self) -> Vec<BlockId> {
        self.iter().collect()
    }

    /// Places a block after all others.
    pub(in crate::transform) fn push(&mut self, block: BlockId) {
        self.link(block, self.last.expand(), None);
    }

    /// Places a block directly after `other`, or after all others where that has no place.
    pub(in crate::transform) fn insert_after(&mut self, other: BlockId, block: BlockId) {
        match self.links[other] {
            Links { is_placed: true, next, .. } => self.link(block, Some(other), next.expand()),
            _ => self.push(block),
        }
    }

    /// Places a block directly before `other`, or after all others where that has no place.
    pub(in crate::transform) fn insert_before(&mut self, other: BlockId, block: BlockId) {
        match self.links[other] {
            Links { is_placed: true, previous, .. } => self.link(block, previous.expand(), Some(other)),
            _ => self.push(block),
        }
    }

    /// Takes a block out of the order, if it has a place.
    pub(in crate::transform) fn remove(&mut self, block: BlockId) {
        let Links { is_placed, previous, next } = std::mem::take(&mut self.links[block]);
        if !is_placed {
            return;
        }
        self.count -= 1;
        match previous.expand() {
            Some(previous) => self.links[previous].next = next,
            None => self.first = next,
        }
        match next.expand() {
            Some(next) => self.links[next].previous = previous,
            None => self.last = previous,
        }
    }

    fn link(&mut self, block: BlockId, previous: Option<BlockId>, next: Option<BlockId>) {
        debug_assert!(!self.links[block].is_placed);
        self.count += 1;
        self.links[block] = Links { is_placed: true, previous: previous.into(), next: next.into() };
        match previous {
            Some(previous) => self.links[previous].next = block.into(),
            None => self.first = block.into(),
        }
        match next {
            Some(next) => self.links[next].previous = block.into(),
            None => self.last = block.into(),
        }
    }
}

/// Brings the blocks of all functions into reverse post-order, as serialised modules have them, and removes those that the entry does not
/// reach.
pub fn sort_blocks(module: &mut Module) {
    for function in module.functions.values_mut() {
        let Some(body) = &mut function.body else { continue };
        body.remove_unreachable_blocks();
        let order = ControlFlowGraph::new(body).reverse_post_order().to_vec();
        body.reorder_blocks(&order);
    }
}

/// Lets the blocks that came to `count` others, to stand on edges, stand behind those that lead to them.
pub(in crate::transform) fn stand_behind_predecessors(body: &mut Body, count: usize) {
    let is_new = |block: &BlockId| block.index() >= count;
    let mut order = Vec::with_capacity(body.blocks.len());
    for block in body.blocks.keys().filter(|block| !is_new(block)) {
        order.push(block);
        let targets = body.terminator(block).map_or(&[][..], |end| body.targets(end));
        order.extend(targets.iter().filter(|target| is_new(target)));
    }
    body.reorder_blocks(&order);
}
