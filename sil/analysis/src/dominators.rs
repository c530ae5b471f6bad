//! Dominators and post-dominators of a body's blocks, after Cooper, Harvey and Kennedy, "A Simple, Fast Dominance
//! Algorithm".

use cranelift_entity::EntityRef;
use sil_ir::model::{BlockId, Body, Definition, InstructionId, Value};

use super::cfg::{ControlFlowGraph, successors};

/// The dominator tree of a body. Blocks that the entry does not reach are dominated by every block.
pub struct Dominators {
    tree: Tree,
    /// The number in the reverse post-order by block, or `NONE`.
    numbers: Vec<u32>,
    order: Vec<BlockId>,
    /// The position of each instruction in its block.
    positions: Vec<u32>,
}

impl Dominators {
    /// Computes the tree.
    pub fn new(body: &Body, cfg: &ControlFlowGraph) -> Self {
        let order = cfg.reverse_post_order().to_vec();
        let numbers = numbers(body, &order);
        let tree = Tree::new(order.len(), |node, visit| {
            for predecessor in cfg.predecessors(order[node as usize]) {
                visit(numbers[predecessor.index()]);
            }
        });
        let mut positions = vec![0; body.instructions.len()];
        for block in body.blocks.keys() {
            for (position, instruction) in (0..).zip(body.instructions_in(block)) {
                positions[instruction.index()] = position;
            }
        }
        Self { tree, numbers, order, positions }
    }

    /// The closest block that every path to `block` leads through; none for the entry and for unreachable blocks.
    pub fn immediate_dominator(&self, block: BlockId) -> Option<BlockId> {
        match self.numbers[block.index()] {
            0 | NONE => None,
            number => Some(self.order[self.tree.parents[number as usize] as usize]),
        }
    }

    /// Whether every path from the entry to `block` leads through `by`. A block dominates itself.
    pub fn dominates(&self, by: BlockId, block: BlockId) -> bool {
        match (self.numbers[by.index()], self.numbers[block.index()]) {
            (_, NONE) => true,
            (NONE, _) => false,
            (by, block) => self.tree.contains(by, block),
        }
    }

    /// Whether `value` is defined on every path to `instruction`, before it.
    pub fn value_dominates(&self, body: &Body, value: Value, instruction: InstructionId) -> bool {
        let block = body.instructions[instruction].block;
        match body.values[value].definition {
            Definition::Undef => true,
            Definition::Argument { block: definition, .. } => self.dominates(definition, block),
            Definition::Result { instruction: definition, .. } => {
                self.instruction_dominates(body, definition, instruction)
            }
        }
    }

    /// Whether `before` comes before `instruction` on every path to it.
    pub fn instruction_dominates(&self, body: &Body, before: InstructionId, instruction: InstructionId) -> bool {
        let (first, second) = (body.instructions[before].block, body.instructions[instruction].block);
        if first == second && self.numbers[first.index()] != NONE {
            return self.position(before) < self.position(instruction);
        }
        self.dominates(first, second)
    }

    /// The position of `instruction` in its block, from 0.
    pub fn position(&self, instruction: InstructionId) -> u32 {
        self.positions[instruction.index()]
    }
}

/// The post-dominator tree of a body: which blocks lie on every path from a block to an end of the function.
/// Blocks from which no end can be reached are not in it.
pub struct PostDominators {
    tree: Tree,
    numbers: Vec<u32>,
    /// The blocks by number, less one: number 0 is the end that all ends share.
    order: Vec<BlockId>,
}

impl PostDominators {
    /// Computes the tree.
    pub fn new(body: &Body, cfg: &ControlFlowGraph) -> Self {
        let mut walk = BackwardWalk::new(body);
        walk.add_ends(body, cfg);
        Self::with_ends(body, walk)
    }

    /// Computes a tree that has every reachable block: an endless loop counts as if it could end after the block of it
    /// that comes last in reverse post-order.
    pub fn with_endless_loops(body: &Body, cfg: &ControlFlowGraph) -> Self {
        let mut walk = BackwardWalk::new(body);
        walk.add_ends(body, cfg);
        for block in cfg.reverse_post_order().iter().rev() {
            walk.add_end(*block, cfg);
        }
        Self::with_ends(body, walk)
    }

