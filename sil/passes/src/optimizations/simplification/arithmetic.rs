//! Simplifies integer operations.

use sil_ir::context::SilType;
use sil_ir::instructions::Opcode;
use sil_ir::instructions::builtins::{
    BinaryOperation, BuiltinKind, FloatPredicate, IntegerPredicate, NamedBuiltin, OverflowOperation,
};
use sil_ir::model::views;
use sil_ir::model::{InstructionId, Place, Value};

use super::Simplifier;
use crate::editing::literals;
use crate::knowledge::numbers::{WIDEST, truncated};
use crate::knowledge::operations::computed;

impl Simplifier<'_> {
    /// Replaces an operation on literals with its result.
    pub(super) fn computed(&mut self, id: InstructionId) -> Option<()> {
        let body = self.editor.body();
        let views::Builtin { arguments, builtin } = views::Builtin::of(body, id);
        let arguments = arguments.to_vec();
        let module = self.editor.environment.module;
        let word = module.platform.pointer_width.bits();
        let operation = builtin.operation()?.with_words_of(word);
        let known: Vec<_> = arguments.iter().map(|argument| literals::known(&self.editor, *argument)).collect();
        let value = computed(&operation, &known, &mut Vec::new())?;
        let ty = self.editor.body().ty(self.editor.body().result(id)?);
        let literal = literals::make(&mut self.editor, id, &value, ty)?;
        self.editor.replace(id, literal);
        Some(())
    }

    /// The width of an integer type.
    pub(super) fn width(&self, ty: SilType) -> Option<u32> {
        match self.editor.environment.queries.get(ty.ty) {
            sil_ir::context::Type::Builtin(sil_ir::context::BuiltinType::Integer(width)) if *width <= WIDEST => {
                Some(*width)
            }
            _ => None,
        }
    }

    /// Simplifies an operation with two equal operands.
    pub(super) fn of_same_operands(&mut self, id: InstructionId) -> Option<()> {
        use BinaryOperation::{And, Or, SDiv, SRem, Sub, UDiv, URem, Xor};
        let kind = self.builtin(id)?;
        let (one, other) = (self.editor.operand(id, 0)?, self.editor.operand(id, 1)?);
        if one != other {
            return None;
        }
        let ty = self.editor.body().ty(self.editor.body().result(id)?);
        let literal = match kind {
            // Invalid input reaches this too.
            BuiltinKind::Binary(And | Or) if self.editor.body().ty(one) != ty => return None,
            BuiltinKind::Binary(And | Or) => {
                self.editor.replace(id, one);
                return Some(());
            }
            BuiltinKind::WithOverflow(OverflowOperation::SSub | OverflowOperation::USub) => {
                return self.nothing_left(id, ty, one);
            }
            BuiltinKind::Binary(SDiv | UDiv) => 1,
            BuiltinKind::Binary(SRem | Sub | URem | Xor) if self.is_whole_number(ty) => 0,
            BuiltinKind::CompareIntegers(predicate) => -i128::from(is_reflexive(predicate)),
            BuiltinKind::Named(NamedBuiltin::IsSameMetatype) => -1,
            BuiltinKind::CompareFloats(predicate) => match predicate {
                FloatPredicate::Ueq | FloatPredicate::Ule | FloatPredicate::Uge => -1,
                FloatPredicate::One | FloatPredicate::Olt | FloatPredicate::Ogt => 0,
                // The result depends on whether the value is a NaN.
                _ => return None,
            },
            _ => return None,
        };
        let literal = self.integer(id, literal, ty);
        self.editor.replace(id, literal);
        Some(())
    }

    /// The difference of a number and itself is zero without overflow.
    fn nothing_left(&mut self, id: InstructionId, ty: SilType, number: Value) -> Option<()> {
        let number = self.editor.body().ty(number);
        let bit = self.editor.environment.queries.tuple_element_type(ty.ty, 1)?;
        let zero = self.integer(id, 0, number);
        let overflow = self.integer(id, 0, SilType::object(bit));
        let tuple = self.editor.build(Place::Before(id), id, |builder| builder.tuple(&[zero, overflow], ty));
        self.editor.replace(id, tuple);
        Some(())
    }

    /// Simplifies bit operations with a literal: identities, absorbing literals, and chains of two.
    pub(super) fn of_bits(&mut self, id: InstructionId) -> Option<()> {
        use BinaryOperation::{And, Or, Xor};
        let BuiltinKind::Binary(operation @ (And | Or | Xor)) = self.builtin(id)? else { return None };
        let (number, literal, value) = self.number_and_literal(id)?;
        match (operation, value) {
            (And, -1) | (Or | Xor, 0) => self.editor.replace(id, number),
            (And, 0) | (Or, -1) => self.editor.replace(id, literal),
            _ => {
                let inner = self.editor.made_by(number, Opcode::Builtin)?;
                if self.builtin(inner) != Some(BuiltinKind::Binary(operation)) {
                    return None;
                }
                let (number, _, first) = self.number_and_literal(inner)?;
                let ty = self.editor.body().ty(number);
                let combined = match operation {
                    And => first & value,
                    Or => first | value,
                    _ => first ^ value,
                };
                let combined = self.integer(id, truncated(combined, self.width(ty)?), ty);
                let builtin = views::Builtin::of(self.editor.body(), id).builtin.clone();
                let made = self
                    .editor
                    .build(Place::Before(id), id, |builder| builder.builtin(builtin, &[number, combined], ty));
                self.editor.replace(id, made);
            }
        }
        Some(())
    }

    /// The operands of an operation with one literal.
    fn number_and_literal(&self, id: InstructionId) -> Option<(Value, Value, i128)> {
        let (one, other) = (self.editor.operand(id, 0)?, self.editor.operand(id, 1)?);
        match (self.literal(one), self.literal(other)) {
            (None, Some(value)) => Some((one, other, value)),
            (Some(value), None) => Some((other, one, value)),
            _ => None,
        }
    }
}

/// Returns whether a predicate is reflexive.
fn is_reflexive(predicate: IntegerPredicate) -> bool {
    use IntegerPredicate::{Eq, Sge, Sle, Uge, Ule};
    matches!(predicate, Eq | Sle | Sge | Ule | Uge)
}
