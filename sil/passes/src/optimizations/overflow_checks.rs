//! Removes overflow checks that other checks and branches make redundant. Follows
//! lib/SILOptimizer/Transforms/RedundantOverflowCheckRemoval.cpp. For example, `x + 2` does not overflow if `x + 5` did
//! not, and `x - 1` does not overflow if `y < x`.
//!
//! Some of the rules of Swift's pass are unsound, and this one differs: an addend must be between zero and one that is
//! known not to overflow, `x >= y` does not imply that the numbers differ, equal differences require equal operands,
//! and a check only holds after its instruction.

use sil_analysis::{ControlFlowGraph, Dominators};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::instructions::builtins::{BuiltinKind, IntegerPredicate, OverflowOperation};
use sil_ir::model::views::{CondBr, CondFail};
use sil_ir::model::{BlockId, InstructionId, Value};

use crate::editing::editor::Editor;
use crate::knowledge::counters::Counters;
use crate::pass::{Description, Environment, Gate, Gates, Pass, Rewrite, Runner};

pub(crate) const OVERFLOW_CHECK_REMOVAL: Pass = Pass::new(&Description {
    name: "remove-redundant-overflow-checks",
    class_name: "RedundantOverflowCheckRemoval",
    summary: "Removes overflow checks that other checks and branches imply.",
    gates: Gates { optimize_none: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Function(remove),
});

/// Removes the redundant checks of a function.
pub(crate) fn remove(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { body, .. } = environment;
    let cfg = ControlFlowGraph::new(body);
    let dominators = Dominators::new(body, &cfg);
    let mut checks = OverflowChecks { editor: Editor::new(environment), cfg: &cfg, dominators, facts: Vec::new() };
    for block in cfg.reverse_post_order() {
        checks.forward(*block);
    }
    for block in cfg.reverse_post_order() {
        checks.backward(*block);
    }
    Ok(checks.editor.finish())
}

/// A known relation of two numbers.
#[derive(Clone, Copy)]
struct Fact {
    /// The fact holds in the blocks that this block dominates.
    block: BlockId,
    relation: Relation,
    left: Value,
    right: Value,
}

/// The relation of two numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Equal,
    /// Less than, or at most, signed or unsigned.
    Compares(Sign, Strictness),
    /// An operation on them does not overflow.
    Computes(OverflowOperation),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Signed,
    Unsigned,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Strictness {
    Less,
    AtMost,
}

struct OverflowChecks<'c, 'm> {
    editor: Editor<'m>,
    cfg: &'c ControlFlowGraph,
    dominators: Dominators,
    facts: Vec<Fact>,
}

impl OverflowChecks<'_, '_> {
    fn counters(&self) -> Counters<'_> {
        Counters { body: self.editor.body() }
    }

    /// Removes checks that earlier facts make redundant.
    fn forward(&mut self, block: BlockId) {
        for id in self.editor.body().instructions_in(block).collect::<Vec<_>>() {
            match self.editor.opcode(id) {
                Opcode::CondFail => self.visit(id, block),
                Opcode::CondBr => self.learn_of_branch(id),
                _ => {}
            }
        }
    }

    /// Removes checks that later checks of the same block make redundant, with no visible side effect in between.
    fn backward(&mut self, block: BlockId) {
        self.facts.clear();
        for id in self.editor.body().instructions_in(block).rev().collect::<Vec<_>>() {
            if self.editor.opcode(id) == Opcode::CondFail {
                self.visit(id, block);
            } else if self.editor.may_have_side_effects(id) {
                self.facts.clear();
            }
        }
    }

    /// Removes a check, or records its fact.
    fn visit(&mut self, check: InstructionId, block: BlockId) {
        let condition = CondFail::of(self.editor.body(), check).condition;
        let Some((operation, left, right)) = self.checked(condition) else {
            if let Some(holds) = self.counters().comparison(condition).and_then(|compared| fact_of(compared, false)) {
                self.learn(block, holds);
            }
            return;
        };
        let mut known = self.facts.iter().filter(|fact| self.dominators.dominates(fact.block, block));
        if known.any(|fact| self.follows(fact, (operation, left, right))) {
            self.editor.erase(check);
        } else {
            self.learn(block, (Relation::Computes(operation), left, right));
        }
    }

    /// The operation whose overflow bit is the condition.
    fn checked(&self, condition: Value) -> Option<(OverflowOperation, Value, Value)> {
        let counters = self.counters();
        let computed = counters.extracted(condition, 1)?;
        match (counters.builtin(computed)?, counters.body.operands(computed)) {
            (BuiltinKind::WithOverflow(operation), &[left, right, ..]) => Some((operation, left, right)),
            _ => None,
        }
    }

    fn learn(&mut self, block: BlockId, (relation, left, right): (Relation, Value, Value)) {
        self.facts.push(Fact { block, relation, left, right });
    }

    /// Records the facts at the targets of a conditional branch.
    fn learn_of_branch(&mut self, branch: InstructionId) {
        let CondBr { condition, true_target, false_target, .. } = CondBr::of(self.editor.body(), branch);
        let Some(compared) = self.counters().comparison(condition) else { return };
        for (target, holds) in [(true_target, true), (false_target, false)] {
            if self.cfg.single_predecessor(target).is_some() && true_target != false_target {
                fact_of(compared, holds).into_iter().for_each(|fact| self.learn(target, fact));
            }
        }
    }

    /// Returns whether a fact implies that an operation does not overflow.
    fn follows(&self, fact: &Fact, (operation, a, b): (OverflowOperation, Value, Value)) -> bool {
        use OverflowOperation::*;
        use Sign::{Signed, Unsigned};
        use Strictness::Less;
        let Fact { relation, left, right, .. } = *fact;
        let body = self.editor.body();
        if body.ty(left) != body.ty(a) {
            return false;
        }
        let is_one = |value: Value| self.counters().literal(value) == Some(1);
        match (relation, operation) {
            (Relation::Computes(known), _) if known == operation => match operation {
                SAdd => {
                    self.both_orders((a, b), |a, b| a == left && self.is_between_zero_and(b, right))
                        || self.both_orders((a, b), |a, b| a == right && self.is_between_zero_and(b, left))
                }
                UAdd | UMul => self.both_orders((a, b), |a, b| {
                    self.is_unsigned_at_most(a, left) && self.is_unsigned_at_most(b, right)
                }),
                SSub => a == left && self.is_between_zero_and(b, right),
                USub => self.is_unsigned_at_most(left, a) && self.is_unsigned_at_most(b, right),
                SMul => {
                    self.both_orders((a, b), |a, b| self.is_nearer_to_zero(a, left) && self.is_same(b, right))
                        || self.both_orders((a, b), |a, b| self.is_same(a, left) && self.is_nearer_to_zero(b, right))
                }
            },
            (Relation::Compares(Signed, Less), SAdd) | (Relation::Compares(Unsigned, Less), UAdd) => {
                self.both_orders((a, b), |a, b| a == left && is_one(b))
            }
            (Relation::Compares(Unsigned, strictness), USub) => {
                let is_at_most = self.is_same(right, a) && self.is_unsigned_at_most(b, left);
                is_at_most || strictness == Less && right == a && is_one(b)
            }
            (Relation::Compares(Signed, strictness), SSub) => {
                let is_less = self.is_same(right, a) && self.is_positive(left) && self.is_between_zero_and(b, left);
                is_less || strictness == Less && right == a && is_one(b)
            }
            (Relation::Equal, USub | SSub) => {
                self.both_orders((left, right), |one, other| self.is_same(one, a) && self.is_same(other, b))
            }
            _ => false,
        }
    }

    fn both_orders(&self, (one, other): (Value, Value), holds: impl Fn(Value, Value) -> bool) -> bool {
        holds(one, other) || holds(other, one)
    }

    fn literals(&self, one: Value, other: Value) -> Option<(i128, i128)> {
        Some((self.counters().literal(one)?, self.counters().literal(other)?))
    }

    fn is_same(&self, one: Value, other: Value) -> bool {
        one == other || self.literals(one, other).is_some_and(|(one, other)| one == other)
    }

    fn is_positive(&self, value: Value) -> bool {
        self.counters().literal(value).is_some_and(|value| value > 0)
    }

    /// Returns whether a number equals the limit or is between zero and the limit.
    fn is_between_zero_and(&self, value: Value, limit: Value) -> bool {
        let is_between = |(value, limit): (i128, i128)| (0..=limit).contains(&value) || (limit..=0).contains(&value);
        value == limit || self.literals(value, limit).is_some_and(is_between)
    }

    fn is_nearer_to_zero(&self, one: Value, other: Value) -> bool {
        self.literals(one, other).is_some_and(|(one, other)| one.unsigned_abs() < other.unsigned_abs())
    }

    /// Returns whether an unsigned number is at most another one. Negative literals represent the greater unsigned
    /// numbers.
    fn is_unsigned_at_most(&self, one: Value, other: Value) -> bool {
        let is_at_most = |(one, other): (i128, i128)| (one < 0, one) <= (other < 0, other);
        one == other || self.literals(one, other).is_some_and(is_at_most)
    }
}

/// The fact that follows from the result of a comparison.
fn fact_of(
    (predicate, left, right): (IntegerPredicate, Value, Value),
    holds: bool,
) -> Option<(Relation, Value, Value)> {
    use IntegerPredicate::*;
    use Sign::{Signed, Unsigned};
    use Strictness::{AtMost, Less};
    let (sign, strictness, one, other) = match (predicate, holds) {
        (Eq, true) | (Ne, false) => return Some((Relation::Equal, left, right)),
        (Eq, false) | (Ne, true) => return None,
        (Slt, true) | (Sge, false) => (Signed, Less, left, right),
        (Sle, true) | (Sgt, false) => (Signed, AtMost, left, right),
        (Sgt, true) | (Sle, false) => (Signed, Less, right, left),
        (Sge, true) | (Slt, false) => (Signed, AtMost, right, left),
        (Ult, true) | (Uge, false) => (Unsigned, Less, left, right),
        (Ule, true) | (Ugt, false) => (Unsigned, AtMost, left, right),
        (Ugt, true) | (Ule, false) => (Unsigned, Less, right, left),
        (Uge, true) | (Ult, false) => (Unsigned, AtMost, right, left),
    };
    Some((Relation::Compares(sign, strictness), one, other))
}
