//! Simplifies switches during the simplification of the control flow (lib/SILOptimizer/Transforms/SimplifyCFG.cpp).
//! Switches on a new `enum` are handled in `enums`.

use sil_ir::context::{MemberId, SilType};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{SwitchEnum, SwitchValue};
use sil_ir::model::{BlockId, DefaultCase, InstructionId, Ownership, Place, Value};

use super::super::borrowed_phis;
use super::Simplifier;
use super::conditions::Trampoline;

impl Simplifier<'_> {
    /// Folds a `switch_value` on a literal.
    pub(in crate::optimizations) fn switch_on_literal(&mut self, id: InstructionId) -> Option<()> {
        let SwitchValue { operand, cases, targets, default } = SwitchValue::of(self.editor.body(), id);
        let number = self.literal(operand)?;
        let numbers = cases.iter().map(|case| self.literal(*case)).collect::<Option<Vec<i128>>>()?;
        let own = numbers.iter().position(|case| *case == number).and_then(|index| targets.get(index));
        let target = *own.or_else(|| targets.last().filter(|_| default == DefaultCase::Present))?;
        self.jump_instead(id, &Trampoline { target, passed: Vec::new() });
        self.erase_unused_literal(operand);
        Some(())
    }

    /// Replaces a switch with a branch. The arguments of the target are borrowed from the operand.
    fn jump_to(&mut self, id: InstructionId, way: Trampoline) {
        let received = self.editor.body().blocks[way.target].arguments.clone();
        let borrows = received.iter().any(|argument| self.editor.ownership(*argument) == Ownership::Guaranteed);
        self.jump_instead(id, &way);
        if borrows {
            borrowed_phis::complete(&mut self.editor, &received);
        }
        self.editor.forget_ownership();
    }

    /// Replaces a switch with a branch if all successors meet at once.
    pub(in crate::optimizations) fn join_cases(&mut self, id: InstructionId) -> Option<()> {
        let operand = self.editor.operand(id, 0)?;
        if self.is_owned(operand) {
            return None;
        }
        let targets = self.editor.body().targets(id).to_vec();
        let mut ways = targets.into_iter().map(|target| self.trampoline(id, target, &[]));
        let first = ways.next()??;
        let is_common = ways.all(|way| way.as_ref() == Some(&first));
        if is_common {
            self.jump_instead(id, &first);
        }
        is_common.then_some(())
    }

    /// Replaces a `switch_enum` with a branch to its only reachable case.
    pub(in crate::optimizations) fn switch_to_reachable(&mut self, id: InstructionId) -> Option<()> {
        let body = self.editor.body();
        let SwitchEnum { operand, targets, cases } = SwitchEnum::of(body, id);
        let mut ways = targets.iter().enumerate().filter(|(_, target)| !self.is_only_unreachable(**target));
        let (index, target) = match (ways.next(), ways.next()) {
            (None, _) => {
                self.editor.build(Place::Before(id), id, |builder| {
                    builder.unreachable();
                });
                self.editor.erase(id);
                return Some(());
            }
            (Some((index, target)), None) => (index, *target),
            _ => return None,
        };
        let case = cases.members.get(index).copied();
        let received = body.blocks[target].arguments.clone();
        let passed = match (&received[..], case) {
            ([], _) => {
                // A destroy would run the deinit of a noncopyable enum.
                if self.is_owned(operand) {
                    self.editor.build(Place::Before(id), id, |builder| {
                        builder.end_lifetime(operand);
                    });
                }
                Vec::new()
            }
            ([_], None) => vec![operand],
            ([argument], Some(case)) => {
                let ty = self.editor.body().ty(*argument);
                vec![self.payload_for(id, case, ty)?]
            }
            _ => return None,
        };
        self.jump_to(id, Trampoline { target, passed });
        Some(())
    }

    /// Extracts the payload of a case from the operand of `switch`.
    fn payload_for(&mut self, switch: InstructionId, case: MemberId, ty: SilType) -> Option<Value> {
        let operand = self.editor.operand(switch, 0)?;
        Some(self.editor.build(Place::Before(switch), switch, |builder| builder.unchecked_enum_data(operand, case, ty)))
    }

    fn is_only_unreachable(&self, block: BlockId) -> bool {
        let first = self.editor.body().first_instruction(block);
        first.is_some_and(|id| self.editor.opcode(id) == Opcode::Unreachable)
    }

    /// Erases instructions before an `unreachable` whose effects are not visible. Returns whether there were any.
    pub(in crate::optimizations) fn simplify_unreachable(&mut self, id: InstructionId) -> bool {
        let (mut open, mut is_changed) = (self.editor.body().previous(id), false);
        while let Some(before) = open.filter(|before| self.is_needless_at_end(*before)) {
            open = self.editor.body().previous(before);
            for result in self.editor.body().results(before).collect::<Vec<_>>() {
                let ty = self.editor.body().ty(result);
                if !self.editor.uses(result).is_empty() {
                    let undefined = self.editor.undef(ty);
                    self.editor.replace_all(result, undefined);
                }
            }
            self.editor.erase(before);
            is_changed = true;
        }
        is_changed
    }

    /// Returns whether the execution of an instruction before `unreachable` is not observable.
    fn is_needless_at_end(&self, id: InstructionId) -> bool {
        use Opcode::{DeallocStack, DestroyValue, EndBorrow, ReleaseValue, RetainValue, StrongRelease, StrongRetain};
        match self.editor.opcode(id) {
            StrongRetain | StrongRelease | RetainValue | ReleaseValue | DestroyValue | EndBorrow => true,
            // Stack allocations stay nested.
            DeallocStack => {
                let body = self.editor.body();
                let counts = |before: &InstructionId| {
                    matches!(
                        self.editor.opcode(*before),
                        StrongRetain | StrongRelease | RetainValue | ReleaseValue | DeallocStack
                    )
                };
                body.instructions_in(body.instructions[id].block)
                    .take_while(|before| *before != id)
                    .all(|before| counts(&before))
            }
            _ => !self.editor.may_have_side_effects(id),
        }
    }
}
