//! Splits critical edges: a block is inserted on an edge from a block with several successors to a block with several
//! predecessors, so that code can be inserted on this edge only. SIL permits critical edges from `cond_br` only.

use sil_analysis::ControlFlowGraph;
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, Body, Details, InstructionId, Place, Value};

use crate::InstructionBuilder;

/// Splits all critical edges of a body with the graph `cfg`.
pub(crate) fn split_in(body: &mut Body, cfg: &ControlFlowGraph) {
    split_edges(body, |_, target| cfg.predecessors(target).len() > 1);
}

/// Splits the edges from `cond_br` that `is_wanted` selects by their source and target.
pub(crate) fn split_edges(body: &mut Body, is_wanted: impl Fn(BlockId, BlockId) -> bool) {
    for block in body.blocks.keys().collect::<Vec<_>>() {
        let Some(branch) = body.terminator(block).filter(|id| body.instructions[*id].opcode == Opcode::CondBr) else {
            continue;
        };
        if body.targets(branch).iter().any(|target| is_wanted(block, *target)) {
            split_branch(body, branch, |target| is_wanted(block, target));
        }
    }
}

/// Splits the selected edges from all terminators with several successors. The new block forwards the arguments that
/// the terminator produces.
pub(crate) fn split_all_edges(body: &mut Body, is_wanted: impl Fn(BlockId, BlockId) -> bool) {
    let old: Vec<BlockId> = body.blocks.keys().collect();
    split_edges(body, &is_wanted);
    for block in old {
        let Some(end) = body.terminator(block) else { continue };
        if matches!(body.instructions[end].opcode, Opcode::Br | Opcode::CondBr) {
            continue;
        }
        for index in 0..body.targets(end).len() {
            let target = body.targets(end)[index];
            if is_wanted(block, target) {
                let edge = add_passing_block(body, end, target);
                body.targets_mut(end)[index] = edge;
            }
        }
    }
}

/// Inserts a block on each edge of a `br` that `is_wanted` selects by its source and target.
pub(crate) fn split_jumps(body: &mut Body, is_wanted: impl Fn(BlockId, BlockId) -> bool) {
    for block in body.blocks.keys().collect::<Vec<_>>() {
        let jump = body.terminator(block).filter(|id| body.instructions[*id].opcode == Opcode::Br);
        let Some((jump, target)) = jump.and_then(|jump| Some((jump, *body.targets(jump).first()?))) else { continue };
        if is_wanted(block, target) {
            let passed = body.operands(jump).to_vec();
            let edge = add_edge_block(body, jump, target, &passed);
            body.targets_mut(jump).fill(edge);
            body.set_operands(jump, &[]);
        }
    }
}

/// Replaces a `cond_br` with one that branches to new blocks on the selected edges.
fn split_branch(body: &mut Body, branch: InstructionId, is_wanted: impl Fn(BlockId) -> bool) {
    let (&[on_true, on_false], Details::CondBranch { true_arguments, counts }) =
        (body.targets(branch), body.instructions[branch].details.clone())
    else {
        return;
    };
    let Some((condition, passed)) = body.operands(branch).split_first() else { return };
    let (condition, (for_true, for_false)) = (*condition, passed.split_at(true_arguments as usize));
    let edges = [(on_true, for_true.to_vec()), (on_false, for_false.to_vec())];
    let [(on_true, for_true), (on_false, for_false)] = edges.map(|(target, passed)| {
        if is_wanted(target) { (add_edge_block(body, branch, target, &passed), Vec::new()) } else { (target, passed) }
    });
    let edges = [(on_true, &for_true[..]), (on_false, &for_false[..])];
    InstructionBuilder::new(body, Place::Before(branch), branch).cond_br(condition, edges, counts);
    body.erase(branch);
}

/// Creates a block that only branches to `target`.
fn add_edge_block(body: &mut Body, branch: InstructionId, target: BlockId, passed: &[Value]) -> BlockId {
    let block = body.add_block();
    InstructionBuilder::new(body, Place::End(block), branch).branch(target, passed);
    block
}

/// Creates a block with the arguments of `target`, which it passes on.
fn add_passing_block(body: &mut Body, end: InstructionId, target: BlockId) -> BlockId {
    let block = body.add_block();
    let mut passed = Vec::new();
    for argument in body.blocks[target].arguments.clone() {
        let data = body.values[argument].clone();
        passed.push(body.add_argument(block, data.ty, data.ownership));
    }
    InstructionBuilder::new(body, Place::End(block), end).branch(target, &passed);
    block
}
