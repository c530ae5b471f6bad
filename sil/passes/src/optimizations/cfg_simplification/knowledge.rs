//! Computes the known values on a path: the case of an enum, or a literal.

use sil_ir::context::{Context, MemberId};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{Br, CondBr, Enum, SwitchEnum};
use sil_ir::model::{BlockId, Body, DefaultCase, Definition, Details, Value};

use super::CfgSimplifier;

/// The known value of a terminator's operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Known {
    /// The case of an enum.
    Case(MemberId),
    /// The value of a condition.
    Condition(bool),
}

/// The limit on the single predecessors, and on the block arguments, that are walked back.
const MAXIMAL_STEPS: usize = 3;

impl CfgSimplifier<'_> {
    /// The known case of `value` in `block`.
    pub(super) fn case(&self, value: Value, block: BlockId) -> Option<MemberId> {
        self.case_within(value, block, 0, &mut Vec::new())
    }

    fn case_within(&self, value: Value, block: BlockId, depth: usize, seen: &mut Vec<Value>) -> Option<MemberId> {
        if depth > MAXIMAL_STEPS {
            return None;
        }
        if let Some(made) = made_by(self.body(), value, Opcode::Enum) {
            return Some(Enum::of(self.body(), made).case);
        }
        self.switched_case(value, block).or_else(|| self.passed_case(value, depth, seen))
    }

    /// The case of `value` if a `switch_enum` on it dominates `block` with a single case.
    fn switched_case(&self, value: Value, mut block: BlockId) -> Option<MemberId> {
        for _ in 1..MAXIMAL_STEPS {
            let before = self.simplifier.editor.single_predecessor(block)?;
            let end = self.body().terminator(before)?;
            if self.body().instructions[end].opcode == Opcode::SwitchEnum
                && self.body().operands(end).first() == Some(&value)
            {
                return self.only_case(before, block);
            }
            block = before;
        }
        None
    }

    /// The only case for which the `switch_enum` at the end of `block` branches to `target`.
    pub(super) fn only_case(&self, block: BlockId, target: BlockId) -> Option<MemberId> {
        let switch = self.body().terminator(block)?;
        let SwitchEnum { targets, cases, .. } = SwitchEnum::of(self.body(), switch);
        let mut leading = targets.iter().enumerate().filter(|(_, found)| **found == target);
        let (index, _) = leading.next()?;
        if leading.next().is_some() {
            return None;
        }
        cases.members.get(index).copied().or_else(|| self.case_of_default(switch))
    }

    /// The case of a block argument if all incoming values have the same case.
    fn passed_case(&self, value: Value, depth: usize, seen: &mut Vec<Value>) -> Option<MemberId> {
        let Definition::Argument { block, index } = self.body().values[value].definition else { return None };
        seen.push(value);
        let mut common: Option<MemberId> = None;
        for predecessor in self.predecessors(block) {
            let passed = self.passed_by(*predecessor, block, index as usize)?;
            if seen.contains(&passed) {
                continue;
            }
            let case = self.case_within(passed, *predecessor, depth + 1, seen)?;
            if common.is_some_and(|common| !is_same_case(self.environment().queries.context, common, case)) {
                return None;
            }
            common = Some(case);
        }
        common
    }

    /// The value that a block passes for the argument `index` of `target`. `None` if it is ambiguous.
    fn passed_by(&self, block: BlockId, target: BlockId, index: usize) -> Option<Value> {
        let end = self.body().terminator(block)?;
        match self.body().instructions[end].opcode {
            Opcode::Br => Br::of(self.body(), end).arguments.get(index).copied(),
            Opcode::CondBr => {
                let view = CondBr::of(self.body(), end);
                match (view.true_target == target, view.false_target == target) {
                    (true, false) => view.true_arguments.0.get(index).copied(),
                    (false, true) => view.false_arguments.get(index).copied(),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The successor index of a case in a `switch_enum`.
    pub(super) fn way(&self, block: BlockId, case: MemberId) -> Option<usize> {
        let SwitchEnum { cases, .. } = SwitchEnum::of(self.body(), self.body().terminator(block)?);
        let own =
            cases.members.iter().position(|member| is_same_case(self.environment().queries.context, *member, case));
        own.or_else(|| (cases.default == DefaultCase::Present).then_some(cases.members.len()))
    }

    /// The known value, in `block`, of the operand that a terminator of this kind branches on.
    pub(super) fn known(&self, opcode: Opcode, value: Value, block: BlockId) -> Option<Known> {
        match opcode {
            Opcode::CondBr => literal(self.body(), value).map(|number| Known::Condition(number != 0)),
            Opcode::SwitchEnum => self.case(value, block).map(Known::Case),
            _ => None,
        }
    }
}

/// Returns whether two members refer to the same case.
pub(super) fn is_same_case(context: &Context, one: MemberId, other: MemberId) -> bool {
    context.get_member(one).target == context.get_member(other).target
}

/// The instruction with the given opcode that defines `value`.
pub(super) fn made_by(body: &Body, value: Value, opcode: Opcode) -> Option<sil_ir::model::InstructionId> {
    body.defining(value).filter(|id| body.instructions[*id].opcode == opcode)
}

/// The value of an integer literal.
pub(super) fn literal(body: &Body, value: Value) -> Option<i128> {
    let made = made_by(body, value, Opcode::IntegerLiteral)?;
    match body.instructions[made].details {
        Details::Integer(number) => Some(number),
        _ => None,
    }
}
