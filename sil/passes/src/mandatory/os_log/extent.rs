//! The extent of a message's code: its first instruction, and the ends of the code that depends on it
//! (lib/SILOptimizer/Mandatory/OSLogOptimization.cpp, `beginOfInterpolation`, `getEndPointsOfDataDependentChain`).

use std::collections::VecDeque;

use rustc_hash::FxHashSet;
use sil_analysis::Uses;
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, Body, InstructionId, Place, Value};

use crate::knowledge::lifetime_frontier::frontier_or_edges;

/// Returns the first instruction of a message's construction; `None` in unreachable code. Captures of closures are not
/// included.
pub(super) fn beginning(body: &Body, message: InstructionId) -> Option<InstructionId> {
    let uses = Uses::new(body);
    let mut seen: FxHashSet<InstructionId> = FxHashSet::from_iter([message]);
    let mut candidates: FxHashSet<InstructionId> = FxHashSet::default();
    let mut open = VecDeque::from([message]);
    while let Some(id) = open.pop_front() {
        let opcode = body.instructions[id].opcode;
        let operands = match opcode {
            Opcode::PartialApply => &body.operands(id)[..1],
            _ => body.operands(id),
        };
        for made in operands.iter().filter_map(|operand| body.defining(*operand)) {
            if seen.insert(made) {
                open.push_back(made);
                candidates.insert(made);
            }
        }
        // Its operands precede it.
        if opcode != Opcode::PartialApply && !operands.is_empty() {
            candidates.remove(&id);
        }
        if opcode == Opcode::AllocStack
            && let Some(address) = body.result(id)
        {
            let stores = uses.of(address).iter().map(|found| found.user);
            let stores = stores.filter(|user| body.instructions[*user].opcode == Opcode::Store);
            for store in stores.filter(|store| seen.insert(*store)) {
                open.push_back(store);
                candidates.insert(store);
            }
        }
    }
    let first = first_block(body, |block| candidates.iter().any(|id| body.instructions[*id].block == block))?;
    body.instructions_in(first).find(|id| candidates.contains(id))
}

/// Returns the first block in breadth-first order that is wanted.
fn first_block(body: &Body, is_wanted: impl Fn(BlockId) -> bool) -> Option<BlockId> {
    let mut seen: FxHashSet<BlockId> = FxHashSet::from_iter([body.entry()]);
    let mut open = VecDeque::from([body.entry()]);
    while let Some(block) = open.pop_front() {
        if is_wanted(block) {
            return Some(block);
        }
        let targets = body.terminator(block).map_or(&[][..], |end| body.targets(end));
        open.extend(targets.iter().copied().filter(|target| seen.insert(*target)));
    }
    None
}

/// Returns the transitive users of an instruction's results, not through branches, in the order of the text.
pub(super) fn transitive_users(body: &Body, id: InstructionId) -> Vec<InstructionId> {
    let uses = Uses::new(body);
    let mut users: FxHashSet<InstructionId> = FxHashSet::default();
    let mut open: Vec<Value> = body.results(id).collect();
    while let Some(value) = open.pop() {
        for found in uses.of(value) {
            if users.insert(found.user) {
                open.extend(body.results(found.user));
            }
        }
    }
    body.placed_instructions().filter(|id| users.contains(id)).collect()
}

/// Returns the instructions after the last ones that depend on a message, on each path.
pub(super) fn ends(body: &Body, message: InstructionId) -> Vec<InstructionId> {
    let users = transitive_users(body, message);
    let first = |block: BlockId| body.first_instruction(block);
    match frontier_or_edges(body, message, &users) {
        Ok(places) => places
            .into_iter()
            .filter_map(|place| match place {
                Place::After(id) => body.next(id),
                Place::Before(id) => Some(id),
                Place::Start(block) => first(block),
                Place::End(_) => None,
            })
            .collect(),
        Err(edges) => edges.into_iter().filter_map(|(_, target)| first(target)).collect(),
    }
}