    fn with_ends(body: &Body, walk: BackwardWalk) -> Self {
        let BackwardWalk { mut order, ends, .. } = walk;
        order.reverse();
        let mut numbers = numbers(body, &order);
        for number in &mut numbers {
            if *number != NONE {
                *number += 1;
            }
        }
        let mut is_end = vec![false; body.blocks.len()];
        for end in ends {
            is_end[end.index()] = true;
        }
        let tree = Tree::new(order.len() + 1, |node, visit| {
            let Some(index) = node.checked_sub(1) else { return };
            let block = order[index as usize];
            if is_end[block.index()] {
                visit(0);
            }
            for target in successors(body, block) {
                visit(numbers[target.index()]);
            }
        });
        Self { tree, numbers, order }
    }

    /// Whether every path from `block` to an end of the function leads through `by`. A block post-dominates itself.
    pub fn post_dominates(&self, by: BlockId, block: BlockId) -> bool {
        match (self.numbers[by.index()], self.numbers[block.index()]) {
            (NONE, _) | (_, NONE) => false,
            (by, block) => self.tree.contains(by, block),
        }
    }

    /// The closest block that every path from `block` to an end leads through; none where that is the end itself.
    pub fn immediate_post_dominator(&self, block: BlockId) -> Option<BlockId> {
        match self.numbers[block.index()] {
            NONE => None,
            number => {
                let parent = self.tree.parents[number as usize];
                parent.checked_sub(1).map(|index| self.order[index as usize])
            }
        }
    }
}

const NONE: u32 = u32::MAX;

fn numbers(body: &Body, order: &[BlockId]) -> Vec<u32> {
    let mut numbers = vec![NONE; body.blocks.len()];
    for (number, block) in (0..).zip(order) {
        numbers[block.index()] = number;
    }
    numbers
}

/// A walk against the edges, from the ends of a function.
struct BackwardWalk {
    seen: Vec<bool>,
    /// The blocks that were reached, in post-order: reversed, each stands after those that post-dominate it.
    order: Vec<BlockId>,
    ends: Vec<BlockId>,
}

impl BackwardWalk {
    fn new(body: &Body) -> Self {
        Self { seen: vec![false; body.blocks.len()], order: Vec::with_capacity(body.blocks.len()), ends: Vec::new() }
    }

    /// Walks back from every block without successors.
    fn add_ends(&mut self, body: &Body, cfg: &ControlFlowGraph) {
        for block in body.blocks.keys().filter(|block| successors(body, *block).is_empty()) {
            self.add_end(block, cfg);
        }
    }

    /// Walks back from `end`, where no walk came by yet.
    fn add_end(&mut self, end: BlockId, cfg: &ControlFlowGraph) {
        if std::mem::replace(&mut self.seen[end.index()], true) {
            return;
        }
        self.ends.push(end);
        let mut stack = vec![(end, 0)];
        while let Some((block, next)) = stack.last_mut() {
            match cfg.predecessors(*block).get(*next) {
                Some(predecessor) => {
                    *next += 1;
                    if !std::mem::replace(&mut self.seen[predecessor.index()], true) {
                        stack.push((*predecessor, 0));
                    }
                }
                None => {
                    self.order.push(*block);
                    stack.pop();
                }
            }
        }
    }
}

/// A tree of nodes that are numbered so that a parent's number is less than its children's. Node 0 is the root.
struct Tree {
    parents: Vec<u32>,
    /// When a walk through the tree enters and leaves each node.
    entered: Vec<u32>,
    left: Vec<u32>,
}

impl Tree {
    /// `predecessors` calls back with the numbers of a node's predecessors; `NONE` is passed over.
    fn new(count: usize, predecessors: impl Fn(u32, &mut dyn FnMut(u32))) -> Self {
        let mut parents = vec![NONE; count];
        if count > 0 {
            parents[0] = 0;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for node in 1..count as u32 {
                let mut parent = NONE;
                predecessors(node, &mut |predecessor| {
                    if predecessor == NONE || parents[predecessor as usize] == NONE {
                        return;
                    }
                    parent = if parent == NONE { predecessor } else { common_ancestor(&parents, parent, predecessor) };
                });
                if parents[node as usize] != parent {
                    parents[node as usize] = parent;
                    changed = true;
                }
            }
        }
        let (entered, left) = intervals(&parents);
        Self { parents, entered, left }
    }

    fn contains(&self, ancestor: u32, node: u32) -> bool {
        let (ancestor, node) = (ancestor as usize, node as usize);
        self.entered[ancestor] <= self.entered[node] && self.left[node] <= self.left[ancestor]
    }
}

