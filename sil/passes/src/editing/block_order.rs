//! The order of blocks. The control flow does not determine it.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, SecondaryMap};

use sil_analysis::ControlFlowGraph;
use sil_ir::model::{BlockId, Body, Module};

/// The block order of a body as a linked list. Blocks are inserted and removed in constant time, and keep their ids.
#[derive(Default)]
pub(crate) struct BlockOrder {
    links: SecondaryMap<BlockId, Links>,
    first: PackedOption<BlockId>,
    last: PackedOption<BlockId>,
    count: usize,
}

/// The neighbours of a block. A block that is not in the list has none.
#[derive(Clone, Copy, Default)]
struct Links {
    is_placed: bool,
    previous: PackedOption<BlockId>,
    next: PackedOption<BlockId>,
}

impl BlockOrder {
    /// The block order of the body.
    pub(crate) fn of(body: &Body) -> Self {
        let mut order = Self::default();
        body.blocks.keys().for_each(|block| order.push(block));
        order
    }

    /// The number of blocks in the list.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// The blocks, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = BlockId> {
        std::iter::successors(self.first.expand(), |block| self.links[*block].next.expand())
    }

    /// A snapshot of the blocks, in order.
    pub(crate) fn to_vec(&self) -> Vec<BlockId> {
        self.iter().collect()
    }

    /// Appends a block.
    pub(crate) fn push(&mut self, block: BlockId) {
        self.link(block, self.last.expand(), None);
    }

    /// Inserts a block directly after `other`, or appends it if `other` is not in the list.
    pub(crate) fn insert_after(&mut self, other: BlockId, block: BlockId) {
        match self.links[other] {
            Links { is_placed: true, next, .. } => self.link(block, Some(other), next.expand()),
            _ => self.push(block),
        }
    }

    /// Inserts a block directly before `other`, or appends it if `other` is not in the list.
    pub(crate) fn insert_before(&mut self, other: BlockId, block: BlockId) {
        match self.links[other] {
            Links { is_placed: true, previous, .. } => self.link(block, previous.expand(), Some(other)),
            _ => self.push(block),
        }
    }

    /// Removes a block from the list, if it is there.
    pub(crate) fn remove(&mut self, block: BlockId) {
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

/// Sorts the blocks of all functions in reverse post-order, as in serialised modules, and removes unreachable blocks.
pub fn sort_blocks(module: &mut Module) {
    for function in module.functions.values_mut() {
        let Some(body) = &mut function.body else { continue };
        body.remove_unreachable_blocks();
        let order = ControlFlowGraph::new(body).reverse_post_order().to_vec();
        body.reorder_blocks(&order);
    }
}

/// Moves the blocks with an index of `count` or more, which were inserted on edges, after their predecessors.
pub(crate) fn stand_after_predecessors(body: &mut Body, count: usize) {
    let is_new = |block: &BlockId| block.index() >= count;
    let mut order = Vec::with_capacity(body.blocks.len());
    for block in body.blocks.keys().filter(|block| !is_new(block)) {
        order.push(block);
        let targets = body.terminator(block).map_or(&[][..], |end| body.targets(end));
        order.extend(targets.iter().filter(|target| is_new(target)));
    }
    body.reorder_blocks(&order);
}
