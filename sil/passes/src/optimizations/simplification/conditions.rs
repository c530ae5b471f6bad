//! Simplifies `cond_br` during the simplification of the control flow (`simplifyCondBrBlock` of
//! lib/SILOptimizer/Transforms/SimplifyCFG.cpp).
//!
//! Does not own: conditions that are literals (`branches`), and inverted conditions without an expectation
//! (`enum_selection`).

use sil_ir::context::{MemberId, MemberTarget};
use sil_ir::instructions::Opcode;
use sil_ir::instructions::builtins::{BinaryOperation, BuiltinKind, Intrinsic};
use sil_ir::model::views::{Br, CondBr, CondFail, SelectEnum};
use sil_ir::model::{BlockId, Builtin, DefaultCase, Details, EnumCases, InstructionId, Ownership, Place, Value, views};

use super::Simplifier;
use crate::knowledge::enum_cases::case_of_default;

/// The target of a trampoline block, and the arguments passed to it.
#[derive(Clone, PartialEq, Eq)]
pub(in crate::optimizations) struct Trampoline {
    pub(in crate::optimizations) target: BlockId,
    pub(in crate::optimizations) passed: Vec<Value>,
}

/// The change of a `cond_br`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::optimizations) enum ConditionChange {
    /// The condition is in canonical form.
    Canonical,
    /// The branch is folded, or replaced with a check.
    Decided,
    /// The condition tests another case.
    Selected,
    /// A successor is redirected.
    Shortened,
}

/// A condition with all inversions removed.
struct Uninverted {
    condition: Value,
    is_inverted: bool,
}

