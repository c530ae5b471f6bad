//! Computes the maximal trip count of a loop with an induction variable that is incremented by one from a literal to
//! another.

use sil_analysis::LoopId;
use sil_ir::instructions::Opcode;
use sil_ir::instructions::builtins::{BinaryOperation, BuiltinKind, IntegerPredicate, OverflowOperation};
use sil_ir::model::Value;
use sil_ir::model::views::CondBr;

use super::Unrolling;
use crate::knowledge::counters::Counters;
use crate::knowledge::loop_graph::LoopGraph;

impl Unrolling<'_> {
    /// The maximal trip count, or `None` if it is unknown.
    pub(super) fn trip_count(&self, graph: &LoopGraph, id: LoopId) -> Option<u64> {
        let counters = Counters { body: &self.body };
        let preheader = graph.nest.preheader(&self.body, &graph.cfg, id)?;
        let latch = graph.latch(id)?;
        let checking = if graph.leaves(&self.body, id, latch) { latch } else { graph.cfg.single_predecessor(latch)? };
        let check = self.body.terminator(checking)?;
        if !graph.leaves(&self.body, id, checking) || self.body.instructions[check].opcode != Opcode::CondBr {
            return None;
        }
        let CondBr { condition, true_target, false_target, .. } = CondBr::of(&self.body, check);
        let (predicate, next, end) = counters.comparison(condition)?;
        use IntegerPredicate::{Eq, Ne, Sge, Sgt, Sle, Slt};
        let (exit, more) = match predicate {
            Eq | Sge => (true_target, 0),
            Sgt => (true_target, 1),
            Sle => (false_target, 1),
            Ne | Slt => (false_target, 0),
            _ => return None,
        };
        let counter = incremented(counters, next)?;
        let header = graph.nest.loops[id].header;
        let is_counter = !graph.nest.contains(id, exit) && counters.incoming(header, latch, counter) == Some(next);
        let start = counters.incoming(header, preheader, counter).filter(|_| is_counter)?;
        let distance = counters.literal(end)?.checked_sub(counters.literal(start)?)?;
        let distance = u64::try_from(distance).ok().filter(|distance| *distance > 0)?;
        distance.checked_add(more)
    }
}

/// The value that `value` is the successor of.
fn incremented(counters: Counters<'_>, value: Value) -> Option<Value> {
    let extracted = counters.extracted(value, 0);
    let sum = extracted.or_else(|| counters.body.defining(value))?;
    let is_sum = match counters.builtin(sum)? {
        BuiltinKind::WithOverflow(OverflowOperation::SAdd | OverflowOperation::UAdd) => extracted.is_some(),
        BuiltinKind::Binary(BinaryOperation::Add) => extracted.is_none(),
        _ => false,
    };
    let (counter, step) = (counters.body.operands(sum).first()?, counters.body.operands(sum).get(1)?);
    (is_sum && counters.literal(*step) == Some(1)).then_some(*counter)
}
