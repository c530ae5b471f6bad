//! Simplifies comparisons of induction variables with their start or end. The range check, that the start is less than
//! the end, is hoisted to the preheader.

use sil_ir::context::{BuiltinType, SilType, Type};
use sil_ir::instructions::Opcode;
use sil_ir::instructions::builtins::{BinaryOperation, BuiltinKind, IntegerPredicate};
use sil_ir::model::views::CondFail;
use sil_ir::model::{BlockId, Builtin, InstructionId, Place, Value};

use super::BoundsChecks;
use super::inductions::{CountedLoop, Induction};

impl BoundsChecks<'_, '_> {
    /// Replaces comparisons with a known result with literals. Returns the induction variables of the loop.
    pub(super) fn simplify_comparisons(&mut self, blocks: &[BlockId], counted: CountedLoop) -> Vec<Induction> {
        let mut inductions = self.inductions(&counted);
        for induction in &mut inductions {
            if counted.is_only_exit && !induction.is_range_known {
                self.check_range(induction, &counted);
            }
            if induction.is_range_known {
                self.fold_comparisons(blocks, induction, counted.preheader);
            }
        }
        inductions
    }

    /// Inserts the check that the start is less than the end in the preheader. The sums in the loop then cannot
    /// overflow. Without it, the loop would trap at the latest when the induction variable overflows.
    fn check_range(&mut self, induction: &mut Induction, counted: &CountedLoop) {
        let Some(end) = self.editor.body().terminator(counted.preheader) else { return };
        let Some(compare) = self.comparison_with("cmp_sge", induction.start) else { return };
        let bit = self.bit();
        self.editor.build(Place::Before(end), induction.sum, |builder| {
            let operands = [induction.start, induction.end];
            let fails = builder.builtin(compare, &operands, bit);
            builder.cond_fail(fails, "loop induction variable overflowed");
        });
        induction.is_range_known = true;
        if let Some(check) = self.overflow_check(induction.sum, counted) {
            self.editor.erase(check);
        }
    }

    pub(super) fn bit(&self) -> SilType {
        SilType::object(self.editor.environment.queries.context.ty(Type::Builtin(BuiltinType::Integer(1))))
    }

    /// The builtin `operation` for the integer type of `value`.
    pub(super) fn comparison_with(&self, operation: &str, value: Value) -> Option<Builtin> {
        let context = self.editor.environment.queries.context;
        let suffix = match self.editor.environment.queries.get(self.editor.body().ty(value).ty) {
            Type::Builtin(BuiltinType::Integer(width)) => format!("Int{width}"),
            Type::Builtin(BuiltinType::Word) => "Word".to_owned(),
            _ => return None,
        };
        Some(Builtin::plain(context, &format!("{operation}_{suffix}")))
    }

    fn fold_comparisons(&mut self, blocks: &[BlockId], induction: &Induction, preheader: BlockId) {
        let mut literals: [Option<Value>; 2] = [None, None];
        for (_, id) in self.instructions_of(blocks) {
            let Some(result) = self.editor.body().result(id).filter(|_| self.editor.opcode(id) == Opcode::Builtin)
            else {
                continue;
            };
            if let Some(holds) = self.known_comparison(induction, result) {
                if let Some(literal) = self.literal(&mut literals, holds, (id, preheader)) {
                    self.editor.replace_all(result, literal);
                }
                continue;
            }
            for operand in self.operands_known_false(id) {
                if let Some(literal) = self.literal(&mut literals, false, (id, preheader)) {
                    let mut operands = self.editor.body().operands(id).to_vec();
                    operands[operand] = literal;
                    self.editor.set_operands(id, &operands);
                }
            }
        }
    }

    /// The literal of a known condition, created in the preheader.
    fn literal(
        &mut self,
        made: &mut [Option<Value>; 2],
        holds: bool,
        (like, preheader): (InstructionId, BlockId),
    ) -> Option<Value> {
        let index = usize::from(holds);
        if made[index].is_none() {
            let end = self.editor.body().terminator(preheader)?;
            let bit = self.bit();
            made[index] = Some(
                self.editor.build(Place::Before(end), like, |builder| builder.integer_literal(-i128::from(holds), bit)),
            );
        }
        made[index]
    }

    /// The result of a comparison of the induction variable with its start or end, if it is known.
    fn known_comparison(&self, induction: &Induction, value: Value) -> Option<bool> {
        use IntegerPredicate::{Eq, Sle, Slt};
        let (predicate, left, right) = self.counters().comparison(value)?;
        let Induction { argument, start, end, .. } = *induction;
        match predicate {
            Sle if (left, right) == (start, argument) => Some(true),
            Slt if (left, right) == (argument, end) => Some(true),
            Slt if right == start && left == argument => Some(false),
            Slt | Eq | Sle if right == start && self.is_next(induction, left) => Some(false),
            _ => None,
        }
    }

    /// The operands of an `or` that an earlier check has found to be false.
    fn operands_known_false(&self, id: InstructionId) -> Vec<usize> {
        let body = self.editor.body();
        if self.counters().builtin(id) != Some(BuiltinKind::Binary(BinaryOperation::Or)) {
            return Vec::new();
        }
        let is_checked = |value: Value| {
            let mut checks = self.editor.uses(value).into_iter().map(|found| found.user);
            checks.any(|check| {
                self.editor.opcode(check) == Opcode::CondFail
                    && CondFail::of(body, check).condition == value
                    && self.comes_before(check, id)
            })
        };
        let operands = body.operands(id).iter().enumerate();
        operands.filter(|(_, value)| is_checked(**value)).map(|(index, _)| index).collect()
    }

    /// Returns whether `before` dominates `id`.
    fn comes_before(&self, before: InstructionId, id: InstructionId) -> bool {
        let body = self.editor.body();
        let (first, second) = (body.instructions[before].block, body.instructions[id].block);
        match first == second {
            true => body.instructions_from(before).any(|after| after == id),
            false => self.dominators.dominates(first, second),
        }
    }
}
