//! Hoists a `cond_fail` on a block argument to the predecessors if one of them passes a literal, since the check folds
//! there (`tryMoveCondFailToPreds` of lib/SILOptimizer/Transforms/SimplifyCFG.cpp).

use sil_analysis::Use;
use sil_ir::context::{BuiltinType, Type};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::instructions::builtins::{BinaryOperation, BuiltinKind};
use sil_ir::model::views::CondFail;
use sil_ir::model::{BlockId, Builtin, Definition, Details, InstructionId, Place, Value, views};

use super::phi_arguments::PhiArguments;
use crate::editing::editor::Editor;
use crate::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(crate) const CHECK_HOISTING: Pass = Pass::new(&Description {
    name: "move-cond-fail-to-preds",
    class_name: "MoveCondFailToPreds",
    summary: "Hoists checks of block arguments into the predecessors.",
    gates: Gates::OPEN,
    runner: Runner::Function(hoist),
});

/// Hoists the leading checks of blocks to their predecessors.
pub(crate) fn hoist(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let mut editor = Editor::new(environment);
    let mut arguments = PhiArguments { editor: &mut editor };
    for block in environment.body.blocks.keys().skip(1) {
        let _ = arguments.hoist_check(block);
    }
    Ok(editor.finish())
}

/// A checked argument, and the instructions that invert it, last one first.
struct Checked {
    argument: Value,
    inversions: Vec<InstructionId>,
}

impl PhiArguments<'_, '_> {
    pub(super) fn hoist_check(&mut self, block: BlockId) -> Option<()> {
        let check = self.first_check(block)?;
        let Checked { argument, inversions } = self.checked(check, block)?;
        let incoming = self.incoming(argument)?;
        let body = self.editor.body();
        let is_literal = |found: &Use| self.editor.made_by(found.value(body), Opcode::IntegerLiteral).is_some();
        let leads_here_alone = |found: &Use| body.targets(found.user).len() == 1;
        if !incoming.iter().all(leads_here_alone) || !incoming.iter().any(is_literal) {
            return None;
        }
        let message = CondFail::of(body, check).message.to_owned();
        for found in incoming {
            let value = found.value(self.editor.body());
            let inversion = |id: &InstructionId| views::Builtin::of(self.editor.body(), *id).builtin.clone();
            let copied: Vec<Builtin> = inversions.iter().rev().map(inversion).collect();
            self.editor.build(Place::Before(found.user), check, |builder| {
                let mut condition = value;
                for builtin in copied {
                    let bit = builder.ty(condition);
                    let one = builder.integer_literal(-1, bit);
                    condition = builder.builtin(builtin, &[condition, one], bit);
                }
                builder.cond_fail(condition, &message);
            });
        }
        self.editor.erase(check);
        Some(())
    }

    /// The first `cond_fail` of a block, if no side effect precedes it.
    fn first_check(&self, block: BlockId) -> Option<InstructionId> {
        for id in self.editor.body().instructions_in(block) {
            if self.editor.opcode(id) == Opcode::CondFail {
                return Some(id);
            }
            if self.editor.may_have_side_effects(id) {
                return None;
            }
        }
        None
    }

    /// The checked block argument, if it has no other uses.
    fn checked(&self, check: InstructionId, block: BlockId) -> Option<Checked> {
        let body = self.editor.body();
        let mut value = CondFail::of(body, check).condition;
        let mut inversions = Vec::new();
        loop {
            if self.editor.uses(value).len() != 1 {
                return None;
            }
            match body.values[value].definition {
                Definition::Argument { block: own, .. } if own == block => {
                    return Some(Checked { argument: value, inversions });
                }
                Definition::Result { instruction, .. } => {
                    value = self.inverted(instruction)?;
                    inversions.push(instruction);
                }
                _ => return None,
            }
        }
    }

    /// The operand of an instruction that inverts a bit.
    fn inverted(&self, id: InstructionId) -> Option<Value> {
        let body = self.editor.body();
        let Details::Builtin(builtin) = &body.instructions[id].details else { return None };
        let operation = builtin.operation()?;
        let is_bit = |value: Value| {
            *self.editor.environment.queries.get(body.ty(value).ty) == Type::Builtin(BuiltinType::Integer(1))
        };
        let is_one = |value: Value| {
            let literal = self.editor.made_by(value, Opcode::IntegerLiteral);
            literal.is_some_and(|id| matches!(body.instructions[id].details, Details::Integer(1 | -1)))
        };
        let [one, other] = *body.operands(id) else { return None };
        match operation.kind {
            BuiltinKind::Binary(BinaryOperation::Xor) if is_bit(one) && is_one(other) => Some(one),
            BuiltinKind::Binary(BinaryOperation::Xor) if is_bit(one) && is_one(one) => Some(other),
            _ => None,
        }
    }
}
