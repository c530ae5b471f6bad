//! Decides whether cloning a block is profitable: it branches on a value that is known on the incoming edge, and it is
//! small.

use sil_analysis::{ApplySite, InstructionEffects};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::Br;
use sil_ir::model::{BlockId, Definition, InstructionId, Value};

use super::CfgSimplifier;
use super::knowledge::{literal, made_by};
use crate::Environment;
use crate::editing::instruction_copies::is_duplicable;
use crate::optimizations::call_inlining::inline_cost;
use crate::pass::settings::JumpThreadingBudget;

/// The budget for a clone that simplifies a use of an enum.
const BUDGET_FOR_VALUES: i32 = 8;
/// The budget for a clone that decides a condition.
const BUDGET_FOR_CONDITIONS: i32 = 4;
/// The cost of cloning a call, which exceeds every budget.
const COST_OF_CALLS: i32 = 1000;
/// The limit on branches that an argument is followed through.
const MAXIMAL_JUMPS: usize = 6;

impl CfgSimplifier<'_> {
    /// The budget for cloning the target of `branch`, or `None` if cloning gains nothing.
    pub(super) fn budget(&self, branch: InstructionId) -> Option<i32> {
        let Br { target, arguments } = Br::of(self.body(), branch);
        let source = self.body().instructions[branch].block;
        let received = &self.body().blocks[target].arguments;
        let is_worth = |(passed, received): (&Value, &Value)| {
            self.could_remove_release(source, *passed, target, *received)
                || (self.case(*passed, source).is_some() || literal(self.body(), *passed).is_some())
                    && self.has_simpler_uses(*received, BUDGET_FOR_VALUES, 0)
        };
        let decides = |value: &Value| {
            literal(self.body(), *value).is_some() || made_by(self.body(), *value, Opcode::FloatLiteral).is_some()
        };
        let budget = if arguments.iter().zip(received).any(is_worth) {
            BUDGET_FOR_VALUES
        } else if self.environment().settings.jump_threading == JumpThreadingBudget::Unlimited {
            i32::MAX
        } else if self.opcode_at_end(target)? == Opcode::CondBr && arguments.iter().any(decides)
            || self.decides_by_memory(source, target)
        {
            BUDGET_FOR_CONDITIONS
        } else {
            return None;
        };
        let spent = |block: BlockId| self.costs.get(&block).copied().unwrap_or(0);
        Some(budget - spent(source) - spent(target)).filter(|left| *left > 0)
    }

    /// Returns whether a block branches on the case of an enum in memory that `source` has just stored.
    fn decides_by_memory(&self, source: BlockId, target: BlockId) -> bool {
        let Environment { module, queries, .. } = self.environment();
        let effects = InstructionEffects::new(module, queries);
        let writes = |id: &InstructionId| effects.memory_behavior(self.body(), *id).may_write();
        let Some(switch) = self.body().terminator(target) else { return false };
        if self.body().instructions[switch].opcode != Opcode::SwitchEnumAddr
            || self.body().instructions_in(target).any(|id| writes(&id))
        {
            return false;
        }
        let last = self.body().instructions_in(source).rfind(writes);
        last.is_some_and(|id| {
            let is_injection = self.body().instructions[id].opcode == Opcode::InjectEnumAddr;
            is_injection && self.body().operands(id).first() == self.body().operands(switch).first()
        })
    }

    /// The cost of cloning `block`, or `None` if it is not below `budget` or the block cannot be cloned.
    pub(super) fn cost_of_copy(&self, block: BlockId, budget: i32) -> Option<i32> {
        let mut cost = 0;
        for id in self.body().instructions_in(block) {
            if !self.is_duplicable(id) {
                return None;
            }
            cost += match self.body().instructions[id].opcode {
                Opcode::Apply => COST_OF_CALLS,
                _ => inline_cost(self.environment().queries, self.body(), id),
            };
            if cost >= budget {
                return None;
            }
        }
        Some(cost)
    }

    /// Returns whether an instruction can be duplicated. That includes terminators.
    pub(super) fn is_duplicable(&self, id: InstructionId) -> bool {
        use Opcode::{BeginBorrow, CheckedCastAddrBr, CheckedCastBr, EndBorrow, LoadBorrow, SwitchValue, TryApply};
        match self.body().instructions[id].opcode {
            CheckedCastBr | CheckedCastAddrBr | SwitchValue | TryApply | Opcode::Unreachable => true,
            // A borrow without an `end_borrow` cannot be continued by a block argument.
            BeginBorrow | LoadBorrow => self.body().results(id).all(|result| {
                let uses = self.simplifier.editor.uses(result);
                uses.into_iter().any(|found| self.body().instructions[found.user].opcode == EndBorrow)
            }),
            _ => is_duplicable(self.body(), id),
        }
    }

    /// Returns whether a block is small and free of calls, so that it may be cloned to thread a jump.
    pub(super) fn is_threadable(&self, block: BlockId) -> bool {
        let is_decision = matches!(self.opcode_at_end(block), Some(Opcode::CondBr | Opcode::SwitchEnum));
        let calls = |id: InstructionId| ApplySite::new(self.body(), id).is_some_and(|site| site.kind.is_full());
        is_decision
            && !self.headers.contains(&block)
            && !self.body().instructions_in(block).any(calls)
            && self.cost_of_copy(block, BUDGET_FOR_CONDITIONS).is_some()
    }

    /// Returns whether a use of the block argument `value` in its block simplifies if the value is known.
    fn has_simpler_uses(&self, value: Value, budget: i32, depth: usize) -> bool {
        let Definition::Argument { block, .. } = self.body().values[value].definition else { return false };
        let users = self.body().instructions_in(block).filter(|id| self.body().operands(*id).contains(&value));
        users.into_iter().any(|user| match self.body().instructions[user].opcode {
            Opcode::SwitchEnum | Opcode::SelectEnum | Opcode::Enum => true,
            Opcode::SwitchValue => self.body().operands(user).first() == Some(&value),
            Opcode::Br if depth < MAXIMAL_JUMPS => {
                let Br { target, arguments } = Br::of(self.body(), user);
                let left = self.cost_of_copy(block, budget).map(|cost| budget - cost);
                let received = &self.body().blocks[target].arguments;
                let mut passed = arguments.iter().zip(received).filter(|(passed, _)| **passed == value);
                left.is_some_and(|left| passed.any(|(_, received)| self.has_simpler_uses(*received, left, depth + 1)))
            }
            _ => false,
        })
    }

    /// Returns whether a retain of the passed value would pair with a release of the argument in the target.
    fn could_remove_release(&self, source: BlockId, passed: Value, target: BlockId, received: Value) -> bool {
        if self.simplifier.editor.has_ownership() {
            return false;
        }
        let counts = |block: BlockId, value: Value, kinds: [Opcode; 2]| {
            self.body().instructions_in(block).any(|id| {
                kinds.contains(&self.body().instructions[id].opcode) && self.body().operands(id).first() == Some(&value)
            })
        };
        counts(source, passed, [Opcode::StrongRetain, Opcode::RetainValue])
            && counts(target, received, [Opcode::StrongRelease, Opcode::ReleaseValue])
    }
}
