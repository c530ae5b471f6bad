//! Unrolls small loops with a constant trip count. Follows lib/SILOptimizer/LoopTransforms/LoopUnroll.cpp.
//!
//! This file owns the choice of loops. `trip_count` computes trip counts, `copies` clones loops.

mod copies;
mod trip_count;

use sil_analysis::{ApplySite, BodyView, Change, LoopId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::FunctionRef;
use sil_ir::model::{BlockId, Body, FunctionFlag, InstructionId};

use crate::editing::loop_copies::can_be_copied;
use crate::knowledge::loop_graph::LoopGraph;
use crate::optimizations::call_inlining::inline_cost;
use crate::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(crate) const LOOP_UNROLLING: Pass = Pass::new(&Description {
    name: "loop-unroll",
    class_name: "LoopUnroll",
    summary: "Unrolls small loops with a known trip count.",
    gates: Gates::OPEN,
    runner: Runner::Steps(&[Runner::Function(unroll), Runner::Function(super::borrowed_phis::update)]),
});

/// The limit on the trip count.
const MOST_ITERATIONS: u64 = 32;
/// The limit on the cost of all copies.
const COST_LIMIT: u64 = 250;
/// The assumed cost of a callee per block, since it may be inlined later.
const INSTRUCTIONS_OF_BLOCK: u64 = 4;

/// Unrolls the loops of a function.
pub(crate) fn unroll(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let body = environment.body;
    let graph = LoopGraph::new(body);
    let is_innermost = |header: &BlockId| {
        let id = graph.loop_of(*header);
        graph.nest.loops.iter().all(|found| found.parent.is_none() || found.parent != id)
    };
    let headers: Vec<BlockId> = graph.headers().into_iter().filter(is_innermost).collect();
    let order = body.blocks.keys().collect();
    let mut unrolling = Unrolling { environment, body: body.clone(), order, is_changed: false };
    for header in headers {
        unrolling.visit(header);
    }
    let Unrolling { mut body, order, is_changed, .. } = unrolling;
    body.keep_blocks(&order);
    Ok(is_changed.then(|| Rewrite::new(environment.function, body, Change::Blocks)))
}

/// The body being rewritten. Blocks keep their ids; `order` is their layout.
struct Unrolling<'m> {
    environment: Environment<'m>,
    body: Body,
    order: Vec<BlockId>,
    is_changed: bool,
}

impl Unrolling<'_> {
    /// Unrolls the loop with the given header, if that is profitable.
    fn visit(&mut self, header: BlockId) {
        let graph = LoopGraph::new(&self.body);
        let Some(id) = graph.loop_of(header) else { return };
        let Some(iterations) = self.trip_count(&graph, id) else { return };
        if !self.is_worth(&graph, id, iterations) || !self.leaves_by_conditions(&graph, id) {
            return;
        }
        let before = (self.body.clone(), self.order.clone());
        if self.copy_loop(&graph, id, iterations).is_some() {
            self.is_changed = true;
        } else {
            (self.body, self.order) = before;
        }
    }

    fn is_worth(&self, graph: &LoopGraph, id: LoopId, iterations: u64) -> bool {
        if iterations > MOST_ITERATIONS {
            return false;
        }
        let Environment { module, queries, function, .. } = self.environment;
        let view = BodyView::new(module, queries, function, &self.body);
        let mut cost = 0;
        for block in &graph.nest.loops[id].blocks {
            for instruction in self.body.instructions_in(*block) {
                if !can_be_copied(&view, graph, id, instruction) {
                    return false;
                }
                cost += u64::from(inline_cost(queries, &self.body, instruction) != 0) + self.callee_cost(instruction);
                if cost * iterations > COST_LIMIT {
                    return false;
                }
            }
        }
        true
    }

    /// The cost of a call that may be inlined later.
    fn callee_cost(&self, id: InstructionId) -> u64 {
        let Environment { module, function, .. } = self.environment;
        let called = ApplySite::new(&self.body, id).filter(|site| site.kind.is_full()).and_then(|site| {
            let reference = self.body.defining(site.callee()?)?;
            module.function_named(FunctionRef::get(&self.body, reference)?.function)
        });
        let Some(callee) = called.map(|callee| &module.functions[callee]) else { return 0 };
        let stays = callee.has(FunctionFlag::NoInline) || callee.has(FunctionFlag::OptimizeNone);
        let body = callee.body.as_ref().filter(|_| !stays && callee.name != function.name);
        body.map_or(0, |body| body.blocks.len() as u64 * INSTRUCTIONS_OF_BLOCK)
    }

    /// Returns whether all exiting blocks of a loop end with `cond_br`.
    fn leaves_by_conditions(&self, graph: &LoopGraph, id: LoopId) -> bool {
        let mut leaving = graph.nest.loops[id].blocks.iter().filter(|block| graph.leaves(&self.body, id, **block));
        leaving.all(|block| {
            self.body.terminator(*block).is_some_and(|end| self.body.instructions[end].opcode == Opcode::CondBr)
        })
    }
}
