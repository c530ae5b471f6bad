//! Finds the induction variables of a loop with increment one, and their range. Follows
//! lib/SILOptimizer/Analysis/IVAnalysis.cpp and `InductionAnalysis`.

use sil_analysis::LoopId;
use sil_ir::instructions::Opcode;
use sil_ir::instructions::builtins::{BuiltinKind, IntegerPredicate, OverflowOperation};
use sil_ir::model::views::CondBr;
use sil_ir::model::{BlockId, InstructionId, Value};

use super::BoundsChecks;

/// An induction variable that each iteration increments by one. Its values range from `start` to the number before
/// `end`.
#[derive(Clone, Copy)]
pub(super) struct Induction {
    /// The argument of the header.
    pub(super) argument: Value,
    /// The builtin that adds one.
    pub(super) sum: InstructionId,
    /// The value in the first iteration.
    pub(super) start: Value,
    /// The value that the iteration after the last one would have.
    pub(super) end: Value,
    /// Whether `start` is known to be less than `end`. Otherwise the sum has an overflow check.
    pub(super) is_range_known: bool,
}

/// A counted loop, which exits at the end of the range.
pub(super) struct CountedLoop {
    pub(super) header: BlockId,
    pub(super) preheader: BlockId,
    pub(super) latch: BlockId,
    /// The exiting block that compares with the end. Each iteration runs it.
    pub(super) exiting: BlockId,
    /// Whether it is the only exiting block.
    pub(super) is_only_exit: bool,
}

impl CountedLoop {
    /// Analyses the loop `id`. Returns `None` unless each iteration runs a single block that compares and may exit.
    pub(super) fn of(checks: &BoundsChecks<'_, '_>, id: LoopId, preheader: BlockId) -> Option<Self> {
        let (graph, body) = (&checks.graph, checks.editor.body());
        let header = graph.nest.loops[id].header;
        let latch = graph.latch(id)?;
        let leaving: Vec<BlockId> =
            graph.nest.loops[id].blocks.iter().copied().filter(|block| graph.leaves(body, id, *block)).collect();
        let (exiting, is_only_exit) = match leaving[..] {
            [only] => (only, true),
            _ => (latch, false),
        };
        let end = body.terminator(exiting)?;
        let leads_out = body.instructions[end].opcode == Opcode::CondBr && {
            let CondBr { true_target, false_target, .. } = CondBr::of(body, end);
            !graph.nest.contains(id, true_target) && graph.nest.contains(id, false_target)
        };
        (leads_out && checks.dominators.dominates(exiting, latch)).then_some(Self {
            header,
            preheader,
            latch,
            exiting,
            is_only_exit,
        })
    }
}

impl BoundsChecks<'_, '_> {
    /// The induction variables of a loop.
    pub(super) fn inductions(&self, counted: &CountedLoop) -> Vec<Induction> {
        let arguments = &self.editor.body().blocks[counted.header].arguments;
        arguments.iter().filter_map(|argument| self.induction(counted, *argument)).collect()
    }

    fn induction(&self, counted: &CountedLoop, argument: Value) -> Option<Induction> {
        let counters = self.counters();
        let body = self.editor.body();
        let preheader_end = body.terminator(counted.preheader)?;
        if self.editor.opcode(preheader_end) != Opcode::Br {
            return None;
        }
        let start = counters.incoming(counted.header, counted.preheader, argument)?;
        let next = counters.incoming(counted.header, counted.latch, argument)?;
        let sum = counters.extracted(next, 0)?;
        if !self.adds_one(sum, argument) {
            return None;
        }
        let check = body.terminator(counted.exiting)?;
        let (predicate, left, right) = counters.comparison(CondBr::of(body, check).condition)?;
        let is_next = |value: Value| counters.extracted(value, 0) == Some(sum);
        let end = match (predicate, is_next(left), is_next(right)) {
            (IntegerPredicate::Eq, true, _) => right,
            (IntegerPredicate::Eq, _, true) => left,
            _ => return None,
        };
        if !self.is_outside(end, counted.preheader) {
            return None;
        }
        let is_checked = self.overflow_check(sum, counted).is_some();
        let is_to_be_checked = is_checked && counted.is_only_exit;
        let is_range_known = !is_to_be_checked && self.is_less_before(start, end, counted.preheader);
        (is_checked || is_range_known).then_some(Induction { argument, sum, start, end, is_range_known })
    }

    /// Returns whether `sum` is `number` plus one.
    fn adds_one(&self, sum: InstructionId, number: Value) -> bool {
        let counters = self.counters();
        let is_sum = counters.builtin(sum) == Some(BuiltinKind::WithOverflow(OverflowOperation::SAdd));
        let is_one = |value: Value| counters.literal(value) == Some(1);
        is_sum
            && match *counters.body.operands(sum) {
                [left, right, ..] => left == number && is_one(right) || right == number && is_one(left),
                _ => false,
            }
    }

    /// The overflow check of `sum` that each iteration runs.
    pub(super) fn overflow_check(&self, sum: InstructionId, counted: &CountedLoop) -> Option<InstructionId> {
        let body = self.editor.body();
        let result = body.result(sum)?;
        let overflows = self.editor.uses(result).into_iter().filter_map(|found| {
            self.editor.body().result(found.user).filter(|flag| self.counters().extracted(*flag, 1) == Some(sum))
        });
        let checks = overflows.flat_map(|flag| self.editor.uses(flag)).map(|found| found.user);
        let in_each_round = |check: &InstructionId| {
            self.editor.opcode(*check) == Opcode::CondFail
                && self.dominators.dominates(body.instructions[*check].block, counted.latch)
        };
        checks.into_iter().find(in_each_round)
    }

    /// Returns whether `value` is the successor of the induction variable.
    pub(super) fn is_next(&self, induction: &Induction, value: Value) -> bool {
        let sum = self.counters().extracted(value, 0);
        sum.is_some_and(|sum| self.adds_one(sum, induction.argument))
    }
}
