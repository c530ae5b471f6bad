//! Decisions that were made before: where a terminator that dominates a block has decided by a value, the value is known there.

use super::knowledge::Known;
use super::{Threader, Ways};
use crate::analysis::{Dominators, Use, Uses};
use crate::context::SilType;
use crate::instructions::Opcode;
use crate::instructions::builtins::{BuiltinKind, Intrinsic, parse_builtin};
use crate::model::views::Br;
use crate::model::{BlockId, Definition, Details, InstructionId, Place, Value};
use crate::transform::InstructionBuilder;

/// What a terminator has decided where one of its targets begins.
#[derive(Clone, Copy)]
struct Decision {
    /// What it decided by.
    value: Value,
    /// Where that is known.
    target: BlockId,
    known: Known,
}

/// A jump past a decision that was made before.
struct Shortcut {
    source: BlockId,
    target: BlockId,
    known: Known,
}

impl Threader<'_> {
    /// Lets what a decision dominates use what was decided, and jumps go past it. Whether anything changed.
    pub(super) fn use_decisions(&mut self, ways: Ways) -> bool {
        let dominators = Dominators::new(&self.body, &self.cfg);
        let uses = Uses::new(&self.body);
        let (mut dominated, mut shortcuts): (Vec<(Use, Decision)>, Vec<Shortcut>) = (Vec::new(), Vec::new());
        for decision in self.decisions() {
            for found in self.uses_beyond_expectations(&uses, decision.value) {
                let block = self.body.instructions[found.user].block;
                let is_seen = dominated.iter().any(|(seen, _)| *seen == found);
                let is_decision_itself = self.cfg.single_predecessor(decision.target) == Some(block);
                if is_seen || is_decision_itself || !self.is_decided_by(found, decision) {
                    continue;
                }
                if dominators.dominates(decision.target, block) {
                    dominated.push((found, decision));
                } else if ways == Ways::All {
                    shortcuts.extend(self.shortcut(found, decision, &dominators));
                }
            }
        }
        let mut is_changed = !dominated.is_empty();
        for (found, decision) in dominated {
            self.use_decision(found, decision);
            self.is_changed = true;
        }
        for Shortcut { source, target, known } in shortcuts {
            let leads = self.opcode_at_end(source) == Some(Opcode::Br)
                && self.body.terminator(source).is_some_and(|id| self.body.targets(id) == [target]);
            if leads && source != target && self.is_threadable(target) {
                is_changed |= self.copy_into(source, target, Some(known)).is_some();
            }
        }
        is_changed
    }

    /// The uses of a value and of what is only expected of it.
    fn uses_beyond_expectations(&self, uses: &Uses, value: Value) -> Vec<Use> {
        let mut found = Vec::new();
        for used in uses.of(value) {
            match self.expected(used.user).zip(self.body.result(used.user)) {
                Some((expected, result)) if expected == value => {
                    found.extend(self.uses_beyond_expectations(uses, result));
                }
                _ => found.push(*used),
            }
        }
        found
    }

    /// What a `builtin` expects something of.
    fn expected(&self, id: InstructionId) -> Option<Value> {
        let Details::Builtin(builtin) = &self.body.instructions[id].details else { return None };
        let operation = parse_builtin(self.environment.module.context.text(builtin.name))?;
        let is_expectation = operation.kind == BuiltinKind::Intrinsic(Intrinsic::Expect);
        self.body.operands(id).first().copied().filter(|_| is_expectation)
    }

    /// A condition without what is expected of it.
    fn without_expectation(&self, condition: Value) -> Value {
        let mut value = condition;
        while let Some(expected) = self.body.defining(value).and_then(|made| self.expected(made)) {
            value = expected;
        }
        value
    }

    /// What the terminators of the function decide.
    fn decisions(&self) -> Vec<Decision> {
        let mut decisions = Vec::new();
        for block in self.body.blocks.keys().filter(|block| self.cfg.is_reachable(*block)) {
            let Some(end) = self.body.terminator(block) else { continue };
            let opcode = self.body.instructions[end].opcode;
            let Some(value) = self.body.operands(end).first().copied() else { continue };
            let value = if opcode == Opcode::CondBr { self.without_expectation(value) } else { value };
            let is_undefined = self.body.values[value].definition == Definition::Undef;
            // What is known without the decision is not known better behind it.
            let is_known = self.known(opcode, value, block).is_some();
            if is_undefined || is_known || !self.can_be_argument(self.body.ty(value)) {
                continue;
            }
            for (index, target) in self.body.targets(end).iter().copied().enumerate() {
                let known = match opcode {
                    Opcode::CondBr => Some(Known::Condition(index == 0)),
                    Opcode::SwitchEnum => self.only_case(block, target).map(Known::Case),
                    _ => None,
                };
                let is_alone = self.cfg.single_predecessor(target) == Some(block);
                decisions.extend(known.filter(|_| is_alone).map(|known| Decision { value, target, known }));
            }
        }
        decisions
    }

    /// Whether a use profits from a decision: of enums those that look at the case.
    fn is_decided_by(&self, found: Use, decision: Decision) -> bool {
        match decision.known {
            Known::Case(_) => {
                let opcode = self.body.instructions[found.user].opcode;
                found.operand == 0 && matches!(opcode, Opcode::SwitchEnum | Opcode::SelectEnum)
            }
            Known::Condition(_) => true,
        }
    }

    /// The jump from where `decision` is known to a block that decides by the same value.
    fn shortcut(&self, found: Use, decision: Decision, dominators: &Dominators) -> Option<Shortcut> {
        let target = self.body.instructions[found.user].block;
        if found.operand != 0 || self.body.terminator(target) != Some(found.user) || !self.is_threadable(target) {
            return None;
        }
        let jumps = |block: &BlockId| self.opcode_at_end(*block) == Some(Opcode::Br);
        let mut sources = self.cfg.predecessors(target).iter().copied().filter(jumps);
        let source = sources.find(|source| dominators.dominates(decision.target, *source))?;
        let branch = self.body.terminator(source)?;
        debug_assert_eq!(Br::of(&self.body, branch).target, target);
        Some(Shortcut { source, target, known: decision.known })
    }

    /// Lets a use know what was decided.
    fn use_decision(&mut self, found: Use, decision: Decision) {
        let ty = self.body.ty(decision.value);
        let payload = match decision.known {
            Known::Case(case) => self.environment.queries.enum_payload_type(ty.ty, case),
            Known::Condition(_) => None,
        };
        let mut builder = InstructionBuilder::new(&mut self.body, Place::Before(found.user), found.user);
        let known = match decision.known {
            Known::Condition(holds) => {
                let number = Details::Integer(if holds { -1 } else { 0 });
                builder.value_of_written_type(Opcode::IntegerLiteral, number, &[], ty)
            }
            Known::Case(case) => {
                let payload = payload.map(|payload| {
                    let ty = SilType::object(payload);
                    builder.value(Opcode::UncheckedEnumData, Details::Member(case), &[decision.value], ty)
                });
                let operands: Vec<Value> = payload.into_iter().collect();
                builder.value_of_written_type(Opcode::Enum, Details::Member(case), &operands, ty)
            }
        };
        let mut operands = self.body.operands(found.user).to_vec();
        operands[found.operand as usize] = known;
        self.body.set_operands(found.user, &operands);
    }
}