impl Simplifier<'_> {
    /// Simplifies a `cond_br`.
    pub(in crate::optimizations) fn simplify_condition(&mut self, id: InstructionId) -> Option<ConditionChange> {
        if self.literal(CondBr::of(self.editor.body(), id).condition).is_some() {
            self.cond_br(id);
            return Some(ConditionChange::Decided);
        }
        let shorten = |simplifier: &mut Self| {
            let shortened = simplifier.skip_trampoline(id).or_else(|| simplifier.join_paths(id));
            shortened.map(|()| ConditionChange::Shortened)
        };
        let reversed = self.reverse_expected(id).map(|()| ConditionChange::Canonical);
        reversed
            .or_else(|| shorten(self))
            .or_else(|| self.select_first_case(id).map(|()| ConditionChange::Selected))
            .or_else(|| self.fail_before(id).map(|()| ConditionChange::Decided))
    }

    /// Swaps the successors of a branch on an inverted condition, and inverts its expectation.
    fn reverse_expected(&mut self, id: InstructionId) -> Option<()> {
        let condition = CondBr::of(self.editor.body(), id).condition;
        let expectation = self.builtin_of(condition, |kind| kind == BuiltinKind::Intrinsic(Intrinsic::Expect));
        let Some(expectation) = expectation else { return self.reverse_branch(id) };
        let (expected, value) = (self.editor.operand(expectation, 0)?, self.editor.operand(expectation, 1)?);
        let Uninverted { condition, is_inverted: true } = self.uninverted_once(expected) else { return None };
        let number = self.literal(value)?;
        let body = self.editor.body();
        let (bit, expect) = (body.ty(value), views::Builtin::of(body, expectation).builtin.clone());
        let literal = self.integer(id, if number == 0 { -1 } else { 0 }, bit);
        let ty = self.editor.body().ty(condition);
        let reversed =
            self.editor.build(Place::Before(id), id, |builder| builder.builtin(expect, &[condition, literal], ty));
        let ways = self.ways(id);
        let [taken, not_taken] = ways;
        self.branch_on(id, reversed, [not_taken, taken], Counts::Swapped);
        Some(())
    }

    fn uninverted_once(&self, condition: Value) -> Uninverted {
        let xor = self.builtin_of(condition, |kind| kind == BuiltinKind::Binary(BinaryOperation::Xor));
        let operands = xor.map(|xor| self.editor.body().operands(xor));
        let is_one = |value: Value| matches!(self.literal(value), Some(1 | -1));
        match operands {
            Some([one, other]) if is_one(*other) => Uninverted { condition: *one, is_inverted: true },
            Some([one, other]) if is_one(*one) => Uninverted { condition: *other, is_inverted: true },
            _ => Uninverted { condition, is_inverted: false },
        }
    }

    fn uninverted(&self, condition: Value) -> Uninverted {
        let (mut condition, mut is_inverted) = (condition, false);
        while let Uninverted { condition: inner, is_inverted: true } = self.uninverted_once(condition) {
            condition = inner;
            is_inverted = !is_inverted;
        }
        Uninverted { condition, is_inverted }
    }

    /// The successors of a `cond_br`, the true one first.
    fn ways(&self, id: InstructionId) -> [Trampoline; 2] {
        let CondBr { true_target, false_target, true_arguments, false_arguments, .. } =
            CondBr::of(self.editor.body(), id);
        [
            Trampoline { target: true_target, passed: true_arguments.0.to_vec() },
            Trampoline { target: false_target, passed: false_arguments.to_vec() },
        ]
    }

    /// Replaces `id` with a `cond_br` on `condition` to these successors.
    fn branch_on(&mut self, id: InstructionId, condition: Value, ways: [Trampoline; 2], counts: Counts) {
        let Details::CondBranch { counts: [taken, not_taken], .. } = self.editor.body().instructions[id].details else {
            return;
        };
        let counts = match counts {
            Counts::Kept => [taken, not_taken],
            Counts::Swapped => [not_taken, taken],
        };
        let [taken, not_taken] = ways;
        let edges = [(taken.target, &taken.passed[..]), (not_taken.target, &not_taken.passed[..])];
        self.editor.build(Place::Before(id), id, |builder| builder.cond_br(condition, edges, counts));
        self.editor.erase(id);
    }

    /// The target of `target` if that is a trampoline block, with the arguments for the values that the terminator
    /// `end` passes.
    pub(in crate::optimizations) fn trampoline(
        &self,
        end: InstructionId,
        target: BlockId,
        passed: &[Value],
    ) -> Option<Trampoline> {
        let body = self.editor.body();
        let jump = body.terminator(target).filter(|jump| self.editor.opcode(*jump) == Opcode::Br)?;
        let only_leads_on =
            |id: InstructionId| id == jump || matches!(self.editor.opcode(id), Opcode::DebugValue | Opcode::DebugStep);
        let received = &body.blocks[target].arguments;
        let is_passed_on = |value: &Value| matches!(self.editor.uses(*value)[..], [only] if only.user == jump);
        if target == body.instructions[end].block
            || received.len() != passed.len()
            || !body.instructions_in(target).all(only_leads_on)
            || !received.iter().all(is_passed_on)
            || self.jumps_back(target)
        {
            return None;
        }
        let Br { target: next, arguments } = Br::of(body, jump);
        let is_own = |value: &Value| {
            let block = body.defining_block(*value);
            block == Some(next)
        };
        if arguments.iter().any(is_own) {
            return None;
        }
        let arriving = |value: &Value| {
            let index = received.iter().position(|argument| argument == value);
            index.and_then(|index| passed.get(index)).copied().unwrap_or(*value)
        };
        Some(Trampoline { target: next, passed: arguments.iter().map(arriving).collect() })
    }

    /// Returns whether unconditional branches lead from a block back to it.
    fn jumps_back(&self, block: BlockId) -> bool {
        let body = self.editor.body();
        let mut seen = vec![block];
        let mut next = block;
        while let Some(jump) = body.terminator(next).filter(|jump| self.editor.opcode(*jump) == Opcode::Br) {
            next = Br::of(body, jump).target;
            if seen.contains(&next) {
                return next == block;
            }
            seen.push(next);
        }
        false
    }

    /// Redirects a successor past a trampoline block, if the final target has no other predecessors.
    fn skip_trampoline(&mut self, id: InstructionId) -> Option<()> {
        let condition = CondBr::of(self.editor.body(), id).condition;
        let own = self.editor.body().instructions[id].block;
        let ways = self.ways(id);
        for (index, way) in ways.iter().enumerate() {
            let Some(next) = self.trampoline(id, way.target, &way.passed) else { continue };
            let is_alone = self.editor.edges_to(next.target) == 1 && next.target != self.editor.body().entry();
            if !is_alone || next.target == own || self.editor.edges_to(way.target) != 1 {
                continue;
            }
            let received = self.editor.body().blocks[next.target].arguments.clone();
            for (argument, passed) in received.into_iter().zip(next.passed).rev() {
                match self.borrowed_from(argument) {
                    Some(borrowed) => self.editor.replace(borrowed, passed),
                    None => self.editor.replace_all(argument, passed),
                }
                let last = self.editor.body().blocks[next.target].arguments.len() - 1;
                self.editor.remove_argument(next.target, last);
            }
            let mut ways = ways.clone();
            ways[index] = Trampoline { target: next.target, passed: Vec::new() };
            self.branch_on(id, condition, ways, Counts::Kept);
            self.editor.forget_ownership();
            return Some(());
        }
        None
    }

    /// Replaces a `cond_br` with a `br` if its successors meet at once.
    fn join_paths(&mut self, id: InstructionId) -> Option<()> {
        let [taken, not_taken] = self.ways(id);
        let [after_taken, after_not_taken] =
            [&taken, &not_taken].map(|way| self.trampoline(id, way.target, &way.passed));
        let joined = match (after_taken, after_not_taken) {
            _ if taken == not_taken => taken,
            (Some(next), _) if next == not_taken => not_taken,
            (_, Some(next)) if next == taken => taken,
            (Some(next), Some(other)) if next == other => next,
            _ => return None,
        };
        self.jump_instead(id, &joined);
        Some(())
    }

    /// Replaces a terminator with a branch.
    pub(in crate::optimizations) fn jump_instead(&mut self, id: InstructionId, way: &Trampoline) {
        self.editor.build(Place::Before(id), id, |builder| builder.branch(way.target, &way.passed));
        self.editor.erase(id);
    }

    /// Changes a branch on a `select_enum` of an enum with two cases so that it tests the first case.
    fn select_first_case(&mut self, id: InstructionId) -> Option<()> {
        let condition = CondBr::of(self.editor.body(), id).condition;
        let select = self.editor.made_by(condition, Opcode::SelectEnum)?;
        let SelectEnum { operand, values, cases } = SelectEnum::of(self.editor.body(), select);
        let ty = self.editor.body().ty(operand).ty;
        let second = *cases.members.first()?;
        let first = match (cases.members.get(1), cases.default) {
            (Some(first), DefaultCase::Absent) if cases.members.len() == 2 => *first,
            (None, DefaultCase::Present) => case_of_default(self.editor.environment, ty, cases)?,
            _ => return None,
        };
        let number = |case: MemberId| match self.editor.environment.queries.context.get_member(case).target {
            MemberTarget::Case(number) => Some(number),
            _ => None,
        };
        if number(first) != Some(0) || number(second) != Some(1) {
            return None;
        }
        let operands = [operand, *values.first()?, *values.get(1)?];
        let cases =
            EnumCases { members: Box::new([first, second]), default: DefaultCase::Absent, counts: Default::default() };
        let ty = self.editor.body().ty(condition);
        let attributes = self.editor.body().instructions[select].attributes;
        let selected = self
            .editor
            .build(Place::Before(select), select, |builder| builder.with(attributes).select_enum(cases, &operands, ty));
        let [taken, not_taken] = self.ways(id);
        self.branch_on(id, selected, [not_taken, taken], Counts::Swapped);
        if self.editor.uses(condition).is_empty() {
            self.editor.erase(select);
        }
        Some(())
    }

    /// Replaces a branch to a check that fails at once with that check.
    fn fail_before(&mut self, id: InstructionId) -> Option<()> {
        let condition = CondBr::of(self.editor.body(), id).condition;
        let [taken, not_taken] = self.ways(id);
        let (check, is_inverted, rest) = match self.failing_check(taken.target, condition, false) {
            Some(check) => (check, false, not_taken),
            None => (self.failing_check(not_taken.target, condition, true)?, true, taken),
        };
        let message = CondFail::of(self.editor.body(), check).message.to_owned();
        let condition = if is_inverted { self.inverted(id, condition) } else { condition };
        self.editor.build(Place::Before(id), check, |builder| {
            builder.cond_fail(condition, &message);
        });
        self.jump_instead(id, &rest);
        Some(())
    }

    /// Inserts the inverse of a condition before `before`.
    fn inverted(&mut self, before: InstructionId, condition: Value) -> Value {
        let bit = self.editor.body().ty(condition);
        let one = self.integer(before, -1, bit);
        let xor = Builtin::plain(self.editor.environment.queries.context, "xor_Int1");
        self.editor.build(Place::Before(before), before, |builder| builder.builtin(xor, &[condition, one], bit))
    }

    /// The check that fails if `block` is entered because `condition` is true, or false, with no side effect before it.
    fn failing_check(&self, block: BlockId, condition: Value, is_opposite: bool) -> Option<InstructionId> {
        let body = self.editor.body();
        let end = body.terminator(block)?;
        let checking = match self.editor.opcode(end) {
            Opcode::Br if body.instructions_in(block).any(|id| self.editor.may_have_side_effects(id) && id != end) => {
                return None;
            }
            Opcode::Br => Br::of(body, end).target,
            _ => block,
        };
        let mut all = body.instructions_in(checking);
        let check =
            all.find(|id| self.editor.opcode(*id) == Opcode::CondFail || self.editor.may_have_side_effects(*id));
        let check = check.filter(|id| self.editor.opcode(*id) == Opcode::CondFail)?;
        let checked = CondFail::of(body, check).condition;
        if self.literal(checked).is_some_and(|number| number != 0) {
            return Some(check);
        }
        let [decided, checked] = [condition, checked].map(|value| self.uninverted(value));
        let is_same_path = decided.is_inverted == (checked.is_inverted != is_opposite);
        (decided.condition == checked.condition && is_same_path).then_some(check)
    }

    /// Simplifies the definitions of a terminator's operands. Returns whether something changed.
    pub(in crate::optimizations) fn simplify_passed(&mut self, id: InstructionId) -> bool {
        let mut is_simpler = false;
        for operand in self.editor.body().operands(id).to_vec() {
            let Some(made) = self.editor.body().defining(operand).filter(|made| self.editor.is_placed(*made)) else {
                continue;
            };
            match self.editor.opcode(made) {
                Opcode::SelectEnum => self.fold_selection(made),
                // The simplification of block arguments creates these, to pass payloads instead of enums.
                Opcode::UncheckedEnumData => continue,
                _ => {}
            }
            if self.editor.is_placed(made) {
                self.replace_by_same(made);
            }
            is_simpler |= !self.editor.is_placed(made);
        }
        is_simpler
    }

    /// Folds an instruction with literal operands. Returns whether it was folded.
    pub(in crate::optimizations) fn fold_constant(&mut self, id: InstructionId) -> bool {
        let operands = self.editor.body().operands(id).to_vec();
        match self.editor.opcode(id) {
            Opcode::Builtin if self.is_constant(id) => self.builtin_operation(id),
            Opcode::TupleExtract | Opcode::StructExtract => drop(self.replace_by_same(id)),
            _ => {}
        }
        if self.editor.is_placed(id) {
            return false;
        }
        operands.into_iter().for_each(|operand| self.erase_unused_literal(operand));
        true
    }

    /// Returns whether all operands of an instruction are literals.
    fn is_constant(&self, id: InstructionId) -> bool {
        let operands = self.editor.body().operands(id);
        !operands.is_empty() && operands.iter().all(|operand| self.literal(*operand).is_some())
    }

    /// Returns whether a terminator that takes the value would end its lifetime.
    pub(super) fn is_owned(&self, value: Value) -> bool {
        self.editor.ownership(value) == Ownership::Owned
    }
}

/// The execution counts of the new branch.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counts {
    Kept,
    Swapped,
}
