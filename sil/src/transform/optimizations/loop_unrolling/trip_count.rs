//! How often a loop runs at most: a number is counted up by one from a literal to another one.

use super::Unrolling;
use crate::analysis::LoopId;
use crate::instructions::Opcode;
use crate::instructions::builtins::{BinaryOperation, BuiltinKind, IntegerPredicate, OverflowOperation, parse_builtin};
use crate::model::views::{CondBr, TupleExtract};
use crate::model::{BlockId, Definition, Details, InstructionId, Value};
use crate::transform::knowledge::loop_graph::LoopGraph;

impl Unrolling<'_> {
    /// How many times the loop runs at most; none where that is not known.
    pub(super) fn trip_count(&self, graph: &LoopGraph, id: LoopId) -> Option<u64> {
        let preheader = graph.nest.preheader(&self.body, &graph.cfg, id)?;
        let latch = graph.latch(id)?;
        let checking = if graph.leaves(&self.body, id, latch) { latch } else { graph.cfg.single_predecessor(latch)? };
        let check = self.body.terminator(checking)?;
        if !graph.leaves(&self.body, id, checking) || self.body.instructions[check].opcode != Opcode::CondBr {
            return None;
        }
        let CondBr { condition, true_target, false_target, .. } = CondBr::of(&self.body, check);
        let comparison = self.body.defining(condition)?;
        let BuiltinKind::CompareIntegers(predicate) = self.builtin(comparison)? else { return None };
        use IntegerPredicate::{Eq, Ne, Sge, Sgt, Sle, Slt};
        let (exit, more) = match predicate {
            Eq | Sge => (true_target, 0),
            Sgt => (true_target, 1),
            Sle => (false_target, 1),
            Ne | Slt => (false_target, 0),
            _ => return None,
        };
        let &[next, end] = self.body.operands(comparison) else { return None };
        let counter = self.incremented(next)?;
        let is_counter =
            !graph.nest.contains(id, exit) && self.incoming(graph.nest.loops[id].header, latch, counter) == Some(next);
        let start = self.incoming(graph.nest.loops[id].header, preheader, counter).filter(|_| is_counter)?;
        let distance = self.literal(end)?.checked_sub(self.literal(start)?)?;
        let distance = u64::try_from(distance).ok().filter(|distance| *distance > 0)?;
        distance.checked_add(more)
    }

    fn builtin(&self, id: InstructionId) -> Option<BuiltinKind> {
        let Details::Builtin(builtin) = &self.body.instructions[id].details else { return None };
        parse_builtin(self.environment.module.context.text(builtin.name)).map(|builtin| builtin.kind)
    }

    fn literal(&self, value: Value) -> Option<i128> {
        match self.body.instructions[self.body.defining(value)?].details {
            Details::Integer(integer) => Some(integer),
            _ => None,
        }
    }

    /// The value that `value` is one more than.
    fn incremented(&self, value: Value) -> Option<Value> {
        let mut sum = self.body.defining(value)?;
        let extracted =
            (self.body.instructions[sum].opcode == Opcode::TupleExtract).then(|| TupleExtract::of(&self.body, sum));
        if let Some(TupleExtract { operand, index }) = extracted {
            sum = self.body.defining(operand).filter(|_| index == 0)?;
        }
        let is_sum = match self.builtin(sum)? {
            BuiltinKind::WithOverflow(OverflowOperation::SAdd | OverflowOperation::UAdd) => extracted.is_some(),
            BuiltinKind::Binary(BinaryOperation::Add) => extracted.is_none(),
            _ => false,
        };
        let (counter, step) = (self.body.operands(sum).first()?, self.body.operands(sum).get(1)?);
        (is_sum && self.literal(*step) == Some(1)).then_some(*counter)
    }

    /// What the argument `value` of `header` is where `from` leads there.
    fn incoming(&self, header: BlockId, from: BlockId, value: Value) -> Option<Value> {
        let Definition::Argument { block, index } = self.body.values[value].definition else { return None };
        let end = self.body.terminator(from).filter(|_| block == header)?;
        let index = index as usize;
        match self.body.instructions[end].opcode {
            Opcode::Br => self.body.operands(end).get(index).copied(),
            Opcode::CondBr => {
                let CondBr { true_target, true_arguments, false_arguments, .. } = CondBr::of(&self.body, end);
                let passed = if true_target == header { true_arguments.0 } else { false_arguments };
                passed.get(index).copied()
            }
            _ => None,
        }
    }
}