fn common_ancestor(parents: &[u32], mut first: u32, mut second: u32) -> u32 {
    while first != second {
        if first > second {
            first = parents[first as usize];
        } else {
            second = parents[second as usize];
        }
    }
    first
}

/// Numbers each node by a walk in which a subtree is an interval. Parents have smaller numbers, so two passes do.
fn intervals(parents: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let count = parents.len();
    let mut sizes = vec![1u32; count];
    for node in (1..count).rev() {
        if parents[node] != NONE {
            sizes[parents[node] as usize] += sizes[node];
        }
    }
    let mut entered = vec![0u32; count];
    let mut next = vec![1u32; count];
    for node in 1..count {
        if parents[node] == NONE {
            continue;
        }
        let parent = parents[node] as usize;
        entered[node] = next[parent];
        next[parent] += sizes[node];
        next[node] = entered[node] + 1;
    }
    let left = (0..count).map(|node| entered[node] + sizes[node]).collect();
    (entered, left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sil_ir::instructions::{AttributeSet, Opcode};
    use sil_ir::model::{Block, Details, NewInstruction};
    use sil_ir::source::{FileId, Span};

    /// A body with these edges; each block is its terminator alone.
    fn body(edges: &[&[u32]]) -> Body {
        let mut body = Body::default();
        for _ in edges {
            body.blocks.push(Block::default());
        }
        for (block, targets) in (0..).zip(edges) {
            let targets: Vec<BlockId> = targets.iter().map(|target| BlockId::from_u32(*target)).collect();
            let opcode = if targets.is_empty() { Opcode::Unreachable } else { Opcode::Br };
            let span = Span { file: FileId::from_u32(0), start: 0, end: 0 };
            let new = NewInstruction {
                opcode,
                attributes: AttributeSet::default(),
                details: Details::None,
                operands: &[],
                types: &[],
                targets: &targets,
                results: &[],
                span,
                location: None,
                traits: Default::default(),
            };
            body.append(BlockId::from_u32(block), new);
        }
        body
    }

    fn block(number: u32) -> BlockId {
        BlockId::from_u32(number)
    }

    #[test]
    fn a_loop_with_an_unreachable_block() {
        let body = body(&[&[1], &[2, 3], &[1], &[], &[3]]);
        let cfg = ControlFlowGraph::new(&body);
        assert_eq!(cfg.predecessors(block(1)), [block(0), block(2)]);
        assert!(!cfg.is_reachable(block(4)));
        let dominators = Dominators::new(&body, &cfg);
        assert!(dominators.dominates(block(1), block(3)));
        assert!(!dominators.dominates(block(2), block(3)));
        assert!(dominators.dominates(block(2), block(4)));
        assert!(!dominators.dominates(block(4), block(3)));
        assert_eq!(dominators.immediate_dominator(block(3)), Some(block(1)));
        let post = PostDominators::new(&body, &cfg);
        assert!(post.post_dominates(block(3), block(0)));
        assert!(!post.post_dominates(block(2), block(1)));
    }

    #[test]
    fn an_irreducible_graph() {
        let body = body(&[&[1, 2], &[2, 3], &[1, 4], &[5], &[5], &[]]);
        let cfg = ControlFlowGraph::new(&body);
        let dominators = Dominators::new(&body, &cfg);
        for later in 1..6 {
            assert!(dominators.dominates(block(0), block(later)));
        }
        assert_eq!(dominators.immediate_dominator(block(5)), Some(block(0)));
        assert!(dominators.dominates(block(1), block(3)));
        assert!(!dominators.dominates(block(1), block(2)));
    }

    #[test]
    fn an_endless_loop_ends_in_its_last_block() {
        let body = body(&[&[1, 3], &[2], &[1], &[]]);
        let cfg = ControlFlowGraph::new(&body);
        assert!(!PostDominators::new(&body, &cfg).post_dominates(block(2), block(1)));
        let post = PostDominators::with_endless_loops(&body, &cfg);
        assert!(post.post_dominates(block(2), block(1)));
        assert_eq!(post.immediate_post_dominator(block(2)), None);
        assert_eq!(post.immediate_post_dominator(block(0)), None);
    }

    #[test]
    fn two_ends_share_no_post_dominator() {
        let body = body(&[&[1, 2], &[], &[3], &[]]);
        let cfg = ControlFlowGraph::new(&body);
        let post = PostDominators::new(&body, &cfg);
        assert_eq!(post.immediate_post_dominator(block(0)), None);
        assert_eq!(post.immediate_post_dominator(block(2)), Some(block(3)));
    }
}
