//! Decides whether the code before a loop proves that the loop counts from a smaller to a greater number.

use sil_analysis::ApplySite;
use sil_ir::instructions::Opcode;
use sil_ir::instructions::builtins::{BinaryOperation, BuiltinKind, IntegerPredicate, OverflowOperation};
use sil_ir::model::views::{CondBr, CondFail, StructExtract};
use sil_ir::model::{BlockId, Value};

use super::BoundsChecks;
use crate::knowledge::array_calls::ArrayCall;
use crate::knowledge::array_semantics::{ArrayFunction, FixedStorageFunction};
use crate::knowledge::counters::Counters;

/// A comparison of two numbers.
#[derive(Clone, Copy)]
struct Comparison {
    predicate: IntegerPredicate,
    left: Value,
    right: Value,
}

impl Comparison {
    fn of(counters: Counters<'_>, condition: Value) -> Option<Self> {
        let (predicate, left, right) = counters.comparison(condition)?;
        Some(Self { predicate, left, right })
    }

    fn opposite(self) -> Self {
        use IntegerPredicate::*;
        let predicate = match self.predicate {
            Eq => Ne,
            Ne => Eq,
            Sle => Sgt,
            Slt => Sge,
            Sge => Slt,
            Sgt => Sle,
            Ule => Ugt,
            Ult => Uge,
            Uge => Ult,
            Ugt => Ule,
        };
        Self { predicate, ..self }
    }

    /// The predicate between `one` and `other`, if the comparison is of these two.
    fn between(self, one: Value, other: Value) -> Option<IntegerPredicate> {
        use IntegerPredicate::*;
        if (self.left, self.right) == (one, other) {
            return Some(self.predicate);
        }
        ((self.right, self.left) == (one, other)).then_some(match self.predicate {
            Eq => Eq,
            Ne => Ne,
            Sle => Sge,
            Slt => Sgt,
            Sge => Sle,
            Sgt => Slt,
            Ule => Uge,
            Ult => Ugt,
            Uge => Ule,
            Ugt => Ult,
        })
    }
}

impl BoundsChecks<'_, '_> {
    /// Returns whether `start` is less than `end` whenever `preheader` is reached.
    pub(super) fn is_less_before(&self, start: Value, end: Value, preheader: BlockId) -> bool {
        let counters = self.counters();
        if let (Some(start), Some(end)) = (counters.literal(start), counters.literal(end)) {
            return start < end;
        }
        let Some(before) = self.graph.cfg.single_predecessor(preheader) else { return false };
        let guard = guarding(counters, before, preheader).and_then(|guard| guard.between(start, end));
        let is_different = matches!(guard, Some(IntegerPredicate::Ne));
        if guard == Some(IntegerPredicate::Slt) || is_different && self.counted_from_zero(start, end).is_some() {
            return true;
        }
        match self.checked_relation(start, end, before) {
            Some(Relation::Less) => true,
            Some(Relation::AtMost) => is_different,
            None => false,
        }
    }

    /// The relation of two numbers that the checks of `block` and its dominators prove.
    fn checked_relation(&self, start: Value, end: Value, block: BlockId) -> Option<Relation> {
        use IntegerPredicate::{Sgt, Sle, Slt};
        let counters = self.counters();
        // The end of a closed range is its upper bound plus one, with an overflow check.
        let last = incremented(counters, end);
        let (mut is_at_most_end, mut is_at_most_last, mut is_last_less) = (false, false, false);
        let mut current = Some(block);
        while let Some(block) = current {
            for held in held_in(counters, block) {
                match held.between(start, end) {
                    Some(Slt) => return Some(Relation::Less),
                    Some(Sle) => is_at_most_end = true,
                    _ => {}
                }
                is_at_most_last |= last.is_some_and(|last| matches!(held.between(start, last), Some(Sle | Slt)));
                is_last_less |= last.is_some_and(|last| held.between(end, last) == Some(Sgt));
            }
            current = self.dominators.immediate_dominator(block);
        }
        match is_at_most_last && is_last_less {
            true => Some(Relation::Less),
            false => is_at_most_end.then_some(Relation::AtMost),
        }
    }

    /// The storage whose count is `end`, if `start` is zero.
    pub(super) fn counted_from_zero(&self, start: Value, end: Value) -> Option<Value> {
        let body = self.editor.body();
        let environment = self.editor.environment;
        let is_zero = self.counters().literal(start) == Some(0);
        let extract = self.editor.made_by(end, Opcode::StructExtract).filter(|_| is_zero)?;
        let count = self.editor.made_by(StructExtract::of(body, extract).operand, Opcode::Apply)?;
        let array = || {
            let call = ArrayCall::of(environment, body, count)?;
            call.array(body).filter(|_| call.function == ArrayFunction::Count)
        };
        let fixed = || {
            let function = FixedStorageFunction::of_call(environment.module, body, count);
            let site = ApplySite::new(body, count);
            let site = site.filter(|_| function == Some(FixedStorageFunction::Count))?;
            site.conventions(environment.queries)?.self_parameter()?;
            site.arguments().last().copied()
        };
        array().or_else(fixed)
    }
}

/// The relation of a number to another one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Less,
    AtMost,
}

/// The number that `end` is the successor of.
fn incremented(counters: Counters<'_>, end: Value) -> Option<Value> {
    let sum = counters.extracted(end, 0)?;
    match (counters.builtin(sum)?, counters.body.operands(sum)) {
        (BuiltinKind::WithOverflow(OverflowOperation::SAdd), &[before, one, ..]) => {
            (counters.literal(one) == Some(1)).then_some(before)
        }
        _ => None,
    }
}

/// The comparison that holds if the branch at the end of `block` goes to `target`.
fn guarding(counters: Counters<'_>, block: BlockId, target: BlockId) -> Option<Comparison> {
    let body = counters.body;
    let end = body.terminator(block).filter(|end| body.instructions[*end].opcode == Opcode::CondBr)?;
    let CondBr { condition, true_target, false_target, .. } = CondBr::of(body, end);
    let comparison = Comparison::of(counters, condition).filter(|_| true_target != false_target)?;
    Some(if true_target == target { comparison } else { comparison.opposite() })
}

/// The comparisons that hold after the checks of a block.
fn held_in<'b>(counters: Counters<'b>, block: BlockId) -> impl Iterator<Item = Comparison> + 'b {
    let is_check = move |id: &_| counters.body.instructions[*id].opcode == Opcode::CondFail;
    let checks = counters.body.instructions_in(block).filter(is_check);
    checks.filter_map(move |check| {
        let failing = CondFail::of(counters.body, check).condition;
        match counters.operation(failing)? {
            (BuiltinKind::Binary(BinaryOperation::Xor), &[inner, mask]) if counters.literal(mask) == Some(-1) => {
                Comparison::of(counters, inner)
            }
            _ => Comparison::of(counters, failing).map(Comparison::opposite),
        }
    })
}
