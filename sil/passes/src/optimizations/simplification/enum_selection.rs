//! Simplifies `select_enum`, and branches on it (lib/SILOptimizer/SILCombiner/SILCombinerMiscVisitors.cpp).

use sil_ir::context::{BuiltinType, Type};
use sil_ir::instructions::Opcode;
use sil_ir::instructions::builtins::{BinaryOperation, BuiltinKind, IntegerPredicate};
use sil_ir::model::views::{CondBr, Enum, SelectEnum};
use sil_ir::model::{BlockId, DefaultCase, Details, EnumCases, InstructionId, Ownership, Place, Value};

use super::Simplifier;
use crate::knowledge::enum_cases::{case_of_default, with_last_case};

impl Simplifier<'_> {
    /// Folds a selection of integers on an enum with a known case.
    pub(super) fn select_enum(&mut self, id: InstructionId) {
        self.name_last_case(id);
        self.fold_selection(id);
    }

    /// Folds a selection, but keeps its default.
    pub(super) fn fold_selection(&mut self, id: InstructionId) {
        let operand = SelectEnum::of(self.editor.body(), id).operand;
        let Some(made) = self.editor.made_by(operand, Opcode::Enum) else { return };
        let case = Enum::of(self.editor.body(), made).case;
        let Some(selected) = self.selected_for(id, case) else { return };
        if let Some(number) = self.literal(selected) {
            let ty = self.editor.body().ty(selected);
            let literal = self.integer(id, number, ty);
            self.editor.replace(id, literal);
        }
    }

    /// Replaces a default that covers a single case with that case.
    pub(super) fn name_last_case(&mut self, id: InstructionId) {
        let SelectEnum { operand, cases, .. } = SelectEnum::of(self.editor.body(), id);
        let ty = self.editor.body().ty(operand).ty;
        if let Some(case) = case_of_default(self.editor.environment, ty, cases) {
            let cases = with_last_case(cases, case);
            self.editor.set_details(id, Details::EnumCases(Box::new(cases)));
        }
    }

    /// Swaps the successors of a branch on an inverted condition. Replaces a branch on a `select_enum` with a
    /// `switch_enum`.
    pub(super) fn combine_cond_br(&mut self, id: InstructionId) {
        if self.reverse_branch(id).is_none() {
            let _ = self.switch_on_selection(id);
        }
    }

    pub(super) fn reverse_branch(&mut self, id: InstructionId) -> Option<()> {
        let body = self.editor.body();
        let CondBr { condition, true_target, false_target, true_arguments, false_arguments } = CondBr::of(body, id);
        let opposite = self.opposite(condition)?;
        let Details::CondBranch { counts: [taken, not_taken], .. } = body.instructions[id].details else { return None };
        let (on_true, on_false) = (false_arguments.to_vec(), true_arguments.0.to_vec());
        let edges = [(false_target, &on_true[..]), (true_target, &on_false[..])];
        self.editor.build(Place::Before(id), id, |builder| builder.cond_br(opposite, edges, [not_taken, taken]));
        self.editor.erase(id);
        Some(())
    }

    /// The bit that a condition is the inverse of.
    fn opposite(&self, condition: Value) -> Option<Value> {
        let made = self.editor.made_by(condition, Opcode::Builtin)?;
        let (one, other) = (self.editor.operand(made, 0)?, self.editor.operand(made, 1)?);
        let is_bit = |value: Value| {
            let ty = self.editor.body().ty(value).ty;
            *self.editor.environment.queries.get(ty) == Type::Builtin(BuiltinType::Integer(1))
        };
        // The literal of a set bit is 1 or -1.
        let is_one = |value: Value| matches!(self.literal(value), Some(1 | -1));
        let opposite = match self.builtin(made)? {
            BuiltinKind::Binary(BinaryOperation::Xor) if is_one(other) => one,
            BuiltinKind::Binary(BinaryOperation::Xor) if is_one(one) => other,
            BuiltinKind::CompareIntegers(IntegerPredicate::Eq) if self.literal(other) == Some(0) => one,
            BuiltinKind::CompareIntegers(IntegerPredicate::Ne) if is_one(other) => one,
            _ => return None,
        };
        is_bit(opposite).then_some(opposite)
    }

    fn switch_on_selection(&mut self, id: InstructionId) -> Option<()> {
        let body = self.editor.body();
        let condition = CondBr::of(body, id).condition;
        let select = self.editor.made_by(condition, Opcode::SelectEnum)?;
        let operand = SelectEnum::of(body, select).operand;
        let (cases, targets) = self.switched_cases(id, select)?;
        let is_passable = |target: &BlockId| {
            self.editor.edges_to(*target) == 1 && self.editor.body().blocks[*target].arguments.is_empty()
        };
        let is_here = body.instructions[select].block == body.instructions[id].block;
        let is_owned = self.editor.ownership(operand) != Ownership::None;
        if !self.is_copyable(body.ty(operand).ty)
            || !targets.iter().all(is_passable)
            || is_owned && !is_here
            || !self.is_loadable(operand)
        {
            return None;
        }
        let switched = match is_owned {
            true => self.editor.build(Place::Before(select), select, |builder| builder.copy_value(operand)),
            false => operand,
        };
        self.editor.build(Place::Before(id), id, |builder| {
            builder.switch_enum(switched, cases.clone(), &targets);
        });
        self.editor.erase(id);
        if self.editor.uses(condition).is_empty() {
            self.editor.erase(select);
            // The enum may be simplified once the selection is gone.
            self.editor.body().defining(operand).into_iter().for_each(|id| self.push(id));
        }
        self.receive_copies(&cases, switched, &targets);
        Some(())
    }

    /// The cases of a `switch_enum` that replaces a branch on a selection. `None` if several cases would have the same
    /// target.
    fn switched_cases(&self, branch: InstructionId, select: InstructionId) -> Option<(EnumCases, Vec<BlockId>)> {
        let body = self.editor.body();
        let CondBr { true_target, false_target, true_arguments, false_arguments, .. } = CondBr::of(body, branch);
        if !true_arguments.0.is_empty() || !false_arguments.is_empty() {
            return None;
        }
        let SelectEnum { values, cases, .. } = SelectEnum::of(body, select);
        let target = |value: &Value| Some(if self.literal(*value)? == 0 { false_target } else { true_target });
        let chosen = values.iter().map(target).collect::<Option<Vec<BlockId>>>()?;
        let of_cases = chosen.get(..cases.members.len())?;
        let false_count = of_cases.iter().filter(|found| **found == false_target).count();
        let default = match cases.default {
            DefaultCase::Present => *chosen.last()?,
            DefaultCase::Absent if false_count > of_cases.len() - false_count => false_target,
            DefaultCase::Absent => true_target,
        };
        let named = cases.members.iter().zip(of_cases).filter(|(_, target)| **target != default);
        let (members, mut targets): (Vec<_>, Vec<_>) = named.map(|(member, target)| (*member, *target)).unzip();
        if targets.len() > 1 {
            return None;
        }
        targets.push(default);
        let cases = EnumCases { members: members.into(), default: DefaultCase::Present, counts: Default::default() };
        Some((cases, targets))
    }

    /// Adds arguments to the targets of a switch on a copy of an enum, and destroys them there.
    fn receive_copies(&mut self, cases: &EnumCases, switched: Value, targets: &[BlockId]) {
        if !self.editor.has_ownership() {
            return;
        }
        let is_owned = self.editor.ownership(switched) == Ownership::Owned;
        let whole = self.editor.body().ty(switched);
        for (index, target) in targets.iter().enumerate() {
            let Some(ty) = self.received_type(cases, whole, index) else { continue };
            let ends = is_owned && !self.editor.is_trivial(ty);
            let ownership = if ends { Ownership::Owned } else { Ownership::None };
            let received = self.editor.add_argument(*target, ty, ownership);
            let like = self.editor.first_located(*target);
            if let Some(like) = like.filter(|_| ends) {
                self.editor.build(Place::Start(*target), like, |builder| {
                    builder.destroy_value(received);
                });
            }
        }
        self.editor.forget_ownership();
    }
}
