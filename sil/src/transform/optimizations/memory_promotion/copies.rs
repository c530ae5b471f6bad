//! Copies of what variables held: where the value itself is there for as long as it takes, it stands for its copy
//! (lib/SILOptimizer/Utils/CanonicalizeOSSALifetime.cpp, for the forms that promoted variables lead to).

use rustc_hash::FxHashSet;

use crate::analysis::{ControlFlowGraph, Dominators, OwnershipKinds, Use, Uses};
use crate::instructions::Opcode;
use crate::model::{Body, Definition, InstructionId, Ownership, Replacements, Value};
use crate::transform::pipeline::Environment;

/// Lets values stand for `copies` of them.
pub(super) fn forward(environment: Environment<'_>, body: &mut Body, cfg: &ControlFlowGraph, copies: &[Value]) {
    if copies.is_empty() {
        return;
    }
    let before = body.clone();
    let kinds = OwnershipKinds::new(environment.queries, environment.function, &before, cfg);
    let known =
        Known { body: &before, uses: &Uses::new(&before), kinds: &kinds, dominators: &Dominators::new(&before, cfg) };
    let mut seen: FxHashSet<Value> = FxHashSet::default();
    for copy in copies {
        let Some(made) = before.defining(*copy).filter(|id| before.instructions[*id].opcode == Opcode::CopyValue)
        else {
            continue;
        };
        let value = before.operands(made)[0];
        // What is known of a value holds until one of its copies is gone.
        if kinds.kind(value) != Ownership::Owned || !seen.insert(value) {
            continue;
        }
        if let Some(destroys) = known.moved(value, *copy, made) {
            let mut replacements = Replacements::default();
            replacements.replace(*copy, value);
            body.replace_values(&replacements);
            destroys.into_iter().chain([made]).for_each(|id| body.erase(id));
        } else if let Some(consumer) = known.outlived(value, *copy, made) {
            for found in known.uses.of(*copy) {
                body.operands_mut(found.user)[found.operand as usize] = value;
            }
            body.operands_mut(consumer.user)[consumer.operand as usize] = *copy;
        }
    }
}

struct Known<'k> {
    body: &'k Body,
    uses: &'k Uses,
    kinds: &'k OwnershipKinds<'k>,
    dominators: &'k Dominators,
}

impl Known<'_> {
    fn is_consuming(&self, found: &Use) -> bool {
        self.kinds.operand(*found).ends_lifetime()
    }

    /// Whether `after` is in the block of `id` behind that.
    fn is_behind(&self, id: InstructionId, after: InstructionId) -> bool {
        self.body.instructions[id].block == self.body.instructions[after].block
            && self.dominators.position(id) < self.dominators.position(after)
    }

    /// The destroys of a value, where all that comes before them is that its only copy is consumed. People do not see how long the value lives.
    fn moved(&self, value: Value, copy: Value, made: InstructionId) -> Option<Vec<InstructionId>> {
        let [consumer] = self.uses.of(copy) else { return None };
        let is_argument = matches!(
            self.body.values[value].definition,
            Definition::Argument { block, .. } if block != self.body.entry()
        );
        let is_destroy = |id: InstructionId| self.body.instructions[id].opcode == Opcode::DestroyValue;
        let is_moved = self.is_consuming(consumer) && !is_destroy(consumer.user) && self.is_behind(made, consumer.user);
        if !is_argument || !is_moved {
            return None;
        }
        let destroys: Vec<InstructionId> =
            self.uses.of(value).iter().map(|found| found.user).filter(|id| *id != made).collect();
        let is_last = |id: &InstructionId| {
            is_destroy(*id) && self.dominators.instruction_dominates(self.body, consumer.user, *id)
        };
        destroys.iter().all(is_last).then_some(destroys)
    }

    /// What consumes a value before its copy is, in the block in which the copy is made and all that is done with either then happens.
    fn outlived(&self, value: Value, copy: Value, made: InstructionId) -> Option<Use> {
        let mut later = self.uses.of(value).iter().filter(|found| self.is_behind(made, found.user));
        let consumer = later.next().filter(|found| self.is_consuming(found))?;
        let is_here = |found: &Use| self.is_behind(made, found.user);
        let is_later = |found: &Use| self.is_consuming(found) && self.is_behind(consumer.user, found.user);
        let copies = self.uses.of(copy);
        (later.next().is_none() && copies.iter().all(is_here) && copies.iter().any(is_later)).then_some(*consumer)
    }
}
