//! Canonicalises loops: each loop gets a preheader and a single latch, as loop passes require
//! (lib/SILOptimizer/Utils/LoopUtils.cpp, `canonicalizeAllLoops`).

use sil_analysis::{Change, ControlFlowGraph, Dominators, LoopId, LoopNest};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::{ArgumentFlag, BlockId, Body, Place, Value};

use crate::InstructionBuilder;
use crate::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(crate) const LOOP_CANONICALIZATION: Pass = Pass::new(&Description {
    name: "loop-canonicalizer",
    class_name: "LoopCanonicalizer",
    summary: "Gives each loop one preheader and one latch.",
    gates: Gates::OPEN,
    runner: Runner::Function(canonicalize),
});

/// Canonicalises the loops of a function.
pub(crate) fn canonicalize(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let mut body: Option<Body> = None;
    let mut order: Vec<BlockId> = environment.body.blocks.keys().collect();
    // Each round makes one change to one loop.
    while let Some(next) = round(body.as_ref().unwrap_or(environment.body), &mut order) {
        body = Some(next);
    }
    Ok(body.map(|mut body| {
        body.keep_blocks(&order);
        Rewrite::new(environment.function, body, Change::Blocks)
    }))
}

/// Returns the body with one more block, which is inserted into `order`, or `None` if all loops are canonical. Inner
/// loops come first.
fn round(before: &Body, order: &mut Vec<BlockId>) -> Option<Body> {
    let cfg = ControlFlowGraph::new(before);
    let nest = LoopNest::new(before, &cfg, &Dominators::new(before, &cfg));
    (0..nest.loops.len()).rev().find_map(|id| step(before, order, (&cfg, &nest), id))
}

/// Returns the body with the loop of the given header closer to canonical form, or `None` if it is canonical. Blocks
/// keep their ids, and new blocks are inserted into `order`.
pub(crate) fn canonicalize_loop(before: &Body, order: &mut Vec<BlockId>, header: BlockId) -> Option<Body> {
    let cfg = ControlFlowGraph::new(before);
    let nest = LoopNest::new(before, &cfg, &Dominators::new(before, &cfg));
    let id = nest.loops.iter().position(|found| found.header == header)?;
    step(before, order, (&cfg, &nest), id)
}

fn step(
    before: &Body,
    order: &mut Vec<BlockId>,
    (cfg, nest): (&ControlFlowGraph, &LoopNest),
    id: LoopId,
) -> Option<Body> {
    if nest.preheader(before, cfg, id).is_none() {
        let header = nest.loops[id].header;
        let outside = cfg.predecessors(header).iter().filter(|from| !nest.contains(id, **from));
        let outside: Vec<BlockId> = outside.copied().collect();
        return join(before, order, header, &outside, Order::BeforeHeader);
    }
    let latches = nest.latches(cfg, id);
    joins_latches(before, nest, id, &latches)
        .then(|| join(before, order, nest.loops[id].header, &latches, Order::AfterFirst))?
}

/// Returns whether a loop has several latches, whose terminators can be redirected.
fn joins_latches(body: &Body, nest: &LoopNest, id: LoopId, latches: &[BlockId]) -> bool {
    let header = nest.loops[id].header;
    let is_simple = |block: &BlockId| {
        let end =
            body.terminator(*block).filter(|end| matches!(body.instructions[*end].opcode, Opcode::Br | Opcode::CondBr));
        // The edges of one branch to the header may pass different arguments, so they cannot share one new block.
        end.is_some_and(|end| body.targets(end).iter().filter(|target| **target == header).count() == 1)
    };
    latches.len() > 1 && latches.iter().all(is_simple)
}

/// The position of a new block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    BeforeHeader,
    /// After the first of its predecessors.
    AfterFirst,
}

/// Inserts a block between `from` and `to`. Returns `None` if `from` is empty, as for the entry block.
fn join(before: &Body, order: &mut Vec<BlockId>, to: BlockId, from: &[BlockId], place: Order) -> Option<Body> {
    let first = *from.first()?;
    let like = before.terminator(first)?;
    let mut body = before.clone();
    let block = body.add_block();
    let arguments: Vec<Value> = before.blocks[to].arguments.clone();
    let passed: Vec<Value> = arguments
        .iter()
        .map(|argument| {
            let known = before.values[*argument].clone();
            let new = body.add_argument(block, known.ty, known.ownership);
            for flag in [ArgumentFlag::Reborrow, ArgumentFlag::PointerEscape] {
                if known.flags.contains(flag) {
                    body.values[new].flags.insert(flag);
                }
            }
            new
        })
        .collect();
    InstructionBuilder::new(&mut body, Place::End(block), like).branch(to, &passed);
    for block_from in from {
        let end = body.terminator(*block_from)?;
        for target in body.targets_mut(end) {
            if *target == to {
                *target = block;
            }
        }
    }
    let place = match place {
        Order::BeforeHeader => order.iter().position(|found| *found == to)?,
        Order::AfterFirst => order.iter().position(|found| *found == first)? + 1,
    };
    order.insert(place, block);
    Some(body)
}
